r"""Abstention: whether the assistant declined to answer when it had to, and only then.

An answer abstains when every sentence of it that states anything declines to answer or sends somewhere else. Abstaining
is right when the retrieved contexts lack the answer: fewer than half of the reference claims are supported by them, as
far as a judge can tell; else, when no context answers the question directly (holds what it asks for, and not only its
subject).

* ``right_abstention`` = right abstentions / abstentions
* ``wrong_abstention`` = wrong abstentions / abstentions: the contexts hold the answer
* ``unanswerable_answered`` = answers / cases whose reference answer declines

Range 0 to 1; of the first more is better, of the others less. Answers that abstain are eligible, and those whose
reference answer does. Faithfulness and answer relevancy leave answers that abstain out.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import decided, judged, lost
from turnmark.schemas.judging.judgement import Verdict
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio

_SURE = 0.97
REASON = Reason("answer_not_abstaining")


def _sure(verdict: Verdict) -> bool:
    return verdict.probability is None or verdict.probability >= _SURE


def outcomes(  # noqa: PLR0911 - one return a case
    *,
    abstains: bool,
    reference_abstains: bool,
    reference: Sequence[Verdict] | None,
    contexts: Sequence[Verdict] | None,
    asks_for_value: bool = True,
) -> Outcomes:
    """What one answer gives.

    ``reference`` are the verdicts on the reference claims against the contexts, None without a reference; ``contexts``
    those on whether each context answers the question, None when they were not judged. Of a question that
    ``asks_for_value`` of no kind any text of the same matter could be the answer: then these can only say that none is.
    """
    answered = Ratio(int(not abstains), 1) if reference_abstains else Ratio(0, 0)
    if not abstains:
        return (Ratio(0, 0), Ratio(0, 0), answered) if reference_abstains else NotApplicable(REASON)
    if reference_abstains:
        return (Ratio(1, 1), Ratio(0, 1), answered)
    for verdicts in (reference, contexts):
        if verdicts and not judged(verdicts):
            return Failed(lost(verdicts))
    there = decided(reference or ())
    if there:
        held = 2 * sum([verdict.label == "supported" for verdict in there]) >= len(there)
    elif contexts is not None:
        held = any(verdict.label == "relevant" and _sure(verdict) for verdict in contexts)
        if held and not asks_for_value:
            return (Ratio(0, 0, 1), Ratio(0, 0, 1), answered)
    elif reference:
        return (Ratio(0, 0, 1), Ratio(0, 0, 1), answered)
    else:
        return NotApplicable(Reason("nothing_to_tell_by"))
    return (Ratio(int(not held), 1), Ratio(int(held), 1), answered)


METRIC = Metric(
    name="abstention",
    code="ABS",
    version="2.0.0",
    suite="rag",
    title="Abstention",
    unit="turn",
    needs="answer, question, retrieved_contexts",
    score=outcomes,
    measures=(
        Measure("right_abstention"),
        Measure("wrong_abstention", upward=False, fault="declined"),
        Measure("unanswerable_answered", upward=False),
    ),
    totals={"abstention_total": ("right_abstention", "total"), "right_abstention_total": ("right_abstention", "hits")},
    source="beyond the specification; design of the RAG pack",
)
