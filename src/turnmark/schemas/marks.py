"""What a row keeps of a metric, and the kinds of fault that a turn is filed under."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnmark.schemas.reasons import Reason

FaultKind = Literal[
    "severe",
    "forbidden",
    "contradiction",
    "failed",
    "reply_state",
    "label",
    "declined",
    "minor",
    "mark",
    "risk",
    "rubric",
    "memory",
    "unused",
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
"""Kinds of fault, gravest first; what a reply left unused is named where it is shown but files no turn by itself."""


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

    def value(self, measure: str) -> float | None:
        """Hits over total of a measure; None where nothing was counted."""
        hits, total = self.measures.get(measure, (0.0, 0.0))
        return hits / total if total else None
