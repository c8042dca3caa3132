"""Context use by topic: a slot that no word of an answer uses, but that a clause is about, is reflected (0.5).

An encoder tells that texts are of one topic and not whether they agree, so it never makes a use explicit, and never
takes one away. Age and sex are no topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np

from turnmark.detectors.clinical.context_use.detector import INDIRECT, METRIC, UNUSED, SlotUse, groups_of
from turnmark.detectors.clinical.read.chart import Chart
from turnmark.detectors.clinical.read.record import texts_of
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.encoders.protocol import Embedder, Vectors, cosines
from turnmark.packs.clinical_context import context_pack
from turnmark.packs.clinical_facts import words
from turnmark.packs.terminology import Kind, Language, terminology
from turnmark.schemas.evidence import Evidence

_KEPT = 20_000
_LANGUAGES = ("zh", "ko", "en")
_KINDS: Mapping[str, tuple[Kind, ...]] = {
    "condition": ("condition",),
    "medication": ("medication", "medication_class"),
    "lab": ("lab",),
    "vital": ("vital",),
    "procedure": ("procedure",),
    "symptom": ("symptom",),
}
"""What the ids of a slot name, by its table; slots of other tables are no topics."""


class SlotTopics:
    """Holds unused slots against the clauses of an answer, by an encoder and the least cosine that counts."""

    def __init__(self, embedder: Embedder, threshold: float) -> None:
        self.embedder = embedder
        self.threshold = threshold
        self._vectors: dict[str, Vectors] = {}

    def upgraded(self, uses: Sequence[SlotUse], answer: Utterance) -> list[SlotUse]:
        """The uses, with those that are unused but spoken about raised to reflected, the clause as their evidence."""
        if not any(use.score == UNUSED and answer.chart.table_of(use.slot) in _KINDS for use in uses):
            return list(uses)
        analysis = answer.analysis
        clauses = _clauses(answer)
        texts = [analysis.text[start:end] for start, end in clauses]
        said = self.embedder.encode(texts) if texts else None
        results = []
        for use in uses:
            names = paraphrases(use.slot, answer.chart, analysis.language) if use.score == UNUSED else ()
            closest = self._closest(said, names) if said is not None and names else None
            if closest is None or closest[0] < self.threshold:
                results.append(use)
                continue
            cosine, clause, name = closest
            start, end = clauses[clause]
            evidence = Evidence(
                metric=METRIC, rule=f"clinical.slots.{use.slot}.topic", label=use.slot, polarity="indirect",
                quote=analysis.text[start:end], start=start, end=end,
                note=f"close to {names[name]!r} ({cosine:.2f}, {self.embedder.name})",
            )  # fmt: skip
            results.append(use._replace(score=INDIRECT, evidence=evidence))
        return results

    def _closest(self, said: Vectors, names: Sequence[str]) -> tuple[float, int, int]:
        """The highest cosine of a clause with a name, and the places of both; the first of equals."""
        near = cosines(said, self._named(names))
        clause, name = np.unravel_index(int(near.argmax()), near.shape)
        return float(near[clause, name]), int(clause), int(name)

    def _named(self, names: Sequence[str]) -> Vectors:
        """Vectors of names, kept: the same ones serve many answers."""
        missing = [name for name in names if name not in self._vectors]
        if missing:
            if len(self._vectors) + len(missing) > _KEPT:
                self._vectors.clear()
                missing = list(names)
            self._vectors.update(zip(missing, self.embedder.encode(missing), strict=True))
        return np.stack([self._vectors[name] for name in names])


def _clauses(answer: Utterance) -> list[tuple[int, int]]:
    """The clauses that say something, but for those that speak of other people."""
    analysis = answer.analysis
    others = [(fact.start, fact.end) for fact in answer.facts if fact.of_other]
    spans = [
        (clause.start, clause.end)
        for sentence in range(len(analysis.segments.sentences))
        for clause in analysis.segments.clauses_of(sentence)
    ]
    return [
        (start, end)
        for start, end in spans
        if analysis.text[start:end].strip() and not any(start < last and first < end for first, last in others)
    ]


def paraphrases(slot: str, chart: Chart, language: str) -> tuple[str, ...]:
    """What a slot of a record is called, in the language of the answer: its own words, names, everyday words."""
    table = chart.table_of(slot)
    if table not in _KINDS:
        return ()
    pack = context_pack()[0]
    spoken = cast("Language", language if language in _LANGUAGES else "en")
    own = list(texts_of(chart.slots.get(slot)))
    more: list[str] = []
    ids: frozenset[str] = frozenset()
    if table == "condition":
        ids = chart.conditions(slot).every
        codes = groups_of(ids)[0]
        more = [word for group in pack.conditions if tuple(group.codes) in codes for word in words(group.words)]
    elif table == "medication":
        ids = frozenset().union(*(held.ids | held.broader for held in chart.record.medications))
    elif table in ("lab", "vital"):
        ids, own = chart.analytes(slot), []
        more = [word for group in pack.values if not ids.isdisjoint(group.values) for word in words(group.words)]
    else:
        texts, ids = chart.named(slot)
        own = list(texts)
    return tuple(dict.fromkeys(name for name in (*own, *_names(table, ids, spoken), *_spoken(more, spoken)) if name))


def _names(table: str, ids: Iterable[str], language: Language) -> list[str]:
    entries = [terminology().get(kind, item) for kind in _KINDS[table] for item in sorted(ids)]
    return [
        name.text
        for entry in entries
        if entry is not None
        for name in entry.names
        if name.language == language and not name.ambiguous and (name.canonical or not name.short)
    ]


def _spoken(listed: Iterable[str], language: Language) -> list[str]:
    """The words of a language among those of three."""
    return [word for word in listed if _script(word) == language]


def _script(word: str) -> str:
    if any("가" <= letter <= "힣" for letter in word):
        return "ko"
    return "zh" if any("一" <= letter <= "鿿" for letter in word) else "en"
