"""The texts that a claim is held against, and which of their sentences come closest to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from turnmark.judges.rules.reading import Pair, Reading, Sentence


class Closest(NamedTuple):
    """The numbers of the sentences that come closest, the best first, and the weight that each adds to the others."""

    numbers: list[int]
    gains: list[int]


class Material:
    """Readings of one or more texts. ``places`` says for each sentence which text it stands in."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings
        self.sentences: list[Sentence] = [sentence for reading in readings for sentence in reading.sentences]
        self.places = [place for place, reading in enumerate(readings) for _ in reading.sentences]
        self.units: frozenset[str] = frozenset().union(*[sentence.unit_set for sentence in self.sentences])

    @cached_property
    def text(self) -> str:
        """All texts, folded, one below the other."""
        return "\n".join([reading.compact for reading in self.readings])

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units of all sentences."""
        return frozenset().union(*[sentence.pairs for sentence in self.sentences])

    def closest(self, weights: Mapping[str, int], units: frozenset[str]) -> Closest:
        """The sentence that covers most of the weight, and the one that covers most of what it left, if any does.

        ``units`` are the keys of ``weights``. The first sentence, with no gain, when none shares a unit; of equals the
        first.
        """
        shared = []
        best = gain = 0
        for number, sentence in enumerate(self.sentences):
            common = units & sentence.unit_set
            if not common:
                continue
            score = sum([weights[unit] for unit in common])
            shared.append((score, number, common))
            if score > gain:
                best, gain = number, score
        taken = self.sentences[best].unit_set
        second = more = 0
        for score, number, common in shared:
            # What a sentence adds is never more than what it covers.
            if number != best and score > more:
                added = sum([weights[unit] for unit in common - taken])
                if added > more:
                    second, more = number, added
        return Closest([best, second], [gain, more]) if more else Closest([best], [gain])
