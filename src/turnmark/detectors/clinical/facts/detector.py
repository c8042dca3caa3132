"""Clinical facts of one answer: every mention, whether it is claimed of this patient, and whether the record denies it.

The evidence of the slot factuality score (SFS). Labels are those of a careful reader: examples, targets, general
knowledge, other people, questions, possibilities and recommendations to start something are no claims about the
patient; "you do not have diabetes" is one, of absence.
"""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from turnmark.detectors.clinical.facts.fact import IN_THE_RECORD, OTHER_PERSON, Fact, FactType
from turnmark.detectors.clinical.read import statements
from turnmark.detectors.clinical.read.changes import WENT_TO, ends_change, has_come_to
from turnmark.detectors.clinical.read.comparison import analytes, held_by, known_values, same_age, same_dose
from turnmark.detectors.clinical.read.doses import is_taken_dose
from turnmark.detectors.clinical.read.mentions import Mention
from turnmark.detectors.clinical.read.misspellings import Unresolved, find_unresolved
from turnmark.detectors.clinical.read.operations import DENIED, DONE, SURGERY, is_general
from turnmark.detectors.clinical.read.reading import Reading
from turnmark.detectors.clinical.read.record import RecordedItem, Value
from turnmark.detectors.clinical.read.sides import NO_SIDE, SidedPart, Sides, sided_parts, sides_in, sides_of
from turnmark.detectors.clinical.read.slot_mentions import is_nothing
from turnmark.detectors.clinical.read.statements import Governing, PatientStatement
from turnmark.detectors.clinical.read.values import agrees
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.values.comparison import compare_values
from turnmark.language.values.reader import read_values
from turnmark.packs.clinical_slots import SlotDefinition


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


_PAST = later(r"\b(?:history of|resolved|past|previous|former|h/o)\b|과거|완치|기왕|이전|既往|已愈|曾患|病史")
"""An entry of what the patient once had: a part of the body may be healthy since."""
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
        if mention.kind in ("age", "sex"):
            return self._demographic(mention, governing)
        return self._slot(mention, governing)

    def _made(
        self,
        mention: Mention,
        claim: PatientStatement,
        wrong: bool,
        record: tuple[str, ...],
        *,
        name: str = "",
        said: str = "",
        slot: str = "",
    ) -> Fact:
        """A fact; ``slot`` is the slot or table that must be known to decide it, by default that of its kind."""
        start, end = self.reading.folded.to_original(mention.start, mention.end)
        kind: FactType = "demographic" if mention.kind in ("age", "sex") else slot or mention.kind
        undecided = claim.of_patient and not record and (slot or mention.kind) not in self.record.known
        return Fact(
            kind,
            name or mention.terms[0].name,
            self.reading.folded.original[start:end],
            start,
            end,
            claim.of_patient,
            claim.denied,
            claim.of_patient and wrong and not undecided,
            claim.reason,
            record,
            mention.quantities,
            mention.stage,
            said,
            mention.terms,
            undecided,
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
            if not wrong and not known:
                if is_taken_dose(self.reading.text, dose):
                    wrong = True
                else:
                    # The name is borne out, the dose is not looked at.
                    mention = mention._replace(start=mention.named_at[0], end=mention.named_at[1], quantities=())
        return self._made(mention, claim, wrong, _texts(held))

    def _condition(self, mention: Mention, governing: Governing) -> Fact:
        held = held_by(mention, self.record.conditions)
        claim = statements.read_condition(governing, in_record=bool(held) and not mention.absent)
        if claim.reason == statements.NO_WORD and (
            self.reading.follows_age(mention) or self.reading.is_listed(mention)
        ):
            claim = PatientStatement(True, reason="summary")
        elif claim.reason == statements.NO_WORD and self.reading.is_reason(mention):
            claim = PatientStatement(True, reason="take")
        if mention.absent:
            held = [entry for entry in held if _PAST.search(entry.text) is None]
            if claim.of_patient or claim.reason == statements.NO_WORD:
                claim = PatientStatement(True, denied=True, reason="absence")
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        staged = [entry.stage for entry in held if entry.stage]
        wrong = bool(held) if claim.denied else not held
        if mention.stage and staged and mention.stage not in staged:
            wrong = True
        part = self.reading.sided_part(mention) if held else None
        if part is not None and _is_of_other_side(part, held):
            wrong = not claim.denied
            if wrong and claim.of_patient:
                start, end = min(mention.start, part.start), max(mention.end, part.end)
                fact = self._made(mention._replace(start=start, end=end), claim, wrong, _texts(held))
                organ = "" if part.organ in fact.name else part.organ
                return fact._replace(side=f"{_side_name(part.sides)} {organ}".strip())
        return self._made(mention, claim, wrong, _texts(held))

    def _value(self, mention: Mention, governing: Governing) -> Fact:
        measured, first = analytes(mention), mention.quantities[0]
        reached = has_come_to(self.reading.text, mention.named_at[1], first)
        if reached:
            # "It went up to 9%" is no bound.
            mention = mention._replace(quantities=(first._replace(comparator=""), *mention.quantities[1:]))
        known = [(analyte, known_values(self.record, analyte)) for analyte in measured]
        same = all(
            any(agrees(analyte, amount, self.reading.text, value) for value in values)
            for (analyte, values), amount in zip(known, mention.quantities, strict=False)
        )
        claim = statements.read_value(
            governing,
            bounded=bool(first.comparator)
            and not (self.reading.text.startswith("보다", first.end) and not governing.has("norm")),
            reached=reached,
            ranged=first.high > first.low and first.form != "decade",
            agrees=same,
        )
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        if not same and self._is_normal(mention):
            claim = PatientStatement(False, reason="norm")
        elif not same and self._is_earlier(mention.named_at[1], first, *known[0]):
            claim = PatientStatement(False, reason="earlier")
        own = measured[0] if measured[0] in self.reading.slots.definitions.slots else ""
        return self._made(
            mention, claim, not same, tuple(value.text for _, values in known for value in values), slot=own
        )

    def _is_normal(self, mention: Mention) -> bool:
        """Tell a value that is the norm of people by the word before its name: normal potassium lies between …."""
        stands_by = self.reading.statements.stands_by
        return stands_by(("normal",), *mention.named_at) and not stands_by(("own_normal",), *mention.named_at)

    def _is_earlier(self, name_end: int, amount: Quantity, analyte: str, values: list[Value]) -> bool:
        """Tell the first value of a change that has happened, or that ends at one of the record: from 8.1 to 7.4."""
        text, amounts = self.reading.text, self.reading.amounts
        went_on = WENT_TO.match(text, amount.end)
        if not went_on:
            return False
        later = amounts[bisect_left(self.reading.amount_starts, went_on.end()) :][:1]
        return any(
            next_amount.start - went_on.end() <= 1
            and (
                any(agrees(analyte, next_amount, text, value) for value in values)
                or ends_change(text, amount, next_amount)
                or has_come_to(text, name_end, next_amount)
            )
            for next_amount in later
        )

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
            return self._made(mention, claim, wrong, record, name="sex", said=sex)
        amount = mention.quantities[0]
        if mention.general or (amount.comparator and amount.comparator != "more_than"):
            claim = PatientStatement(False, reason="bound")
        age = self.record.age
        wrong = age is not None and not same_age(mention, age)
        return self._made(mention, claim, wrong, () if age is None else (f"{age:g}",), name="age")

    def _slot(self, mention: Mention, governing: Governing) -> Fact:
        """A fact of a slot that is told by more than a name of the terminology."""
        definition = self.reading.slots.definitions.slots[mention.kind]
        if definition.operations:
            return self._operation(mention, governing)
        entries = self.record.slots.get(mention.kind, ())
        nothing = is_nothing(mention)
        held = [] if nothing or mention.date else held_by(mention, entries)
        same = self._is_same_date(mention, entries) if mention.date else not entries if nothing else bool(held)
        told = definition.type in ("text", "date") or bool(definition.before or definition.after) or nothing
        claim = statements.read_slot(governing, in_record=same, told=told)
        if nothing:
            claim = PatientStatement(claim.of_patient or claim.denied, reason="absence")
        if definition.about == "patient" and self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        known = _texts(held) or (_texts(list(entries)) if definition.type != "concepts" or nothing else ())
        # A text of the record that no word of the slot stands for can neither bear out nor deny.
        unread = definition.type == "text" and bool(entries) and not any(entry.ids for entry in entries)
        fact = self._made(
            mention,
            claim,
            same if claim.denied else not same,
            known,
            name=mention.kind if nothing or definition.type != "concepts" else "",
            said=mention.date.text
            if mention.date
            else mention.terms[0].name
            if _says_value(definition, nothing)
            else "",
            slot=mention.kind,
        )
        return fact._replace(undecided=claim.of_patient, hallucinated=False) if unread else fact

    def _operation(self, mention: Mention, governing: Governing) -> Fact:
        """A fact of an operation: which part of the body, what was done to it, and on which side."""
        entries = self.record.slots.get(mention.kind, ())
        nothing = is_nothing(mention)
        named = [entry for entry in entries if nothing or held_by(mention, (entry,))]
        told = DENIED if nothing else self.reading.told_of(mention)
        claim = statements.read_slot(governing, in_record=bool(named) and not nothing, told=True)
        if claim.of_patient:
            reason = {DENIED: "absence", DONE: "have"}.get(told, IN_THE_RECORD if named else statements.NO_WORD)
            claim = PatientStatement(bool(told or named), denied=told == DENIED, reason=reason)
        if self._is_of_other(governing):
            claim = PatientStatement(False, reason=OTHER_PERSON)
        if claim.denied:
            # No knee surgery denies a new knee; no surgery denies no stent.
            denied = [frozenset((SURGERY,))] if nothing or is_general(mention.terms[0]) else []
            denied += [] if nothing else [mention.terms[0].ids]
            named = [e for e in named if all(not one.isdisjoint(e.ids | e.broader) for one in denied)]
        wrong = bool(named) if claim.denied else not named
        sided = sides_of(self.reading.text, mention.start, mention.end)
        sides = NO_SIDE if nothing else sided.sides
        recorded = [sides_in(entry.text) for entry in named]
        side_unknown = False
        if sides and recorded:
            known = NO_SIDE.union(*recorded)
            same = not sides.isdisjoint(known) if claim.denied else sides <= known
            wrong = same == claim.denied
            side_unknown = not same and not all(recorded)
            if wrong or side_unknown:
                mention = mention._replace(start=sided.start, end=sided.end)
        name = mention.kind if nothing else ""
        fact = self._made(mention, claim, wrong, _texts(named), name=name, slot=mention.kind)
        fact = fact._replace(side=_side_name(sides))
        if side_unknown and claim.of_patient:
            # A bare entry bears out the operation and says nothing of its side.
            return fact._replace(undecided=True, hallucinated=False)
        # What the record calls by a name that no word is known for may be the very operation.
        unread = claim.of_patient and not named and any(entry.own is not None for entry in entries)
        return fact._replace(undecided=True, hallucinated=False) if unread else fact

    def _is_same_date(self, mention: Mention, entries: tuple[RecordedItem, ...]) -> bool:
        stated = mention.date
        values = [value for entry in entries for value in read_values(entry.text)]
        return stated is not None and any(compare_values(stated, value).follows for value in values)


def _is_of_other_side(part: SidedPart, entries: list[RecordedItem]) -> bool:
    """Whether every entry is of the same part of the body on the other side."""
    sides = [
        NO_SIDE.union(*(own.sides for own in sided_parts(entry.text) if own.organ == part.organ)) for entry in entries
    ]
    return all(sides) and not part.sides <= NO_SIDE.union(*sides)


def _side_name(sides: Sides) -> str:
    """A side by the word of the anatomy; both of them in one word."""
    return "both" if len(sides) > 1 else next(iter(sides), "")


def _says_value(definition: SlotDefinition, nothing: bool) -> bool:
    """Whether what a fact says is one of the values of its slot, or that there is nothing in it."""
    return nothing or definition.type == "text"


def _texts(held: list[RecordedItem]) -> tuple[str, ...]:
    return tuple(entry.text for entry in held)
