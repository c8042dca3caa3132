"""From a record to the true slots of a patient, in the patient's language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec

from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.language.script import detect_language
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_facts import words
from turnmark.packs.clinical_slots import shipped_slots
from turnmark.packs.loading import parse, shipped
from turnmark.packs.terminology import Entry, Language, Terminology
from turnmark.schemas.clinical.events import SlotsTruth
from turnmark.synth.fhir.naming import medication_name, plain
from turnmark.synth.fhir.record import Finding, Record, Value

_SEX: dict[Language, dict[str, str]] = {
    "ko": {"male": "남성", "female": "여성"},
    "en": {"male": "male", "female": "female"},
    "zh": {"male": "男", "female": "女"},
}


class LabRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Labs that matter with these conditions, in order of interest."""

    conditions: tuple[str, ...]
    labs: tuple[str, ...]


class SymptomRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Usual symptoms of these conditions, ids of the terminology."""

    conditions: tuple[str, ...]
    symptoms: tuple[str, ...]


class Selection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes a slot, and in which order; codes stand for every code that begins with them."""

    version: str
    condition_priority: tuple[tuple[str, ...], ...]
    key_vitals: tuple[str, ...]
    whole_numbers: frozenset[str]
    without_unit: frozenset[str]
    one_decimal: frozenset[str]
    vitals_within_days: int
    key_labs: tuple[LabRule, ...]
    otherwise: tuple[str, ...]
    major_words: tuple[str, ...]
    minor: frozenset[str]
    surgical_words: tuple[str, ...]
    usual_symptoms: tuple[SymptomRule, ...]
    otherwise_symptoms: tuple[str, ...]
    most_labs: int
    most_procedures: int
    most_comorbidities: int
    most_medications: int


@cache
def selection() -> Selection:
    """The table that comes with turnmark."""
    return parse(shipped("clinical/synth/selection.yaml"), "clinical/synth/selection.yaml", Selection)


def slots(
    record: Record, terms: Terminology, language: Language, choice: random.Random
) -> tuple[SlotsTruth, list[str]]:
    """The slots of a record, and the names of slots that the record does not hold and the script assumes.

    Only the chief symptom is ever assumed: the patient has to come with something, so a usual symptom of the primary
    condition is chosen by ``choice``. Everything else is empty when the record has nothing.
    """
    table = selection()
    conditions = _conditions(record, terms, table)
    names = [_name(condition, language) for condition in conditions]
    symptom, assumed = _symptom(record, conditions, terms, table, choice)
    months = record.age_in_months
    result: SlotsTruth = {
        "age": None if months is None else months // 12,
        "sex": _SEX[language].get(record.gender),
        "primary_condition": names[0] if names else None,
        "comorbidities": [*names[1 : 1 + table.most_comorbidities]],
        "key_meds": [*_medications(record, terms, language)[: table.most_medications]],
        "key_vitals": {name: _shown(record.values[name], table) for name in _vitals(record, table)},
        "key_labs": {name: _shown(record.values[name], table) for name in _labs(record, conditions, table)},
        "major_procedures": [*_procedures(record, language, table)],
        "chief_symptom": symptom.canonical(language),
    }
    result = {slot: value for slot, value in result.items() if value is not None}
    return result | _more(record, language, table), (["chief_symptom"] if assumed else [])


def _more(record: Record, language: Language, table: Selection) -> SlotsTruth:
    """Allergies, family, operations, vaccines and habits, where the record speaks of them; else they stay unknown."""
    surgery = [one for one in record.procedures if _is_operation(one, table)]
    lists: dict[str, list[Finding]] = {
        "allergies": record.allergies,
        "family_history": record.family,
        "surgery": surgery,
        "immunisation": record.immunisations,
    }
    result: SlotsTruth = {
        slot: list(
            dict.fromkeys(_called(slot, one, language) for one in sorted(found, key=lambda one: one.day or record.day))
        )
        for slot, found in lists.items()
        if found
    }
    if record.no_allergies and not record.allergies:
        result["allergies"] = []
    for slot, habit in record.habits.items():
        result[slot] = _word(slot, habit.said, language) or habit.said
    return result


def _is_operation(found: Finding, table: Selection) -> bool:
    if found.entry is not None:
        return found.entry.id in shipped_slots().slots["surgery"].only
    return any(word in found.label.lower() for word in table.surgical_words)


def _called(slot: str, found: Finding, language: Language) -> str:
    """A finding by the words of its slot in the patient's language, else by its concept, else as the record has it."""
    return _word(slot, found.label, language) or _name(found, language)


def _word(slot: str, said: str, language: Language) -> str:
    """The first word of a slot, in a language, for what a record says; "" where the slot has none for it."""
    definition = shipped_slots().slots[slot]
    for _, _, term in slot_words(shipped_slots()).terms_in(fold(said).text, definition):
        spoken = (definition.concepts | definition.values).get(term.name.replace(" ", "_"), "")
        return next((word for word in words(spoken) if detect_language(word) == language), "")
    return ""


def _name(found: Finding, language: Language) -> str:
    return found.entry.canonical(language) if found.entry else plain(found.label)


def _unique(findings: Iterable[Finding], key: Callable[[Finding], Any]) -> list[Finding]:
    return list({key(finding): finding for finding in reversed(list(findings))}.values())[::-1]


def _identity(found: Finding) -> str:
    return found.entry.id if found.entry else plain(found.label).lower()


def _conditions(record: Record, terms: Terminology, table: Selection) -> list[Finding]:
    """Active conditions by clinical priority, then the older first; allergies only when there is nothing else.

    A condition goes when a more exact one is there: diabetes beside type 2 diabetes.
    """
    unique = _unique(record.conditions or record.allergies, _identity)
    wider = {entry.id for one in unique if one.entry for entry in terms.broader(one.entry)}
    exact = [one for one in unique if one.entry is None or one.entry.id not in wider]
    return sorted(exact, key=lambda one: (_rank(one, table), one.day or record.day, _identity(one)))


def _rank(found: Finding, table: Selection) -> int:
    if found.entry is None:
        return len(table.condition_priority)
    ranks = [
        (-len(prefix), rank)
        for rank, prefixes in enumerate(table.condition_priority)
        for prefix in prefixes
        if found.entry.id.startswith(prefix)
    ]
    return min(ranks)[1] if ranks else len(table.condition_priority)


def _medications(record: Record, terms: Terminology, language: Language) -> list[str]:
    """Current medication, the newest prescription of each substance, in the order in which they were begun."""
    newest: dict[str, Finding] = {}
    for result in sorted(record.medications, key=lambda one: one.day or record.day):
        newest[_identity(result)] = result
    return [medication_name(terms, result.label, result.entry, language) for result in newest.values()]


def _vitals(record: Record, table: Selection) -> list[str]:
    """Vital signs of the last examinations; a temperature from years before is none."""
    results = [name for name in table.key_vitals if name in record.values]
    last = max((record.values[name].day for name in results), default=record.day)
    return [name for name in results if (last - record.values[name].day).days <= table.vitals_within_days]


def _labs(record: Record, conditions: list[Finding], table: Selection) -> list[str]:
    codes = tuple(condition.entry.id for condition in conditions if condition.entry)
    wanted = [name for rule in table.key_labs if _any(codes, rule.conditions) for name in rule.labs]
    order = dict.fromkeys([*wanted, *table.otherwise])
    return [name for name in order if name in record.values][: table.most_labs]


def _any(codes: Iterable[str], prefixes: tuple[str, ...]) -> bool:
    return any(code.startswith(prefixes) for code in codes)


def _shown(value: Value, table: Selection) -> str:
    """``131mmHg``, ``6.24%``: three significant digits, whole numbers from 100 on and where the table says so."""
    size = abs(value.value)
    whole = value.entry.id in table.whole_numbers or size >= 99.95
    digits = 0 if whole else 1 if size >= 9.995 or value.entry.id in table.one_decimal else 2
    text = f"{value.value:.{digits}f}"
    if "." in text and value.entry.id not in table.one_decimal:
        text = text.rstrip("0").rstrip(".")
    unit = "" if value.entry.id in table.without_unit or value.entry.unit is None else value.entry.unit.shown
    return f"{value.comparator}{text}{unit}"


def _procedures(record: Record, language: Language, table: Selection) -> list[str]:
    """Procedures that matter for advice, the latest first, each once."""
    major = [result for result in record.procedures if _is_major(result, table)]
    latest = sorted(major, key=lambda one: one.day or record.day, reverse=True)
    return [_name(result, language) for result in _unique(latest, _identity)][: table.most_procedures]


def _is_major(found: Finding, table: Selection) -> bool:
    if found.entry is not None:
        return found.entry.id not in table.minor
    return any(word in found.label.lower() for word in table.major_words)


def _symptom(
    record: Record, conditions: list[Finding], terms: Terminology, table: Selection, choice: random.Random
) -> tuple[Entry, bool]:
    """The newest symptom of the record, or a usual one of the primary condition; and whether it is assumed."""
    recorded = [symptom for symptom in record.symptoms if symptom.entry]
    if recorded:
        newest = max(recorded, key=lambda one: (one.day or record.day, _identity(one)))
        return newest.entry, False  # type: ignore[return-value]
    primary = tuple(one.entry.id for one in conditions[:1] if one.entry)
    usual = next((rule.symptoms for rule in table.usual_symptoms if _any(primary, rule.conditions)), None)
    chosen = choice.choice(usual or table.otherwise_symptoms)
    return next(entry for entry in terms.of_kind("symptom") if entry.id == chosen), True
