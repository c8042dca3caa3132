"""Whether a statement says or denies: the words that deny its predicate, from ``packs/language/denials.yaml``."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import ahocorasick_rs
import msgspec

from turnmark.language.match.intervals import Enclosing
from turnmark.packs.loading import parse, shipped

Span = tuple[int, int]


class Denials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``packs/language/denials.yaml``: words that deny, and longer ones that only look so, by language."""

    denials: dict[str, str]
    no_denials: dict[str, str]


class Polarity(NamedTuple):
    """What denies in a statement.

    Attributes:
        sign: 1 where the statement says, -1 where it denies; a denial of a denial says again.
        denials: Spans of the words that deny, in order and apart from each other.

    """

    sign: int
    denials: list[Span]


class _Table(NamedTuple):
    automaton: ahocorasick_rs.AhoCorasick
    denying: list[bool]


def split_words(text: str) -> list[str]:
    """The words of a list that commas part; ``·`` stands for a space at an end of a word."""
    return [word.strip().replace("·", " ") for word in text.split(",") if word.strip()]


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether an English match is a word of its own; n't hangs on its verb, and non- opens one."""
    if text[end : end + 1].isalpha() and text[end - 1] != "-":
        return False
    return not text[start - 1 : start].isalpha() or text.startswith("n't", start)


@cache
def _tables() -> dict[str, _Table]:
    known = parse(shipped("language/denials.yaml"), "language/denials.yaml", Denials)
    tables = {}
    for language, text in known.denials.items():
        denying = dict.fromkeys(split_words(text), True)
        words = denying | dict.fromkeys(split_words(known.no_denials.get(language, "")), False)
        tables[language] = _Table(ahocorasick_rs.AhoCorasick(list(words)), list(words.values()))
    return tables


def read_polarity(folded: str, language: str) -> Polarity:
    """The polarity of one folded sentence; a language without lists denies nothing.

    Args:
        folded: The sentence, folded (:func:`turnmark.language.text.fold.fold_text`).
        language: Its language: "en", "zh" or "ko".

    """
    table = _tables().get(language)
    if table is None:
        return Polarity(1, [])
    denials: list[Span] = []
    spared: list[Span] = []
    for number, start, end in table.automaton.find_matches_as_indexes(folded, overlapping=True):
        if language != "en" or stands_alone(folded, start, end):
            (denials if table.denying[number] else spared).append((start, end))
    if spared:
        sparing = Enclosing(spared)
        denials = [span for span in denials if not sparing.hold(*span)]
    merged = _merged(denials)
    return Polarity(-1 if len(merged) % 2 else 1, merged)


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
