"""A reviewer's mark beside the raw one. Nothing is changed: what the rows and the evidence say is looked up."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.catalog import current_name
from turnmark.report.view.data import OverrideView
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.marked_turn import Row


def with_raw(override: Override, row: Row | None, evidence: Sequence[Evidence]) -> OverrideView:
    """The override with the raw mark of its turn; the metric may go by its code or a former name."""
    if row is None:
        return OverrideView(override)
    metric, label = current_name(override.metric), override.label
    if metric == "reply_state":
        return OverrideView(override, row.reply_state)
    about = [piece for piece in evidence if piece.metric == metric and piece.label == label]
    return OverrideView(override, row.said(metric, label, about))
