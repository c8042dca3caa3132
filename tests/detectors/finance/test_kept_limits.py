"""To say that a limit of the user is kept is no advice that needs a risk warning; what is advised beside it is."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

ASKED = {"en": "What should I do, then?", "zh": "那怎么安排？", "ko": "그럼 어떻게 할까요?"}
STATED = {"en": "No leverage, please.", "zh": "不要杠杆。", "ko": "레버리지는 빼 주세요."}
KEPT = [
    ("en", "keep 20 % in cash", "Keep 20% in cash."),
    ("en", "no leverage", "I would not use leveraged products for you."),
    ("en", "at most 10 % loss", "A plan with a maximum loss of 8% respects your limit."),
    ("en", "only public funds", "Then only public funds come into question."),
    ("zh", "保留20%现金应急", "好的，我会为您保留20%现金。"),
    ("zh", "不使用杠杆", "明白，不会使用杠杆产品。"),
    ("zh", "最大回撤<10%", "最大回撤会控制在10%以内。"),
    ("zh", "仅考虑公募基金", "那就只在公募基金里挑。"),
    ("zh", "单一资产仓位不超过30%", "单一资产仓位都控制在30%以内。"),
    ("ko", "현금 20% 유지", "네, 현금 20%는 유지하겠습니다."),
    ("ko", "레버리지 상품 제외", "알겠습니다. 레버리지 상품은 제외하겠습니다."),
    ("ko", "최대 손실 10% 이내", "최대 손실을 10% 이내로 관리하겠습니다."),
    ("ko", "단일 종목 비중 30% 이하", "한 종목 비중은 30%를 넘지 않게 하겠습니다."),
    ("ko", "공모펀드만", "공모펀드만 보겠습니다."),
]
ADVISED = [
    ("en", "keep 20 % in cash", "Put 20% in cash and 80% in an equity fund."),
    ("en", "no leverage", "Use plain index funds only; I would not use leveraged products for you."),
    ("en", "only public funds", "I recommend putting 60% into public bond funds."),
    ("en", "nothing above R2", "Buy an R2 bond fund."),
    ("zh", "保留20%现金应急", "保留20%现金，再配60%债券和20%股票。"),
    ("zh", "单一资产仓位不超过30%", "茅台配25%。"),
    ("zh", "仅考虑公募基金", "建议配置60%公募债券基金。"),
    ("zh", "最大回撤<10%", "可以买60%股票基金，最大回撤控制在10%以内。"),
    ("ko", "현금 20% 유지", "현금 20%를 유지하고 80%는 주식형 펀드에 넣으세요."),
    ("ko", "단일 종목 비중 30% 이하", "삼성전자에 25% 넣으세요."),
    ("ko", "공모펀드만", "공모펀드에 60% 넣으세요."),
]


def _label(user: str, limit: str, reply: str) -> str:
    detectors, reading = finance_detectors(), Reading(reply, user)
    limits = detectors.constraints(reading, [limit])
    found = detectors.compliance(reading, (), None, detectors.risk(reading), limits)
    return "violation" if found else "compliant"


@pytest.mark.parametrize(("language", "limit", "reply"), KEPT)
@pytest.mark.parametrize("user", [ASKED, STATED])
def test_a_limit_that_is_kept_needs_no_warning(user: dict[str, str], language: str, limit: str, reply: str) -> None:
    assert _label(user[language], limit, reply) == "compliant"


@pytest.mark.parametrize(("language", "limit", "reply"), ADVISED)
def test_what_is_advised_beside_it_needs_one(language: str, limit: str, reply: str) -> None:
    assert _label(ASKED[language], limit, reply) == "violation"


def test_a_limit_that_is_broken_excuses_nothing() -> None:
    assert _label(ASKED["zh"], "不使用杠杆", "可以考虑两倍杠杆ETF，放大收益。") == "violation"
