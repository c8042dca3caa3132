"""Words of folded text in three languages, and how much each weighs.

English words are stemmed (Snowball); Korean words lose their particles and give the pairs of their syllables, so that
endings match in part; runs of ideographs give their pairs of characters, which needs no dictionary. Numbers are
written in one way. A word's weight is its inverse document frequency in a small table that ships in ``packs/rag``.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import snowballstemmer
import yaml

_PACK = files("turnmark.packs") / "rag"
_WORD = re.compile(r"[a-z\u00c0-\u024f]+(?:'[a-z]{1,2})?|[0-9]+(?:[.,][0-9]+)*|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")
_HAN = ("\u3400", "\u9fff")
_HANGUL = ("\uac00", "\ud7a3")


class Words(NamedTuple):
    """The word lists of ``packs/rag/words.yaml`` that the reader of texts needs."""

    stop: frozenset[str]
    particles: tuple[str, ...]
    endings: tuple[str, ...]


@cache
def lists() -> dict[str, Any]:
    """The word lists of ``packs/rag/words.yaml``, as written."""
    loaded: dict[str, Any] = yaml.safe_load((_PACK / "words.yaml").read_text("utf-8"))
    return loaded


@cache
def _words() -> Words:
    raw = lists()
    stop = frozenset(word for language in raw["stop"].values() for word in language.split())
    by_length = sorted(raw["particles"].split(), key=lambda word: (-len(word), word))
    endings = sorted(raw["endings"].split(), key=lambda word: (-len(word), word))
    return Words(stop, tuple(by_length), tuple(endings))


@cache
def _frequencies() -> dict[str, float]:
    loaded: dict[str, float] = json.loads((_PACK / "word_weights.json").read_text("utf-8"))["weights"]
    return loaded


UNSEEN = 7.0
"""Weight of a word that the table does not hold: rarer than all of those."""

_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one folded English word."""
    word = word.partition("'")[0]
    return word if len(word) < 4 else _stemmer.stemWord(word)


@lru_cache(maxsize=1 << 16)
def korean_stem(word: str) -> str:
    """A Korean word without its particle or its commonest endings; at least one syllable stays."""
    known = _words()
    for endings in (known.particles, known.endings):
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


@lru_cache(maxsize=1 << 15)
def _units(word: str) -> tuple[str, ...]:
    first = word[0]
    if _HAN[0] <= first <= _HAN[1]:
        return (word,) if len(word) == 1 else tuple([word[i : i + 2] for i in range(len(word) - 1)])
    if _HANGUL[0] <= first <= _HANGUL[1]:
        word = korean_stem(word)
        return (word,) if len(word) == 1 else tuple([word[i : i + 2] for i in range(len(word) - 1)])
    if first.isdigit():
        return (_number(word),)
    return (stem(word),)


def units(folded: str) -> list[str]:
    """The units of a folded text in order: stems, pairs of ideographs or syllables, numbers."""
    found: list[str] = []
    for word in _WORD.findall(folded):
        found += _units(word)
    return found


@lru_cache(maxsize=1 << 17)
def weight(unit: str) -> float:
    """The inverse document frequency of a unit; small for a word that says little, `UNSEEN` for a rare one."""
    return 0.3 if unit in _words().stop else _frequencies().get(unit, UNSEEN)
