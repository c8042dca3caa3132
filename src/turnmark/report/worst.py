"""Which turns a reviewer should see first.

A turn is filed under its gravest fault. For each kind of fault the turns with the most of it are kept, at most
`MOST_A_DIALOG` of a dialogue; then every kind gets `RESERVED` places and the gravest kinds get the rest. The choice
depends on the rows and their order only.
"""

from __future__ import annotations

import heapq

import msgspec

from turnmark.metrics.finance.risk_coverage import ANY_DISCLOSURE
from turnmark.report.data import FAULT_KINDS, Fault, FaultKind
from turnmark.schemas.turn_eval import TurnEvalRow

MOST = 50
MOST_A_DIALOG = 2
RESERVED = 5

_RANK = {kind: rank for rank, kind in enumerate(FAULT_KINDS)}


class RowKey(msgspec.Struct, gc=False):
    """Of a resolved key, whether it counts."""

    resolvable: bool = False


class LeanRow(msgspec.Struct, gc=False):
    """The part of a row that the choice needs. The other fields are skipped without making objects."""

    dialog_id: str
    eligible_m1: bool = False
    eligible_m3: bool = False
    eligible_m5: bool = False
    resolved_keys: list[RowKey] = []
    key_hit_flags: list[int] = []
    constraint_contradiction: int = 0
    risk_required_tags: list[str] = []
    risk_tag_hits: int = 0
    forbidden_hits: list[str] = []
    pred_compliance_label: str = "compliant"
    gt_compliance_label: str = "compliant"
    rubric_required: list[str] = []
    rubric_hit_items: list[str] = []
    turn_status: str = "ok"
    reply_state: str = "normal"
    failures: dict[str, str] = {}


def gravest(row: LeanRow) -> tuple[FaultKind, int] | None:
    """The gravest fault of a row and how much of it there is; None for a row without fault."""
    kind: FaultKind
    if row.pred_compliance_label == "severe_violation":
        kind = "severe"
    elif row.forbidden_hits:
        kind = "forbidden"
    elif row.constraint_contradiction:
        kind = "contradiction"
    elif row.turn_status != "ok" or row.failures:
        kind = "failed"
    elif row.reply_state != "normal":
        kind = "reply_state"
    elif row.pred_compliance_label != row.gt_compliance_label:
        kind = "label"
    else:
        return _most_missed(row)
    return kind, len(row.forbidden_hits)


def _most_missed(row: LeanRow) -> tuple[FaultKind, int] | None:
    if row.eligible_m3 and (missed := len(row.risk_required_tags) - row.risk_tag_hits) > 0:
        return "risk", missed
    if row.eligible_m5 and (missed := len(row.rubric_required) - len(row.rubric_hit_items)) > 0:
        return "rubric", missed
    if row.eligible_m1:
        missed = sum(key.resolvable for key in row.resolved_keys) - sum(row.key_hit_flags)
        if missed > 0:
            return "memory", missed
    return None


def faults(row: TurnEvalRow) -> list[Fault]:
    """Every fault of a row, gravest first, with what exactly is wrong."""
    found = []
    if row.pred_compliance_label == "severe_violation":
        found.append(Fault("severe"))
    if row.forbidden_hits:
        found.append(Fault("forbidden", tuple(row.forbidden_hits)))
    if row.constraint_contradiction:
        found.append(Fault("contradiction"))
    failures = row.failures or {}
    if row.turn_status != "ok" or failures:
        status = () if row.turn_status == "ok" else (row.turn_status,)
        found.append(Fault("failed", (*status, *(f"{code}: {reason}" for code, reason in failures.items()))))
    if row.reply_state != "normal":
        found.append(Fault("reply_state", (row.reply_state,)))
    if row.pred_compliance_label != row.gt_compliance_label:
        found.append(Fault("label", (row.pred_compliance_label, row.gt_compliance_label)))
    missed: tuple[tuple[FaultKind, list[str]], ...] = (
        ("risk", missed_risk_tags(row) if row.eligible_m3 else []),
        ("rubric", missed_elements(row) if row.eligible_m5 else []),
        ("memory", missed_keys(row) if row.eligible_m1 else []),
    )
    return found + [Fault(kind, tuple(details)) for kind, details in missed if details]


def missed_elements(row: TurnEvalRow) -> list[str]:
    """The required elements of explanation that the reply lacks."""
    return [element for element in row.rubric_required if element not in row.rubric_hit_items]


def missed_keys(row: TurnEvalRow) -> list[str]:
    """The required memory keys that can be resolved and that no memory source held."""
    flags = [*row.key_hit_flags, *[0] * len(row.resolved_keys)]
    return [key.key for key, held in zip(row.resolved_keys, flags, strict=False) if key.resolvable and not held]


def missed_risk_tags(row: TurnEvalRow) -> list[str]:
    """The required risk tags that the reply does not disclose; the tag "any disclosure" is met by any."""
    return [
        tag
        for tag in row.risk_required_tags
        if not (bool(row.risk_pred_tags) if tag == ANY_DISCLOSURE else tag in row.risk_pred_tags)
    ]


class _Kept(msgspec.Struct, order=True, frozen=True, gc=False):
    """A row that is kept so far. Greater is graver: more of the fault, then earlier in the file."""

    weight: int
    earliness: int
    raw: bytes


class WorstTurns:
    """Takes rows one by one, dialogues in one piece each, and keeps the ones to show. Memory is bounded."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._heaps: dict[FaultKind, list[_Kept]] = {kind: [] for kind in FAULT_KINDS}
        self._dialog: str | None = None
        self._of_dialog: dict[FaultKind, list[_Kept]] = {}
        self._seen = 0

    def add(self, row: LeanRow, raw: bytes) -> None:
        """Consider a row; ``raw`` is its line."""
        if row.dialog_id != self._dialog:
            self._close()
            self._dialog = row.dialog_id
        self._seen += 1
        fault = gravest(row)
        if fault is None:
            return
        kind, weight = fault
        heap = self._heaps[kind]
        if len(heap) == self._most and weight <= heap[0].weight:
            return
        self._of_dialog.setdefault(kind, []).append(_Kept(weight, -self._seen, raw))

    def _close(self) -> None:
        """The dialogue is over: its gravest turns of each kind compete with those of the others."""
        for kind, kept in self._of_dialog.items():
            heap = self._heaps[kind]
            for one in sorted(kept, reverse=True)[:MOST_A_DIALOG]:
                if len(heap) < self._most:
                    heapq.heappush(heap, one)
                else:
                    heapq.heappushpop(heap, one)
        self._of_dialog.clear()

    def chosen(self) -> list[bytes]:
        """The lines of the chosen rows, gravest first."""
        self._close()
        ranked = {kind: sorted(self._heaps[kind], reverse=True) for kind in FAULT_KINDS}
        first = [(kind, one) for kind, kept in ranked.items() for one in kept[:RESERVED]]
        rest = [(kind, one) for kind, kept in ranked.items() for one in kept[RESERVED:]]
        picked = (first + rest)[: self._most]
        picked.sort(key=lambda item: (_RANK[item[0]], -item[1].weight, -item[1].earliness))
        return [one.raw for _, one in picked]
