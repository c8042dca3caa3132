"""Where a scored run comes from and where it goes: its id, its folder, the manifest beside its trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.runs.folder import read_manifest
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem
from turnmark.suites.protocol import Suite

_KEPT_OPEN = 64
"""Files that stay open between naming the run and scoring it; of more, the first lines are read again."""


class _Head(msgspec.Struct):
    run_id: str


class Source:
    """The lines of one file as a suite gives them, each read once: also when its run was asked for before."""

    def __init__(self, path: Path, suite: Suite) -> None:
        self.path = path
        self._suite = suite
        self._ahead: list[Line | Problem] = []
        self._lines = suite.lines(path)

    def run_id(self) -> str | None:
        """The run that the first readable line names; None where no line does."""
        reader = Reader(_Head)
        for line in self._lines:
            self._ahead.append(line)
            decoded = None if isinstance(line, Problem) else reader.decode(line)
            if decoded is not None and not isinstance(decoded, list):
                return decoded.value.run_id
        return None

    def rewind(self) -> None:
        """Close the file; it is read anew."""
        self._ahead = []
        self._lines = self._suite.lines(self.path)

    def __iter__(self) -> Iterator[Line | Problem]:
        """All lines, in order; once."""
        while self._ahead:
            yield self._ahead.pop(0)
        yield from self._lines


def run_id_of(sources: Sequence[Source]) -> str:
    """The run id of the traces. Raises: UsageError when they do not agree."""
    results: dict[str, Path] = {}
    for index, source in enumerate(sources):
        run_id = source.run_id()
        if run_id is not None:
            results.setdefault(run_id, source.path)
        if index >= _KEPT_OPEN:
            source.rewind()
    if len(results) > 1:
        ids = ", ".join(f"{name!r} in {path}" for name, path in results.items())
        message = f"TRACE: expected traces of one run, found {ids}; give one name to all with --run-id"
        raise UsageError(message)
    return next(iter(results), "unknown")


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
