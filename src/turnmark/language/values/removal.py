"""A text without its values: what is left to compare where only the words count."""

from __future__ import annotations

from turnmark.language.text.fold import Folded, fold_text
from turnmark.language.values.reader import read_values
from turnmark.language.values.value import Kind

WORDED: frozenset[Kind] = frozenset(("polarity", "truth"))
"""Kinds whose values are words: opposites, yes and no."""


def replaced_values(text: str, by: str) -> str:
    """A text, folded, with ``by`` in the place of every amount, date, time, code and ratio."""
    folded = fold_text(text)
    pieces, end = [], 0
    for value in read_values(Folded(folded, folded, folded, None, None)):
        if value.kind not in WORDED and value.start >= end:
            pieces += [folded[end : value.start], by]
            end = value.end
    return "".join([*pieces, folded[end:]])
