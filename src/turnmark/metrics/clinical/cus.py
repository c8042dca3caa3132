r"""CUS, context utilization score: how much of the record that a turn asks for the answer uses.

Each turn requires slots of the record, with weights. A slot counts 1.0 when the answer states it (its value, a synonym,
a translation), 0.5 when it only reflects it, 0.0 when it leaves it unused; slots that the record does not fill are left
out.

* ``context_use`` = sum of weight x usage / sum of weights of required slots, averaged over answers
* ``context_use_weighted`` = the same pooled over all slots
* ``slots_used`` = required slots with a usage above 0 / required slots

Range 0 to 1, more is better. An answer whose turn requires no slot that the record fills is not eligible. Source: guide
to the advanced metrics, section 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio, Value

NO_SLOT = Reason("no_slot")


class UseCounts(NamedTuple):
    """Required slots, those used at all, and the weights of both."""

    required: int
    used: int
    required_weight: float
    used_weight: float

    @property
    def score(self) -> float:
        """The weighted usage; 0.0 when nothing is required."""
        return self.used_weight / self.required_weight if self.required_weight else 0.0


def count(uses: Iterable[tuple[float, float]]) -> UseCounts:
    """Count over (weight, usage) of each required slot that the record fills."""
    each = list(uses)
    return UseCounts(
        len(each),
        sum(usage > 0 for _, usage in each),
        sum(weight for weight, _ in each),
        sum(weight * usage for weight, usage in each),
    )


def outcomes(counts: UseCounts) -> Outcomes:
    """What the slots of one answer give."""
    if not counts.required_weight:
        return NotApplicable(NO_SLOT)
    return (
        Value(counts.score),
        Ratio(counts.used_weight, counts.required_weight),
        Ratio(counts.used, counts.required),
    )


METRIC = Metric(
    name="cus",
    code="CUS_improved",
    version="1.1.0",
    suite="clinical",
    title="Context utilization",
    unit="turn",
    needs="answer, slots_truth, turn_id",
    score=outcomes,
    measures=(Measure("context_use", kind="mean"), Measure("context_use_weighted"), Measure("slots_used")),
    totals={
        "required_weight": ("context_use_weighted", "total"),
        "used_weight": ("context_use_weighted", "hits"),
        "required_count": ("slots_used", "total"),
        "used_count": ("slots_used", "hits"),
    },
    source="guide to the advanced metrics, section 3",
)
