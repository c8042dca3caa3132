"""Where the viewer keeps what people say: one file a run and annotator, whole after every change."""

from __future__ import annotations

import hashlib
import re
import threading
from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.runs.folder import write_whole
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.labels.turn import TurnLabel
from turnmark.schemas.problems import Problem

ANNOTATOR = re.compile(r"[A-Za-z0-9가-힣一-鿿][A-Za-z0-9가-힣一-鿿 ._\-]{0,39}")
LABELS = "labels.jsonl"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")

LabelKey = tuple[str, int, str]


class LabelStore:
    """Labels by run and annotator. A label that is given again replaces the earlier one; a crash loses none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()

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

    def read(self, run: str, annotator: str) -> dict[LabelKey, TurnLabel]:
        """The labels of an annotator by turn and measure, in the order in which they were first given."""
        path = self.path(run, annotator)
        if not path.is_file():
            return {}
        results = [item.value for item in Reader(TurnLabel).read(path) if not isinstance(item, Problem)]
        return {(item.dialog_id, item.turn_pair_id, item.measure): item for item in results}

    def put(self, run: str, label: TurnLabel) -> int:
        """Keep a label; returns how many labels the annotator has given in this run."""
        with self._lock:
            labels = self.read(run, label.annotator)
            labels[label.dialog_id, label.turn_pair_id, label.measure] = label
            self._write(run, label.annotator, labels)
            return len(labels)

    def remove(self, run: str, annotator: str, key: LabelKey) -> int:
        """Take a label back; returns how many are left."""
        with self._lock:
            labels = self.read(run, annotator)
            labels.pop(key, None)
            self._write(run, annotator, labels)
            return len(labels)

    def _write(self, run: str, annotator: str, labels: dict[LabelKey, TurnLabel]) -> None:
        path = self.path(run, annotator)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.Encoder().encode_lines(list(labels.values())))

    def everybody(self, run: str) -> bytes:
        """All labels of a run as one file for ``turnmark correct``."""
        folder = self.path(run, "x").parent
        return b"".join(path.read_bytes() for path in sorted(folder.glob(f"*.{LABELS}")))
