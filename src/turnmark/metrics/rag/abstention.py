r"""Abstention: whether the assistant declined to answer when it had to, and only then.

An answer abstains when every sentence of it that states anything declines to answer. Abstaining is right when the
retrieved contexts lack the answer: fewer than half of the reference claims are supported by them; without a reference,
when no context answers the question directly (holds what it asks for, and not only its subject).

* ``right_abstention`` = right abstentions / abstentions

Range 0 to 1, more is better. Only answers that abstain are eligible, so the number of eligible turns is the number of
abstentions. Faithfulness and answer relevancy leave these answers out.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import judged
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio

_SURE = 0.97
REASON = "the answer does not abstain"


def _sure(verdict: Verdict) -> bool:
    return verdict.probability is None or verdict.probability >= _SURE


def outcomes(*, abstains: bool, reference: Sequence[Verdict] | None, contexts: Sequence[Verdict] | None) -> Outcomes:
    """What one answer gives.

    ``reference`` are the verdicts on the reference claims against the contexts, None without a reference; ``contexts``
    those on whether each context answers the question, None when they were not judged.
    """
    if not abstains:
        return NotApplicable(REASON)
    for verdicts, label in ((reference, "supported"), (contexts, "relevant")):
        if verdicts is None or (label == "supported" and not verdicts):
            continue
        there = judged(verdicts)
        if verdicts and not there:
            return Failed(verdicts[0].reason or "no verdict could be had")
        hits = sum([verdict.label == label and (label == "supported" or _sure(verdict)) for verdict in there])
        held = 2 * hits >= len(there) and hits > 0 if label == "supported" else hits > 0
        return (Ratio(int(not held), 1),)
    return NotApplicable("there are neither reference nor contexts to tell whether the answer was there")


METRIC = Metric(
    name="abstention",
    code="ABS",
    version="1.1.0",
    suite="rag",
    title="Abstention",
    unit="turn",
    needs="answer, question, retrieved_contexts",
    score=outcomes,
    measures=(Measure("right_abstention"),),
    totals={"abstention_total": ("right_abstention", "total"), "right_abstention_total": ("right_abstention", "hits")},
    source="beyond the specification; design of the RAG pack",
)
