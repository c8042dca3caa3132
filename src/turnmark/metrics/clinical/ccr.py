r"""CCR, context contradiction rate: how many of an answer's claims contradict what is known of the patient.

Known is what the record holds and what the patient has told so far. A claim about the patient can be held against it
when the known speaks of the same thing: the same lab or vital, the dose or use of a medicine of the record, a
condition of the record or its stage, age, sex (a condition of one sex included). A claim that nothing known speaks of
is unsupported, not contradicted: slot factuality counts it.

* ``context_contradiction`` = claims that contradict the known / claims that the known speaks of

Range 0 to 1, less is better. An answer without such claims is not eligible. Source: clinical metrics, section CCR;
contradiction of dialogue history after Welleck et al. 2019 (Dialogue NLI).
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio

NOTHING_COMPARABLE = Reason("nothing_comparable")


def outcomes(agrees: Sequence[bool]) -> Outcomes:
    """What the claims that the known speaks of give; True stands for a claim that agrees."""
    if not agrees:
        return NotApplicable(NOTHING_COMPARABLE)
    return (Ratio(sum(not agree for agree in agrees), len(agrees)),)


METRIC = Metric(
    name="ccr",
    code="CCR",
    version="1.0.0",
    suite="clinical",
    title="Context contradiction rate",
    unit="turn",
    needs="answer, slots_truth, questions so far",
    score=outcomes,
    measures=(Measure("context_contradiction", upward=False, fault="contradiction"),),
    totals={
        "comparable_claims": ("context_contradiction", "total"),
        "contradicting_claims": ("context_contradiction", "hits"),
    },
    source="clinical metrics, CCR",
)
