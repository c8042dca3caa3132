"""The values of a claim against its material: stated, conflicting or not stated.

A value conflicts with another of the same kind only where both are said of the same thing. That is told by the words
around them: those of the item of a list or table, then of the sentence, then of the passage, each weighed by how few
sentences of the material hold it. Of all values that can be compared the best bound one decides; an equal value that
stands elsewhere, beside other words, supports nothing when a differing one stands beside the claim's own words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.text.fold import Folded
from turnmark.language.values.comparison import compare_values
from turnmark.language.values.context import Passage, units
from turnmark.language.values.opposites import OppositeReader, shipped_reader
from turnmark.language.values.value import Comparison, Value, ValueFinding

_IN_ITEM, _IN_SENTENCE, _IN_PASSAGE = 1.0, 0.5, 0.15
_FAR, _ASKED = 0.5, 0.6
_BOUND = 0.3
"""Share of the weight of a claim's words that must stand around a differing value."""
_BOUND_POLARITY = 0.5
_MARGIN = 0.12
"""How much better a differing value must be bound than an equal one to stand against it."""


class _Candidate(NamedTuple):
    bound: float
    passage: int
    index: int
    value: Value
    comparison: Comparison


def read_passage(text: str | Folded, opposites: OppositeReader | None = None) -> Passage:
    """Read a text once, for callers that compare it more than once."""
    return Passage(text, opposites)


def compare_texts(
    claim: str | Folded | Passage,
    material: Sequence[str | Folded | Passage] | str,
    about: str = "",
    opposites: OppositeReader | None = None,
) -> tuple[ValueFinding, ...]:
    """Compare every value of a claim with the material.

    Args:
        claim: What is claimed, or the passage read from it.
        material: Passages that it should follow from.
        about: What the claim answers (a question), whose words bind the values of a short answer too.
        opposites: Reader of the pairs of opposites; the shipped ones when none is given.

    Returns:
        A finding for every value of the claim in order. Opposites of which the material holds neither side are left
        out, as are a yes or a no: what they are said of is no value.

    """
    mine = claim if isinstance(claim, Passage) else Passage(claim, opposites)
    texts = [material] if isinstance(material, str) else material
    passages = [each if isinstance(each, Passage) else Passage(each, opposites) for each in texts]
    return _Comparing(mine, passages, about, opposites or shipped_reader()).findings()


class _Comparing:
    def __init__(self, claim: Passage, passages: list[Passage], about: str, opposites: OppositeReader) -> None:
        self.claim = claim
        self.passages = passages
        self.asked = frozenset(units(Folded(about, about, about.lower(), None, None).text)) if about else frozenset()
        self.numeric = opposites.numeric
        self.weights = self._weights()

    def _weights(self) -> dict[str, float]:
        """How much each unit of the material tells: more, the fewer sentences hold it."""
        counts: Counter[str] = Counter()
        total = 1
        for passage in self.passages:
            starts = passage.sentences
            for place, start in enumerate(starts):
                end = starts[place + 1] if place + 1 < len(starts) else len(passage.masked)
                found = set(units(passage.masked[start:end]))
                counts.update(found)
                total += bool(found)
        return {unit: math.log(1 + total / count) for unit, count in counts.items()}

    def findings(self) -> tuple[ValueFinding, ...]:
        found = []
        for index, value in self.claim.each():
            if value.kind == "truth" or (value.kind == "polarity" and self._beside_number(value)):
                continue
            finding = self._finding(index, value)
            if finding is not None:
                found.append(finding)
        return tuple(found)

    def _beside_number(self, value: Value) -> bool:
        """Whether a number tells what a comparing word compares."""
        if value.unit not in self.numeric and value.unit != "before_after":
            return False
        kinds = ("number", "quantity", "duration", "date", "time")
        return any(
            (other.kind in kinds and -14 < other.start - value.end < 14) or -4 < value.start - other.end < 4
            for other in self.claim.values
            if other.kind in kinds
        )

    def _context(self, index: int) -> dict[str, float]:
        """The units around a value of the claim that the material holds, with their weights."""
        found: dict[str, float] = {}
        item, sentence = self.claim.item(index), self.claim.sentence(index)
        for group, factor in (
            (item, 1.0),
            (sentence - item, _FAR),
            (self.claim.all_units - sentence, _FAR / 2),
            (self.asked - self.claim.all_units, _ASKED),
        ):
            for unit in sorted(group):
                weight = self.weights.get(unit)
                if weight is not None:
                    found[unit] = weight * factor
        return found

    def _bound(self, context: dict[str, float], total: float, passage: Passage, index: int) -> float:
        """How well a value of the material is bound to the words around a value of the claim, from 0 to 1."""
        if not total:
            return 0.0
        item, sentence, whole = passage.item(index), passage.sentence(index), passage.all_units
        held = 0.0
        for unit, weight in context.items():
            if unit in item:
                held += weight * _IN_ITEM
            elif unit in sentence:
                held += weight * _IN_SENTENCE
            elif unit in whole:
                held += weight * _IN_PASSAGE
        return held / total

    def _finding(self, index: int, value: Value) -> ValueFinding | None:
        context = self._context(index)
        total = sum(context.values())
        equal: list[_Candidate] = []
        other: list[_Candidate] = []
        for place, passage in enumerate(self.passages):
            for where, theirs in passage.each():
                comparison = compare_values(value, theirs)
                if comparison.relation == "not_comparable":
                    continue
                bound = self._bound(context, total, passage, where)
                bound += 0.1 * (value.comparator == theirs.comparator) + 0.05 * (value.unit == theirs.unit)
                candidate = _Candidate(bound, place, where, theirs, comparison)
                (equal if comparison.follows else other).append(candidate)
        return self._decide(value, equal, other, not total)

    def _decide(
        self, value: Value, equal: list[_Candidate], other: list[_Candidate], bare: bool
    ) -> ValueFinding | None:
        best = max(equal, key=_rank, default=None)
        against = max((each for each in other if each.comparison.relation == "conflicting"), key=_rank, default=None)
        least = _BOUND_POLARITY if value.kind == "polarity" else _BOUND
        if against is not None and (bare or against.bound < least) and not (bare and len(other) == 1):
            against = None
        if against is not None and best is not None and against.bound < best.bound + _MARGIN:
            against = None
        if against is not None and self._taken(value, against):
            against = None
        if against is not None:
            return _found(value, "conflicting", against)
        if best is not None:
            return _found(value, "stated", best)
        if value.kind == "polarity":
            return None
        nearest = max(other, key=_rank, default=None)
        if nearest is None or nearest.comparison.relation == "conflicting":
            return ValueFinding(value, "not_stated")
        return ValueFinding(value, "not_stated", nearest.passage, nearest.value, nearest.comparison.reason)

    def _taken(self, value: Value, against: _Candidate) -> bool:
        """Whether another value of the claim says what stands against this one."""
        return value.kind != "polarity" and any(
            mine is not value and compare_values(mine, against.value).relation == "equal" for mine in self.claim.values
        )


def _rank(candidate: _Candidate) -> tuple[float, bool, int, int]:
    return candidate.bound, candidate.comparison.relation == "equal", -candidate.passage, -candidate.index


def _found(value: Value, state: str, candidate: _Candidate) -> ValueFinding:
    return ValueFinding(value, state, candidate.passage, candidate.value, candidate.comparison.reason)  # type: ignore[arg-type]
