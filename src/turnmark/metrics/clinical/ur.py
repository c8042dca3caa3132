r"""UR, update reflection: whether an answer takes up what the patient has just told.

New information of a turn is what its question tells about the patient (conditions, medicines, symptoms, values,
amounts of time, circumstances such as a trip or shift work) that neither the record nor an earlier question holds. An
item counts 1.0 when the answer states it (a synonym, the same number), 0.5 when it only reflects it, 0.0 when it
ignores it.

* ``update_reflection`` = sum of the scores of the new items / number of new items

Range 0 to 1, more is better. A turn whose question tells nothing new is not eligible. Source: clinical metrics,
section UR; counting by atomic items after Min et al. 2023 (FActScore).
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio

NOTHING_NEW = Reason("nothing_new")


def outcomes(scores: Sequence[float]) -> Outcomes:
    """What the scores of the new items give."""
    return (Ratio(sum(scores), len(scores)),) if scores else NotApplicable(NOTHING_NEW)


METRIC = Metric(
    name="ur",
    code="UR",
    version="1.0.0",
    suite="clinical",
    title="Update reflection",
    unit="turn",
    needs="answer, question, slots_truth, earlier questions",
    score=outcomes,
    measures=(Measure("update_reflection"),),
    totals={"new_items": ("update_reflection", "total")},
    source="clinical metrics, UR",
)
