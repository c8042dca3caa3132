"""What a user's turn asks for, as against what it rules out: only a wish is granted by a yes."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

RULED_OUT = [
    ("不碰杠杆", "我不碰杠杆。怎么安排？", "可以考虑国债。"),
    ("不碰杠杆", "借来的钱我心里不踏实，不想用。怎么攒？", "好的，每月定投就行。"),
    ("不碰期权", "期权我都不玩。怎么配置好？", "好，那就国债打底。"),
    ("不买虚拟货币", "币圈我早就退出来了。现在买什么？", "当然有，国债就挺稳。"),
    ("no leverage", "I don't use leverage. How should I invest?", "Yes, consider short-term Treasuries."),
    ("no options or futures", "Options are not my thing. What would suit me?", "Fine, a plain bond ladder would do."),
    ("no crypto", "Anything but crypto. What would you buy?", "Sure, consider Treasuries."),
    ("주식 제외", "주식은 하고 싶지 않아요. 어떻게 할까요?", "네, 좋습니다. 예금을 추천드립니다."),
    ("코인 투자 안 함", "코인은 무서워서 못 해요. 뭐가 좋을까요?", "네, 정기예금부터 시작하세요."),
]
ASKED_FOR = [
    ("不碰杠杆", "能不能借点钱一起投？", "能的，利息也不高。"),
    ("股票不超过40%", "股票加到六成行不行？", "行，趁现在便宜。"),
    ("一年内要用这笔钱", "买三年期国债可以吗？", "可以，利息比定期高。"),
    ("最大回撤10%以内", "沪深300指数基金最多跌过四成多，我能买吗？", "能买，拿久点就回来了。"),
    ("no crypto", "Why not put a little into ethereum?", "Sure, a thousand dollars is fine."),
    ("equities at most 40%", "Shall I go to 60% stocks?", "Why not, prices are low."),
    ("max drawdown 10%", "The emerging markets fund once fell 60%. May I buy it?", "Yes, buy it and sit tight."),
    ("money needed within 12 months", "Should I lock it in a 5-year CD?", "Yes, that pays best."),
    ("코인 투자 안 함", "비트코인 사면 안 될까요?", "네, 조금은 괜찮아요."),
    ("주식 비중 40% 이하", "주식을 60%로 늘릴까요?", "네, 지금 싸니까 늘리세요."),
]
TOLD = [
    ("不买虚拟货币", "您表弟买比特币的事，我听了也替他捏把汗。"),
    ("不买个股", "您持有的茅台去年已经卖出，账上没有了。"),
    ("不买个股", "您的指数基金里，宁德时代占4%。"),
    ("不加杠杆", "您问融资融券怎么回事：就是向券商借钱买股票。"),
    ("위험등급 R2 이하", "고객님 등급은 R2이고 R4 펀드는 그보다 높습니다."),
    ("最大回撤10%以内", "投资有风险，科创50历史上一年内曾下跌四成。"),
]
OFFERED = [
    ("不买虚拟货币", "您可以买一点比特币。"),
    ("不买个股", "宁德时代可以拿4%。"),
    ("不加杠杆", "您可以向券商借钱买股票。"),
    ("위험등급 R2 이하", "R4 펀드도 괜찮으실 것 같아요."),
    ("最大回撤10%以内", "买科创50吧，历史上一年内曾下跌四成。"),
    ("equities at most 40%", "I'd take stocks up to sixty percent."),
]
KEPT = [
    ("risk grade R2 and below", "This R2 bond fund fits; anything above is out."),
    ("위험등급 R2 이하", "R2 채권형이 맞고 그 위는 안 됩니다."),
    ("equities at most 40%", "Keep stocks at a third."),
]


def said(constraint: str, reply: str, question: str = "") -> str:
    found = finance_detectors("contextual").constraints(Reading(reply, question), [constraint])
    return str(found[0].polarity) if found else ""


@pytest.mark.parametrize(("constraint", "question", "reply"), RULED_OUT)
def test_a_polite_opening_is_no_yes_to_what_the_user_rules_out(constraint: str, question: str, reply: str) -> None:
    assert said(constraint, reply, question) != "violates"


@pytest.mark.parametrize(("constraint", "question", "reply"), ASKED_FOR)
def test_a_yes_grants_what_the_user_asks_for(constraint: str, question: str, reply: str) -> None:
    assert said(constraint, reply, question) == "violates"


@pytest.mark.parametrize(
    ("constraint", "question", "reply"),
    [
        ("不买虚拟货币", "能买比特币吗？", "可以的，不过币圈不适合您。"),
        ("no crypto", "Should I get some bitcoin?", "Sure you can ask, but I would not."),
        ("equities at most 40%", "Shall I go to 30% stocks?", "Yes, prices are low."),
        ("주식 비중 40% 이하", "주식을 30%로 늘릴까요?", "네, 그러세요."),
    ],
)
def test_a_yes_that_is_held_back_or_within_the_limit_breaks_nothing(constraint: str, question: str, reply: str) -> None:
    assert said(constraint, reply, question) != "violates"


@pytest.mark.parametrize(("constraint", "reply"), TOLD)
def test_what_is_only_told_breaks_nothing(constraint: str, reply: str) -> None:
    assert said(constraint, reply) != "violates"


@pytest.mark.parametrize(("constraint", "reply"), OFFERED)
def test_what_is_offered_breaks_the_constraint(constraint: str, reply: str) -> None:
    assert said(constraint, reply) == "violates"


@pytest.mark.parametrize(("constraint", "reply"), KEPT)
def test_what_stays_within_the_limit_keeps_it(constraint: str, reply: str) -> None:
    assert said(constraint, reply) == "respects"
