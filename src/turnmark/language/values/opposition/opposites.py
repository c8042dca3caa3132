"""Words that stand for one side of a pair of opposites, from ``packs/language/opposites.yaml`` and a user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from turnmark.language.later import later
from turnmark.language.match.matcher import Matcher
from turnmark.language.text.fold import Folded
from turnmark.language.values.value import Value
from turnmark.packs.loading import parse, shipped


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two sides that exclude each other, each with its words by language, parted by commas."""

    one: dict[str, str]
    other: dict[str, str]
    numeric: bool = False


class StanceWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of what is said of a thing: the pairs whose words belong to it, and its own words by side and language.

    ``weak`` words but name the matter, ``but`` are longer ones that only look like a word of the class.
    """

    pairs: list[str]
    one: dict[str, str]
    other: dict[str, str]
    weak: dict[str, str] = {}
    but: dict[str, str] = {}


class Opposites(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``packs/language/opposites.yaml``: pairs by name, words for yes and no, and the classes of stances."""

    pairs: dict[str, Pair]
    truth: Pair
    stances: dict[str, StanceWords] = {}


class _Side(NamedTuple):
    pair: str
    side: int


@cache
def shipped_opposites() -> Opposites:
    """The pairs that come with turnmark."""
    return parse(shipped("language/opposites.yaml"), "language/opposites.yaml", Opposites)


def overlaid(base: Opposites, own: Opposites) -> Opposites:
    """The pairs of ``base`` with those of a user: a pair of the same name is replaced."""
    return Opposites(pairs={**base.pairs, **own.pairs}, truth=own.truth, stances=base.stances)


def split_list(text: str) -> list[str]:
    """The words of a list that commas part."""
    return [word.strip() for word in text.split(",") if word.strip()]


class OppositeReader:
    """Finds the words of a table of opposites."""

    def __init__(self, table: Opposites) -> None:
        """Compile a table."""
        self.numeric = frozenset(name for name, pair in table.pairs.items() if pair.numeric)
        self._matcher: Matcher[_Side] = Matcher(
            [
                (word, _Side(name, sign))
                for name, pair in table.pairs.items()
                for sign, side in ((1, pair.one), (-1, pair.other))
                for words in side.values()
                for word in split_list(words)
            ]
        )
        truth = [
            (word, side)
            for side, words in (("yes", table.truth.one), ("no", table.truth.other))
            for text in words.values()
            for word in split_list(text)
        ]
        self._truth = {word: (1.0 if side == "yes" else -1.0) for word, side in truth}
        written = "|".join(sorted(map(re.escape, self._truth), key=lambda word: (-len(word), word)))
        self._opening = re.compile(rf"\s*(?P<word>{written})(?=$|[\s,.!;:~。、])")

    def read(self, folded: Folded) -> Iterator[Value]:
        """The sides of pairs in a text, the longest of overlapping words; offsets are folded."""
        text = folded.text
        plain = (
            folded
            if folded.same_length and folded.original == folded.base
            else Folded(folded.base, folded.base, text, None, None)
        )
        end = 0
        for hit in sorted(self._matcher.find(plain), key=lambda each: (each.start, -each.end)):
            if hit.start < end:
                continue
            end = hit.end
            if _PART_OF_A_WORD.match(text, hit.start):
                continue
            if text[hit.start : hit.end] in _BESIDE_AMOUNTS and not _AMOUNT.match(text, hit.end):
                continue
            side = float(hit.payload.side)
            if _turned(text, hit.start, hit.end):
                side = -side
            yield Value(hit.start, hit.end, "polarity", side, side, hit.payload.pair, text=text[hit.start : hit.end])
        opening = self._opening.match(text)
        if opening:
            sign = self._truth[opening["word"]]
            yield Value(*opening.span("word"), "truth", sign, sign, text=opening["word"])


# English particles are opposites only before an amount: up 2 percent, but up until May.
_BESIDE_AMOUNTS = frozenset(("up", "down"))
_AMOUNT = later(r" (?:by |about |around |roughly |nearly |almost |over )?[$€£]?[0-9]")
# Behind another syllable these end or bridge other words: 이자율 is a rate of interest, 책임의 is of a liability.
_PART_OF_A_WORD = later("(?<=[가-힣])(?:자율|임의)")
_TURNS_BEFORE = later(
    r"(?:[不未非没勿无]|没有|不会|不能|不再|并不|并非|不予|未能|不得|미|비|불|안 |못 "
    r"|(?<![a-z])(?:not|no|never|isn't|aren't|wasn't|weren't"
    r"|doesn't|don't|didn't|won't|can't|cannot|without|non)(?:[ -](?:be|been|being|to|a|an|the|is|are|"
    r"any|yet|fully|automatically|have|currently|considered))?[ -])$"
)
_TURNS_AFTER = later(r"(?:[가-힣]{0,3}(?:지|되지|하지|이|가|은|는)? ?(?:않|아니|아닙|못하|못합|없|말아))")


def _turned(text: str, start: int, end: int) -> bool:
    """Whether a word is denied: right before it in Chinese and English, right behind it in Korean."""
    before = _TURNS_BEFORE.search(text, max(0, start - 26), start) is not None
    after = "가" <= text[end : end + 1] <= "힣" or text[end : end + 1] == " "
    return before != bool(after and "가" <= text[end - 1] <= "힣" and _TURNS_AFTER.match(text, end))


@cache
def shipped_reader() -> OppositeReader:
    """The reader of the pairs that come with turnmark."""
    return OppositeReader(shipped_opposites())
