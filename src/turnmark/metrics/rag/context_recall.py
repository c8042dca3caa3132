r"""Context recall: how much of the reference answer the retrieved contexts hold.

The reference answer is cut into claims; for each claim a judge says whether the retrieved contexts state it.

* ``context_recall`` = supported reference claims / decided reference claims

Range 0 to 1, more is better. Needs a reference answer. When nothing was retrieved, no claim is supported: 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import share
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Outcomes


def outcomes(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on the claims of one reference answer give."""
    return share(verdicts, "supported")


METRIC = Metric(
    name="context_recall",
    code="CRC",
    version="1.0.0",
    suite="rag",
    title="Context recall",
    unit="turn",
    needs="ground_truth_answer, retrieved_contexts",
    score=outcomes,
    measures=(Measure("context_recall"),),
    totals={"reference_claim_total": ("context_recall", "total"), "recalled_total": ("context_recall", "hits")},
    source="RAG evaluation metrics and field relations, section 3",
)
