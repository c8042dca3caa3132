"""Which readers can find a value in a text at all: one pass over its characters and one over its words decide.

Every value of a reader holds a character of each set of one of its ``characters``, or one of its ``words``. A text
without them is not read: most sentences hold no digit, no 第 and no name of a month.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import ahocorasick_rs

DIGITS = frozenset("0123456789")
LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")


class Opening(NamedTuple):
    """What a reader needs; words are folded and in Latin letters.

    Attributes:
        characters: Alternatives; each is several sets, of each of which a text must hold a character.
        words: Alternatives beside them, parts of words too.

    """

    characters: tuple[tuple[frozenset[str], ...], ...]
    words: tuple[str, ...] = ()


class Openings:
    """The openings of several readers, by their names.

    Every set of characters, and the words of every reader, have a bit each; what a text holds is a sum of bits, and
    few sums occur.
    """

    def __init__(self, openings: Mapping[str, Opening]) -> None:
        """Compile them."""
        self._bits: dict[str, int] = {}
        self._needs: list[tuple[str, int]] = []
        by_word: dict[str, int] = {}
        bit = 1
        for name, opening in openings.items():
            for sets in opening.characters:
                need = 0
                for characters in sets:
                    for each in characters:
                        self._bits[each] = self._bits.get(each, 0) | bit
                    need, bit = need | bit, bit << 1
                self._needs.append((name, need))
            for word in opening.words:
                by_word[word] = by_word.get(word, 0) | bit
            self._needs.append((name, bit))
            bit <<= 1
        self._words = list(by_word.values())
        self._automaton = ahocorasick_rs.AhoCorasick(list(by_word))
        self._names = lru_cache(maxsize=_MOST_KNOWN)(self._opened)

    def of(self, text: str) -> frozenset[str]:
        """The names of the readers that can find something in a folded text."""
        held = frozenset(text)
        bits, known = 0, self._bits
        for character in held:
            if character in known:
                bits |= known[character]
        if not held.isdisjoint(LATIN):
            for word, _, _ in self._automaton.find_matches_as_indexes(text, overlapping=True):
                bits |= self._words[word]
        return self._names(bits)

    def _opened(self, bits: int) -> frozenset[str]:
        return frozenset(name for name, need in self._needs if bits & need == need)


_MOST_KNOWN = 4096
