"""Whether the values of two texts agree: the amounts, durations and grades of a target, and what is said elsewhere."""

from __future__ import annotations

import functools
from typing import Literal

from turnmark.language.text.fold import Folded
from turnmark.language.values import compare_texts, read_passage
from turnmark.language.values.context import Passage
from turnmark.language.values.value import Kind

State = Literal["stated", "conflicting", "none"]

COUNTED: frozenset[Kind] = frozenset(("number", "quantity", "duration", "date", "time", "code", "ratio"))
"""The kinds of values that an amount of the user's can be of; opposites and yes or no are left to the words around."""


@functools.lru_cache(maxsize=4096)
def _passage(target: str) -> Passage:
    return read_passage(target)


def value_state(target: str, text: str | Folded) -> State:
    """Whether a text states the values of a target, other ones of the same things, or none of them.

    A value that is stated outweighs one that differs: a text that says 10% may tell of 12% elsewhere.
    """
    states = {finding.state for finding in compare_texts(_passage(target), [text]) if finding.value.kind in COUNTED}
    if "stated" in states:
        return "stated"
    return "conflicting" if "conflicting" in states else "none"
