"""A worker: lines of a trace in; rows, evidence and sums of each dialogue out. It may live in a process of its own."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.metrics import catalog
from turnmark.pipeline.evaluate import Settings, add_rows, encoded, evaluate_dialog, profile_outcomes
from turnmark.pipeline.ground_truth import GroundTruth
from turnmark.pipeline.turns import turn_view
from turnmark.report.data import TurnView
from turnmark.report.worst import Candidate, candidates
from turnmark.runs.folder import TRACE
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, Reader, without_surrogates
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import DialogSums, Tally

DEFAULT_STRATA = ("scenario_type", "difficulty")


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


class ScoredDialog(NamedTuple):
    """What one dialogue gives; ``place`` is that of its line in the batch, ``trace`` its line when it was changed."""

    dialog_id: str
    place: int
    trace: bytes | None
    rows: bytes
    evidence: bytes
    sums: DialogSums
    counts: dict[str, int]
    worst: list[Candidate]
    live: tuple[DialogTrace, list[TurnEvalRow], list[Evidence]] | None


Batch = list["Line | Problem"]
BatchResult = list["ScoredDialog | Problem"]


class Worker:
    """Scores batches of lines; one lives in every worker process."""

    def __init__(self, request: ScoreRequest, *, alone: bool = False) -> None:
        self._request = request
        self._alone = alone
        self._detectors = finance_detectors(request.detect, request.packs)
        self._metrics = catalog.suite(request.suite)
        self._reader = Reader(DialogTrace)
        self._settings = Settings(ignore_memory_keys=request.ignore_memory_keys, run_id=request.run_id)
        self._truth = GroundTruth(request.dataset) if request.dataset else None
        self._profile = next(place for place, metric in enumerate(self._metrics) if metric.unit == "dialog")

    def score(self, batch: Batch) -> BatchResult:
        """Every line's dialogue scored, or its problems."""
        with _no_collection():
            return self._score(batch)

    def _score(self, batch: Batch) -> BatchResult:
        results: BatchResult = []
        for place, line in enumerate(batch):
            if isinstance(line, Problem):
                results.append(line)
                continue
            decoded = self._reader.decode(line)
            if isinstance(decoded, list):
                results.extend(decoded)
                continue
            if decoded.warning is not None:
                results.append(decoded.warning)
            results.append(self._dialog(place, line, decoded.value))
        return results

    def _dialog(self, place: int, line: Line, dialog: DialogTrace) -> ScoredDialog:
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
        return ScoredDialog(
            dialog.dialog_id,
            place,
            None if self._request.run_id is None else _with_run_id(line.raw, self._request.run_id),
            encoded(rows),
            encoded([*evidence, *profile_evidence]),
            sums,
            dict(counts),
            candidates(rows),
            (dialog, rows, evidence) if self._alone and self._truth is None else None,
        )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Records of a batch hold no cycles and go by reference count; looking for cycles meanwhile only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _with_run_id(raw: bytes, run_id: str) -> bytes:
    """The line with another run id, unknown fields included."""
    value: dict[str, Any]
    try:
        value = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):  # half a character, or in a name that the reader skips no UTF-8
        value = without_surrogates(json.loads(raw.decode("utf-8", "replace")), [0])
    value["run_id"] = run_id
    return msgspec.json.encode(value)


_worker: Worker | None = None


def start_worker(request: ScoreRequest) -> None:
    """Make the worker of this process."""
    global _worker  # noqa: PLW0603 - one worker a process, made once
    _worker = Worker(request)


def score_batch(batch: Batch) -> BatchResult:
    """Score a batch with the worker of this process."""
    if _worker is None:  # pragma: no cover - the pool always runs the initializer first
        message = "the worker process was not started"
        raise RuntimeError(message)
    return _worker.score(batch)


class Views:
    """Gives the turns of a scored dialogue as they are shown; made only when one of them is kept.

    A dialogue that comes from another process is decoded from what is written of it.
    """

    def __init__(self, dialog: ScoredDialog, trace: bytes) -> None:
        self._dialog = dialog
        self._trace = trace
        self._views: dict[int, TurnView] = {}

    def __call__(self, turn_pair_id: int) -> TurnView:
        """The turn of this id."""
        if not self._views:
            self._load()
        return self._views[turn_pair_id]

    def _load(self) -> None:
        trace: DialogTrace | None
        if self._dialog.live is not None:
            trace, rows, pieces = self._dialog.live
        else:
            decoded = Reader(DialogTrace).decode(Line(TRACE, 0, self._trace))
            trace = None if isinstance(decoded, list) else decoded.value
            rows = msgspec.json.Decoder(TurnEvalRow).decode_lines(self._dialog.rows)
            pieces = msgspec.json.Decoder(Evidence).decode_lines(self._dialog.evidence)
        evidence: dict[int | None, list[Evidence]] = {}
        for piece in pieces:
            evidence.setdefault(piece.turn_pair_id, []).append(piece)
        for row in rows:
            self._views.setdefault(row.turn_pair_id, turn_view(row, trace, evidence.get(row.turn_pair_id, ())))
