"""The texts that a claim is held against, and which of their sentences come closest to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from turnmark.judges.rules.reading import Pair, Reading, Sentence
from turnmark.language.computed import computed

SEARCHED_WHOLE = 300
"""In material of so many sentences each one is a candidate; of more, those that share a rare unit with the claim."""
CANDIDATES = 200
"""So many are looked at then, those of the rarest units first."""
_SEARCHED_AS_TEXT = 1 << 14
"""A longer text is searched for many short strings by the set of all its strings of that length."""


class Closest(NamedTuple):
    """The numbers of the sentences that come closest, the best first, and the weight that each adds to the others."""

    numbers: list[int]
    gains: list[int]


class Material:
    """Readings of one or more texts; their sentences are numbered throughout."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings
        self.sentences: list[Sentence] = (
            readings[0].sentences
            if len(readings) == 1
            else [each for reading in readings for each in reading.sentences]
        )
        # The text of each sentence.
        self._places = [place for place, reading in enumerate(readings) for _ in reading.sentences]
        self._runs: dict[int, frozenset[str]] = {}

    def place(self, number: int) -> int:
        """The text in which a sentence stands."""
        return self._places[number]

    def lacking(self, units: frozenset[str]) -> frozenset[str]:
        """Those of some units that stand in no sentence."""
        for reading in self.readings:
            if not units:
                break
            units = units - reading.unit_set
        return units

    @computed
    def text(self) -> str:
        """All texts, folded, one below the other."""
        return "\n".join([reading.compact for reading in self.readings])

    @computed
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units of all sentences."""
        first, *others = [reading.pair_set for reading in self.readings] or [frozenset()]
        return first.union(*others) if others else first

    def runs_found(self, runs: Collection[str], size: int) -> int:
        """How many of the runs of so many characters stand in the texts."""
        text = self.text
        if len(text) > _SEARCHED_AS_TEXT:
            return len(self._all_runs(size).intersection(runs))
        return sum([run in text for run in runs])

    def _all_runs(self, size: int) -> frozenset[str]:
        result = self._runs.get(size)
        if result is None:
            text = self.text
            result = frozenset([text[index : index + size] for index in range(len(text) - size + 1)])
            self._runs[size] = result
        return result

    def holding(self, text: str, units: frozenset[str]) -> int | None:
        """The first sentence that holds a folded text and all of its units; None when none does."""
        if len(self.sentences) <= SEARCHED_WHOLE and text not in self.text:
            return None
        sentences = self.sentences
        for number in self.candidates(units):
            # English words must not be cut, and 5% does not stand in 3.5%.
            if text in sentences[number].folded and units <= sentences[number].unit_set:
                return number
        return None

    def closest(self, weights: Mapping[str, int], units: frozenset[str]) -> Closest:
        """The sentence that covers most of the weight, and the one that covers most of what it left, if any does.

        ``units`` are the keys of ``weights``. The first sentence, with no gain, when none shares a unit; of equals the
        first.
        """
        sentences = self.sentences
        shared = []
        best = gain = 0
        for number in self.candidates(units):
            common = units & sentences[number].unit_set
            if not common:
                continue
            score = sum([weights[unit] for unit in common])
            shared.append((score, number, common))
            if score > gain:
                best, gain = number, score
        taken = sentences[best].unit_set
        second = more = 0
        for score, number, common in shared:
            # What a sentence adds is never more than what it covers.
            if number != best and score > more:
                added = sum([weights[unit] for unit in common - taken])
                if added > more:
                    second, more = number, added
        return Closest([best, second], [gain, more]) if more else Closest([best], [gain])

    def candidates(self, units: Collection[str]) -> Iterable[int]:
        """The sentences that may come close to some units, in order: all of them in material of ordinary size.

        Of more than `SEARCHED_WHOLE`, at most `CANDIDATES` that share a unit, those of the rarest units first.
        """
        if len(self.sentences) <= SEARCHED_WHOLE:
            return range(len(self.sentences))
        rarest = sorted([(len(result), unit) for unit in units if (result := self._index.get(unit))])
        return sorted(set(islice(chain.from_iterable([self._index[unit] for _, unit in rarest]), CANDIDATES)))

    @computed
    def _index(self) -> dict[str, list[int]]:
        """The numbers of the sentences that hold each unit, in order."""
        results: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.sentences):
            for unit in sentence.unit_set:
                results.setdefault(unit, []).append(number)
        return results
