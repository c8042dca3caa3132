"""On which side of a length of time or an amount a statement stands: within 12 months, or after them.

Its word may stand away from the value (12개월 안이면, 12개월이 지나면), where no reader of values binds the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.reading import Reading
from turnmark.language.text.fold import Folded
from turnmark.language.values import Value, ValueFinding, read_values

_INSIDE = {
    "en": re.compile(r"\b(?:within|inside|in under|during the first|before the end of)\s+(?:the |first )*$"),
    "zh": re.compile("^(?:以内|之内|内)"),
    "ko": re.compile(r"^(?:이|의)?\s?(?:안(?!\s|[가-힣]*않)|안에|이내|내(?![가-힣]*[야요면]))"),
}
_BEYOND = {
    "en": re.compile(r"\b(?:after|beyond|past|more than|over|later than)\s+(?:the |first )*$"),
    "zh": re.compile("^(?:以后|之后|过后|后(?!内))"),
    "ko": re.compile(
        r"^(?:이|을|가|를)?\s?(?:이후|지나|지난|지났|넘|초과|경과|후(?:에|면|부터|\s|$)|뒤(?:에|면|부터|\s|$))"
    ),
}
Side = tuple[str, float]
"""One side of a pair of opposites: its name, and 1 or -1."""


def sides_of(values: Iterable[Value]) -> set[Side]:
    """The sides that words of a text take: up, free, open."""
    return set(_worded(values))


def against(claim: Reading, words: str) -> str | None:
    """How the words of a claim turn what those of a clause say: rose, where that says fell; None where they do not.

    "" where the clause takes no side of a pair of which the claim takes one.
    """
    mine = _worded(claim.passage.values)
    theirs = _worded(read_values(words)) if mine else {}
    new = [each for each in mine if each not in theirs]
    if not new:
        return None
    turned = [(mine[unit, side], theirs[unit, -side]) for unit, side in new if (unit, -side) in theirs]
    return next((f"opposite: {one} ≠ {other}" for one, other in turned), "")


def _worded(values: Iterable[Value]) -> dict[Side, str]:
    return {(each.unit, each.low): each.text for each in values if each.kind == "polarity"}


_COMPARATORS = {"at_most": -1, "less_than": -1, "until": -1, "before": -1, "more_than": 1, "after": 1}


def side_of(text: Folded, value: Value, language: str) -> int:
    """-1 for a value within which something holds, 1 for one beyond which it does, 0 where neither is said."""
    known = _COMPARATORS.get(value.comparator, 0)
    if known or language not in _INSIDE:
        return known
    start, end = text.from_original(value.start, value.end)
    words = text.text[max(0, start - 24) : start] if language == "en" else text.text[end : end + 8]
    if _INSIDE[language].search(words):
        return -1
    return int(_BEYOND[language].search(words) is not None)


def on_other_side(read: Read, found: ValueFinding, findings: Sequence[ValueFinding]) -> bool:
    """Whether a claim says beyond a value what the material says within it, or the reverse: by another value.

    Without one the predicate may turn too: 1.5% within seven days, nothing after them.
    """
    other = found.other
    if other is None or found.value.kind not in ("duration", "quantity", "number") or found.value.low != other.low:
        return False
    if not any(each.state == "stated" and _is_beside(each, found) for each in findings):
        return False
    there = read.material.readings[found.passage]
    mine = side_of(read.claim.folded, found.value, read.claim.language)
    return mine * side_of(there.folded, other, there.language) < 0


def _is_beside(one: ValueFinding, found: ValueFinding) -> bool:
    """Whether a value is an amount of another kind than one that is found in the same text."""
    amount = one.value.kind in ("quantity", "duration", "number")
    return (
        amount
        and one.passage == found.passage
        and (one.value.kind, one.value.unit) != (found.value.kind, found.value.unit)
    )
