"""Whether two quantities can be the same amount, in whatever unit each is written."""

from __future__ import annotations

import math
from functools import cache

from turnmark.language.quantity.quantity import Quantity
from turnmark.language.quantity.units import convert


def same_amount(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities can be the same; units are converted, a missing unit fits any."""
    if one.unit == other.unit or not one.unit or not other.unit:
        return math.isclose(one.low, other.low, rel_tol=1e-6) or math.isclose(one.high, other.high, rel_tol=1e-6)
    converted = in_unit(one, other.unit)
    return converted is not None and math.isclose(converted, other.low, rel_tol=0.02)


@cache
def _converts(from_unit: str, to_unit: str) -> bool:
    try:
        convert(1.0, from_unit, to_unit)
    except ValueError:
        return False
    return True


def in_unit(quantity: Quantity, unit: str) -> float | None:
    """The lower end of a quantity in another unit, None when it does not convert."""
    return convert(quantity.low, quantity.unit, unit) if _converts(quantity.unit, unit) else None
