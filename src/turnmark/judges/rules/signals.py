"""Words that turn a statement: denials, totality, and words with an opposite; all found in one pass over a sentence."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

import ahocorasick_rs

from turnmark.judges.rules import words
from turnmark.language.match.intervals import Enclosing
from turnmark.language.values.opposition.polarity import Span, read_polarity, split_words, stands_alone
from turnmark.packs.loading import parse, shipped


class Signals(NamedTuple):
    """What stands in one sentence; spans are those of the folded sentence.

    ``negations`` are the spans of words that deny, ``absolutes`` the words of totality, ``oriented`` the words that
    have an opposite, with their spans.
    """

    negations: list[Span]
    absolutes: frozenset[str]
    oriented: dict[str, Span]


NONE = Signals([], frozenset(), {})


_BITS = _ABSOLUTE, _ORIENTED = 1, 2


class _Table(NamedTuple):
    """All words of one language, the kinds of each as bits, and the opposites of those that have any."""

    automaton: ahocorasick_rs.AhoCorasick
    words: list[str]
    kinds: list[int]
    against: dict[str, list[str]]


def _pairs(text: str) -> dict[str, list[str]]:
    against: dict[str, set[str]] = {}
    for pair in text.split(","):
        left, right = ([word.strip() for word in side.split("|")] for side in pair.split("/"))
        for mine, theirs in ((left, right), (right, left)):
            for word in mine:
                against.setdefault(word, set()).update(theirs)
    return {word: sorted(value) for word, value in against.items()}


@cache
def _table(language: str) -> _Table:
    known = words.lists()
    against = _pairs(parse(shipped("rag/opposites.yaml"), "rag/opposites.yaml", dict[str, str])[language])
    kinds: list[Collection[str]] = [
        dict.fromkeys(split_words(known.absolutes[language])),
        against,
    ]
    patterns = list(dict.fromkeys([word for kind in kinds for word in kind]))
    bits = [sum(bit for bit, kind in zip(_BITS, kinds, strict=True) if word in kind) for word in patterns]
    return _Table(ahocorasick_rs.AhoCorasick(patterns), patterns, bits, against)


def find_signals(folded: str, language: str) -> Signals:
    """The turning words of a folded sentence; none in a language without lists."""
    if language not in words.lists().absolutes:
        return NONE
    negations = read_polarity(folded, language).denials
    table = _table(language)
    hits = table.automaton.find_matches_as_indexes(folded, overlapping=True)
    if language == "en":
        hits = [hit for hit in hits if stands_alone(folded, *hit[1:])]
    if not hits and not negations:
        return NONE
    absolutes = frozenset(table.words[number] for number, _, _ in hits if table.kinds[number] & _ABSOLUTE)
    turning = [hit for hit in hits if table.kinds[hit[0]] & _ORIENTED]
    return Signals(negations, absolutes, _oriented(turning, table))


def _oriented(turning: list[tuple[int, int, int]], table: _Table) -> dict[str, Span]:
    """The words that have an opposite, unless they stand within a longer one."""
    results: dict[str, Span] = {}
    every = Enclosing((start, end) for _, start, end in turning)
    for number, start, end in turning:
        if not every.exceed(start, end):
            results.setdefault(table.words[number], (start, end))
    return results


class Opposite(NamedTuple):
    """A word of the claim, the word that excludes it, and the span of that in the folded sentence."""

    mine: str
    theirs: str
    start: int
    end: int


def opposite(mine: Signals, theirs: Signals, language: str) -> Opposite | None:
    """The first word of a claim that the other sentence replaces by its opposite, None when there is none.

    A word that both sentences hold, or an opposite that the claim holds too, is no sign of anything.
    """
    if not mine.oriented or not theirs.oriented:
        return None
    table = _table(language)
    for word in mine.oriented:
        if word in theirs.oriented:
            continue
        for against in table.against[word]:
            if against in theirs.oriented and against not in mine.oriented:
                return Opposite(word, against, *theirs.oriented[against])
    return None
