"""Characters that act without being seen, made visible: in pages, tables and on the terminal alike."""

from __future__ import annotations

import re

_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """The text with characters that act without being seen (control characters, direction marks) as their code."""
    return _HIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)
