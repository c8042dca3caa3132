"""Sentences that state nothing: greetings, thanks, offers, wishes and leave-taking (``packs/rag/courtesies.yaml``)."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from turnmark.packs.loading import parse, shipped

AROUND = re.compile(r"^[\W_]+|[\W_]+$")
"""Marks and pictures around a courtesy."""


@cache
def _courtesies() -> dict[str, list[str]]:
    """Whole sentences that greet, thank, offer, wish or take leave, whatever their gaps hold beside digits.

    As expressions, by the words that they begin with: few of them begin as a given text does.
    """
    classes = parse(shipped("rag/courtesies.yaml"), "rag/courtesies.yaml", dict[str, dict[str, str]])
    inside, behind = r"[^0-9.!?;。\n]{0,24}", r"[^0-9.!?;。\n,]{0,24}"
    results: dict[str, list[str]] = {}
    listed = ",".join(text for languages in classes.values() for text in languages.values()).split(",")
    for phrase in filter(None, map(str.strip, listed)):
        parts = phrase.removesuffix("…").split("…")
        expression = inside.join(map(re.escape, parts)) + behind * phrase.endswith("…")
        results.setdefault(parts[0], []).append(expression)
    return results


@lru_cache(maxsize=1024)
def _courtesies_from(opening: str) -> re.Pattern[str]:
    return re.compile("|".join(_courtesies()[opening]))


_LONGEST_COURTESY = 80


def is_courtesy(text: str) -> bool:
    """Whether a text only greets, thanks, apologises, offers, wishes or takes leave."""
    if len(text) >= _LONGEST_COURTESY:
        return False
    text = AROUND.sub("", text)
    if not text.startswith(_openings()):
        return False
    return any(
        _courtesies_from(opening).fullmatch(text) is not None for opening in _courtesies() if text.startswith(opening)
    )


@cache
def _openings() -> tuple[str, ...]:
    return tuple(_courtesies())
