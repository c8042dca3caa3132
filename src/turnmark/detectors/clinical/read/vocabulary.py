"""Names of medicines, conditions, labs, vitals and sexes in a text: one pass, boundaries by script.

A name counts only as a word of its own: "man" not in "woman", 당뇨 not in 당뇨발, 남 not in 남은. Korean is searched
without its spaces, so that 전립선 비대증 and 전립선비대증 are one name; a match across a space must begin a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import ahocorasick_rs

from turnmark.detectors.clinical.read.misspellings import NearNames
from turnmark.detectors.clinical.read.terms import NO_MENTION, Term, clinical_terms
from turnmark.language.computed import computed
from turnmark.language.later import later
from turnmark.language.text.fold import fold_texts
from turnmark.packs.clinical_facts import mention_words, words


class Named(NamedTuple):
    """A name found: folded offsets and the terms that it may stand for."""

    start: int
    end: int
    terms: tuple[Term, ...]


_HANGUL = later("[가-힣]")
_MISSPELT = ("medication",)
"""Kinds whose long names are also found with one error; diseases differ by one syllable too often (고…, 저…)."""
_LONGEST_ABBREVIATION = 3
_SHORTEST_SPLIT = 4
"""Syllables of the shortest Korean name that may be written with a space inside."""


@cache
def _only_in_capitals() -> frozenset[str]:
    return frozenset(words(mention_words().only_in_capitals))


def _is_abbreviation(name: str, term: Term) -> bool:
    """Tell an abbreviation that is another word in small letters; those of labs are told by the number behind them."""
    if name in _only_in_capitals():
        return True
    short = len(name) == 1 or (len(name) <= _LONGEST_ABBREVIATION and term.kind in ("medication", "condition"))
    return short and name.isascii() and name.isalpha() and name.isupper()


def _start(named: Named) -> int:
    return named.start


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _alternatives(listed: str) -> str:
    return "|".join(sorted(map(re.escape, words(listed)), key=len, reverse=True))


class _Index:
    """One automaton with the terms and boundary rules of its words."""

    def __init__(self, names: Iterable[tuple[str, Term]], abbreviations: frozenset[str]) -> None:
        terms: dict[str, tuple[Term, ...]] = {}
        for name, term in names:
            known = terms.get(name, ())
            if term not in known:
                terms[name] = (*known, term)
        self.words = list(terms)
        self.terms = list(terms.values())
        # Abbreviations of up to three letters are only meant in capitals: MS, AF, but not "ms" or "af".
        self.capitals = [word in abbreviations for word in self.words]

    @computed
    def automaton(self) -> ahocorasick_rs.AhoCorasick:
        """What finds the words; made for the first text that is searched for them."""
        return ahocorasick_rs.AhoCorasick(self.words, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)


class Vocabulary:
    """All names, ready to search."""

    def __init__(self, names: Iterable[tuple[str, Term]]) -> None:
        """Build the automata.

        Args:
            names: Each name, in any spelling, with what it stands for.

        """
        written, terms = zip(*names, strict=True)
        listed = list(zip(fold_texts(written), terms, strict=True))
        by_case: dict[bool, set[str]] = {True: set(), False: set()}
        for name, (folded, term) in zip(written, listed, strict=True):
            by_case[_is_abbreviation(name, term)].add(folded)
        abbreviations = frozenset(by_case[True] - by_case[False])
        self._plain = _Index(listed, abbreviations)
        self._joined = _Index([(name.replace(" ", ""), term) for name, term in listed], abbreviations)
        self._by_name = dict(zip(self._joined.words, self._joined.terms, strict=True))
        self._spaced = frozenset(word for word in self._plain.words if " " in word)
        self._near = NearNames(
            name for name, terms in self._by_name.items() if any(term.kind in _MISSPELT for term in terms)
        )
        mentions = mention_words()
        self._prefix = re.compile(f"(?<![가-힣])(?:{_alternatives(mentions.korean_prefixes)})$")
        self._ending = re.compile(f"(?![가-힣])|{_alternatives(mentions.korean_endings)}")

    def find(self, text: str, base: str) -> list[Named]:
        """Return the names of a folded text in order, without overlap; the longest name wins.

        Args:
            text: Folded text.
            base: The text before folding, of the same length; tells abbreviations by their capitals.

        """
        result = self._find_joined(text, base) if " " in text and _HANGUL.search(text) else self._find(text, base)
        near = self._near.find(text, [(named.start, named.end) for named in result])
        for start, end, spellings in near:
            meant = {self._by_name[name] for name in spellings}
            # Two medicines one error away: which is meant would be a guess.
            if len(meant) == 1 and self._bounded(text, start, end):
                result.append(Named(start, end, meant.pop()))
        if near:
            result.sort(key=_start)
        return result

    def find_own(self, text: str, names: Iterable[tuple[str, Term]], found: Sequence[Named]) -> list[Named]:
        """Return names that only one record knows, outside those found."""
        own: list[Named] = []
        for name, term in names:
            start = text.find(name)
            while start >= 0:
                end = start + len(name)
                free = all(end <= other.start or start >= other.end for other in found)
                if free and self._bounded(text, start, end):
                    own.append(Named(start, end, (term,)))
                start = text.find(name, end)
        return own

    def _find(self, text: str, base: str) -> list[Named]:
        results: list[Named] = []
        index = self._plain
        for word, start, end in index.automaton.find_matches_as_indexes(text):
            stop = self._bounded(text, start, end)
            if stop and not (index.capitals[word] and not base[start:end].isupper()):
                results.append(Named(start, end, index.terms[word]))
        return [named for named in results if named.terms[0].kind != "skip"]

    def _find_joined(self, text: str, base: str) -> list[Named]:
        parts = text.split(" ")
        # Where the spaces stood in the joined text; behind the k-th an offset is k less than that of the text.
        breaks = list(accumulate(map(len, parts)))
        results: list[Named] = []
        index = self._joined
        for word, first, last in index.automaton.find_matches_as_indexes("".join(parts)):
            start = first + bisect_right(breaks, first)
            end = last + bisect_right(breaks, last - 1)
            if end - start > last - first and not self._may_split(text, start, end):
                continue
            if index.terms[word][0].kind == "skip" or not self._bounded(text, start, end):
                continue
            if index.capitals[word] and not base[start:end].isupper():
                continue
            results.append(Named(start, end, index.terms[word]))
        return results

    def _may_split(self, text: str, start: int, end: int) -> bool:
        """Tell whether a match across a space is a name written apart, and not the end of one word and the next."""
        before = text[start - 1 : start]
        if before.isalpha():
            return False
        written = text[start:end]
        return written in self._spaced or written[0].isascii() or len(written) > _SHORTEST_SPLIT

    def _bounded(self, text: str, start: int, end: int) -> bool:
        """Tell whether a match is a word of its own."""
        first, last = text[start], text[end - 1]
        if start:
            before = text[start - 1]
            if _is_latin(first) and before.isascii() and before.isalpha():
                return False
            if _is_hangul(first) and _is_hangul(before) and self._prefix.search(text, max(0, start - 4), start) is None:
                return False
        if end == len(text):
            return True
        following = text[end]
        if _is_latin(last) and following.isascii() and following.isalpha():
            # A plural is the same name.
            return following == "s" and not (end + 1 < len(text) and _is_latin(text[end + 1]))
        if _is_hangul(last) and _is_hangul(following):
            return self._ending.match(text, end) is not None
        return True


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the shipped terminology; built once a process."""
    return Vocabulary([*clinical_terms(), *_sexes(), *_parts_of_pressure(), *_no_mentions()])


def _sexes() -> list[tuple[str, Term]]:
    mentions = mention_words()
    results: list[tuple[str, Term]] = []
    for sex, listed in (("male", mentions.male), ("female", mentions.female)):
        term = Term("sex", frozenset((sex,)), frozenset(), sex)
        results.extend((name, term) for name in words(listed))
    return results


def _parts_of_pressure() -> list[tuple[str, Term]]:
    mentions = mention_words()
    results: list[tuple[str, Term]] = []
    for name, listed in (
        ("bp_systolic", mentions.systolic),
        ("bp_diastolic", mentions.diastolic),
        ("blood_pressure", mentions.pressure),
    ):
        term = Term("vital", frozenset((name,)), frozenset(), name, frozenset(("mmhg",)))
        results.extend((spelling, term) for spelling in words(listed))
    return results


def _no_mentions() -> list[tuple[str, Term]]:
    return [(name, NO_MENTION) for name in words(mention_words().not_mentions)]
