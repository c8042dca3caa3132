"""Clinical facts of one answer: every mention, whether it is claimed of this patient, and whether the record denies it.

The evidence of the slot factuality score (SFS). Labels are those of a careful reader: examples, targets, general
knowledge, other people, questions, possibilities and recommendations to start something are no claims about the
patient; "you do not have diabetes" is one, of absence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from turnmark.detectors.clinical import statements
from turnmark.detectors.clinical.measurements import Measurements
from turnmark.detectors.clinical.mentions import (
    Mention,
    age_mentions,
    condition_mentions,
    is_dose_change,
    medication_mentions,
    sex_mentions,
)
from turnmark.detectors.clinical.misspellings import Unresolved, find_unresolved
from turnmark.detectors.clinical.record import Held, Record, RecordReader, Value
from turnmark.detectors.clinical.statements import Claim, Governing, StatementReader
from turnmark.detectors.clinical.values import agrees
from turnmark.detectors.clinical.vocabulary import Named, vocabulary
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.fold import fold
from turnmark.language.quantity import Quantity
from turnmark.packs.clinical_facts import facts_pack, words
from turnmark.schemas.clinical import SlotsTruth

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


@cache
def _records() -> RecordReader:
    return RecordReader(vocabulary())


def extract_facts(
    answer: str | Analysis, slots_truth: SlotsTruth | Mapping[str, Any], question: str = ""
) -> list[Fact]:
    """Return the clinical facts of an answer in order.

    Args:
        answer: The answer, or its analysis when it is at hand.
        slots_truth: The true record of the patient; empty slots are unknown.
        question: What was asked; tells a caregiver who asks for someone from a patient.

    """
    analysis = answer if isinstance(answer, Analysis) else analyse(answer)
    record = _records().read(slots_truth)
    return _Reader(analysis, record, question).facts()


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


@cache
def _caregiver_words() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words(facts_pack()[0].mentions.caregiver))))


class _Question(NamedTuple):
    """What the question tells: whether it is asked for a relative, and the labs and vitals that it names."""

    for_another: bool = False
    topics: tuple[Named, ...] = ()


@lru_cache(maxsize=4096)
def _question(text: str) -> _Question:
    """Read a question; scripts put the same ones to many patients."""
    folded = fold(text)
    found = vocabulary().find(folded.text, folded.base)
    topics = tuple(named for named in found if named.terms[0].kind in ("lab", "vital"))
    return _Question(_caregiver_words().search(folded.text) is not None, topics)


class _Reader:
    """Reads one answer against one record."""

    def __init__(self, analysis: Analysis, record: Record, question: str) -> None:
        self.folded = analysis.folded
        self.text, self.base = self.folded.text, self.folded.base
        # Offsets inside are folded; a text whose length folding changes is read in its folded form.
        self.analysis = analysis if self.folded.same_length else analyse(self.base)
        self.record = record
        self.question = _question(question) if question else _Question()
        self.statements = StatementReader(self.text)
        self.ages: list[Mention] = []
        self.found: list[Mention] = []
        self.amounts = [
            _without_particle(self.text, self.base, quantity)
            for quantity in self.analysis.quantities
            if quantity.kind == "amount"
        ]
        self.amount_starts = [amount.start for amount in self.amounts]

    def facts(self) -> list[Fact]:
        """Return all facts in order of their start."""
        self.found = [mention for mention in self.mentions() if not self._is_everyday(mention)]
        found = [self._fact(mention) for mention in self.found]
        found.sort(key=lambda fact: (fact.start, fact.end))
        return found

    def _is_everyday(self, mention: Mention) -> bool:
        """Tell an everyday word (安定, 디스크) from a name: without dose, it must be in the record."""
        if mention.quantities or not mention.terms or not all(term.everyday for term in mention.terms):
            return False
        entries = self.record.medications if mention.kind == "medication" else self.record.conditions
        return not _held(mention, entries)

    def mentions(self) -> list[Mention]:
        """Return all mentions, in no particular order."""
        text = self.text
        names = vocabulary().find(text, self.base)
        if self.record.own_names:
            names += vocabulary().find_own(text, self.record.own_names, names)
            names.sort(key=lambda named: named.start)
        amounts = self.amounts
        medications = medication_mentions(text, names, amounts)
        ages = self.ages = age_mentions(text, names, amounts)
        used = {mention.quantities[0].start for mention in (*medications, *ages) if mention.quantities}
        numbers = [amount for amount in amounts if amount.start not in used]
        values = Measurements(text, names, numbers, self.record, self.statements.stands_by, self.question.topics)
        return [
            *medications,
            *condition_mentions(text, names),
            *ages,
            *sex_mentions(text, names, ages),
            *values.find(self._sentence),
        ]

    def _sentence(self, position: int) -> tuple[int, int]:
        segments = self.analysis.segments
        sentence = segments.sentences[segments.sentence_index(position)]
        return sentence.start, sentence.end

    def _governing(self, mention: Mention) -> Governing:
        segments = self.analysis.segments
        index = segments.sentence_index(mention.start)
        sentence = segments.sentences[index]
        clause = segments.clause_at(mention.start)
        span = (mention.start, mention.end)
        own = (sentence.start, sentence.end)
        # 협심증이고요, 심근경색은 아닙니다: a predicate with a comma closes what is said.
        closed = _CLOSED.search(self.text, mention.end, clause.end)
        clause_end = closed.end() if closed else clause.end
        if closed:
            own = (own[0], clause_end)
        if mention.kind in ("lab", "vital"):
            # What stands between the name of a value and its number governs the number.
            first, last = mention.quantities[0].start, mention.quantities[-1].end
            span = (first, max(last, mention.end))
            index = bisect_left(self.amount_starts, first)
            after = bisect_left(self.amount_starts, last)
            own = (
                self.amounts[index - 1].end if index else own[0],
                self.amount_starts[after] if after < len(self.amounts) else own[1],
            )
        return self.statements.governing(span, (clause.start, clause_end), (sentence.start, sentence.end), own)

    def _fact(self, mention: Mention) -> Fact:
        governing = self._governing(mention)
        if mention.kind == "medication":
            return self._medication(mention, governing)
        if mention.kind == "condition":
            return self._condition(mention, governing)
        if mention.kind in ("lab", "vital"):
            return self._value(mention, governing)
        return self._demographic(mention, governing)

    def _made(self, mention: Mention, value: str, claim: Claim, hallucinated: bool, reason: str) -> Fact:
        start, end = self.folded.to_original(mention.start, mention.end)
        kind: FactType = "demographic" if mention.kind in ("age", "sex") else mention.kind  # type: ignore[assignment]
        return Fact(
            kind,
            value,
            self.folded.original[start:end],
            start,
            end,
            claim.of_patient,
            claim.of_patient and hallucinated,
            f"{claim.reason}: {reason}",
        )

    def _is_of_other(self, governing: Governing) -> bool:
        return statements.is_of_other(governing, self.question.for_another)

    def _medication(self, mention: Mention, governing: Governing) -> Fact:
        held = _held(mention, self.record.medications)
        claim = statements.read_medication(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and self._is_listed(mention):
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
            known = not doses or any(_same_dose(dose.low, dose.unit, *stated) for stated in doses)
            if not wrong and not known and not is_dose_change(self.text, dose):
                wrong = True
        return self._made(mention, f"no {value}" if claim.denied else value, claim, wrong, reason)

    def _condition(self, mention: Mention, governing: Governing) -> Fact:
        held = _held(mention, self.record.conditions)
        claim = statements.read_condition(governing, in_record=bool(held))
        if claim.reason == statements.NO_WORD and (self._follows_age(mention) or self._is_listed(mention)):
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

    def _is_listed(self, mention: Mention) -> bool:
        """Tell whether a mention goes on with a list that holds what the record holds: "A (morning), B, C"."""
        entries = self.record.medications if mention.kind == "medication" else self.record.conditions
        for other in self.found:
            if other.kind == mention.kind and other.start != mention.start:
                first, second = sorted((other, mention), key=lambda one: one.start)
                if _LISTED.fullmatch(self.text, first.end, second.start) and _held(other, entries):
                    return True
        return False

    def _follows_age(self, mention: Mention) -> bool:
        """Tell whether a condition stands in a summary: "72세 여성, 심부전", "a 24-year-old man, asthma"."""
        segments = self.analysis.segments
        first = segments.sentences[segments.sentence_index(mention.start)].start
        between = [age for age in self.ages if first <= age.start < mention.start and mention.start - age.end <= 40]
        return any(not age.general and not age.quantities[0].comparator for age in between)

    def _value(self, mention: Mention, governing: Governing) -> Fact:
        analytes, first = _analytes(mention), mention.quantities[0]
        known = [(analyte, self._known(analyte)) for analyte in analytes]
        same = all(
            any(agrees(analyte, amount, self.text, value) for value in values)
            for (analyte, values), amount in zip(known, mention.quantities, strict=False)
        )
        claim = statements.read_value(
            governing,
            bounded=bool(first.comparator) and not self.text.startswith("보다", first.end),
            ranged=first.high > first.low and first.form != "decade",
            agrees=same,
        )
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        shown = "/".join(_shown(amount) for amount in mention.quantities)
        unit = mention.quantities[-1].unit
        texts = [value.text for _, values in known for value in values]
        reason = f"the record holds {', '.join(texts)}" if texts else "not in the record"
        return self._made(mention, f"{mention.terms[0].name} {shown} {unit}".strip(), claim, not same, reason)

    def _known(self, analyte: str) -> list[Value]:
        """Return the values of the record; a vague name (liver enzymes) may mean any of several."""
        values = self.record.values
        return values.get(analyte) or [value for name in _MAY_MEAN.get(analyte, ()) for value in values.get(name, ())]

    def _demographic(self, mention: Mention, governing: Governing) -> Fact:
        claim = Claim(True, reason="stated")
        if self._is_of_other(governing):
            claim = Claim(False, reason="other person")
        elif mention.general or governing.has("population"):
            claim = Claim(False, reason="population")
        if mention.kind == "sex":
            sex = mention.terms[0].name
            wrong = bool(self.record.sex) and sex != self.record.sex
            return self._made(mention, f"sex {sex}", claim, wrong, f"the record says {self.record.sex or 'nothing'}")
        amount = mention.quantities[0]
        if mention.general or (amount.comparator and amount.comparator != "more_than"):
            claim = Claim(False, reason="bound")
        wrong = self.record.age is not None and not _same_age(mention, self.record.age)
        return self._made(mention, f"age {_shown(amount)}", claim, wrong, f"the record says {self.record.age}")


_ADULT = 18
_MAY_MEAN = {"liver_enzymes": ("alt", "ast"), "postprandial_glucose": ("glucose",)}
# What stands between two entries of a list: a comma or a new line, and remarks in brackets.
_LISTED = re.compile(r" ?(?:\([^()\n]{0,16}\)|（[^（）\n]{0,16}）)?(?:, ?|、|\n[-•*·] ?)")
_CLOSED = re.compile("(?:이고요?|이며|고요|이신데|이시고|이시며),")
_PARTICLES = {"degree": re.compile("도(?![가-힣])"), "day": re.compile("일(?= ?(?:때|경우|수|정도|지도|지))")}
"""Units that are also Korean particles and endings behind a number: 82도 (82, too), 48일 때 (when it is 48)."""


def _without_particle(text: str, base: str, amount: Quantity) -> Quantity:
    """Return an amount without what only looks like its unit: a particle, or the M of "72 M", a man."""
    if amount.unit == "m" and base[amount.end - 1] == "M" and amount.low == amount.high >= _ADULT:
        return amount._replace(end=amount.start + len(f"{amount.low:g}"), unit="")
    pattern = _PARTICLES.get(amount.unit)
    if pattern is None or not pattern.match(text, amount.end - 1):
        return amount
    return amount._replace(end=amount.end - 1, unit="")


def _held(mention: Mention, entries: tuple[Held, ...]) -> list[Held]:
    """Return the entries of the record that a mention names: the same thing, its class, or a kind of it.

    A combination is held when all of its parts are, be it in several entries.
    """
    found: list[Held] = []
    for term in mention.terms:
        parts = [entry for entry in entries if not term.ids.isdisjoint(entry.ids)]
        if parts and term.ids <= frozenset().union(*(entry.ids for entry in parts)):
            return parts
        found += [
            entry
            for entry in entries
            if not term.ids.isdisjoint(entry.broader) or not entry.ids.isdisjoint(term.broader)
        ]
    return found


def _same_dose(low: float, unit: str, known: float, known_unit: str) -> bool:
    scale = {"g": 1000.0, "mg": 1.0, "ug": 0.001}
    if unit in scale and known_unit in scale:
        return abs(low * scale[unit] - known * scale[known_unit]) < 1e-9
    return unit != known_unit or low == known


def _analytes(mention: Mention) -> tuple[str, ...]:
    """Return what each number of a mention measures; one number of a pressure is told by its size."""
    names = [min(term.ids) for term in mention.terms]
    if "blood_pressure" not in names:
        return (names[0],)
    if len(mention.quantities) == 2:
        return ("bp_systolic", "bp_diastolic")
    return ("bp_systolic" if mention.quantities[0].low >= 100 else "bp_diastolic",)


def _shown(amount: Quantity) -> str:
    return f"{amount.low:g}" if amount.low == amount.high else f"{amount.low:g}-{amount.high:g}"


_DECADE_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (6, 9)}


def _same_age(mention: Mention, age: float) -> bool:
    """Tell whether a stated age, decade or part of a decade holds the age of the record, give or take a year."""
    amount = mention.quantities[0]
    low, high = amount.low, amount.high
    if mention.decade:
        first, last = _DECADE_PARTS[mention.decade]
        low, high = amount.low + first, amount.low + last
    elif amount.form != "decade" and amount.comparator == "more_than":
        # 五十多岁 is in the fifties; "over 65" has no end.
        high = low + 9 if amount.approximate else 200
    return low - 1 <= age <= high + 1 if amount.form != "decade" or mention.decade else low <= age <= high
