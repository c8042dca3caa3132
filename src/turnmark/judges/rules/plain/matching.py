"""Whether words and values of two statements say the same, each in its role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, count

from rapidfuzz.distance import LCSseq

from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.computed import computed
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
    if not same or not mine.forms or not theirs.forms:
        return same
    for one in mine.forms:
        for other in theirs.forms:
            if one.stem == other.stem and _same_role(one.role, other.role):
                return True
    return False


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
    numbers = count()
    plain: defaultdict[str, int] = defaultdict(numbers.__next__)
    others: list[tuple[Token, int]] = []
    return [
        [
            plain[each.key] if each.value is None and not each.forms else _number(each, others, numbers)
            for each in tokens
        ]
        for tokens in lists
    ]


def _number(token: Token, known: list[tuple[Token, int]], numbers: Iterator[int]) -> int:
    """The number of a value, or of a word with forms: that of a known one which it is like, or the next one."""
    for other, number in known:
        if alike(token, other):
            return number
    known.append((token, next(numbers)))
    return known[-1][1]


class Words(tuple[Token, ...]):  # noqa: SLOT001 - what is computed is kept
    """Tokens among which words are looked for."""

    @computed
    def keys(self) -> frozenset[str]:
        """The keys of the words, values aside."""
        return frozenset([each.key for each in self if each.value is None])

    @computed
    def stems(self) -> frozenset[str]:
        """All that the Korean words may be."""
        return frozenset([form.stem for each in self if each.forms and each.forms[0].stem for form in each.forms])

    @computed
    def longer_stems(self) -> frozenset[str]:
        """The stems of more than one letter."""
        return frozenset([stem for stem in self.stems if len(stem) > 1])

    @computed
    def roles(self) -> frozenset[str]:
        """The roles that the Korean words may have."""
        return frozenset([form.role for each in self for form in each.forms if form.stem])

    @computed
    def values(self) -> list[Value]:
        """The values, in order."""
        return [each.value for each in self if each.value is not None]

    def hold(self, one: Token) -> bool:
        """Whether a word or value stands among them, a word in whatever role."""
        if one.value is not None or (one.forms and not one.forms[0].stem):
            # The role of a value, and of a word of other letters in a Korean text, is that of the particle behind it.
            return any(alike(one, each) for each in self)
        if one.key in self.keys:
            return True
        return bool(one.forms) and not self.stems.isdisjoint([form.stem for form in one.forms])

    def hold_beginning(self, one: Token) -> bool:
        """Whether a word of some length opens one of them, or is opened by one: regist, registration."""
        return one.key in self._beginnings or not self.keys.isdisjoint(_beginnings(one.key))

    @computed
    def _beginnings(self) -> frozenset[str]:
        return frozenset(chain.from_iterable([_beginnings(each) for each in self.keys]))

    def hold_part(self, one: Token) -> bool:
        """Whether a Korean word is a part of one of them, or has one as a part: 주차, 주차장."""
        for stem in [form.stem for form in one.forms if len(form.stem) > 1]:
            for other in self.longer_stems:
                if stem in other or other in stem:
                    return True
        return False


def _beginnings(key: str) -> list[str]:
    return [key[:size] for size in range(BEGINNING, len(key) + 1)]


BEGINNING = 4
"""Letters of an English word, at least, that opens another one of the same meaning."""


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
        for place, other in enumerate(theirs):
            if not used[place] and alike(each, other):
                used[place] = True
                break
        else:
            return None
    return used
