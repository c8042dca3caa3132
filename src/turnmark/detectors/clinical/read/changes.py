"""A value that went from one number to another: from 8.1 to 7.4, 8.1에서 7.4로, 从8.1降到7.4."""

from __future__ import annotations

import re

from turnmark.language.quantity.quantity import Quantity

WENT_TO = re.compile(
    " ?(?:(?:down |up |back )?to|(?:에서|->|→)|(?:下?降|降低|回落|上?升|升高|涨|改善)?(?:到|至)了?|(?:现在|지금은?)) ?"
)
"""What stands between the first and the last value of a change."""
_CHANGED_BEFORE = re.compile(
    r"\b(?:went|gone|came|come|dropped|fell|fallen|rose|risen|climbed|improved|moved|changed|decreased|increased)\b"
    r"[a-z ,]{0,24}$"
)
_CHANGED_BEHIND = re.compile("(?:으로|로) ?[가-힣 ]{0,5}[왔졌랐었났렸]")


def ends_change(text: str, first: Quantity, amount: Quantity) -> bool:
    """Tell the last value of a change that has happened; one that is to come is a target.

    Args:
        text: Folded text.
        first: The value that the change began with.
        amount: The amount that may end it.

    """
    if not WENT_TO.fullmatch(text, first.end, amount.start):
        return False
    return bool(
        _CHANGED_BEFORE.search(text, max(0, first.start - 40), first.start) or _CHANGED_BEHIND.match(text, amount.end)
    )
