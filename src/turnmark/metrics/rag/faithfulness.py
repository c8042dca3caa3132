r"""Faithfulness: how much of the answer the retrieved contexts support.

The answer is cut into claims; for each claim a judge says whether the contexts, taken together, state it.

* ``faithfulness`` = supported claims / decided claims

Range 0 to 1, more is better. Contradicted claims, and those that the contexts do not state, count as not supported;
what a judge cannot decide counts for nothing and is reported beside the figure, which it bounds. Whether the contexts
are right, and whether the answer fits the question, does not matter here. An answer that states nothing, or only
declines to answer, is not eligible. A claim whose verdict failed is left out of both numbers and reported; when all
failed, so did the metric.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import share
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Outcomes


def outcomes(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on the claims of one answer give."""
    return share(verdicts, "supported")


METRIC = Metric(
    name="faithfulness",
    code="FTH",
    version="1.0.0",
    suite="rag",
    title="Faithfulness",
    unit="turn",
    needs="answer, retrieved_contexts",
    score=outcomes,
    measures=(Measure("faithfulness", counts="contradiction"),),
    totals={"claim_total": ("faithfulness", "total"), "supported_total": ("faithfulness", "hits")},
    source="RAG evaluation metrics and field relations, section 1",
)
