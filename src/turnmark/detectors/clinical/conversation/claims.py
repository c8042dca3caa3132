"""What a text claims of the patient, by matter, in a form in which two texts can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.context_use.detector import analyte_of
from turnmark.detectors.clinical.facts.detector import Fact
from turnmark.detectors.clinical.safety.applicability import in_usual_unit
from turnmark.language.text.fold import fold_text
from turnmark.packs.terminology import terminology

Said = float | bool | str | tuple[float, ...] | None
"""A number in the usual unit, several (a pressure, a range), yes or no, or a word."""

_NAME = re.compile(r" (?=[<>≤≥~]?[0-9])")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_TOLERANCE = 0.03
"""Two values are the same when they differ by no more than this share, and by less than 1 or nothing after rounding."""


class Statement(NamedTuple):
    """Something that a text claims of the patient or advises: ``key`` names the matter, ``value`` what is said."""

    key: tuple[str, str]
    value: Said
    quote: str
    start: int
    end: int


def claims(facts: Iterable[Fact], text: str) -> Iterable[Statement]:
    """The statements that facts make of the patient: numbers by what they measure, yes or no for the rest."""
    for fact in facts:
        if not fact.patient_claim:
            continue
        value: Said
        if fact.type in ("lab", "vital"):
            key, value = measured(fact)
        elif fact.type == "demographic":
            kind, _, said = fact.value.partition(" ")
            numbers = [float(number) for number in _NUMBER.findall(said)]
            key, value = ("demographic", kind), tuple(numbers) if numbers else said
        else:
            denied = fact.value.startswith("no ")
            said = fact.value.removeprefix("no ")
            is_condition = fact.type == "condition"
            name = _kind_of(said.partition(" stage ")[0]) if is_condition else _NAME.split(said, maxsplit=1)[0]
            key, value = (fact.type, name), not denied
        yield Statement(key, value, text[fact.start : fact.end], fact.start, fact.end)


@cache
def _kind_of(name: str) -> str:
    """The broadest condition that one is a kind of: type 2 diabetes and diabetes are one matter."""
    entry = next((one for one in terminology().by_name(fold_text(name)) if one.kind == "condition"), None)
    broader = terminology().broader(entry) if entry is not None else []
    return broader[-1].english if broader else name


def measured(fact: Fact) -> tuple[tuple[str, str], Said]:
    """What a lab or vital fact measures, and its value in the usual unit."""
    name, rest = _split(fact.value)
    analyte = analyte_of(name)
    numbers = [float(number) for number in _NUMBER.findall(rest)]
    unit = rest.rpartition(" ")[2] if " " in rest else ""
    conversion = in_usual_unit(analyte, unit) if unit else None
    if conversion is not None:
        numbers = [conversion(number) for number in numbers]
    return (fact.type, analyte), tuple(numbers) if len(numbers) > 1 else (numbers[0] if numbers else None)


def _split(value: str) -> tuple[str, str]:
    """The name and the rest of "hemoglobin A1c 7.2 percent"."""
    parts = _NAME.split(value, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def agree(one: Said, other: Said) -> bool:
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


def same(one: Said, other: Said) -> bool:
    """Whether two values are the same up to rounding."""
    if not isinstance(one, float) or not isinstance(other, float):
        return bool(one == other)
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other)) and (
        one == other or round(one) == round(other) or abs(one - other) < 1.0
    )
