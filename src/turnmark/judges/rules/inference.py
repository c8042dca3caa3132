"""Values that follow from others: a sum, a difference, a part, a multiple.

``five past nine`` follows from 20:05 and one hour, 300000 from 60 % of 500000, three quarters from three years at 25 %
a year. At least one of the two must be said by the claim or asked by the question: among all pairs of values of a
passage some would add up by chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from turnmark.language.values import Value
from turnmark.language.values.measures import dimension, in_base

_MOST = 40
"""Of more values in a passage no pairs are tried."""
_AMOUNTS = frozenset(("number", "quantity", "duration"))
_DAY = 24 * 60
_MINUTE = 60


class _Amount(NamedTuple):
    value: float
    dimension: str
    text: str


def follows_from(value: Value, said: Sequence[Value], stated: Sequence[Value]) -> str:
    """How a value follows from one of the values ``said`` by claim or question and another one of those or ``stated``.

    The computation in words, "" when it does not follow.
    """
    if len(stated) > _MOST:
        return ""
    wanted = _amount(value)
    if wanted is None:
        return ""
    own = [each for one in said if one is not value and (each := _amount(one)) is not None]
    others = [*own, *[each for one in stated if (each := _amount(one)) is not None]]
    for first in own:
        for second in others:
            if first is second:
                continue
            for result, words in _results(first, second):
                if result.dimension == wanted.dimension and math.isclose(result.value, wanted.value, rel_tol=1e-6):
                    return f"{words} = {value.text}"
    return ""


def _amount(value: Value) -> _Amount | None:
    if value.kind == "time" and value.low == value.high:
        return _Amount(value.low, "clock", value.text)
    if value.kind not in _AMOUNTS or value.low != value.high:
        return None
    return _Amount(in_base(value.low, value.unit), dimension(value.unit), value.text)


def _results(one: _Amount, other: _Amount) -> Iterator[tuple[_Amount, str]]:
    """What two amounts give."""
    if one.dimension == other.dimension and one.dimension not in ("clock", ""):
        yield _Amount(one.value + other.value, one.dimension, ""), f"{one.text} + {other.text}"
        yield _Amount(abs(one.value - other.value), one.dimension, ""), f"{one.text} - {other.text}"
    for first, second in ((one, other), (other, one)):
        if first.dimension == "clock" and second.dimension == "time":
            minutes = second.value / in_base(1, "minute")
            yield _Amount((first.value + minutes) % _DAY, "clock", ""), f"{first.text} + {second.text}"
            yield _Amount((first.value - minutes) % _DAY, "clock", ""), f"{first.text} - {second.text}"
        elif second.dimension == "ratio" and first.dimension not in ("ratio", "clock"):
            yield _Amount(first.value * second.value, first.dimension, ""), f"{second.text} of {first.text}"
        if first.dimension not in ("ratio", "clock") and second.dimension not in ("clock", first.dimension):
            count = _count(first)
            if count is not None:
                yield _Amount(count * second.value, second.dimension, ""), f"{first.text} × {second.text}"


def _count(amount: _Amount) -> float | None:
    """How often something is taken: a count, or years and months at so much a year or month."""
    if amount.dimension == "time":
        for unit in ("year", "month", "week", "day"):
            times = amount.value / in_base(1, unit)
            if math.isclose(times, round(times), rel_tol=1e-6) and 1 < times <= 100:
                return round(times)
        return None
    return amount.value if amount.value == int(amount.value) and 1 < amount.value <= 100 else None
