"""The words of slots in a text: names of what a slot holds, what makes a name one of a slot, what a text slot says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.operations import operations_in, procedure_term
from turnmark.detectors.clinical.read.terms import Term
from turnmark.language.match.matcher import Hit, Matcher
from turnmark.packs.clinical_facts import words
from turnmark.packs.clinical_slots import SlotDefinition, SlotDefinitions
from turnmark.packs.terminology import terminology

NOTHING = "none"
"""What a text says of a slot that holds nothing: no known allergies."""

_ENTRIES_OF_NOTHING = frozenset(
    ["none", "nil", "no", "n/a", "na", "nka", "nkda", "unknown", "-", "없음", "해당 없음", "미상", "无", "没有", "未知"]
)


class SlotWord(NamedTuple):
    """What a word does for a slot: its role ("concept", "value", "before", "after", "none", "called"), and its term."""

    slot: str
    role: str
    term: Term


class SlotWords:
    """Finds the words of all slots that are told by more than the names of the terminology."""

    def __init__(self, definitions: SlotDefinitions) -> None:
        self.definitions = definitions
        self._told = {name: slot for name, slot in definitions.slots.items() if not slot.is_of_guide and slot.weight}
        pairs = [pair for name, slot in definitions.slots.items() for pair in _words_of(name, slot)]
        self._finder = Matcher(pairs)
        # A record says former or varicella; in an answer these are words like others.
        names = {(word.term.name, word.slot): word for _, word in pairs if word.role in ("concept", "value")}
        self._of_records = Matcher([*pairs, *((name, word) for (name, _), word in names.items())])

    def find(self, text: str) -> list[Hit[SlotWord]]:
        """The words of a folded text that tell a fact of a slot, in order."""
        return [hit for hit in self._finder.find(text) if hit.payload.slot in self._told]

    def terms_in(self, text: str, slot: SlotDefinition) -> list[tuple[int, int, Term]]:
        """What a folded entry of a record names by the words and names of its slot; the longest of overlapping ones."""
        named = [
            (hit.start, hit.end, hit.payload.term)
            for hit in self._of_records.find(text)
            if hit.payload.role in ("concept", "value") and self.definitions.slots.get(hit.payload.slot) == slot
        ]
        if "procedure" in slot.terminology:
            named += ((one.start, one.end, one.term) for one in operations_in(text))
        return longest(named)

    def none(self, text: str, slot: str) -> bool:
        """Whether a folded entry of a record says that there is nothing of a slot: none, 없음, 无."""
        return text.strip(" .。") in _ENTRIES_OF_NOTHING or any(
            hit.payload.slot == slot and hit.payload.role == "none" for hit in self._finder.find(text)
        )

    def called(self, text: str, slot: str) -> Iterator[tuple[int, int]]:
        """Where a folded text speaks of a slot."""
        for hit in self._finder.find(text):
            if hit.payload.slot == slot and hit.payload.role == "called":
                yield hit.start, hit.end


def longest(found: Iterable[tuple[int, int, Term]]) -> list[tuple[int, int, Term]]:
    """Of overlapping spans the longest, in order."""
    kept: list[tuple[int, int, Term]] = []
    for start, end, term in sorted(found, key=lambda item: (item[0] - item[1], item[0])):
        if all(end <= other or last <= start for other, last, _ in kept):
            kept.append((start, end, term))
    return sorted(kept, key=lambda item: item[:2])


def _words_of(name: str, slot: SlotDefinition) -> Iterator[tuple[str, SlotWord]]:
    for role, listed in (("concept", slot.concepts), ("value", slot.values)):
        for concept, spoken in listed.items():
            term = Term(name, frozenset((f"{name}:{concept}",)), frozenset(), concept.replace("_", " "))
            yield from ((word, SlotWord(name, role, term)) for word in words(spoken))
    for table in slot.terminology if not slot.is_of_guide else ():
        # Medicines and conditions are found by the vocabulary, which knows their spellings.
        for entry in terminology().of_kind(table) if table in ("procedure", "symptom") else ():
            if slot.only and entry.id not in slot.only:
                continue
            # What is no operation on a part of the body comes back as it is.
            term = procedure_term(entry.id, entry.english, name)
            yield from ((one.folded, SlotWord(name, "concept", term)) for one in entry.names if one.folded.strip())
    nothing = Term(name, frozenset(), frozenset(), NOTHING)
    for role, spoken in (("before", slot.before), ("after", slot.after), ("none", slot.none), ("called", slot.called)):
        yield from ((word, SlotWord(name, role, nothing)) for word in words(spoken))


@lru_cache(maxsize=8)
def slot_words(definitions: SlotDefinitions) -> SlotWords:
    """The words of these slots; built once for each set of definitions."""
    return SlotWords(definitions)
