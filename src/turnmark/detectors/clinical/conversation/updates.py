"""New information of a turn (UR): what a question tells about the patient, and how the answer takes it up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from turnmark.detectors.clinical.context_use.context_cues import ContextCue, find_cues
from turnmark.detectors.clinical.conversation.claims import measured, same
from turnmark.detectors.clinical.facts.detector import Fact, extract_facts
from turnmark.detectors.clinical.read.record import records, texts_of
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.language.analysis import Analysis, analyse
from turnmark.schemas.evidence import Evidence

STATED, REFLECTED, IGNORED = 1.0, 0.5, 0.0
_AMOUNTS = frozenset(("minute", "hour", "krw", "usd", "cny", "km"))

Span = tuple[float, int, int]


class Told(NamedTuple):
    """One piece of information that a question gives: ``kind`` and ``id`` say what, ``number`` how much; its words."""

    kind: str
    id: str
    number: float | None
    quote: str


class Reflection(NamedTuple):
    """How an answer takes up one piece of information: 1.0 stated, 0.5 reflected, 0.0 ignored."""

    told: Told
    score: float
    evidence: Evidence | None = None


def told(question: str, slots: Mapping[str, Any], earlier_questions: Iterable[str] = ()) -> list[Told]:
    """What a question tells that neither the record nor an earlier question holds, each once, in order."""
    known = {one[:3] for earlier in earlier_questions for one in _told(analyse(earlier), slots)}
    found: dict[tuple[str, str, float | None], Told] = {}
    for one in _told(analyse(question), slots):
        if one[:3] not in known:
            found.setdefault(one[:3], one)
    return list(found.values())


def _told(analysis: Analysis, slots: Mapping[str, Any]) -> list[Told]:
    """Everything that a question tells and the record does not hold; the same words count once."""
    found: list[tuple[int, int, Told]] = []
    for start, end, kind, one, number in (*_named(analysis, slots), *_values(analysis, slots), *_cues(analysis, slots)):
        if not any(start < other_end and other_start < end for other_start, other_end, _ in found):
            found.append((start, end, Told(kind, one, number, analysis.text[start:end])))
    for amount in analysis.quantities:
        free = not any(start <= amount.start < end for start, end, _ in found)
        if amount.unit in _AMOUNTS and free:
            quote = analysis.text[amount.start : amount.end]
            found.append((amount.start, amount.end, Told("amount", amount.unit, amount.low, quote)))
    return [one for _, _, one in sorted(found, key=lambda item: item[:2])]


_Found = tuple[int, int, str, str, float | None]


def _named(analysis: Analysis, slots: Mapping[str, Any]) -> Iterator[_Found]:
    record = records().read(slots)
    held = frozenset[str]().union(*(entry.ids | entry.broader for entry in (*record.medications, *record.conditions)))
    folded = analysis.folded
    for named in vocabulary().find(folded.text, folded.base):
        term = named.terms[0]
        if term.kind in ("condition", "medication") and term.ids.isdisjoint(held):
            yield *folded.to_original(named.start, named.end), term.kind, min(term.ids), None


def _values(analysis: Analysis, slots: Mapping[str, Any]) -> Iterator[_Found]:
    for fact in extract_facts(analysis, slots):
        if fact.type in ("lab", "vital") and fact.hallucinated:
            key, value = measured(fact)
            yield fact.start, fact.end, "value", key[1], value if isinstance(value, float) else None


def _cues(analysis: Analysis, slots: Mapping[str, Any]) -> Iterator[_Found]:
    known = {
        one
        for text in texts_of(slots.get("chief_symptom"))
        for hit in find_cues(analyse(text))
        if hit.payload.kind == "symptom"
        for one in hit.payload.ids
    }
    folded = analysis.folded
    names = [folded.to_original(named.start, named.end) for named in vocabulary().find(folded.text, folded.base)]
    for cue in find_cues(analysis):
        kind = cue.payload.kind
        # The allergy of allergic rhinitis is part of a diagnosis.
        if any(start <= cue.start < end for start, end in names):
            continue
        if kind == "circumstance" or (kind == "symptom" and known.isdisjoint(cue.payload.ids)):
            yield cue.start, cue.end, kind, cue.payload.ids[0], None


def reflections(analysis: Analysis, items: Sequence[Told], facts: Sequence[Fact]) -> list[Reflection]:
    """How the answer takes up each piece of information."""
    if not items:
        return []
    reader = _AnswerReader(analysis, facts)
    return [reader.reflection(item) for item in items]


class _AnswerReader:
    def __init__(self, analysis: Analysis, facts: Sequence[Fact]) -> None:
        folded = analysis.folded
        self.analysis = analysis
        self.facts = facts
        self.names = [
            (named, *folded.to_original(named.start, named.end))
            for named in vocabulary().find(folded.text, folded.base)
        ]
        self.cues = find_cues(analysis)

    def reflection(self, item: Told) -> Reflection:
        """The best of all places that take the item up."""
        readers = {"condition": self._named, "medication": self._named, "value": self._value, "amount": self._amount}
        spans = readers.get(item.kind, self._cued)(item)
        best = max(spans, key=lambda span: (span[0], -span[1]), default=None)
        if best is None:
            return Reflection(item, IGNORED)
        score, start, end = best
        evidence = Evidence(
            metric="ur",
            rule="clinical.updates",
            label=f"{item.kind} {item.id}",
            polarity="stated" if score == STATED else "reflected",
            quote=self.analysis.text[start:end],
            start=start,
            end=end,
            note=f"told: {item.quote}",
        )
        return Reflection(item, score, evidence)

    def _named(self, item: Told) -> Iterator[Span]:
        for named, start, end in self.names:
            for term in named.terms:
                if item.id in term.ids:
                    yield STATED, start, end
                elif item.id in term.broader:
                    yield REFLECTED, start, end
        for cue in self.cues:
            if _reflects(cue.payload, item):
                yield REFLECTED, cue.start, cue.end

    def _cued(self, item: Told) -> Iterator[Span]:
        for cue in self.cues:
            if cue.payload.kind == item.kind and item.id in cue.payload.ids:
                yield STATED, cue.start, cue.end

    def _value(self, item: Told) -> Iterator[Span]:
        for fact in self.facts:
            if fact.type in ("lab", "vital"):
                key, number = measured(fact)
                if key[1] == item.id:
                    yield STATED if same(number, item.number) else REFLECTED, fact.start, fact.end
        for named, start, end in self.names:
            if any(item.id in term.ids for term in named.terms if term.kind in ("lab", "vital")):
                yield REFLECTED, start, end
        for cue in self.cues:
            if cue.payload.kind == "value" and item.id in cue.payload.ids:
                yield REFLECTED, cue.start, cue.end

    def _amount(self, item: Told) -> Iterator[Span]:
        for amount in self.analysis.quantities:
            if amount.unit == item.id:
                yield STATED if same(amount.low, item.number) else REFLECTED, amount.start, amount.end


def _reflects(cue: ContextCue, item: Told) -> bool:
    if cue.kind == "condition":
        return item.kind == "condition" and item.id.startswith(cue.ids)
    return cue.kind == "medication_class" and item.kind == "medication" and item.id.startswith(cue.ids)
