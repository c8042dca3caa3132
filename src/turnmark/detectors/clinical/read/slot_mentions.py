"""Mentions of what slots hold that are told by more than a name: allergies, operations, vaccines, smoking, dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnmark.detectors.clinical.read.mentions import Mention
from turnmark.detectors.clinical.read.operations import (
    Operation,
    denials_of_surgery,
    operations_in,
)
from turnmark.detectors.clinical.read.record import RecordedItem
from turnmark.detectors.clinical.read.slot_words import NOTHING, SlotWord, SlotWords, longest
from turnmark.detectors.clinical.read.terms import Term
from turnmark.detectors.clinical.read.vocabulary import Named
from turnmark.language.later import later
from turnmark.language.match.matcher import Hit
from turnmark.language.values.reader import read_values
from turnmark.language.values.value import Value

_GAP = later(r"[ \"'“”(:]*(?:(?:the|a|an|any|some|certain|both) )?")
_BETWEEN = later(
    r" ?(?:,? and |,? or |, ?|/|、|;|(?:和|及|与|或|跟)|(?:이?나|와|과|하고|이랑|랑|및) ?) ?(?:the |a |an )?"
)
_BEHIND = later(r"(?:[ )\"'”]|类|系|계열?|제제|제|의)*(?:药物|약물|药|약)?(?:[이가은는을를] ?)? ?")
_PREDICATE = later(r" (?:would|could|can|may|might|is|are|will|should|must)\b|不|也")
_DATE_REACH = 48
"""Characters from the name of a date to the date."""


class _Concept(NamedTuple):
    start: int
    end: int
    terms: tuple[Term, ...]


def slot_mentions(
    text: str,
    names: Sequence[Named],
    slots: SlotWords,
    recorded: Mapping[str, tuple[RecordedItem, ...]],
    sentence: Callable[[int], tuple[int, int]],
) -> list[Mention]:
    """The mentions of a folded text that the words of slots tell, in order of their slots.

    Args:
        text: Folded text.
        names: Names of the vocabulary in it, in order.
        slots: The words of slots.
        recorded: Entries of the record by slot; a name that no table knows is found by the record's own word.
        sentence: Start and end of the sentence at an offset.

    """
    operated = list(operations_in(text))
    results: list[Mention] = []
    for slot, hits in _hits_by_slot(text, slots, recorded, operated=bool(operated)).items():
        kind = slots.definitions.slots[slot]
        if not kind.weight:
            continue
        if kind.type == "date":
            results += _dates(text, slot, hits, sentence)
        elif kind.type == "text":
            results += [_mention(slot, start, end, (term,)) for start, end, term in _of_role(hits, "value")]
        elif kind.type == "concepts":
            own = [entry.own.name for entry in recorded.get(slot, ()) if entry.own is not None]
            concepts = _concepts(
                text, slot, hits, [named for named in names if named.terms[0].kind in kind.terminology], own
            )
            if kind.operations:
                results += [_mention(slot, *concept) for concept in _with_operations(concepts, operated)]
                results += _no_operation(text, slot)
            else:
                listed = _told(text, slot, hits, concepts, sentence) if kind.before or kind.after else None
                told = [_mention(slot, *concept) for concept in concepts] if listed is None else list(listed)
                results += told
                results += _told_as_nothing(slot, hits, told)
    return results


def _told_as_nothing(slot: str, hits: Iterable[Hit[SlotWord]], told: Sequence[Mention]) -> Iterator[Mention]:
    """Where words say that there is nothing of a slot, beside what is told of it."""
    for start, end, term in _of_role(hits, "none"):
        if not any(one.start < end and start < one.end for one in told):
            yield _mention(slot, start, end, (term,))


def _hits_by_slot(
    text: str, slots: SlotWords, recorded: Mapping[str, tuple[RecordedItem, ...]], *, operated: bool
) -> dict[str, list[Hit[SlotWord]]]:
    """The words of each slot that the text may speak of; ``operated`` when it tells an operation in plain words."""
    by_slot: dict[str, list[Hit[SlotWord]]] = {}
    for hit in slots.find(text):
        by_slot.setdefault(hit.payload.slot, []).append(hit)
    for slot, entries in recorded.items():
        if any(entry.own is not None and entry.own.name in text for entry in entries):
            by_slot.setdefault(slot, [])
    for slot, kind in slots.definitions.slots.items():
        if operated and kind.operations:
            by_slot.setdefault(slot, [])
    return by_slot


def _with_operations(concepts: Sequence[_Concept], operated: Sequence[Operation]) -> list[_Concept]:
    """The procedures named, and those told in plain words; the longest of overlapping ones."""
    named = [(start, end, terms) for start, end, terms in concepts]
    plain = [(start, end, (term,)) for start, end, term in operated]
    kept: list[_Concept] = []
    for start, end, terms in sorted((*named, *plain), key=lambda item: (item[0] - item[1], item[0])):
        if all(end <= other.start or other.end <= start for other in kept):
            kept.append(_Concept(start, end, terms))
    return sorted(kept, key=lambda one: one.start)


def _no_operation(text: str, slot: str) -> Iterator[Mention]:
    """Where a text says that there was never any operation."""
    nothing = Term(slot, frozenset(), frozenset(), NOTHING)
    return (_mention(slot, start, end, (nothing,)) for start, end in denials_of_surgery(text))


def _mention(slot: str, start: int, end: int, terms: tuple[Term, ...]) -> Mention:
    return Mention(slot, start, end, terms, named_at=(start, end))


def is_nothing(mention: Mention) -> bool:
    """Whether a mention says that the slot holds nothing."""
    return any(term.name == NOTHING and not term.ids for term in mention.terms)


def _of_role(hits: Iterable[Hit[SlotWord]], role: str) -> list[tuple[int, int, Term]]:
    return longest((hit.start, hit.end, hit.payload.term) for hit in hits if hit.payload.role == role)


def _concepts(
    text: str, slot: str, hits: Sequence[Hit[SlotWord]], names: Sequence[Named], own: Sequence[str]
) -> list[_Concept]:
    """Everything in the text that the slot could hold, the longest of overlapping names."""
    terms: dict[tuple[int, int], tuple[Term, ...]] = {(named.start, named.end): named.terms for named in names}
    for start, end, term in _of_role(hits, "concept"):
        terms[start, end] = (*terms.get((start, end), ()), term)
    for name in own:
        for match in re.finditer(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text):
            terms.setdefault(match.span(), (Term(slot, frozenset((name,)), frozenset(), name),))
    kept: list[_Concept] = []
    for (start, end), found in sorted(terms.items(), key=lambda item: (item[0][0] - item[0][1], item[0][0])):
        if all(end <= other.start or other.end <= start for other in kept):
            kept.append(_Concept(start, end, found))
    return sorted(kept, key=lambda one: one.start)


def _told(
    text: str,
    slot: str,
    hits: Iterable[Hit[SlotWord]],
    concepts: Sequence[_Concept],
    sentence: Callable[[int], tuple[int, int]],
) -> Iterator[Mention]:
    """The names that a word of the slot makes its own, each of a list: allergic to A and B, A和B过敏."""
    seen: set[int] = set()
    for hit in hits:
        if hit.payload.role not in ("before", "after"):
            continue
        ahead = hit.payload.role == "before"
        first, last = sentence(hit.start)
        chain = _ahead(text, hit.end, concepts) if ahead else _back(text, hit.start, concepts)
        for concept in chain:
            if first <= concept.start and concept.end <= last and concept.start not in seen:
                seen.add(concept.start)
                yield _mention(slot, concept.start, concept.end, concept.terms)


def _ahead(text: str, position: int, concepts: Sequence[_Concept]) -> Iterator[_Concept]:
    gap = _GAP
    for concept in concepts:
        if concept.start < position:
            continue
        if not gap.fullmatch(text, position, concept.start):
            return
        if "," in text[position : concept.start] and _PREDICATE.match(text, concept.end):
            # Allergic to penicillin, amoxicillin is not an option: another statement.
            return
        yield concept
        position, gap = concept.end, _BETWEEN


def _back(text: str, position: int, concepts: Sequence[_Concept]) -> Iterator[_Concept]:
    gap = _BEHIND
    for concept in reversed(concepts):
        if concept.end > position:
            # The name may hold the word itself: 花粉过敏 as one name.
            continue
        if not gap.fullmatch(text, concept.end, position):
            return
        yield concept
        position, gap = concept.start, _BETWEEN


def _dates(
    text: str, slot: str, hits: Iterable[Hit[SlotWord]], sentence: Callable[[int], tuple[int, int]]
) -> Iterator[Mention]:
    """The date that stands nearest behind the words that name it, in their sentence."""
    values: tuple[Value, ...] | None = None
    seen: set[int] = set()
    for hit in hits:
        if values is None:
            values = tuple(value for value in read_values(text) if value.kind == "date")
        last = min(sentence(hit.start)[1], hit.end + _DATE_REACH)
        date = next((value for value in values if hit.end <= value.start and value.end <= last), None)
        if date is not None and date.start not in seen:
            seen.add(date.start)
            term = Term(slot, frozenset((slot,)), frozenset(), slot)
            yield Mention(slot, hit.start, date.end, (term,), named_at=(hit.start, hit.end), date=date)
