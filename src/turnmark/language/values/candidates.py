"""A value of the material that a value of a claim may be, and how it is bound to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from turnmark.language.values.value import AMOUNTS, Comparison, Value, ValueFinding


class Candidate(NamedTuple):
    """A value of the material: how it is bound by all words, by the claim's own, and by values beside it."""

    bound: float
    share: float
    own: float
    beside: float
    passage: int
    sentence: int
    place: int
    value: Value
    comparison: Comparison
    same: bool


class Context(NamedTuple):
    """Units around a value with their weights: of the claim, of the question, and of those that no material holds."""

    own: dict[str, float]
    asked: dict[str, float]
    unknown: float


NONE = Candidate(0.0, 0.0, 0.0, 0.0, -1, -1, -1, Value(0, 0, "number"), Comparison("not_comparable", ""), False)


def rank(candidate: Candidate) -> tuple[float, int, int]:
    """How well a candidate is bound; of equals the exact one, then the first."""
    exact = 0.25 * candidate.same + 0.1 * (candidate.comparison.relation == "equal")
    return candidate.bound + exact, -candidate.passage, -candidate.place


def found(value: Value, state: Literal["stated", "conflicting", "not_stated"], candidate: Candidate) -> ValueFinding:
    """What a candidate says of a value."""
    return ValueFinding(value, state, candidate.passage, candidate.value, candidate.comparison.reason)


def counts_another(value: Value, theirs: Value, beside: Iterable[Value]) -> bool:
    """Whether a number without a unit counts something else: eight books for three weeks say no eight weeks.

    ``beside`` are the values of its sentence.
    """
    if theirs.kind != "number" or theirs.unit or not value.unit or value.kind not in AMOUNTS:
        return False
    return any(
        other.kind == value.kind and (other.kind == "duration" or other.unit == value.unit) and other is not theirs
        for other in beside
    )
