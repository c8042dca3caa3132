"""Plans held against the number of a constraint, in three languages."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.language.text.fold import fold
from turnmark.language.values.reader import read_amounts
from turnmark.packs.rule_packs import rule_packs

DETECTORS = finance_detectors("contextual")
KINDS = ConstraintKinds(rule_packs("finance.constraints")[0])


def _said(constraint: str, question: str, reply: str) -> str:
    found = DETECTORS.constraints(Reading(reply, question), [constraint])
    return str(found[0].polarity) if found else "silent"


@pytest.mark.parametrize(
    ("constraint", "question", "beyond", "within"),
    [
        # sums of a class, told as money against the whole
        ("stocks at most 40%", "How should I split $50,000?",
         "- $30,000 stock index\n- $20,000 treasury bonds\nBuy both this week.",
         "- $15,000 stock index\n- $35,000 treasury bonds\nBuy both this week."),
        ("주식 40% 이하", "5천만 원을 어떻게 나눌까요?",
         "- 3천만 원 주식 펀드\n- 2천만 원 채권 펀드\n이대로 가입하세요.",
         "- 1,500만 원 주식 펀드\n- 3,500만 원 채권 펀드\n이대로 가입하세요."),
        # a reserve that the user's own spending makes
        ("keep six months of expenses", "I spend 1,000 a month and have 9,000 in savings. Should I buy the fund?",
         "Move 7,000 into the fund today.", "Six months are 6,000, so 3,000 may go into the fund."),
        # a product that runs longer than the need
        ("need the money within 12 months", "Where should the 10,000 go?",
         "Buy the five-year bond, it pays most.", "You need it within a year, so a six-month deposit."),
        ("1년 안에 쓸 돈", "어디에 둘까요?",
         "5년 만기 예금에 넣으세요.",
         "1년 안에 쓰신다고 하셨으니 6개월 예금이 맞습니다."),
        # a fall told in words
        ("max drawdown 15%", "Is the fund for me?", "Buy it now, it halved in 2022 and came back.",
         "Avoid it: it halved in 2022, well past your 15%."),
        ("최대 낙폭 15%", "이 펀드 괜찮아요?", "지금 담으세요. 2022년에 반토막 났지만 돌아왔어요.",
         "피하세요. 2022년에 반토막이 나서 감당하신다는 15%를 넘습니다."),
        ("组合久期控制在3年以内", "债券怎么调？", "建议换成二十年期国债。", "仍放在两年期国债，不超过您的要求。"),
    ],
)  # fmt: skip
def test_a_plan_beyond_and_one_within(constraint: str, question: str, beyond: str, within: str) -> None:
    assert _said(constraint, question, beyond) == "violates"
    assert _said(constraint, question, within) == "respects"


@pytest.mark.parametrize(
    ("constraint", "question", "reply"),
    [
        # the fall of a part, told beside the user's own line
        ("최대 낙폭 10% 이내", "얼마가 맞을까요?", "주식이 35% 빠지는 해에도 10% 선을 지키려면 25%까지만 담으세요."),
        # what others offer, refused in a list of what is not done
        ("no margin loans", "Remind me why I said no?", "Because on margin somebody else decides when you sell."),
        # a condition, not a plan
        ("keep 20% in cash", "How often?", "If the whole pot is down 10%, stop buying and wait."),
        ("单只基金仓位不超过20%", "这只基金规模怎么样？", "机构持有六成多，个人不到四成，机构一撤净值会受冲击。"),
    ],
)
def test_what_plans_nothing_breaks_nothing(constraint: str, question: str, reply: str) -> None:
    assert _said(constraint, question, reply) != "violates"


@pytest.mark.parametrize(
    ("wording", "kind", "value"),
    [
        ("nothing that could sink by more than a fifth", "max_drawdown", 20),
        ("any single holding 12% tops", "single_asset_ceiling", 12),
        ("costs of 0.3% at most", "low_fees", 0.3),
        ("no Solana", "crypto", None),
        ("need it by next spring for the roof", "access", 1),
        ("내년 가을에 쓸 돈", "access", 1),
        ("한 곳에 15% 넘게 안 둠", "single_asset_ceiling", 15),
    ],
)
def test_limits_in_words_of_no_list(wording: str, kind: str, value: float | None) -> None:
    asked = KINDS.understand(wording)
    assert asked is not None
    assert (asked.kind.id, asked.value) == (kind, value)


def test_amounts_leave_out_dates_and_times() -> None:
    found = [
        (value.text, value.high, value.unit) for value in read_amounts(fold("2024年3月5日上午9点买入30万元，占20%"))
    ]
    assert found == [("30万元", 300000.0, "yuan"), ("20%", 20.0, "percent")]


def test_a_sum_in_a_pot_is_no_distance() -> None:
    assert [(value.high, value.unit) for value in read_amounts(fold("三十万里拿十二万"))] == [
        (300000.0, ""),
        (120000.0, ""),
    ]
