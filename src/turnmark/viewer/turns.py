"""The turns of a run for lists: what is wrong with each and where it lies, read once and kept while it is used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from turnmark.pipeline.publishing.byte_ranges import (
    UNREADABLE,
    ByteRange,
    DialogFiles,
    TraceLocator,
    extend,
    locate_evidence,
    raw_lines,
)
from turnmark.pipeline.publishing.run_turns import Key, lean_row
from turnmark.report.view.data import TurnView
from turnmark.report.view.triage import LeanRow, gravest, openness, shortfalls
from turnmark.runs.folder import EVIDENCE, TRACE, TURN_EVAL
from turnmark.schemas.marks import FAULT_KINDS, FaultKind
from turnmark.schemas.trace import DialogTrace

KEPT_TURNS = 250_000
"""Turns of the runs that are kept, the one looked at last in any case; each takes about a quarter of a kilobyte."""

PAGE = 50
ANY, UNDECIDED = "any", "undecided"
"""What turns can be chosen by beside kinds of fault: any of these, and that something is not decided."""

_TEASER = 140


class TurnEntry(NamedTuple):
    """One turn of a run: its gravest fault (None: none), how much of it, and the state of the reply.

    ``undecided``: whether something in it could not be decided.
    """

    dialog_id: str
    turn_pair_id: int
    fault: FaultKind | None
    weight: int
    state: str
    undecided: bool = False


Shortfall = tuple[tuple[str, float], ...]
"""Of each metric that is not at its best in a turn how far it is, as `turnmark.report.view.triage.shortfalls`."""


class RunTurns:
    """The turns of one run, in the order of its rows, and where its dialogues lie.

    Rows are read once; evidence, trace and how far turns are from their best only when a page first asks for them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: list[TurnEntry] = []
        self._places: dict[str, ByteRange] = {}
        self._lock = threading.Lock()
        self._evidence_located = False
        self._trace = TraceLocator(folder)
        self._downs: list[Shortfall] | None = None
        for start, end, row in _rows(folder):
            position = self._places.get(row.dialog_id)
            if position is None:
                position = self._places[row.dialog_id] = ByteRange(row.dialog_id)
            extend(position.rows, start, end)
            kind, weight = gravest(row) or (None, 0)
            is_open = openness(row) > 0
            self.entries.append(TurnEntry(position.dialog_id, row.turn_pair_id, kind, weight, row.reply_state, is_open))

    @property
    def dialogs(self) -> list[str]:
        """The dialogues, in the order of the rows."""
        return list(self._places)

    def shortfalls(self) -> list[Shortfall]:
        """How far each turn is from the best, beside `entries`."""
        with self._lock:
            if self._downs is None:
                same: dict[Shortfall, Shortfall] = {}  # few differ; each is kept once
                results = (tuple(shortfalls(row).items()) for _, _, row in _rows(self.folder))
                self._downs = [same.setdefault(item, item) for item in results]
            if len(self._downs) != len(self.entries):  # the rows were written anew meanwhile; the next page reads them
                self._downs = [()] * len(self.entries)
            return self._downs

    def views(self, dialog_id: str) -> list[TurnView]:
        """The turns of a dialogue with their texts and evidence; an empty list when there is no such dialogue."""
        return self.told(dialog_id)[0]

    def told(self, dialog_id: str) -> tuple[list[TurnView], DialogTrace | None]:
        """The turns of a dialogue as `views`, and the dialogue itself; None where the trace does not hold it."""
        position = self._places.get(dialog_id)
        if position is None:
            return [], None
        with self._lock:
            self._trace.locate([position])
            if not self._evidence_located:
                locate_evidence(self.folder, self._places)
                self._evidence_located = True
        with DialogFiles(self.folder) as files:
            return files.views(position)

    def words(self, entries: Iterable[TurnEntry]) -> dict[Key, str]:
        """The first words of the user in these turns, as far as the trace holds them."""
        results: dict[Key, str] = {}
        places = self._places_of(entries)
        with self._lock:
            self._trace.locate(places)
        with DialogFiles(self.folder) as files:
            for position in places:
                for turn in files.users(position):
                    text = " ".join(turn.user_text[: 2 * _TEASER].split())
                    said = text if len(text) <= _TEASER else text[: _TEASER - 1] + "…"
                    results[position.dialog_id, turn.turn_pair_id] = said
        return results

    def shown(self, entries: Iterable[TurnEntry]) -> dict[Key, TurnView]:
        """These turns with all that is shown of them."""
        entries = list(entries)
        wanted = {entry[:2] for entry in entries}
        views = [view for dialog_id in dict.fromkeys(entry.dialog_id for entry in entries)
                 for view in self.views(dialog_id)]  # fmt: skip
        return {key: view for view in views if (key := (view.dialog_id, view.turn_pair_id)) in wanted}

    def changed(self, other: RunTurns) -> dict[Key, TurnEntry]:
        """The turns that differ in another run in their fault, its weight or the state; what they are there."""
        theirs = {entry[:2]: entry for entry in other.entries}
        return {entry[:2]: theirs[entry[:2]] for entry in self.entries
                if entry[:2] in theirs and theirs[entry[:2]] != entry}  # fmt: skip

    def _places_of(self, entries: Iterable[TurnEntry]) -> list[ByteRange]:
        return [self._places[dialog_id] for dialog_id in dict.fromkeys(entry.dialog_id for entry in entries)]


def _rows(folder: Path) -> Iterator[tuple[int, int, LeanRow]]:
    """The rows of a run that can be read, each with its range of bytes."""
    for start, raw in raw_lines(folder / TURN_EVAL):
        try:
            yield start, start + len(raw), lean_row(raw)
        except UNREADABLE:
            continue


class TurnLists:
    """Turns of the runs looked at last, by folder; a run that was scored again is read again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, tuple[tuple[tuple[int, int], ...], RunTurns]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, folder: Path) -> RunTurns:
        """The turns of a run; none when it has no rows."""
        with self._lock:
            stamp = tuple(_stamp(folder / name) for name in (TURN_EVAL, EVIDENCE, TRACE))
            kept = self._kept.get(folder)
            if kept is None or kept[0] != stamp:
                kept = self._kept[folder] = (stamp, RunTurns(folder))
            self._kept.move_to_end(folder)
            while len(self._kept) > 1 and sum(len(run.entries) for _, run in self._kept.values()) > KEPT_TURNS:
                self._kept.popitem(last=False)
            return kept[1]


def chosen(
    turns: RunTurns, fault: str = "", state: str = "", sort: str = "", among: Collection[Key] | None = None
) -> list[TurnEntry]:
    """The turns with a kind of fault (`ANY`, `UNDECIDED` too), in a state, ``among`` those that are named.

    In the order of the run; with ``sort`` "worst" the gravest kind first and of it those with most of the fault, with
    the name of a metric only those that are not at its best, the furthest first.
    """
    result = [
        place
        for place, entry in enumerate(turns.entries)
        if _is_wanted(entry, fault) and (not state or entry.state == state) and (among is None or entry[:2] in among)
    ]
    if sort == "worst":
        result.sort(key=lambda place: _gravity(turns.entries[place]))
    elif sort:
        every = turns.shortfalls()
        down = {place: dict(every[place]).get(sort, 0.0) for place in result}
        result = sorted((place for place in result if down[place]), key=lambda place: -down[place])
    return [turns.entries[place] for place in result]


def _is_wanted(entry: TurnEntry, fault: str) -> bool:
    if fault == UNDECIDED:
        return entry.undecided
    return not fault or entry.fault == fault or (fault == ANY and entry.fault is not None)


_RANK = {kind: rank for rank, kind in enumerate(FAULT_KINDS)}


def _gravity(entry: TurnEntry) -> tuple[int, int]:
    return (len(_RANK) if entry.fault is None else _RANK[entry.fault], -entry.weight)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        result = path.stat()
    except OSError:
        return 0, 0
    return result.st_mtime_ns, result.st_size
