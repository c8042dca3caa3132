"""Texts as encoders want them: cleaned, simplified, in pieces of bounded length."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from turnmark.language.text.fold import character_table
from turnmark.language.text.segment import segment

LONGEST_PIECE = 400
"""Characters of one piece; a vector says less of a text the longer that is."""
MOST = 20_000
"""Characters of a text that are encoded; what stands behind them does not move the vector."""

_SPACE = re.compile(r"\s+")


@cache
def _table() -> dict[int, str | None]:
    """Traditional ideographs to simplified ones; control and format characters and lone surrogates to nothing."""
    table: dict[int, str | None] = {
        ord(old): new for old, new in character_table().items() if "\u3400" <= old <= "\u9fff" and len(old) == 1
    }
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} and not character.isspace():
            table[code] = None
    return table


def cleaned(text: str) -> str:
    """A text without what encoders trip over, in compatibility form (NFKC) and simplified characters; at most `MOST`.

    A control character ends a text for some encoders, decomposed Hangul is unknown to others, and a traditional
    sentence lies as far from its simplified form as from another sentence.
    """
    return unicodedata.normalize("NFKC", text[:MOST].translate(_table()))[:MOST]


def pieces(text: str) -> list[str]:
    """The cleaned text in pieces of whole sentences, none longer than `LONGEST_PIECE`; none for a text of spaces."""
    clean = cleaned(text)
    whole = _joined(clean)
    if len(whole) <= LONGEST_PIECE:
        return [whole] if whole else []
    results = [""]
    for sentence in segment(clean).sentences:
        words = _joined(clean[sentence.start : sentence.end])
        for start in range(0, len(words), LONGEST_PIECE):
            part = words[start : start + LONGEST_PIECE]
            if len(results[-1]) + len(part) >= LONGEST_PIECE:
                results.append(part)
            else:
                results[-1] = f"{results[-1]} {part}".strip()
    return [piece for piece in results if piece]


def _joined(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
