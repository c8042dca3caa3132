r"""Context precision: whether the retrieved contexts that belong there stand in front.

A judge says of each retrieved context, in the order of retrieval, whether it is one of the reference contexts
(:math:`r_i` = 1) or not. With n contexts retrieved and P@k = Σ_{i≤k} r_i / k:

* ``context_precision`` = Σ_k P@k · r_k / Σ_k r_k, the average precision of the ranking; 0 when no context belongs there
* ``precision_at_1`` = r_1
* ``precision_at_k`` = Σ r_i / n, over all that was retrieved

Range 0 to 1, more is better. Reference contexts that were not retrieved do not count here: that is context recall.
Needs reference contexts. When nothing was retrieved there is no ranking: not eligible.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import judged, lost
from turnmark.schemas.judging.judgement import Verdict
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value

REASON = Reason("nothing_retrieved")


def average_precision(relevant: Sequence[bool]) -> float:
    """Mean of the precision at each relevant rank, 0 when none is relevant."""
    hits = 0
    total = 0.0
    for rank, item in enumerate(relevant, start=1):
        if item:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def outcomes(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on the contexts of one case give; a failed verdict has no rank and is left out."""
    if not verdicts:
        return NotApplicable(REASON)
    there = judged(verdicts)
    if not there:
        return Failed(lost(verdicts))
    relevant = [verdict.label == "supported" for verdict in there]
    return (Value(average_precision(relevant)), Ratio(int(relevant[0]), 1), Ratio(sum(relevant), len(relevant)))


METRIC = Metric(
    name="context_precision",
    code="CPR",
    version="1.0.0",
    suite="rag",
    title="Context precision",
    unit="turn",
    needs="ground_truth_contexts, retrieved_contexts",
    score=outcomes,
    measures=(
        Measure("context_precision", "mean"),
        Measure("precision_at_1"),
        Measure("precision_at_k"),
    ),
    totals={"ranked_total": ("precision_at_k", "total"), "matched_total": ("precision_at_k", "hits")},
    source="RAG evaluation metrics and field relations, section 4; average precision: Manning et al. 2008, chapter 8",
)
