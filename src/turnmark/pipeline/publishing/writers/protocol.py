"""What a writer is, and the run as it is handed to one."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from turnmark.errors import DataError
from turnmark.pipeline.publishing.run_turns import decode_row, row_problem
from turnmark.runs.folder import EVIDENCE, MANIFEST, TRACE, TURN_EVAL, read_manifest, read_summary
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Reader, read_lines
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.marks import Mark
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import EvalSummary, bounds_of, decided_share
from turnmark.schemas.trace import DialogTrace, TurnTrace
from turnmark.schemas.trace_reader import TraceReader

State = Literal["scored", "not decided", "not applicable", "failed"]


class Score(NamedTuple):
    """What one turn gives for one measure of one metric.

    ``value`` is ``hits / total``, and None unless ``state`` is ``scored``: what is not decided is no 0. ``undecided``
    counts the things that could not be decided. A metric without measures in a row has one score, ``measure`` empty.
    """

    suite: str
    system: str
    dialog_id: str
    turn_pair_id: int
    turn_status: str
    reply_state: str
    metric: str
    measure: str
    state: State
    value: float | None
    hits: float | None
    total: float | None
    undecided: float
    reason: str

    @property
    def name(self) -> str:
        """Metric and measure in one word, as other tools name scores."""
        return f"{self.metric}.{self.measure}" if self.measure else self.metric


class Figure(NamedTuple):
    """One figure of the run, with its interval; ``value`` is None where nothing was counted.

    ``decided_share`` is in [0, 1]; ``bound_low`` and ``bound_high`` are what the figure could be had everything been
    decided, None where everything was.
    """

    metric: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    total: float | None
    decided_share: float
    bound_low: float | None
    bound_high: float | None


_SOURCE_IDS = ("read_from", "id", "trace_id", "traceId")


class _SourcedTurn(msgspec.Struct, gc=False):
    turn_pair_id: int
    metadata: dict[str, Any] = {}


class _Sourced(msgspec.Struct):
    dialog_id: str
    turns: list[_SourcedTurn] = []


class Run:
    """A scored run folder, read as streams.

    Raises: DataError when the folder holds no scored run, and while reading for a line that is wrong, with its number.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary: EvalSummary = read_summary(folder)
        self.manifest: dict[str, object] = read_manifest(folder) or {}
        if not (folder / TURN_EVAL).is_file():
            message = f"{folder / TURN_EVAL}: expected the rows of a scored run, found none; run `turnmark score` first"
            raise DataError(message)

    def moment(self, name: Literal["started_at", "ended_at"]) -> datetime | None:
        """When the run began or ended, as its manifest says; None where it does not."""
        said = self.manifest.get(name)
        if said is None:
            return None
        try:
            return datetime.fromisoformat(str(said))
        except ValueError as error:
            message = f"{self.folder / MANIFEST}: $.{name}: expected a time of ISO 8601, found {said!r}"
            raise DataError(message) from error

    def rows(self) -> Iterator[Row]:
        """The rows with their marks, in the order of the file."""
        for line in read_lines(self.folder / TURN_EVAL):
            row = None if isinstance(line, Problem) else decode_row(line.raw)
            if row is None:
                problem = line if isinstance(line, Problem) else row_problem(line)
                message = f"{problem}; no row of this run is written: score it again, or run `turnmark check`"
                raise DataError(message)
            yield row

    def turns(self) -> Iterator[tuple[Row, DialogTrace, TurnTrace]]:
        """The rows, each with its dialogue and its turn, in the order of the file."""
        dialogs = self._dialogs()
        for (name, system), rows in itertools.groupby(
            self.rows(), lambda row: (row.dialog_id, getattr(row, "system", ""))
        ):
            dialog = next((each for each in dialogs if each.dialog_id == name), None)
            turns = {turn.turn_pair_id: turn for turn in (dialog.turns or ())} if dialog is not None else {}
            for row in rows:
                if dialog is None or row.turn_pair_id not in turns:
                    message = f"{self.folder / TRACE}: $.dialog_id: expected turn {row.turn_pair_id} of {name!r}"
                    raise DataError(
                        message + (f" of {system!r}" if system else "") + ", found none; score the run again"
                    )
                yield row, dialog, turns[row.turn_pair_id]

    def _dialogs(self) -> Iterator[DialogTrace]:
        reader = TraceReader()
        for line in read_lines(self.folder / TRACE):
            decoded = [line] if isinstance(line, Problem) else reader.decode(line)
            if isinstance(decoded, list):
                message = f"{decoded[0]}; score the run again, or run `turnmark check`"
                raise DataError(message)
            yield decoded.value

    @functools.cached_property
    def sources(self) -> Mapping[tuple[str, int], Mapping[str, Any]]:
        """What is kept of the record that a turn was read from (``metadata``), by dialogue and turn.

        Of turns that another tool's traces were the source of (``read_from``), and only their ids.
        """
        path = self.folder / TRACE
        reader = Reader(_Sourced)
        results: dict[tuple[str, int], Mapping[str, Any]] = {}
        for line in read_lines(path) if path.is_file() else ():
            decoded = [] if isinstance(line, Problem) else reader.decode(line)
            if isinstance(decoded, list):
                continue
            for turn in decoded.value.turns:
                if "read_from" in turn.metadata:
                    kept = {name: turn.metadata[name] for name in _SOURCE_IDS if name in turn.metadata}
                    results[decoded.value.dialog_id, turn.turn_pair_id] = kept
        return results

    def scores(self) -> Iterator[Score]:
        """Every measure of every metric of every row."""
        for row in self.rows():
            for metric, mark in row.marks.items():
                yield from scores_of(row, metric, mark)

    def applicable(self) -> Iterator[Score]:
        """The scores that say something of a turn: those of measures that do not apply are left out."""
        return (score for score in self.scores() if score.state != "not applicable")

    def evidence(self) -> Iterator[Evidence]:
        """The evidence, in the order of the file; none where the run has no such file."""
        path = self.folder / EVIDENCE
        reader = Reader(Evidence)
        for line in read_lines(path) if path.is_file() else ():
            found = [line] if isinstance(line, Problem) else reader.decode(line)
            if isinstance(found, list):
                message = f"{found[0]}; no evidence of this run is written: score it again"
                raise DataError(message)
            yield found.value

    def figures(self) -> Iterator[Figure]:
        """The figures of the run over all rows."""
        for metric, result in self.summary.metrics.items():
            for measure, value in result.micro.items():
                total = result.denominators.get(measure)
                low, high = result.intervals.get(measure) or (None, None)
                lowest, highest = bounds_of(result, measure) or (None, None)
                yield Figure(
                    metric, measure, value if total else None, low, high, total,
                    decided_share(result, measure), lowest, highest,
                )  # fmt: skip


class Writer(Protocol):
    """A format. An entry point of the group ``turnmark.writers`` names one object that offers this."""

    version: str
    """Which version of the format is written, in words."""

    def write(self, run: Run, folder: Path) -> None:
        """Write the files of a run into an empty folder.

        Raises: MissingExtraError without the library that it needs; UsageError where the format cannot hold the run.
        """


def scores_of(row: Row, metric: str, mark: Mark) -> Iterator[Score]:
    """The scores of one mark."""
    head = (row.suite, getattr(row, "system", ""), row.dialog_id, row.turn_pair_id, row.turn_status, row.reply_state)
    reason = mark.failed or mark.not_applicable or ""
    measures = dict.fromkeys([*mark.measures, *mark.undecided])
    if not measures:
        state: State = "failed" if mark.failed is not None else "not applicable"
        yield Score(*head, metric, "", state, None, None, None, 0.0, reason)
    for measure in measures:
        value, undecided = mark.value(measure), mark.undecided.get(measure, 0.0)
        if value is not None:
            yield Score(*head, metric, measure, "scored", value, *mark.measures[measure], undecided, reason)
        else:
            state = "not decided" if undecided else "not applicable"
            yield Score(*head, metric, measure, state, None, None, None, undecided, reason)


def write_json_lines(path: Path, records: Iterator[dict[str, Any]]) -> None:
    """One JSON object a line."""
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as file:
        for record in records:
            file.write(encode(record) + b"\n")
