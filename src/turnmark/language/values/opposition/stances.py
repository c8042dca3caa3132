"""What a statement says of a thing by classes: whether it holds, costs, is needed, changed, may be left to another.

The words are those of ``stances`` in ``packs/language/opposites.yaml``; what denies turns them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from turnmark.language.values.opposition.opposites import shipped_opposites, split_list
from turnmark.language.values.opposition.polarity import Span, read_polarity

_NONE = 2
HOLDS = "holds"
"""The class of a statement that says but that something is so."""


class Stance(NamedTuple):
    """One word of a class.

    Attributes:
        kind: Its class.
        pair: The pair of opposites that it belongs to; "" for a word of the class alone.
        side: 1 or -1; 0 where it but names the matter (a fee).
        start: Its place.
        end: The end of that.

    """

    kind: str
    pair: str
    side: int
    start: int
    end: int


class Stances(NamedTuple):
    """The words of all classes in a text, and the spans of what denies."""

    found: tuple[Stance, ...]
    denials: tuple[Span, ...]

    def of(self, kind: str) -> list[Stance]:
        """The words of one class."""
        return [each for each in self.found if each.kind == kind]

    def kinds(self) -> set[str]:
        """The classes of which a word is there, and the one of every statement."""
        return {each.kind for each in self.found} | {HOLDS}

    def parity(self, kind: str) -> int:
        """-1 where a text denies beside the words of a class, 1 where it does not, 0 where it denies twice."""
        words = self.found if kind == HOLDS else self.of(kind)
        denials = [
            (start, end)
            for start, end in self.denials
            if not any(each.start <= start and end <= each.end for each in words)
        ]
        return 0 if len(denials) > 1 else 1 - 2 * len(denials)

    def sign(self, kind: str) -> int:
        """The side, 1 or -1, that a text takes of a class; 0 where no word takes one, or words take both.

        What but names the matter is on the first side: there is a fee. Every statement says that something holds.
        """
        own = self.of(kind)
        sides = {each.side for each in own if each.side} or {1 for _ in own}
        if not sides and kind == HOLDS:
            return self.parity(kind)
        return sides.pop() * self.parity(kind) if len(sides) == 1 else 0


def read_stances(text: str, language: str) -> Stances:
    """The words of classes in a folded text."""
    found = [
        Stance(kind, *sides[(match.lastindex or 1) - 1], *match.span())
        for kind, (words, sides) in _words(language).items()
        for match in words.finditer(text)
        if sides[(match.lastindex or 1) - 1][1] != _NONE
    ]
    found.sort(key=lambda each: (each.start, each.end))
    denials = [_within(text, start - 1, end - 1) for start, end in read_polarity(f" {text} ", language).denials]
    apart = [
        (start, end)
        for start, end in denials
        if not (language in _OF_A_NOUN and _OF_A_NOUN[language].match(text, start))
    ]
    return Stances(tuple(found), tuple(apart))


def _within(text: str, start: int, end: int) -> Span:
    """A span without the spaces at its ends."""
    found = text[max(0, start) : end]
    first = max(0, start) + len(found) - len(found.lstrip())
    return first, first + len(found.strip())


_OF_A_NOUN = {
    "zh": re.compile("未[\u3400-\u9fff]{1,6}的(?=[\u3400-\u9fff])"),
    "ko": re.compile("(?:않|없|아니|아닌|못하?)[은는한]? (?=[가-힣])"),
}
"""What is denied of a noun beside the predicate: 未使用的年假, 사용하지 않은 연차."""


@cache
def _words(language: str) -> dict[str, tuple[re.Pattern[str], list[tuple[str, int]]]]:
    """The words of each class of a language as a pattern with a group a word, and the pair and side of each group."""
    table = shipped_opposites()
    results = {}
    for kind, stance in table.stances.items():
        words: dict[str, tuple[str, int]] = {}
        for name in stance.pairs:
            for side, own in ((1, table.pairs[name].one), (-1, table.pairs[name].other)):
                words |= dict.fromkeys(split_list(own.get(language, "")), (name, side))
        for side, own in ((0, stance.weak), (1, stance.one), (-1, stance.other), (_NONE, stance.but)):
            words |= {
                word: ("", side) for word in split_list(own.get(language, "")) if side == _NONE or word not in words
            }
        longest = sorted(words, key=lambda word: (-len(word.partition("(?")[0]), word))
        text = "|".join([f"({word})" for word in longest])
        edges = ("(?<![a-z])", "(?![a-z])") if language == "en" else ("", "")
        results[kind] = (re.compile(f"{edges[0]}(?:{text or '(?!)'}){edges[1]}"), [words[word] for word in longest])
    return results
