"""The days of the week that a text names, alone, in a row (Monday to Thursday) or as a group (weekends, 매일)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.values.value import Value

_WEEK = frozenset(range(7))
HOLIDAY = 7
"""A public holiday, beside the days of the week, Monday being 0."""
_GROUPS = (
    (
        _WEEK | {HOLIDAY},
        (r"\b(?:every day of the year|all year round|year-round|365 days)\b"
        r"|全年无休|年中无休|365天|연중 ?무휴|쉬는 날 없이"),
    ),
    (_WEEK, r"\b(?:daily|every ?day|each day|seven days|7 days a week|all week)\b|每天|每日|天天|매일|날마다"),
    (frozenset(range(5)), r"\b(?:weekdays?|working days?|business days?)\b|平日|工作日|평일|주중"),
    (frozenset((5, 6)), r"\bweekends?\b|周末|双休日|주말"),
    (frozenset((HOLIDAY,)), r"\b(?:public|bank|national) holidays?\b|节假日|法定假日|法定节日|공휴일|휴일(?! 없이)"),
)  # fmt: skip
_GROUP = [(days, re.compile(text)) for days, text in _GROUPS]
_TO = re.compile(r"\s*(?:to|through|thru|till|until|[-–—~～]|至|到|부터|에서)\s*")
_EXCEPT_BEFORE = re.compile(r"(?:\b(?:except|excluding|other than|apart from)(?: for| on)?|除了?)\s*$")
_EXCEPT_BEHIND = re.compile(r"\s*(?:을|를|은|는)?\s*(?:제외|빼고|以外|之外|外(?!出)|除外)")


class Days(NamedTuple):
    """Days, and the spans of the words that name them."""

    days: frozenset[int]
    spans: tuple[tuple[int, int], ...]


def read_days(text: str, values: Sequence[Value]) -> Days:
    """The days that a folded text names; none where it names none. ``values`` are those of the text, in order."""
    named, excepted, spans = set[int](), set[int](), list[tuple[int, int]]()
    last, behind = -1, 0
    for value in values:
        day = _weekday(value)
        if day is None:
            continue
        days = {day}
        if last >= 0 and _TO.fullmatch(text, behind, value.start):
            days = set(range(last, day + 1)) if last <= day else {*range(last, 7), *range(day + 1)}
        (excepted if _is_excepted(text, value.start, value.end) else named).update(days)
        spans.append((behind if len(days) > 1 else value.start, value.end))
        last, behind = day, value.end
    for group, pattern in _GROUP:
        for match in pattern.finditer(text):
            (excepted if _is_excepted(text, *match.span()) else named).update(group)
            spans.append(match.span())
    if excepted and not named:
        named = set(_WEEK)
    return Days(frozenset(named - excepted), tuple(spans))


def _weekday(value: Value) -> int | None:
    """The day of the week that a date is, where it is nothing else."""
    if value.kind != "date" or not value.parts or any(each is not None for each in value.parts[:-1]):
        return None
    return value.parts[-1]


def _is_excepted(text: str, start: int, end: int) -> bool:
    return _EXCEPT_BEFORE.search(text, 0, start) is not None or _EXCEPT_BEHIND.match(text, end) is not None
