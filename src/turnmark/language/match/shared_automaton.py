"""Literals of several finders, found in one pass over a text.

A pass over a text costs about the same for a hundred words as for ten thousand, and touches as much memory as its
automaton is large; finders that are all asked about the same texts therefore share one.
"""

from __future__ import annotations

from collections.abc import Sequence

import ahocorasick_rs

Match = tuple[int, int, int]
"""Number of the literal in its finder's list, start and end."""


class SharedAutomaton:
    """The literals of several finders; finders are known by the numbers that they get."""

    def __init__(self) -> None:
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._finders: dict[tuple[str, ...], int] = {}
        self._built = 0
        self._automaton: ahocorasick_rs.AhoCorasick | None = None
        self._of_literal: list[tuple[tuple[int, int], ...]] = []
        self._latest: tuple[str, list[list[Match]]] = ("", [])

    def add(self, literals: Sequence[str]) -> int:
        """Take in the folded literals of one finder, none of them empty or given twice; return its number.

        Finders with the same literals are one: a detector that is made again adds nothing.
        """
        key = tuple(literals)
        finder = self._finders.get(key)
        if finder is None:
            finder = self._finders[key] = len(self._finders)
            for number, literal in enumerate(key):
                self._places.setdefault(literal, []).append((finder, number))
        return finder

    def find(self, finder: int, text: str) -> list[Match]:
        """Every place where the letters of a finder's literals stand in a folded text, in the order of the ends.

        Finders ask about the same text one after the other, so the matches of the latest text are kept.
        """
        latest, matches = self._latest
        if latest is not text or finder >= self._built:
            matches = self._pass(text, finder)
            self._latest = (text, matches)
        return matches[finder]

    def _pass(self, text: str, finder: int) -> list[list[Match]]:
        if self._automaton is None or finder >= self._built:
            # Copies: a finder that is added later shares literals, and is none of those that this pass is for.
            self._of_literal = [tuple(places) for places in self._places.values()]
            self._automaton = ahocorasick_rs.AhoCorasick(list(self._places))
            self._built = len(self._finders)
        matches = self._automaton.find_matches_as_indexes(text, overlapping=True)
        if self._built == 1:
            # Literals of one finder have the numbers of its list.
            return [matches]
        results: list[list[Match]] = [[] for _ in range(self._built)]
        of_literal = self._of_literal
        for literal, start, end in matches:
            for asked, number in of_literal[literal]:
                results[asked].append((number, start, end))
        return results
