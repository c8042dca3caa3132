r"""ASS, actionability and specificity score: whether the answer holds what its turn asks for, and says it precisely.

A turn lists elements that its answer must include (frequency, intensity, duration, stop criteria, a weekly plan …).
An element counts 1.0 when it is specific (how much, when, by what), 0.5 when it is only touched on, 0.0 when it is
missing.

* ``actionability`` = sum of the scores of the elements / number of elements
* ``elements_present`` = elements with a score above 0 / elements

Range 0 to 1, more is better. A turn that lists no element is not eligible; elements that nobody has described are
left out. Source: guide to the advanced metrics, future list; clinical metrics, section ASS; FITT principle (ACSM) and
SMART goals (Doran 1981) for what is specific.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio

NO_ELEMENT = Reason("no_element")


def outcomes(scores: Sequence[float]) -> Outcomes:
    """What the scores of the elements give."""
    if not scores:
        return NotApplicable(NO_ELEMENT)
    return (Ratio(sum(scores), len(scores)), Ratio(sum(score > 0 for score in scores), len(scores)))


METRIC = Metric(
    name="ass",
    code="ASS",
    version="1.0.0",
    suite="clinical",
    title="Actionability and specificity",
    unit="turn",
    needs="answer, turn_id",
    score=outcomes,
    measures=(Measure("actionability"), Measure("elements_present")),
    totals={"elements": ("elements_present", "total"), "present": ("elements_present", "hits")},
    source="guide to the advanced metrics, future list; clinical metrics, ASS",
)
