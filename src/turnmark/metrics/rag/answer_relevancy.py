r"""Answer relevancy: how directly the answer answers the question.

The answer is cut into claims; a judge says to which degree :math:`d_i` each of them answers the question: 1 brings what
is asked for, 0.6 keeps to the subject without bringing it, 0 is about something else.

* ``answer_relevancy`` = (max d_i + mean d_i) / 2

The best claim says whether the question is answered, the mean how much else stands around it. Range 0 to 1, more is
better; whether the answer is right does not matter. An answer that declines to answer is not eligible: see abstention.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import NO_CLAIM, decided, judged, lost
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value


def relevancy(degrees: Sequence[float]) -> float:
    """The mean of the best and the average degree (at least one)."""
    return (max(degrees) + sum(degrees) / len(degrees)) / 2


def outcomes(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on the claims of one answer give."""
    if not verdicts:
        return NotApplicable(NO_CLAIM)
    there = judged(verdicts)
    if not there:
        return Failed(lost(verdicts))
    known = decided(there)
    if not known:
        return (Ratio(0, 0, 1),)
    return (Value(relevancy([verdict.probability or 0.0 for verdict in known])),)


METRIC = Metric(
    name="answer_relevancy",
    code="ARL",
    version="1.2.0",
    suite="rag",
    title="Answer relevancy",
    unit="turn",
    needs="question, answer",
    score=outcomes,
    measures=(Measure("answer_relevancy", "mean"),),
    totals={"answer_total": ("answer_relevancy", "total")},
    source="RAG evaluation metrics and field relations, section 5",
)
