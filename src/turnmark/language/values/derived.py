"""Values that follow from others by one step of arithmetic: a sum, a difference, a product, a share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from turnmark.language.later import later
from turnmark.language.values.context import Passage
from turnmark.language.values.measures import dimension, in_base
from turnmark.language.values.value import AMOUNTS, Value

# Words that announce a result.
_ANNOUNCED = later(
    r"차이|모두|합쳐|합하|합계|총|더 |덜 |도합|계산하면|곱하|나누|相差|差"
    r"|合计|一共|总共|加起来|共计|算下来|算起来|总计|多出|折合"
    r"|difference|together|altogether|in total|total|combined|adds? up|works out|sum|more than|"
    r"less than|later|earlier|than the"
)
_MOST = 40
"""More values are not combined: what follows from so many could be anything."""


def announces(text: str) -> bool:
    """Whether a folded text holds a word that announces a result."""
    return _ANNOUNCED.search(text) is not None


def derive(index: int, claim: Passage, passages: Sequence[Passage], asked: Passage, *, any_words: bool = False) -> str:
    """How a value of a claim follows from values of the material and the question, in words; "" when it does not.

    Args:
        index: Which value of the claim.
        claim: The claim.
        passages: The material.
        asked: The question.
        any_words: Whether it may follow without a word that announces a result, from a value of the claim itself.

    """
    value = claim.values[index]
    if value.kind == "time":
        return _moved(value, [each for passage in (claim, *passages) for each in passage.values])
    text = claim.folded.text
    if rate := _accrued(value, [each for passage in (*passages, asked, claim) for each in passage.values]):
        return rate
    if not any_words and not announces(text) and not announces(asked.folded.text):
        return ""
    known = [each for passage in (*passages, asked) for each in passage.values if _single(each)]
    own = [each for position, each in enumerate(claim.values) if position != index and _single(each)]
    known += own
    if not _single(value) or len(known) > _MOST:
        return ""
    target = in_base(value.low, value.unit)
    for reason, result in _results(value, known, own if any_words else known):
        if math.isclose(result, target, rel_tol=1e-6, abs_tol=1e-9):
            return f"{reason} = {value.text}"
    return ""


def _moved(value: Value, known: list[Value]) -> str:
    """A time that lies a duration before or after another: five past nine, an hour later than 20:05."""
    times = [each for each in known if each.kind == "time" and each.low == each.high and each is not value]
    steps = [each for each in known if each.kind == "duration" and each.low == each.high]
    for time in times[:_MOST]:
        for step in steps[:_MOST]:
            minutes = in_base(step.low, step.unit) * 1440
            if dimension(step.unit) == "time" and any(
                math.isclose((time.low + sign * minutes) % 1440, value.low % 1440, abs_tol=1e-6) for sign in (1, -1)
            ):
                return f"{time.text}, {step.text} = {value.text}"
    return ""


def _accrued(value: Value, known: list[Value]) -> str:
    """What a rate comes to over a time: 25% a year, three years."""
    if not _single(value) or value.kind == "duration":
        return ""
    rates = [each for each in known if each.unit == value.unit and dimension(each.name) == "time" and _single(each)]
    times = [each for each in known if each.kind == "duration" and _single(each)] if rates else []
    for rate in rates[:_MOST]:
        for time in times[:_MOST]:
            periods = in_base(time.low, time.unit) / in_base(1.0, rate.name)
            if periods > 1 and math.isclose(rate.low * periods, value.low, rel_tol=0.01):
                return f"{rate.text} x {time.text} = {value.text}"
    return ""


def _single(value: Value) -> bool:
    return value.kind in AMOUNTS and value.low == value.high and value.low != 0


def _results(value: Value, known: list[Value], firsts: list[Value]) -> Iterator[tuple[str, float]]:
    kind = dimension(value.unit)
    alike = [each for each in known if dimension(each.unit) == kind and (kind != "currency" or each.unit == value.unit)]
    for item, other in combinations(alike, 2):
        if item not in firsts and other not in firsts:
            continue
        first, second = in_base(item.low, item.unit), in_base(other.low, other.unit)
        yield f"{item.text} + {other.text}", first + second
        yield f"{item.text} - {other.text}", abs(first - second)
    factors = [
        each for each in known if each.kind != "duration" and each.low != 1 and (each.unit in _FACTORS or not each.unit)
    ]
    for item in alike:
        for factor in factors:
            if factor is not item and (item in firsts or factor in firsts):
                share = in_base(factor.low, factor.unit)
                yield f"{item.text} x {factor.text}", in_base(item.low, item.unit) * share


_FACTORS = frozenset(
    ("percent", "fold", "bag", "box", "item", "piece", "set", "bottle", "tablet", "person", "occurrence", "bowl", "cup")
)
