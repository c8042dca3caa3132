"""marked_turn v1: one row a scored turn (``turn_eval.jsonl``); rows of turn_eval v1 hold the same marks.

A row holds, for each metric of the suite, the sums that every total, mean and interval is taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import msgspec

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marks import FaultKind, Mark
from turnmark.schemas.trace import TraceVersion, TurnStatus
from turnmark.schemas.turn_eval import AskedItem, ReplyState, TurnEvalRow


class MarkedTurn(msgspec.Struct, kw_only=True, gc=False):
    """What one turn contributes to every metric of its suite.

    ``system`` names who replied where one run holds several systems, else it is empty.
    """

    unmarked: ClassVar[bool] = False
    labels: ClassVar[None] = None
    grade: ClassVar[None] = None

    trace_version: TraceVersion
    suite: str
    run_id: str
    dialog_id: str
    turn_pair_id: int
    system: str = ""
    turn_status: TurnStatus = "ok"
    reply_state: ReplyState = "normal"
    marks: dict[str, Mark] = {}
    written_flags: list[FaultKind] | msgspec.UnsetType = msgspec.field(name="flags", default=msgspec.UNSET)

    @property
    def flags(self) -> Sequence[FaultKind]:
        """Faults that no mark counts, where the suite knows any."""
        return () if isinstance(self.written_flags, msgspec.UnsetType) else self.written_flags

    def asked(self) -> list[AskedItem]:
        """Nothing stands beside the marks."""
        return []

    def named(self, kind: FaultKind) -> tuple[str, ...]:  # noqa: ARG002 - as `TurnEvalRow.named`
        """No names stand beside the marks."""
        return ()

    def said(self, metric: str, label: str, about: Sequence[Evidence]) -> bool | str | None:  # noqa: ARG002 - as there
        """What the row and the evidence say of a label of a metric; None where they say nothing."""
        return any(piece.polarity not in ABSENT for piece in about) if about else None

    def masked(self, mask: Callable[[str], str]) -> MarkedTurn:  # noqa: ARG002 - as `TurnEvalRow.masked`
        """A copy whose marks can be set anew; beside them it holds no words."""
        return msgspec.structs.replace(self, marks=dict(self.marks))


ABSENT = frozenset({"unused", "lacking", "ignored"})
"""Polarities of what was asked for and an answer does not hold: a slot, an element, what the patient just told."""

Row = TurnEvalRow | MarkedTurn
"""A row of ``turn_eval.jsonl``, of whichever suite."""
