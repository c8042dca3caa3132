"""One number of a text as it is written."""

from typing import NamedTuple


class Atom(NamedTuple):
    """One number of a folded text.

    ``needs_unit`` marks words that are numbers only before a unit; ``form`` is "digits", "words", "fraction",
    "native" or "sino". A fraction holds its value (0.25), not its percentage.
    """

    start: int
    end: int
    low: float
    high: float
    approximate: bool
    form: str
    needs_unit: bool
