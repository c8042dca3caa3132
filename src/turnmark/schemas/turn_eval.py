"""turn_eval v1: one row a scored turn (``turn_eval.jsonl``).

Source: trace schema v1, section 5. turnmark adds ``turn_status``, ``reply_state``, ``key_presence`` (how memory held
each key), ``key_use_flags`` (whether the reply used it) and, only where a detector failed, ``failures``. Rows carry
counts, so every total, mean and interval can be taken from this table alone.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnmark.schemas.trace import ComplianceLabel, TraceVersion, TurnStatus

ReplyState = Literal[
    "normal", "empty", "echo", "error_text", "refusal", "truncated", "wrong_language", "near_duplicate"
]
REPLY_STATES: tuple[ReplyState, ...] = get_args(ReplyState)


KeyPresence = Literal["present", "partial", "conflicting", "absent"]


class ResolvedKey(msgspec.Struct, kw_only=True, gc=False):
    """A required memory key and the text it stands for; ``resolver`` says how the text was found."""

    key: str
    resolvable: bool
    target_text: str | None
    resolver: str


class SourceHits(msgspec.Struct, kw_only=True, gc=False):
    """How many required keys of the turn each memory source held."""

    short_term: int = 0
    long_term: int = 0
    profile: int = 0


class TurnEvalRow(msgspec.Struct, kw_only=True, gc=False):
    """What one turn contributes to every metric."""

    trace_version: TraceVersion
    run_id: str
    dialog_id: str
    turn_pair_id: int
    eligible_m1: bool
    eligible_m2: bool
    eligible_m3: bool
    eligible_m4: bool
    eligible_m5: bool
    required_keys_raw: list[str] = []
    resolved_keys: list[ResolvedKey] = []
    key_hit_flags: list[int] = []
    key_hit_sources: list[list[str]] = []
    m1_source_hits: SourceHits = msgspec.field(default_factory=SourceHits)
    constraint_contradiction: int = 0
    risk_required_tags: list[str] = []
    risk_pred_tags: list[str] = []
    risk_tag_hits: int = 0
    forbidden_hits: list[str] = []
    pred_compliance_label: ComplianceLabel = "compliant"
    gt_compliance_label: ComplianceLabel | None = "compliant"
    rubric_required: list[str] = []
    rubric_hit_items: list[str] = []
    judge_score_1_5: float | msgspec.UnsetType | None = msgspec.UNSET
    turn_status: TurnStatus = "ok"
    reply_state: ReplyState = "normal"
    key_presence: list[KeyPresence] = []
    key_use_flags: list[int] = []
    forbidden_categories: list[str] | msgspec.UnsetType = msgspec.UNSET
    words_compliance_label: ComplianceLabel | msgspec.UnsetType = msgspec.UNSET
    observed_compliance_label: ComplianceLabel | msgspec.UnsetType = msgspec.UNSET
    failures: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
