"""Edits of one text by rules, in Chinese, Korean and English: what the self-test does to replies and passages.

Every edit returns the changed text, or None where it finds nothing to change. Words come from
``packs/selftest/words.yaml``; they are not those of the detectors.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from turnmark.language.quantity.quantity import quantities
from turnmark.language.script import detect_language
from turnmark.language.text.fold import fold_text
from turnmark.language.text.segment import segment
from turnmark.packs.loading import digest, parse, shipped

WORDS = "selftest/words.yaml"

Amount = tuple[float, str]
"""A value and its unit, as `turnmark.language.quantity.quantity` spells units."""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_DOSE = re.compile(r"[ <>=~]*\d+(?:\.\d+)?[ ]?(?:[a-zμ%]{1,4}(?:/[\w.^]+)*)?$")
_BULLETS = re.compile(r"(?m)(?:^[-*•] [^\n]*(?:\n|\Z)){2,}")
_SPACE = re.compile(r"(?<=[。！？!?]) ?(?=\S)|(?<=[.,;]) (?=\S)")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_CHINESE_POINTS = str.maketrans("，。；：！？（）", ",.;:!?()")
_OTHER_POINTS = str.maketrans("()'", "（）’")
_OLDEST = 99
_ENDS = "。！？.!?"


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to say where a constraint or a record holds one of the words ``any``."""

    any: tuple[str, ...]
    say: str


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; the comment at the head of the file explains them."""

    risk: tuple[str, ...]
    risk_too: tuple[str, ...]
    promise: tuple[str, ...]
    forbidden: tuple[Advice, ...]
    unsafe: tuple[Advice, ...]
    unsupported: tuple[str, ...]
    bare: tuple[str, ...]
    explains: Mapping[str, str]
    polite: tuple[str, ...]
    age: str
    takes: str
    has: str
    takes_not: str
    has_not: str
    plan: str
    vague: str
    remembers: str
    abides: str
    offers: str
    beyond: tuple[str, str]
    product: str
    losses: tuple[str, ...]
    measured: str
    underwent: str
    slots: Mapping[str, str]
    tells: str
    refuses: tuple[str, ...]
    refusal: tuple[str, ...]
    synonyms: tuple[tuple[str, str], ...]
    manner: tuple[tuple[str, str], ...]
    negated: tuple[str, ...]
    whole: tuple[str, ...]
    negations: tuple[tuple[str, str], ...]


class _Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str
    languages: dict[str, Words]


@cache
def _pack() -> _Pack:
    return parse(shipped(WORDS), WORDS, _Pack)


def words_signature() -> Mapping[str, str]:
    """Version and digest of the words; they shape the figures of a self-test."""
    return {"selftest.words": f"{_pack().version} {digest(shipped(WORDS))}"}


def words_of(text: str) -> Words:
    """The words of the language in which a text is written; English where it is written in none (digits, emoji)."""
    languages = _pack().languages
    return languages.get(detect_language(text), languages["en"])


def change_number(text: str, chance: random.Random, among: Collection[Amount] | None = None) -> str | None:
    """Another value for one amount written in digits, beyond any rounding: 1.5 to 3 times as much, of as many decimals.

    An age stays one that somebody can have, and becomes 11 years less or more.
    ``among`` narrows the amounts to these values with these units. Dates, times, ordinals and codes are left alone.
    """
    results = [
        (quantity, digits)
        for quantity in quantities(text)
        if quantity.kind == "amount"
        and quantity.low == quantity.high
        and (digits := _DIGITS.search(text, quantity.start, quantity.end))
        and (among is None or (quantity.low, quantity.unit) in among)
    ]
    if not results:
        return None
    quantity, digits = chance.choice(results)
    value = float(digits[0])
    changed = max(value * chance.choice((1.5, 2.0, 3.0)), value + 1)
    if quantity.unit == "year_old" and changed > _OLDEST:
        changed = value - chance.choice((11, 17, 23)) if value <= _OLDEST else value + 1
    decimals = len(digits[0].partition(".")[2])
    written = f"{changed:.{decimals}f}"
    return text[: digits.start()] + written + text[digits.end() :]


def amounts_in(value: Any) -> set[Amount]:
    """All amounts with a unit that the texts of a record hold."""
    if isinstance(value, str):
        return {
            (quantity.low, quantity.unit)
            for quantity in quantities(value)
            if quantity.kind == "amount" and quantity.unit
        }
    if isinstance(value, Mapping | list | tuple):
        return set().union(*map(amounts_in, _parts(value)))
    return set()


def numbers_in(value: Any) -> set[float]:
    """All numbers of a record, in digits, those written in its texts included."""
    if isinstance(value, str):
        return {float(digits) for digits in _DIGITS.findall(fold_text(value))}
    if isinstance(value, Mapping | list | tuple):
        return set().union(*map(numbers_in, _parts(value)))
    return {float(value)} if isinstance(value, int | float) and not isinstance(value, bool) else set()


def _parts(value: Mapping[str, Any] | Sequence[Any]) -> Collection[Any]:
    return value.values() if isinstance(value, Mapping) else value


def names_in(value: Any) -> set[str]:
    """All texts of a record that are more than a number with its unit, folded; without the dose or value at the end."""
    if isinstance(value, str):
        name = _DOSE.sub("", fold_text(value)).strip()
        return {name} if len(name) > 1 else set()
    if isinstance(value, Mapping | list | tuple):
        return set().union(*map(names_in, _parts(value)))
    return set()


def negate(text: str) -> str | None:
    """The first sentence that is not negated yet, turned into its opposite."""
    words = words_of(text)
    for sentence in segment(text).sentences:
        said = text[sentence.start : sentence.end]
        if any(mark in said.lower() for mark in words.negated):
            continue
        masked = said
        for word in words.whole:
            masked = masked.replace(word, "\0" * len(word))
        for plain, opposite in words.negations:
            at = masked.find(plain)
            if at >= 0:
                start = sentence.start + at
                return text[:start] + opposite + text[start + len(plain) :]
    return None


def drop_sentences(text: str, is_dropped: Callable[[str], bool]) -> str | None:
    """The text without the sentences for which ``is_dropped`` holds; None where that would leave all or nothing."""
    kept = text
    spans = [(sentence.start, sentence.end) for sentence in segment(text).sentences]
    dropped = [span for span in spans if is_dropped(text[slice(*span)])]
    if not dropped or len(dropped) == len(spans):
        return None
    for start, end in reversed(dropped):
        kept = kept[:start] + kept[end:]
    return kept.strip() or None


def drop_risk(text: str) -> str | None:
    """Without the sentences that disclose a risk, or may; None where none surely does."""
    words = words_of(text)
    if not any(word in text.lower() for word in words.risk):
        return None
    dropped = words.risk + words.risk_too
    return drop_sentences(text, lambda said: any(word in said.lower() for word in dropped))


def add(text: str, sentence: str) -> str:
    """One more sentence at the end, in a paragraph of its own where the text has several lines."""
    body = text.rstrip()
    if "\n" in body:
        return f"{body}\n\n{sentence}"
    stop = "" if not body or body[-1] in _ENDS else "。" if detect_language(body) == "zh" else "."
    return f"{body}{stop}{'' if detect_language(sentence) == 'zh' else ' '}{sentence}"


def full_width_digits(text: str) -> str | None:
    """Digits of full width: 10 becomes １０."""
    return _changed(text, text.translate(_WIDE))


def extra_spaces(text: str) -> str | None:
    """Two spaces where a sentence or a clause has ended."""
    return _changed(text, _SPACE.sub("  ", text))


def other_points(text: str) -> str | None:
    """The same punctuation in characters of another width or shape."""
    return _changed(text, text.translate(_CHINESE_POINTS if detect_language(text) == "zh" else _OTHER_POINTS))


def synonyms(text: str) -> str | None:
    """Words that say the same in each other's place."""
    return _exchanged(text, words_of(text).synonyms)


def other_manner(text: str) -> str | None:
    """The same in another manner of speech: more or less polite, full or shortened forms."""
    return _exchanged(text, words_of(text).manner)


def _exchanged(text: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    others = {item: other for pair in pairs for item, other in (pair, pair[::-1])}
    spaced = {"zh": ("", ""), "ko": ("", r"(?=[\s.,]|$)")}.get(detect_language(text), (r"\b", r"\b"))
    words = "|".join(re.escape(word) for word in sorted(others, key=len, reverse=True))

    def exchange(found: re.Match[str]) -> str:
        said = others.get(found[0].lower(), found[0])
        return said[0].upper() + said[1:] if found[0][0].isupper() else said

    return _changed(text, re.sub(f"(?i){spaced[0]}(?:{words}){spaced[1]}", exchange, text))


def reverse_bullets(text: str) -> str | None:
    """Every list of bullets in the opposite order. Numbered lists stay: their order may carry meaning."""

    def reverse(found: re.Match[str]) -> str:
        lines = found[0].rstrip("\n").split("\n")
        return "\n".join(reversed(lines)) + "\n" * (len(found[0]) - len(found[0].rstrip("\n")))

    return _changed(text, _BULLETS.sub(reverse, text))


def _changed(before: str, after: str) -> str | None:
    return None if after == before else after


def similarity(text: str, other: str) -> float:
    """Share of the letter pairs of ``other`` that ``text`` holds, 0 to 1."""
    pairs = _pairs(other)
    return len(pairs & _pairs(text)) / len(pairs) if pairs else 0.0


@lru_cache(maxsize=512)
def _pairs(text: str) -> frozenset[str]:
    letters = "".join(character for character in fold_text(text) if character.isalnum())
    return frozenset(letters[index : index + 2] for index in range(len(letters) - 1))
