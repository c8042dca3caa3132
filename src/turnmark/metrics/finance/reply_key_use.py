r"""M1b, use of memory: whether the reply uses what the required keys stand for.

M1 asks whether memory held a key; this asks whether the reply went by it. For a turn with resolvable required keys
:math:`\tilde K` and :math:`u_k = 1` when the reply uses or refers to the target of key *k*:

* ``key_use_rate`` = Σ u / Σ \|K̃\| over turns (micro), mean of each dialogue's ratio (macro);
* ``strict_key_use_rate`` = share of turns that use every resolvable key.

Range 0 to 1, more is better. A turn is eligible when it is for M1. It is an extra block: the contract has no such
figure, and M1 does not change with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric, ineligible
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Failed, Outcomes, Ratio

REASON = Reason("no_memory_key")


def fill(row: TurnEvalRow, evidence: Sequence[Evidence]) -> None:
    """Write the counts of M1b into a row; ``row.resolved_keys`` is there already."""
    used = {piece.label for piece in evidence}
    row.key_use_flags = [int(key.key in used) for key in row.resolved_keys]


def outcomes(row: TurnEvalRow) -> Outcomes:
    """What one turn gives for M1b."""
    if not row.eligible_m1:
        return ineligible(row, METRIC.code, REASON)
    if row.failures and METRIC.code in row.failures:
        return Failed(row.failures[METRIC.code])
    total = sum([key.resolvable for key in row.resolved_keys])
    hits = sum(row.key_use_flags)
    return (Ratio(hits, total), Ratio(hits == total, 1))


METRIC = Metric(
    name="m1b_reply_key_use",
    code="M1b",
    version="1.0.0",
    suite="finance",
    title="Use of memory",
    unit="turn",
    needs="key use evidence",
    score=outcomes,
    measures=(Measure("key_use_rate", fault="unused"), Measure("strict_key_use_rate")),
    totals={"key_total": ("key_use_rate", "total"), "key_used_total": ("key_use_rate", "hits")},
    source="beyond the contract; design decision on memory hits",
    formerly=("key_use",),
    main=(),
)
