"""Whether values of a question lie within those for which a clause speaks: two of up to one, 3 pm after 2 pm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.values import Value
from turnmark.language.values.measures import COUNTERS, dimension, in_base

_KINDS = frozenset(("quantity", "number", "duration", "time"))
_YEARS = "school_year"
_UPPER = frozenset(("at_most", "less_than", "until", "before"))
_LOWER = frozenset(("at_least", "more_than", "from", "after"))
_BOUNDS = frozenset(("at_most", "less_than", "at_least", "more_than"))
_OPEN = frozenset(("less_than", "before", "more_than", "after"))
_TOP_BEFORE = re.compile(
    r"(?:\b(?:up to|at most|maximum(?: of)?|no more than|limit(?:ed)? (?:of|to)|within|only"
    r"|under|below|before|by|until)"
    r"|最多|最长|最高|至多|不超过|不得超过|(?<!仅)限|只[能可]?[^0-9]{0,2}|以内|최대|최장|많아야)\s*(?:the |a )?$"
)
_TOP_BEHIND = re.compile(
    r"^\s?(?:까지|이내|이하|안에|미만|이전|전|만(?=[ 은을이])|에 한하|以内|以下|之内|内|之前|前"
    r"|or (?:less|fewer|under)|maximum)"
)
_BOTTOM_BEFORE = re.compile(
    r"(?:\b(?:at least|minimum(?: of)?|over|above|from|after|aged?)|至少|最短"
    r"|최소|적어도|满|超过|最少)\s*(?:the |a )?$"
)
_BOTTOM_BEHIND = re.compile(
    r"^\s?(?:이상|부터|초과|이후|以上|以后|之后|起|or (?:more|over|older|above)|and (?:over|older|above|up)|\+)"
)


_BOUNDED = re.compile(r"\s?(?:이상|이하|초과|미만|以上|以下|or (?:more|less|fewer|over|under))")


class Placed(NamedTuple):
    """How the values of a question lie in those of a clause.

    Attributes:
        side: 1 where all that both measure lies within, -1 where something lies beyond, 0 where that cannot be told.
        used: The tokens of the clause that measure what those of the question do.

    """

    side: int
    used: tuple[Token, ...]


def place_values(asked: Sequence[Token], clause: Sequence[Token], asked_text: str, text: str, *, may: bool) -> Placed:
    """Place the values of a question, of the folded ``asked_text``, in the limits that a clause sets, of ``text``.

    How many one ``may`` have is a limit too: leave may be split into two blocks.
    """
    side, used = 1, list[Token]()
    for one in asked:
        if one.value is None:
            continue
        if _BOUNDED.match(asked_text, one.end):
            return Placed(0, ())
        for other in clause:
            if other.value is None or not measures_alike(one.value, other.value):
                continue
            used.append(other)
            found = _lies(one.value, other, text, may=may)
            side = found if found < 1 and side > -1 else side
    return Placed(side, tuple(used))


def measures_alike(one: Value, other: Value) -> bool:
    """Whether a value may limit another one."""
    if one.unit == other.unit == _YEARS:
        return True
    if other.kind not in _KINDS or one.kind not in _KINDS:
        return False
    if "time" in (one.kind, other.kind):
        return one.kind == other.kind
    return (
        one.unit == other.unit
        or (_is_counted(one) and _is_counted(other))
        or dimension(one.unit) == dimension(other.unit)
    )


def is_limit(token: Token, text: str) -> bool:
    """Whether a value of a clause is a limit up to or from which it holds."""
    if token.value is None:
        return False
    below, above = text[: token.start], text[token.end :]
    known = token.value.comparator in _UPPER | _LOWER
    behind = _TOP_BEHIND.match(above) or _BOTTOM_BEHIND.match(above)
    return known or (behind or _TOP_BEFORE.search(below) or _BOTTOM_BEFORE.search(below)) is not None


def _is_counted(value: Value) -> bool:
    """Whether a value counts things one by one."""
    return value.kind in ("quantity", "number") and (
        not value.unit or value.unit == "year_old" or value.unit in COUNTERS
    )


def _lies(one: Value, token: Token, text: str, *, may: bool) -> int:
    """1 where a value lies within the limit of a token, -1 where it lies beyond, 0 where that is no limit."""
    other = token.value
    if other is None or one.low != one.high or one.comparator in _BOUNDS or one.approximate or other.approximate:
        return 0
    mine = _base(one, one.low)
    low, high, is_open = _base(other, other.low), _base(other, other.high), other.comparator in _OPEN
    if low == high:
        below, above = text[: token.start], text[token.end :]
        if other.comparator in _LOWER:
            high = float("inf")
        elif other.comparator in _UPPER or _TOP_BEHIND.match(above) or _TOP_BEFORE.search(below):
            low = float("-inf")
        elif _BOTTOM_BEHIND.match(above) or _BOTTOM_BEFORE.search(below):
            high = float("inf")
        elif may and _is_counted(other) and mine > low:
            return -1
        else:
            return int(mine == low)
    if mine in (low, high) and is_open:
        return -1
    return 1 if low <= mine <= high else -1


def _base(value: Value, number: float) -> float:
    return number if value.kind == "time" or _is_counted(value) else in_base(number, value.unit)
