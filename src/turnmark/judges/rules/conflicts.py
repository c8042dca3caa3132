"""Explicit conflicts between a claim and its material: another number, a negated predicate, another name.

Only what can be pointed at is called a contradiction; everything else that lacks support is undetermined. Precision
comes first: the sentence must be about the same thing, and the differing words must stand in the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from turnmark.judges.rules import words
from turnmark.judges.rules.features import Measured, coverage, in_unit, same_amount
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.language.quantity import Quantity

_SAME_TOPIC = 0.5
_SAME_STATEMENT = 0.7
_REACH = 2
"""Units behind (in Korean before) a negating word that it can govern."""


class Conflict(NamedTuple):
    """What stands against a claim: the reason, and the sentence (by number in the material) with the words' span."""

    reason: str
    sentence: int
    start: int
    end: int


def find_conflict(claim: Reading, material: Material, measured: Measured) -> Conflict | None:
    """The first explicit conflict with one of the closest sentences, None when there is none."""
    for number in measured.closest:
        sentence = material.sentences[number]
        found = (
            _number(claim, material, measured.lost, number)
            or _negation(claim, sentence, number)
            or _name(claim, material, sentence, number)
        )
        if found is not None:
            return found
    return None


def _number(claim: Reading, material: Material, lost: list[Quantity], number: int) -> Conflict | None:
    sentence = material.sentences[number]
    if not lost or not sentence.quantities:
        return None
    inside = {unit for quantity in claim.quantities for unit in _units_at(claim, quantity)}
    rest = {unit: weight for unit, weight in claim.weights.items() if unit not in inside and weight > words.LIGHT}
    if not rest or coverage(rest, sentence.unit_set) < _SAME_TOPIC:
        return None
    for mine in lost:
        for theirs in sentence.quantities:
            if _differs(mine, theirs) and not any(same_amount(each, theirs) for each in claim.quantities):
                text = material.readings[material.places[number]].text
                written = text[theirs.start : theirs.end]
                reason = f"number {claim.text[mine.start : mine.end]} ≠ {written}"
                return Conflict(reason, number, theirs.start, theirs.end)
    return None


def _units_at(claim: Reading, quantity: Quantity) -> list[str]:
    return words.units(words.folded(claim.text[quantity.start : quantity.end]))


def _differs(mine: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities measure in the same unit and cannot be the same."""
    if mine.kind != theirs.kind or same_amount(mine, theirs):
        return False
    if mine.kind != "amount":
        return True
    low = mine.low if mine.unit == theirs.unit else in_unit(mine, theirs.unit)
    return low is not None and not theirs.low <= low <= theirs.high


def _negation(claim: Reading, sentence: Sentence, number: int) -> Conflict | None:
    content = {unit: weight for unit, weight in claim.weights.items() if weight > words.LIGHT}
    if not content or coverage(content, sentence.unit_set) < _SAME_STATEMENT:
        return None
    mine: set[str] = set()
    for own in claim.sentences:
        mine.update(unit for _, unit in _governed(own))
    theirs = {unit: span for span, unit in _governed(sentence)}
    for unit in content:
        if unit in sentence.unit_set and (unit in mine) != (unit in theirs):
            start, end = theirs.get(unit, (0, len(sentence.folded)))
            first, last = _original(sentence, start, end)
            return Conflict(f"negated: {unit}", number, first, last)
    return None


def _original(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    folded = sentence.reading.folded
    offset = folded.from_original(sentence.start, sentence.end)[0]
    return folded.to_original(start + offset, end + offset)


def _governed(sentence: Sentence) -> Iterator[tuple[tuple[int, int], str]]:
    """The units next to each negating word, with the span from that word on."""
    text = sentence.folded
    for first, last in sentence.negations:
        if sentence.reading.language == "ko":
            start = max(0, first - 12)
            for unit in words.units(text[start : first + 1])[-_REACH - 1 :]:
                yield (start, last), unit
        else:
            end = min(len(text), last + (4 if sentence.reading.language == "zh" else 24))
            for unit in words.units(text[last:end])[:_REACH]:
                yield (first, end), unit


def _name(claim: Reading, material: Material, sentence: Sentence, number: int) -> Conflict | None:
    """Another name in the same place of an otherwise equal statement (English: names are told by capitals)."""
    lost = {name for name in claim.names if name not in material.units}
    if not lost:
        return None
    rest = {unit: weight for unit, weight in claim.weights.items() if unit not in lost and weight > words.LIGHT}
    if not rest or coverage(rest, sentence.unit_set) < _SAME_STATEMENT:
        return None
    theirs = set(_names(sentence)) - set(claim.units)
    mine = [unit for own in claim.sentences for unit in own.units]
    for change in Levenshtein.opcodes(mine, sentence.units):
        if change.tag != "replace":
            continue
        here = [unit for unit in mine[change.src_start : change.src_end] if unit in lost]
        there = [unit for unit in sentence.units[change.dest_start : change.dest_end] if unit in theirs]
        if here and there:
            return Conflict(f"name {here[0]} ≠ {there[0]}", number, sentence.start, sentence.end)
    return None


def _names(sentence: Sentence) -> Iterable[str]:
    own = sentence.text
    first = words.units(words.folded(own.split(" ", 1)[0]))
    return [*sentence.reading.names, *(first if own[:1].isupper() else [])]
