"""Whether a stated value equals one of the record: after unit conversion, to the precision that is shown."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.detectors.clinical.read.record import Value, decimals_of
from turnmark.detectors.clinical.read.terms import conversions
from turnmark.language.quantity.quantity import Quantity

_APPROXIMATE = 0.03
"""What "about" allows, as a share of the value."""
_SLACK = 1e-9
_NO_UNIT = frozenset(("", "point", "occurrence"))
"""Units of a number that is written without one: "eGFR 48", "pulse 72 times"."""


def agrees(analyte: str, stated: Quantity, text: str, known: Value) -> bool:
    """Tell whether a stated amount and a value of the record are the same.

    Both stand for the range that their shown digits round to: "8.5" is 8.45 to 8.55. In the same unit the record is
    rounded to the digits shown ("7%" agrees with 7.2%, "7.0%" does not); in another unit the ranges must overlap. A
    stated range, decade or bound agrees when it holds the value.

    Args:
        analyte: What is measured, for conversions between mass and amount: "glucose", "hba1c".
        stated: The amount in the answer.
        text: The folded answer, where the digits of the amount are counted.
        known: The value of the record.

    """
    if stated.low == stated.high == known.low == known.high and (stated.unit == known.unit or not stated.unit):
        return True
    written = text[stated.start : stated.end]
    if stated.form == "digits" and not any(character.isdigit() for character in written):
        written = f"{stated.low:g}"  # six point nine
    half = 0.5 * 10 ** -decimals_of(written)
    for low, high in _candidates(analyte, stated.unit, known):
        if stated.comparator or stated.high > stated.low:
            lowest, highest = stated.bounds
            reach = half if stated.high > stated.low else 0.0
            if lowest - reach - _SLACK <= high and low <= highest + reach + _SLACK:
                return True
            continue
        margin = max(half, _APPROXIMATE * stated.low if stated.approximate else 0.0)
        exact = low == high
        slack = _SLACK if exact else -_SLACK
        if stated.low - margin - slack <= high and low <= stated.low + margin + slack:
            return True
    return False


def _candidates(analyte: str, unit: str, known: Value) -> Iterator[tuple[float, float]]:
    """Yield the record's value as a range in the stated unit; without a unit, in every unit it could be in."""
    if not known.unit or unit == known.unit or unit in _NO_UNIT:
        yield known.low, known.high
    table = conversions(analyte)
    own = table.get(known.unit)
    if own is None:
        return
    half = 0.5 * 10**-known.decimals
    for other, (factor, offset) in table.items():
        if other != known.unit and (other == unit or unit in _NO_UNIT):
            low, high = ((value * own[0] + own[1] - offset) / factor for value in (known.low - half, known.high + half))
            yield min(low, high), max(low, high)
