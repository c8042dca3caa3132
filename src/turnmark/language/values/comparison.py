"""Comparing two values: equal, contained, conflicting or not comparable, and why.

Directions. ``compare_values(mine, theirs)`` asks from the side of ``mine``, the value of a claim, about ``theirs``, the
value of its material. "equal" is the same value in whatever words; it follows. "contained" says that one lies within
the other; ``follows`` tells the claim that is wider or less exact than the material (true if the material is: more
than 60 where it is 75, March 2024 where it is 15 March 2024) from the claim that says more than the material does (3
days where it says 3 to 5 days, which may or may not be true). A comparator that only one side writes changes no
number: 22 credits and at most 22 credits are "contained" and follow. Two bounds of the same direction that differ
conflict (within 7 days, within 14 days): as rules they are different rules, whatever logic lets follow. Bounds of
opposite directions conflict at the same number (at least 19, at most 19) and where no number satisfies both.
"""

from __future__ import annotations

import math

from turnmark.language.values.measures import COUNTERS, dimension, in_base
from turnmark.language.values.value import AMOUNTS, Comparison, Value

_UPPER = frozenset(("at_most", "less_than", "until"))
_LOWER = frozenset(("at_least", "more_than", "from"))
_WORDS = {"at_most": "at most ", "at_least": "at least ", "less_than": "less than ", "more_than": "more than "}
_WORDS |= {"from": "from ", "until": "until ", "before": "before ", "after": "after "}


def compare_values(mine: Value, theirs: Value) -> Comparison:
    """How a value of a claim stands to a value of its material; see the module for the directions."""
    if mine.kind in AMOUNTS and theirs.kind in AMOUNTS:
        return _amounts(mine, theirs)
    if _is_nothing(mine, theirs) or _is_nothing(theirs, mine):
        return _same(mine, theirs)
    if mine.kind != theirs.kind:
        return _NOT_COMPARABLE
    compare = {"date": _dates, "time": _times, "code": _codes}.get(mine.kind, _sides_of_a_pair)
    return compare(mine, theirs)


def _sides_of_a_pair(mine: Value, theirs: Value) -> Comparison:
    """Ratios, opposites, a yes and a no."""
    same = (mine.low, mine.high) == (theirs.low, theirs.high)
    if mine.unit != theirs.unit and not (same and mine.kind == "ratio"):
        return _NOT_COMPARABLE
    what = "ratio" if mine.kind == "ratio" else "opposite"
    return _same(mine, theirs) if same else _conflict(what, mine, theirs)


def written(value: Value) -> str:
    """A value in words, with its comparator."""
    return f"{_WORDS.get(value.comparator, '')}{value.text}"


def _same(mine: Value, theirs: Value) -> Comparison:
    return Comparison("equal", f"{written(mine)} = {written(theirs)}", True)


def _conflict(what: str, mine: Value, theirs: Value) -> Comparison:
    return Comparison("conflicting", f"{what} {written(mine)} ≠ {written(theirs)}")


def _contained(mine: Value, theirs: Value, follows: bool) -> Comparison:
    inner, outer = (theirs, mine) if follows else (mine, theirs)
    return Comparison("contained", f"{written(inner)} within {written(outer)}", follows)


_NOT_COMPARABLE = Comparison("not_comparable", "values of different kinds")


def _close(one: float, other: float, tolerance: float = 1e-6) -> bool:
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=1e-9)


def _is_nothing(mine: Value, theirs: Value) -> bool:
    """Whether a price of nothing meets a word for free."""
    free = theirs.kind == "polarity" and theirs.unit == "paid_free" and theirs.low < 0
    return free and mine.low == mine.high == 0 and dimension(mine.unit) == "currency"


def same_number(mine: Value, theirs: Value) -> bool:
    """Whether two values give the same number, whatever their comparators."""
    if mine.kind not in AMOUNTS or theirs.kind not in AMOUNTS:
        return compare_values(mine, theirs).follows
    own = (in_base(mine.low, mine.unit), in_base(mine.high, mine.unit))
    known = (in_base(theirs.low, theirs.unit), in_base(theirs.high, theirs.unit))
    return _close(own[0], known[0], 0.03) and _close(own[1], known[1], 0.03)


def _amounts(mine: Value, theirs: Value) -> Comparison:
    result, other = dimension(mine.unit), dimension(theirs.unit)
    pair = {mine.unit, theirs.unit}
    if "growth" in (mine.name, theirs.name) and pair != {"fold"}:
        # What has risen by 163 % has more than doubled.
        return _NOT_COMPARABLE
    if mine.unit == theirs.unit or ("degree" in pair and pair & {"celsius", "fahrenheit"}):
        return _measured(mine, theirs, (mine.low, mine.high), (theirs.low, theirs.high), 1e-6)
    if result == other and result != "currency":
        # Months and years do not hold a whole number of days: what is as good as equal is.
        rough = 0.03 if result == "time" else 0.005 if pair & _IMPERIAL else 1e-6
        own = (in_base(mine.low, mine.unit), in_base(mine.high, mine.unit))
        known = (in_base(theirs.low, theirs.unit), in_base(theirs.high, theirs.unit))
        return _measured(mine, theirs, own, known, rough)
    return _in_other_units(mine, theirs, (result, other))


def _in_other_units(mine: Value, theirs: Value, dimensions: tuple[str, str]) -> Comparison:
    """Two amounts in units that do not convert: they conflict where the number is the same, or both are money."""
    same_number = _close(mine.low, theirs.low) and _close(mine.high, theirs.high)
    if dimensions == ("currency", "currency"):
        return _conflict("currency" if same_number else "amount", mine, theirs)
    counted = mine.unit in COUNTERS, theirs.unit in COUNTERS
    if any(counted):
        # A number without a unit may be that of the other: "the deposit is 500".
        told = same_number and (all(counted) or not mine.unit or not theirs.unit)
        return _contained(mine, theirs, True) if told else _NOT_COMPARABLE
    if {mine.unit, theirs.unit} == {"workday", "day"}:
        return _contained(mine, theirs, False) if same_number else _NOT_COMPARABLE
    if same_number or set(dimensions) == {"working time", "time"}:
        return _conflict("unit", mine, theirs)
    return _NOT_COMPARABLE


_AS_FRACTION = 0.011
_LOOSELY = 0.15
"""More than 20,000 may be said of more than 22,000."""
_IMPERIAL = frozenset(
    (
        "lb",
        "oz",
        "ft",
        "inch",
        "mile",
        "pyeong",
        "sqft",
        "acre",
        "gallon",
        "pint",
        "mph",
        "yard",
        "fahrenheit",
        "psi",
        "jin",
        "mu",
    )
)


def _measured(
    mine: Value, theirs: Value, own: tuple[float, float], known: tuple[float, float], rough: float
) -> Comparison:
    """Two amounts of one dimension, in one unit."""
    if {"before", "after"} in ({mine.name, theirs.name}, {mine.comparator, theirs.comparator}):
        return _conflict("opposite", mine, theirs)
    if mine.name and theirs.name and mine.name != theirs.name and (per := _per(mine, theirs, own, known)):
        return per
    if mine.unit == theirs.unit == "percent" and not ("%" in mine.text and "%" in theirs.text):
        # A third is 33.33 percent, and 33 as most write it.
        rough = max(rough, _AS_FRACTION)
    same = _close(own[0], known[0], rough) and _close(own[1], known[1], rough)
    bounds = _sides(mine.comparator), _sides(theirs.comparator)
    if bounds[0] and bounds[1] and bounds[0] != bounds[1]:
        return _opposed(mine, theirs, own, known, same)
    if same:
        exact = mine.comparator == theirs.comparator
        return _same(mine, theirs) if exact else _contained(mine, theirs, True)
    if bounds[0] and bounds[1]:
        end = 0 if bounds[0] == "lower" else 1
        loosely = end == 0 and 0 < known[end] - own[end] <= _LOOSELY * own[end]
        return (
            _contained(mine, theirs, True) if loosely or _close(own[end], known[end], rough) else _differ(mine, theirs)
        )
    return _ranged(mine, theirs, own, known, rough)


def _differ(mine: Value, theirs: Value) -> Comparison:
    return _conflict("number" if mine.unit == theirs.unit else "amount", mine, theirs)


def _ranged(
    mine: Value, theirs: Value, own: tuple[float, float], known: tuple[float, float], rough: float
) -> Comparison:
    """Two amounts that differ and of which one at most is a bound."""
    single = own[0] == own[1]
    mine_span, their_span = _span(mine, own), _span(theirs, known)
    about = mine.approximate and single and _close(sum(own), sum(known), 0.05)
    if about or _within(their_span, mine_span):
        return _contained(mine, theirs, True)
    if not _within(mine_span, their_span):
        return _differ(mine, theirs)
    ends = single and any(_close(own[0], end, rough) for end in known)
    if not ends and single and any(_close(-own[0], end, rough) for end in known):
        return _conflict("sign", mine, theirs)
    return _contained(mine, theirs, ends)


def _per(mine: Value, theirs: Value, own: tuple[float, float], known: tuple[float, float]) -> Comparison | None:
    """Two amounts per different units: 30 a month is 360 a year, and 30 a day is not 30 a month."""
    if dimension(mine.name) != "time" or dimension(theirs.name) != "time":
        return _NOT_COMPARABLE
    factor = round(in_base(1, theirs.name) / in_base(1, mine.name), 3)
    if factor and _close(own[0] * factor, known[0], 0.01):
        return _same(mine, theirs)
    return _conflict("per", mine, theirs) if _close(own[0], known[0]) else None


def _sides(comparator: str) -> str:
    return "upper" if comparator in _UPPER else "lower" if comparator in _LOWER else ""


def _opposed(
    mine: Value, theirs: Value, own: tuple[float, float], known: tuple[float, float], same: bool
) -> Comparison:
    """A lower bound against an upper one."""
    if same:
        return _conflict("bound", mine, theirs)
    lower, upper = (own, known) if _sides(mine.comparator) == "lower" else (known, own)
    return _conflict("bound", mine, theirs) if lower[0] > upper[1] else _NOT_COMPARABLE


def _span(value: Value, bounds: tuple[float, float]) -> tuple[float, float]:
    side = _sides(value.comparator)
    if side == "upper":
        return -math.inf, bounds[1]
    return (bounds[0], math.inf) if side == "lower" else bounds


def _within(inner: tuple[float, float], outer: tuple[float, float]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _dates(mine: Value, theirs: Value) -> Comparison:
    shared = [
        (item, other)
        for item, other in zip(mine.parts, theirs.parts, strict=True)
        if item is not None and other is not None
    ]
    if not shared:
        return _NOT_COMPARABLE
    if any(item != other for item, other in shared):
        if _swapped(mine, theirs):
            return _same(mine, theirs)
        return _conflict("date", mine, theirs)
    if {mine.comparator, theirs.comparator} == {"before", "after"}:
        return _conflict("bound", mine, theirs)
    if mine.parts == theirs.parts:
        return _same(mine, theirs)
    more = [index for index, part in enumerate(mine.parts) if part is not None and theirs.parts[index] is None]
    # A claim may add the year that the material leaves out; it may not make a month a day.
    return _contained(mine, theirs, not more or (more == [0] and mine.parts[1] is not None))


def _swapped(mine: Value, theirs: Value) -> bool:
    """Whether 3/4/2024 may be the other of its two readings."""
    for item, other in ((mine, theirs), (theirs, mine)):
        year, month, day, weekday = item.parts
        if item.text.count("/") == 2 and month and day and day <= 12 and (year, day, month, weekday) == other.parts:
            return True
    return False


def _times(mine: Value, theirs: Value) -> Comparison:  # noqa: PLR0911 - one line a case
    single, other_single = mine.low == mine.high, theirs.low == theirs.high
    loose = bool(mine.parts or theirs.parts)
    if single and other_single:
        return _clock(mine, theirs, _same_time(mine.low, theirs.low, loose))
    if not single and not other_single:
        same = _same_time(mine.low, theirs.low, loose) and _same_time(mine.high, theirs.high, loose)
        if same:
            return _same(mine, theirs)
        inside = (
            _within((mine.low, mine.high), (theirs.low, theirs.high))
            and mine.low not in (theirs.low, theirs.high)
            and mine.high != theirs.high
        )
        return _contained(mine, theirs, True) if inside else _conflict("time", mine, theirs)
    result, span = (mine, theirs) if single else (theirs, mine)
    ends = {"from": (span.low,), "until": (span.high,)}.get(result.comparator, (span.low, span.high))
    if any(_same_time(result.low, end, loose) for end in ends):
        return _contained(mine, theirs, single)
    if result.comparator:
        return _conflict("time", mine, theirs)
    if span.low <= result.low <= span.high:
        return _contained(mine, theirs, False)
    return _conflict("time", mine, theirs)


def _clock(mine: Value, theirs: Value, same: bool) -> Comparison:
    if not same:
        return _conflict("time", mine, theirs)
    if {mine.comparator, theirs.comparator} == {"from", "until"}:
        return _conflict("bound", mine, theirs)
    return _same(mine, theirs)


def _same_time(one: float, other: float, loose: bool) -> bool:
    return one % 720 == other % 720 if loose else one % 1440 == other % 1440


def _codes(mine: Value, theirs: Value) -> Comparison:
    if mine.unit != theirs.unit and {mine.unit, theirs.unit} not in _ALIKE:
        return _NOT_COMPARABLE
    ranged = mine.low != mine.high or theirs.low != theirs.high
    if mine.low and theirs.low and (mine.comparator or theirs.comparator or ranged):
        return _placed(mine, theirs)
    if mine.name == theirs.name:
        return _same(mine, theirs)
    if theirs.name.startswith(mine.name + ".") or mine.name.startswith(theirs.name + "."):
        return _contained(mine, theirs, theirs.name.startswith(mine.name + "."))
    return _conflict("grade" if mine.unit == "grade" else "code", mine, theirs)


def _placed(mine: Value, theirs: Value) -> Comparison:
    """Two grades of a scale of which one at least is bounded or a range (R3 and below, R1-R3)."""
    bounds = _sides(mine.comparator), _sides(theirs.comparator)
    own, known = _span(mine, (mine.low, mine.high)), _span(theirs, (theirs.low, theirs.high))
    if mine.name == theirs.name:
        opposed = bounds[0] and bounds[1] and bounds[0] != bounds[1]
        if opposed:
            return _conflict("bound", mine, theirs)
        return _same(mine, theirs) if bounds[0] == bounds[1] else _contained(mine, theirs, True)
    if bounds[0] and bounds[0] == bounds[1]:
        return _conflict("grade", mine, theirs)
    if _within(known, own):
        return _contained(mine, theirs, True)
    return _contained(mine, theirs, False) if _within(own, known) else _conflict("grade", mine, theirs)


_ALIKE = ({"grade", "school_year"}, {"class", "type"}, {"grade", "stage"}, {"nth", "step"})
