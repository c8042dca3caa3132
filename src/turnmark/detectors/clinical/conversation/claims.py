"""What a text claims of the patient, by matter, in a form in which two texts can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.facts.fact import Fact
from turnmark.detectors.clinical.safety.applicability import in_usual_unit
from turnmark.language.text.fold import fold_text
from turnmark.packs.terminology import terminology

ClaimValue = float | bool | str | tuple[float, ...] | None
"""A number in the usual unit, several (a pressure, a range), yes or no, or a word."""

_TOLERANCE = 0.03
"""Two values are the same when they differ by no more than this share, and by less than 1 or nothing after rounding."""


Matter = tuple[str, str]
"""What is spoken of: a kind and a name."""


class Statement(NamedTuple):
    """Something that a text claims of the patient or advises: ``key`` names the matter, ``value`` what is said."""

    key: Matter
    value: ClaimValue
    quote: str
    start: int
    end: int


def claims(facts: Iterable[Fact]) -> Iterator[tuple[Fact, Statement]]:
    """What facts claim of the patient, each with its fact: numbers by what they measure, yes or no for the rest."""
    for fact in facts:
        if fact.patient_claim:
            key, value = _said(fact)
            yield fact, Statement(key, value, fact.quote, fact.start, fact.end)


def _said(fact: Fact) -> tuple[Matter, ClaimValue]:
    if fact.is_measured:
        return measured(fact)
    if fact.type == "demographic" or fact.said:
        return (fact.type, fact.name), fact.said or fact.numbers
    if fact.type == "condition":
        return ("condition", _kind_of(disease_of(fact))), not fact.denied
    return (fact.type, fact.name), not fact.denied


def disease_of(fact: Fact) -> str:
    """The condition of a fact without the stage that may be part of its name."""
    return fact.name.partition(" stage ")[0]


@cache
def _kind_of(name: str) -> str:
    """The broadest condition that one is a kind of: type 2 diabetes and diabetes are one matter."""
    entry = next((item for item in terminology().by_name(fold_text(name)) if item.kind == "condition"), None)
    broader = terminology().broader(entry) if entry is not None else []
    return broader[-1].english if broader else name


def measured(fact: Fact) -> tuple[Matter, ClaimValue]:
    """What a lab or vital fact measures, and its value in the usual unit."""
    analyte, numbers = fact.analyte, fact.numbers
    conversion = in_usual_unit(analyte, fact.unit) if fact.unit else None
    if conversion is not None:
        numbers = tuple(map(conversion, numbers))
    return (fact.type, analyte), numbers if len(numbers) > 1 else numbers[0]


def agree(one: ClaimValue, other: ClaimValue) -> bool:
    """Whether two texts say the same of a matter; a range agrees with what lies in it."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(same(first, second) for first, second in zip(one, other, strict=True))
    if isinstance(one, tuple) and isinstance(other, float):
        return min(one) * (1 - _TOLERANCE) <= other <= max(one) * (1 + _TOLERANCE)
    if isinstance(other, tuple) and isinstance(one, float):
        return agree(other, one)
    if isinstance(one, float) and isinstance(other, float):
        return same(one, other)
    return bool(one == other)


def same(one: ClaimValue, other: ClaimValue) -> bool:
    """Whether two values are the same up to rounding."""
    if not isinstance(one, float) or not isinstance(other, float):
        return bool(one == other)
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other)) and (
        one == other or round(one) == round(other) or abs(one - other) < 1.0
    )
