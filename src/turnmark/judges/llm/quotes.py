"""Where the words that a model quotes stand in a text."""

from __future__ import annotations

import re

from turnmark.language.text.fold import fold, fold_text

_EDGE = " \t\n\"'“”‘’「」『』《》.…。"
_SPACE = re.compile(r"\s+")


def located(quote: str, text: str) -> tuple[int, int] | None:
    """The span (code points) of a quote in a text, or None: word for word, or but for case, width and white space.

    Quotation marks, dots and ellipses around the quote do not count.
    """
    words = quote.strip(_EDGE)
    if not words:
        return None
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    parts = [re.escape(part) for part in _SPACE.split(fold_text(words)) if part]
    folded = fold(text)
    match = re.search(r"\s*".join(parts), folded.text) if parts else None
    return folded.to_original(*match.span()) if match and match.end() > match.start() else None
