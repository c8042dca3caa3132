"""Whether the values of two texts agree: the amounts, durations and grades of a target, and what is said elsewhere."""

from __future__ import annotations

import functools
import re
from typing import Literal

from turnmark.language.text.fold import Folded
from turnmark.language.values import compare_texts, compare_values, read_passage, read_values
from turnmark.language.values.context import Passage
from turnmark.language.values.value import Kind, Value

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


def all_values(target: str, line: str, *, near: bool) -> State:
    """What a line that notes down an utterance does to its values: states all of them, or another one of a kind.

    Unlike `value_state`, one value that differs is enough: a note of another age and the same income is another note.

    Args:
        target: The utterance.
        line: A line of memory.
        near: Whether the line is about the same by its words; else one of the values must be, and only an age differ.

    """
    wanted, held = _counted(target), _counted(line)
    left = [value for value in wanted if not any(compare_values(value, other).follows for other in held)]
    beside = [value for value in held if not any(compare_values(other, value).follows for other in wanted)]
    if not near and len(left) == len(wanted):
        return "none"
    ages = [float(age[1]) for age in _AGE.finditer(target.lower())]
    single = len(left) == len(beside) == 1
    for value in left:
        unit = "year_old" if not value.unit and value.low in ages else value.unit
        if not near and unit != "year_old":
            continue
        if any(other.unit == unit and other.kind != "date" and (unit or single) for other in beside):
            return "conflicting"
        if single and _bare(value) and _bare(beside[0]):
            return "conflicting"
    return "stated" if wanted and not left else "none"


_AGE = re.compile(r"\b(?:i'm|i am|aged?) ([1-9][0-9]|1[01][0-9])\b(?![%,.]?[0-9])")
_LEAST_BARE = 1000


def _bare(value: Value) -> bool:
    """Whether a value is an amount of money without a currency, or one with it."""
    return value.kind in ("number", "quantity") and value.low >= _LEAST_BARE


def _counted(text: str) -> list[Value]:
    return [value for value in read_values(text) if value.kind in COUNTED]
