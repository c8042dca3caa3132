"""The side of a body part that words tell: left, right, or both."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from turnmark.language.text.fold import fold_text
from turnmark.packs.clinical_anatomy import anatomy
from turnmark.packs.clinical_facts import words

Sides = frozenset[str]
NO_SIDE: Sides = frozenset()
_BOTH = "both"
_NEAR = 24


class SidedPart(NamedTuple):
    """A part of the body with its side, between two offsets of a folded text."""

    start: int
    end: int
    organ: str
    sides: Sides


def _alternatives(listed: list[str]) -> str:
    folded = sorted({fold_text(word) for word in listed}, key=len, reverse=True)
    return "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in folded)


class _Patterns(NamedTuple):
    side: re.Pattern[str]
    part: re.Pattern[str]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    side_of: dict[str, str]
    organ_of: dict[str, str]


@cache
def _patterns() -> _Patterns:
    known = anatomy()
    side_of = {fold_text(word): side for side, listed in known.sides.items() for word in words(listed)}
    organ_of = {fold_text(word): name for name, organ in known.organs.items() for word in words(organ.words)}
    side, organ = _alternatives(list(side_of)), _alternatives(list(organ_of))
    return _Patterns(
        re.compile(side),
        re.compile(rf"(?P<side>{side})(?:的| )?(?P<organ>{organ})"),
        re.compile(
            rf"(?P<side>{side})(?: ?(?:{organ}))?(?:的|에는|에|을|를|의|은|는)?"
            "(?: ?(?:total|partial|had|做过|做了|也|曾))* ?$"
        ),
        re.compile(
            rf" ?(?:(?:surgery |operation )?(?:on|in|of) (?:your |the )?(?P<side>{side})\b"
            rf"|[(,] ?(?P<noted>{side})(?=[)]|$))"
        ),
        side_of,
        organ_of,
    )


def _named(side: str) -> Sides:
    return frozenset(("left", "right")) if side == _BOTH else frozenset((side,))


def sides_in(text: str) -> Sides:
    """The sides that a folded entry of a record names; none when it names no side."""
    patterns = _patterns()
    return NO_SIDE.union(*(_named(patterns.side_of[match[0]]) for match in patterns.side.finditer(text)))


class Sided(NamedTuple):
    """The sides told with what stands between two offsets, and the offsets widened to hold the words that tell them."""

    sides: Sides
    start: int
    end: int


def sides_of(text: str, start: int, end: int) -> Sided:
    """The sides that a folded text tells with what stands between two offsets: in it, right before or right behind."""
    patterns = _patterns()
    inside = sides_in(text[start:end])
    if inside:
        return Sided(inside, start, end)
    if before := patterns.before.search(text, max(0, start - _NEAR), start):
        return Sided(_named(patterns.side_of[before["side"]]), before.start("side"), end)
    if behind := patterns.behind.match(text, end):
        group = "side" if behind["side"] else "noted"
        return Sided(_named(patterns.side_of[behind[group]]), start, behind.end(group))
    return Sided(NO_SIDE, start, end)


def sided_parts(text: str) -> list[SidedPart]:
    """The parts of the body that a folded text names with their side."""
    patterns = _patterns()
    return [
        SidedPart(*match.span(), patterns.organ_of[match["organ"]], _named(patterns.side_of[match["side"]]))
        for match in patterns.part.finditer(text)
    ]
