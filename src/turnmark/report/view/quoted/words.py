"""Words that are quoted by themselves begin and end where words do."""

from __future__ import annotations

import unicodedata

from turnmark.schemas.evidence import Evidence

_WITHIN = frozenset("'’.,-_/%")
"""Characters that belong to a word between letters or digits; % also at the end of a number."""


def whole_words(text: str, start: int, end: int) -> str:
    """What stands at a span of a text, widened to whole words.

    Where words are written without spaces (Han, kana) no word is known to end, and the span is left as it is there.
    """
    while start > 0 and joined(text, start):
        start -= 1
    while end < len(text) and joined(text, end):
        end += 1
    return text[start:end]


def quoted(piece: Evidence, text: str) -> str:
    """The words of evidence in the text that holds them, widened to whole words; as they are where it does not."""
    holds = 0 <= piece.start < piece.end <= len(text) and text[piece.start : piece.end] == piece.quote
    return whole_words(text, piece.start, piece.end) if holds else piece.quote


def joined(text: str, at: int) -> bool:
    """Whether the characters before and behind a place are of one word."""
    before, behind = text[at - 1], text[at]
    if behind == "%" and before.isdigit():
        return True
    if before in _WITHIN:
        return at > 1 and _is_spaced(text[at - 2]) and _is_spaced(behind)
    if behind in _WITHIN:
        return at + 1 < len(text) and _is_spaced(before) and _is_spaced(text[at + 1])
    return _is_spaced(before) and _is_spaced(behind)


def _is_spaced(character: str) -> bool:
    """Whether a character is a letter, a mark or a digit of a script that sets words apart by spaces."""
    if unicodedata.category(character)[0] not in "LMN":
        return False
    return not any(unicodedata.name(character, "").startswith(name) for name in _UNSPACED)


_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO")
