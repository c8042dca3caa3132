r"""MCS, multi-turn consistency score: whether an answer agrees with the earlier answers of the conversation.

Matters are what an answer claims of the patient (a lab or vital, a medicine, a condition, age, sex) and what it
advises or warns against (a food, a painkiller, strenuous exercise …). A matter that earlier answers speak of too is
shared; it is consistent when one of them says the same: equal numbers after unit conversion and rounding, both
affirming or both denying, both advising or both warning.

* ``consistency`` = consistent shared matters / shared matters

Range 0 to 1, more is better. The first turn and answers that share nothing with earlier ones are not eligible. A
contradiction counts whether or not either statement is true. Source: guide to the advanced metrics, future list;
clinical metrics, section MCS; Welleck et al. 2019 (Dialogue NLI).
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio

NOTHING_SHARED = Reason("nothing_shared")


def outcomes(agrees: Sequence[bool]) -> Outcomes:
    """What the shared matters give; True stands for one that is consistent."""
    return (Ratio(sum(agrees), len(agrees)),) if agrees else NotApplicable(NOTHING_SHARED)


METRIC = Metric(
    name="mcs",
    code="MCS",
    version="1.0.0",
    suite="clinical",
    title="Multi-turn consistency",
    unit="turn",
    needs="answer, earlier answers, slots_truth",
    score=outcomes,
    measures=(Measure("consistency"),),
    totals={"shared_matters": ("consistency", "total"), "consistent_matters": ("consistency", "hits")},
    source="guide to the advanced metrics, future list; clinical metrics, MCS",
)
