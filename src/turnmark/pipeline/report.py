"""From a run folder to its pages. Files are read as streams; only the turns that are shown are decoded in full."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from turnmark.report.data import ReportData, TurnView
from turnmark.report.html import render_html
from turnmark.report.markdown import render_markdown
from turnmark.report.worst import LeanRow, WorstTurns, candidates, faults
from turnmark.runs.folder import (
    EVIDENCE,
    PROBLEMS,
    REPORT_HTML,
    REPORT_MARKDOWN,
    TRACE,
    TURN_EVAL,
    read_manifest,
    read_summary,
    write_whole,
)
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, Reader, read_lines
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow

MOST_PROBLEMS = 20

Key = tuple[str, int]
_DIALOG_ID = re.compile(rb'"dialog_id"\s*:\s*("(?:[^"\\]|\\.)*")')


class _EvidenceHead(msgspec.Struct, gc=False):
    dialog_id: str = ""
    turn_pair_id: int | None = None


class _DialogHead(msgspec.Struct, gc=False):
    dialog_id: str


def write_report(folder: Path, worst: Sequence[TurnView] | None = None) -> tuple[Path, Path]:
    """Write ``report.md`` and ``report.html`` into a scored run folder and return their paths.

    ``worst`` are the turns to show when scoring has them at hand; else they are read from the folder, with the same
    result. The pages depend on the folder's files only: the same folder gives the same bytes. A folder without rows,
    evidence or trace gives pages without turns.

    Raises: DataError when the summary is missing or wrong, or a file cannot be read.
    """
    data = gather(folder, worst)
    pages = folder / REPORT_MARKDOWN, folder / REPORT_HTML
    write_whole(pages[0], render_markdown(data.summary).encode("utf-8", "replace"))
    write_whole(pages[1], render_html(data).encode("utf-8", "replace"))
    return pages


def gather(folder: Path, worst: Sequence[TurnView] | None = None) -> ReportData:
    """What the page of a run shows, read from its folder. Raises: DataError, as `write_report`."""
    summary = read_summary(folder)
    problems, problem_count = _problems(folder / PROBLEMS)
    return ReportData(
        summary=summary,
        manifest=read_manifest(folder),
        problems=problems,
        problem_count=problem_count,
        worst=worst_turns(folder) if worst is None else worst,
    )


def worst_turns(folder: Path) -> list[TurnView]:
    """The turns to look at first, gravest first, with their texts and evidence, read from a run folder."""
    reader = Reader(TurnEvalRow)
    chosen = [Line(TURN_EVAL, 0, raw) for raw in _chosen_rows(folder / TURN_EVAL)]
    rows = [decoded.value for line in chosen if not isinstance(decoded := reader.decode(line), list)]
    keys = {(row.dialog_id, row.turn_pair_id) for row in rows}
    if not keys:
        return []
    evidence = _evidence(folder / EVIDENCE, keys)
    dialogs = {dialog.dialog_id: dialog for dialog in _dialogs(folder / TRACE, {dialog_id for dialog_id, _ in keys})}
    return [
        turn_view(row, dialogs.get(row.dialog_id), evidence.get((row.dialog_id, row.turn_pair_id), ())) for row in rows
    ]


def turn_view(row: TurnEvalRow, dialog: DialogTrace | None, evidence: Sequence[Evidence]) -> TurnView:
    """One turn as it is shown; without texts when the trace does not hold it."""
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
    )


def _lines(path: Path) -> Iterator[Line]:
    """The readable lines of a file that may be missing."""
    if path.is_file():
        for line in read_lines(path):
            if not isinstance(line, Problem):
                yield line


def _chosen_rows(path: Path) -> list[bytes]:
    worst: WorstTurns[bytes] = WorstTurns()
    decode = msgspec.json.Decoder(LeanRow).decode
    dialog_id: str | None = None
    rows: dict[int, tuple[LeanRow, bytes]] = {}
    for line in _lines(path):
        try:
            row = decode(line.raw)
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
    found: dict[Key, list[Evidence]] = {}
    for line in _lines(path):
        try:
            head = decode(line.raw)
            if head.dialog_id in dialogs and head.turn_pair_id is not None:
                key = (head.dialog_id, head.turn_pair_id)
                if key in wanted:
                    found.setdefault(key, []).append(msgspec.json.decode(line.raw, type=Evidence))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return found


def _dialogs(path: Path, wanted: set[str]) -> Iterator[DialogTrace]:
    """The wanted dialogues of a trace, each once.

    The first ``dialog_id`` in a line is nearly always the dialogue's own, and finding it costs next to nothing. Lines
    where another object comes first are found in a second pass, which decodes.
    """
    missing = set(wanted)
    reader = Reader(DialogTrace)
    for quick in (True, False):
        for line in _lines(path):
            if not missing:
                return
            if (_first_id(line.raw) if quick else _own_id(line.raw)) not in missing:
                continue
            decoded = reader.decode(line)
            if not isinstance(decoded, list) and decoded.value.dialog_id in missing:
                missing.discard(decoded.value.dialog_id)
                yield decoded.value


def _first_id(raw: bytes) -> str | None:
    found = _DIALOG_ID.search(raw)
    try:
        return msgspec.json.decode(found[1], type=str) if found else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _own_id(raw: bytes) -> str | None:
    try:
        return msgspec.json.decode(raw, type=_DialogHead).dialog_id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _problems(path: Path) -> tuple[list[Problem], int]:
    """The first problems of the input, and how many there are."""
    shown: list[Problem] = []
    count = 0
    reader = Reader(Problem)
    for line in _lines(path):
        count += 1
        if len(shown) < MOST_PROBLEMS and not isinstance(decoded := reader.decode(line), list):
            shown.append(decoded.value)
    return shown, count
