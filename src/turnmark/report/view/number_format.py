"""Numbers as people read them."""

from __future__ import annotations

from turnmark.locale.texts import ENGLISH, Texts, filled
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


def decided(figure: Figure, texts: Texts = ENGLISH, high: float = 1.0) -> str:
    """``7 of 13 decided; 0.310 to 0.690 however the rest is decided``; empty where everything was decided.

    Of a figure without a denominator (a mean over dialogues) only what it could be.
    """
    if figure.bounds is None:
        return ""
    bounds = interval(figure.bounds, texts, high)
    if figure.denominator is None:
        return filled(texts, "decided_bounds", bounds=bounds)
    return filled(texts, "decided", share=decided_of(figure, texts), bounds=bounds)


def decided_of(figure: Figure, texts: Texts = ENGLISH) -> str:
    """``7 of 13``, how many things were decided of how many; the share where the summary does not hold the number."""
    if figure.undecided is None or figure.denominator is None:
        return f"{100 * figure.decided:.0f} %"
    every = figure.denominator + figure.undecided
    return filled(texts, "decided_of", decided=count(figure.denominator), all=count(every))


def rests_on(figure: Figure, texts: Texts = ENGLISH, high: float = 1.0) -> str:
    """What a figure rests on, to stand behind it: `decided`, else ``n = 798``; empty where the summary does not say."""
    if figure.bounds is not None or figure.denominator is None:
        return decided(figure, texts, high)
    return filled(texts, "n", n=count(figure.denominator))


def with_basis(figure: Figure, texts: Texts = ENGLISH, high: float = 1.0) -> str:
    """``0.142 (n = 798)``: a figure and what it rests on."""
    shown, rests = number(figure.value, high, na=texts["na"]), rests_on(figure, texts, high)
    return f"{shown} ({rests})" if rests else shown
