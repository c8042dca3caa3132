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
    date,
    element,
    elements,
    first_date,
    label,
    number,
    status,
    text,
)
from turnmark.synth.fhir.naming import concept_entry

_ACTIVE = frozenset({"active", "recurrence", "relapse"})
_NOT_TRUE = frozenset({"refuted", "entered-in-error"})
_CURRENT = frozenset({"active", "recorded", "on-hold"})
_NO_ORDER = frozenset({"proposal", "plan", "option"})
_MEASURED = frozenset({"final", "amended", "corrected", "preliminary"})


class Finding(msgspec.Struct, frozen=True):
    """A condition, allergy, symptom, medication or procedure: its name in the record, its concept, the day it began."""

    label: str
    entry: Entry | None
    day: dt.date | None


class Value(msgspec.Struct, frozen=True):
    """The latest value of a lab or vital, in the unit of the terminology; ``comparator`` is ``<`` or ``>``, if any."""

    entry: Entry
    value: float
    comparator: str
    day: dt.date


class Record(msgspec.Struct, kw_only=True):
    """One patient on ``day``: the last day of the record, or the day asked for."""

    patient_id: str
    day: dt.date
    birth: dt.date | None
    gender: Literal["male", "female", "other", "unknown"]
    conditions: list[Finding] = []
    allergies: list[Finding] = []
    symptoms: list[Finding] = []
    medications: list[Finding] = []
    procedures: list[Finding] = []
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
)
_DATES = {
    "Condition": ("onsetDateTime", "onsetPeriod", "recordedDate"),
    "AllergyIntolerance": ("onsetDateTime", "recordedDate"),
    "MedicationRequest": ("authoredOn",),
    "MedicationStatement": ("effectiveDateTime", "effectivePeriod", "dateAsserted"),
    "Observation": ("effectiveDateTime", "effectivePeriod", "effectiveInstant", "issued"),
    "Procedure": ("performedDateTime", "performedPeriod", "occurrenceDateTime", "occurrencePeriod"),
    "Encounter": ("period", "actualPeriod"),
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
        }
        for resource, day in self._own:
            if day is None or day <= self._day:
                readers[text(resource.body.get("resourceType"))](record, resource, day)
        yield from self._problems
        yield record

    def _condition(self, record: Record, resource: Resource, day: dt.date | None) -> None:
        body = resource.body
        ended = first_date(body, "abatementDateTime", "abatementPeriod")
        if (
            status(body.get("clinicalStatus")) not in _ACTIVE
            or status(body.get("verificationStatus")) in _NOT_TRUE
            or (ended is not None and ended <= record.day)
        ):
            return
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
        if status(body.get("clinicalStatus")) in {"", "active"} and (
            status(body.get("verificationStatus")) not in _NOT_TRUE
        ):
            finding = self._finding(resource, "code", body.get("code"), ("condition",), day)
            if finding is not None:
                record.allergies.append(finding)

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
        if text(body.get("status")) not in _MEASURED or day is None:
            return
        parts = [("", body), *((f"component[{i}].", part) for i, part in enumerate(elements(body, "component")))]
        for prefix, part in parts:
            quantity = part.get("valueQuantity")
            entry = concept_entry(self._terms, part.get("code"), ("lab", "vital"))
            if entry is not None and isinstance(quantity, dict):
                self._measure(record, resource, f"{prefix}valueQuantity", entry, quantity, day)

    def _measure(
        self, record: Record, resource: Resource, field: str, entry: Entry, quantity: Element, day: dt.date
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
        if earlier is None or earlier.day <= day:
            record.values[entry.id] = Value(entry, converts(value), text(quantity.get("comparator")), day)

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
