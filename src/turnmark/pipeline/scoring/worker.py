"""A worker: lines of a trace in; rows, evidence and sums of each dialogue out. It may live in a process of its own."""

from __future__ import annotations

import gc
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.metrics.marked import readers
from turnmark.pipeline.publishing.run_turns import turn_view
from turnmark.report.view.data import TurnView
from turnmark.report.view.triage import Candidate, candidates, gravest_of, openness
from turnmark.runs.folder import TRACE
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, too_deep, without_surrogates
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import DEFAULT_SUITE, Deciders, IntervalMethod
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.trace_reader import TraceReader
from turnmark.schemas.turn_eval import LabelBy
from turnmark.stats.by_turn import TurnSums
from turnmark.stats.tally import DialogSums, Outcomes, Tally
from turnmark.suites.ground_truth import GroundTruth
from turnmark.suites.known_names import Doubt, UnreadDoubt
from turnmark.suites.protocol import Suite, SuiteSettings
from turnmark.suites.registry import make_suite, suite_definition


class ScoreRequest(NamedTuple):
    """Everything that `score` can be asked for; see ``turnmark score --help``.

    ``detect`` and ``by`` are None where the suite's own defaults are meant. ``columns`` pairs fields of the suite's
    records with the user's own names for them. ``judge_workers`` is how many calls of
    a judge ran at once before scoring, None where none did. ``source_format`` is the format of the traces
    (`turnmark.readers.registry`), None where each file tells. ``possible`` is a learned model (``shipped`` or a file)
    whose findings are shown beside the marks and counted in no figure.
    """

    traces: tuple[Path, ...]
    out: Path | None = None
    suite: str = DEFAULT_SUITE
    detect: str | None = None
    dataset: Path | None = None
    packs: tuple[Path, ...] = ()
    ignore_memory_keys: bool = False
    by: tuple[str, ...] | None = None
    run_id: str | None = None
    workers: int = 1
    intervals: IntervalMethod = "percentile"
    earlier_turns: bool = False
    compliance_by: LabelBy = "words"
    columns: tuple[tuple[str, str], ...] = ()
    judge_workers: int | None = None
    source_format: str | None = None
    possible: str | None = None

    @property
    def strata(self) -> tuple[str, ...]:
        """The fields of a dialogue that figures are broken down by."""
        return suite_definition(self.suite).by if self.by is None else self.by

    def make_suite(self) -> Suite:
        """The suite that is asked for. Raises: UsageError; PackError when a pack is wrong."""
        definition = suite_definition(self.suite)
        detect = definition.detect_name(self.detect)
        if self.possible is not None and not definition.possible:
            message = f"--possible: the suite {self.suite!r} has no learned model; leave the option out"
            raise UsageError(message)
        settings = SuiteSettings(
            detect,
            self.packs,
            self.ignore_memory_keys,
            self.earlier_turns,
            self.compliance_by,
            dict(self.columns),
            self.source_format,
            self.possible,
        )
        return make_suite(self.suite, settings)


class ScoredDialog(NamedTuple):
    """What one dialogue gives; ``place`` is that of its line in the batch, ``trace`` its line when it was changed.

    ``live`` holds its records where they need not be decoded again to be shown; ``asked`` is the digest of what it
    asks and expects.
    """

    run_id: str
    dialog_id: str
    place: int
    trace: bytes | None
    rows: bytes
    evidence: bytes
    records: bytes
    sums: DialogSums
    counts: dict[str, int]
    worst: list[Candidate]
    live: tuple[DialogTrace, Sequence[Row], Sequence[Evidence]] | None
    asked: bytes
    deciders: Mapping[str, Deciders]
    unread: Sequence[UnreadDoubt]


Batch = list["Line | Problem"]
BatchResult = list["ScoredDialog | Problem | TurnSums"]
"""Dialogues and problems in order, then the figures by turn number of all these dialogues."""


class Worker:
    """Scores batches of lines; one lives in every worker process."""

    def __init__(self, request: ScoreRequest, suite: Suite, *, alone: bool = False) -> None:
        self._request = request
        self._alone = alone
        self._suite = suite
        self._definition = suite_definition(request.suite)
        self._metrics = self._definition.metrics
        self._readers = readers(self._metrics)
        self._places = {metric.name: index for index, metric in enumerate(self._metrics)}
        self._strata = request.strata
        self._reader = TraceReader()
        self._truth = GroundTruth(request.dataset) if request.dataset else None

    def score(self, batch: Batch) -> BatchResult:
        """Every line's dialogue scored, or its problems."""
        with no_collection():
            return self._score(batch)

    def _score(self, batch: Batch) -> BatchResult:
        results: BatchResult = []
        turns = TurnSums()
        for index, line in enumerate(batch):
            if isinstance(line, Problem):
                results.append(line)
                continue
            decoded = self._reader.decode(line)
            if isinstance(decoded, list):
                results.extend(decoded)
                continue
            if decoded.warning is not None:
                results.append(decoded.warning)
            results += decoded.lost
            try:
                renamed = None if self._request.run_id is None else _with_run_id(line.raw, self._request.run_id)
            except RecursionError:  # in a field that the reader skips
                results.append(too_deep(line))
                continue
            scored, doubts = self._dialog(index, renamed, decoded.value, turns)
            scored.counts["failed_rows"] += len(decoded.lost)
            results += [*(doubt.at(line) for doubt in doubts), scored]
        results.append(turns)
        return results

    def _dialog(
        self, place: int, renamed: bytes | None, dialog: DialogTrace, turns: TurnSums
    ) -> tuple[ScoredDialog, Sequence[Doubt]]:
        if self._request.run_id is not None:
            dialog.run_id = self._request.run_id
        matched = self._truth is not None and self._truth.complete(dialog)
        result = self._suite.evaluate(dialog)
        written = encoded(result.rows)
        counted: Sequence[Mapping[str, Outcomes] | None] = result.outcomes or [None] * len(result.rows)
        rows = [self._definition.completed(row, given) for row, given in zip(result.rows, counted, strict=True)]
        tally = Tally([len(metric.measures) for metric in self._metrics])
        strata = {field: getattr(dialog, field) or "" for field in self._strata}
        sums = tally.open(dialog.dialog_id, strata)
        for row, given in zip(rows, counted, strict=True):
            normal = row.reply_state == "normal"
            for at, read in self._readers:
                name = self._metrics[at].name
                outcomes = given[name] if given else read(row)
                tally.add(sums, at, outcomes, normal=normal)
                turns.add(name, row.turn_pair_id, outcomes)
        for name, outcomes in result.dialog.items():
            tally.add(sums, self._places[name], outcomes, normal=any(row.reply_state == "normal" for row in rows))
        counts = Counter({"total_dialogs": 1, "failed_rows": sum(map(has_failure, rows)), "in_dataset": int(matched)})
        counts["valid_dialogs" if dialog.valid_dialog else "skipped_dialogs"] += 1
        counts["failed_dialogs"] += dialog.dialog_status == "failed"
        counts["total_turn_pairs"] += len(rows)
        for row in rows:
            counts[f"turn_status:{row.turn_status}"] += 1
            counts[f"reply_state:{row.reply_state}"] += 1
        found = candidates(rows)
        if (kind := gravest_of(found)) is not None:
            turns.faults[kind] += 1
        if open_rows := sum(openness(row) > 0 for row in rows):
            counts["undecided_turn_pairs"] += open_rows
            counts["undecided_only_dialogs"] += kind is None
        scored = ScoredDialog(
            dialog.run_id,
            dialog.dialog_id,
            place,
            renamed,
            written,
            encoded(result.evidence),
            b"".join(record + b"\n" for record in result.records),
            sums,
            dict(counts),
            found,
            (dialog, rows, result.evidence) if self._alone and self._truth is None else None,
            _asked(dialog),
            result.deciders,
            result.unread,
        )
        return scored, result.doubts


def _asked(dialog: DialogTrace) -> bytes:
    """The digest of what a dialogue asks and expects, whoever answers and however fast."""
    turns = [(turn.user_text, turn.gt_assistant_text, turn.gt_turn_tags) for turn in dialog.turns or ()]
    truth = (dialog.dialog_id, dialog.profile_gt, dialog.blueprint, dialog.slots_truth or None)
    return hashlib.sha256(msgspec.json.encode((truth, turns), order="sorted")).digest()


def has_failure(row: Row) -> bool:
    """Whether a metric that applies to the turn failed."""
    return any(mark.failed is not None for mark in row.marks.values())


def encoded(records: Sequence[msgspec.Struct]) -> bytes:
    """Records as JSON lines."""
    return msgspec.json.Encoder().encode_lines(records)


@contextmanager
def no_collection() -> Iterator[None]:
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


class Views:
    """Gives the turns of a scored dialogue as they are shown; each made only when it is kept.

    A dialogue that comes from another process is decoded from what is written of it.
    """

    def __init__(self, dialog: ScoredDialog, trace: bytes, suite: str) -> None:
        self._dialog = dialog
        self._trace = trace
        self._definition = suite_definition(suite)
        self._loaded: _Loaded | None = None

    def __call__(self, turn_pair_id: int) -> TurnView:
        """The turn of this id."""
        if self._loaded is None:
            self._loaded = self._load()
        trace, rows, evidence = self._loaded
        return turn_view(rows[turn_pair_id], trace, evidence.get(turn_pair_id, ()))

    def _load(self) -> _Loaded:
        trace: DialogTrace | None
        rows: Sequence[Row]
        pieces: Sequence[Evidence]
        if self._dialog.live is not None:
            trace, rows, pieces = self._dialog.live
        else:
            decoded = TraceReader().decode(Line(TRACE, 0, self._trace))
            trace = None if isinstance(decoded, list) else decoded.value
            decoder = msgspec.json.Decoder(self._definition.row)
            rows = [self._definition.completed(row) for row in decoder.decode_lines(self._dialog.rows)]
            pieces = msgspec.json.Decoder(Evidence).decode_lines(self._dialog.evidence)
        evidence: dict[int | None, list[Evidence]] = {}
        for piece in pieces:
            evidence.setdefault(piece.turn_pair_id, []).append(piece)
        return _Loaded(trace, {row.turn_pair_id: row for row in reversed(rows)}, evidence)


class _Loaded(NamedTuple):
    """A scored dialogue by turn; of rows with one id the first."""

    trace: DialogTrace | None
    rows: Mapping[int, Row]
    evidence: Mapping[int | None, Sequence[Evidence]]
