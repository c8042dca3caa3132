r"""M3, risk coverage: whether the reply discloses the risks that this turn must disclose.

For a turn with required tags :math:`R` and disclosed tags :math:`\hat R`:

* ``risk_coverage`` = Σ \|R ∩ R̂\| / Σ \|R\| over turns (micro), mean of each dialogue's ratio (macro);
* ``strict_risk_coverage_rate`` = share of turns with R ⊆ R̂.

``risk_disclosure_present`` is met by any disclosure. Range 0 to 1, more is better. A turn is eligible when it ended ok
and requires a tag. Source: metrics specification, section 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric, ineligible
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import ANY_DISCLOSURE, TurnEvalRow
from turnmark.stats.tally import Outcomes, Ratio

REASON = Reason("no_disclosure")


def fill(row: TurnEvalRow, evidence: Sequence[Evidence]) -> None:
    """Write the counts of M3 into a row; ``row.risk_required_tags`` is there already."""
    row.risk_pred_tags = sorted({piece.label for piece in evidence})
    row.risk_tag_hits = sum(
        bool(row.risk_pred_tags) if tag == ANY_DISCLOSURE else tag in row.risk_pred_tags
        for tag in row.risk_required_tags
    )


def outcomes(row: TurnEvalRow) -> Outcomes:
    """What one turn gives for M3."""
    if not row.eligible_m3:
        return ineligible(row, METRIC.code, REASON)
    total = len(row.risk_required_tags)
    return (Ratio(row.risk_tag_hits, total), Ratio(row.risk_tag_hits == total, 1))


METRIC = Metric(
    name="m3_risk_coverage",
    code="M3",
    version="1.0.0",
    suite="finance",
    title="Risk coverage",
    unit="turn",
    needs="risk evidence",
    score=outcomes,
    measures=(Measure("risk_coverage", fault="risk"), Measure("strict_risk_coverage_rate")),
    totals={"risk_required_total": ("risk_coverage", "total"), "risk_hit_total": ("risk_coverage", "hits")},
    eligible_name="eligible_turns",
    source="metrics specification 3.3",
    formerly=("risk_coverage",),
)
