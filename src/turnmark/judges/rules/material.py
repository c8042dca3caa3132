"""The texts that a claim is held against, indexed so that the sentences that come closest are found at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from turnmark.judges.rules.reading import Pair, Reading, Sentence


class Material:
    """Readings of one or more texts. ``places`` says for each sentence which text it stands in."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings
        self.sentences: list[Sentence] = []
        self.places: list[int] = []
        self.index: dict[str, list[int]] = {}
        for place, reading in enumerate(readings):
            for sentence in reading.sentences:
                number = len(self.sentences)
                self.sentences.append(sentence)
                self.places.append(place)
                for unit in sentence.unit_set:
                    self.index.setdefault(unit, []).append(number)
        self._grams: dict[int, frozenset[str]] = {}

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units of all sentences."""
        return frozenset().union(*[sentence.pairs for sentence in self.sentences])

    def grams(self, size: int) -> frozenset[str]:
        """The runs of ``size`` characters of all texts."""
        found = self._grams.get(size)
        if found is None:
            found = self._grams[size] = frozenset().union(*[reading.grams(size) for reading in self.readings])
        return found

    def closest(self, weights: Mapping[str, float], most: int = 3) -> list[int]:
        """The sentences that cover most of the weight, the best first: each covers what those before it left.

        The first sentence when none shares a unit; never empty unless there is no sentence.
        """
        scores = [0.0] * len(self.sentences)
        for unit, weight in weights.items():
            for number in self.index.get(unit, ()):
                scores[number] += weight
        chosen: list[int] = []
        left = dict(weights)
        while len(chosen) < most:
            best = max(range(len(scores)), key=scores.__getitem__, default=-1)
            if best < 0 or scores[best] <= 1e-9:
                break
            chosen.append(best)
            for unit in self.sentences[best].unit_set:
                weight = left.pop(unit, 0.0)
                if weight:
                    for number in self.index[unit]:
                        scores[number] -= weight
        return chosen or [0][: len(scores)]
