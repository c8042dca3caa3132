"""What goes on in a run, as lines of JSON in ``logs/progress_{run_id}.jsonl`` for people and machines to watch.

Events: ``dialog_started``, ``turn_retried``, ``turn_done``, ``dialog_done``, ``heartbeat`` while it is played,
``metric_done``, ``scoring_done`` while it is scored. Each line holds ``at`` (UTC, ISO 8601) and ``event``. The log is
an observation, not a result: a continued run appends to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec

from turnmark.errors import UsageError
from turnmark.schemas.redaction import SECRETS_IN_USE


def progress_path(folder: Path, run_id: str) -> Path:
    """Where the progress of a run is logged: ``logs/`` in its folder, or beside ``eval/runs/`` for a folder there.

    Source: trace schema v1, section 2 (``eval/runs/{run_id}`` and ``eval/logs/progress_{run_id}.jsonl``).
    """
    above = folder.resolve().parent
    base = above.parent if (above.parent.name, above.name) == ("eval", "runs") else folder
    # A run may be called what no file can be.
    name = re.sub(r"[^\w.@+-]+", "-", run_id)[:120]
    return base / "logs" / f"progress_{name}.jsonl"


Listener = Callable[[str, dict[str, Any]], object]
"""Is told every event: its name and its fields."""


class ProgressLog:
    """Appends events to a file, one line each, visible at once, and tells them to listeners."""

    def __init__(self, path: Path | None, listener: Listener | None = None) -> None:
        self._file: IO[bytes] | None = None
        self._listener = listener
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("ab", buffering=0)
            except OSError as error:
                message = f"{path}: expected a file that can be written, found: {error.strerror or error}"
                raise UsageError(message) from error

    def tell(self, event: str, **fields: Any) -> None:
        """Write one event."""
        if self._file is not None:
            at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            line = msgspec.json.encode({"at": at, "event": event, **fields})
            self._file.write(SECRETS_IN_USE.raw(line) + b"\n")
        if self._listener is not None:
            self._listener(event, fields)

    def close(self) -> None:
        """No more events."""
        if self._file is not None:
            self._file.close()
            self._file = None
