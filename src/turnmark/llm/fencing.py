"""Texts of users in a request to a model: data that can not give orders."""

from __future__ import annotations

from typing import Any

import msgspec


def data_block(value: Any) -> str:
    """JSON between ``<data>`` and ``</data>``.

    Quotes and control characters of a text are escaped by JSON, and ``<`` too, so no text can end its string or the
    block: whatever it says, it stays data.
    """
    raw = msgspec.json.encode(value).decode().replace("<", "\\u003c")
    return f"<data>\n{raw}\n</data>"
