"""Whether spans lie within others or overlap them, asked often: an answer grows with the logarithm of their number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

Span = tuple[int, int]


class Enclosing:
    """Spans that may enclose others."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def hold(self, start: int, end: int) -> bool:
        """Whether one of the spans begins no later and ends no earlier."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._furthest[before - 1] >= end

    def exceed(self, start: int, end: int) -> bool:
        """Whether one of the spans holds this one and is longer."""
        earlier = bisect_left(self._starts, start)
        if earlier > 0 and self._furthest[earlier - 1] >= end:
            return True
        before = bisect_right(self._starts, start)
        return before > 0 and self._furthest[before - 1] > end


class Apart:
    """Spans of which no two overlap."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def add(self, start: int, end: int) -> bool:
        """Take a span in unless it overlaps one that is there; whether it was. An empty span overlaps what holds it."""
        if self.meets(start, end):
            return False
        self._spans.insert(bisect_right(self._spans, (start, end)), (start, end))
        return True

    def meets(self, start: int, end: int) -> bool:
        """Whether a span overlaps one that is there."""
        behind = bisect_left(self._spans, (end,))  # the first that begins at the end or behind it
        return behind > 0 and self._spans[behind - 1][1] > start
