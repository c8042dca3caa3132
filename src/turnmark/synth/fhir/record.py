"""A patient's record as it stands on one day: active conditions, current medication, latest values, procedures done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Literal

import msgspec

from turnmark.packs.terminology import Entry, Terminology
from turnmark.schemas.problems import Problem
from turnmark.synth.fhir.bundle import Bundle
from turnmark.synth.fhir.elements import (
    Element,
    Resource,
    codes,
    date,
    element,
    elements,
    first_date,
    first_instant,
    impossible_date,
    label,
    number,
    status,
    text,
)
from turnmark.synth.fhir.naming import concept_entry

_ACTIVE = frozenset({"active", "recurrence", "relapse"})
_NOT_TRUE = frozenset({"refuted", "entered-in-error"})
_UNSURE = frozenset({"provisional", "differential", "unconfirmed"})
_NONE_KNOWN = frozenset({"SCT:716186003", "SCT:409137002", "SCT:428607008", "SCT:429625007"})
"""No known allergy, drug allergy, environmental allergy, food allergy."""
_SMOKING = frozenset({"LOINC:72166-2"})
_ALCOHOL = frozenset({"LOINC:11331-6", "LOINC:74013-4", "LOINC:68518-0"})
_DONE = frozenset({"completed", ""})
_CURRENT = frozenset({"active", "recorded", "on-hold"})
_NO_ORDER = frozenset({"proposal", "plan", "option"})
_MEASURED = frozenset({"final", "amended", "corrected", "preliminary"})


class Finding(msgspec.Struct, frozen=True):
    """A condition, allergy, symptom, medication or procedure: its name in the record, its concept, the day it began."""

    label: str
    entry: Entry | None
    day: dt.date | None


class Value(msgspec.Struct, frozen=True):
    """The latest value of a lab or vital, in the unit of the terminology; ``comparator`` is ``<`` or ``>``, if any.

    ``at`` is when it was measured, by the clock of UTC.
    """

    entry: Entry
    value: float
    comparator: str
    day: dt.date
    at: dt.datetime


class Habit(msgspec.Struct, frozen=True):
    """What the latest observation says of smoking or drinking, in its own words."""

    said: str
    at: dt.datetime


class Record(msgspec.Struct, kw_only=True):
    """One patient on ``day``: the last day of the record, or the day asked for.

    ``no_allergies`` when the record says so; a record without allergies does not know of any.
    """

    patient_id: str
    day: dt.date
    birth: dt.date | None
    gender: Literal["male", "female", "other", "unknown"]
    conditions: list[Finding] = []
    allergies: list[Finding] = []
    symptoms: list[Finding] = []
    medications: list[Finding] = []
    procedures: list[Finding] = []
    family: list[Finding] = []
    immunisations: list[Finding] = []
    habits: dict[str, Habit] = {}
    no_allergies: bool = False
    values: dict[str, Value] = {}

    @property
    def age_in_months(self) -> int | None:
        """Whole months lived on ``day``; None when the birth date is unknown or later."""
        if self.birth is None or self.birth > self.day:
            return None
        months = 12 * (self.day.year - self.birth.year) + self.day.month - self.birth.month
        return months - (self.day.day < self.birth.day)


def records(bundle: Bundle, terms: Terminology, on: dt.date | None) -> Iterator[Record | Problem]:
    """The record of every patient of a bundle, each after the problems that were found in it."""
    for patient in bundle.patients:
        yield from _Reader(bundle, patient, terms, on).read()
    if bundle.patients:
        yield from _dangling(bundle)


def _dangling(bundle: Bundle) -> Iterator[Problem]:
    for resource in bundle.of_type(*_KINDS):
        if bundle.belongs_to(resource, bundle.patients[0]) is None:
            reference = element(resource.body, "subject") or element(resource.body, "patient")
            yield resource.problem(
                "subject.reference",
                "a patient of this bundle",
                element(reference, "reference"),
                "add the patient to the bundle",
            )


_KINDS = (
    "Condition",
    "AllergyIntolerance",
    "MedicationRequest",
    "MedicationStatement",
    "Observation",
    "Procedure",
    "Encounter",
    "FamilyMemberHistory",
    "Immunization",
)
_DATES = {
    "Condition": ("onsetDateTime", "onsetPeriod", "recordedDate"),
    "AllergyIntolerance": ("onsetDateTime", "recordedDate"),
    "MedicationRequest": ("authoredOn",),
    "MedicationStatement": ("effectiveDateTime", "effectivePeriod", "dateAsserted"),
    "Observation": ("effectiveDateTime", "effectivePeriod", "effectiveInstant", "issued"),
    "Procedure": ("performedDateTime", "performedPeriod", "occurrenceDateTime", "occurrencePeriod"),
    "Encounter": ("period", "actualPeriod"),
    "FamilyMemberHistory": ("date",),
    "Immunization": ("occurrenceDateTime", "recorded"),
}
"""Where each resource says when it happened, in R4 and R5."""


class _Reader:
    """Reads the resources of one patient; problems are collected on the way."""

    def __init__(self, bundle: Bundle, patient: Resource, terms: Terminology, on: dt.date | None) -> None:
        self._bundle = bundle
        self._patient = patient
        self._terms = terms
        self._problems: list[Problem] = []
        self._own = [
            (resource, first_date(resource.body, *_DATES[kind]))
            for kind in _KINDS
            for resource in bundle.of_type(kind)
            if bundle.belongs_to(resource, patient)
        ]
        died = date(element(patient.body, "deceasedDateTime"))
        last = max((day for _, day in self._own if day), default=None)
        self._day = min((day for day in (on or last, died) if day), default=None)

    def read(self) -> Iterator[Record | Problem]:
        body = self._patient.body
        if self._day is None:
            yield self._patient.problem(
                "birthDate", "a dated resource of this patient", None, "say which day to look at with --on"
            )
            return
        gender = text(body.get("gender"))
        record = Record(
            patient_id=text(body.get("id")) or self._patient.file.rsplit("/", 1)[-1].removesuffix(".json"),
            day=self._day,
            birth=date(body.get("birthDate")),
            gender=gender if gender in {"male", "female", "other"} else "unknown",  # type: ignore[arg-type]
        )
        if record.age_in_months is None:
            self._problems.append(
                self._patient.problem("birthDate", f"a date before {self._day}", body.get("birthDate"))
            )
        readers = {
            "Condition": self._condition,
            "AllergyIntolerance": self._allergy,
            "MedicationRequest": self._medication,
            "MedicationStatement": self._medication,
            "Observation": self._observation,
            "Procedure": self._procedure,
            "Encounter": self._encounter,
            "FamilyMemberHistory": self._family,
            "Immunization": self._immunisation,
        }
        for resource, day in self._own:
            wrong = impossible_date(resource.body, *_DATES[text(resource.body.get("resourceType"))])
            if wrong is not None:
                advice = "it is read without a date" if day is None else "another of its dates is used"
                self._problems.append(
                    resource.problem(wrong, "a date that exists", element(resource.body, *wrong.split(".")), advice)
                )
            if day is None or day <= self._day:
                readers[text(resource.body.get("resourceType"))](record, resource, day)
        yield from self._problems
        yield record

    def _condition(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        body = resource.body
        ended = first_date(body, "abatementDateTime", "abatementPeriod")
        if (ended is not None and ended <= record.day) or not self._is_so(resource):
            return
        if not status(body.get("clinicalStatus")):
            self._problems.append(
                resource.problem(
                    "clinicalStatus", "active, or another status", body.get("clinicalStatus"), "it is taken as active"
                )
            )
        finding = self._finding(resource, "code", body.get("code"), ("condition", "symptom"), day)
        if finding is None:
            return
        if finding.entry is not None and finding.entry.kind == "symptom":
            record.symptoms.append(finding)
        elif finding.entry is not None or not finding.label.endswith(("(finding)", "(situation)")):
            # Findings that the terminology does not know are circumstances (employment, housing), not illnesses.
            record.conditions.append(finding)

    def _allergy(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        body = resource.body
        if not _NONE_KNOWN.isdisjoint(codes(body.get("code"))):
            record.no_allergies = True
        elif self._is_so(resource):
            finding = self._finding(resource, "code", body.get("code"), ("condition",), day)
            if finding is not None:
                record.allergies.append(finding)

    def _is_so(self, resource: Resource) -> bool:
        """Whether a condition or allergy is active and confirmed; of one that is only suspected a problem says so."""
        verified = status(resource.body.get("verificationStatus"))
        if status(resource.body.get("clinicalStatus")) not in {"", *_ACTIVE} or verified in _NOT_TRUE:
            return False
        if verified in _UNSURE:
            self._problems.append(
                resource.problem("verificationStatus", "confirmed", verified, "it is left out: it may not be so")
            )
        return verified not in _UNSURE

    def _family(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        if text(resource.body.get("status")) in {"", "completed", "partial"}:
            for index, condition in enumerate(elements(resource.body, "condition")):
                field = f"condition[{index}].code"
                finding = self._finding(resource, field, condition.get("code"), ("condition",), day)
                if finding is not None:
                    record.family.append(finding)

    def _immunisation(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        if text(resource.body.get("status")) in _DONE:
            finding = self._finding(resource, "vaccineCode", resource.body.get("vaccineCode"), (), day)
            if finding is not None:
                record.immunisations.append(finding)

    def _medication(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        body = resource.body
        ended = date(element(body, "effectivePeriod", "end"))
        if (
            text(body.get("status")) not in _CURRENT
            or text(body.get("intent")) in _NO_ORDER
            or body.get("doNotPerform") is True
            or (ended is not None and ended < record.day)
        ):
            return
        field, concept = self._medication_concept(resource)
        if concept is None:
            self._problems.append(
                resource.problem(
                    f"{field}.reference",
                    "a Medication of this bundle",
                    element(body, field, "reference"),
                    "add the Medication to the bundle, or write medicationCodeableConcept",
                )
            )
            return
        finding = self._finding(resource, field, concept, ("medication",), day)
        if finding is not None:
            record.medications.append(finding)

    def _medication_concept(self, resource: Resource) -> tuple[str, Element | None]:
        """Field and CodeableConcept of a medication: R4 has two fields, R5 one that holds a concept or a reference."""
        body = resource.body
        if isinstance(body.get("medicationCodeableConcept"), dict):
            return "medicationCodeableConcept", body["medicationCodeableConcept"]
        concept = element(body, "medication", "concept")
        if isinstance(concept, dict):
            return "medication", concept
        field = "medicationReference" if "medicationReference" in body else "medication"
        reference = body.get(field) if field == "medicationReference" else element(body, "medication", "reference")
        target = self._bundle.resolve(reference, body)
        code = target.body.get("code") if target else None
        return field, code if isinstance(code, dict) else None

    def _procedure(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        if text(resource.body.get("status")) == "completed":
            finding = self._finding(resource, "code", resource.body.get("code"), ("procedure",), day)
            if finding is not None:
                record.procedures.append(finding)

    def _encounter(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        reasons = elements(resource.body, "reasonCode") + [
            concept for reason in elements(resource.body, "reason") for concept in elements(reason, "concept")
        ]
        for reason in reasons:
            entry = concept_entry(self._terms, reason, ("symptom",))
            if entry is not None:
                record.symptoms.append(Finding(label(reason), entry, day))

    def _observation(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        body = resource.body
        at = first_instant(body, *_DATES["Observation"])
        if text(body.get("status")) not in _MEASURED or day is None or at is None:
            return
        asked = frozenset(codes(body.get("code")))
        for habit, known in (("smoking", _SMOKING), ("alcohol", _ALCOHOL)):
            said = _answer(body)
            earlier = record.habits.get(habit)
            if not known.isdisjoint(asked) and said and (earlier is None or earlier.at <= at):
                record.habits[habit] = Habit(said, at)
        parts = [("", body), *((f"component[{i}].", part) for i, part in enumerate(elements(body, "component")))]
        for prefix, part in parts:
            quantity = part.get("valueQuantity")
            entry = concept_entry(self._terms, part.get("code"), ("lab", "vital"))
            if entry is not None and isinstance(quantity, dict):
                self._measure(record, resource, f"{prefix}valueQuantity", entry, quantity, at)

    def _measure(
        self, record: Record, resource: Resource, field: str, entry: Entry, quantity: Element, at: dt.datetime
    ) -> None:
        value = number(quantity.get("value"))
        if value is None:
            self._problems.append(resource.problem(f"{field}.value", "a number", quantity.get("value")))
            return
        unit = text(quantity.get("code")) or text(quantity.get("unit"))
        converts = entry.converts(unit) or entry.converts(text(quantity.get("unit")))
        if converts is None:
            own = entry.unit.ucum if entry.unit else ""
            self._problems.append(
                resource.problem(f"{field}.unit", f"a unit that converts to {own} for {entry.english}", unit)
            )
            return
        earlier = record.values.get(entry.id)
        if earlier is None or earlier.at <= at:
            comparator = text(quantity.get("comparator"))
            record.values[entry.id] = Value(entry, converts(value), comparator, at.date(), at)

    def _finding(
        self,
        resource: Resource,
        field: str,
        concept: Element | None,
        kinds: tuple[str, ...],
        day: dt.date | None,
    ) -> Finding | None:
        name = label(concept)
        if not name:
            self._problems.append(resource.problem(field, "a code or a text", concept))
            return None
        return Finding(name, concept_entry(self._terms, concept, kinds), day)


def _answer(observation: Element) -> str:
    """What an observation of a habit says: a concept, a text, or an amount a day, of which 0 is never."""
    amount = number(element(observation, "valueQuantity", "value"))
    if amount is not None:
        return "current" if amount > 0 else "never"
    return label(observation.get("valueCodeableConcept")) or text(observation.get("valueString"))
