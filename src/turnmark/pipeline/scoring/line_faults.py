"""What is wrong with lines that can be read: they say again what others said, or belong elsewhere."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path

from turnmark.metrics.definition import Metric
from turnmark.runs.folder import PROBLEMS
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.summary import EvalSummary


class FirstLines:
    """Where each dialogue of a run stood first. ``places`` numbers them, and is added to by its owner."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self._places = places
        self._lines = array("q")
        self._file_of = array("i")
        self._files: list[str] = []

    def of(self, dialog_id: str) -> tuple[str, int] | None:
        """File and line; None of a dialogue that is new."""
        place = self._places.get(dialog_id)
        return None if place is None else (self._files[self._file_of[place]], self._lines[place])

    def add(self, line: Line) -> None:
        """The line of the dialogue that came last; nothing when its place is known."""
        if len(self._places) == len(self._lines):
            return
        if not self._files or self._files[-1] != line.file:
            self._files.append(line.file)
        self._lines.append(line.number)
        self._file_of.append(len(self._files) - 1)


def duplicate(dialog_id: str, line: Line, earlier: tuple[str, int]) -> Problem:
    """A dialogue that an earlier line (file, number) has told already."""
    return Problem(
        file=line.file,
        line=line.number,
        field="$.dialog_id",
        expected="each dialogue once",
        found=f"{dialog_id!r} again, first at {earlier[0]}:{earlier[1]}",
        advice="the first one was scored; remove one of the two",
    )


def of_another_run(run_id: str, line: Line, own: str) -> Problem:
    """The first dialogue of another run than ``own``, that of the first line; it is scored all the same."""
    return Problem(
        file=line.file,
        line=line.number,
        field="$.run_id",
        expected=f"{own!r}, the run of the first line",
        found=repr(run_id),
        advice="scored all the same; score it apart, or give one name to all with --run-id",
        severity="warning",
    )


def nothing_counted(path: Path, summary: EvalSummary, metrics: Sequence[Metric]) -> Problem | None:
    """That no turn had what any metric needs, or that there was none; None when some turn counted, or failed."""
    turns = summary.counters.get("total_turn_pairs", 0)
    told = [summary.metrics[metric.name].counts for metric in metrics if metric.name in summary.metrics]
    if any(counts["eligible_count"] or counts["failed_count"] for counts in told):
        return None
    needs = "; ".join(f"{metric.name}: {metric.needs}" for metric in metrics if not metric.extra)
    return Problem(
        file=readable(path),
        expected=f"turns that hold what a metric needs ({needs})",
        found=f"none among {turns}, so that there is no figure" if turns else "no turn at all",
        advice="see docs/formats.md for the names of fields",
        severity="warning",
    )


def unread_by_replay(folder: Path, manifest: Mapping[str, object]) -> list[Problem]:
    """What a replay into this folder could not read of its dataset; scoring the run where it lies keeps the list.

    ``manifest`` is that of the folder; without a replay there is nothing to keep.
    """
    path = folder / PROBLEMS
    if "replay" not in manifest or not path.is_file():
        return []
    results = [each.value for each in Reader(Problem).read(path) if not isinstance(each, Problem)]
    return [problem for problem in results if problem.file == manifest.get("dataset_path")]
