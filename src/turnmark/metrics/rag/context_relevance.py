r"""Context relevance: how many of the retrieved contexts help to answer the question.

For each retrieved context a judge says whether it is relevant to the question.

* ``context_relevance`` = relevant contexts / decided contexts

Range 0 to 1, more is better. Whether a context holds the right answer does not matter. When nothing was retrieved there
is nothing to judge: not eligible (context recall, where there is a reference, counts the miss).
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import share
from turnmark.schemas.judging.judgement import Verdict
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Outcomes

REASON = Reason("nothing_retrieved")


def outcomes(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on the contexts of one case give."""
    return share(verdicts, "relevant", REASON)


METRIC = Metric(
    name="context_relevance",
    code="CRL",
    version="1.1.0",
    suite="rag",
    title="Context relevance",
    unit="turn",
    needs="question, retrieved_contexts",
    score=outcomes,
    measures=(Measure("context_relevance"),),
    totals={"context_total": ("context_relevance", "total"), "relevant_total": ("context_relevance", "hits")},
    source="RAG evaluation metrics and field relations, section 2",
)
