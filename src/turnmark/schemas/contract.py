"""The types of the metrics contract v1, section 2, by its names: what its functions take and give."""

from __future__ import annotations

from typing import Any, TypedDict

from turnmark.schemas.trace import ComplianceLabel, DialogStatus, TurnStatus

__all__ = [
    "ComplianceLabel",
    "ComplianceTrace",
    "DialogStatus",
    "DialogTrace",
    "EvalSummary",
    "MetricResult",
    "RecallItem",
    "RecallTrace",
    "ToolTrace",
    "TurnEvalRow",
    "TurnStatus",
    "TurnTrace",
]


class RecallItem(TypedDict, total=False):
    """One entry that long-term memory returned."""

    rank: int
    item_id: str
    content: str
    score: float
    source: str
    turn_index: int
    session_id: str


class RecallTrace(TypedDict, total=False):
    """What memory put before the assistant in a turn."""

    query: str
    short_term_context: str
    short_term_turns: list[dict[str, str]]
    profile_context: str
    packed_context: str
    token_count: int
    items: list[RecallItem]


class ToolTrace(TypedDict, total=False):
    """One tool call of a turn."""

    tool_name: str
    args: dict[str, Any]
    result_excerpt: str
    latency_ms: float
    error: str | None


class ComplianceTrace(TypedDict, total=False):
    """What the assistant's own compliance check reported."""

    needs_modification: bool
    is_compliant: bool
    violations: list[dict[str, Any]]
    risk_disclaimer_added: bool
    suitability_warning: str | None


class TurnTrace(TypedDict, total=False):
    """One user turn with the reply it got."""

    turn_pair_id: int
    user_turn_abs_idx: int
    gt_assistant_abs_idx: int
    user_text: str
    gt_assistant_text: str
    gt_turn_tags: dict[str, Any]
    pred_assistant_text: str
    latency_ms: float
    turn_status: TurnStatus
    error: str | None
    recall: RecallTrace | None
    tools: list[ToolTrace]
    compliance: ComplianceTrace | None
    profile_snapshot: dict[str, Any] | None


class DialogTrace(TypedDict, total=False):
    """One recorded dialogue."""

    trace_version: str
    run_id: str
    dialog_id: str
    dataset_index: int
    scenario_type: str | None
    difficulty: str | None
    dialog_status: DialogStatus
    valid_dialog: bool
    skip_reason: str | None
    worker_id: int | None
    session_id: str | None
    user_id: str | None
    turns: list[TurnTrace]
    dialog_error: str | None


class TurnEvalRow(TypedDict, total=False):
    """What one turn contributes to every metric."""

    trace_version: str
    run_id: str
    dialog_id: str
    turn_pair_id: int
    eligible_m1: bool
    eligible_m2: bool
    eligible_m3: bool
    eligible_m4: bool
    eligible_m5: bool
    required_keys_raw: list[str]
    resolved_keys: list[dict[str, Any]]
    key_hit_flags: list[int]
    key_hit_sources: list[list[str]]
    m1_source_hits: dict[str, int]
    constraint_contradiction: int
    risk_required_tags: list[str]
    risk_pred_tags: list[str]
    risk_tag_hits: int
    forbidden_hits: list[str]
    pred_compliance_label: ComplianceLabel
    gt_compliance_label: ComplianceLabel
    rubric_required: list[str]
    rubric_hit_items: list[str]
    judge_score_1_5: float | None


class MetricResult(TypedDict, total=False):
    """The figures of one metric; ``reason`` says why there are none, where nothing could be counted."""

    metric_name: str
    micro: dict[str, float]
    macro: dict[str, float]
    counts: dict[str, int]
    by_dialog: dict[str, dict[str, float]]
    denominators: dict[str, float]
    reason: str


class EvalSummary(TypedDict, total=False):
    """The figures of a run."""

    run_id: str
    trace_version: str
    dataset_path: str
    metrics: dict[str, MetricResult]
    counters: dict[str, int]
