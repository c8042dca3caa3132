"""Where the patterns of many rule sets may match: one pass over a text finds the literals they rest on, by sentence."""

from __future__ import annotations

import sys
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from turnmark.language.match.shared_automaton import SharedAutomaton


class Anchors:
    """Literals of many patterns, of which one must stand where the pattern matches; patterns are known by numbers."""

    def __init__(self, shared: SharedAutomaton | None = None) -> None:
        """Make room; ``shared`` is where the literals of other finders are that are asked about the same texts."""
        self._size = 0
        self._shared = SharedAutomaton() if shared is None else shared
        self._finder: int | None = None
        self._patterns: dict[str, list[int]] = {}
        self._of_literal: list[list[int]] = []
        self._waiting: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def expect(self, add: Callable[[], None]) -> None:
        """Have ``add`` called before the first text is searched: whoever it is of adds patterns then, if ever."""
        self._waiting.append(add)

    def add(self, patterns: Iterable[Iterable[str]]) -> range:
        """Take in patterns, each as its folded literals; they get the next numbers, which are returned."""
        first = self._size
        for literals in patterns:
            for literal in literals:
                self._patterns.setdefault(literal, []).append(self._size)
            self._size += 1
        self._finder = None
        return range(first, self._size)

    def find(self, text: str, starts: Sequence[int]) -> list[tuple[int, int]]:
        """The patterns that have a literal in a text, in order, each with the sentences where one starts as bits.

        Args:
            text: Folded text.
            starts: Where its sentences start, in ascending order; what stands before the first belongs to it. Without
                any, the text is one sentence.

        """
        finder = self._finder
        if finder is None:
            finder = self.complete()
        if not self._patterns:
            return []
        of_literal: dict[int, int] = {}
        first = after = bit = 0
        for literal, start, _ in self._shared.find(finder, text):
            if not first <= start < after:
                position = max(0, bisect_right(starts, start) - 1)
                first = starts[position] if position else 0
                after = starts[position + 1] if position + 1 < len(starts) else sys.maxsize
                bit = 1 << position
            of_literal[literal] = of_literal[literal] | bit if literal in of_literal else bit
        results: dict[int, int] = {}
        for literal, bits in of_literal.items():
            for pattern in self._of_literal[literal]:
                results[pattern] = results[pattern] | bits if pattern in results else bits
        return sorted(results.items())

    def complete(self) -> int:
        """Hand the literals over, when all rule sets have given their patterns; the first text asks for it."""
        with self._lock:  # threads that share detectors wait until one of them has made these ready
            while self._waiting:
                self._waiting.pop(0)()
            if self._finder is None:
                self._of_literal = list(self._patterns.values())
                self._finder = self._shared.add(list(self._patterns))
            return self._finder


def places(bits: int) -> Iterator[int]:
    """The numbers of the sentences that bits stand for, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
