"""Stems of English words (Snowball)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


def english_stem(word: str) -> str:
    """The stem of a word in small letters."""
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer  # noqa: PLC0415 - all of its languages load with it: only for the first English word

    result: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return result
