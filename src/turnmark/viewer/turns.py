"""The turns of a run for lists: what is wrong with each and where it lies, read once and kept while it is used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.pipeline.places import UNREADABLE, DialogFiles, Place, extend, locate_evidence, locate_trace, raw_lines
from turnmark.pipeline.turns import Key
from turnmark.report.data import FaultKind, TurnView
from turnmark.report.worst import LeanRow, downs, gravest
from turnmark.runs.folder import EVIDENCE, TRACE, TURN_EVAL

KEPT_TURNS = 250_000
"""Turns of the runs that are kept, the one looked at last in any case; each takes about a third of a kilobyte."""

PAGE = 50
_TEASER = 140


class TurnEntry(NamedTuple):
    """One turn of a run: its gravest fault (None: none), how much of it, and the state of the reply.

    ``down`` says of each metric that is not at its best how far it is, as `turnmark.report.worst.downs`.
    """

    dialog_id: str
    turn_pair_id: int
    fault: FaultKind | None
    weight: int
    state: str
    down: tuple[tuple[str, float], ...] = ()

    @property
    def worst(self) -> str:
        """The metric that is furthest from its best; empty where all are at their best."""
        return max(self.down, key=lambda one: one[1])[0] if self.down else ""


class RunTurns:
    """The turns of one run, in the order of its rows, and where its dialogues lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: list[TurnEntry] = []
        self._places: dict[str, Place] = {}
        self._evidence_located = False
        self._lock = threading.Lock()
        self._read()
        locate_trace(folder, self._places)

    @property
    def dialogs(self) -> list[str]:
        """The dialogues, in the order of the rows."""
        return list(self._places)

    def metrics(self) -> list[str]:
        """The metrics in which some turn is not at its best, by name."""
        return sorted({name for entry in self.entries for name, _ in entry.down})

    def views(self, dialog_id: str) -> list[TurnView]:
        """The turns of a dialogue with their texts and evidence; an empty list when there is no such dialogue."""
        place = self._places.get(dialog_id)
        if place is None:
            return []
        with self._lock:
            if not self._evidence_located:
                locate_evidence(self.folder, self._places)
                self._evidence_located = True
        with DialogFiles(self.folder) as files:
            return files.views(place)[0]

    def words(self, entries: Iterable[TurnEntry]) -> dict[Key, str]:
        """The first words of the user in these turns, as far as the trace holds them."""
        found: dict[Key, str] = {}
        with DialogFiles(self.folder) as files:
            for dialog_id in dict.fromkeys(entry.dialog_id for entry in entries):
                for turn in files.users(self._places[dialog_id]):
                    text = " ".join(turn.user_text[: 2 * _TEASER].split())
                    found[dialog_id, turn.turn_pair_id] = text if len(text) <= _TEASER else text[: _TEASER - 1] + "…"
        return found

    def _read(self) -> None:
        decode = msgspec.json.Decoder(LeanRow).decode
        same: dict[tuple[tuple[str, float], ...], tuple[tuple[str, float], ...]] = {}  # few differ; each is kept once
        for start, raw in raw_lines(self.folder / TURN_EVAL):
            try:
                row = decode(raw)
            except UNREADABLE:
                continue
            place = self._places.get(row.dialog_id)
            if place is None:
                place = self._places[row.dialog_id] = Place(row.dialog_id)
            extend(place.rows, start, start + len(raw))
            kind, weight = gravest(row) or (None, 0)
            down = tuple(downs(row).items())
            self.entries.append(
                TurnEntry(place.dialog_id, row.turn_pair_id, kind, weight, row.reply_state, same.setdefault(down, down))
            )


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
    entries: Sequence[TurnEntry], fault: str = "", state: str = "", text: str = "", sort: str = ""
) -> list[TurnEntry]:
    """The turns with a kind of fault (``any``: with one), in a state, whose dialogue holds the text.

    In the order of the run; with ``sort`` "worst" those with most of the fault first, with the name of a metric only
    those that are not at its best, the furthest first.
    """
    found = [
        entry
        for entry in entries
        if (not fault or entry.fault == fault or (fault == "any" and entry.fault))
        and (not state or entry.state == state)
        and (not text or text in entry.dialog_id)
    ]
    if sort == "worst":
        return sorted(found, key=lambda entry: -entry.weight)
    if not sort:
        return found
    down: Mapping[int, float] = {place: dict(entry.down).get(sort, 0.0) for place, entry in enumerate(found)}
    return [found[place] for place in sorted(down, key=lambda place: -down[place]) if down[place]]


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
