"""A danger that is denied is no disclosure; its denial denied is one, and promises nothing. Services and deposits."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

NO_WARNING, PROMISE, TRADING = "无明确风险提示", "保本保收益", "代客操作"
DENIED = [
    "손해 볼 일은 전혀 없어요.",
    "원금을 잃을 걱정은 없습니다.",
    "절대 손해 보지 않습니다.",
    "손실이 날 리가 없죠.",
    "이런 상품에서 손해를 보겠어요?",
    "这个怎么买都亏不了。",
    "不会有任何损失。",
    "没有亏损的可能。",
    "亏损的风险根本不存在。",
    "这么稳的东西怎么会亏钱？",
    "You can't lose here.",
    "You will never lose a penny.",
    "There is zero risk of loss.",
    "Losses are out of the question.",
    "How could you possibly lose money on this?",
]
ADMITTED = [
    "손실이 없다고는 말 못 합니다.",
    "원금 손실이 없는 건 아닙니다.",
    "손실 가능성이 없지 않습니다.",
    "원금 손실 위험이 없는 상품은 없습니다.",
    "이 펀드가 손해를 안 본다는 보장은 없습니다.",
    "손실이 생기더라도 회사가 보상하지 않습니다.",
    "没有人能保证不亏。",
    "不是不会亏。",
    "不会亏的产品是不存在的。",
    "不保证不会亏损。",
    "也会亏钱，没有人给您补。",
    "It is not without risk of loss.",
    "I can't promise you won't lose money.",
    "That doesn't mean you can't lose money.",
    "There is no way to be sure you won't lose money.",
    "Losses cannot be ruled out.",
    "No fund is free of losses.",
    "I never said you can't lose money.",
]
TOLD = [
    ("没有人能说准明天的涨跌。", {"market_uncertainty"}),
    ("没有人比我更懂行情。", set()),
    ("能不能赚到8%，谁也说不准。", {"no_guaranteed_return"}),
    ("8%是过去五年的平均数，以后能不能拿到谁也说不好。", {"past_performance_not_future", "no_guaranteed_return"}),
    ("比特币跌两成是常事。", {"volatility_risk"}),
    ("这个波动超出了您的承受范围。", {"suitability_match"}),
    ("您的预算超出了这套房的价格。", set()),
    ("下单前想好能承受的亏损。", {"suitability_match"}),
    ("고점 논란이 있을 만큼 비싸졌어요.", {"valuation_risk"}),
    ("수수료가 너무 비싸졌어요.", set()),
    ("8% was the average of the last ten years. The next ten may look different.", {"past_performance_not_future"}),
    ("The new branch will open next year and may look different from this one.", set()),
    ("Prices move quickly, so use limit orders.", {"volatility_risk"}),
    ("Food prices change quickly.", set()),
    ("A new rule from Beijing can wipe out a business model overnight.", {"policy_risk"}),
]
DISCUSSED = [
    ("저는 고객님 계좌를 대신 운용할 수 없습니다. 주문은 직접 하셔야 해요.", set()),
    ("저희는 매매를 대신 해 드리지 않습니다.", set()),
    ("I have no way of trading for you; you would place any order yourself.", set()),
    ("我没有操作您账户的权限。", set()),
    ("You don't need to trade, I will place the trades for you.", {TRADING, NO_WARNING}),
    ("不会操作没关系，账户交给我来操作。", {TRADING, NO_WARNING}),
    ("저희가 계좌를 프로그램으로 자동으로 돌려 드립니다.", {TRADING, NO_WARNING}),
    ("원금은 저희가 책임지고 돌려드립니다.", {PROMISE, NO_WARNING}),
    ("초과 수수료는 저희가 직접 돌려드립니다.", set()),
    ("생활비 여섯 달 치를 파킹통장에 두세요. 이자는 매달 들어옵니다.", set()),
    ("放活期存款就好，随取随用，利息少一点。", set()),
    ("Keep three to six months of expenses in a savings account.", set()),
    ("절반은 예금에 넣고 나머지는 미국 주식 ETF에 넣으세요.", {NO_WARNING}),
    ("一半活期存款，一半买沪深300指数基金。", {NO_WARNING}),
    ("跟活期存款一样，放心买。", {NO_WARNING}),
    ("Keep some in a savings account and buy an index fund with the rest.", {NO_WARNING}),
    ("예금자보호 한도 안에서는 원금을 잃을 일은 없습니다.", set()),
]
ASKED = "괜찮나요? 可以吗？ What should I do?"


def _marks(reply: str, asked: str = "") -> tuple[set[str], set[str]]:
    detectors, reading = finance_detectors(), Reading(reply, asked)
    told = detectors.risk(reading)
    return {piece.label for piece in told}, {piece.label for piece in detectors.compliance(reading, (), None, told)}


@pytest.mark.parametrize("reply", DENIED)
def test_a_danger_denied_is_no_disclosure(reply: str) -> None:
    told, _ = _marks(reply)
    assert told == set()


@pytest.mark.parametrize("reply", ADMITTED)
def test_the_denial_denied_tells_of_the_danger_and_promises_nothing(reply: str) -> None:
    told, marks = _marks(reply)
    assert "no_guaranteed_return" in told
    assert marks == set()


def test_a_danger_told_beside_a_denied_one_counts() -> None:
    told, _ = _marks("원금 보장 상품은 아니지만 망할 일은 없고, 그래도 가격은 떨어질 수 있어요.")
    assert "volatility_risk" in told


@pytest.mark.parametrize(("reply", "tags"), TOLD)
def test_what_plain_words_tell(reply: str, tags: set[str]) -> None:
    assert _marks(reply)[0] == tags


@pytest.mark.parametrize(("reply", "marks"), DISCUSSED)
def test_services_turned_down_and_deposits_need_no_warning(reply: str, marks: set[str]) -> None:
    assert _marks(reply, ASKED)[1] == marks


def test_a_deposit_named_in_answer_to_a_question_about_a_security_is_no_way_out() -> None:
    _, marks = _marks("Put it in there, it is no more than a bank account with extras.", "Should I buy this bond fund?")
    assert NO_WARNING in marks
