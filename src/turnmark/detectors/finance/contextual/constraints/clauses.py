"""Clauses of a folded text, and whether one denies what a word in it says."""

from __future__ import annotations

import re

from turnmark.language.values import read_polarity

_BREAKS = frozenset(",;。;:!?\n")
_PROHIBITED = re.compile("_[가-힣]{0,2}지 ?[마말]")


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause around a span of a folded text."""
    first = next((at + 1 for at in range(start - 1, -1, -1) if _breaks(text, at)), 0)
    last = next((at for at in range(end, len(text)) if _breaks(text, at)), len(text))
    return first, last


def denied(text: str, around: tuple[int, int], word: tuple[int, int], language: str) -> bool:
    """Whether a clause denies what its word says, whatever the word itself holds (不用怕, nothing to worry about)."""
    rest = f"{text[around[0] : word[0]]}_{text[word[1] : around[1]]}"
    return read_polarity(rest, language).sign < 0 or _PROHIBITED.search(rest) is not None


def _breaks(text: str, at: int) -> bool:
    """Whether a clause ends at a character; the comma of 1,200 ends none."""
    if text[at] not in _BREAKS:
        return text[at] == "." and not text[at + 1 : at + 2].isdigit()
    return not (text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit())
