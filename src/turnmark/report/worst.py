"""Which turns a reviewer should see first.

A turn is filed under its gravest fault. For each kind of fault the turns with the most of it are kept, at most
`MOST_A_DIALOG` of a dialogue; then every kind gets `RESERVED` places and the gravest kinds get the rest. The choice
depends on the rows and their order only.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from turnmark.errors import UsageError
from turnmark.metrics.catalog import metric
from turnmark.metrics.finance.risk_coverage import ANY_DISCLOSURE
from turnmark.metrics.marked import shortfall
from turnmark.report.data import FAULT_KINDS, Fault, FaultKind, TurnView
from turnmark.schemas.marked_turn import Mark, MarkedTurn, Row
from turnmark.schemas.turn_eval import TurnEvalRow

MOST = 50
MOST_LINKED = 500
MOST_A_DIALOG = 2
RESERVED = 5
MARKED_DOWN = 0.5
"""How far a mark must lie from its best, as a part of its scale, for its turn to be flagged."""

View = TypeVar("View")

_RANK = {kind: rank for rank, kind in enumerate(FAULT_KINDS)}


class RowKey(msgspec.Struct, gc=False):
    """Of a resolved key, whether it counts."""

    resolvable: bool = False


class LeanRow(msgspec.Struct, gc=False):
    """The part of a row that the choice needs. The other fields are skipped without making objects."""

    dialog_id: str
    turn_pair_id: int = 0
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
    gt_compliance_label: str | None = "compliant"
    rubric_required: list[str] = []
    rubric_hit_items: list[str] = []
    turn_status: str = "ok"
    reply_state: str = "normal"
    failures: dict[str, str] = {}
    suite: str = ""
    marks: dict[str, Mark] = {}


FaultyRow = LeanRow | Row


def marked_down(marks: Mapping[str, Mark]) -> list[tuple[str, float, float]]:
    """The marks of a row that are not the best: metric, value, how far it lies from the best (0 to 1), worst first."""
    found = []
    for name, mark in marks.items():
        try:
            known = metric(name)
        except UsageError:
            continue
        if missing := shortfall(known, mark):
            hits, total = mark.measures[known.measures[0].name]
            found.append((name, hits / total, missing))
    return sorted(found, key=lambda one: (-one[2], one[0]))


def _gravest_mark(row: LeanRow | MarkedTurn) -> tuple[FaultKind, int] | None:
    if row.turn_status != "ok" or any(mark.failed is not None for mark in row.marks.values()):
        return "failed", 0
    if row.reply_state != "normal":
        return "reply_state", 0
    down = marked_down(row.marks)
    if not down:
        return None
    own = sum(missing for name, _, missing in down if _is_own(name, row))
    # A metric that joined from another suite only decides between turns that are alike in those of their own.
    return "mark", round(100 * own + sum(missing for name, _, missing in down if not _is_own(name, row)))


def _is_own(name: str, row: LeanRow | MarkedTurn) -> bool:
    """Whether a metric is at home in the suite of a row; a row that does not say has no others."""
    return not row.suite or metric(name).suite == row.suite


def flagged(row: FaultyRow) -> bool:
    """Whether a person should look at the turn: it is said to break a rule or a constraint, or is no proper answer."""
    if isinstance(row, MarkedTurn) or (isinstance(row, LeanRow) and row.marks):
        fault = _gravest_mark(row)
        down = [missing for name, _, missing in marked_down(row.marks) if _is_own(name, row)]
        return fault is not None and (fault[0] != "mark" or max(down, default=0.0) >= MARKED_DOWN)
    return bool(
        row.pred_compliance_label != "compliant"
        or row.forbidden_hits
        or row.constraint_contradiction
        or row.turn_status != "ok"
        or row.failures
        or row.reply_state != "normal"
    )


def gravest(row: FaultyRow) -> tuple[FaultKind, int] | None:
    """The gravest fault of a row and how much of it there is; None for a row without fault."""
    if isinstance(row, MarkedTurn) or (isinstance(row, LeanRow) and row.marks):
        return _gravest_mark(row)
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
    elif row.gt_compliance_label not in (row.pred_compliance_label, None):
        kind = "label"
    else:
        return _most_missed(row)
    return kind, len(row.forbidden_hits)


def _most_missed(row: LeanRow | TurnEvalRow) -> tuple[FaultKind, int] | None:
    if row.eligible_m3 and (missed := len(row.risk_required_tags) - row.risk_tag_hits) > 0:
        return "risk", missed
    if row.eligible_m5 and (missed := len(row.rubric_required) - len(row.rubric_hit_items)) > 0:
        return "rubric", missed
    if row.eligible_m1:
        missed = sum(key.resolvable for key in row.resolved_keys) - sum(row.key_hit_flags)
        if missed > 0:
            return "memory", missed
    return None


def faults(row: Row) -> list[Fault]:
    """Every fault of a row, gravest first, with what exactly is wrong."""
    if isinstance(row, MarkedTurn):
        return _faults_of_marks(row)
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
    if row.gt_compliance_label not in (row.pred_compliance_label, None):
        found.append(Fault("label", (row.pred_compliance_label, row.gt_compliance_label)))
    missed: tuple[tuple[FaultKind, list[str]], ...] = (
        ("risk", missed_risk_tags(row) if row.eligible_m3 else []),
        ("rubric", missed_elements(row) if row.eligible_m5 else []),
        ("memory", missed_keys(row) if row.eligible_m1 else []),
    )
    return found + [Fault(kind, tuple(details)) for kind, details in missed if details]


def _faults_of_marks(row: MarkedTurn) -> list[Fault]:
    found = []
    failed = tuple(f"{name}: {mark.failed}" for name, mark in row.marks.items() if mark.failed is not None)
    if row.turn_status != "ok" or failed:
        found.append(Fault("failed", failed if row.turn_status == "ok" else (row.turn_status, *failed)))
    if row.reply_state != "normal":
        found.append(Fault("reply_state", (row.reply_state,)))
    down = tuple(f"{metric(name).code} {value:.2f}" for name, value, _ in marked_down(row.marks))
    return [*found, Fault("mark", down)] if down else found


MOST_OF_A_METRIC = 5
"""Turns that the list of each metric's worst ones names."""

_METRIC_OF: dict[FaultKind, str] = {
    "severe": "m4_compliance",
    "forbidden": "m4_compliance",
    "label": "m4_compliance",
    "contradiction": "m1_context_continuity",
    "memory": "m1_context_continuity",
    "risk": "m3_risk_coverage",
    "rubric": "m5_explainability",
}


def worst_of(views: Sequence[TurnView]) -> dict[str, list[int]]:
    """Of each metric its worst among the turns that are shown: their places (from 1), the gravest first."""
    found: dict[str, list[tuple[float, int]]] = {}
    for place, view in enumerate(views, 1):
        if isinstance(view.row, MarkedTurn):
            down = {name: missing for name, _, missing in marked_down(view.row.marks)}
        else:
            down = {}
            for fault in view.reasons:
                if fault.kind in _METRIC_OF:
                    name = _METRIC_OF[fault.kind]
                    down[name] = max(down.get(name, 0), 1000 * (len(_RANK) - _RANK[fault.kind]) + len(fault.details))
        for name, weight in down.items():
            found.setdefault(name, []).append((-weight, place))
    return {name: [place for _, place in sorted(places)[:MOST_OF_A_METRIC]] for name, places in found.items()}


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


class Candidate(NamedTuple):
    """A turn with a fault: the gravest kind, how much of it, and the turn's id."""

    kind: FaultKind
    weight: int
    turn_pair_id: int


def candidates(rows: Iterable[FaultyRow]) -> list[Candidate]:
    """The turns of one dialogue that may be shown: of each kind of fault the `MOST_A_DIALOG` gravest, in order."""
    by_kind: dict[FaultKind, list[Candidate]] = {}
    for row in rows:
        fault = gravest(row)
        if fault is not None:
            by_kind.setdefault(fault[0], []).append(Candidate(*fault, row.turn_pair_id))
    kept: list[Candidate] = []
    for found in by_kind.values():
        kept += sorted(found, key=_by_weight)[:MOST_A_DIALOG] if len(found) > MOST_A_DIALOG else found
    return kept


def _by_weight(candidate: Candidate) -> int:
    return -candidate.weight


class _Kept(msgspec.Struct, order=True, gc=False):
    """A turn that is kept so far. Greater is graver: more of the fault, then earlier in the run."""

    weight: int
    earliness: int
    view: Any


class WorstTurns(Generic[View]):
    """Takes dialogues one by one and keeps the turns to show. Memory is bounded: only kept turns are loaded."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._heaps: dict[FaultKind, list[_Kept]] = {kind: [] for kind in FAULT_KINDS}
        self._seen = 0

    def add(self, found: Iterable[Candidate], load: Callable[[int], View]) -> None:
        """Consider the candidates of one dialogue; ``load`` gives what is kept of a turn, by its id."""
        for candidate in found:
            self._seen += 1
            heap = self._heaps[candidate.kind]
            if len(heap) == self._most and candidate.weight <= heap[0].weight:
                continue
            kept = _Kept(candidate.weight, -self._seen, load(candidate.turn_pair_id))
            if len(heap) < self._most:
                heapq.heappush(heap, kept)
            else:
                heapq.heappushpop(heap, kept)

    def chosen(self) -> list[View]:
        """What was kept of the chosen turns, gravest first."""
        ranked = {kind: sorted(self._heaps[kind], reverse=True) for kind in FAULT_KINDS}
        first = [(kind, one) for kind, kept in ranked.items() for one in kept[:RESERVED]]
        rest = [(kind, one) for kind, kept in ranked.items() for one in kept[RESERVED:]]
        picked = (first + rest)[: self._most]
        picked.sort(key=lambda item: (_RANK[item[0]], -item[1].weight, -item[1].earliness))
        return [one.view for _, one in picked]
