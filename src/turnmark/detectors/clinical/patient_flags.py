"""Which safety rules apply to a patient, a question and a turn: thresholds, words of the question, diagnoses."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from turnmark.detectors.clinical.record import RecordReader, texts_of
from turnmark.detectors.clinical.vocabulary import vocabulary
from turnmark.language.units import convert, normalise_unit
from turnmark.packs.safety_rules import FieldCondition, PatientFlag, SafetyRules, When
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


@cache
def _records() -> RecordReader:
    return RecordReader(vocabulary())


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
        zero, one = (convert(value, given, own, analyte) for value in (0.0, 1.0))
    except ValueError:
        return None
    return Conversion(one - zero, zero)


class PatientReader:
    """Answers the conditions of rules for one patient and one question."""

    def __init__(self, rules: SafetyRules, slots: Mapping[str, Any], question: str) -> None:
        self.rules = rules
        self.problems: list[Problem] = []
        self._record = _records().read(slots)
        diagnoses = [text for slot in ("primary_condition", "comorbidities") for text in texts_of(slots.get(slot))]
        self._diagnoses = "\n".join(diagnoses).casefold()
        self._question = question.casefold()

    def holds(self, when: When | None) -> bool:
        """Whether the conditions of a rule hold; a rule without conditions always applies."""
        if when is None:
            return True
        each = [self._condition(condition) for condition in when.any]
        return (not each or any(each)) and all(self._condition(condition) for condition in when.all)

    def _condition(self, condition: Any) -> bool:
        if condition.patient_flag is not None:
            found = self.flag(self.rules.patient_flags[condition.patient_flag])
        elif condition.question_flag is not None:
            phrases = self.rules.question_flags[condition.question_flag].all()
            found = any(phrase.casefold() in self._question for phrase in phrases)
        else:
            found = any(words.casefold() in self._diagnoses for words in condition.condition_contains)
        return found is condition.expected

    def flag(self, flag: PatientFlag) -> bool:
        """Whether a patient flag holds; a value that is unknown or does not convert meets no threshold."""
        each = [self._compares(condition) for condition in flag.any]
        return bool(each or flag.all) and (not each or any(each)) and all(map(self._compares, flag.all))

    def _compares(self, condition: FieldCondition) -> bool:
        analyte = _records().analyte(condition.field)
        threshold = in_usual_unit(analyte, condition.unit)
        if threshold is None:
            self._report(condition.field, f"a threshold in a unit of {analyte}", condition.unit)
            return False
        value = self.value(analyte)
        return value is not None and _OPERATORS[condition.op](_rounded(value), _rounded(threshold(condition.value)))

    def value(self, analyte: str) -> float | None:
        """The patient's latest value of a field in its usual unit; None when unknown or without conversion."""
        if analyte == "age":
            return self._record.age
        known = self._record.values.get(analyte)
        if not known:
            return None
        conversion = in_usual_unit(analyte, known[-1].unit)
        if conversion is None:
            self._report(analyte, f"a value in a unit of {analyte}", known[-1].text)
            return None
        return conversion(known[-1].low)

    def _report(self, field: str, expected: str, found: str) -> None:
        problem = Problem(
            file=self.rules.name,
            field=f"$.{field}",
            expected=expected,
            found=found,
            advice="the threshold counts as not met",
            severity="warning",
        )
        if problem not in self.problems:
            self.problems.append(problem)


def _rounded(value: float) -> float:
    """Without the last bits that conversions leave: 10 mmol/L is 180.16 mg/dL, not a hair less than itself."""
    return round(value, 6)
