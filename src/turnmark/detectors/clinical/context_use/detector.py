"""Context use of one answer (CUS): which slots of the record the answer uses, and how plainly.

1.0 is explicit: the value, a synonym, a brand, a translation or a converted unit is stated. 0.5 is indirect: the
meaning is reflected (a class for a medicine, 혈당 관리 for diabetes, "your kidney numbers" for eGFR, a decade for
an age, a value that is named but stated otherwise). 0.0 is unused. A group (labs, vitals, medicines) counts by its
best member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from turnmark.detectors.clinical.facts.fact import Fact
from turnmark.detectors.clinical.read.chart import PRESSURE
from turnmark.detectors.clinical.read.procedures import naming_span
from turnmark.detectors.clinical.read.record import RecordedItem
from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.packs.clinical_context import context_pack
from turnmark.schemas.evidence import Evidence

EXPLICIT, INDIRECT, UNUSED = 1.0, 0.5, 0.0
METRIC = "cus"
_POLARITIES = {EXPLICIT: "explicit", INDIRECT: "indirect", UNUSED: "unused"}
_MEASURED = frozenset(("lab", "vital"))
_HIGH_OR_LOW = ("고", "저", "高", "低")


class SlotUse(NamedTuple):
    """How an answer uses one slot: ``score`` 1.0, 0.5 or 0.0, the record's ``value``, and the words that show it.

    Evidence of a slot that is not used has no words.
    """

    slot: str
    value: Any
    score: float
    evidence: Evidence | None = None


Span = tuple[float, int, int]


class SlotReader:
    """Reads how one answer uses one record."""

    def __init__(self, answer: Utterance) -> None:
        self.analysis = answer.analysis
        self.chart = answer.chart
        self.record = answer.chart.record
        self.facts = answer.facts
        self.measured = [(fact, _analytes(fact)) for fact in answer.facts if fact.is_measured]
        self.names = answer.names
        self.measures = [
            (term.ids, start, end) for named, start, end in self.names for term in named.terms if term.kind in _MEASURED
        ]
        others = [(fact.start, fact.end) for fact in answer.facts if fact.of_other]
        text = answer.text
        self.cues = [
            hit
            for hit in answer.cues
            # 혈압 in 고혈압 speaks of the disease, not of a measured value; 당뇨 of a mother is not the patient's.
            if not (hit.payload.kind == "value" and text[hit.start - 1 : hit.start] in _HIGH_OR_LOW)
            and not (others and any(start <= hit.start < end for start, end in others))
        ]

    def use(self, slot: str) -> SlotUse:
        """How the answer uses a slot."""
        value = self.chart.slots.get(slot)
        # The most explicit use, and of those the first.
        score, start, end = UNUSED, 0, 0
        for item, first, last in self._spans(slot):
            if item > score or (item == score and first < start):
                score, start, end = item, first, last
        evidence = Evidence(
            metric=METRIC,
            rule=f"clinical.slots.{slot}",
            label=slot,
            polarity=_POLARITIES[score],
            quote=self.analysis.text[start:end],
            start=start,
            end=end,
        )
        return SlotUse(slot, value, score, evidence)

    def _spans(self, slot: str) -> Iterable[Span]:
        definition = self.chart.definitions.get(slot)
        reader = _READERS.get(self.chart.table_of(slot)) if definition is None or definition.is_of_guide else None
        if reader is not None:
            return reader(self, slot)
        if definition is not None and definition.type == "quantity":
            return self._values(slot)
        return (*self._told(slot), *self._named(slot))

    def _told(self, slot: str) -> Iterable[Span]:
        """What is claimed of a slot, and words that speak of it."""
        for fact in self.facts:
            if fact.type == slot:
                borne_out = fact.patient_claim and not (fact.hallucinated or fact.undecided)
                yield EXPLICIT if borne_out else INDIRECT, fact.start, fact.end
        held = frozenset[str]().union(*(entry.ids for entry in self.record.slots.get(slot, ())))
        for named, start, end in self.names:
            if any(not term.ids.isdisjoint(held) for term in named.terms):
                yield EXPLICIT, start, end
        folded = self.analysis.folded
        for start, end in slot_words(self.chart.definitions).called(folded.text, slot):
            yield INDIRECT, *folded.to_original(start, end)

    def _age(self, _: str) -> Iterable[Span]:
        for fact in self.facts:
            if fact.name == "age" and fact.patient_claim and not fact.hallucinated:
                yield INDIRECT if fact.is_range else EXPLICIT, fact.start, fact.end

    def _sex(self, _: str) -> Iterable[Span]:
        own = [fact for fact in self.facts if fact.name == "sex" and fact.patient_claim]
        for fact in own:
            if not fact.hallucinated:
                yield EXPLICIT, fact.start, fact.end
        if not any(fact.hallucinated for fact in own):
            for cue in self.cues:
                if cue.payload.kind == "sex" and cue.payload.ids == (self.record.sex,):
                    yield INDIRECT, cue.start, cue.end

    def _conditions(self, slot: str) -> Iterable[Span]:
        held, ids, broader, every = self.chart.conditions(slot)
        for named, start, end in self.names:
            for term in named.terms:
                if term.kind != "condition":
                    continue
                if term.ids <= ids or not term.ids.isdisjoint(broader) or not ids.isdisjoint(term.broader):
                    yield EXPLICIT if self._is_said_of_patient("condition", start) else UNUSED, start, end
        for fact in self.facts:
            if fact.type == "condition" and fact.patient_claim and not fact.hallucinated and _holds(fact, held):
                yield EXPLICIT, fact.start, fact.end
        yield from self._reflected(every)

    def _reflected(self, ids: frozenset[str]) -> Iterable[Span]:
        groups, related = groups_of(ids)
        if not groups:
            return
        for cue in self.cues:
            if cue.payload.kind == "condition" and cue.payload.ids in groups:
                yield INDIRECT, cue.start, cue.end
        for measured, start, end in self.measures:
            if not measured.isdisjoint(related):
                yield INDIRECT, start, end
        for fact, analytes in self.measured:
            if not analytes.isdisjoint(related):
                yield INDIRECT, fact.start, fact.end

    def _is_said_of_patient(self, kind: str, start: int) -> bool:
        """Whether a name is not said of somebody else, and not denied against the record."""
        for fact in self.facts:
            if fact.type == kind and fact.start <= start < fact.end:
                return not fact.hallucinated and not fact.of_other
        return True

    def _medicines(self, _: str) -> Iterable[Span]:
        held = self.record.medications
        ids, classes, substances = self.chart.medicines
        named_so = ids | substances
        for named, start, end in self.names:
            for term in named.terms:
                if term.kind != "medication":
                    continue
                if not named_so.isdisjoint(term.ids):
                    yield EXPLICIT, start, end
                elif not classes.isdisjoint(term.ids):
                    yield INDIRECT, start, end
        for fact in self.facts:
            if fact.type == "medication" and _holds(fact, held):
                yield EXPLICIT, fact.start, fact.end
        for cue in self.cues:
            if cue.payload.kind == "medication_class" and not classes.isdisjoint(cue.payload.ids):
                yield INDIRECT if substances.isdisjoint(cue.payload.ids) else EXPLICIT, cue.start, cue.end

    def _values(self, slot: str) -> Iterable[Span]:
        own = self.chart.analytes(slot)
        for fact, analytes in self.measured:
            if not analytes.isdisjoint(own):
                yield self._value_use(fact), fact.start, fact.end
        for measured, start, end in self.measures:
            if not measured.isdisjoint(own):
                yield INDIRECT, start, end
        for cue in self.cues:
            if cue.payload.kind == "value" and not own.isdisjoint(cue.payload.ids):
                yield INDIRECT, cue.start, cue.end

    def _value_use(self, fact: Fact) -> float:
        if fact.is_range:
            return INDIRECT
        if not fact.hallucinated:
            return EXPLICIT if fact.patient_claim else INDIRECT
        if len(fact.amounts) == 2:
            # One right number of a pressure is a stated value of the record.
            known = [self.record.values.get(name, []) for name in ("bp_systolic", "bp_diastolic")]
            if any(value.low == number for values, number in zip(known, fact.numbers, strict=True) for value in values):
                return EXPLICIT
        return INDIRECT

    def _named(self, slot: str) -> Iterable[Span]:
        kind, (texts, wanted) = self.chart.table_of(slot), self.chart.named(slot)
        for cue in self.cues:
            if cue.payload.kind == kind and not wanted.isdisjoint(cue.payload.ids):
                yield EXPLICIT, cue.start, cue.end
            elif cue.payload.kind == "operation" and kind == "procedure":
                yield INDIRECT, cue.start, cue.end
        folded = self.analysis.folded
        for text in texts:
            span = naming_span(text, folded.text)
            if span is not None:
                yield EXPLICIT, *folded.to_original(*span)


_READERS: dict[str, Callable[[SlotReader, str], Iterable[Span]]] = {
    "age": SlotReader._age,
    "sex": SlotReader._sex,
    "condition": SlotReader._conditions,
    "medication": SlotReader._medicines,
    "lab": SlotReader._values,
    "vital": SlotReader._values,
    "symptom": SlotReader._named,
}
"""How slots are read whose facts names alone tell, by the table of these names."""


def slot_uses(answer: Utterance, required: Iterable[str]) -> list[SlotUse]:
    """How an answer uses the required slots, in order; slots that are empty in the record are left out."""
    wanted = [slot for slot in required if not answer.chart.is_empty(slot)]
    if not wanted:
        return []
    reader = SlotReader(answer)
    return [reader.use(slot) for slot in wanted]


def _holds(fact: Fact, held: Iterable[RecordedItem]) -> bool:
    """Whether a fact names an entry of the record whose name the terminology lacks."""
    return any(entry.own is not None and entry.text in fact.record for entry in held)


@lru_cache(maxsize=4096)
def groups_of(ids: frozenset[str]) -> tuple[frozenset[tuple[str, ...]], frozenset[str]]:
    """The groups of the context pack that hold any of these conditions, and the labs and vitals that reflect them."""
    results = [
        group for group in context_pack()[0].conditions if any(item.startswith(tuple(group.codes)) for item in ids)
    ]
    return frozenset(tuple(group.codes) for group in results), frozenset(
        name for group in results for name in group.values
    )


def _analytes(fact: Fact) -> frozenset[str]:
    """What a lab or vital fact measures; any part of a pressure stands for all of it."""
    return PRESSURE if fact.analyte in PRESSURE else frozenset((fact.analyte,))
