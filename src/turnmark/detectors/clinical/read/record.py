"""The true record of one patient, read once: what is known of medicines, conditions, values, age and sex."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.detectors.clinical.read.terms import Term
from turnmark.detectors.clinical.read.vocabulary import Named, vocabulary
from turnmark.language.later import later
from turnmark.language.quantity.quantity import quantities
from turnmark.language.quantity.units import normalise_unit
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_facts import words
from turnmark.packs.clinical_slots import SlotDefinition, SlotDefinitions

_STAGE = later(
    r"(?:제 ?)?(?P<number>[1-5])[ab]? ?(?:기(?![간준본])|期|단계)|stage (?P<roman>[1-5]|i{1,3}v?|iv|v)[ab]?(?![a-z])"
)
_NUMBER = later(
    r"[ <>≤≥=~]*(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?:/(?P<second>[0-9]+(?:\.[0-9]+)?)(?![0-9/]))? *(?P<unit>.*)",
    re.DOTALL,
)
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_KEPT = 4096
_SHORTEST_OWN = 3
DOSE_UNITS = frozenset(("mg", "ug", "g", "iu", "ml", "meq", "mg/kg"))
_ABSENT = later(
    r"^(?:no|no known|no history of|without|denies|negative for|never had) |^(?:无(?!症状)|没有|否认|未见|未患|从无)"
    r"|(?:없음|없다|없습니다|음성|阴性)[.。]?$|[:：] ?(?:no|none|negative|무|无|否)[.。]?$|\([-−–]\)$"
)
"""An entry that tells what the patient does not have: 당뇨병 없음, 无糖尿病, no asthma."""


class RecordedItem(NamedTuple):
    """One entry of the record.

    Attributes:
        text: The entry, folded.
        ids: What it names.
        broader: Classes that hold what it names.
        doses: Amounts and units of a medicine.
        stage: Stage of a disease, or None.
        own: The term made for a name that the terminology lacks, or None.

    """

    text: str
    ids: frozenset[str]
    broader: frozenset[str]
    doses: tuple[tuple[float, str], ...] = ()
    stage: int | None = None
    own: Term | None = None


class Value(NamedTuple):
    """A lab or vital of the record: the range that its shown digits stand for, its unit, and its text."""

    low: float
    high: float
    unit: str
    decimals: int
    text: str


class Record(NamedTuple):
    """What the slots say, ready to compare with.

    Attributes:
        age: Years, or None when unknown.
        sex: "male", "female" or "" when unknown.
        medications: One entry a medicine.
        conditions: Primary condition, comorbidities, chief symptom and procedures.
        values: Labs and vitals by what is measured ("hba1c", "bp_systolic", …).
        own_names: Names of the record that the terminology lacks, with the terms made for them; an answer may use them.
        slots: What the slots hold that are told by more than a name (allergies, smoking …), by slot; their entries.
        known: The slots that the record fills, be it with an empty list, and the tables that these are of. What is
            said of another one can not be decided.

    """

    age: float | None
    sex: str
    medications: tuple[RecordedItem, ...]
    conditions: tuple[RecordedItem, ...]
    values: dict[str, list[Value]]
    own_names: tuple[tuple[str, Term], ...] = ()
    slots: Mapping[str, tuple[RecordedItem, ...]] = MappingProxyType({})
    known: frozenset[str] = frozenset()


def stage_in(text: str, start: int, end: int) -> int | None:
    """Return the stage of a disease that is written in a folded text between two offsets, 1 to 5, or None."""
    match = _STAGE.search(text, start, end)
    if match is None:
        return None
    written = match["number"] or match["roman"]
    return int(written) if written.isdigit() else _ROMAN.get(written)


def decimals_of(written: str) -> int:
    """Return how many decimal places a number is written with."""
    match = re.search(r"[0-9]\.([0-9]+)", written)
    return len(match[1]) if match else 0


def texts_of(slot: Any) -> Iterator[str]:
    """Yield the entries of a slot as users have it: a text, a number, a list, or objects such as name and dose."""
    if isinstance(slot, str):
        if slot.strip():
            yield slot
    elif isinstance(slot, Mapping):
        joined = " ".join(str(value) for value in slot.values() if isinstance(value, str | int | float))
        if joined:
            yield joined
    elif isinstance(slot, list | tuple):
        for item in slot:
            yield from texts_of(item)
    elif isinstance(slot, int | float) and not isinstance(slot, bool):
        yield str(slot)


def _measured(slot: Any) -> Iterator[tuple[str, str]]:
    """Yield (name, value with unit) of labs or vitals: a mapping by name, or a list of such objects."""
    if isinstance(slot, Mapping):
        name = slot.get("name", slot.get("test"))
        if isinstance(name, str) and "value" in slot:
            yield name, f"{slot['value']}{slot.get('unit') or ''}"
            return
        for key, value in slot.items():
            if isinstance(value, Mapping) and "value" in value:
                yield str(key), f"{value['value']}{value.get('unit') or ''}"
            elif isinstance(value, str | int | float) and not isinstance(value, bool):
                yield str(key), str(value)
            elif isinstance(value, list | Mapping):
                yield from _measured(value)
    elif isinstance(slot, list):
        for item in slot:
            if isinstance(item, str):
                name, _, value = item.partition(":")
                yield name, value
            else:
                yield from _measured(item)


def read_record(given: Mapping[str, Any], definitions: SlotDefinitions) -> Record:
    """What the slots of one patient say; ``given`` is by the names of slots. Those that are missing stay unknown."""
    tables = definitions.of_table
    medications = [_held(text, "medication") for text in _texts_of(given, tables["medication"])]
    conditions = [_held(text, "condition") for text in _texts_of(given, tables["condition"])]
    named = [(held.own.name, held.own) for held in (*medications, *conditions) if held.own is not None]
    # These support a claim, but their words are no mentions of conditions.
    done = [name for name, slot in definitions.slots.items() if "procedure" in slot.terminology]
    support = [_held(text, "condition", own=False) for text in _texts_of(given, (*done, *tables["symptom"]))]
    slots = {
        name: tuple(_entry(text, slot, definitions) for text in texts_of(given.get(name)))
        for name, slot in definitions.slots.items()
        if not slot.is_of_guide and slot.type != "quantity" and given.get(name) is not None
    }
    for name, slot in definitions.slots.items():
        if beside := tuple(entry for other in slot.beside for entry in slots.get(other, ())):
            slots[name] = (*slots.get(name, ()), *beside)
    return Record(
        next((age for slot in tables["age"] if (age := _age(given.get(slot))) is not None), None),
        next((sex for slot in tables["sex"] if (sex := _sex(given.get(slot)))), ""),
        tuple(medications),
        (*conditions, *support),
        _values(given, definitions),
        (*((name, term) for name, term in named if len(name) >= _SHORTEST_OWN), *_named_quantities(definitions)),
        slots,
        _known(given, definitions) | {name for name, held in slots.items() if held},
    )


def _known(given: Mapping[str, Any], definitions: SlotDefinitions) -> frozenset[str]:
    filled = frozenset(name for name, value in given.items() if not (value is None or _is_blank(value)))
    return filled | {table for table, slots in definitions.of_table.items() if not filled.isdisjoint(slots)}


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _texts_of(given: Mapping[str, Any], slots: Iterable[str]) -> Iterator[str]:
    """What slots list as had or taken; an entry that says that there is none of something lists nothing."""
    for slot in slots:
        for text in texts_of(given.get(slot)):
            if _ABSENT.search(fold(text).text.strip()) is None:
                yield text


def _entry(text: str, slot: SlotDefinition, definitions: SlotDefinitions) -> RecordedItem:
    """One entry of a slot that is told by more than a name: what it names by the words of the slot and its tables."""
    folded = fold(text).text
    terms = [term for _, _, term in slot_words(definitions).terms_in(folded.replace(",", ""), slot)]
    terms += [term for named in _names(text) for term in named.terms if term.kind in slot.terminology]
    own = None
    if not terms and slot.type == "concepts":
        name = _bare_name(folded) or folded
        own = Term("", frozenset((name,)), frozenset(), name)
        terms = [own]
    return RecordedItem(
        folded,
        frozenset(part for term in terms for part in term.ids),
        frozenset(part for term in terms for part in term.broader),
        own=own,
    )


def _named_quantities(definitions: SlotDefinitions) -> Iterator[tuple[str, Term]]:
    """The words of quantities that the terminology lacks."""
    for name, slot in definitions.slots.items():
        if slot.type == "quantity" and not slot.terminology:
            units = frozenset((_unit(slot.unit),)) if slot.unit else frozenset[str]()
            term = Term("lab", frozenset((name,)), frozenset(), name, units)
            for word in words(slot.called):
                yield fold(word).text, term


def _sex(slot: Any) -> str:
    if not isinstance(slot, str):
        return ""
    written = slot.strip().lower()
    short = {"m": "male", "f": "female", "남": "male", "여": "female"}.get(written)
    results = [term for named in _names(written) for term in named.terms if term.kind == "sex"]
    return short or (results[0].name if results else "")


def _names(text: str) -> list[Named]:
    folded = fold(text)
    return vocabulary().find(folded.text, folded.base.upper())


def _held(text: str, kind: str, *, own: bool = True) -> RecordedItem:
    """Return one entry; a name that the terminology lacks becomes a term of its own."""
    folded = fold(text).text
    terms = tuple(term for named in _names(text) for term in named.terms if term.kind == kind)
    made = None
    if own and not terms:
        name = _bare_name(folded)
        made = Term(kind, frozenset((name,)), frozenset(), name)
        terms = (made,)
    ids = frozenset(part for term in terms for part in term.ids)
    broader = frozenset(part for term in terms for part in term.broader)
    if kind == "condition":
        return RecordedItem(folded, ids, broader, (), stage_in(folded, 0, len(folded)), made)
    return RecordedItem(folded, ids, broader, tuple(_doses(folded)), None, made)


def _values(given: Mapping[str, Any], definitions: SlotDefinitions) -> dict[str, list[Value]]:
    values: dict[str, list[Value]] = {}
    for slot, written_as in given.items():
        definition = definitions.get(slot)
        if definition is None or definition.type != "quantity" or "age" in definition.terminology:
            continue
        # A slot of one value, such as hba1c, is its own name.
        group = definition.terminology and slot in definitions.slots
        for name, written in _measured(written_as if group else {slot: written_as}):
            for measured, value in _placed(
                name, written if group else f"{written}{_default_unit(written, definition)}"
            ):
                values.setdefault(measured, []).append(value)
    return values


def _default_unit(written: str, definition: SlotDefinition) -> str:
    return definition.unit if written.strip()[-1:].isdigit() else ""


def _placed(name: str, written: str) -> Iterable[tuple[str, Value]]:
    """Return what each number of a slot measures; a pressure such as 131/82 holds two."""
    match = _NUMBER.match(written)
    if match is None:
        return ()
    measured, unit = analyte(name), _unit(match["unit"])
    first = _value(match["number"], unit, f"{name} {written}")
    if not match["second"]:
        return ((measured, first),)
    names = ("bp_systolic", "bp_diastolic") if measured == "blood_pressure" else (measured, measured)
    return zip(names, (first, _value(match["second"], unit, f"{name} {written}")), strict=True)


@lru_cache(maxsize=_KEPT)
def analyte(name: str) -> str:
    """Return the identity of what a slot measures, from its key ("heart_rate", "uric acid", "당화혈색소")."""
    key = fold(name.strip()).text.replace("_", " ")
    for named in _names(key):
        for term in named.terms:
            if term.kind in ("lab", "vital") and (named.start, named.end) == (0, len(key)):
                return min(term.ids)
    # The level of a medicine, under its bare name: lithium.
    if not key.endswith(" level") and _held(key, "medication", own=False).ids:
        return analyte(f"{key} level")
    return key.replace(" ", "_")


def _bare_name(text: str) -> str:
    """Return the name of an entry without dose, stage or remarks."""
    return re.split(r"[0-9(（/+,]", text, maxsplit=1)[0].strip()


def _age(slot: Any) -> float | None:
    if isinstance(slot, int | float) and not isinstance(slot, bool):
        return float(slot)
    numbers = quantities(slot) if isinstance(slot, str) else []
    return numbers[0].low if numbers else None


def _doses(text: str) -> Iterator[tuple[float, str]]:
    """Yield the doses of a medicine; in 5/160mg both numbers have the unit."""
    result = quantities(text)
    unit = ""
    for quantity in reversed(result):
        unit = quantity.unit if quantity.unit in DOSE_UNITS else unit
        if quantity.unit in DOSE_UNITS or (
            unit and quantity.unit == "" and text[quantity.end : quantity.end + 1] == "/"
        ):
            yield quantity.low, unit


def _value(number: str, unit: str, text: str) -> Value:
    value = float(number.replace(",", ""))
    return Value(value, value, unit, decimals_of(number), text)


def _unit(written: str) -> str:
    """Return the normalised unit of a slot, or the text as it is when it is none that is known."""
    try:
        return normalise_unit(written)
    except ValueError:
        return fold(written).text
