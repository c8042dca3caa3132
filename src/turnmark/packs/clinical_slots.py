"""The slots of a patient's record (``clinical/slots.yaml``): what each holds, its words, its weight. Slots are data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from turnmark.packs.clinical_facts import words
from turnmark.packs.loading import bytes_of, digest, shipped
from turnmark.packs.safety_rules import SectionReader
from turnmark.schemas.problems import Problem, shown

SHIPPED = "clinical/slots.yaml"
SlotType = Literal["concepts", "quantity", "text", "date"]
Table = Literal["age", "sex", "condition", "medication", "lab", "vital", "procedure", "symptom"]


class SlotDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """One slot; the shipped file says what each field is for. Word lists are parted by commas."""

    type: SlotType
    terminology: tuple[Table, ...] = ()
    only: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    concepts: dict[str, str] = {}
    values: dict[str, str] = {}
    called: str = ""
    before: str = ""
    after: str = ""
    none: str = ""
    about: Literal["patient", "relatives"] = "patient"
    unit: str = ""
    weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    questions: str = ""
    operations: bool = False
    beside: tuple[str, ...] = ()

    @property
    def is_of_guide(self) -> bool:
        """Whether its facts are told by their names alone: medicines, conditions, labs, vitals, age, sex."""
        return bool(self.terminology) and not (self.before or self.after) and "procedure" not in self.terminology


class SlotDefinitions:
    """All slots by name, and the digest of the files they come from.

    A slot that nobody defines but that the terminology knows as a lab or vital (``hba1c``) is a quantity of its own.
    """

    def __init__(self, slots: Mapping[str, SlotDefinition], digests: Mapping[str, str]) -> None:
        self.slots = dict(slots)
        self.digests = dict(digests)
        self._names = {alias: name for name, slot in self.slots.items() for alias in slot.aliases}
        self.of_table = {
            table: tuple(name for name, slot in self.slots.items() if slot.is_of_guide and table in slot.terminology)
            for table in ("age", "sex", "condition", "medication", "lab", "vital", "symptom")
        }
        """Slots by the table whose names alone tell a fact of theirs."""

    def name_of(self, key: str) -> str:
        """The slot that a field of a record fills: itself, or the one it is an alias of."""
        return key if key in self.slots else self._names.get(key, key)

    def get(self, name: str) -> SlotDefinition | None:
        """A slot by its name; None when nobody defines it and the terminology does not know it."""
        defined = self.slots.get(name)
        if defined is None and (kind := _measured(name)):
            return SlotDefinition(type="quantity", terminology=(kind,))
        return defined

    def canonical(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record under the names of slots; of several names of one slot the first that is filled counts."""
        result: dict[str, Any] = {}
        for key, value in record.items():
            name = self.name_of(key)
            if result.get(name) in (None, "", [], {}):
                result[name] = value
        return result

    def asked_for(self, question: str) -> dict[str, float]:
        """The slots that a folded question asks for, with their weights."""
        return {
            name: slot.weight or 1.0
            for name, slot in self.slots.items()
            if slot.questions and any(_is_said(word, question) for word in words(slot.questions))
        }


def _is_said(word: str, text: str) -> bool:
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (word.isascii() and ((before.isascii() and before.isalnum()) or (after.isascii() and after.isalnum()))):
            return True
        start = text.find(word, end)
    return False


def _measured(name: str) -> Table | None:
    for kind in ("lab", "vital"):
        from turnmark.packs.terminology import terminology  # noqa: PLC0415 - its tables take a tenth of a second

        if terminology().get(kind, name) is not None:
            return kind
    return None


@cache
def shipped_slots() -> SlotDefinitions:
    """The slots that come with turnmark."""
    return load_slots(None)[0]


def load_slots(path: Path | None) -> tuple[SlotDefinitions, list[Problem]]:
    """The shipped slots, with those of a user's file laid over them, and everything that is wrong with the file.

    Raises: PackError when the file cannot be read or is no YAML mapping.
    """
    slots, problems = _read(shipped(SHIPPED), f"turnmark:{SHIPPED}")
    digests = {"slots": digest(shipped(SHIPPED))}
    if path is not None:
        raw = bytes_of(path)
        own, problems = _read(raw, str(path))
        slots, digests["slots.own"] = slots | own, digest(raw)
    return SlotDefinitions(slots, digests), problems


def _read(raw: bytes, name: str) -> tuple[dict[str, SlotDefinition], list[Problem]]:
    reader = SectionReader(raw, name)
    slots = reader.mapping("slots", SlotDefinition)
    sound: dict[str, SlotDefinition] = {}
    for slot, definition in slots.items():
        fault = _fault(definition)
        if fault:
            reader.report(f"$.slots.{slot}{fault[0]}", fault[1], fault[2], "the slot is left out")
        else:
            sound[slot] = definition
    return sound, reader.problems


def _fault(slot: SlotDefinition) -> tuple[str, str, str] | None:
    """What keeps a slot from being read: field, what was expected, what was found."""
    if slot.type == "quantity" and not slot.terminology and not slot.called:
        return ".called", "words that name the quantity, or a table under terminology", "neither"
    if slot.type == "date" and not slot.called:
        return ".called", "words that name the date", "none"
    for field, holder in (("concepts", "concepts"), ("values", "text")):
        if getattr(slot, field) and slot.type != holder:
            return f".{field}", f"none for a slot of type {slot.type}", shown(list(getattr(slot, field)))
    return None
