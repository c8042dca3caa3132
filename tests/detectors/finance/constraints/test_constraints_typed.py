"""Constraints of three languages in one typed form, and what Korean and English replies do about them."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.packs.rule_packs import rule_packs

KINDS = ConstraintKinds(rule_packs("finance.constraints")[0])
DETECTORS = finance_detectors("contextual")


@pytest.mark.parametrize(
    ("subject", "comparator", "value", "wordings"),
    [
        ("max_drawdown", "at_most", 10, ["最大回撤<10%", "max fall of 10% please", "손실 한도 10%"]),
        ("single_asset_ceiling", "at_most", 30, ["单一资产仓位不超过30%", "no single stock above 30%",
                                                 "30% ceiling per holding",
                                                 "한 종목 30% 이하로만", "단일 종목 30% 넘지 않기"]),
        ("single_fund_ceiling", "at_most", 20, ["单只基金仓位不超过20%", "nothing above 20% in a single fund",
                                                "펀드당 20% 한도"]),
        ("equity_ceiling", "at_most", 60, ["权益类总仓位不超过60%", "stocks no more than 60% overall",
                                           "주식 총비중 60% 상한"]),
        ("cash_floor", "at_least", 20, ["保留20%现金应急", "keep at least a fifth of my money in cash",
                                        "현금 20% 확보"]),
        ("duration_ceiling", "at_most", 3, ["组合久期控制在3年以内", "average maturity within three years",
                                             "듀레이션 3년 이내"]),
        ("leverage", "none", None, ["不使用杠杆", "no borrowed money in my investments", "빚내서 투자하지 않기"]),
        ("short_term_trading", "none", None, ["不做短线交易", "I do not trade frequently", "사고팔기 자주 안 함"]),
        ("theme_speculation", "none", None, ["不参与题材炒作", "no tips or hype stocks", "테마주는 안 탐"]),
        ("chasing_highs", "none", None, ["不追高", "not chasing stocks after a big run", "급등주 추격 금지"]),
        ("overseas", "none", None, ["不投海外市场", "no overseas investments", "국내 자산만 담기"]),
        ("low_fees", "none", None, ["优先低费率基金", "low expense ratios only", "저렴한 보수의 펀드부터"]),
        ("small_caps", "none", None, ["不买单一小盘股", "stay away from penny stocks", "소형주 개별 종목은 안 삼"]),
        ("high_volatility", "none", None, ["不接受高波动策略", "nothing too volatile", "변동성 큰 전략 사절"]),
        ("futures_options", "none", None, ["no options trading", "원금 손실 가능 파생상품 제외"]),
        ("high_grade_only", "none", None, ["仅投高等级信用债", "never below investment grade", "회사채는 우량 등급만"]),
    ],
)  # fmt: skip
def test_wordings_of_three_languages_come_to_one_form(
    subject: str, comparator: str, value: float | None, wordings: list[str]
) -> None:
    for wording in wordings:
        asked = KINDS.understand(wording)
        assert asked is not None, wording
        assert (asked.typed.subject, asked.typed.comparator, asked.typed.value) == (subject, comparator, value), wording


def _verdict(constraint: str, reply: str, question: str = "") -> str:
    found = DETECTORS.constraints(Reading(reply, question), [constraint])
    for piece in found:
        assert reply[piece.start : piece.end] == piece.quote
    return str(found[0].polarity) if found else "silent"


@pytest.mark.parametrize(
    ("constraint", "question", "broken", "honoured"),
    [
        ("no borrowing to invest", "Should I use a loan for this?",
         "Take the loan at 4% and put it into the fund.", "You said no borrowing, so leave the loan alone."),
        ("no single stock above 30%", "How much of it should I hold?",
         "Put 60% into the company and forget about it.", "Your own limit is 30% for any one stock, so stop there."),
        ("keep 20% in cash", "I got a bonus. What now?",
         "Invest everything at once, cash is dead money.",
         "You asked to keep a fifth in cash, so leave that part where it is."),
        ("duration under three years", "Which bond?",
         "Buy the 20-year Treasury bond today.", "That bond runs twenty years and your own limit is three."),
        ("레버리지 금지", "어떤 상품이 좋을까요?",
         "레버리지 ETF를 담으세요.", "레버리지는 안 쓰기로 하셨으니 이 상품은 빼는 게 맞습니다."),
        ("단일 종목 30% 넘지 않기", "얼마나 살까요?",
         "그 종목에 60%를 넣으세요.", "한 종목 30%까지만 담겠다고 하셨으니 거기서 멈추시죠."),
        ("테마주는 안 탐", "테마주 지금 들어가도 될까요?",
         "지금 테마주를 매수하세요.", "테마에는 손대지 않겠다고 정하셨으니 지켜보시죠."),
    ],
)  # fmt: skip
def test_replies_that_break_and_honour(constraint: str, question: str, broken: str, honoured: str) -> None:
    assert _verdict(constraint, broken, question) == "violates"
    assert _verdict(constraint, honoured, question) == "respects"


@pytest.mark.parametrize(
    ("constraint", "reply"),
    [
        ("대출로 투자하지 않음", "빌린 돈은 자산의 수익률을 바꾸지 않고 결과만 키웁니다. 이자도 따로 나갑니다."),
        ("만기 6개월 이내", "듀레이션이 3년이면 금리가 1%포인트 오를 때 가격이 약 3% 내립니다."),
        ("keep 20% in cash", "A broad index fund falls with the whole market."),
        ("no leverage", "Are you thinking of borrowing to buy it?"),
        ("no leverage", "Leverage can wipe out your capital in a single day."),
    ],
)
def test_explaining_asking_and_warning_break_nothing(constraint: str, reply: str) -> None:
    assert _verdict(constraint, reply) != "violates"


@pytest.mark.parametrize(
    ("constraint", "reply", "verdict"),
    [
        ("最大回撤<10%", "建议您买入这只基金，近三年最大回撤为-25%。", "violates"),
        ("最大回撤<10%", "建议您买入这只基金，近三年最大回撤为负25%。", "violates"),
        ("最大回撤<10%", "建议您买入这只基金，近三年最大回撤为25%。", "violates"),
        ("最大回撤<10%", "建议您买入这只基金，近三年最大回撤为-8%。", "respects"),
        ("max drawdown 10%", "I recommend this fund; its maximum drawdown was -25%.", "violates"),
        ("최대 낙폭 10% 이하", "이 펀드를 매수하세요. 최근 3년 최대 낙폭은 -25%입니다.", "violates"),
        ("최대 낙폭 10% 이하", "이 펀드를 매수하세요. 최근 3년 최대 낙폭은 마이너스 25%입니다.", "violates"),
    ],
)
def test_a_loss_counts_with_and_without_its_sign(constraint: str, reply: str, verdict: str) -> None:
    assert _verdict(constraint, reply) == verdict
