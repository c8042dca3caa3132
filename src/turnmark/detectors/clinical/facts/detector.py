"""Clinical facts of one answer: every mention, whether it is claimed of this patient, and whether the record denies it.

The evidence of the slot factuality score (SFS). Labels are those of a careful reader: examples, targets, general
knowledge, other people, questions, possibilities and recommendations to start something are no claims about the
patient; "you do not have diabetes" is one, of absence.
"""

from __future__ import annotations

from operator import attrgetter

from turnmark.detectors.clinical.facts.fact import OTHER_PERSON, Fact, FactType
from turnmark.detectors.clinical.read import statements
from turnmark.detectors.clinical.read.comparison import analytes, held_by, known_values, same_age, same_dose
from turnmark.detectors.clinical.read.mentions import Mention, is_dose_change
from turnmark.detectors.clinical.read.misspellings import Unresolved, find_unresolved
from turnmark.detectors.clinical.read.reading import Reading
from turnmark.detectors.clinical.read.record import RecordedItem
from turnmark.detectors.clinical.read.statements import Governing, PatientStatement
from turnmark.detectors.clinical.read.values import agrees
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.language.analysis import Analysis, analyse


def facts_of(reading: Reading) -> tuple[Fact, ...]:
    """The clinical facts of a text, in order of their start."""
    checker = _Checker(reading)
    return tuple(sorted(map(checker.fact, reading.mentions), key=_span))


def unresolved_mentions(answer: str | Analysis) -> list[Unresolved]:
    """Return the words of an answer that look like a medicine or a disease but are none that is known, in order."""
    analysis = answer if isinstance(answer, Analysis) else analyse(answer)
    folded = analysis.folded
    names = vocabulary().find(folded.text, folded.base)
    results: list[Unresolved] = []
    for word in find_unresolved(folded.text, [(named.start, named.end) for named in names]):
        start, end = folded.to_original(word.start, word.end)
        results.append(Unresolved(word.kind, folded.original[start:end], start, end))
    return results


_span = attrgetter("start", "end")


class _Checker:
    """Checks the mentions of one answer against one record."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.record = reading.record

    def fact(self, mention: Mention) -> Fact:
        """What a mention comes to."""
        governing = self.reading.governing(mention)
        if mention.kind == "medication":
            return self._medication(mention, governing)
        if mention.kind == "condition":
            return self._condition(mention, governing)
        if mention.kind in ("lab", "vital"):
            return self._value(mention, governing)
        return self._demographic(mention, governing)

    def _made(
        self,
        mention: Mention,
        claim: PatientStatement,
        wrong: bool,
        record: tuple[str, ...],
        *,
        name: str = "",
        sex: str = "",
    ) -> Fact:
        start, end = self.reading.folded.to_original(mention.start, mention.end)
        kind: FactType = "demographic" if mention.kind in ("age", "sex") else mention.kind  # type: ignore[assignment]
        return Fact(
            kind,
            name or mention.terms[0].name,
            self.reading.folded.original[start:end],
            start,
            end,
            claim.of_patient,
            claim.denied,
            claim.of_patient and wrong,
            claim.reason,
            record,
            mention.quantities,
            mention.stage,
            sex,
            mention.terms,
        )

    def _is_of_other(self, governing: Governing) -> bool:
        return statements.is_of_other(governing, self.reading.question.for_another)

    def _medication(self, mention: Mention, governing: Governing) -> Fact:
        held = held_by(mention, self.record.medications)
        claim = statements.read_medication(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and self.reading.is_listed(mention):
            claim = PatientStatement(True, reason="listed")
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        wrong = bool(held) if claim.denied else not held
        if mention.quantities:
            dose = mention.quantities[0]
            doses = [stated for entry in held for stated in entry.doses]
            known = not doses or any(same_dose(dose, stated) for stated in doses)
            if not wrong and not known and not is_dose_change(self.reading.text, dose):
                wrong = True
        return self._made(mention, claim, wrong, _texts(held))

    def _condition(self, mention: Mention, governing: Governing) -> Fact:
        held = held_by(mention, self.record.conditions)
        claim = statements.read_condition(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and (
            self.reading.follows_age(mention) or self.reading.is_listed(mention)
        ):
            claim = PatientStatement(True, reason="summary")
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        staged = [entry.stage for entry in held if entry.stage]
        wrong = bool(held) if claim.denied else not held
        if mention.stage and staged and mention.stage not in staged:
            wrong = True
        return self._made(mention, claim, wrong, _texts(held))

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
            claim = PatientStatement(False, reason=OTHER_PERSON)
        return self._made(mention, claim, not same, tuple(value.text for _, values in known for value in values))

    def _demographic(self, mention: Mention, governing: Governing) -> Fact:
        claim = PatientStatement(True, reason="stated")
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        elif mention.general or governing.has("population"):
            claim = PatientStatement(False, reason="population")
        if mention.kind == "sex":
            sex = mention.terms[0].name
            wrong = bool(self.record.sex) and sex != self.record.sex
            record = (self.record.sex,) if self.record.sex else ()
            return self._made(mention, claim, wrong, record, name="sex", sex=sex)
        amount = mention.quantities[0]
        if mention.general or (amount.comparator and amount.comparator != "more_than"):
            claim = PatientStatement(False, reason="bound")
        age = self.record.age
        wrong = age is not None and not same_age(mention, age)
        return self._made(mention, claim, wrong, () if age is None else (str(age),), name="age")


def _texts(held: list[RecordedItem]) -> tuple[str, ...]:
    return tuple(entry.text for entry in held)
