"""Sums against limits, stocks by name, and limits that users state in turns of their own."""

from __future__ import annotations

import functools

import pytest

from turnmark.detectors.finance.contextual.set import ContextualFinance
from turnmark.detectors.finance.protocol import Reading


@functools.cache
def _detectors() -> ContextualFinance:
    return ContextualFinance()


def _judged(constraint: str, question: str, reply: str) -> str:
    found = _detectors().constraints(Reading(reply, question), [constraint])
    return found[0].polarity or "" if found else ""


@pytest.mark.parametrize(
    ("constraint", "question", "reply", "polarity"),
    [
        ("keep 20 % in cash", "What now?", "Put 95,000 into funds and leave 5,000 in cash.", "violates"),
        ("20 % in cash", "I have 20,000. What now?",
         "Leave 5,000 in cash and put the rest into a bond fund.", "respects"),
        ("保留20%现金", "怎么配？", "九万五买基金，五千留作现金。", "violates"),
        ("保留20%现金", "怎么配？", "留五千现金，其余买基金。", ""),
        ("현금 20% 유지", "?", "9,500만 원은 펀드에 넣고 500만 원은 현금으로 두세요.", "violates"),
        ("현금 1천만 원은 꼭 남겨 주세요.", "통장에 2,500만 원 있어요.",
         "1,800만 원은 채권 펀드로 옮기고 나머지는 그냥 두세요.", ""),
        ("no more than 20 % in one stock", "How much?", "Put 6,000 of your 20,000 into Tesla.", "violates"),
        ("单只股票不超过20%", "买多少？", "两万里拿六千买特斯拉。", "violates"),
        ("한 종목 20% 이하", "얼마나요?", "2,000만 원 중 600만 원을 테슬라에 넣으세요.", "violates"),
        ("单只基金不超过3万元。", "我买多少？", "先买2万，下个月再补2万，正好。", "violates"),
        ("no stocks", "Any ideas?", "Buy some Nvidia.", "violates"),
        ("不买股票", "买什么好？", "可以买点英伟达。", "violates"),
        ("주식은 싫어요", "뭐 살까요?", "엔비디아를 조금 사세요.", "violates"),
        ("no stocks", "What happened?", "Nvidia fell 20 % yesterday.", ""),
        ("no leverage", "How do I grow it?", "A 3x Nasdaq ETF would grow fastest.", "violates"),
    ],
)  # fmt: skip
def test_sums_and_names_are_held_against_limits(constraint: str, question: str, reply: str, polarity: str) -> None:
    assert _judged(constraint, question, reply) == polarity


@pytest.mark.parametrize(
    "sentence",
    ["I don't use leverage.", "No crypto, please.", "Keep 10k in cash.", "I only buy R2 or below.", "我只能买R2以下",
     "我不用杠杆。", "不碰加密货币。", "留两万现金。", "레버리지는 싫어요.", "저는 코인은 안 해요.",
     "손실은 10%까지만 감당할 수 있어요."],
)  # fmt: skip
def test_a_limit_that_the_user_states(sentence: str) -> None:
    assert _detectors().is_limit(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["I would like to use leverage.", "Should I avoid leverage?", "My brother doesn't use leverage.",
     'My bank says "no leverage".', "I have 20% in cash.", "I don't understand leverage.", "我朋友不用杠杆。",
     "银行说“不买R3”。", "我有20%现金。", "동생은 레버리지를 안 써요.", "현금이 20% 있어요.", "레버리지를 쓰고 싶어요.",
     '은행에서 "레버리지 금지"라고 했어요.'],
)  # fmt: skip
def test_wishes_questions_reports_and_other_people_state_none(sentence: str) -> None:
    assert not _detectors().is_limit(sentence)
