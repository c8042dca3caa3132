"""Texts that are too long for their place."""

from __future__ import annotations


def clipped(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis: ``most`` characters together."""
    return text if len(text) <= most else text[: most - 1] + "…"
