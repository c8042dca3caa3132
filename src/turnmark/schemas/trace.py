"""Trace v1: one recorded dialogue a line (``dialog_trace.jsonl``).

Source: trace schema v1, sections 3, 4 and 6. Fields that a newer minor version adds are skipped by the reader and kept
by the writer, which copies lines as they are. ``profile_gt``, ``blueprint`` and ``raw_turns`` are the ground truth that
recorded runs carry beside the contract's own fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

TurnStatus = Literal["ok", "timeout", "error"]
DialogStatus = Literal["ok", "partial", "failed", "skipped"]
ComplianceLabel = Literal["compliant", "minor_violation", "severe_violation"]
TraceVersion = Annotated[str, msgspec.Meta(pattern=r"^v1(\.[0-9]+)?$", description="v1, or a minor version of it")]

TRACE_VERSION = "v1"


class ProfileGroundTruth(msgspec.Struct, kw_only=True, gc=False):
    """Who the user is, as the dataset's author wrote it down."""

    risk_level_gt: str | None = None
    horizon_gt: str | None = None
    liquidity_need_gt: str | None = None
    constraints_gt: list[str] | None = None
    preferences_gt: list[str] | None = None


class TurnTags(msgspec.Struct, kw_only=True, gc=False):
    """What a good reply of this turn must do, as the dataset's author wrote it down."""

    memory_required_keys_gt: list[str] | None = None
    risk_disclosure_required_gt: list[str] | None = None
    compliance_label_gt: str | None = None
    explainability_rubric_gt: list[str] | None = None


class RawTurn(msgspec.Struct, kw_only=True, gc=False):
    """One utterance of the dataset, before user and assistant are paired."""

    role: str
    text: str
    turn_tags: TurnTags | None = None


class Blueprint(msgspec.Struct, kw_only=True, gc=False):
    """The author's plan of the dialogue; only the list of forbidden content is read."""

    forbidden_list: list[str] | None = None


class ShortTermTurn(msgspec.Struct, kw_only=True, gc=False):
    """One utterance of the short-term window."""

    role: str = ""
    content: str = ""


class RecallItem(msgspec.Struct, kw_only=True, gc=False):
    """One entry that long-term memory returned."""

    content: str = ""
    rank: int | None = None
    item_id: str | int | None = None
    score: float | None = None
    source: str | None = None
    turn_index: int | None = None
    session_id: str | None = None


class RecallTrace(msgspec.Struct, kw_only=True, gc=False):
    """What memory put before the assistant in this turn."""

    query: str | None = None
    short_term_context: str | None = None
    short_term_turns: list[ShortTermTurn] | None = None
    profile_context: str | None = None
    packed_context: str | None = None
    token_count: float | None = None
    items: list[RecallItem] | None = None

    def short_term(self) -> str:
        """The short-term window as one text: the recorded one, else its turns joined as ``role: content`` lines.

        A recorded text that is empty hides no turns.
        """
        if self.short_term_context or (self.short_term_context is not None and not self.short_term_turns):
            return self.short_term_context
        return "\n".join(f"{turn.role}: {turn.content}" for turn in self.short_term_turns or ())


class ToolTrace(msgspec.Struct, kw_only=True, gc=False):
    """One tool call of the turn."""

    tool_name: str | None = None
    args: Any = None
    result_excerpt: str | None = None
    latency_ms: float | None = None
    error: str | None = None


class ComplianceViolation(msgspec.Struct, kw_only=True, gc=False):
    """One violation that the assistant's own compliance check reported."""

    type: str | None = None
    match: Any = None
    severity: str | None = None


class ComplianceTrace(msgspec.Struct, kw_only=True, gc=False):
    """What the assistant's own compliance check reported for this turn."""

    needs_modification: bool | None = None
    is_compliant: bool | None = None
    violations: list[ComplianceViolation] | None = None
    risk_disclaimer_added: bool | None = None
    suitability_warning: str | None = None


class ProfileSnapshot(msgspec.Struct, kw_only=True, gc=False):
    """What the assistant believed about the user after this turn.

    ``max_acceptable_loss`` is a share (0.1), a percentage (10) or text ("10%", 一成); all three are read as the same.
    """

    risk_level: str | None = None
    investment_horizon: str | None = None
    liquidity_need: str | None = None
    investment_goal: str | None = None
    preferred_topics: list[str] | None = None
    forbidden_assets: list[str] | None = None
    max_acceptable_loss: float | str | None = None


class ReplayNotes(msgspec.Struct, kw_only=True, gc=False):
    """What the replay noted of a turn. ``finish_reason`` is the endpoint's: "length" for a reply that it cut off."""

    finish_reason: str | None = None


class TurnTrace(msgspec.Struct, kw_only=True, gc=False):
    """One user turn with the reply it got. Texts of ``pred_assistant_text`` are what is judged.

    ``ground_truth_contexts`` are the passages that answer the question, where the case names them (RAG).
    ``source_record`` is the record of another format from which the turn was made (a clinical event, a RAG case),
    as it was: a mapping where it was read from a trace, in the process that made the turn the record itself.
    """

    turn_pair_id: int
    user_turn_abs_idx: int
    gt_assistant_abs_idx: int
    user_text: str
    gt_assistant_text: str
    gt_turn_tags: TurnTags | None
    turn_status: TurnStatus
    pred_assistant_text: str | None = None
    latency_ms: float | None = None
    error: str | None = None
    recall: RecallTrace | None = None
    tools: list[ToolTrace] | None = None
    compliance: ComplianceTrace | None = None
    profile_snapshot: ProfileSnapshot | None = None
    ground_truth_contexts: list[str] | msgspec.UnsetType | None = msgspec.UNSET
    source_record: Any = msgspec.UNSET
    replay: ReplayNotes | msgspec.UnsetType | None = msgspec.UNSET

    @property
    def cut_off(self) -> bool:
        """Whether the endpoint ended the reply at its limit of tokens."""
        return isinstance(self.replay, ReplayNotes) and self.replay.finish_reason == "length"


class DialogTrace(msgspec.Struct, kw_only=True, gc=False):
    """One recorded dialogue.

    ``system`` names who replied where a run holds several systems; ``slots_truth`` is the patient's record (clinical).
    """

    trace_version: TraceVersion
    run_id: str
    dialog_id: str
    dataset_index: int
    dialog_status: DialogStatus
    valid_dialog: bool
    scenario_type: str | None = None
    difficulty: str | None = None
    language: str | None = None
    skip_reason: str | None = None
    worker_id: int | str | None = None
    session_id: str | None = None
    user_id: str | None = None
    turns: list[TurnTrace] | None = None
    dialog_error: str | None = None
    profile_gt: ProfileGroundTruth | None = None
    blueprint: Blueprint | None = None
    raw_turns: list[RawTurn] | None = None
    system: str | msgspec.UnsetType | None = msgspec.UNSET
    slots_truth: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
