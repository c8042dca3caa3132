"""Whether words and values of two statements say the same, each in its role."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from turnmark.judges.rules.plain.statements import Token
from turnmark.language.values import Value, compare_values

_APART = {
    frozenset(pair)
    for pair in (
        ("subject", "object"), ("subject", "to"), ("object", "to"), ("from", "until"), ("from", "to"), ("by", "than"),
        ("with", "than"), ("of", "verb"), ("until", "to"), ("until", "than"), ("from", "than"), ("with", "object"),
    )
}  # fmt: skip
"""Roles that say different things of a word."""


def alike(mine: Token, theirs: Token) -> bool:
    """Whether two tokens say the same: equal values, the same word, a Korean word in a role that may be the same."""
    if mine.value is None and theirs.value is None:
        if not mine.forms or not theirs.forms:
            return mine.key == theirs.key
        same = bool(mine.forms[0].stem and theirs.forms[0].stem) or mine.key == theirs.key
    elif mine.value is None or theirs.value is None:
        return False
    else:
        same = same_value(mine.value, theirs.value)
    return same and (
        not mine.forms
        or not theirs.forms
        or any(
            one.stem == other.stem and _same_role(one.role, other.role) for one in mine.forms for other in theirs.forms
        )
    )


def _same_role(one: str, other: str) -> bool:
    if "than" in (one, other):
        return one == other
    return frozenset((one, other)) not in _APART


def same_value(mine: Value, theirs: Value) -> bool:
    """Whether two values are the same, in whatever words, with the same bound and as exact."""
    if mine.approximate != theirs.approximate:
        return False
    bounds = {"from": "", "until": ""}
    if bounds.get(mine.comparator, mine.comparator) != bounds.get(theirs.comparator, theirs.comparator):
        return False
    return compare_values(mine, theirs).relation == "equal"


def numbered(lists: Sequence[Sequence[Token]]) -> list[list[int]]:
    """Tokens as numbers, those that say the same being equal."""
    known: list[tuple[Token, int]] = []
    keys: dict[str, int] = {}
    results = []
    for tokens in lists:
        numbers = []
        for each in tokens:
            plain = each.value is None and not each.forms
            number = keys.get(each.key) if plain else next((at for other, at in known if alike(each, other)), None)
            if number is None:
                number = len(keys) + len(known)
                if plain:
                    keys[each.key] = number
                else:
                    known.append((each, number))
            numbers.append(number)
        results.append(numbers)
    return results


def names(one: Token, theirs: Sequence[Token]) -> bool:
    """Whether a word stands among others in whatever role."""
    stems = {form.stem for form in one.forms if form.stem}
    return any(alike(one, each) or not stems.isdisjoint(form.stem for form in each.forms) for each in theirs)


def match_all(mine: Sequence[Token], theirs: Sequence[Token], language: str) -> list[bool] | None:
    """Which tokens of a source say the tokens of a claim, each one once; None where any of these is not said.

    In the same order; Korean particles tell the roles, whatever the order.
    """
    if language == "ko":
        return _match_any_order(mine, theirs)
    one, other = numbered((mine, theirs))
    if not set(one) <= set(other):
        return None
    used = {
        place
        for step in LCSseq.opcodes(one, other)
        if step.tag == "equal"
        for place in range(step.dest_start, step.dest_end)
    }
    return [place in used for place in range(len(other))] if len(used) == len(one) else None


def _match_any_order(mine: Sequence[Token], theirs: Sequence[Token]) -> list[bool] | None:
    used = [False] * len(theirs)
    for each in mine:
        place = next((at for at, other in enumerate(theirs) if not used[at] and alike(each, other)), None)
        if place is None:
            return None
        used[place] = True
    return used
