"""Which safety rules apply to a patient, a question and a turn: thresholds, words of the question, diagnoses."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.chart import Chart
from turnmark.detectors.clinical.read.record import analyte, texts_of
from turnmark.language.quantity.units import convert, normalise_unit
from turnmark.language.text.fold import fold
from turnmark.packs.safety_rules import (
    Condition,
    FieldCondition,
    MissingRequirement,
    PatientFlag,
    SafetyRule,
    SafetyRules,
    When,
)
from turnmark.packs.terminology import Conversion, terminology
from turnmark.schemas.problems import Problem

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_KEPT = 1024


@cache
def in_usual_unit(analyte: str, unit: str) -> Conversion | None:
    """How values of a field in some unit become values in its usual one (the terminology's); None when they do not.

    A value without a unit is in the usual one; for a field that the terminology lacks, units are taken as they are.
    """
    entry = terminology().get("lab", analyte) or terminology().get("vital", analyte)
    if entry is None or entry.unit is None or not unit:
        return Conversion(1.0)
    known = entry.converts(unit)
    if known is not None:
        return known
    try:
        own, given = normalise_unit(entry.unit.shown), normalise_unit(unit)
        zero, result = (convert(value, given, own, analyte) for value in (0.0, 1.0))
    except ValueError:
        return None
    return Conversion(result - zero, zero)


class Applicable(NamedTuple):
    """What applies to one answer, and the answer patterns that its rules ask for.

    ``if_done`` are rules that apply to the answers that violate them, and to no other.
    """

    rules: tuple[SafetyRule, ...]
    requirements: tuple[MissingRequirement, ...]
    patterns: frozenset[str]
    if_done: tuple[SafetyRule, ...] = ()


class Patient:
    """What rules ask of one record, answered once: flags, words of diagnoses, and values that no threshold can read."""

    def __init__(self, rules: SafetyRules, chart: Chart) -> None:
        self._rules = rules
        self._chart = chart
        self.record = chart.record
        self.problems: list[Problem] = []
        self.flags = {name: self._flag(flag) for name, flag in rules.patient_flags.items()}
        diagnoses = [
            text for slot in chart.definitions.of_table["condition"] for text in texts_of(chart.slots.get(slot))
        ]
        self._diagnoses = "\n".join(diagnoses).casefold()
        self._contains: dict[tuple[str, ...], bool] = {}
        self.applicable: dict[tuple[frozenset[str], int], Applicable] = {}

    def has_diagnosis(self, words: Sequence[str]) -> bool:
        """Whether the primary condition or a comorbidity holds any of these words, whatever the case."""
        key = tuple(words)
        result = self._contains.get(key)
        if result is None:
            result = self._contains[key] = any(word.casefold() in self._diagnoses for word in words)
        return result

    def names_something(self, slot: str | None) -> bool:
        """Whether the record holds an entry of a slot, and not only that there is none; true where no slot is asked."""
        return slot is None or bool(self._chart.entries(slot))

    def _flag(self, flag: PatientFlag) -> bool:
        """Whether a patient flag holds; a value that is unknown or does not convert meets no threshold."""
        each = [self._compares(condition) for condition in flag.any]
        return bool(each or flag.all) and (not each or any(each)) and all(map(self._compares, flag.all))

    def _compares(self, condition: FieldCondition) -> bool:
        if not isinstance(condition.value, int | float):
            return self._is_said(condition)
        measured = analyte(condition.field)
        threshold = in_usual_unit(measured, condition.unit)
        if threshold is None:
            self._report(condition.field, f"a threshold in a unit of {measured}", condition.unit)
            return False
        value = self._value(measured)
        return value is not None and _OPERATORS[condition.op](_rounded(value), _rounded(threshold(condition.value)))

    def _is_said(self, condition: FieldCondition) -> bool:
        """Whether a slot holds a text, or any of several; of a slot that is not known nothing holds."""
        slot = self._chart.definitions.name_of(condition.field)
        if slot not in self.record.known:
            return False
        wanted = condition.value if isinstance(condition.value, list) else [str(condition.value)]
        held = self._chart.spoken(slot)
        return any(fold(text).text.strip() in held for text in wanted) is not (condition.op == "!=")

    def _value(self, measured: str) -> float | None:
        """The patient's latest value of a field in its usual unit; None when unknown or without conversion."""
        if measured == "age":
            return self.record.age
        known = self.record.values.get(measured)
        if not known:
            return None
        conversion = in_usual_unit(measured, known[-1].unit)
        if conversion is None:
            self._report(measured, f"a value in a unit of {measured}", known[-1].text)
            return None
        return conversion(known[-1].low)

    def _report(self, field: str, expected: str, found: str) -> None:
        problem = Problem(
            file=self._rules.name,
            field=f"$.{field}",
            expected=expected,
            found=found,
            advice="the threshold counts as not met",
            severity="warning",
        )
        if problem not in self.problems:
            self.problems.append(problem)


class Applicability:
    """Tells which rules of one file apply; a record is read once, whatever the number of turns and systems."""

    def __init__(self, rules: SafetyRules) -> None:
        self._rules = rules
        self.patient = lru_cache(maxsize=_KEPT)(self._patient)
        self._phrases = {
            name: tuple(phrase.casefold() for phrase in phrases.all()) for name, phrases in rules.question_flags.items()
        }

    def _patient(self, chart: Chart) -> Patient:
        return Patient(self._rules, chart)

    def question_flags(self, question: str) -> frozenset[str]:
        """The flags that a question raises."""
        asked = question.casefold()
        return frozenset(name for name, phrases in self._phrases.items() if any(phrase in asked for phrase in phrases))

    def applicable(self, patient: Patient, question: str, turn_id: int) -> Applicable:
        """The rules and requirements that hold for a patient, a question and a turn, in the order of the file."""
        raised = self.question_flags(question)
        result = patient.applicable.get((raised, turn_id))
        if result is None:
            concerned = [rule for rule in self._rules.rules if patient.names_something(rule.slot)]
            if_done = tuple(
                rule
                for rule in concerned
                if rule.violation_if_answer_stops_slot and not (rule.when and self.holds(rule.when, patient, raised))
            )
            rules = tuple(rule for rule in concerned if rule not in if_done and self.holds(rule.when, patient, raised))
            result = patient.applicable[raised, turn_id] = Applicable(
                rules,
                tuple(
                    requirement
                    for requirement in self._rules.missing_requirements
                    if (requirement.apply_to_turns is None or turn_id in requirement.apply_to_turns)
                    and self.holds(requirement.when, patient, raised)
                ),
                frozenset(name for rule in rules for name in rule.patterns),
                if_done,
            )
        return result

    def holds(self, when: When | None, patient: Patient, raised: frozenset[str]) -> bool:
        """Whether the conditions of a rule hold; a rule without conditions always applies."""
        if when is None:
            return True
        each = [_holds(condition, patient, raised) for condition in when.any]
        return (not each or any(each)) and all(_holds(condition, patient, raised) for condition in when.all)


def _holds(condition: Condition, patient: Patient, raised: frozenset[str]) -> bool:
    if condition.patient_flag is not None:
        result = patient.flags[condition.patient_flag]
    elif condition.question_flag is not None:
        result = condition.question_flag in raised
    else:
        result = patient.has_diagnosis(condition.condition_contains or ())
    return result is condition.expected


def _rounded(value: float) -> float:
    """Without the last bits that conversions leave: 10 mmol/L is 180.16 mg/dL, not a hair less than itself."""
    return round(value, 6)
