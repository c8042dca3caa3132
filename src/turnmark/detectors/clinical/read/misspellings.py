"""Names written with one letter wrong, and words that only look like names of medicines or diseases.

A long name with one error still has its first or its second half intact. So halves are searched in one pass, and only
where one stands is the word compared with the name: one letter or syllable added, left out, changed, or two swapped.
The first one must be right, since stems of related medicines differ there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

import ahocorasick_rs
from rapidfuzz.distance import OSA

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.language.later import later
from turnmark.packs.clinical_facts import mention_words, words

_SHORTEST_LATIN = 7
_SHORTEST_HANGUL = 5
_WORD = later("[a-z]+|[가-힣]+")
_LATIN_WORD = later("(?<![a-z])[a-z]+")
_HANGUL_WORD = later("(?<![가-힣])[가-힣]+")


class Unresolved(NamedTuple):
    """A word that looks like a medicine or a disease and is none that is known; offsets as the text it came from."""

    kind: Literal["medication", "condition"]
    quote: str
    start: int
    end: int


class NearNames:
    """Finds words that are one error away from a long name."""

    def __init__(self, names: Iterable[str]) -> None:
        """Build the automaton of halves.

        Args:
            names: Folded names; only single words of at least seven Latin letters or five Hangul syllables count.

        """
        halves: dict[str, list[str]] = {}
        behind: set[str] = set()
        for name in dict.fromkeys(names):
            match = _WORD.fullmatch(name)
            if match and len(name) >= (_SHORTEST_LATIN if name.isascii() else _SHORTEST_HANGUL):
                middle = len(name) // 2
                for half in (name[:middle], name[middle:]):
                    halves.setdefault(half, []).append(name)
                behind.add(name[middle:])
        self._halves = list(halves)
        self._names = list(halves.values())
        self._only_opens = [half not in behind for half in halves]
        self._finder = answer_words().add(self._halves)

    def find(self, text: str, taken: list[tuple[int, int]]) -> list[tuple[int, int, set[str]]]:
        """Return (start, end, names) of the words of a folded text that are one error away from these names.

        A letter changed is likelier than one added or left out, so names of the word's own length come first.

        Args:
            text: Folded text.
            taken: Spans of the names that are written right, in order; they are passed over.

        """
        results: dict[tuple[int, int], set[str]] = {}
        ends = [end for _, end in taken]
        for half, start, end in answer_words().find(self._finder, text):
            if self._only_opens[half] and start and text[start - 1].isalpha():
                # A first half opens its word.
                continue
            position = bisect_right(ends, start)
            if position < len(taken) and taken[position][0] < end:
                continue
            for name in self._names[half]:
                near = _near(text, start, end, name)
                if near:
                    results.setdefault(near, set()).add(name)
        best: dict[int, tuple[int, int, set[str]]] = {}
        for (start, end), names in sorted(results.items()):
            exact = {name for name in names if len(name) == end - start}
            if start not in best or exact:
                best[start] = (start, end, exact or names)
        return list(best.values())


def _near(text: str, start: int, end: int, name: str) -> tuple[int, int] | None:
    """Return the span of the word around a half, if it is one error away from the name."""
    latin, size, ordinary = name.isascii(), len(name), _ordinary_words()
    # A name without its first letter right is passed over: the word begins at most its length before the half.
    first = text.rfind(name[0], max(0, start - size), start + 1)
    if first < 0:
        return None
    word = (_LATIN_WORD if latin else _HANGUL_WORD).match(text, first)
    if word is None or word.end() < end:
        return None
    last = word.end()
    # A Hangul word goes on with particles: the name ends one before, at, or one behind its length.
    ends = (
        (last,) if latin else tuple(first + length for length in (size, size + 1, size - 1) if first + length <= last)
    )
    for stop in ends:
        written = text[first:stop]
        # A Hangul word may stand with one syllable of its particle.
        if written == name or written in ordinary or (not latin and written[:-1] in ordinary):
            continue
        if abs(len(written) - size) <= 1 and OSA.distance(written, name, score_cutoff=1) <= 1:
            return first, stop
    return None


@cache
def _ordinary_words() -> frozenset[str]:
    """Return the words that look like a name of a medicine or a disease and are none."""
    return frozenset(words(mention_words().no_drugs_or_diseases))


def _is_latin_letter(character: str) -> bool:
    return "a" <= character <= "z"


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"


@cache
def _endings() -> tuple[ahocorasick_rs.AhoCorasick, list[Literal["medication", "condition"]], frozenset[str]]:
    mentions = mention_words()
    kinds: dict[str, Literal["medication", "condition"]] = dict.fromkeys(words(mentions.disease_endings), "condition")
    kinds.update(dict.fromkeys(words(mentions.drug_endings), "medication"))
    automaton = ahocorasick_rs.AhoCorasick(list(kinds), matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)
    return automaton, list(kinds.values()), _ordinary_words()


_BEFORE = {
    "latin": later("[a-z]{3,20}$"),
    "hangul": later("(?<![가-힣])[가-힣]{1,7}$"),
    # Where a Chinese word begins can not be told; two characters before the ending are shown.
    "han": later("[\u4e00-\u9fff]{1,2}$"),
}
_REACH = 21


def find_unresolved(text: str, taken: Iterable[tuple[int, int]]) -> list[Unresolved]:
    """Return the words of a folded text that end like a medicine or a disease, outside the spans that are taken."""
    automaton, kinds, exceptions = _endings()
    spans = list(taken)
    results: list[Unresolved] = []
    for ending, first, end in automaton.find_matches_as_indexes(text):
        last = text[end - 1]
        script = "latin" if last.isascii() else "hangul" if _is_hangul(last) else "han"
        if script == "latin" and _is_latin_letter(text[end : end + 1]):
            continue
        before = _BEFORE[script].search(text[max(0, first - _REACH) : first])
        if before is None:
            continue
        start = first - len(before.group())
        if text[start:end] in exceptions or any(start < other and begin < end for begin, other in spans):
            continue
        results.append(Unresolved(kinds[ending], text[start:end], start, end))
    return results
