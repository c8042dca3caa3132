"""Words that exclude each other: one in the claim, its opposite in the sentence it is held against."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from turnmark.judges.rules.reading import Sentence
from turnmark.packs.loading import parse, shipped


class Opposite(NamedTuple):
    """A word of the claim, the word that excludes it, and the span of that in the folded sentence."""

    mine: str
    theirs: str
    start: int
    end: int


class _Table(NamedTuple):
    """All words as one expression, and for each of them the words that exclude it."""

    pattern: re.Pattern[str]
    against: dict[str, frozenset[str]]


@cache
def _tables() -> dict[str, _Table]:
    return {
        language: _table(text, whole=language == "en")
        for language, text in parse(shipped("rag/opposites.yaml"), "rag/opposites.yaml", dict[str, str]).items()
    }


def _table(text: str, *, whole: bool) -> _Table:
    against: dict[str, set[str]] = {}
    for pair in text.split(","):
        left, right = ([word.strip() for word in side.split("|")] for side in pair.split("/"))
        for mine, theirs in ((left, right), (right, left)):
            for word in mine:
                against.setdefault(word, set()).update(theirs)
    words = sorted(against, key=lambda word: (-len(word), word))
    expression = "|".join(map(re.escape, words))
    pattern = re.compile(rf"(?<![a-z])(?:{expression})(?![a-z])" if whole else expression)
    return _Table(pattern, {word: frozenset(found) for word, found in against.items()})


def opposite(claim: Sentence, other: Sentence) -> Opposite | None:
    """The first word of the claim that the other sentence replaces by its opposite, None when there is none.

    A word that both sentences hold, or an opposite that the claim holds too, is no sign of anything.
    """
    table = _tables().get(claim.reading.language)
    if table is None:
        return None
    mine = _found(claim.folded, claim.reading.language)
    theirs = _found(other.folded, claim.reading.language) if mine else {}
    for word in mine if theirs else ():
        if word in theirs:
            continue
        for against in sorted(table.against[word]):
            if against in theirs and against not in mine:
                return Opposite(word, against, *theirs[against])
    return None


@lru_cache(maxsize=256)
def _found(folded: str, language: str) -> dict[str, tuple[int, int]]:
    """The words of a sentence that have an opposite, with their spans."""
    return {match.group(): match.span() for match in _tables()[language].pattern.finditer(folded)}
