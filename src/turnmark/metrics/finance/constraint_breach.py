r"""M1c, constraints broken: whether the reply breaks a constraint of the user, whatever memory was asked for.

The contract counts contradictions (``contradiction_rate`` of M1) over the turns that require a memory key only. This is
over every turn whose reply could break one: :math:`c = 1` when the reply breaks any constraint of the profile that
rules hold replies to:

* ``constraint_breach_rate`` = Σ c / number of such turns (micro), mean of each dialogue's ratio (macro).

Range 0 to 1, less is better. A turn is eligible when it ended ok and its user has such a constraint; constraints that
no rule reads are told as warnings and leave the denominator. It is an extra block: the contract has no such figure, and
M1 does not change with it.
"""

from __future__ import annotations

import msgspec

from turnmark.metrics.definition import Measure, Metric, ineligible
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Outcomes, Ratio

REASON = Reason("no_constraint")


def outcomes(row: TurnEvalRow) -> Outcomes:
    """What one turn gives for M1c."""
    held = row.constraints_held
    if isinstance(held, msgspec.UnsetType) or not held or row.turn_status != "ok" or "M1" in (row.failures or {}):
        return ineligible(row, "M1", REASON)
    return (Ratio(row.constraint_contradiction, 1),)


METRIC = Metric(
    name="m1c_constraint_breach",
    code="M1c",
    version="1.0.0",
    suite="finance",
    title="Constraints broken",
    unit="turn",
    needs="constraint evidence",
    score=outcomes,
    measures=(Measure("constraint_breach_rate", upward=False, fault="none", counts="contradiction"),),
    totals={"breach_total": ("constraint_breach_rate", "hits")},
    source="beyond the contract; breaches of every turn that could hold one",
    extra=True,
)
