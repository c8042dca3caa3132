"""What vectors add to the measures of the judge ``rules``: how near sentences are in meaning, and missing words.

All run from 0 to 1, and more never speaks against support. They see neither numbers nor names nor denial: those stay
with the measures of ``rules``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from turnmark.encoders.protocol import Embedder, Vectors, cosines
from turnmark.judges.rules import words
from turnmark.judges.rules.reading import Reading, Sentence

MEANINGS = (
    "meaning",  # cosine of each sentence of the claim with the sentence that comes closest to it, by length
    "worded",  # weight of the claim's units that the closest sentences hold, or have a word for that is near in meaning
    "least_worded",  # nearness of the missing word that is furthest from all words there
)
MOST_SENTENCES = 200
"""Sentences of the material that are encoded; those behind them are measured by ``rules`` alone."""
MOST_CHARACTERS = 400
"""Characters of a sentence that are encoded, and in which words are looked for that are near in meaning."""
_FAR = 0.4
"""Words with this cosine or a lower one have nothing to do with each other."""
_BY_WORDS = 2
_BY_MEANING = 2
"""Closest sentences of the material in which words near in meaning are looked for."""
_WORD = re.compile("[a-z\u00c0-\u024f']+|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")


class Part(NamedTuple):
    """One sentence: its units with their weights, the sum of these, and the units that may be worded otherwise."""

    text: str
    weights: dict[str, int]
    weight: int
    words: dict[str, str]


class Encoded:
    """A text, its sentences and their vectors; made when they are asked for."""

    def __init__(self, text: str, embedder: Embedder) -> None:
        self._reading = Reading(text)
        self._embedder = embedder

    @cached_property
    def parts(self) -> list[Part]:
        """The sentences in order, at most `MOST_SENTENCES`; never empty."""
        names = frozenset(self._reading.names)
        return [
            Part(sentence.text, sentence.weights, sentence.weight, _words(sentence, names))
            for sentence in self._reading.sentences[:MOST_SENTENCES]
        ]

    @cached_property
    def vectors(self) -> Vectors:
        """One row a sentence."""
        return self._embedder.encode([part.text[:MOST_CHARACTERS] for part in self.parts])


def _words(sentence: Sentence, names: frozenset[str]) -> dict[str, str]:
    """Units of a sentence that are neither numbers nor names, each with the word as it is encoded.

    A run of ideographs is many words; its pairs of characters come closest to them.
    """
    results: dict[str, str] = {}
    for word in _WORD.findall(sentence.folded[:MOST_CHARACTERS]):
        whole = words.korean_stem(word) if "\uac00" <= word[0] <= "\ud7a3" else word
        for unit in words.units(word):
            # The last word may be cut, and is no unit of the sentence then.
            if unit in sentence.weights and unit not in names:
                results.setdefault(unit, unit if "\u3400" <= word[0] <= "\u9fff" else whole)
    return results


class Meaning(NamedTuple):
    """`MEANINGS` by name, and the number of the sentence that is nearest to the claim as a whole."""

    values: dict[str, float]
    nearest: int


def measure_meaning(claim: Encoded, material: Sequence[Encoded], embedder: Embedder) -> Meaning:
    """What vectors measure on a claim and its material (at least one text)."""
    theirs: list[Part] = []
    vectors = []
    for each in material:
        room = MOST_SENTENCES - len(theirs)
        if room:
            theirs += each.parts[:room]
            vectors.append(each.vectors[:room])
    near = cosines(claim.vectors, np.vstack(vectors))
    sizes = np.array([max(1, len(part.text)) for part in claim.parts], dtype=np.float64)
    total = covered = 0.0
    least = 1.0
    for mine, row in zip(claim.parts, near, strict=True):
        order = np.argsort(-row, kind="stable")[:_BY_MEANING].tolist()
        places = dict.fromkeys([*_by_words(mine, theirs), *order])
        worded = _worded(mine, [theirs[position] for position in places], embedder)
        covered += worded.weight
        least = min(least, worded.least)
        total += mine.weight
    best = near.max(axis=1).astype(np.float64).clip(0.0)
    values = {
        "meaning": round(float(sizes @ best / sizes.sum()), 4),
        "worded": round(min(1.0, covered / total), 4) if total else 1.0,
        "least_worded": round(least, 4),
    }
    return Meaning(values, int(np.argmax(sizes @ near)))


def _by_words(mine: Part, theirs: Sequence[Part]) -> list[int]:
    """The sentences that hold most of the weight of a sentence, in order; the first ones of equals."""
    scores = [sum([weight for unit, weight in mine.weights.items() if unit in part.weights]) for part in theirs]
    return sorted(range(len(theirs)), key=lambda place: (-scores[place], place))[:_BY_WORDS]


class _Worded(NamedTuple):
    """Weight of the units that are there or have a word near in meaning; the least nearness of any that is missing."""

    weight: float
    least: float


def _worded(mine: Part, near: Sequence[Part], embedder: Embedder) -> _Worded:
    there = frozenset().union(*[part.weights for part in near])
    weight = float(sum([weight for unit, weight in mine.weights.items() if unit in there]))
    missing = [unit for unit in mine.words if unit not in there and mine.weights[unit] > words.LIGHT]
    if not missing:
        return _Worded(weight, 1.0)
    candidates = sorted({word for part in near for word in part.words.values()})
    if not candidates:
        return _Worded(weight, 0.0)
    result = cosines(embedder.encode([mine.words[unit] for unit in missing]), embedder.encode(candidates)).max(axis=1)
    for unit, cosine in zip(missing, result.tolist(), strict=True):
        weight += mine.weights[unit] * max(0.0, (cosine - _FAR) / (1.0 - _FAR))
    return _Worded(weight, max(0.0, float(result.min())))
