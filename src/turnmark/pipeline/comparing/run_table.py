"""The rows of a scored run as tables of numbers, for every suite: where comparisons and gates start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from turnmark.errors import DataError, UsageError
from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.marked import readers
from turnmark.pipeline.publishing.run_turns import Key, decode_row, lines
from turnmark.runs.folder import SUMMARY, TRACE, TURN_EVAL, read_summary
from turnmark.schemas.problems import readable
from turnmark.schemas.results.summary import DEFAULT_SUITE, EvalSummary
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio
from turnmark.suites.registry import suite_definition

STRATA = ("scenario_type", "difficulty", "language")
DIALOG = -1
"""In place of a turn, for what a dialogue as a whole gives."""

Floats = NDArray[np.float64]


class Column(NamedTuple):
    """One measure of one metric."""

    metric: Metric
    measure: Measure

    @property
    def name(self) -> str:
        """``M3 risk_coverage``: how the column is called in files and on pages."""
        return f"{self.metric.code} {self.measure.name}"


class RunTable(NamedTuple):
    """One run: of each turn (and of each dialogue as a whole) hits and total of every measure.

    ``hits`` and ``totals`` have shape (len(keys), len(columns)); a total of 0 says that the metric does not apply, or
    that it ``failed``, which has the same shape. ``undecided``, of this shape too, counts what could not be decided
    beside the total. ``strata`` maps a dialogue to its values of `STRATA`.
    """

    name: str
    folder: Path
    summary: EvalSummary
    columns: tuple[Column, ...]
    keys: list[Key]
    hits: Floats
    totals: Floats
    undecided: Floats
    failed: NDArray[np.bool_]
    strata: Mapping[str, Mapping[str, str]]
    prefix: str = ""

    def id_in_run(self, dialog_id: str) -> str:
        """The id that a dialogue has in the run's own files."""
        return f"{self.prefix}{dialog_id}"


class _Head(msgspec.Struct, gc=False):
    dialog_id: str = ""
    scenario_type: str | None = None
    difficulty: str | None = None
    language: str | None = None


def run_table(where: str | Path) -> RunTable:
    """Read a scored run; ``RUN@SYSTEM`` takes the turns of one of the systems that a run holds.

    Raises: UsageError when there is no such folder or system, or its suite is not known; DataError when it is not
    scored.
    """
    folder, system = _which(str(where))
    summary = read_summary(folder)
    try:
        metrics = suite_definition(summary.suite_name).metrics
    except UsageError as error:
        raise UsageError(f"{folder / SUMMARY}: {error}") from error
    columns = tuple(Column(metric, measure) for metric in metrics for measure in metric.measures)
    starts = {metric.name: sum(len(item.measures) for item in metrics[:index]) for index, metric in enumerate(metrics)}
    each = [(starts[metrics[index].name], read) for index, read in readers(metrics)]
    keys: list[Key] = []
    numbers: list[list[float]] = []
    failures: list[tuple[int, int]] = []
    undecided: list[tuple[int, int, float]] = []
    prefix = f"{system}/" if system else ""
    for line in lines(folder / TURN_EVAL):
        row = decode_row(line.raw)
        if row is None or (system and row.system != system):
            continue
        if (suite := getattr(row, "suite", DEFAULT_SUITE)) != summary.suite_name:
            message = (
                f"{folder / TURN_EVAL}:{line.number}: expected a row of suite {summary.suite_name}, as the summary "
                f"says, found one of {suite}; score the run again"
            )
            raise DataError(message)
        given = [(start, read(row)) for start, read in each]
        failures += [(len(keys), start) for start, outcomes in given if isinstance(outcomes, Failed)]
        undecided += [(len(keys), column, rest) for column, rest in _undecided(given)]
        numbers.append(_numbers(len(columns), given))
        keys.append((row.dialog_id.removeprefix(prefix), row.turn_pair_id))
    if not keys:
        at = f"{folder}@{system}" if system else str(folder)
        message = f"{at}: expected rows in {TURN_EVAL}, found none; score the run, or see which systems it holds"
        raise DataError(message)
    if not system:
        _add_dialogs(summary, metrics, starts, keys, numbers, len(columns))
    table = np.array(numbers, dtype=np.float64)
    return RunTable(
        readable(where), folder, summary, columns, keys, table[:, : len(columns)], table[:, len(columns) :],
        _filled(undecided, len(keys), len(columns)), _failed(failures, columns, len(keys)),
        _strata(folder / TRACE, prefix), prefix,
    )  # fmt: skip


def _which(where: str) -> tuple[Path, str]:
    folder, system = Path(where), ""
    if not folder.is_dir() and "@" in where:
        folder, _, system = (Path(where.rpartition("@")[0]), "", where.rpartition("@")[2])
    if not folder.is_dir():
        message = f"{where}: expected the folder of a scored run (or FOLDER@SYSTEM), found none"
        raise UsageError(message)
    return folder, system


def _failed(failures: Iterable[tuple[int, int]], columns: Sequence[Column], rows: int) -> NDArray[np.bool_]:
    """Where a metric failed, from the rows and the first columns of the metrics that did."""
    failed = np.zeros((rows, len(columns)), dtype=np.bool_)
    for row, start in failures:
        failed[row, start : start + len(columns[start].metric.measures)] = True
    return failed


def _undecided(given: Iterable[tuple[int, Outcomes]]) -> Iterator[tuple[int, float]]:
    """The columns of a row in which something was not decided, and how much."""
    for start, outcomes in given:
        if not isinstance(outcomes, NotApplicable | Failed):
            for column, outcome in enumerate(outcomes, start):
                if isinstance(outcome, Ratio) and outcome.undecided:
                    yield column, outcome.undecided


def _filled(entries: Iterable[tuple[int, int, float]], rows: int, width: int) -> Floats:
    table = np.zeros((rows, width))
    for row, column, number in entries:
        table[row, column] = number
    return table


def _numbers(width: int, given: Iterable[tuple[int, Outcomes]]) -> list[float]:
    row = [0.0] * (2 * width)
    for start, outcomes in given:
        if not isinstance(outcomes, NotApplicable | Failed):
            for index, outcome in enumerate(outcomes, start):
                row[index], row[width + index] = (
                    (outcome.hits, outcome.total) if isinstance(outcome, Ratio) else (outcome.value, 1.0)
                )
    return row


def _add_dialogs(
    summary: EvalSummary,
    metrics: tuple[Metric, ...],
    starts: Mapping[str, int],
    keys: list[Key],
    numbers: list[list[float]],
    width: int,
) -> None:
    """What dialogues as a whole give stands in the summary: one value a measure and dialogue."""
    for metric in metrics:
        result = summary.metrics.get(metric.name)
        if metric.unit != "dialog" or result is None:
            continue
        for dialog_id, values in result.by_dialog.items():
            row = [0.0] * (2 * width)
            for index, measure in enumerate(metric.measures, starts[metric.name]):
                if measure.name in values:
                    row[index], row[width + index] = values[measure.name], 1.0
            keys.append((dialog_id, DIALOG))
            numbers.append(row)


def _strata(path: Path, prefix: str) -> dict[str, dict[str, str]]:
    decode = msgspec.json.Decoder(_Head).decode
    results: dict[str, dict[str, str]] = {}
    for line in lines(path):
        try:
            head = decode(line.raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        values = {field: getattr(head, field) or "(none)" for field in STRATA}
        results[head.dialog_id.removeprefix(prefix)] = values
    return results
