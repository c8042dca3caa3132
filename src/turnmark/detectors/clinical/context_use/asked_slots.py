"""What the slots of a record ask for, worked out once a record."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any

from turnmark.detectors.clinical.context_use.context_cues import context_cues
from turnmark.detectors.clinical.read.record import Held, Record, records, texts_of
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_context import context_pack

PRESSURE = frozenset(("bp", "blood_pressure", "bp_systolic", "bp_diastolic"))
NAMED_BY = {"major_procedures": "procedure", "chief_symptom": "symptom"}


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


class Asked:
    """What the slots of one record ask for, worked out once a record: its answers come turn after turn."""

    def __init__(self, record: Record, slots: Mapping[str, Any]) -> None:
        # The record is held, so that its id stays its own.
        self.record = record
        self._slots = slots
        self._conditions: dict[str, tuple[list[Held], frozenset[str], frozenset[str]]] = {}
        self._analytes: dict[str, frozenset[str]] = {}
        self._named: dict[str, tuple[list[str], frozenset[str]]] = {}
        self._empty: dict[str, bool] = {}

    def is_empty(self, slot: str) -> bool:
        """Whether a slot says nothing."""
        found = self._empty.get(slot)
        if found is None:
            found = self._empty[slot] = is_empty(self._slots.get(slot))
        return found

    @cached_property
    def medicines(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """What the medicines of the record are, the classes of that, and those of the classes that are substances."""
        held = self.record.medications
        classes = frozenset().union(*(entry.broader for entry in held))
        return frozenset().union(*(entry.ids for entry in held)), classes, classes & _substances()

    def conditions(self, slot: str) -> tuple[list[Held], frozenset[str], frozenset[str]]:
        """The entries of a slot of conditions, what they name, and the classes of that."""
        found = self._conditions.get(slot)
        if found is None:
            texts = {fold(text).text for text in texts_of(self._slots.get(slot))}
            held = [entry for entry in self.record.conditions if entry.text in texts]
            ids = frozenset().union(*(entry.ids for entry in held))
            broader = frozenset().union(*(entry.broader for entry in held))
            found = self._conditions[slot] = held, ids, broader
        return found

    def analytes(self, slot: str) -> frozenset[str]:
        """What a slot of values measures."""
        found = self._analytes.get(slot)
        if found is None:
            found = frozenset(records().analyte(name) for name in _names_in(self._slots.get(slot)))
            found = self._analytes[slot] = found | PRESSURE if found & PRESSURE else found
        return found

    def named(self, slot: str) -> tuple[list[str], frozenset[str]]:
        """The folded entries of procedures or symptoms, and what they name."""
        found = self._named.get(slot)
        if found is None:
            texts = [fold(text).text for text in texts_of(self._slots.get(slot))]
            wanted = frozenset(
                one
                for text in texts
                for hit in context_cues().find(text)
                if hit.payload.kind == NAMED_BY[slot]
                for one in hit.payload.ids
            )
            found = self._named[slot] = texts, wanted
        return found


_KEPT = 4096
_asked: dict[int, Asked] = {}


def asked_of(slots: Mapping[str, Any], record: Record | None = None) -> Asked:
    """What the slots of a record ask for; kept, since its answers come turn after turn."""
    record = records().read(slots) if record is None else record
    found = _asked.get(id(record))
    if found is None:
        if len(_asked) >= _KEPT:
            _asked.clear()
        # Slots may be changed by who gave them; what was read is kept.
        found = _asked[id(record)] = Asked(record, copy.deepcopy(dict(slots)))
    return found


def _names_in(slot: Any) -> list[str]:
    if isinstance(slot, dict):
        return [str(name) for name, value in slot.items() if not is_empty(value)]
    if not isinstance(slot, list | tuple):  # a lone text names one value; a lone number names none
        slot = [slot] if isinstance(slot, str) else []
    return [str(item.get("name", "")) if isinstance(item, dict) else str(item).partition(":")[0] for item in slot]
