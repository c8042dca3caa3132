"""Turns of a run folder as pages show them. Files are read as streams; only what is shown is decoded in full."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.metrics import catalog
from turnmark.metrics.definition import Metric
from turnmark.metrics.marked import readers
from turnmark.report.view.data import TurnView
from turnmark.report.view.triage import OPEN, LeanRow, WorstTurns, candidates, faults, gravest_of
from turnmark.runs.folder import EVIDENCE, TRACE, TURN_EVAL
from turnmark.schemas.evidence import Evidence, is_possible
from turnmark.schemas.jsonl import Line, Reader, read_lines
from turnmark.schemas.labels.fingerprint import fingerprint
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.trace_reader import TraceReader
from turnmark.schemas.turn_eval import SUITE as TURN_EVAL_SUITE
from turnmark.stats.by_turn import TurnSums
from turnmark.suites.protocol import SuiteDefinition
from turnmark.suites.registry import suite_definition

Key = tuple[str, int]
Change = Callable[[Sequence[TurnView], DialogTrace | None], list[TurnView]]
"""What is done to the turns of a dialogue before they are shown (masking)."""

_DIALOG_ID = re.compile(rb'"dialog_id"\s*:\s*("(?:[^"\\]|\\.)*")')


class _EvidenceHead(msgspec.Struct, gc=False):
    dialog_id: str = ""
    turn_pair_id: int | None = None


class _DialogHead(msgspec.Struct, gc=False):
    dialog_id: str


_HEADS = Reader(_DialogHead)


class _RowHead(msgspec.Struct, gc=False):
    dialog_id: str
    turn_pair_id: int


def worst_turns(folder: Path, change: Change | None = None) -> list[TurnView]:
    """The turns to look at first, gravest first, with their texts and evidence, read from a run folder."""
    return _views(folder, _chosen_rows(folder / TURN_EVAL), change)


def turns_of(folder: Path, wanted: Collection[Key], change: Change | None = None) -> list[TurnView]:
    """The turns with these ids, in the order of the rows, each once; `places` finds single dialogues faster."""
    decode = msgspec.json.Decoder(_RowHead).decode
    rows: dict[Key, bytes] = {}
    for line in lines(folder / TURN_EVAL):
        try:
            head = decode(line.raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if (head.dialog_id, head.turn_pair_id) in wanted:
            rows.setdefault((head.dialog_id, head.turn_pair_id), line.raw)
    return _views(folder, list(rows.values()), change)


def _views(folder: Path, raw_rows: Sequence[bytes], change: Change | None) -> list[TurnView]:
    rows = [row for raw in raw_rows if (row := decode_row(raw)) is not None]
    keys = {(row.dialog_id, row.turn_pair_id) for row in rows}
    if not keys:
        return []
    evidence = _evidence(folder / EVIDENCE, keys)
    dialogs = {dialog.dialog_id: dialog for dialog in _dialogs(folder / TRACE, {dialog_id for dialog_id, _ in keys})}
    views = []
    for row in rows:
        dialog = dialogs.get(row.dialog_id)
        view = turn_view(row, dialog, evidence.get((row.dialog_id, row.turn_pair_id), ()))
        views += change([view], dialog) if change else [view]
    return views


class _RowSuite(msgspec.Struct, gc=False):
    suite: str = TURN_EVAL_SUITE


@functools.cache
def _row_reader(suite: str) -> tuple[Reader[Row], SuiteDefinition]:
    definition = suite_definition(suite)
    row: type[Any] = definition.row
    return Reader(row), definition


def decode_row(raw: bytes) -> Row | None:
    """A line of ``turn_eval.jsonl`` as the row of its suite, with its marks.

    None when it cannot be read or the suite is not known.
    """
    try:
        reader, definition = _row_reader(msgspec.json.decode(raw, type=_RowSuite).suite)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, UsageError):
        return None
    decoded = reader.decode(Line(TURN_EVAL, 0, raw))
    return None if isinstance(decoded, list) else definition.completed(decoded.value)


def row_problem(line: Line) -> Problem:
    """What is wrong with a line that `decode_row` cannot read, by field."""
    try:
        reader, _ = _row_reader(msgspec.json.decode(line.raw, type=_RowSuite).suite)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Problem(file=line.file, line=line.number, expected=f"a row ({error})", found=f"{len(line.raw)} bytes")
    except UsageError as error:
        return Problem(file=line.file, line=line.number, field="$.suite", expected=f"a known suite ({error})")
    decoded = reader.decode(line)
    wrong = Problem(file=line.file, line=line.number, expected="a row of a known suite")
    return decoded[0] if isinstance(decoded, list) else wrong


_LEAN = msgspec.json.Decoder(LeanRow)


def lean_row(raw: bytes) -> LeanRow:
    """The part of a row that lists and choices need; a row without marks is read whole for them.

    Raises: msgspec.DecodeError, UnicodeDecodeError or RecursionError when it cannot be read.
    """
    lean = _LEAN.decode(raw)
    if lean.written_marks is msgspec.UNSET:
        row = decode_row(raw)
        lean.written_marks, lean.flags = (row.marks, row.flags) if row is not None else ({}, ())
    return lean


def turn_view(row: Row, dialog: DialogTrace | None, evidence: Sequence[Evidence]) -> TurnView:
    """One turn as it is shown; without texts when the trace does not hold it.

    Evidence of a run of earlier days gets the names that its metrics have now. What is only possible is kept apart.
    """
    for piece in evidence:
        piece.metric = catalog.current_name(piece.metric)
    possible = [piece for piece in evidence if is_possible(piece)]
    if possible:
        evidence = [piece for piece in evidence if piece not in possible]
    turns = (dialog.turns if dialog else None) or ()
    turn = next((turn for turn in turns if turn.turn_pair_id == row.turn_pair_id), None)
    if dialog is None or turn is None:
        return TurnView(row.dialog_id, row.turn_pair_id, "", "", row, evidence, faults(row), in_trace=False)
    return TurnView(
        dialog_id=row.dialog_id,
        turn_pair_id=row.turn_pair_id,
        user_text=turn.user_text,
        reply=turn.pred_assistant_text or "",
        row=row,
        evidence=evidence,
        reasons=faults(row),
        scenario=dialog.scenario_type or "",
        difficulty=dialog.difficulty or "",
        language=dialog.language or "",
        error=turn.error or "",
        contexts=[item.content for item in turn.recall.items or ()] if turn.recall else (),
        reference=turn.gt_assistant_text or "",
        possible=possible,
    )


def run_faults(folder: Path) -> dict[str, int]:
    """The dialogues of a run by their gravest kind of fault; rows that cannot be read are passed over.

    Those without a fault in which something was not decided stand under "undecided".
    """
    found: Counter[str] = Counter()
    for _, of_dialog in itertools.groupby(_lean_rows(folder / TURN_EVAL), key=lambda row: row.dialog_id):
        kept = candidates(of_dialog)
        if (kind := gravest_of(kept)) is not None:
            found[kind] += 1
        elif any(one.metric == OPEN for one in kept):
            found["undecided"] += 1
    return dict(found)


def _lean_rows(path: Path) -> Iterator[LeanRow]:
    for line in lines(path):
        try:
            yield lean_row(line.raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue


def turn_sums(folder: Path, suite: str) -> TurnSums | None:
    """Figures by turn number and reasons, from the rows of a run; None without rows or for an unknown suite."""
    try:
        metrics = suite_definition(suite).metrics
    except UsageError:
        return None
    rows = (row for line in lines(folder / TURN_EVAL) if (row := decode_row(line.raw)) is not None)
    whole = TurnSums()
    for _, of_dialog in itertools.groupby(rows, key=lambda row: row.dialog_id):
        whole.merge(dialog_turn_sums([row for row in of_dialog if row.suite == suite], metrics))
    return whole if whole.rows else None


def dialog_turn_sums(rows: Sequence[Row], metrics: Sequence[Metric]) -> TurnSums:
    """What the rows of one dialogue add to the figures by turn number."""
    sums = TurnSums()
    if (kind := gravest_of(candidates(rows))) is not None:
        sums.faults[kind] += 1
    read_by = [(metrics[index].name, read) for index, read in readers(metrics)]
    for row in rows:
        for name, read in read_by:
            sums.add(name, row.turn_pair_id, read(row))
    return sums


def lines(path: Path) -> Iterator[Line]:
    """The readable lines of a file that may be missing."""
    if path.is_file():
        for line in read_lines(path):
            if not isinstance(line, Problem):
                yield line


def _chosen_rows(path: Path) -> list[bytes]:
    worst: WorstTurns[bytes] = WorstTurns()
    dialog_id: str | None = None
    rows: dict[int, tuple[LeanRow, bytes]] = {}
    for line in lines(path):
        try:
            row = lean_row(line.raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if row.dialog_id != dialog_id:
            _close(worst, rows)
            dialog_id = row.dialog_id
        rows.setdefault(row.turn_pair_id, (row, line.raw))
    _close(worst, rows)
    return worst.chosen()


def _close(worst: WorstTurns[bytes], rows: dict[int, tuple[LeanRow, bytes]]) -> None:
    """The dialogue is over: its candidates compete with those of the others."""
    worst.add(candidates(row for row, _ in rows.values()), lambda turn_pair_id: rows[turn_pair_id][1])
    rows.clear()


def _evidence(path: Path, wanted: set[Key]) -> dict[Key, list[Evidence]]:
    """The evidence of the wanted turns, in the order of the file."""
    decode = msgspec.json.Decoder(_EvidenceHead).decode
    dialogs = {dialog_id for dialog_id, _ in wanted}
    results: dict[Key, list[Evidence]] = {}
    for line in lines(path):
        try:
            head = decode(line.raw)
            if head.dialog_id in dialogs and head.turn_pair_id is not None:
                key = (head.dialog_id, head.turn_pair_id)
                if key in wanted:
                    results.setdefault(key, []).append(msgspec.json.decode(line.raw, type=Evidence))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return results


def _dialogs(path: Path, wanted: set[str]) -> Iterator[DialogTrace]:
    """The wanted dialogues of a trace, each once.

    The first ``dialog_id`` in a line is nearly always the dialogue's own, and finding it costs next to nothing. Lines
    where another object comes first are found in a second pass, which decodes.
    """
    missing = set(wanted)
    reader = TraceReader()
    for quick in (True, False):
        for line in lines(path):
            if not missing:
                return
            if (first_id(line.raw) if quick else own_id(line.raw)) not in missing:
                continue
            decoded = reader.decode(line)
            if not isinstance(decoded, list) and decoded.value.dialog_id in missing:
                missing.discard(decoded.value.dialog_id)
                yield decoded.value


def fingerprints(folder: Path, wanted: Collection[Key]) -> dict[Key, str]:
    """What labels of these turns must have been given to; turns that the trace does not hold are left out."""
    results: dict[Key, str] = {}
    turns: dict[str, list[int]] = {}
    for dialog_id, turn_pair_id in wanted:
        turns.setdefault(dialog_id, []).append(turn_pair_id)
    for dialog in _dialogs(folder / TRACE, set(turns)) if turns else ():
        for turn_pair_id in turns[dialog.dialog_id]:
            if said := fingerprint(dialog, turn_pair_id):
                results[dialog.dialog_id, turn_pair_id] = said
    return results


def first_id(raw: bytes) -> str | None:
    """The first ``dialog_id`` in a line, found without decoding it."""
    match = _DIALOG_ID.search(raw)
    try:
        return msgspec.json.decode(match[1], type=str) if match else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def own_id(raw: bytes) -> str | None:
    """The id of the dialogue in a line; of one with half an emoji too, which is read as it was scored."""
    try:
        return msgspec.json.decode(raw, type=_DialogHead).dialog_id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        result = _HEADS.decode(Line(TRACE, 0, raw))
        return None if isinstance(result, list) else result.value.dialog_id
