r"""Answer correctness: how far the answer and the reference answer say the same.

Both are cut into claims. A judge holds every answer claim against the reference, and every reference claim against the
answer. With :math:`s`, :math:`c`, :math:`n` the supported, contradicted and all judged claims of a side:

* precision = s / (n + c) over answer claims: a contradicted claim counts twice against the answer
* recall = s / n over reference claims
* ``answer_correctness`` = 2 · precision · recall / (precision + recall), 0 when either is 0

Range 0 to 1, more is better. Agreement includes numbers with their units, and names. When the answer only declines to
answer it is wrong (0), unless the reference declines too (1).
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.rag.counting import NO_CLAIM, decided, judged, lost, undecided
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value


def f_measure(precision: float, recall: float) -> float:
    """The harmonic mean, 0 when either is 0."""
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def outcomes(answer: Sequence[Verdict], reference: Sequence[Verdict]) -> Outcomes:
    """What the verdicts on answer claims and on reference claims of one case give."""
    if not answer or not reference:
        return NotApplicable(NO_CLAIM)
    if not judged(answer) or not judged(reference):
        return Failed(lost(reference if judged(answer) else answer))
    mine, theirs = decided(answer), decided(reference)
    agreeing = sum([verdict.label == "supported" for verdict in mine])
    against = sum([verdict.label == "contradicted" for verdict in mine])
    result = sum([verdict.label == "supported" for verdict in theirs])
    precision = Ratio(agreeing, len(mine) + against, undecided(answer))
    recall = Ratio(result, len(theirs), undecided(reference))
    if not theirs:
        # What the reference says was not found or missed; a contradiction alone tells.
        return (Ratio(0.0, 1.0) if against else Ratio(0.0, 0.0, 1.0), precision, recall)
    if reference[0].label in _MISSED or (against and result < len(reference) <= _FEW):
        return (Value(0.0), precision, recall)
    share = agreeing / precision.total if mine else 1.0
    return (Value(f_measure(share, result / len(theirs))), precision, recall)


_MISSED = ("contradicted", "undetermined")
_FEW = 2
"""A reference of so few claims is one point: an answer that contradicts any of it is wrong."""


METRIC = Metric(
    name="answer_correctness",
    code="ACR",
    version="1.0.0",
    suite="rag",
    title="Answer correctness",
    unit="turn",
    needs="answer, ground_truth_answer",
    score=outcomes,
    measures=(
        Measure("answer_correctness", "mean"),
        Measure("claim_precision", counts="contradiction"),
        Measure("claim_recall"),
    ),
    totals={
        "answer_claim_total": ("claim_precision", "total"),
        "agreeing_total": ("claim_precision", "hits"),
        "reference_claim_total": ("claim_recall", "total"),
        "found_total": ("claim_recall", "hits"),
    },
    source="RAG evaluation metrics and field relations, section 6; F measure: van Rijsbergen 1979, chapter 7",
)
