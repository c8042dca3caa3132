"""Clauses of a folded text, and whether one denies what a word in it says."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from turnmark.language.values import read_polarity

_BREAKS = re.compile("[,;。:!?\n.]")
_PROHIBITED = re.compile("_[가-힣]{0,2}지 ?[마말]")


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause around a span of a folded text."""
    breaks = _breaks_of(text)
    before, behind = bisect_left(breaks, start), bisect_left(breaks, end)
    return breaks[before - 1] + 1 if before else 0, breaks[behind] if behind < len(breaks) else len(text)


def denied(text: str, around: tuple[int, int], word: tuple[int, int], language: str) -> bool:
    """Whether a clause denies what its word says, whatever the word itself holds (不用怕, nothing to worry about)."""
    rest = f"{text[around[0] : word[0]]}_{text[word[1] : around[1]]}"
    return read_polarity(rest, language).sign < 0 or _PROHIBITED.search(rest) is not None


@lru_cache(maxsize=8)
def _breaks_of(text: str) -> list[int]:
    """Where the clauses of a text end."""
    return [found.start() for found in _BREAKS.finditer(text) if _breaks(text, found.start())]


def _breaks(text: str, at: int) -> bool:
    """Whether a mark ends a clause; the comma of 1,200 ends none, nor does the point of .5."""
    if text[at] == ".":
        return not text[at + 1 : at + 2].isdigit()
    return not (text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit())
