"""Words that turn a statement: denials, totality, and words with an opposite; all found in one pass over a sentence."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

import ahocorasick_rs

from turnmark.judges.rules import words
from turnmark.language.match.intervals import Enclosing
from turnmark.packs.loading import parse, shipped

Span = tuple[int, int]


class Signals(NamedTuple):
    """What stands in one sentence; spans are those of the folded sentence.

    ``negations`` are the spans of words that deny, ``absolutes`` the words of totality, ``oriented`` the words that
    have an opposite, with their spans.
    """

    negations: list[Span]
    absolutes: frozenset[str]
    oriented: dict[str, Span]


NONE = Signals([], frozenset(), {})


_BITS = _NEGATING, _SPARING, _ABSOLUTE, _ORIENTED = 1, 2, 4, 8


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
        dict.fromkeys(words.split_list(known.negations[language])),
        dict.fromkeys(words.split_list(known.no_negations[language])),
        dict.fromkeys(words.split_list(known.absolutes[language])),
        against,
    ]
    patterns = list(dict.fromkeys([word for kind in kinds for word in kind]))
    bits = [sum(bit for bit, kind in zip(_BITS, kinds, strict=True) if word in kind) for word in patterns]
    return _Table(ahocorasick_rs.AhoCorasick(patterns), patterns, bits, against)


def find_signals(folded: str, language: str) -> Signals:
    """The turning words of a folded sentence; none in a language without lists."""
    if language not in words.lists().negations:
        return NONE
    table = _table(language)
    hits = table.automaton.find_matches_as_indexes(folded, overlapping=True)
    if language == "en":
        hits = [hit for hit in hits if _whole(folded, *hit[1:])]
    if not hits:
        return NONE
    absolutes: list[str] = []
    negations: list[Span] = []
    spared: list[Span] = []
    turning: list[tuple[int, int, int]] = []
    for hit in hits:
        number, start, end = hit
        kinds = table.kinds[number]
        if kinds & _ORIENTED:
            turning.append(hit)
        if kinds & _NEGATING:
            negations.append((start, end))
        if kinds & _SPARING:
            spared.append((start, end))
        if kinds & _ABSOLUTE:
            absolutes.append(table.words[number])
    if spared:
        sparing = Enclosing(spared)
        negations = [span for span in negations if not sparing.hold(*span)]
    return Signals(_merged(negations), frozenset(absolutes), _oriented(turning, table))


def _oriented(turning: list[tuple[int, int, int]], table: _Table) -> dict[str, Span]:
    """The words that have an opposite, unless they stand within a longer one."""
    results: dict[str, Span] = {}
    every = Enclosing((start, end) for _, start, end in turning)
    for number, start, end in turning:
        if not every.exceed(start, end):
            results.setdefault(table.words[number], (start, end))
    return results


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a match is a word of its own; n't hangs on its verb."""
    if text[end : end + 1].isalpha():
        return False
    return not text[start - 1 : start].isalpha() or text.startswith("n't", start)


_SEVERAL = 2


def _merged(spans: list[Span]) -> list[Span]:
    """Spans in order; of overlapping ones (没 within 没有) the one that starts first, and then the longest."""
    if len(spans) < _SEVERAL:
        return spans
    result: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not result or start >= result[-1][1]:
            result.append((start, end))
    return result


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
