"""A reviewer's mark beside the raw one. Nothing is changed: what the rows and the evidence say is looked up."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.catalog import current_name
from turnmark.report.view.data import OverrideView
from turnmark.report.view.triage import missed_keys
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.marked_turn import MarkedTurn, Row

WHOLE_LABEL = "compliance_label"


def with_raw(override: Override, row: Row | None, evidence: Sequence[Evidence]) -> OverrideView:
    """The override with the raw mark of its turn; the metric may go by its code or a former name."""
    if row is None:
        return OverrideView(override)
    return OverrideView(override, _raw(current_name(override.metric), override.label, row, evidence))


def _raw(metric: str, label: str, row: Row, evidence: Sequence[Evidence]) -> bool | str | None:
    """What the run says; None where it says nothing of such a metric or label."""
    about = [piece for piece in evidence if piece.metric == metric and piece.label == label]
    said: bool | str | None = bool(about) or None
    if isinstance(row, MarkedTurn):
        return row.reply_state if metric == "reply_state" else said
    if metric == "m4_compliance":
        broken = label in row.forbidden_hits or any(piece.polarity in ("severe", "minor") for piece in about)
        said = row.pred_compliance_label if label in (WHOLE_LABEL, "") else broken
    elif metric == "reply_state":
        said = row.reply_state
    elif metric == "m3_risk_coverage":
        said = label in row.risk_pred_tags
    elif metric == "m5_explainability":
        said = label in row.rubric_hit_items
    elif metric == "m1_context_continuity":
        is_key = any(key.key == label for key in row.resolved_keys)
        violated = any(piece.polarity == "violates" for piece in about)
        said = label not in missed_keys(row) if is_key else violated
    return said
