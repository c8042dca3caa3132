"""The record of one patient beside its slots, with what each slot asks of an answer; read once a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.clinical.read.context_cues import context_cues, find_cues
from turnmark.detectors.clinical.read.record import Record, RecordedItem, analyte, read_record, texts_of
from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.language.analysis import analyse
from turnmark.language.computed import computed
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_context import context_pack
from turnmark.packs.clinical_slots import SlotDefinitions, shipped_slots

PRESSURE = frozenset(("bp", "blood_pressure", "bp_systolic", "bp_diastolic"))
_KEPT = 1024


def read_chart(slots: Mapping[str, Any], definitions: SlotDefinitions | None = None) -> Chart:
    """The chart of these slots, by the shipped definitions when none are given.

    Equal slots give one chart: a patient's record comes with every turn and system.
    """
    return _chart(msgspec.json.encode(slots), definitions or shipped_slots())


@lru_cache(maxsize=_KEPT)
def _chart(encoded: bytes, definitions: SlotDefinitions) -> Chart:
    return Chart(definitions.canonical(msgspec.json.decode(encoded)), definitions)


def is_empty(value: Any) -> bool:
    """Whether a slot of the record says nothing."""
    return (
        value is None
        or (isinstance(value, str) and not value.strip())
        or (isinstance(value, list | dict) and not any(not is_empty(item) for item in _items(value)))
    )


def _items(value: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


@cache
def _substances() -> frozenset[str]:
    return frozenset(context_pack()[0].substances)


class Medicines(NamedTuple):
    """What the medicines of a record are, their classes, and the classes among these that are substances."""

    ids: frozenset[str]
    classes: frozenset[str]
    substances: frozenset[str]


class Conditions(NamedTuple):
    """The entries of a slot of conditions, what they name, the classes of that, and both."""

    held: tuple[RecordedItem, ...]
    ids: frozenset[str]
    broader: frozenset[str]
    every: frozenset[str]


class Chart:
    """The record of one patient: the slots as given, what they hold, and what they ask for."""

    def __init__(self, slots: Mapping[str, Any], definitions: SlotDefinitions) -> None:
        self.slots = slots
        self.definitions = definitions
        self.record: Record = read_record(slots, definitions)
        self._filled = frozenset(name for name, value in slots.items() if not is_empty(value))
        self._conditions: dict[str, Conditions] = {}
        self._analytes: dict[str, frozenset[str]] = {}
        self._named: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def is_empty(self, slot: str) -> bool:
        """Whether a slot says nothing."""
        return slot not in self._filled

    @computed
    def held(self) -> frozenset[str]:
        """What the entries of medicines and conditions name, and the classes of that."""
        entries = (*self.record.medications, *self.record.conditions)
        return frozenset().union(*(entry.ids | entry.broader for entry in entries))

    @computed
    def complaints(self) -> frozenset[str]:
        """The symptoms that the chief symptom names."""
        return frozenset(
            item
            for slot in self.definitions.of_table["symptom"]
            for text in texts_of(self.slots.get(slot))
            for hit in find_cues(analyse(text))
            if hit.payload.kind == "symptom"
            for item in hit.payload.ids
        )

    @computed
    def medicines(self) -> Medicines:
        """The medicines of the record."""
        held = self.record.medications
        classes = frozenset[str]().union(*(entry.broader for entry in held))
        return Medicines(frozenset().union(*(entry.ids for entry in held)), classes, classes & _substances())

    def conditions(self, slot: str) -> Conditions:
        """The conditions of a slot."""
        result = self._conditions.get(slot)
        if result is None:
            texts = {fold(text).text for text in texts_of(self.slots.get(slot))}
            held = tuple(entry for entry in self.record.conditions if entry.text in texts)
            ids = frozenset[str]().union(*(entry.ids for entry in held))
            broader = frozenset[str]().union(*(entry.broader for entry in held))
            result = self._conditions[slot] = Conditions(held, ids, broader, ids | broader)
        return result

    def analytes(self, slot: str) -> frozenset[str]:
        """What a slot of values measures."""
        result = self._analytes.get(slot)
        if result is None:
            group = slot in self.definitions.slots and self.table_of(slot)
            result = frozenset(map(analyte, _names_in(self.slots.get(slot)) if group else (slot,)))
            result = self._analytes[slot] = result | PRESSURE if result & PRESSURE else result
        return result

    def entries(self, slot: str) -> tuple[RecordedItem, ...]:
        """The entries of a slot of medicines, conditions or names of its own, without those that say there is none."""
        name = self.definitions.name_of(slot)
        words = slot_words(self.definitions)
        held = self.record.slots.get(name)
        if held is None:
            texts = {fold(text).text for text in texts_of(self.slots.get(name))}
            held = tuple(entry for entry in (*self.record.medications, *self.record.conditions) if entry.text in texts)
        return tuple(entry for entry in held if entry.own is None or not words.none(entry.text, name))

    def spoken(self, slot: str) -> frozenset[str]:
        """What a slot holds, in every word a rule may use for it, folded: its entries, their ids and their names."""
        texts = [fold(text).text for text in texts_of(self.slots.get(slot))]
        named = [term for text in texts for found in vocabulary().find(text, text) for term in found.terms]
        definition = self.definitions.get(slot)
        if definition is not None:
            words = slot_words(self.definitions)
            named += [term for text in texts for _, _, term in words.terms_in(text, definition)]
        return frozenset(word for word in (*texts, *(fold(term.name).text for term in named)) if word)

    def table_of(self, slot: str) -> str:
        """The first table of the terminology that names what a slot holds; "" for one that has none."""
        definition = self.definitions.get(slot)
        return definition.terminology[0] if definition is not None and definition.terminology else ""

    def named(self, slot: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """The folded entries of procedures or symptoms, and what they name."""
        result = self._named.get(slot)
        if result is None:
            texts = tuple(fold(text).text for text in texts_of(self.slots.get(slot)))
            wanted = frozenset(
                item
                for text in texts
                for hit in context_cues().find(text)
                if hit.payload.kind == self.table_of(slot)
                for item in hit.payload.ids
            )
            result = self._named[slot] = texts, wanted
        return result


def _names_in(slot: Any) -> list[str]:
    if isinstance(slot, dict):
        return [str(name) for name, value in slot.items() if not is_empty(value)]
    if not isinstance(slot, list | tuple):  # a lone text names one value; a lone number names none
        slot = [slot] if isinstance(slot, str) else []
    return [str(item.get("name", "")) if isinstance(item, dict) else str(item).partition(":")[0] for item in slot]
