"""Which turns a reviewer should see first.

A turn is filed under its gravest fault. For each kind of fault the turns with the most of it are kept, at most
`MOST_A_DIALOG` of a dialogue; then every kind gets `RESERVED` places and the gravest kinds get the rest. To these come
the `MOST_OF_A_METRIC` worst turns of each metric, so that every metric leads to its own, and the `MOST_OPEN` in which
most was not decided, which is no fault. The choice depends on the rows and their order only.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from turnmark.metrics.definition import Metric
from turnmark.metrics.marked import reason_of
from turnmark.report.view.data import Fault, TurnView
from turnmark.report.view.tables import known_metric, main_measures
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.marks import FAULT_KINDS, FaultKind, Mark
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import EvalSummary

MOST = 50
MOST_LINKED = 500
MOST_A_DIALOG = 2
RESERVED = 5
MOST_OF_A_METRIC = 5
"""Turns that are shown for each metric, and that the list of each metric's worst ones names."""
MOST_OPEN = 50
"""Turns that are shown because something in them was not decided, those with most of it; others may be among them."""
MARKED_DOWN = 0.5
"""How far a mark must lie from its best, as a part of its scale, for its turn to be flagged."""

View = TypeVar("View")

_RANK = {kind: rank for rank, kind in enumerate(FAULT_KINDS)}
_UNFILED: frozenset[FaultKind] = frozenset({"unused"})
"""Kinds that are named where a turn is shown, but file none."""
_FLAGGED: frozenset[FaultKind] = frozenset({"severe", "forbidden", "contradiction", "failed", "reply_state", "minor"})
"""Kinds that a person should look at, however much of them there is."""


class LeanRow(msgspec.Struct, gc=False):
    """The part of a row that the choice needs. The other fields are skipped without making objects."""

    dialog_id: str
    turn_pair_id: int = 0
    suite: str = ""
    turn_status: str = "ok"
    reply_state: str = "normal"
    flags: Sequence[FaultKind] = ()
    written_marks: dict[str, Mark] | msgspec.UnsetType = msgspec.field(name="marks", default=msgspec.UNSET)

    @property
    def marks(self) -> dict[str, Mark]:
        """What the row gives for each metric, by name."""
        return {} if isinstance(self.written_marks, msgspec.UnsetType) else self.written_marks


FaultyRow = LeanRow | Row


class Lack(NamedTuple):
    """One measure in which a turn is not at its best: ``missing`` is how far it is, as a part of the scale (0 to 1)."""

    metric: Metric
    kind: FaultKind
    value: float
    missing: float


_NOTHING = (0.0, 0.0)


def lacks(row: FaultyRow) -> list[Lack]:
    """Everything in which a turn is not at its best, in the order of its marks; all suites alike."""
    results = []
    for name, mark in row.marks.items():
        if not mark.measures:
            continue
        for place, measure in _filed(name):
            hits, total = mark.measures.get(measure, _NOTHING)
            lack = _lack(name, place, hits, total) if total else None
            if lack is not None:
                results.append(lack)
    return results


@functools.cache
def _filed(name: str) -> tuple[tuple[int, str], ...]:
    """The measures by which a metric files turns, by place and name; none of one that is not known."""
    metric = known_metric(name)
    return () if metric is None else tuple((place, measure.name) for place, (measure, _) in enumerate(metric.faults()))


@functools.lru_cache(maxsize=4096)
def _lack(name: str, place: int, hits: float, total: float) -> Lack | None:
    """What lies between a value and the best of a measure; turns of a run have the same few values."""
    metric = known_metric(name)
    if metric is None:
        return None
    measure, kind = metric.faults()[place]
    missing = measure.shortfall(hits, total)
    return Lack(metric, kind, hits / total, missing) if missing else None


def shortfalls(row: FaultyRow, down: Sequence[Lack] | None = None) -> dict[str, float]:
    """How far a turn is from the best, metric by metric; greater is worse, and metrics without a fault are left out.

    It is a part of the scale; faults of a kind that is graver than a low score weigh one more for each kind between.
    ``down`` are its `lacks`, where they are at hand.
    """
    results: dict[str, float] = {}
    for lack in lacks(row) if down is None else down:
        weight = lack.missing + max(0, _RANK["mark"] - _RANK[lack.kind])
        results[lack.metric.name] = max(results.get(lack.metric.name, 0.0), weight)
    return results


def openness(row: FaultyRow) -> float:
    """How much of a turn was not decided: the greatest share of each metric, summed; 0 where everything was."""
    return sum(_open_share(mark) for mark in row.marks.values() if mark.undecided or not mark.measures)


def _open_share(mark: Mark) -> float:
    if not mark.undecided:
        return float(mark.reason is not None and mark.reason.code == "nothing_decided")
    return max(rest / (rest + mark.measures.get(name, _NOTHING)[1]) for name, rest in mark.undecided.items())


def _failures(row: FaultyRow) -> tuple[tuple[str, Reason], ...]:
    failed = ((name, known_metric(name), mark) for name, mark in row.marks.items() if mark.failed is not None)
    return tuple((metric.code if metric else name, reason_of(mark)) for name, metric, mark in failed)


def _is_own(metric: Metric, row: FaultyRow) -> bool:
    """Whether a metric is at home in the suite of a row; a row that does not say has no others."""
    return not row.suite or metric.suite == row.suite


def _kinds(row: FaultyRow, down: Sequence[Lack]) -> list[FaultKind]:
    """The kinds of fault of a row, gravest first."""
    kinds = {lack.kind for lack in down} | set(row.flags)
    if row.turn_status != "ok" or any(mark.failed is not None for mark in row.marks.values()):
        kinds.add("failed")
    if row.reply_state != "normal":
        kinds.add("reply_state")
    return sorted(kinds, key=_RANK.__getitem__)


def flagged(row: FaultyRow) -> bool:
    """Whether a person should look at the turn: it is said to break a rule or a constraint, or is no proper answer."""
    down = lacks(row)
    marked_down = (lack.missing >= MARKED_DOWN for lack in down if lack.kind == "mark" and _is_own(lack.metric, row))
    return not _FLAGGED.isdisjoint(_kinds(row, down)) or any(marked_down)


def gravest(row: FaultyRow, down: Sequence[Lack] | None = None) -> tuple[FaultKind, int] | None:
    """The gravest fault of a row and how much is wrong with it in all; None for a row without fault.

    A metric that joined from another suite only decides between turns that are alike in those of their own. With
    ``down``, its `lacks`, where they are at hand.
    """
    down = lacks(row) if down is None else down
    kind = next((kind for kind in _kinds(row, down) if kind not in _UNFILED), None)
    if kind is None:
        return None
    weight = sum([100 * lack.missing if _is_own(lack.metric, row) else lack.missing for lack in down])
    return kind, round(weight)


def faults(row: Row) -> list[Fault]:
    """Every fault of a row, gravest first, with what exactly is wrong."""
    down = lacks(row)
    low = sorted((lack for lack in down if lack.kind == "mark"), key=lambda lack: (-lack.missing, lack.metric.name))
    results = []
    for kind in _kinds(row, down):
        if kind == "failed":
            status = () if row.turn_status == "ok" else (row.turn_status,)
            results.append(Fault(kind, status, _failures(row)))
        elif kind == "reply_state":
            results.append(Fault(kind, (row.reply_state,)))
        elif kind == "mark":
            results.append(Fault(kind, tuple(f"{lack.metric.code} {lack.value:.2f}" for lack in low)))
        elif kind not in _UNFILED or row.named(kind):
            results.append(Fault(kind, row.named(kind)))
    return results


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


OPEN = "not decided"
"""In place of a metric, for turns in which something was not decided."""


class Candidate(NamedTuple):
    """A turn that may be shown: its gravest kind of fault (None: none), how much of it, and the turn's id.

    With a ``metric`` it stands for that metric and is ``down`` from its best, with `OPEN` for what was not decided of
    it; without one for its kind of fault.
    """

    kind: FaultKind | None
    weight: int
    turn_pair_id: int
    metric: str = ""
    down: float = 0.0


def candidates(rows: Iterable[FaultyRow]) -> list[Candidate]:
    """The turns of one dialogue that may be shown: of each kind of fault and of each metric the `MOST_A_DIALOG` worst.

    As many of those in which most was not decided. In order; those of the kinds come first.
    """
    by_kind: dict[FaultKind, list[Candidate]] = {}
    by_metric: dict[str, list[Candidate]] = {}
    for row in rows:
        lacking = lacks(row)
        kind, weight = gravest(row, lacking) or (None, 0)
        if kind is not None:
            by_kind.setdefault(kind, []).append(Candidate(kind, weight, row.turn_pair_id))
        for name, down in shortfalls(row, lacking).items():
            by_metric.setdefault(name, []).append(Candidate(kind, weight, row.turn_pair_id, name, down))
        if open_part := openness(row):
            by_metric.setdefault(OPEN, []).append(Candidate(kind, weight, row.turn_pair_id, OPEN, open_part))
    kept: list[Candidate] = []
    for item in by_kind.values():
        kept += sorted(item, key=_by_weight)[:MOST_A_DIALOG] if len(item) > MOST_A_DIALOG else item
    for item in by_metric.values():
        kept += sorted(item, key=_by_down)[:MOST_A_DIALOG] if len(item) > MOST_A_DIALOG else item
    return kept


def gravest_of(found: Iterable[Candidate]) -> FaultKind | None:
    """The gravest kind of fault of a dialogue, by its candidates; None where none has a fault."""
    return min((one.kind for one in found if one.kind is not None), key=_RANK.__getitem__, default=None)


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
                most = MOST_OPEN if item.metric == OPEN else MOST_OF_A_METRIC
                self._consider(self._of_metric.setdefault(item.metric, []), most, item.down, item, load)
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
