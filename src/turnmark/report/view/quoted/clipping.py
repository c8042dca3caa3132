"""Texts that are too long for their place."""

from __future__ import annotations

from turnmark.report.view.quoted.words import joined


def clipped(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis: ``most`` characters together, or fewer, so that a word is whole."""
    if len(text) <= most:
        return text
    end = most - 1
    while end > most // 2 and joined(text, end):
        end -= 1
    return text[: end if end > most // 2 else most - 1].rstrip() + "…"
