"""Whether the value of an answer is the one that is asked for, in whatever unit and words."""

from __future__ import annotations

import math
from typing import Literal

from turnmark.judges.rules.asked.wanted import FREE, WEEKDAYS, Wanted
from turnmark.language.values import Value, compare_values
from turnmark.language.values.measures import in_base
from turnmark.language.values.value import AMOUNTS


def relation(mine: Value, theirs: Value, wanted: Wanted) -> Literal["same", "other", "unclear"]:  # noqa: PLR0911 - one return a kind
    """Whether two values of one measure say the same of what is asked for."""
    if mine.unit == theirs.unit == WEEKDAYS:
        subset = set(mine.name) <= set(theirs.name)
        return "same" if mine.name == theirs.name else "unclear" if subset else "other"
    if FREE in (mine.unit, theirs.unit):
        return "same" if mine.low == theirs.low == 0 else "other"
    if mine.kind == theirs.kind == "time":
        return _of_clock(mine, theirs, wanted)
    if mine.kind in AMOUNTS and theirs.kind in AMOUNTS:
        if mine.name != theirs.name and mine.name and theirs.name:
            return "unclear"
        bare = "" in (mine.unit, theirs.unit)
        own, known = ((mine.low, mine.high), (theirs.low, theirs.high)) if bare else (_span(mine), _span(theirs))
        same = all(
            math.isclose(one, other, rel_tol=_ROUGH if mine.unit != theirs.unit else 1e-6, abs_tol=1e-9)
            for one, other in zip(own, known, strict=True)
        )
        same = same and (mine.unit == theirs.unit or compare_values(mine, theirs).relation != "conflicting")
        if same:
            return "same" if mine.comparator in ("", theirs.comparator) else "unclear"
        comparable = bare or compare_values(mine, theirs).relation in ("conflicting", "contained")
        apart = own[1] < known[0] or known[1] < own[0]
        return "other" if comparable and apart and not mine.approximate and not theirs.approximate else "unclear"
    relation = compare_values(mine, theirs)
    if relation.relation == "equal" or (relation.relation == "contained" and relation.follows):
        return "same"
    return "other" if relation.relation == "conflicting" else "unclear"


_ROUGH = 0.03
"""Months and years hold no whole number of days."""


def _span(value: Value) -> tuple[float, float]:
    return in_base(value.low, value.unit), in_base(value.high, value.unit)


def _of_clock(mine: Value, theirs: Value, wanted: Wanted) -> Literal["same", "other", "unclear"]:
    """A time of day, or the end of opening hours that is asked for; 8 may be 20:00."""
    end = wanted.end or {"from": -1, "until": 1}.get(mine.comparator, 0)
    if mine.low == mine.high and theirs.low != theirs.high:
        ends = (theirs.low, theirs.high)
        known = ends[:1] if end < 0 else ends[1:] if end else ends
        if any(_same_hour(mine.low, each, mine, theirs) for each in known):
            return "same" if len(known) == 1 else "unclear"
        return "other"
    same = _same_hour(mine.low, theirs.low, mine, theirs) and _same_hour(mine.high, theirs.high, mine, theirs)
    if same:
        return "same"
    return "other" if (mine.low == mine.high) == (theirs.low == theirs.high) else "unclear"


def _same_hour(one: float, other: float, mine: Value, theirs: Value) -> bool:
    return one == other or (bool(mine.parts or theirs.parts) and (one - other) % 720 == 0)
