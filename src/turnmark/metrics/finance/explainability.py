r"""M5, explainability: whether the reply explains itself in the ways that this turn asks for.

For a turn with required elements :math:`E` and present elements :math:`\hat E`:

* ``rubric_hit_rate`` = Σ \|E ∩ Ê\| / Σ \|E\| over turns (micro), mean of each dialogue's ratio (macro), range 0 to 1;
* ``judge_score_mean`` = mean of 1 + 4 · \|E ∩ Ê\| / \|E\|, rounded to two decimals a turn, range 1 to 5. It is a
  linear reading of the hit rate, not the opinion of a model. With ``--detect judged`` it is the mean of the grades that
  a model gave.

More is better. A turn is eligible when it ended ok and requires an element. Source: metrics specification, section 3.5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from turnmark.metrics.definition import Measure, Metric, ineligible
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Failed, Outcomes, Ratio, Value

REASON = Reason("no_explanation")


def heuristic_judge_score(hits: int, required: int) -> float | None:
    """1 + 4 · hits / required, to two decimals; None when nothing is required."""
    return round(1 + 4 * hits / required, 2) if required else None


def fill(row: TurnEvalRow, evidence: Sequence[Evidence]) -> None:
    """Write the counts of M5 into a row; ``row.rubric_required`` is there already."""
    present = {piece.label for piece in evidence}
    row.rubric_hit_items = [element for element in row.rubric_required if element in present]
    row.judge_score_1_5 = heuristic_judge_score(len(row.rubric_hit_items), len(row.rubric_required))


def outcomes(row: TurnEvalRow) -> Outcomes:
    """What one turn gives for M5."""
    if not row.eligible_m5:
        return ineligible(row, METRIC.code, REASON)
    hits, required = len(row.rubric_hit_items), len(row.rubric_required)
    given = row.judge_score_1_5
    # A row that leaves the score out has the one of its hits; null says that there is none.
    score = heuristic_judge_score(hits, required) if isinstance(given, msgspec.UnsetType) else given
    if score is not None and not math.isfinite(score):
        return Failed(Reason("score_not_finite", {"score": str(score)}))
    return (Ratio(hits, required), Ratio(0, 0) if score is None else Value(score))


METRIC = Metric(
    name="m5_explainability",
    code="M5",
    version="1.0.0",
    suite="finance",
    title="Explainability",
    unit="turn",
    needs="rubric evidence",
    score=outcomes,
    measures=(
        Measure("rubric_hit_rate", fault="rubric"),
        Measure("judge_score_mean", kind="mean", low=1.0, high=5.0),
    ),
    totals={
        "rubric_required_total": ("rubric_hit_rate", "total"),
        "rubric_hit_total": ("rubric_hit_rate", "hits"),
        "judge_scored_turns": ("judge_score_mean", "total"),
    },
    eligible_name="eligible_turns",
    source="metrics specification 3.5",
    formerly=("explainability",),
)
