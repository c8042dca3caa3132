"""Scoring: traces in, a run folder out. Files are streamed; memory does not grow with the number of turns.

The process that reads hands out batches of lines; a worker decodes them, runs the detectors and encodes rows and
evidence; batches are written in the order in which they were read, so any number of workers gives the same bytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark import __version__
from turnmark.errors import DataError, UsageError
from turnmark.pipeline.publishing.run_turns import decode_row, dialog_turn_sums
from turnmark.pipeline.scoring.checked import checked_suite
from turnmark.pipeline.scoring.line_faults import (
    FirstLines,
    duplicate,
    nothing_counted,
    of_another_run,
    unread_by_replay,
)
from turnmark.pipeline.scoring.partitions import grouped
from turnmark.pipeline.scoring.pool import workers
from turnmark.pipeline.scoring.run_naming import Source, default_folder, lies_in, manifest_beside, run_id_of
from turnmark.pipeline.scoring.signature import fingerprint, signature_of
from turnmark.pipeline.scoring.worker import Batch, BatchResult, ScoredDialog, ScoreRequest, Views, encoded
from turnmark.readers.advice import LIMITS_READ
from turnmark.replay.run.progress import Listener, ProgressLog, progress_path
from turnmark.report.view.data import TurnView
from turnmark.report.view.triage import WorstTurns
from turnmark.runs.clock import now
from turnmark.runs.folder import (
    EVIDENCE,
    PROBLEMS,
    SUMMARY,
    TRACE,
    TURN_EVAL,
    ArtifactWriter,
    RunWriter,
    artifact_of,
)
from turnmark.runs.summary_file import summary_pieces
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.manifest import RunManifest
from turnmark.schemas.results.summary import INTERVAL_METHODS, Deciders, EvalSummary, InputCounts, UnreadConstraint
from turnmark.schemas.trace import TRACE_VERSION
from turnmark.schemas.turn_eval import REPLY_STATES
from turnmark.stats.by_turn import TurnSums
from turnmark.stats.dialog_table import DialogTable
from turnmark.suites.file_kinds import place_of
from turnmark.suites.ground_truth import dataset_problems, unmatched
from turnmark.suites.known_names import LIMIT_ELSEWHERE, UnreadDoubt
from turnmark.suites.protocol import Suite
from turnmark.suites.registry import suite_definition

ABNORMAL_SHARE = 0.05
_COUNTERS = ("total_dialogs", "valid_dialogs", "skipped_dialogs", "failed_dialogs", "total_turn_pairs")
_OPEN_COUNTERS = ("undecided_only_dialogs", "undecided_turn_pairs")
"""Counters of what was not decided, left out where everything was."""
_OWN_FIELDS = frozenset({
    "run_id", "counters", "config_fingerprint", "signature", "turnmark_version", "artifacts", "input", "settings",
    "m1_handling",
})  # fmt: skip
"""Fields of the manifest that scoring sets; all others are taken from the manifest beside the trace."""


class ScoreResult(NamedTuple):
    """Where the run lies, what it found, and how much of the input could not be used.

    ``nothing_counted`` says so when no turn had what a metric needs; ``chat_limits`` counts dialogues whose users state
    limits that only the chat holds, so that replies are not held to them; ``limit_columns`` are the columns of tables
    that were read as limits, to which they are.
    """

    folder: Path
    summary: EvalSummary
    rejected_lines: int
    failed_rows: int
    worst: list[TurnView]
    turns: TurnSums
    warnings: int
    nothing_counted: Problem | None = None
    chat_limits: int = 0
    limit_columns: tuple[str, ...] = ()


def score(
    request: ScoreRequest,
    progress: Callable[[int, int], None] | None = None,
    suite: Suite | None = None,
    listener: Listener | None = None,
) -> ScoreResult:
    """Score traces and write the run folder.

    ``progress`` is told lines and turns done so far. Bad lines become ``problems.jsonl`` and are counted; the rest
    goes on. ``suite`` is what `ScoreRequest.make_suite` gave a caller that had the request checked before, ``listener``
    is told what goes into the progress log.

    Raises: UsageError for wrong settings (all of them at once); DataError when a file cannot be opened or holds no
    readable dialogue, or when worker processes are killed over the same lines again and again.
    """
    suite = checked_suite(request, suite)
    with workers(request, suite) as results:
        run = _Run(request, suite)
        return _written(run, results(run.batches()), progress, listener)


def merge(
    request: ScoreRequest,
    shards: Iterable[tuple[Batch, BatchResult]],
    progress: Callable[[int, int], None] | None = None,
    listener: Listener | None = None,
) -> ScoreResult:
    """Write the run folder of shards that `score_partition` gave, in the order of their partitions.

    The same bytes as `score` come out, whatever made the shards, where and with how many workers. Shards are taken one
    at a time: an engine may give them as they become ready, as long as their order is kept. ``request`` is that of the
    partitions; its traces must be there, since the run is named by them. Errors as of `score`.
    """
    return _written(_Run(request, checked_suite(request, None)), shards, progress, listener)


def _written(
    run: _Run,
    shards: Iterable[tuple[Batch, BatchResult]],
    progress: Callable[[int, int], None] | None,
    listener: Listener | None,
) -> ScoreResult:
    with RunWriter(run.folder) as writer:
        run.start(writer)
        for batch, item in shards:
            run.take(batch, item)
            if progress:
                progress(run.input.lines, run.counts["total_turn_pairs"])
            del batch, item  # held while the next one is made, they would double what is in memory
        result = run.finish(writer)
    _log(result, run.run_id, listener)
    return result


def _log(result: ScoreResult, run_id: str, listener: Listener | None) -> None:
    """Append what was scored to the progress log of the run."""
    log = ProgressLog(progress_path(result.folder, run_id), listener)
    try:
        for name, figures in result.summary.metrics.items():
            log.tell("metric_done", metric=name, counts=figures.counts)
        counts = {"rejected_lines": result.rejected_lines, "failed_rows": result.failed_rows}
        log.tell("scoring_done", counters=result.summary.counters, **counts)
    finally:
        log.close()


class _Run:
    """The run being written: takes results in order, keeps the sums, writes the artifacts."""

    def __init__(self, request: ScoreRequest, suite: Suite) -> None:
        self._request = request
        self.counts: Counter[str] = Counter()
        self.input = InputCounts(files=len(request.traces))
        self._metrics = suite_definition(request.suite).metrics
        self.suite = suite
        self._detect = suite_definition(request.suite).detect_name(request.detect)
        self._table = DialogTable([len(metric.measures) for metric in self._metrics])
        self._started_at = now()
        self._first_lines = FirstLines(self._table.places)
        self._worst: WorstTurns[TurnView] = WorstTurns()
        self._turns = TurnSums()
        self._dataset = hashlib.sha256()
        self._deciders: dict[str, Deciders] = {}
        self._unread: dict[str, UnreadConstraint] = {}
        self._beside = manifest_beside(request.traces)
        self._sources = [Source(path, suite) for path in request.traces]
        self.run_id = request.run_id or run_id_of(self._sources)
        self._runs = {self.run_id}
        self.folder = request.out or default_folder(self.run_id)
        self._problems = unread_by_replay(self.folder, self._beside) if lies_in(self.folder, request.traces) else []

    def start(self, writer: RunWriter) -> None:
        """Open the artifacts. A trace that lies in the run folder already is scored where it is."""
        target = self.folder / TRACE
        self._in_place = any(target.exists() and path.samefile(target) for path in self._request.traces)
        if self._in_place and len(self._request.traces) > 1:
            message = f"--out {self.folder}: holds one of the traces; choose another folder to join several traces"
            raise UsageError(message)
        self._trace: ArtifactWriter | None = None if self._in_place else writer.open(TRACE)
        # The digest of the data is that of its good lines; a trace that is copied as it is has it already.
        self._data = hashlib.sha256() if self._in_place or self._request.run_id is not None else None
        self._rows = writer.open(TURN_EVAL)
        self._evidence = writer.open(EVIDENCE)
        self._records = writer.open(self.suite.records) if self.suite.records else None
        self._name_dataset_problems()

    def _name_dataset_problems(self) -> None:
        rejected = set()
        for problem in dataset_problems(self._request.dataset) if self._request.dataset else ():
            if problem.severity == "error":
                rejected.add(problem.line)
            self._problem(problem)
        self.input.lines += len(rejected)
        self.input.rejected_lines += len(rejected)

    def _name_unmatched(self) -> None:
        dataset = self._request.dataset
        problem = dataset and unmatched(dataset, self.counts["total_dialogs"], self.counts["in_dataset"])
        if problem:
            self._problem(problem)

    def batches(self) -> Iterator[Batch]:
        """Lines of all traces in batches of about a quarter megabyte."""
        return grouped(self._sources)

    def take(self, batch: Batch, results: BatchResult) -> None:
        """Write what a batch gave."""
        self.input.lines += sum(line.severity == "error" if isinstance(line, Problem) else line.lines for line in batch)
        rejected = set()
        twice: list[bytes] = []
        for result in results:
            if isinstance(result, Problem):
                if result.severity == "error":
                    rejected.add((result.file, result.line))
                self._problem(result)
                continue
            if isinstance(result, TurnSums):
                self._turns.merge(result)
                continue
            line = batch[result.place]
            if isinstance(line, Problem):
                continue
            here = (line.file, line.number)
            if (earlier := self._first_lines.of(result.dialog_id) or here) != here:
                rejected.add(here)
                self._problem(duplicate(result.dialog_id, line, earlier))
                twice.append(result.rows)
                continue
            if self._request.run_id is None and result.run_id not in self._runs:
                self._runs.add(result.run_id)
                self._problem(of_another_run(result.run_id, line, self.run_id))
            raw = line.raw if result.trace is None else result.trace
            self._write(line, raw, result)
            self._table.add([result.sums])
            self._first_lines.add(line)
            self._worst.add(result.worst, Views(result, raw, self._request.suite))
            self.counts.update(result.counts)
            self._dataset.update(result.asked)
            self._count_deciders(result.deciders)
            self._name_unread(line, result.unread)
        for raw in twice:  # their dialogues are in the sums of the batch, which a worker made without knowing others
            rows = [row for line in raw.splitlines() if (row := decode_row(line)) is not None]
            self._turns.take_back(dialog_turn_sums(rows, self._metrics))
        self.input.rejected_lines += len(rejected)

    def _write(self, line: Line, raw: bytes, result: ScoredDialog) -> None:
        if self._trace is not None:
            self._trace.write(raw)
            self._trace.write(b"\n")
        if self._data is not None:
            self._data.update(line.raw + b"\n")
        self._rows.write(result.rows)
        self._evidence.write(result.evidence)
        if self._records is not None:
            self._records.write(result.records)

    def _count_deciders(self, found: Mapping[str, Deciders]) -> None:
        for name, deciders in found.items():
            self._deciders.setdefault(name, Deciders()).add(deciders)

    def _name_unread(self, line: Line, found: Iterable[UnreadDoubt]) -> None:
        """One notice for each constraint that no rule reads, however many dialogues ask for it."""
        for doubt in found:
            known = self._unread.get(doubt.text)
            if known is None:
                self._unread[doubt.text] = UnreadConstraint(text=doubt.text, understood=doubt.understood, dialogs=1)
                self._problem(doubt.at(line))
            else:
                known.dialogs += 1

    def _problem(self, problem: Problem) -> None:
        self._problems.append(problem)
        if problem.severity == "warning":
            self.input.warnings += 1

    def finish(self, writer: RunWriter) -> ScoreResult:
        """Compute the summary, write the rest, make everything visible."""
        if not self._table:
            belongs = place_of(self._request.traces[0], self._request.suite)
            first = f"\n{belongs}" if belongs else "".join(f"\n{problem}" for problem in self._problems[:5])
            message = f"{self._request.traces[0]}: expected at least one readable dialogue, found none{first}"
            raise DataError(message)
        self._name_unmatched()
        summary = self._summary()
        nothing = nothing_counted(self._request.traces[0], summary, self._metrics)
        if nothing:
            self._problem(nothing)
        written = writer.open(SUMMARY)
        for piece in summary_pieces(summary):
            written.write(piece)
        if self._problems:
            writer.open(PROBLEMS).write(encoded(self._problems))
        writer.finish(self._manifest(summary), kept=(TRACE,) if self._in_place else ())
        return ScoreResult(
            self.folder,
            summary,
            self.input.rejected_lines,
            self.counts["failed_rows"],
            self._worst.chosen(),
            self._turns,
            self.input.warnings,
            nothing,
            sum(problem.expected == LIMIT_ELSEWHERE for problem in self._problems),
            tuple(
                dict.fromkeys(each.field.removeprefix("$.") for each in self._problems if each.expected == LIMITS_READ)
            ),
        )

    def _summary(self) -> EvalSummary:
        from turnmark.pipeline.scoring.summarise import resampling, summarise  # noqa: PLC0415 - numpy loads only here

        request = self._request
        signature = signature_of(
            request.suite,
            self._detect,
            self.suite,
            self._settings(),
            self._data.hexdigest() if self._data is not None else self._trace.digest() if self._trace else "",
        )
        dataset_path = readable(str(self._beside.get("dataset_path") or request.dataset or request.traces[0].name))
        states: dict[str, int] = {state: self.counts[f"reply_state:{state}"] for state in REPLY_STATES}
        return EvalSummary(
            run_id=self.run_id,
            trace_version=TRACE_VERSION,
            dataset_path=dataset_path,
            model_name=str(self._beside.get("model_name") or "unknown"),
            suite=request.suite,
            detect=self._detect,
            turnmark_version=__version__,
            config_fingerprint=fingerprint(signature, self._beside, self._dataset.hexdigest()),
            signature=signature,
            counters={name: self.counts[name] for name in (*_COUNTERS, *filter(self.counts.get, _OPEN_COUNTERS))},
            turn_status={status: self.counts[f"turn_status:{status}"] for status in ("ok", "timeout", "error")},
            reply_states=states,
            flags=flags(states, self.counts["total_turn_pairs"]),
            input=self.input,
            metrics=summarise(
                self._table,
                self._metrics,
                published_counts=self._detect == "literal",
                strata=request.strata,
                method=request.intervals,
            ),
            resampling=resampling(request.intervals),
            deciders=self._deciders,
            unread_constraints=list(self._unread.values()),
        )

    def _settings(self) -> dict[str, str]:
        """The settings that shape the figures, ground truth from a dataset file included."""
        request = self._request
        settings = {"ignore_memory_keys": str(request.ignore_memory_keys).lower(), "by": ",".join(request.strata)}
        if request.intervals != INTERVAL_METHODS[0]:
            settings["intervals"] = request.intervals
        if request.earlier_turns:
            settings["earlier_turns"] = "true"
        if request.compliance_by != "words":
            settings["compliance_by"] = request.compliance_by
        if request.dataset:
            settings["dataset_sha256"] = artifact_of(request.dataset).sha256
        return settings

    def _manifest(self, summary: EvalSummary) -> dict[str, object]:
        """The manifest beside the trace, unknown fields and times included, with what this scoring adds."""
        request = self._request
        own = RunManifest(
            trace_version=TRACE_VERSION,
            run_id=self.run_id,
            dataset_path=summary.dataset_path,
            started_at=self._started_at,
            ended_at=now(),
            model_name=summary.model_name or "unknown",
            workers_dialog=request.workers,
            workers_judge=request.judge_workers or 1,
            counters=summary.counters,
            turnmark_version=__version__,
            config_fingerprint=summary.config_fingerprint,
            signature=summary.signature,
            input=self.input,
            m1_handling="ignored_memory_required_keys" if request.ignore_memory_keys else None,
            settings={"suite": request.suite, "detect": self._detect, "by": list(request.strata)},
        )
        merged: dict[str, object] = msgspec.to_builtins(own)
        merged |= {name: value for name, value in self._beside.items() if name not in _OWN_FIELDS}
        return merged


def flags(reply_states: dict[str, int], turns: int) -> list[str]:
    """What page one must say first: a run with more than 5 % of replies that are not normal cannot be trusted."""
    abnormal = turns - reply_states.get("normal", 0)
    return ["abnormal_replies"] if turns and abnormal > ABNORMAL_SHARE * turns else []
