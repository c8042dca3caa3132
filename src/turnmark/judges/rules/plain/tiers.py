"""Which of several values holds for the one that a question gives: 15 days below five years, 20 from then on.

Each clause that binds one value to limits is a tier. Where the limits of exactly one tier hold for the value that was
asked about, the answer is the value of that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.plain.limits import is_tiered
from turnmark.judges.rules.plain.matching import names, same_value
from turnmark.judges.rules.plain.statements import Statement, asked_words, pattern, read_statement
from turnmark.language.values import Value, compare_values

_KINDS = ("duration", "quantity", "number")
_LEAST = 2
"""Tiers between which there is a choice, at least."""
_MOST = 60
"""Sentences of material whose tiers are read, at most."""
_FROM = {
    "en": re.compile(r"\b(?:from|after|over|aged?|at least)\s+(?:the\s+)?$"),
    "zh": re.compile("(?<!不)(?<!未)(?:满|达|超过|超)$"),
}
"""What makes a lower limit of a number behind it, where no reader of values binds the two."""
_YEARS = "school_year"
_AGES = ("year_old", "")


class Tier(NamedTuple):
    """A value and the limits within which it holds; ``low`` belongs to them, ``high`` does where ``closed``."""

    value: Value
    low: float
    high: float
    open_low: bool
    closed: bool
    sentence: int

    def holds(self, given: float) -> bool:
        """Whether a value lies within the limits."""
        above = given > self.low if self.open_low else given >= self.low
        return above and (given <= self.high if self.closed else given < self.high)


def by_tier(read: Read) -> Decision | None:
    """What the tiers of the material say of a short claim; None where its question gives no value to place."""
    given = _placed(read)
    if given is None:
        return Decision("not_decided", PARAPHRASE) if is_tiered(read) else None
    said = [each for each in read.claim.passage.values if each.kind in _KINDS and not same_value(each, given)]
    if len(said) == 1 and not pattern("denied", read.claim.language).search(read.claim.compact):
        tiers = list(_tiers(read, given, said[0]))
        holding = [each for each in tiers if each.holds(given.low)]
        if len(tiers) >= _LEAST and len(holding) == 1:
            return _held_against(read, said[0], holding[0])
    return Decision("not_decided", PARAPHRASE) if is_tiered(read) else None


def _held_against(read: Read, said: Value, tier: Tier) -> Decision:
    sentence = read.material.sentences[tier.sentence]
    place = (read.material.place(tier.sentence), sentence.start, sentence.end)
    if same_value(said, tier.value):
        known = [*_statement(read, tier.sentence).telling, *asked_words(read.question.compact if read.question else "")]
        mine = read_statement(read.claim, read.claim.sentences[0]).telling
        if not all(names(each, known) for each in mine if each.value is None):
            return Decision("not_decided", PARAPHRASE)
        return Decision("supported", f"value stated: {said.text} = {tier.value.text}", place)
    if said.comparator or said.approximate or compare_values(said, tier.value).relation != "conflicting":
        return Decision("not_decided", PARAPHRASE)
    return Decision("contradicted", f"said of something else: {said.text} ≠ {tier.value.text}", place)


def _placed(read: Read) -> Value | None:
    """The one exact value that a question gives."""
    if read.question is None or len(read.claim.sentences) != 1 or len(read.material.sentences) > _MOST:
        return None
    given = [each for each in read.question.passage.values if each.kind in _KINDS and each.low]
    if len(given) != 1 or given[0].low != given[0].high or given[0].comparator or given[0].approximate:
        return None
    return given[0]


def _statement(read: Read, number: int) -> Statement:
    return read_statement(read.material.readings[read.material.place(number)], read.material.sentences[number])


def _tiers(read: Read, given: Value, said: Value) -> Iterator[Tier]:
    """The tiers in and beside the sentence that comes closest."""
    closest = read.measured.closest[0]
    position = read.material.place(closest)
    for number in range(max(0, closest - 2), min(len(read.material.sentences), closest + 3)):
        if read.material.place(number) == position:
            yield from _tiers_in(_statement(read, number), number, given, said)


def _tiers_in(statement: Statement, number: int, given: Value, said: Value) -> Iterator[Tier]:
    for start, end in statement.clauses:
        tokens = [each for each in statement.tokens if start <= each.start < end and each.value is not None]
        low, high, open_low, closed, found = float("-inf"), float("inf"), False, False, False
        results = []
        for each in tokens:
            value = each.value
            if value is None:
                continue
            side = _side(statement, each.start, value)
            if _same_measure(value, given) and (side or not _same_measure(value, said)):
                found = found or side != ""
                if side == "range":
                    low, high, closed = value.low, value.high, True
                elif side in ("at_least", "more_than"):
                    low, open_low = value.low, side == "more_than"
                elif side:
                    high, closed = value.low, side == "at_most"
            elif (value.kind, value.unit) == (said.kind, said.unit):
                results.append(value)
        if found and len(results) == 1:
            yield Tier(results[0], low, high, open_low, closed, number)


def _same_measure(one: Value, given: Value) -> bool:
    if one.kind == "code" and one.unit == _YEARS:
        return given.unit == "year"
    if one.unit in _AGES and given.unit in _AGES and one.kind in _KINDS:
        return True
    return (one.kind, one.unit) == (given.kind, given.unit)


def _side(statement: Statement, start: int, value: Value) -> str:
    """Which limit a value is: a comparator, "range", or "" for none."""
    if value.high > value.low:
        return "range"
    if value.comparator in ("at_least", "more_than", "at_most", "less_than"):
        return value.comparator
    before = _FROM.get(statement.language)
    if before is not None and before.search(statement.folded[:start]) is not None:
        return "at_least"
    return ""
