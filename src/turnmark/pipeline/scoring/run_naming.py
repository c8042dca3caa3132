"""Where a scored run comes from and where it goes: its id, its folder, the manifest beside its trace."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.runs.folder import read_manifest
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.suites.base import Suite


def run_id_of(traces: tuple[Path, ...], suite: Suite) -> str:
    """The run id of the traces. Raises: UsageError when they do not agree."""

    class _Head(msgspec.Struct):
        run_id: str

    reader = Reader(_Head)
    found: dict[str, Path] = {}
    for path in traces:
        for line in suite.lines(path):
            decoded = None if isinstance(line, Problem) else reader.decode(line)
            if decoded is not None and not isinstance(decoded, list):
                found.setdefault(decoded.value.run_id, path)
                break
    if len(found) > 1:
        ids = ", ".join(f"{name!r} in {path}" for name, path in found.items())
        message = f"TRACE: expected traces of one run, found {ids}; give one name to all with --run-id"
        raise UsageError(message)
    return next(iter(found), "unknown")


def default_folder(run_id: str) -> Path:
    """``runs/{run_id}``. Raises: UsageError when the run id is not the plain name of a folder."""
    if run_id.strip(". ") == "" or not run_id.isprintable() or set(run_id) & set("/\\:"):
        message = f"run_id: expected a name that a folder can have, found {run_id!r}; say where to write with --out"
        raise UsageError(message)
    return Path("runs") / run_id


def lies_in(folder: Path, traces: tuple[Path, ...]) -> bool:
    """Whether every trace lies in a folder itself."""
    return folder.is_dir() and all(path.parent.samefile(folder) for path in traces)


def manifest_beside(traces: tuple[Path, ...]) -> dict[str, object]:
    """The manifest beside a single trace; empty where there is none. Raises: DataError when it cannot be read."""
    return (read_manifest(traces[0].parent) or {}) if len(traces) == 1 else {}
