"""Sentences that a reviewer should look at: what the learned model finds likely there and no rule asserts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from turnmark.detectors.finance.possible.model import LANGUAGES, PossibleModel
from turnmark.detectors.finance.protocol import Reading
from turnmark.schemas.evidence import POSSIBLE, Evidence

METRIC_OF: Mapping[str, str] = {
    "risk_disclosed": "m3_risk_coverage",
    "forbidden": "m4_compliance",
    "rubric": "m5_explainability",
}


class Likely(NamedTuple):
    """The sentence that speaks most for a class, where it lies in the reply, and its score."""

    judgement: str
    label: str
    start: int
    end: int
    score: float


def likeliest(reading: Reading, model: PossibleModel) -> list[Likely]:
    """For every class the sentence of the reply that speaks most for it; nothing for a reply without sentences."""
    sentences = reading.analysis.sentences
    if not sentences:
        return []
    scores = model.scores(reading.analysis.sentence_texts)
    best = scores.argmax(axis=0)
    results = []
    for column, item in enumerate(model.classes):
        place = int(best[column])
        sentence = sentences[place]
        results.append(Likely(item.judgement, item.label, sentence.start, sentence.end, float(scores[place, column])))
    return results


def possible(reading: Reading, model: PossibleModel, asserted: Mapping[str, Collection[str]]) -> list[Evidence]:
    """What is likely and not among the ``asserted`` labels of its judgement, in the order of the reply.

    Each is evidence with the polarity ``possible`` whose quote is the sentence. Metrics are never given such pieces.
    """
    language = reading.analysis.language
    if language not in LANGUAGES:
        return []
    results = []
    for item, found in zip(model.classes, likeliest(reading, model), strict=False):
        threshold = item.offered.get(language)
        if threshold is None or found.score < threshold or found.label in asserted.get(found.judgement, ()):
            continue
        results.append(
            Evidence(
                metric=METRIC_OF[found.judgement],
                rule=f"possible.{model.name}@{model.version}",
                label=found.label,
                polarity=POSSIBLE,
                quote=reading.reply[found.start : found.end],
                start=found.start,
                end=found.end,
            )
        )
    results.sort(key=lambda piece: (piece.start, piece.metric, piece.label))
    return results
