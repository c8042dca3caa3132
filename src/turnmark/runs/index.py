"""An index over many run folders. It holds nothing that they do not hold, and is rebuilt from them at any time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from turnmark.errors import DataError
from turnmark.runs.folder import MANIFEST, SUMMARY, read_manifest, read_summary
from turnmark.schemas.problems import readable
from turnmark.schemas.results.summary import undecided_of

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    folder TEXT PRIMARY KEY, stamp TEXT NOT NULL, run_id TEXT NOT NULL, suite TEXT NOT NULL, detect TEXT NOT NULL,
    model TEXT NOT NULL, dataset TEXT NOT NULL, started TEXT NOT NULL, dialogs INTEGER NOT NULL,
    turns INTEGER NOT NULL, abnormal INTEGER NOT NULL, problem TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS figures (
    folder TEXT NOT NULL, measure TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (folder, measure)
);
CREATE TABLE IF NOT EXISTS undecided (
    folder TEXT NOT NULL, measure TEXT NOT NULL, decided REAL NOT NULL, rest REAL NOT NULL, low REAL NOT NULL,
    high REAL NOT NULL, PRIMARY KEY (folder, measure)
);
"""
_COLUMNS = {
    "runs": "folder, stamp, run_id, suite, detect, model, dataset, started, dialogs, turns, abnormal, problem",
    "figures": "folder, measure, value",
    "undecided": "folder, measure, decided, rest, low, high",
}
_FOUND = "found:"
"""Before a kind of fault where a figure counts dialogues by it."""
_VERSION = "3"
"""Of what is taken from a run; it is part of the stamp, so that an index of another version is filled anew."""

Findings = Callable[[Path], Mapping[str, int]]

LONGEST_WAIT = 30.0
"""Seconds that one process waits until another has taken in what changed."""

DEEPEST = 3
"""How many folders below the root a run may lie."""


class IndexedRun(NamedTuple):
    """One run as the list shows it; ``folder`` is relative to the root. ``problem`` says why it cannot be read.

    ``found`` are dialogues by their gravest fault; ``undecided`` says of a figure how many things were decided and how
    many not, and the least and the greatest that it could be, where not everything was.
    """

    folder: str
    run_id: str
    suite: str
    detect: str
    model: str
    dataset: str
    started: str
    dialogs: int
    turns: int
    abnormal: int
    problem: str
    figures: dict[str, float]
    found: dict[str, int]
    undecided: dict[str, tuple[float, float, float, float]]


class RunIndex:
    """Run folders under a root, indexed in one SQLite file, which several processes may share.

    ``found`` counts the findings of a run folder, once each time it changes.

    Raises: DataError when the file is no index; `refresh` too, when it has become none.
    """

    def __init__(self, root: Path, database: Path | str, found: Findings | None = None) -> None:
        self.root = root
        self._found = found or (lambda _: {})
        self._database = database
        try:
            self._connection = sqlite3.connect(database, timeout=LONGEST_WAIT, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._no_index(error) from error
        try:
            self._connection.executescript(_SCHEMA)
            for table, columns in _COLUMNS.items():
                self._connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608 - names of our own
        except sqlite3.Error as error:
            self._connection.close()
            raise self._no_index(error) from error

    def _no_index(self, error: sqlite3.Error) -> DataError:
        return DataError(
            f"{self._database}: expected an index of runs, found: {error}; delete it, it is made again from the runs"
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def refresh(self) -> None:
        """Take in what changed in the folders: new runs, scored again, gone."""
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._refresh()
        except sqlite3.Error as error:
            raise self._no_index(error) from error

    def _refresh(self) -> None:
        known = dict(self._connection.execute("SELECT folder, stamp FROM runs"))
        seen = set()
        for path in _run_folders(self.root):
            folder = path.relative_to(self.root).as_posix()
            named = readable(folder)
            seen.add(named)
            stamp = _stamp(path)
            if known.get(named) == stamp:
                continue
            if named == folder:
                self._take(path, folder, stamp)
            else:
                self._take_problem(named, stamp, f"{named}: the name of this folder is no UTF-8; rename it")
        for folder in known.keys() - seen:
            self._forget(folder)

    def runs(self, text: str = "", suite: str = "", sort: str = "") -> list[IndexedRun]:
        """The runs whose id, model, dataset or folder holds the text, of a suite.

        Sorted by folder, by "started" (the latest first), or by a measure (``m3_risk_coverage.risk_coverage``; highest
        first, runs without it last).
        """
        like = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        rows = self._connection.execute(
            "SELECT runs.folder, run_id, suite, detect, model, dataset, started, dialogs, turns, abnormal, problem "
            "FROM runs LEFT JOIN figures ON figures.folder = runs.folder AND figures.measure = ? "
            "WHERE (run_id || ' ' || model || ' ' || dataset || ' ' || runs.folder) LIKE ? ESCAPE '\\' "
            "AND (? = '' OR suite = ?) ORDER BY CASE WHEN ? = 'started' THEN started END DESC, "
            "figures.value IS NULL, figures.value DESC, runs.folder",
            (sort, like, suite, suite, sort),
        ).fetchall()
        figures: dict[str, dict[str, float]] = {}
        found: dict[str, dict[str, int]] = {}
        for folder, measure, value in self._connection.execute("SELECT folder, measure, value FROM figures"):
            if measure.startswith(_FOUND):
                found.setdefault(folder, {})[measure.removeprefix(_FOUND)] = int(value)
            else:
                figures.setdefault(folder, {})[measure] = value
        rest: dict[str, dict[str, tuple[float, float, float, float]]] = {}
        for folder, measure, *numbers in self._connection.execute(f"SELECT {_COLUMNS['undecided']} FROM undecided"):  # noqa: S608 - names of our own
            rest.setdefault(folder, {})[measure] = (numbers[0], numbers[1], numbers[2], numbers[3])
        return [
            IndexedRun._make([*row, figures.get(row[0], {}), found.get(row[0], {}), rest.get(row[0], {})])
            for row in rows
        ]

    def measures(self, suite: str = "") -> list[str]:
        """The measures that runs have, sorted."""
        result = self._connection.execute(
            "SELECT DISTINCT measure FROM figures JOIN runs USING (folder) "
            "WHERE (? = '' OR suite = ?) AND measure NOT LIKE ? ORDER BY measure",
            (suite, suite, _FOUND + "%"),
        )
        return [measure for (measure,) in result]

    def suites(self) -> list[str]:
        """The suites that runs have, sorted."""
        return [suite for (suite,) in self._connection.execute("SELECT DISTINCT suite FROM runs ORDER BY suite")]

    def _forget(self, folder: str) -> None:
        self._connection.execute("DELETE FROM runs WHERE folder = ?", (folder,))
        self._connection.execute("DELETE FROM figures WHERE folder = ?", (folder,))
        self._connection.execute("DELETE FROM undecided WHERE folder = ?", (folder,))

    def _take_problem(self, folder: str, stamp: str, problem: str) -> None:
        self._forget(folder)
        self._insert((folder, stamp, folder, "", "", "", "", "", 0, 0, 0, problem))

    def _insert(self, row: tuple[object, ...]) -> None:
        self._connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - places only

    def _take(self, path: Path, folder: str, stamp: str) -> None:
        self._forget(folder)
        try:
            summary, manifest = read_summary(path), read_manifest(path) or {}
        except DataError as error:
            self._take_problem(folder, stamp, readable(str(error)))
            return
        turns = summary.counters.get("total_turn_pairs", 0)
        row = (
            folder, stamp, summary.run_id, summary.suite_name, summary.detect or "", summary.model_name or "",
            summary.dataset_path, str(manifest.get("started_at") or ""), summary.counters.get("total_dialogs", 0),
            turns, turns - summary.reply_states.get("normal", turns), "",
        )  # fmt: skip
        self._insert(row)
        figures = [
            (folder, f"{name}.{measure}", value)
            for name, result in summary.metrics.items()
            for measure, value in result.micro.items()
            if result.denominators.get(measure, 1)
        ]
        figures += [(folder, _FOUND + kind, count) for kind, count in self._found(path).items()]
        self._connection.executemany("INSERT INTO figures VALUES (?, ?, ?)", figures)
        undecided = [
            (folder, f"{name}.{measure}", result.denominators.get(measure, 0.0), rest, *bounds)
            for name, result in summary.metrics.items()
            for measure, bounds in (result.bounds or {}).items()
            if (rest := undecided_of(result, measure)) is not None
        ]
        self._connection.executemany("INSERT INTO undecided VALUES (?, ?, ?, ?, ?, ?)", undecided)


def _run_folders(root: Path, depth: int = 0) -> Iterator[Path]:
    """Folders that hold a summary, in order; what lies in a run folder is not looked into."""
    try:
        entries = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in os.scandir(root))
    except OSError:
        return
    if any(name == SUMMARY and not folder for name, folder in entries):
        yield root
        return
    if depth < DEEPEST:
        for name, folder in entries:
            if folder and not name.startswith("."):
                yield from _run_folders(root / name, depth + 1)


def _stamp(path: Path) -> str:
    stamps = [_VERSION]
    for name in (SUMMARY, MANIFEST):
        try:
            result = (path / name).stat()
        except OSError:
            stamps.append("-")
        else:
            stamps.append(f"{result.st_mtime_ns}:{result.st_size}")
    return " ".join(stamps)
