"""New information of a turn (UR): what a question tells about the patient, and how the answer takes it up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from turnmark.detectors.clinical.conversation.asked import asked_for
from turnmark.detectors.clinical.conversation.claims import measured, same
from turnmark.detectors.clinical.read.context_cues import ContextCue
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.language.match.intervals import Apart
from turnmark.schemas.evidence import Evidence

STATED, REFLECTED, IGNORED = 1.0, 0.5, 0.0
_AMOUNTS = frozenset(("minute", "hour", "krw", "usd", "cny", "km"))

Span = tuple[float, int, int]


class ReportedUpdate(NamedTuple):
    """One piece of information that a question gives: ``kind`` and ``id`` say what, ``number`` how much; its words."""

    kind: str
    id: str
    number: float | None
    quote: str


class Reflection(NamedTuple):
    """How an answer takes up one piece of information: 1.0 stated, 0.5 reflected, 0.0 ignored."""

    told: ReportedUpdate
    score: float
    evidence: Evidence | None = None


def told(question: Utterance) -> list[ReportedUpdate]:
    """Everything that a question tells and the record does not hold, in order; the same words count once."""
    results: list[tuple[int, int, ReportedUpdate]] = []
    text = question.text
    taken = Apart()
    for start, end, kind, entry, number in (*_named(question), *_values(question), *_cues(question)):
        if taken.add(start, end):
            results.append((start, end, ReportedUpdate(kind, entry, number, text[start:end])))
    for amount in question.analysis.quantities:
        if amount.unit in _AMOUNTS and not taken.meets(amount.start, amount.start + 1):
            quote = text[amount.start : amount.end]
            taken.add(amount.start, amount.end)
            results.append((amount.start, amount.end, ReportedUpdate("amount", amount.unit, amount.low, quote)))
    return [entry for _, _, entry in sorted(results, key=lambda item: item[:2])]


def news(items: Iterable[ReportedUpdate], known: Collection[tuple[str, str, float | None]]) -> list[ReportedUpdate]:
    """What is told and was not known from earlier questions, each once, in order."""
    results: dict[tuple[str, str, float | None], ReportedUpdate] = {}
    for item in items:
        if item[:3] not in known:
            results.setdefault(item[:3], item)
    return list(results.values())


_Found = tuple[int, int, str, str, float | None]


def _named(question: Utterance) -> Iterator[_Found]:
    """The conditions and medicines named, without the medicines that are only asked for."""
    medicines = [(named.start, named.end) for named, _, _ in question.names if named.terms[0].kind == "medication"]
    asked = asked_for(question.analysis.folded.text, medicines)
    for named, start, end in question.names:
        term = named.terms[0]
        if (
            term.kind in ("condition", "medication")
            and term.ids.isdisjoint(question.chart.held)
            and (named.start, named.end) not in asked
        ):
            yield start, end, term.kind, min(term.ids), None


def _values(question: Utterance) -> Iterator[_Found]:
    for fact in question.facts:
        if fact.is_measured and (fact.hallucinated or fact.undecided):
            key, value = measured(fact)
            yield fact.start, fact.end, "value", key[1], value if isinstance(value, float) else None


def _cues(question: Utterance) -> Iterator[_Found]:
    known = question.chart.complaints
    for cue in question.cues:
        kind = cue.payload.kind
        # The allergy of allergic rhinitis is part of a diagnosis.
        if any(name.start <= cue.start < name.end for name in question.names):
            continue
        if kind == "circumstance" or (kind == "symptom" and known.isdisjoint(cue.payload.ids)):
            yield cue.start, cue.end, kind, cue.payload.ids[0], None


def reflections(answer: Utterance, items: Iterable[ReportedUpdate]) -> list[Reflection]:
    """How the answer takes up each piece of information."""
    reader = _AnswerReader(answer)
    return [reader.reflection(item) for item in items]


class _AnswerReader:
    def __init__(self, answer: Utterance) -> None:
        self._answer = answer

    def reflection(self, item: ReportedUpdate) -> Reflection:
        """The best of all places that take the item up."""
        readers = {"condition": self._named, "medication": self._named, "value": self._value, "amount": self._amount}
        spans = readers.get(item.kind, self._cued)(item)
        best = max(spans, key=lambda span: (span[0], -span[1]), default=None)
        if best is None:
            ignored = Evidence(
                metric="ur", rule="clinical.updates", label=f"{item.kind} {item.id}", polarity="ignored",
                note=f"told: {item.quote}",
            )  # fmt: skip
            return Reflection(item, IGNORED, ignored)
        score, start, end = best
        evidence = Evidence(
            metric="ur",
            rule="clinical.updates",
            label=f"{item.kind} {item.id}",
            polarity="stated" if score == STATED else "reflected",
            quote=self._answer.text[start:end],
            start=start,
            end=end,
            note=f"told: {item.quote}",
        )
        return Reflection(item, score, evidence)

    def _named(self, item: ReportedUpdate) -> Iterator[Span]:
        for named, start, end in self._answer.names:
            for term in named.terms:
                if item.id in term.ids:
                    yield STATED, start, end
                elif item.id in term.broader:
                    yield REFLECTED, start, end
        for cue in self._answer.cues:
            if _reflects(cue.payload, item):
                yield REFLECTED, cue.start, cue.end

    def _cued(self, item: ReportedUpdate) -> Iterator[Span]:
        for cue in self._answer.cues:
            if cue.payload.kind == item.kind and item.id in cue.payload.ids:
                yield STATED, cue.start, cue.end

    def _value(self, item: ReportedUpdate) -> Iterator[Span]:
        for fact in self._answer.facts:
            if fact.is_measured:
                key, number = measured(fact)
                if key[1] == item.id:
                    yield STATED if same(number, item.number) else REFLECTED, fact.start, fact.end
        for named, start, end in self._answer.names:
            if any(item.id in term.ids for term in named.terms if term.kind in ("lab", "vital")):
                yield REFLECTED, start, end
        for cue in self._answer.cues:
            if cue.payload.kind == "value" and item.id in cue.payload.ids:
                yield REFLECTED, cue.start, cue.end

    def _amount(self, item: ReportedUpdate) -> Iterator[Span]:
        for amount in self._answer.analysis.quantities:
            if amount.unit == item.id:
                yield STATED if same(amount.low, item.number) else REFLECTED, amount.start, amount.end


def _reflects(cue: ContextCue, item: ReportedUpdate) -> bool:
    if cue.kind == "condition":
        return item.kind == "condition" and item.id.startswith(cue.ids)
    return cue.kind == "medication_class" and item.kind == "medication" and item.id.startswith(cue.ids)
