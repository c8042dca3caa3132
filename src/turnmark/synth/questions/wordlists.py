"""The word lists of a language, and patterns made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from turnmark.packs.loading import parse, shipped
from turnmark.synth.questions.model import Language


class Lists(msgspec.Struct, frozen=True):
    """``packs/rag/synth/LANG.yaml``: lists of words parted by spaces, and maps; some are empty in a language."""

    generic_headings: str
    title_endings: str
    thing_endings: str
    item_headers: str
    value_headers: str
    attribute_endings: str
    generic_absent: dict[str, str]
    adjectives: dict[str, str]
    self_reference: str = ""
    refused_openings: str = ""
    inner_refused: str = ""
    copulas: str = ""
    quantity_verbs: str = ""
    vague_before: str = ""
    agents: dict[str, str] = {}
    instructions: str = ""
    opening_formal: str = ""
    opening_casual: str = ""
    verbs: dict[str, str] = {}
    plural_verbs: str = ""
    deeds: dict[str, str] = {}
    adnominal: str = ""


@cache
def lists(language: Language) -> Lists:
    """The shipped lists of a language."""
    name = f"rag/synth/{language}.yaml"
    return parse(shipped(name), name, Lists)


def words(text: str) -> list[str]:
    """The words of a list; ``_`` stands for a space that belongs to the word."""
    return [word.replace("_", " ") for word in text.split()]


def any_of(found: Iterable[str]) -> str:
    """An expression for any of some words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(set(found), key=lambda word: (-len(word), word)))


@cache
def opens_with(text: str, *, whole_words: bool = False) -> re.Pattern[str]:
    """An expression that matches a text that opens with a word of a list."""
    return re.compile(f"(?:{any_of(words(text))})" + (r"\b" if whole_words else ""), re.IGNORECASE)
