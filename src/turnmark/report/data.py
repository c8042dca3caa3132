"""What a page needs, as plain records. The pipeline gathers them from a run folder; pages only show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.problems import Problem
from turnmark.schemas.summary import EvalSummary
from turnmark.schemas.turn_eval import TurnEvalRow

FaultKind = Literal[
    "severe", "forbidden", "contradiction", "failed", "reply_state", "label", "risk", "rubric", "memory"
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
"""Kinds of fault, gravest first."""


class Fault(NamedTuple):
    """One thing that is wrong with a turn, and the names that say exactly what (tags, keys, phrases, a state)."""

    kind: FaultKind
    details: tuple[str, ...] = ()


class TurnView(NamedTuple):
    """One turn as it is shown to a reviewer. ``reasons`` come gravest first.

    ``reply`` and ``user_text`` are the original texts, so that the offsets of ``evidence`` hold. ``in_trace`` is False
    when the trace does not hold the turn; the texts are empty then.
    """

    dialog_id: str
    turn_pair_id: int
    user_text: str
    reply: str
    row: TurnEvalRow
    evidence: Sequence[Evidence]
    reasons: Sequence[Fault]
    scenario: str = ""
    difficulty: str = ""
    language: str = ""
    error: str = ""
    in_trace: bool = True


class ReportData(NamedTuple):
    """Everything on the page of one run.

    ``problems`` are the first ``len(problems)`` of ``problem_count`` problems of the input.
    """

    summary: EvalSummary
    manifest: Mapping[str, object] | None = None
    problems: Sequence[Problem] = ()
    problem_count: int = 0
    worst: Sequence[TurnView] = ()
