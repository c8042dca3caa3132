"""Which words of a claim its material and its question do not hold, values and words that say little aside."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from turnmark.judges.rules import words

_WORD = re.compile("[a-z\u00c0-\u024f\u0300-\u036f]+(?:'[a-z]{1,2})?|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")
COMMON = 45
"""Up to this weight a word says little: it may stand in a claim and not in its material."""


class Wording(NamedTuple):
    """The words of a claim that say something, and those of them that are found nowhere.

    ``told`` counts words; an ideograph is half of one. ``missing`` are the words (runs of ideographs) without any part
    in the material or the question; ``shared`` says whether any word stands in the material itself.
    """

    told: float
    missing: list[str]
    shared: bool


def wording(text: str, material: Collection[str], asked: Collection[str]) -> Wording:
    """How a folded text without its values is worded, against the units of the material and of the question."""
    told = 0.0
    missing: list[str] = []
    shared = False
    for word in _WORD.findall(text):
        if "\u3400" <= word[0] <= "\u9fff":
            ideographs = _ideographs(word, material, asked)
            told += ideographs.told
            missing += ideographs.missing
            shared = shared or ideographs.shared
            continue
        units = _units(word)
        if all(words.weight(unit) <= COMMON for unit in units):
            continue
        told += 1
        if any(unit in material for unit in units):
            shared = True
        elif not any(unit in asked for unit in units):
            missing.append(word)
    return Wording(told, missing, shared)


@lru_cache(maxsize=1 << 14)
def _units(word: str) -> tuple[str, ...]:
    return tuple(words.units(word))


def _ideographs(run: str, material: Collection[str], asked: Collection[str]) -> Wording:
    """A run of ideographs: each is found with one of its neighbours, or says little by itself."""
    size = len(run)
    there, known = [False] * size, [words.weight(item) <= COMMON for item in run]
    light = known.copy()
    for index in range(size - 1):
        pair = run[index : index + 2]
        if pair in material:
            there[index] = there[index + 1] = known[index] = known[index + 1] = True
        elif pair in asked or words.weight(pair) <= COMMON:
            known[index] = known[index + 1] = True
    if size == 1 and run in material:
        there[0] = known[0] = True
    missing = [run[first:last] for first, last in _gaps(known)]
    return Wording((size - sum(light)) / 2, missing, any(there))


def _gaps(known: list[bool]) -> list[tuple[int, int]]:
    results = []
    start = None
    for index, each in enumerate([*known, True]):
        if each and start is not None:
            results.append((start, index))
            start = None
        elif not each and start is None:
            start = index
    return results
