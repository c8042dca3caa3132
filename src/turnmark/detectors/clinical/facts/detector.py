"""Clinical facts of one answer: every mention, whether it is claimed of this patient, and whether the record denies it.

The evidence of the slot factuality score (SFS). Labels are those of a careful reader: examples, targets, general
knowledge, other people, questions, possibilities and recommendations to start something are no claims about the
patient; "you do not have diabetes" is one, of absence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from turnmark.detectors.clinical.read import statements
from turnmark.detectors.clinical.read.comparison import analytes, held_by, known_values, same_age, same_dose, shown
from turnmark.detectors.clinical.read.mentions import Mention, is_dose_change
from turnmark.detectors.clinical.read.misspellings import Unresolved, find_unresolved
from turnmark.detectors.clinical.read.reading import Reading
from turnmark.detectors.clinical.read.record import Record, records
from turnmark.detectors.clinical.read.statements import Claim, Governing
from turnmark.detectors.clinical.read.values import agrees
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.language.analysis import Analysis, analyse
from turnmark.schemas.clinical.events import SlotsTruth

FactType = Literal["medication", "condition", "lab", "vital", "demographic"]


class Fact(NamedTuple):
    """One clinical mention of an answer.

    Attributes:
        type: "medication", "condition", "lab", "vital" or "demographic".
        value: What is stated, normalised: "hba1c 7.9 percent", "metformin 1000 mg", "age 67", "no gout".
        quote: The words; ``answer[start:end] == quote``.
        start: First code point in the answer.
        end: End of the span.
        patient_claim: True when the answer says it of this patient.
        hallucinated: True when it is a claim that the record denies or does not hold.
        reason: Why, in a few words: the kind of cue that decided, and the value of the record.

    """

    type: FactType
    value: str
    quote: str
    start: int
    end: int
    patient_claim: bool
    hallucinated: bool
    reason: str


def extract_facts(
    answer: str | Analysis,
    slots_truth: SlotsTruth | Mapping[str, Any],
    question: str = "",
    *,
    record: Record | None = None,
) -> list[Fact]:
    """Return the clinical facts of an answer in order.

    Args:
        answer: The answer, or its analysis when it is at hand.
        slots_truth: The true record of the patient; empty slots are unknown.
        question: What was asked; tells a caregiver who asks for someone from a patient.
        record: What the slots say, when they have been read.

    """
    analysis = answer if isinstance(answer, Analysis) else analyse(answer)
    known = records().read(slots_truth) if record is None else record
    return _Checker(Reading(analysis, known, question)).facts()


def unresolved_mentions(answer: str | Analysis) -> list[Unresolved]:
    """Return the words of an answer that look like a medicine or a disease but are none that is known, in order."""
    analysis = answer if isinstance(answer, Analysis) else analyse(answer)
    folded = analysis.folded
    names = vocabulary().find(folded.text, folded.base)
    found: list[Unresolved] = []
    for word in find_unresolved(folded.text, [(named.start, named.end) for named in names]):
        start, end = folded.to_original(word.start, word.end)
        found.append(Unresolved(word.kind, folded.original[start:end], start, end))
    return found


class _Checker:
    """Checks the mentions of one answer against one record."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.record = reading.record

    def facts(self) -> list[Fact]:
        """Return all facts in order of their start."""
        found = [self._fact(mention) for mention in self.reading.mentions]
        found.sort(key=lambda fact: (fact.start, fact.end))
        return found

    def _fact(self, mention: Mention) -> Fact:
        governing = self.reading.governing(mention)
        if mention.kind == "medication":
            return self._medication(mention, governing)
        if mention.kind == "condition":
            return self._condition(mention, governing)
        if mention.kind in ("lab", "vital"):
            return self._value(mention, governing)
        return self._demographic(mention, governing)

    def _made(self, mention: Mention, value: str, claim: Claim, hallucinated: bool, reason: str) -> Fact:
        start, end = self.reading.folded.to_original(mention.start, mention.end)
        kind: FactType = "demographic" if mention.kind in ("age", "sex") else mention.kind  # type: ignore[assignment]
        return Fact(
            kind,
            value,
            self.reading.folded.original[start:end],
            start,
            end,
            claim.of_patient,
            claim.of_patient and hallucinated,
            f"{claim.reason}: {reason}",
        )

    def _is_of_other(self, governing: Governing) -> bool:
        return statements.is_of_other(governing, self.reading.question.for_another)

    def _medication(self, mention: Mention, governing: Governing) -> Fact:
        held = held_by(mention, self.record.medications)
        claim = statements.read_medication(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and self.reading.is_listed(mention):
            claim = Claim(True, reason="listed")
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        name = mention.terms[0].name
        value = name
        wrong = bool(held) if claim.denied else not held
        reason = f"the record holds {held[0].text!r}" if held else "not in the record"
        if mention.quantities:
            dose = mention.quantities[0]
            value = f"{name} {dose.low:g} {dose.unit}"
            doses = [stated for entry in held for stated in entry.doses]
            known = not doses or any(same_dose(dose, stated) for stated in doses)
            if not wrong and not known and not is_dose_change(self.reading.text, dose):
                wrong = True
        return self._made(mention, f"no {value}" if claim.denied else value, claim, wrong, reason)

    def _condition(self, mention: Mention, governing: Governing) -> Fact:
        held = held_by(mention, self.record.conditions)
        claim = statements.read_condition(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and (
            self.reading.follows_age(mention) or self.reading.is_listed(mention)
        ):
            claim = Claim(True, reason="summary")
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        name = mention.terms[0].name
        value = f"{name} stage {mention.stage}" if mention.stage else name
        staged = [entry.stage for entry in held if entry.stage]
        wrong = bool(held) if claim.denied else not held
        if mention.stage and staged and mention.stage not in staged:
            wrong = True
        reason = f"the record holds {held[0].text!r}" if held else "not in the record"
        return self._made(mention, f"no {value}" if claim.denied else value, claim, wrong, reason)

    def _value(self, mention: Mention, governing: Governing) -> Fact:
        measured, first = analytes(mention), mention.quantities[0]
        known = [(analyte, known_values(self.record, analyte)) for analyte in measured]
        same = all(
            any(agrees(analyte, amount, self.reading.text, value) for value in values)
            for (analyte, values), amount in zip(known, mention.quantities, strict=False)
        )
        claim = statements.read_value(
            governing,
            bounded=bool(first.comparator)
            and not (self.reading.text.startswith("보다", first.end) and not governing.has("norm")),
            ranged=first.high > first.low and first.form != "decade",
            agrees=same,
        )
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        numbers = "/".join(shown(amount) for amount in mention.quantities)
        unit = mention.quantities[-1].unit
        texts = [value.text for _, values in known for value in values]
        reason = f"the record holds {', '.join(texts)}" if texts else "not in the record"
        return self._made(mention, f"{mention.terms[0].name} {numbers} {unit}".strip(), claim, not same, reason)

    def _demographic(self, mention: Mention, governing: Governing) -> Fact:
        claim = Claim(True, reason="stated")
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        elif mention.general or governing.has("population"):
            claim = Claim(False, reason="population")
        if mention.kind == "sex":
            sex = mention.terms[0].name
            wrong = bool(self.record.sex) and sex != self.record.sex
            reason = f"the record says {self.record.sex or 'nothing'}"
            return self._made(mention, f"sex {sex}", claim, wrong, reason)
        amount = mention.quantities[0]
        if mention.general or (amount.comparator and amount.comparator != "more_than"):
            claim = Claim(False, reason="bound")
        wrong = self.record.age is not None and not same_age(mention, self.record.age)
        return self._made(mention, f"age {shown(amount)}", claim, wrong, f"the record says {self.record.age}")
