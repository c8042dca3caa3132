"""Five-turn conversation scripts from the slots of a patient: what the patient asks, turn by turn.

Turn 1 gives demographics, conditions and the complaint, turn 2 medication, tests and procedures. Turns 3 (exercise) and
4 (diet) repeat nothing on purpose: only an assistant that remembers can fit its answer to the patient. Turn 5 asks for
a four-week plan.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from turnmark.language.text.particles import with_particle
from turnmark.packs.loading import parse, shipped
from turnmark.packs.terminology import Language, Terminology
from turnmark.schemas.clinical.events import ScriptLine, ScriptTurn, SlotsTruth

GUARDIAN_BELOW = 12
"""Years of age below which somebody else speaks for the patient."""
ADULT_FROM = 18
"""Years of age from which a patient is called man or woman."""

_PLACEHOLDER = re.compile(r"\{(\w+)(?:\|([^}]+))?\}")
_READING = re.compile(r"([<>]=?)?(\d+(?:\.\d+)?)(.*)", re.DOTALL)
_VOWEL_NUMBER = re.compile(r"8|1[18](?!\d)")
_ATTACHED = ("%", "°", "℃")


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wording and the slots that it needs."""

    text: str
    needs: tuple[str, ...] = ()


Variants = tuple[tuple[tuple[Choice, ...], ...], ...]
"""Variants of a turn; a variant is a row of parts, a part a row of choices of which the first that fits is taken."""


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How patients of one language ask."""

    version: str
    joiner: str
    last_joiner: str
    unit_space: bool
    sexes: dict[str, str]
    teens: dict[str, str]
    children: dict[str, str]
    infants: str
    ages: str
    lab_names: dict[str, str]
    readings: dict[str, str]
    symptoms: dict[str, str]
    turns: dict[str, Variants]
    guardian: dict[str, Variants]


@cache
def wording(language: Language) -> Wording:
    """The wording of a language that comes with turnmark."""
    name = f"clinical/synth/scripts.{language}.yaml"
    return parse(shipped(name), name, Wording)


def script(
    patient_id: str,
    slots: SlotsTruth,
    terms: Terminology,
    language: Language,
    choice: random.Random,
    months: int | None = None,
) -> ScriptLine:
    """The script of one patient; ``choice`` picks the variants, ``months`` is the age of a child under two years."""
    own = wording(language)
    child = _years(slots) < GUARDIAN_BELOW
    words = _words(slots, terms, language, own, months)
    turns = own.guardian if child else own.turns
    gap = "" if language == "zh" else " "
    return ScriptLine(
        patient_id=patient_id,
        slots=slots,
        turns=[
            ScriptTurn(turn_id=int(turn_id), question=_question(choice.choice(variants), words, gap))
            for turn_id, variants in sorted(turns.items())
        ],
    )


def _question(variant: tuple[tuple[Choice, ...], ...], words: Mapping[str, str], gap: str) -> str:
    parts = [
        next((part.text for part in choices if all(words.get(need) for need in part.needs)), "") for choices in variant
    ]
    return gap.join(_filled(part, words) for part in parts if part)


def _filled(text: str, words: Mapping[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        word, form = words[match[1]], match[2]
        if form == "a/an":
            return f"{'an' if _VOWEL_NUMBER.match(word) or word[0] in 'aeiou' else 'a'} {word}"
        return with_particle(word, form) if form else word

    return _PLACEHOLDER.sub(fill, text)


def _words(
    slots: SlotsTruth, terms: Terminology, language: Language, own: Wording, months: int | None
) -> dict[str, str]:
    """Every slot as it is said in a sentence; an empty text for a slot without value."""
    given = slots.get("age")
    age = own.ages.format(age=given) if given is not None else ""
    if given is not None and months is not None and months < 24:
        age = own.infants.format(months=months)
    words = {
        "age": age,
        "sex": _called_by_age(slots, own).get(str(slots.get("sex") or ""), ""),
        "primary_condition": str(slots.get("primary_condition") or ""),
        "chief_symptom": _symptom(str(slots.get("chief_symptom") or ""), terms, own),
        "key_labs": _joined(_measured(slots.get("key_labs"), "lab", terms, language, own), own),
        "key_vitals": _joined(_vitals(slots.get("key_vitals"), terms, language, own), own),
    }
    for name in ("comorbidities", "key_meds", "major_procedures"):
        values = slots.get(name)
        words[name] = _joined([str(value) for value in values] if isinstance(values, list) else [], own)
    return words


def _called_by_age(slots: SlotsTruth, own: Wording) -> dict[str, str]:
    years = _years(slots)
    if years >= ADULT_FROM:
        return own.sexes
    return own.teens if years >= GUARDIAN_BELOW else own.children


def _years(slots: SlotsTruth) -> int:
    """The age in whole years; of one that is no whole number that of a grown-up."""
    age = slots.get("age")
    return age if isinstance(age, int) else ADULT_FROM


def _symptom(name: str, terms: Terminology, own: Wording) -> str:
    entries = [entry for entry in terms.by_name(name.lower()) if entry.kind == "symptom"]
    return own.symptoms.get(entries[0].id, name) if entries else name


def _joined(items: list[str], own: Wording) -> str:
    """A list as it is said: ``a``, ``a and b``, ``a, b and c``."""
    return own.last_joiner.join([own.joiner.join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _measured(values: Any, kind: Any, terms: Terminology, language: Language, own: Wording) -> list[str]:
    return [
        f"{_called(name, kind, terms, language, own)} {_said(name, value, own)}"
        for name, value in (values.items() if isinstance(values, dict) else ())
    ]


def _vitals(values: Any, terms: Terminology, language: Language, own: Wording) -> list[str]:
    """Vital signs; systolic and diastolic pressure are said as one reading."""
    rest = dict(values) if isinstance(values, dict) else {}
    said = []
    upper, lower = (_READING.fullmatch(str(rest.get(name, ""))) for name in ("bp_systolic", "bp_diastolic"))
    if upper and lower:
        del rest["bp_systolic"], rest["bp_diastolic"]
        pressure = _said("", f"{upper[2]}/{lower[2]}{lower[3]}", own)
        said.append(f"{_called('blood_pressure', 'vital', terms, language, own)} {pressure}")
    return said + _measured(rest, "vital", terms, language, own)


def _called(name: str, kind: Any, terms: Terminology, language: Language, own: Wording) -> str:
    entry = terms.get(kind, name)
    return own.lab_names.get(name) or (entry.canonical(language) if entry else name)


def _said(name: str, value: Any, own: Wording) -> str:
    """A value as it is said: ``72/min`` as 72 beats per minute, in English a space before the unit."""
    match = re.fullmatch(r"([<>]?=?[\d./]*\d)(.*)", str(value), re.DOTALL)
    if not match:
        return str(value)
    number, unit = match[1], match[2].strip()
    if name in own.readings:
        return own.readings[name].format(number=number)
    space = " " if own.unit_space and unit and not unit.startswith(_ATTACHED) else ""
    return f"{number}{space}{unit}"
