"""Stars and comments that people give to turns: one file a run and person beside their labels, appended to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from turnmark.pipeline.publishing.run_turns import Key
from turnmark.runs.folder import append_line
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.viewer.labels import LABELS, LabelStore

NOTES = "notes.jsonl"
LONGEST_COMMENT = 2000


class TurnNote(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one person keeps of a turn: a star, a comment, or both; neither takes the note back. ``at`` says when."""

    dialog_id: str
    turn_pair_id: int
    annotator: str
    star: bool = False
    comment: str = ""
    at: str = ""


class NoteStore:
    """Notes by run and person. Of several of one turn the last counts; none is written over."""

    def __init__(self, labels: LabelStore) -> None:
        self._labels = labels

    def put(self, run: str, note: TurnNote) -> None:
        """Keep a note. Raises: as `LabelStore.put`; UsageError for a name that no file can have."""
        path = self._path(run, note.annotator)
        path.parent.mkdir(parents=True, exist_ok=True)
        append_line(path, msgspec.json.encode(note))

    def of(self, run: str) -> dict[Key, list[TurnNote]]:
        """The notes of everybody on the turns of a run that count, in the order of their names."""
        results: dict[Key, list[TurnNote]] = {}
        for path in sorted(self._path(run, "x").parent.glob(f"*.{NOTES}")):
            last = {(note.dialog_id, note.turn_pair_id): note for note in _read(path)}
            for key, note in last.items():
                if note.star or note.comment:
                    results.setdefault(key, []).append(note)
        return results

    def _path(self, run: str, annotator: str) -> Path:
        path = self._labels.path(run, annotator)
        return path.with_name(path.name.removesuffix(LABELS) + NOTES)


def _read(path: Path) -> Iterator[TurnNote]:
    for record in Reader(TurnNote).read(path):
        if not isinstance(record, Problem):
            yield record.value
