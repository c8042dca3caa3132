"""marked_turn v1: one row a scored turn in ``turn_eval.jsonl`` of every suite but finance, whose rows are turn_eval v1.

A row holds, for each metric of the suite, the sums that every total, mean and interval is taken from.
"""

from __future__ import annotations

import msgspec

from turnmark.schemas.reasons import Reason
from turnmark.schemas.trace import TraceVersion, TurnStatus
from turnmark.schemas.turn_eval import ReplyState, TurnEvalRow


class Mark(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """What one turn contributes to one metric.

    ``measures`` maps each measure of the metric to ``[hits, total]``; a measured value x is ``[x, 1]``. It is empty
    where ``not_applicable`` or ``failed`` says in English why there is none; ``reason`` is the code of that with its
    parts, left out of the message of an error. ``undecided`` says of a measure how many more things could not be
    decided (a measure that it does not name: none); the total does not count these.
    """

    measures: dict[str, tuple[float, float]] = {}
    not_applicable: str | None = None
    failed: str | None = None
    undecided: dict[str, float] = {}
    reason: Reason | None = None


class MarkedTurn(msgspec.Struct, kw_only=True, gc=False):
    """What one turn contributes to every metric of its suite.

    ``system`` names who replied where one run holds several systems, else it is empty.
    """

    trace_version: TraceVersion
    suite: str
    run_id: str
    dialog_id: str
    turn_pair_id: int
    system: str = ""
    turn_status: TurnStatus = "ok"
    reply_state: ReplyState = "normal"
    marks: dict[str, Mark] = {}


Row = TurnEvalRow | MarkedTurn
"""A row of ``turn_eval.jsonl``, of whichever suite."""
