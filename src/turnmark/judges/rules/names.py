"""Names of people in Chinese and Korean, told by their family names."""

from __future__ import annotations

import re
from functools import cache

from turnmark.judges.rules import words
from turnmark.packs.loading import parse, shipped

_LONGEST = 4
_WEIGHT = 50
SLOT = re.compile("[\u3400-\u9fff\uac00-\ud7a3]{2,6}")


def is_name(text: str, language: str) -> bool:
    """Whether a few characters open with a family name and are no everyday word."""
    if len(text) > _LONGEST or not text.startswith(_family_names()[language]) or SLOT.fullmatch(text) is None:
        return False
    return any(words.weight(unit) >= _WEIGHT for unit in words.units(text))


@cache
def _family_names() -> dict[str, tuple[str, ...]]:
    result = parse(shipped("rag/names.yaml"), "rag/names.yaml", dict[str, str])
    return {language: tuple(text.split()) for language, text in result.items()}
