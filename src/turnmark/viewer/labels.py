"""Where the viewer keeps what people say: one file a run and annotator, to which every label is appended."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.runs.folder import append_line
from turnmark.schemas.jsonl import Decoded, Line, Reader, read_lines
from turnmark.schemas.labels.turn import TurnLabel
from turnmark.schemas.problems import Problem

ANNOTATOR = re.compile(r"[A-Za-z0-9가-힣一-鿿][A-Za-z0-9가-힣一-鿿 ._\-]{0,39}")
LABELS = "labels.jsonl"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")

LabelKey = tuple[str, int, str]


class Given(NamedTuple):
    """What an annotator has said of a run: of every turn and measure the label that counts, and damaged lines."""

    labels: dict[LabelKey, TurnLabel]
    problems: list[Problem]


class LabelStore:
    """Labels by run and annotator. Of several of one turn and measure the last counts; none is written over.

    Several viewers may keep labels in one folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, run: str, annotator: str) -> Path:
        """The file of an annotator's labels of a run (its folder below the root).

        Raises: UsageError when the annotator's name is not one that a file can have.
        """
        if not ANNOTATOR.fullmatch(annotator):
            message = f"annotator: expected a name of letters and digits, found {annotator!r}"
            raise UsageError(message)
        # Two names that look alike in a file name stay two files.
        parts = [f"{_UNSAFE.sub('-', name)[:40]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
                 for name in (run, annotator)]  # fmt: skip
        return self.folder / parts[0] / f"{parts[1]}.{LABELS}"

    def read(self, run: str, annotator: str) -> Given:
        """The labels of an annotator, in the order in which they were first given."""
        return _given(self.path(run, annotator))

    def put(self, run: str, label: TurnLabel) -> int:
        """Keep a label; returns how many labels the annotator has given in this run, once it is on disk.

        Raises: OSError when it cannot be written; DataError when another process holds the file for too long.
        """
        path = self.path(run, label.annotator)
        path.parent.mkdir(parents=True, exist_ok=True)
        append_line(path, msgspec.json.encode(label))
        return len(_given(path).labels)

    def everybody(self, run: str) -> bytes:
        """All labels of a run that count as one file for ``turnmark correct``, which names the damaged lines in it."""
        folder = self.path(run, "x").parent
        return b"".join(line + b"\n" for path in sorted(folder.glob(f"*.{LABELS}")) for line in _lines(path))


def _given(path: Path) -> Given:
    labels: dict[LabelKey, TurnLabel] = {}
    problems = []
    for item in _records(path):
        if isinstance(item, Problem):
            problems.append(item)
        else:
            label = item.value
            labels[label.dialog_id, label.turn_pair_id, label.measure] = label
    return Given(labels, problems)


def _lines(path: Path) -> Iterator[bytes]:
    given = _given(path)
    yield from map(msgspec.json.encode, given.labels.values())
    damaged = {problem.line for problem in given.problems}
    yield from (line.raw for line in read_lines(path) if isinstance(line, Line) and line.number in damaged)


def _records(path: Path) -> Iterator[Decoded[TurnLabel] | Problem]:
    return Reader(TurnLabel).read(path) if path.is_file() else iter(())
