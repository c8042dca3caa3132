"""Which turns a reviewer should see first.

A turn is filed under its gravest fault. For each kind of fault the turns with the most of it are kept, at most
`MOST_A_DIALOG` of a dialogue; then every kind gets `RESERVED` places and the gravest kinds get the rest. To these come
the `MOST_OF_A_METRIC` worst turns of each metric, so that every metric leads to its own. The choice depends on the rows
and their order only.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from turnmark.errors import UsageError
from turnmark.metrics.catalog import metric
from turnmark.metrics.finance.risk_coverage import ANY_DISCLOSURE
from turnmark.metrics.marked import reason_of, shortfall
from turnmark.report.view.data import FAULT_KINDS, Fault, FaultKind, TurnView
from turnmark.report.view.tables import known_metric, main_measures
from turnmark.schemas.marked_turn import Mark, MarkedTurn, Row
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.turn_eval import TurnEvalRow

MOST = 50
MOST_LINKED = 500
MOST_A_DIALOG = 2
RESERVED = 5
MOST_OF_A_METRIC = 5
"""Turns that are shown for each metric, and that the list of each metric's worst ones names."""
MARKED_DOWN = 0.5
"""How far a mark must lie from its best, as a part of its scale, for its turn to be flagged."""

View = TypeVar("View")

_WORSE = 1000.0
"""More than the count of anything in one turn: what outweighs every count."""

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
    key_use_flags: list[int] = []
    failures: dict[str, str] = {}
    suite: str = ""
    marks: dict[str, Mark] = {}


FaultyRow = LeanRow | Row


def marked_down(marks: Mapping[str, Mark]) -> list[tuple[str, float, float]]:
    """The marks of a row that are not the best: metric, value, how far it lies from the best (0 to 1), worst first."""
    results = []
    for name, mark in marks.items():
        try:
            known = metric(name)
        except UsageError:
            continue
        if missing := shortfall(known, mark):
            hits, total = mark.measures[known.measures[0].name]
            results.append((name, hits / total, missing))
    return sorted(results, key=lambda one: (-one[2], one[0]))


def shortfalls(row: FaultyRow) -> dict[str, float]:
    """How far a turn is from the best, metric by metric; greater is worse, and metrics without a fault are left out.

    Of a marked row it is a part of the scale; of finance it orders turns within one metric and means nothing more.
    """
    if isinstance(row, MarkedTurn) or (isinstance(row, LeanRow) and row.marks):
        return {name: missing for name, _, missing in marked_down(row.marks)}
    if row.turn_status != "ok":
        return {}
    results: dict[str, float] = {"m4_compliance": _compliance_down(row)}
    if row.eligible_m1:
        asked = sum(key.resolvable for key in row.resolved_keys)
        missed = asked - sum(row.key_hit_flags)
        results["m1_context_continuity"] = missed + (_WORSE if row.constraint_contradiction else 0)
        results["m1b_reply_key_use"] = asked - sum(row.key_use_flags) if row.key_use_flags else 0
    elif row.constraint_contradiction:
        results["m1_context_continuity"] = _WORSE
    if row.eligible_m3:
        results["m3_risk_coverage"] = len(row.risk_required_tags) - row.risk_tag_hits
    if row.eligible_m5:
        results["m5_explainability"] = len(row.rubric_required) - len(row.rubric_hit_items)
    return {name: weight for name, weight in results.items() if weight > 0}


def _compliance_down(row: LeanRow | TurnEvalRow) -> float:
    """A severe violation before forbidden content, before a label that differs."""
    forbidden = len(row.forbidden_hits)
    if row.pred_compliance_label == "severe_violation":
        return 3 * _WORSE + forbidden
    if forbidden:
        return 2 * _WORSE + forbidden
    return _WORSE if row.gt_compliance_label not in (row.pred_compliance_label, None) else 0


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
    results = []
    if row.pred_compliance_label == "severe_violation":
        results.append(Fault("severe"))
    if row.forbidden_hits:
        results.append(Fault("forbidden", tuple(row.forbidden_hits)))
    if row.constraint_contradiction:
        results.append(Fault("contradiction"))
    failures = row.failures or {}
    if row.turn_status != "ok" or failures:
        status = () if row.turn_status == "ok" else (row.turn_status,)
        results.append(Fault("failed", status, tuple((code, Reason.text(why)) for code, why in failures.items())))
    if row.reply_state != "normal":
        results.append(Fault("reply_state", (row.reply_state,)))
    if row.gt_compliance_label not in (row.pred_compliance_label, None):
        results.append(Fault("label", (row.pred_compliance_label, row.gt_compliance_label)))
    missed: tuple[tuple[FaultKind, list[str]], ...] = (
        ("risk", missed_risk_tags(row) if row.eligible_m3 else []),
        ("rubric", missed_elements(row) if row.eligible_m5 else []),
        ("memory", missed_keys(row) if row.eligible_m1 else []),
        ("unused", unused_keys(row) if row.eligible_m1 else []),
    )
    return results + [Fault(kind, tuple(details)) for kind, details in missed if details]


def _faults_of_marks(row: MarkedTurn) -> list[Fault]:
    results = []
    failed = tuple((name, reason_of(mark)) for name, mark in row.marks.items() if mark.failed is not None)
    if row.turn_status != "ok" or failed:
        results.append(Fault("failed", () if row.turn_status == "ok" else (row.turn_status,), failed))
    if row.reply_state != "normal":
        results.append(Fault("reply_state", (row.reply_state,)))
    down = tuple(f"{metric(name).code} {value:.2f}" for name, value, _ in marked_down(row.marks))
    return [*results, Fault("mark", down)] if down else results


def worst_of(views: Sequence[TurnView]) -> dict[str, list[int]]:
    """Of each metric its worst among the turns that are shown: their places (from 1), the worst first."""
    results: dict[str, list[tuple[float, int]]] = {}
    for index, view in enumerate(views, 1):
        for name, weight in shortfalls(view.row).items():
            results.setdefault(name, []).append((-weight, index))
    return {name: [index for _, index in sorted(places)[:MOST_OF_A_METRIC]] for name, places in results.items()}


def worst_dialogs(summary: EvalSummary) -> dict[str, list[str]]:
    """Of each metric whose unit is the dialogue, the dialogues furthest from the best of its main measure."""
    results = {}
    for name, result in summary.metrics.items():
        known = known_metric(name)
        wanted = main_measures(known)
        if known is None or known.unit != "dialog" or not wanted:
            continue
        measure = known.measures[known.measure(wanted[0])]
        best = measure.high if measure.upward else measure.low
        far = [(-abs(best - own[measure.name]), index, dialog_id)
               for index, (dialog_id, own) in enumerate(result.by_dialog.items())
               if measure.name in own and own[measure.name] != best]  # fmt: skip
        if far:
            results[name] = [dialog_id for _, _, dialog_id in sorted(far)[:MOST_OF_A_METRIC]]
    return results


def missed_elements(row: TurnEvalRow) -> list[str]:
    """The required elements of explanation that the reply lacks."""
    return [element for element in row.rubric_required if element not in row.rubric_hit_items]


def missed_keys(row: TurnEvalRow) -> list[str]:
    """The required memory keys that can be resolved and that no memory source held."""
    flags = [*row.key_hit_flags, *[0] * len(row.resolved_keys)]
    return [key.key for key, held in zip(row.resolved_keys, flags, strict=False) if key.resolvable and not held]


def unused_keys(row: TurnEvalRow) -> list[str]:
    """The required memory keys that can be resolved and that the reply does not use, where this was looked at."""
    flags = row.key_use_flags
    return [key.key for key, used in zip(row.resolved_keys, flags, strict=False) if key.resolvable and not used]


def missed_risk_tags(row: TurnEvalRow) -> list[str]:
    """The required risk tags that the reply does not disclose; the tag "any disclosure" is met by any."""
    return [
        tag
        for tag in row.risk_required_tags
        if not (bool(row.risk_pred_tags) if tag == ANY_DISCLOSURE else tag in row.risk_pred_tags)
    ]


class Candidate(NamedTuple):
    """A turn that may be shown: its gravest kind of fault (None: none), how much of it, and the turn's id.

    With a ``metric`` it stands for that metric and is ``down`` from its best; without one for its kind of fault.
    """

    kind: FaultKind | None
    weight: int
    turn_pair_id: int
    metric: str = ""
    down: float = 0.0


def candidates(rows: Iterable[FaultyRow]) -> list[Candidate]:
    """The turns of one dialogue that may be shown, of each kind of fault and of each metric the `MOST_A_DIALOG` worst.

    In order; those of the kinds come first.
    """
    by_kind: dict[FaultKind, list[Candidate]] = {}
    by_metric: dict[str, list[Candidate]] = {}
    for row in rows:
        kind, weight = gravest(row) or (None, 0)
        if kind is not None:
            by_kind.setdefault(kind, []).append(Candidate(kind, weight, row.turn_pair_id))
        for name, down in shortfalls(row).items():
            by_metric.setdefault(name, []).append(Candidate(kind, weight, row.turn_pair_id, name, down))
    kept: list[Candidate] = []
    for item in by_kind.values():
        kept += sorted(item, key=_by_weight)[:MOST_A_DIALOG] if len(item) > MOST_A_DIALOG else item
    for item in by_metric.values():
        kept += sorted(item, key=_by_down)[:MOST_A_DIALOG] if len(item) > MOST_A_DIALOG else item
    return kept


def _by_weight(candidate: Candidate) -> int:
    return -candidate.weight


def _by_down(candidate: Candidate) -> float:
    return -candidate.down


class _Kept(msgspec.Struct, order=True, gc=False):
    """A turn that is kept so far. Greater is worse: more of the fault (or metric), then earlier in the run."""

    size: float
    earliness: int
    view: Any
    place: tuple[int, int]
    kind: FaultKind | None
    weight: int

    def order(self) -> tuple[int, int, int]:
        """Where it stands among all turns that are shown: gravest kind, most of it, earliest."""
        return (len(_RANK) if self.kind is None else _RANK[self.kind], -self.weight, -self.earliness)


class WorstTurns(Generic[View]):
    """Takes dialogues one by one and keeps the turns to show. Memory is bounded: only kept turns are loaded."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._heaps: dict[FaultKind, list[_Kept]] = {kind: [] for kind in FAULT_KINDS}
        self._of_metric: dict[str, list[_Kept]] = {}
        self._seen = 0
        self._dialogs = 0

    def add(self, found: Iterable[Candidate], load: Callable[[int], View]) -> None:
        """Consider the candidates of one dialogue; ``load`` gives what is kept of a turn, by its id."""
        self._dialogs += 1
        for item in found:
            self._seen += 1
            if item.metric:
                self._consider(self._of_metric.setdefault(item.metric, []), MOST_OF_A_METRIC, item.down, item, load)
            elif item.kind is not None:
                self._consider(self._heaps[item.kind], self._most, item.weight, item, load)

    def _consider(self, heap: list[_Kept], most: int, size: float, one: Candidate, load: Callable[[int], View]) -> None:
        if len(heap) == most and size <= heap[0].size:
            return
        position = (self._dialogs, one.turn_pair_id)
        kept = _Kept(size, -self._seen, load(one.turn_pair_id), position, one.kind, one.weight)
        if len(heap) < most:
            heapq.heappush(heap, kept)
        else:
            heapq.heappushpop(heap, kept)

    def chosen(self) -> list[View]:
        """What was kept of the chosen turns, gravest first, each once."""
        ranked = {kind: sorted(self._heaps[kind], reverse=True) for kind in FAULT_KINDS}
        first = [item for kept in ranked.values() for item in kept[:RESERVED]]
        rest = [item for kept in ranked.values() for item in kept[RESERVED:]]
        picked = {item.place: item for item in (first + rest)[: self._most]}
        for name in sorted(self._of_metric):
            for item in sorted(self._of_metric[name], reverse=True):
                picked.setdefault(item.place, item)
        return [item.view for item in sorted(picked.values(), key=_Kept.order)]
