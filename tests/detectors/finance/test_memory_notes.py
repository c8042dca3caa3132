"""Memory holds a note word for word or by its values; another amount of the same thing contradicts it (M1, M1b)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.finance.protocol import MemorySources, Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.schemas.trace import RecallTrace, ShortTermTurn
from turnmark.schemas.turn_eval import ResolvedKey

DETECTORS = finance_detectors("contextual")


def _key(target: str) -> ResolvedKey:
    return ResolvedKey(key="k", resolvable=True, target_text=target, resolver="profile_field")


def _held(target: str, item: str) -> str:
    found = DETECTORS.memory(_key(target), MemorySources("", [item], ""))
    return str(found[0].polarity) if found else "absent"


@pytest.mark.parametrize(
    ("target", "item", "label"),
    [
        ("最大回撤<10%", "最大回撤<10%", "present"),
        ("最大回撤<10%", "最大回撤不超过10%", "present"),
        ("最大回撤<10%", "最大回撤<15%", "conflicting"),
        ("稳健", "稳健", "present"),
        ("不投海外市场", "不投海外市场", "present"),
        ("不投海外市场", "海外市场怎么样？", "absent"),
        ("保留20万元", "保留20万元", "present"),
        ("保留20万元", "保留二十万元", "present"),
        ("保留20万元", "用户要保留200,000元", "present"),
        ("保留20万元", "保留30万元", "conflicting"),
        ("No single stocks", "No single stocks", "present"),
        ("No single stocks", "Single stocks are fine", "absent"),
        ("No single stocks", "user: No single stocks\nassistant: noted", "present"),
        ("No more than 30% in one stock", "No more than 50% in one stock", "conflicting"),
        ("Keep $50,000 in cash", "keep 50k dollars in cash", "present"),
        ("Keep $50,000 in cash", "Keep $30,000 in cash", "conflicting"),
        ("고객은 비상금 5천만원 유지", "고객은 비상금 5천만원 유지", "present"),
        ("고객은 비상금 5천만원 유지", "비상금 5,000만원을 유지", "present"),
        ("고객은 비상금 5천만원 유지", "고객은 비상금 5천억원 유지", "conflicting"),
        ("단일 종목 30% 넘지 않기", "단일 종목 40% 넘지 않기", "conflicting"),
    ],
)
def test_a_note_is_held_by_words_and_values(target: str, item: str, label: str) -> None:
    assert _held(target, item) == label


@pytest.mark.parametrize(
    ("target", "reply", "used"),
    [
        ("고객은 비상금 5천만원 유지", "비상금 5천억원을 유지하시면서 나머지를 투자하세요.", False),
        ("고객은 비상금 5천만원 유지", "비상금 5,000만원은 유지하시면서 나머지를 투자하세요.", True),
        ("保留20万元", "您要保留30万元，其余可以投资。", False),
        ("保留20万元", "您要保留二十万元，其余可以投资。", True),
        ("Keep $1.5M in cash", "You keep $1.5B in cash, so invest the rest.", False),
        ("Keep $1.5M in cash", "You keep $1,500,000 in cash, so invest the rest.", True),
    ],
)
def test_another_amount_is_not_used(target: str, reply: str, used: bool) -> None:
    assert bool(DETECTORS.keys_used(Reading(reply), [_key(target)])) is used


def test_an_empty_window_hides_no_turns() -> None:
    turns = [ShortTermTurn(role="user", content="最大回撤<10%")]
    recall = RecallTrace(short_term_context="", short_term_turns=turns)
    assert recall.short_term() == "user: 最大回撤<10%"
    assert RecallTrace(short_term_context="", short_term_turns=[]).short_term() == ""
    assert RecallTrace(short_term_context="window", short_term_turns=turns).short_term() == "window"


@given(st.text(min_size=1, max_size=40), st.text(max_size=60))
def test_any_text_is_read_and_spans_hold_their_words(target: str, item: str) -> None:
    for found in DETECTORS.memory(_key(target), MemorySources("", [item], "")):
        assert item[found.start : found.end] == found.quote
    for found in DETECTORS.keys_used(Reading(item), [_key(target)]):
        assert item[found.start : found.end] == found.quote
