"""Words of folded text in three languages, and how much each weighs.

English words are stemmed (Snowball); Korean words lose their particles and give the pairs of their syllables, so that
endings match in part; runs of ideographs give their pairs of characters, which needs no dictionary. Numbers are
written in one way. A word's weight is its inverse document frequency in a small table that ships in ``packs/rag``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from operator import add

import msgspec

from turnmark.language.stems import english_stem
from turnmark.language.text.fold import fold_text
from turnmark.packs.loading import parse, shipped

_WORD = re.compile(
    r"[a-z\u00c0-\u024f\u0370-\u03ff][a-z\u00c0-\u024f\u0300-\u03ff]*(?:'[a-z]{1,2})?|[0-9]+(?:[.,][0-9]+)*|[\u3400-\u9fff]+|[\uac00-\ud7a3]+"
)
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]{1,2})?|[0-9]+(?:[.,][0-9]+)*")
_HAN = ("\u3400", "\u9fff")
_HANGUL = ("\uac00", "\ud7a3")


class Lists(msgspec.Struct, frozen=True):
    """``packs/rag/words.yaml``: function words, Korean particles and endings, words of totality, by language."""

    stop: dict[str, str]
    particles: str
    endings: str
    absolutes: dict[str, str]
    avoidance: dict[str, str]
    number_words: str


@cache
def lists() -> Lists:
    """The shipped word lists."""
    return parse(shipped("rag/words.yaml"), "rag/words.yaml", Lists)


@cache
def _stop() -> frozenset[str]:
    results = {word for language in lists().stop.values() for word in language.split()}
    # Function words are told by their stems too, as all units are.
    return frozenset(results | {stem(word) for word in results if word.isascii()})


def _longest_first(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=lambda word: (-len(word), word)))


@cache
def _endings() -> tuple[tuple[str, ...], tuple[str, ...]]:
    return _longest_first(lists().particles), _longest_first(lists().endings)


@cache
def _frequencies() -> dict[str, int]:
    loaded: dict[str, float] = msgspec.json.decode(shipped("rag/word_weights.json"))["weights"]
    return {word: round(10 * value) for word, value in loaded.items()}


UNSEEN = 70
"""Weight of a word that the table does not hold: rarer than all of those."""
LIGHT = 3
"""Weight of function words."""


@cache
def _number_words() -> dict[str, str]:
    result = lists().number_words.split()
    return dict(zip(result[::2], result[1::2], strict=True))


_CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one folded English word: without accents, number words as digits."""
    word = _CONTRACTED.get(word) or word.removesuffix("n't").partition("'")[0]
    if not word.isascii():
        word = "".join([mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark)])
    number = _number_words().get(word)
    if number is not None:
        return number
    return word if len(word) < 4 else english_stem(word)


@lru_cache(maxsize=1 << 16)
def korean_stem(word: str) -> str:
    """A Korean word without its particle or its commonest endings; at least one syllable stays."""
    for endings in _endings():
        for ending in endings:
            if len(word) > len(ending) and word.endswith(ending):
                word = word[: -len(ending)]
                break
    return word


@lru_cache(maxsize=1 << 16)
def _number(text: str) -> str:
    plain = text.replace(",", "")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


def _pairs_of(word: str) -> tuple[str, ...]:
    return tuple(map(add, word, word[1:])) or (word,)


@lru_cache(maxsize=1 << 15)
def _units(word: str) -> tuple[str, ...]:
    first = word[0]
    if _HANGUL[0] <= first <= _HANGUL[1]:
        return _pairs_of(korean_stem(word))
    if first.isdigit():
        return (_number(word),)
    return (stem(word),)


def units(folded: str) -> list[str]:
    """The units of a folded text in order: stems, pairs of ideographs or syllables, numbers."""
    if folded.isascii():
        return list(chain.from_iterable(map(_units, _ASCII_WORD.findall(folded))))
    results: list[str] = []
    for word in _WORD.findall(folded):
        # A run of ideographs seldom comes again, so that remembering its pairs is in vain.
        results += _pairs_of(word) if _HAN[0] <= word[0] <= _HAN[1] else _units(word)
    return results


@lru_cache(maxsize=1 << 12)
def folded(text: str) -> str:
    """The folded form of a few characters."""
    return fold_text(text)


@lru_cache(maxsize=1 << 17)
def weight(unit: str) -> int:
    """Ten times the inverse document frequency of a unit: `LIGHT` for function words, `UNSEEN` for rare ones.

    Whole numbers, so that sums do not depend on their order.
    """
    return LIGHT if unit in _stop() else _frequencies().get(unit, UNSEEN)


def weights(units: Iterable[str]) -> dict[str, int]:
    """The different units with their weights, in the order in which they first occur."""
    different = dict.fromkeys(units)
    return dict(zip(different, map(weight, different), strict=True))
