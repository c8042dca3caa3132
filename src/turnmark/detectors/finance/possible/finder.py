"""Sentences that a reviewer should look at: what the learned model finds likely there and no rule asserts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from turnmark.detectors.finance.possible.model import LANGUAGES, PossibleModel
from turnmark.detectors.finance.possible.near import NearRules
from turnmark.detectors.finance.protocol import Reading
from turnmark.schemas.evidence import POSSIBLE, Evidence

METRIC_OF: Mapping[str, str] = {
    "risk_disclosed": "m3_risk_coverage",
    "forbidden": "m4_compliance",
    "rubric": "m5_explainability",
}


def possible(
    reading: Reading, model: PossibleModel, rules: NearRules, asserted: Mapping[str, Collection[str]]
) -> list[Evidence]:
    """What is likely and not among the ``asserted`` labels of its judgement, in the order of the reply.

    Each is evidence with the polarity ``possible`` whose quote is the sentence that comes nearest to a rule. Metrics
    are never given such pieces.
    """
    analysis = reading.analysis
    language = analysis.language
    if language not in LANGUAGES:
        return []
    wanted = [item for item in model.classes
              if language in item.offered and item.label not in asserted.get(item.judgement, ())]  # fmt: skip
    near = rules.read(analysis, [item.key for item in wanted])
    results = []
    for item in wanted if near else ():
        place, features = near[item.key]
        if model.score(item, features) < item.offered[language]:
            continue
        sentence = analysis.sentences[place]
        results.append(
            Evidence(
                metric=METRIC_OF[item.judgement],
                rule=f"possible.{model.name}@{model.version}",
                label=item.label,
                polarity=POSSIBLE,
                quote=reading.reply[sentence.start : sentence.end],
                start=sentence.start,
                end=sentence.end,
            )
        )
    results.sort(key=lambda piece: (piece.start, piece.metric, piece.label))
    return results
