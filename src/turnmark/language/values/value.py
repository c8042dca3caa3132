"""What a value is, and what comparing two of them says."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["number", "quantity", "duration", "date", "time", "code", "ratio", "polarity", "truth"]
Relation = Literal["equal", "contained", "conflicting", "not_comparable"]
Parts = tuple[int | None, ...]

AMOUNTS = frozenset(("number", "quantity", "duration"))
"""Kinds of values that tell how much."""


class Value(NamedTuple):
    """One value of a text.

    Attributes:
        start: First code point in the text as given; words that only compare (至少, at least) are outside.
        end: End of the span.
        kind: "number" (nothing is counted), "quantity" (with a unit or currency), "duration", "date", "time" (of day),
            "code" (ordinals, grades, classes, articles, product codes), "ratio" (two numbers that belong together, as
            in 148/86), "polarity" (one side of a pair of opposites) or "truth" (a yes or a no).
        low: Value, or lower end of a range: in ``unit``; minutes after midnight for a time; first number of a ratio;
            1 or -1 for a polarity or a truth; its place on the scale for a code of an ordered scheme (R4, AA-), 0 for
            other codes and for a date.
        high: Upper end of a range, second number of a ratio, else equal to ``low``.
        unit: Normalised unit, the scheme of a code ("article", "grade", "r" for R4 …), or the pair of a polarity.
        comparator: "", "at_most", "at_least", "less_than", "more_than"; "from", "until", "before", "after" where it
            is about when.
        approximate: True after about, 左右, 정도 and the like.
        parts: A date as (year, month, day, weekday), None where it is not written, Monday being 0; for a time
            (0,) when morning and evening are not told apart.
        name: What a code says ("4" in R4), folded; what an amount is per (day, kg), "growth" for how often something is
            what it was (doubled); "" for others.
        text: The folded words at the span.

    """

    start: int
    end: int
    kind: Kind
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    comparator: str = ""
    approximate: bool = False
    parts: Parts = ()
    name: str = ""
    text: str = ""


class Comparison(NamedTuple):
    """How one value stands to another.

    Attributes:
        relation: "equal"; "contained" when both can be true and one lies within the other; "conflicting" when they
            cannot both be said of the same thing; "not_comparable" when they measure different things.
        reason: The two in words, as ``number 5 ≠ 3``; that they are of different kinds where nothing compares.
        follows: Whether the first value is true where the second one is: an equal one, a wider or less exact one
            (March 2024 where 15 March 2024 is said, more than 60 where it is 75). False for a value that is
            narrower than what is said: 3 days where 3 to 5 days are.

    """

    relation: Relation
    reason: str
    follows: bool = False


class ValueFinding(NamedTuple):
    """What the material says about one value of a claim.

    Attributes:
        value: The value of the claim.
        state: "stated", "conflicting" or "not_stated".
        passage: Index of the passage with ``other``; -1 when nothing is found.
        other: The value of the material that it equals, follows from or conflicts with, None when there is none.
        reason: Why, in words; "" when nothing stands against or for it.
        asked: Whether the value is one of the question: then the claim says of it what the material says of
            ``other``.

    """

    value: Value
    state: Literal["stated", "conflicting", "not_stated"]
    passage: int = -1
    other: Value | None = None
    reason: str = ""
    asked: bool = False
