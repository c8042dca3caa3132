"""The turns of a run for lists: what is wrong with each, read once a run and kept while it is used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.pipeline.turns import Key
from turnmark.report.data import FaultKind
from turnmark.report.worst import LeanRow, gravest
from turnmark.runs.folder import TURN_EVAL

KEPT_RUNS = 8
PAGE = 50
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class TurnEntry(NamedTuple):
    """One turn of a run: its gravest fault (None: none), how much of it, and the state of the reply."""

    dialog_id: str
    turn_pair_id: int
    fault: FaultKind | None
    weight: int
    state: str


class TurnLists:
    """Turns of the runs looked at last, by folder."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, tuple[tuple[int, int], list[TurnEntry]]] = OrderedDict()

    def of(self, folder: Path) -> list[TurnEntry]:
        """Every turn of a run, in the order of its rows; an empty list when it has no rows."""
        path = folder / TURN_EVAL
        try:
            stat = path.stat()
        except OSError:
            return []
        stamp = (stat.st_mtime_ns, stat.st_size)
        kept = self._kept.get(folder)
        if kept is None or kept[0] != stamp:
            kept = (stamp, _entries(path))
            self._kept[folder] = kept
        self._kept.move_to_end(folder)
        while len(self._kept) > KEPT_RUNS:
            self._kept.popitem(last=False)
        return kept[1]


def chosen(
    entries: Sequence[TurnEntry], fault: str = "", state: str = "", text: str = "", sort: str = ""
) -> list[TurnEntry]:
    """The turns with a kind of fault (``any``: with one), in a state, whose dialogue holds the text.

    In the order of the run, or with ``sort`` "worst" those with most of the fault first.
    """
    found = [
        entry
        for entry in entries
        if (not fault or entry.fault == fault or (fault == "any" and entry.fault))
        and (not state or entry.state == state)
        and (not text or text in entry.dialog_id)
    ]
    return sorted(found, key=lambda entry: -entry.weight) if sort == "worst" else found


def dialog_keys(entries: Sequence[TurnEntry], dialog_id: str) -> list[Key]:
    """The turns of one dialogue."""
    return [(entry.dialog_id, entry.turn_pair_id) for entry in entries if entry.dialog_id == dialog_id]


def _entries(path: Path) -> list[TurnEntry]:
    decode = msgspec.json.Decoder(LeanRow).decode
    entries = []
    with path.open("rb", buffering=1 << 20) as file:
        for raw in file:
            try:
                row = decode(raw)
            except _UNREADABLE:
                continue
            fault = gravest(row)
            kind, weight = fault or (None, 0)
            entries.append(TurnEntry(row.dialog_id, row.turn_pair_id, kind, weight, row.reply_state))
    return entries
