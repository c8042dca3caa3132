"""What a rule says of a claim, and all that it goes by."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.judges.rules.conflicts import Conflict
from turnmark.judges.rules.learned.features import Measured
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.judgement import Label

PARAPHRASE = "paraphrase: no rule can tell"
SAME_WORDS = "says so in the same words"
LONG = 20
"""From so many units on a statement is long: it says more than a value and a few words."""
THRESHOLD = 0.5
"""From this probability on, weights that were fitted on a user's own labels decide for support."""


class Decision(NamedTuple):
    """The label and its ground in words; ``place`` is text, start and end of the words that decided, where some did."""

    label: Label
    reason: str
    place: tuple[int, int, int] | None = None


class Read(NamedTuple):
    """One claim with everything that decides on it."""

    claim: Reading
    material: Material
    question: Reading | None
    measured: Measured
    probability: float
    conflict: Conflict | None
