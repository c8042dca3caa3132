"""Words by which an answer uses the record indirectly (``clinical/context.yaml``), and the slots of each turn."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.packs.clinical_slots import SlotDefinitions, shipped_slots
from turnmark.packs.loading import bytes_of, digest, parse, shipped
from turnmark.packs.safety_rules import SectionReader
from turnmark.schemas.problems import Problem, shown

FILE = "clinical/context.yaml"
SHIPPED_SLOTS = "clinical/required_slots_by_turn.yaml"


class ConditionWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Words and values that reflect conditions whose ids begin with ``codes``."""

    codes: list[str]
    words: str
    values: list[str] = []


class ValueWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Words that speak of labs or vitals without their value."""

    values: list[str]
    words: str


class ProcedureWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Everyday words for procedures of the terminology."""

    ids: list[str]
    words: str


class ContextPack(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file; word lists are parted by commas."""

    name: str
    version: str
    conditions: list[ConditionWords]
    values: list[ValueWords]
    sexes: dict[str, str]
    procedures: list[ProcedureWords]
    operations: str
    substances: list[str]
    medicines: str
    treatment: str
    sex_specific: dict[str, list[str]]
    circumstances: dict[str, str]


class RequiredSlot(msgspec.Struct, kw_only=True):
    """A slot that the answers of a turn should use, and what it counts for."""

    slot: str
    weight: float = 1.0


class TurnSlots(msgspec.Struct, kw_only=True):
    """What a good answer of one turn uses (CUS) and must include (ASS)."""

    name: str = ""
    required_slots: list[RequiredSlot] = []
    must_include_elements: list[str] = []


class RequiredSlots(NamedTuple):
    """A file of required slots, read; ``turns`` by turn number."""

    name: str
    digest: str
    turns: dict[int, TurnSlots]

    def of(self, turn_id: int) -> TurnSlots:
        """What the turn asks for; nothing for a turn that the file leaves out."""
        return self.turns.get(turn_id, TurnSlots())


@cache
def context_pack() -> tuple[ContextPack, str]:
    """The shipped pack and its digest. Raises: PackError that names line and field when the file is wrong."""
    raw = shipped(FILE)
    return parse(raw, FILE, ContextPack), digest(raw)


def load_required_slots(
    path: Path | None = None, definitions: SlotDefinitions | None = None
) -> tuple[RequiredSlots, list[Problem]]:
    """The slots of a user's file, or the shipped ones, and everything that is wrong with it.

    A slot that ``definitions`` lack is kept, with a warning: it is used where an answer states its value.

    Raises: PackError when the file cannot be read or is no YAML mapping.
    """
    if path is None:
        return read_required_slots(shipped(SHIPPED_SLOTS), f"turnmark:{SHIPPED_SLOTS}", definitions)
    return read_required_slots(bytes_of(path), str(path), definitions)


def read_required_slots(
    raw: bytes, name: str, definitions: SlotDefinitions | None = None
) -> tuple[RequiredSlots, list[Problem]]:
    """The slots in the bytes of a YAML file, and what had to be left out."""
    reader = SectionReader(raw, name)
    turns: dict[int, TurnSlots] = {}
    for key, value in _turns(reader).items():
        path = f"$.turns.{key}"
        if not str(key).isdigit():
            reader.report(path, "the number of a turn, such as 3", shown(key), "the turn is left out")
            continue
        turn = reader.item(value, TurnSlots, path)
        if turn is not None:
            turns[int(key)] = msgspec.structs.replace(
                turn, required_slots=_sound(turn, path, reader, definitions or shipped_slots())
            )
    return RequiredSlots(name, digest(raw), turns), reader.problems


def _turns(reader: SectionReader) -> dict[Any, Any]:
    turns = reader.value.get("turns")
    if isinstance(turns, dict):
        return turns
    reader.report("$.turns", "a mapping of turn numbers", shown(turns))
    return {}


def _sound(turn: TurnSlots, path: str, reader: SectionReader, definitions: SlotDefinitions) -> list[RequiredSlot]:
    kept: list[RequiredSlot] = []
    for index, required in enumerate(turn.required_slots):
        here = f"{path}.required_slots[{index}]"
        slot = definitions.name_of(required.slot)
        if required.weight < 0:
            reader.report(f"{here}.weight", "a weight of 0 or more", str(required.weight), "the slot is left out")
            continue
        if any(slot == other.slot for other in kept):
            reader.report(f"{here}.slot", "each slot once", f"{required.slot!r} a second time", "the slot is left out")
            continue
        if definitions.get(slot) is None:
            near = difflib.get_close_matches(slot, definitions.slots, n=1)
            reader.report(
                f"{here}.slot",
                f"one of the slots {list(definitions.slots)}, or a lab or vital",
                repr(required.slot),
                (f"did you mean {near[0]!r}? " if near else "")
                + "define it in slots.yaml; until then it is used where the answer states its value",
                severity="warning",
            )
        kept.append(RequiredSlot(slot=slot, weight=required.weight))
    return kept
