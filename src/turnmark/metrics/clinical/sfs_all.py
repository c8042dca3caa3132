r"""SFS over all answers: slot factuality with answers that state nothing counted as 1.

* ``slot_factuality_all`` = mean over all answers of SFS, 1 where an answer states nothing about the patient

An assistant that says nothing can not be wrong; read this figure beside ``slot_factuality``, which leaves such answers
out, and beside the share of answers that state something.

* ``answers_with_claims`` = answers that state something about the patient / all answers

Range 0 to 1, more is better. Source: guide to the advanced metrics, section 1 (score 1.0 when nothing is mentioned).
"""

from __future__ import annotations

from turnmark.metrics.clinical.sfs import FactCounts
from turnmark.metrics.definition import Measure, Metric
from turnmark.stats.tally import Outcomes, Ratio, Value


def outcomes(counts: FactCounts) -> Outcomes:
    """What the claims of one answer give."""
    return (Value(counts.score), Ratio(int(counts.mentioned_weight > 0), 1))


METRIC = Metric(
    name="sfs_all",
    code="SFS_ALL",
    version="1.0.0",
    suite="clinical",
    title="Slot factuality, all answers",
    unit="turn",
    needs="answer, slots_truth",
    score=outcomes,
    measures=(Measure("slot_factuality_all", kind="mean"), Measure("answers_with_claims")),
    totals={"answers_with_claims_count": ("answers_with_claims", "hits")},
    source="guide to the advanced metrics, section 1",
)
