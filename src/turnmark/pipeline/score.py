"""Scoring: traces in, a run folder out. Files are streamed; memory does not grow with the number of turns.

The process that reads hands out batches of lines; a worker decodes them, runs the detectors and encodes rows and
evidence; batches are written in the order in which they were read, so any number of workers gives the same bytes.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark import __version__
from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.errors import DataError, UsageError
from turnmark.metrics import catalog
from turnmark.pipeline.evaluate import Settings, add_rows, encoded, evaluate_dialog, profile_outcomes
from turnmark.pipeline.ground_truth import GroundTruth
from turnmark.pipeline.signature import fingerprint, signature_of
from turnmark.runs.folder import (
    EVIDENCE,
    PROBLEMS,
    SUMMARY,
    TRACE,
    TURN_EVAL,
    ArtifactWriter,
    RunWriter,
    pretty_json,
    read_manifest,
)
from turnmark.schemas.jsonl import Line, Reader, read_lines
from turnmark.schemas.manifest import RunManifest
from turnmark.schemas.problems import Problem
from turnmark.schemas.summary import EvalSummary, InputCounts
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace
from turnmark.schemas.turn_eval import REPLY_STATES
from turnmark.stats.tally import DialogSums, Tally

DEFAULT_STRATA = ("scenario_type", "difficulty")
STRATA = ("scenario_type", "difficulty", "language")
ABNORMAL_SHARE = 0.05
_COUNTERS = ("total_dialogs", "valid_dialogs", "skipped_dialogs", "failed_dialogs", "total_turn_pairs")
_OWN_FIELDS = frozenset({
    "run_id", "counters", "config_fingerprint", "signature", "turnmark_version", "artifacts", "input", "settings",
    "m1_handling",
})  # fmt: skip
"""Fields of the manifest that scoring sets; all others are taken from the manifest beside the trace."""

_BATCH_BYTES = 1 << 20
_BATCHES_AHEAD = 3


class ScoreRequest(NamedTuple):
    """Everything that `score` can be asked for; see ``turnmark score --help``."""

    traces: tuple[Path, ...]
    out: Path | None = None
    suite: str = "finance"
    detect: str = DEFAULT
    dataset: Path | None = None
    packs: tuple[Path, ...] = ()
    ignore_memory_keys: bool = False
    by: tuple[str, ...] = DEFAULT_STRATA
    run_id: str | None = None
    workers: int = 1


class ScoreResult(NamedTuple):
    """Where the run lies, what it found, and how much of the input could not be used."""

    folder: Path
    summary: EvalSummary
    rejected_lines: int
    failed_rows: int


class _ScoredDialog(NamedTuple):
    dialog_id: str
    line: Line
    trace: bytes
    rows: bytes
    evidence: bytes
    sums: DialogSums
    counts: dict[str, int]


Batch = list[Line]
BatchResult = list["_ScoredDialog | Problem"]


class Worker:
    """Scores batches of lines; one lives in every worker process."""

    def __init__(self, request: ScoreRequest) -> None:
        self._request = request
        self._detectors = finance_detectors(request.detect, request.packs)
        self._metrics = catalog.suite(request.suite)
        self._reader = Reader(DialogTrace)
        self._settings = Settings(ignore_memory_keys=request.ignore_memory_keys, run_id=request.run_id)
        self._truth = GroundTruth(request.dataset) if request.dataset else None
        self._profile = next(place for place, metric in enumerate(self._metrics) if metric.unit == "dialog")

    def score(self, batch: Batch) -> BatchResult:
        """Every line's dialogue scored, or its problems."""
        results: BatchResult = []
        for line in batch:
            decoded = self._reader.decode(line)
            if isinstance(decoded, list):
                results.extend(decoded)
                continue
            if decoded.warning is not None:
                results.append(decoded.warning)
            results.append(self._dialog(line, decoded.value))
        return results

    def _dialog(self, line: Line, dialog: DialogTrace) -> _ScoredDialog:
        if self._truth is not None:
            self._truth.complete(dialog)
        rows, evidence = evaluate_dialog(dialog, self._detectors, self._settings)
        tally = Tally([len(metric.measures) for metric in self._metrics])
        strata = {field: getattr(dialog, field) or "" for field in self._request.by}
        sums = tally.open(dialog.dialog_id, strata)
        add_rows(tally, sums, self._metrics, rows)
        outcomes, profile_evidence = profile_outcomes(dialog, self._detectors)
        tally.add(sums, self._profile, outcomes, normal=any(row.reply_state == "normal" for row in rows))
        for piece in profile_evidence:
            piece.run_id = self._request.run_id or dialog.run_id
            piece.dialog_id = dialog.dialog_id
        counts = Counter({"total_dialogs": 1, "failed_rows": sum(bool(row.failures) for row in rows)})
        counts["valid_dialogs" if dialog.valid_dialog else "skipped_dialogs"] += 1
        counts["failed_dialogs"] += dialog.dialog_status == "failed"
        counts["total_turn_pairs"] += len(rows)
        for row in rows:
            counts[f"turn_status:{row.turn_status}"] += 1
            counts[f"reply_state:{row.reply_state}"] += 1
        return _ScoredDialog(
            dialog.dialog_id,
            line,
            _with_run_id(line.raw, self._request.run_id),
            encoded(rows),
            encoded([*evidence, *profile_evidence]),
            sums,
            dict(counts),
        )


def _with_run_id(raw: bytes, run_id: str | None) -> bytes:
    """The line as it was; only another run id makes it be written anew, unknown fields included."""
    if run_id is None:
        return raw + b"\n"
    value = msgspec.json.decode(raw)
    value["run_id"] = run_id
    return msgspec.json.encode(value) + b"\n"


_worker: Worker | None = None


def _start_worker(request: ScoreRequest) -> None:
    global _worker  # noqa: PLW0603 - one worker a process, made once
    _worker = Worker(request)


def _score_batch(batch: Batch) -> BatchResult:
    if _worker is None:  # pragma: no cover - the pool always runs the initializer first
        message = "the worker process was not started"
        raise RuntimeError(message)
    return _worker.score(batch)


def score(request: ScoreRequest, progress: Callable[[int, int], None] | None = None) -> ScoreResult:
    """Score traces and write the run folder.

    ``progress`` is told lines and turns done so far. Bad lines become ``problems.jsonl`` and are counted; the rest
    goes on.

    Raises: UsageError for wrong settings (all of them at once); DataError when a file cannot be opened or holds no
    readable dialogue.
    """
    _check(request)
    run = _Run(request)
    with RunWriter(run.folder) as writer:
        run.start(writer)
        for result in _results(request, run.batches()):
            run.take(result)
            if progress:
                progress(run.input.lines, run.counts["total_turn_pairs"])
        return run.finish(writer)


def _check(request: ScoreRequest) -> None:
    wrong = []
    for check in (
        lambda: catalog.suite(request.suite),
        lambda: finance_detectors(request.detect, request.packs),
    ):
        try:
            check()
        except UsageError as error:
            wrong.append(str(error))
    if not request.traces:
        wrong.append("TRACE: expected at least one trace file or run folder, found none")
    wrong += [f"{path}: expected a trace file, found none" for path in request.traces if not path.is_file()]
    if request.dataset and not request.dataset.is_file():
        wrong.append(f"--dataset {request.dataset}: expected a dataset file, found none")
    wrong += [f"--by: expected one of {list(STRATA)}, found {field!r}" for field in request.by if field not in STRATA]
    if request.workers < 1:
        wrong.append(f"--workers: expected 1 or more, found {request.workers}")
    if wrong:
        raise UsageError("\n".join(wrong))


def _results(request: ScoreRequest, batches: Iterator[Batch]) -> Iterator[BatchResult]:
    """Batches scored, in order; with one worker in this process, else in a pool with a bounded number under way."""
    if request.workers == 1:
        worker = Worker(request)
        yield from map(worker.score, batches)
        return
    with ProcessPoolExecutor(
        request.workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(request,),
    ) as pool:
        under_way: deque[Future[BatchResult]] = deque()
        for batch in batches:
            under_way.append(pool.submit(_score_batch, batch))
            if len(under_way) >= request.workers * _BATCHES_AHEAD:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


class _Run:
    """The run being written: takes results in order, keeps the sums, writes the artifacts."""

    def __init__(self, request: ScoreRequest) -> None:
        self._request = request
        self.counts: Counter[str] = Counter()
        self.input = InputCounts(files=len(request.traces))
        self._metrics = catalog.suite(request.suite)
        self._detectors = finance_detectors(request.detect, request.packs)
        self._tally = Tally([len(metric.measures) for metric in self._metrics])
        self._started_at = _now()
        self._lines_of: dict[str, tuple[str, int]] = {}
        self._problems: list[Problem] = []
        self._beside = _manifest_beside(request.traces)
        self.run_id = request.run_id or _run_id(request.traces)
        self.folder = request.out or Path("runs") / self.run_id

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

    def batches(self) -> Iterator[Batch]:
        """Lines of all traces in batches of about a megabyte."""
        batch: Batch = []
        size = 0
        for path in self._request.traces:
            for line in read_lines(path):
                if isinstance(line, Problem):
                    self._problem(line)
                    continue
                self.input.lines += 1
                batch.append(line)
                size += len(line.raw)
                if size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        if batch:
            yield batch

    def take(self, results: Iterable[_ScoredDialog | Problem]) -> None:
        """Write what a batch gave."""
        rejected = set()
        for result in results:
            if isinstance(result, Problem):
                if result.severity == "error":
                    rejected.add(result.line)
                self._problem(result)
                continue
            earlier = self._lines_of.setdefault(result.dialog_id, (result.line.file, result.line.number))
            if earlier != (result.line.file, result.line.number):
                rejected.add(result.line.number)
                self._problem(_duplicate(result, earlier))
                continue
            if self._trace is not None:
                self._trace.write(result.trace)
            if self._data is not None:
                self._data.update(result.line.raw + b"\n")
            self._rows.write(result.rows)
            self._evidence.write(result.evidence)
            self._tally.merge([result.sums])
            self.counts.update(result.counts)
        self.input.rejected_lines += len(rejected)

    def _problem(self, problem: Problem) -> None:
        self._problems.append(problem)
        if problem.severity == "warning":
            self.input.warnings += 1

    def finish(self, writer: RunWriter) -> ScoreResult:
        """Compute the summary, write the rest, make everything visible."""
        if not self._tally.dialogs:
            first = "".join(f"\n{problem}" for problem in self._problems[:5])
            message = f"{self._request.traces[0]}: expected at least one readable dialogue, found none{first}"
            raise DataError(message)
        summary = self._summary()
        writer.open(SUMMARY).write(pretty_json(summary))
        if self._problems:
            writer.open(PROBLEMS).write(encoded(self._problems))
        writer.finish(self._manifest(summary), kept=(TRACE,) if self._in_place else ())
        return ScoreResult(self.folder, summary, self.input.rejected_lines, self.counts["failed_rows"])

    def _summary(self) -> EvalSummary:
        from turnmark.pipeline.summarise import RESAMPLING, summarise  # noqa: PLC0415 - numpy loads only here

        request = self._request
        signature = signature_of(
            request.suite,
            self._detectors,
            {"ignore_memory_keys": str(request.ignore_memory_keys).lower(), "by": ",".join(request.by)},
            self._data.hexdigest() if self._data is not None else self._trace.digest() if self._trace else "",
        )
        states: dict[str, int] = {state: self.counts[f"reply_state:{state}"] for state in REPLY_STATES}
        return EvalSummary(
            run_id=self.run_id,
            trace_version=TRACE_VERSION,
            dataset_path=str(self._beside.get("dataset_path") or request.dataset or request.traces[0].name),
            model_name=str(self._beside.get("model_name") or "unknown"),
            suite=request.suite,
            detect=request.detect,
            turnmark_version=__version__,
            config_fingerprint=fingerprint(signature),
            signature=signature,
            counters={name: self.counts[name] for name in _COUNTERS},
            turn_status={status: self.counts[f"turn_status:{status}"] for status in ("ok", "timeout", "error")},
            reply_states=states,
            flags=flags(states, self.counts["total_turn_pairs"]),
            input=self.input,
            metrics=summarise(
                self._tally, self._metrics, published_counts=request.detect == "literal", strata=request.by
            ),
            resampling=RESAMPLING,
        )

    def _manifest(self, summary: EvalSummary) -> dict[str, object]:
        """The manifest beside the trace, unknown fields and times included, with what this scoring adds."""
        request = self._request
        own = RunManifest(
            trace_version=TRACE_VERSION,
            run_id=self.run_id,
            dataset_path=summary.dataset_path,
            started_at=self._started_at,
            ended_at=_now(),
            model_name=summary.model_name or "unknown",
            workers_dialog=request.workers,
            workers_judge=1,
            counters=summary.counters,
            turnmark_version=__version__,
            config_fingerprint=summary.config_fingerprint,
            signature=summary.signature,
            input=self.input,
            m1_handling="ignored_memory_required_keys" if request.ignore_memory_keys else None,
            settings={"suite": request.suite, "detect": request.detect, "by": list(request.by)},
        )
        merged: dict[str, object] = msgspec.to_builtins(own)
        merged |= {name: value for name, value in self._beside.items() if name not in _OWN_FIELDS}
        return merged


def flags(reply_states: dict[str, int], turns: int) -> list[str]:
    """What page one must say first: a run with more than 5 % of replies that are not normal cannot be trusted."""
    abnormal = turns - reply_states.get("normal", 0)
    return ["abnormal_replies"] if turns and abnormal > ABNORMAL_SHARE * turns else []


def _duplicate(dialog: _ScoredDialog, earlier: tuple[str, int]) -> Problem:
    return Problem(
        file=dialog.line.file,
        line=dialog.line.number,
        field="$.dialog_id",
        expected="each dialogue once",
        found=f"{dialog.dialog_id!r} again, first at {earlier[0]}:{earlier[1]}",
        advice="the first one was scored; remove one of the two",
    )


def _run_id(traces: tuple[Path, ...]) -> str:
    """The run id of the traces. Raises: UsageError when they do not agree."""

    class _Head(msgspec.Struct):
        run_id: str

    reader = Reader(_Head)
    found: dict[str, Path] = {}
    for path in traces:
        for record in reader.read(path):
            if not isinstance(record, Problem):
                found.setdefault(record.value.run_id, path)
                break
    if len(found) > 1:
        ids = ", ".join(f"{run_id!r} in {path}" for run_id, path in found.items())
        message = f"TRACE: expected traces of one run, found {ids}; give one name to all with --run-id"
        raise UsageError(message)
    return next(iter(found), "unknown")


def _manifest_beside(traces: tuple[Path, ...]) -> dict[str, object]:
    return (read_manifest(traces[0].parent) or {}) if len(traces) == 1 else {}


def _now() -> str:
    """The time, or SOURCE_DATE_EPOCH for builds that must be the same byte for byte."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
