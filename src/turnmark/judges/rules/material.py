"""The texts that a claim is held against, indexed so that the sentences that come closest are found at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from turnmark.judges.rules.reading import Pair, Reading, Sentence


class Closest(NamedTuple):
    """The numbers of the sentences that come closest, the best first, and the weight that each adds to the others."""

    numbers: list[int]
    gains: list[float]


class Material:
    """Readings of one or more texts. ``places`` says for each sentence which text it stands in."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings
        self.sentences: list[Sentence] = []
        self.places: list[int] = []
        self.index: dict[str, list[int]] = {}
        index = self.index
        for place, reading in enumerate(readings):
            for sentence in reading.sentences:
                number = len(self.sentences)
                self.sentences.append(sentence)
                self.places.append(place)
                for unit in sentence.unit_set:
                    found = index.get(unit)
                    if found is None:
                        index[unit] = [number]
                    else:
                        found.append(number)

    @cached_property
    def text(self) -> str:
        """All texts, folded, one below the other."""
        return "\n".join([reading.compact for reading in self.readings])

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units of all sentences."""
        return frozenset().union(*[sentence.pairs for sentence in self.sentences])

    def closest(self, weights: Mapping[str, float]) -> Closest:
        """The sentence that covers most of the weight, and the one that covers most of what it left, if any does.

        The first sentence, with no gain, when none shares a unit.
        """
        scores: dict[int, float] = {}
        index = self.index
        for unit, weight in weights.items():
            for number in index.get(unit, ()):
                scores[number] = scores.get(number, 0.0) + weight
        if not scores:
            return Closest([0], [0.0])
        best, gain = _highest(scores)
        del scores[best]
        for unit in self.sentences[best].unit_set:
            if unit in weights:
                for number in index[unit]:
                    if number in scores:
                        scores[number] -= weights[unit]
        if not scores:
            return Closest([best], [gain])
        second, more = _highest(scores)
        return Closest([best, second], [gain, more]) if more > _NOTHING else Closest([best], [gain])


def _highest(scores: Mapping[int, float]) -> tuple[int, float]:
    """The number with the highest score; of equals the lowest, whatever the order in which units were met."""
    best, highest = -1, -1.0
    for number, score in scores.items():
        if score > highest or (score == highest and number < best):
            best, highest = number, score
    return best, highest


_NOTHING = 1e-9
