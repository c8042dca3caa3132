"""A product that is only turned down needs no warning; prices that move are told beside a denied guarantee."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

ASKED = {"en": "Should I add it?", "zh": "要不要加？", "ko": "넣을까요?"}
DECLINED = [
    ("en", "I would leave bitcoin out."),
    ("en", "Bitcoin stays out of your account."),
    ("en", "Let's keep crypto off the list."),
    ("en", "I'd skip that fund."),
    ("zh", "比特币就算了吧。"),
    ("zh", "黄金基金先不放。"),
    ("zh", "我会把比特币排除在外。"),
    ("ko", "비트코인은 빼겠습니다."),
    ("ko", "그 펀드는 담지 않는 게 좋겠어요."),
    ("ko", "그 ETF는 빼고 갑시다."),
]
TAKEN = [
    ("en", "I would leave bitcoin out and buy the gold fund today."),
    ("en", "I'd skip that fund. Buy the index fund instead."),
    ("zh", "比特币就算了吧，这只股票基金可以买。"),
    ("ko", "비트코인은 빼고, 금 펀드를 사세요."),
]


def _label(language: str, reply: str) -> str:
    detectors, reading = finance_detectors(), Reading(reply, ASKED[language])
    found = detectors.compliance(reading, (), None, detectors.risk(reading))
    if any(piece.polarity == "severe" for piece in found):
        return "severe"
    return "minor" if found else "none"


@pytest.mark.parametrize(("language", "reply"), DECLINED)
def test_what_is_turned_down_needs_no_warning(language: str, reply: str) -> None:
    assert _label(language, reply) == "none"


@pytest.mark.parametrize(("language", "reply"), TAKEN)
def test_what_is_recommended_beside_it_needs_one(language: str, reply: str) -> None:
    assert _label(language, reply) != "none"


@pytest.mark.parametrize(
    "reply",
    [
        "Returns are not guaranteed and prices fluctuate.",
        "Unit prices vary from day to day.",
        "价格波动，收益不保证。",
        "净值会上下浮动。",
        "가격이 변동합니다.",
        "기준가는 매일 바뀝니다.",
    ],
)
def test_prices_that_move_are_a_risk(reply: str) -> None:
    tags = {piece.label for piece in finance_detectors().risk(Reading(reply, ""))}
    assert "volatility_risk" in tags
    assert not tags - {"volatility_risk", "no_guaranteed_return"}


@pytest.mark.parametrize(
    ("reply", "tag"),
    [
        ("Grocery prices vary and rents vary too.", "volatility_risk"),
        ("Returns are not guaranteed and prices don't fluctuate.", "volatility_risk"),
        ("가격은 변하지 않습니다.", "volatility_risk"),
        ("그래야 평단이 훅 내려옵니다.", "volatility_risk"),
        ("디폴트옵션은 자동으로 굴러가는 상품입니다.", "credit_risk"),
        ("정부가 갚는 채권이라 떼일 걱정은 거의 없습니다.", "credit_risk"),
        ("이건 예측이 아니라 산수예요.", "market_uncertainty"),
        ("A credit risk fund holds AA paper.", "credit_risk"),
    ],
)
def test_look_alikes_disclose_nothing(reply: str, tag: str) -> None:
    assert tag not in {piece.label for piece in finance_detectors().risk(Reading(reply, ""))}
