"""Texts from data in the cells of spreadsheets: they are neither formulas nor do they act unseen."""

from __future__ import annotations

from turnmark.report.view.control_characters import visible

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What spreadsheets read as the start of a formula, full-width forms included, or skip before one."""


def inert(value: object) -> object:
    """A text with `'` before what would start a formula, and hidden characters as their code; all else as it is."""
    if not isinstance(value, str):
        return value
    text = visible(value).replace("\r", "[U+000D]")
    return f"'{text}" if value.lstrip(" ").startswith(_STARTS_FORMULA) else text
