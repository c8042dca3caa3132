"""Numbers as people read them."""

from __future__ import annotations

from turnmark.locale.texts import ENGLISH, Texts
from turnmark.report.view.tables import Figure
from turnmark.schemas.results.summary import Interval

_COARSE = 2
_FINE = 3
_MINUS = "\N{MINUS SIGN}"


def number(value: float | None, high: float = 1.0, *, na: str = "n/a") -> str:
    """Three decimals on a scale up to 1, two beyond; ``na`` for None and for anything that is not a number."""
    if value is None or value != value:  # noqa: PLR0124 - NaN is the one value that differs from itself
        return na
    return _rounded(value, high).replace("-", _MINUS)


def signed(value: float | None, high: float = 1.0, *, na: str = "n/a") -> str:
    """A difference with its sign: ``+0.147``, ``−0.715``, and ``0.000`` for one that rounds to nothing."""
    if value is None:
        return na
    shown = _rounded(value, high)
    return number(value, high) if value <= 0 or not float(shown) else f"+{shown}"


def _rounded(value: float, high: float) -> str:
    """The digits, and a hyphen before them only where they are not all zero."""
    shown = f"{value:.{_FINE if high <= 1 else _COARSE}f}"
    return shown if float(shown) else shown.removeprefix("-")


def interval(bounds: Interval, texts: Texts = ENGLISH, high: float = 1.0) -> str:
    """``0.109 to 0.174``, in words of the language: a dash would run into the minus of a bound."""
    if bounds is None:
        return texts["na"]
    return texts["range"].format(low=number(bounds[0], high), high=number(bounds[1], high))


def count(value: float | None, *, na: str = "n/a") -> str:
    """A whole number with its thousands apart; denominators are whole though they are stored as floats."""
    return na if value is None else f"{value:,.0f}"


def with_denominator(figure: Figure, high: float = 1.0, *, na: str = "n/a") -> str:
    """``0.142 (n = 798)``; the denominator is left out where the summary does not hold it."""
    shown = number(figure.value, high, na=na)
    return shown if figure.denominator is None else f"{shown} (n = {count(figure.denominator)})"


def decided(figure: Figure, texts: Texts = ENGLISH, high: float = 1.0) -> str:
    """``62 % decided, 0.310 to 0.690 with the rest``; empty where everything was decided."""
    if figure.bounds is None:
        return ""
    return texts["decided"].format(share=f"{100 * figure.decided:.0f}", bounds=interval(figure.bounds, texts, high))
