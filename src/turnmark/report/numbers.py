"""Numbers as people read them."""

from __future__ import annotations

from turnmark.report.tables import Figure
from turnmark.schemas.summary import Interval

_COARSE = 2
_FINE = 3


def number(value: float | None, high: float = 1.0, *, na: str = "n/a") -> str:
    """Three decimals on a scale up to 1, two beyond; ``na`` for None and for anything that is not a number."""
    if value is None or value != value:  # noqa: PLR0124 - NaN is the one value that differs from itself
        return na
    return f"{value:.{_FINE if high <= 1 else _COARSE}f}"


def interval(bounds: Interval, high: float = 1.0, *, na: str = "n/a") -> str:
    """``0.109 to 0.174`` with an en dash."""
    if bounds is None:
        return na
    return f"{number(bounds[0], high)}–{number(bounds[1], high)}"


def count(value: float | None, *, na: str = "n/a") -> str:
    """A whole number with its thousands apart; denominators are whole though they are stored as floats."""
    return na if value is None else f"{value:,.0f}"


def with_denominator(figure: Figure, high: float = 1.0, *, na: str = "n/a") -> str:
    """``0.142 (n = 798)``; the denominator is left out where the summary does not hold it."""
    shown = number(figure.value, high, na=na)
    return shown if figure.denominator is None else f"{shown} (n = {count(figure.denominator)})"
