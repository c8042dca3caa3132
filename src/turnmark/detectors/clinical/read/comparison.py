"""Whether what is stated is what the record holds: the same thing, dose, age; and which value a number is of."""

from __future__ import annotations

from turnmark.detectors.clinical.read.mentions import Mention
from turnmark.detectors.clinical.read.record import Record, RecordedItem, Value
from turnmark.language.quantity.quantity import Quantity

_MAY_MEAN = {"liver_enzymes": ("alt", "ast"), "postprandial_glucose": ("glucose",)}
"""Vague names of labs, and what else in a record they may mean."""
_DECADE_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (6, 9)}
"""First and last year of a part of a decade."""
_SYSTOLIC = 100
"""One number of a pressure from here on is the systolic one."""
_SMALL_CREATININE = 10
"""A kidney number below this without a unit is creatinine in mg/dL, not a filtration rate."""
_NO_END = 200
_MILLIGRAMS = {"g": 1000.0, "mg": 1.0, "ug": 0.001}


def held_by(mention: Mention, entries: tuple[RecordedItem, ...]) -> list[RecordedItem]:
    """Return the entries of the record that a mention names: the same thing, its class, or a kind of it.

    A combination is held when all of its parts are, be it in several entries.
    """
    recorded_items: list[RecordedItem] = []
    for term in mention.terms:
        ids = term.ids
        parts = [entry for entry in entries if not ids.isdisjoint(entry.ids)]
        if parts and (ids <= parts[0].ids or ids <= frozenset().union(*(entry.ids for entry in parts))):
            return parts
        recorded_items += [
            entry
            for entry in entries
            if not term.ids.isdisjoint(entry.broader) or not entry.ids.isdisjoint(term.broader)
        ]
    return recorded_items


def same_dose(dose: Quantity, known: tuple[float, str]) -> bool:
    """Tell whether a stated dose is one of the record; doses in units that do not compare are not told apart.

    The same number by body weight and not (500 mg, 500 mg/kg) is another dose; other numbers may come to the same.
    """
    value, unit = known
    if "mg/kg" in (dose.unit, unit) and dose.unit != unit:
        return dose.low != value
    if dose.unit in _MILLIGRAMS and unit in _MILLIGRAMS:
        return abs(dose.low * _MILLIGRAMS[dose.unit] - value * _MILLIGRAMS[unit]) < 1e-9
    return dose.unit != unit or dose.low == value


def analytes(mention: Mention) -> tuple[str, ...]:
    """Return what each number of a mention measures; one number of a pressure is told by its size."""
    names = [min(term.ids) for term in mention.terms]
    if "blood_pressure" not in names:
        return (_told_by_unit(mention, names),)
    if len(mention.quantities) == 2:
        return ("bp_systolic", "bp_diastolic")
    return ("bp_systolic" if mention.quantities[0].low >= _SYSTOLIC else "bp_diastolic",)


def _told_by_unit(mention: Mention, names: list[str]) -> str:
    """Return which of several labs a vague name means (kidney numbers): by its unit, or by the size of the number."""
    if len(names) == 1:
        return names[0]
    amount = mention.quantities[0]
    for term, name in zip(mention.terms, names, strict=True):
        if amount.unit and amount.unit in term.units:
            return name
    return "creatinine" if "creatinine" in names and amount.low < _SMALL_CREATININE else names[0]


def known_values(record: Record, analyte: str) -> list[Value]:
    """Return the values of a record; a vague name (liver enzymes) may mean any of several."""
    values = record.values
    return values.get(analyte) or [value for name in _MAY_MEAN.get(analyte, ()) for value in values.get(name, ())]


def shown(amount: Quantity) -> str:
    """Return a number or range as text: "7.2", "150-160"."""
    return f"{amount.low:g}" if amount.low == amount.high else f"{amount.low:g}-{amount.high:g}"


def same_age(mention: Mention, age: float) -> bool:
    """Tell whether a stated age, decade or part of a decade holds the age of the record, give or take a year."""
    amount = mention.quantities[0]
    low, high = amount.low, amount.high
    if mention.decade:
        first, last = _DECADE_PARTS[mention.decade]
        low, high = amount.low + first, amount.low + last
    elif amount.form != "decade" and amount.comparator == "more_than":
        # 五十多岁 is in the fifties; "over 65" has no end.
        high = low + 9 if amount.approximate else _NO_END
    return low - 1 <= age <= high + 1 if amount.form != "decade" or mention.decade else low <= age <= high
