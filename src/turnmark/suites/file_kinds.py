"""Which kind of file a file is, by its name and its first lines; and where a file of another kind belongs."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from turnmark.schemas.jsonl import Line, read_lines
from turnmark.schemas.problems import Problem
from turnmark.suites.rag.read_cases import ALIASES

_LINES_LOOKED_AT = 20

_QUESTIONS = ("question", *(name for name, own in ALIASES.items() if own == "question"))
_ANSWERS = tuple(
    name
    for own in ("answer", "ground_truth_answer", "retrieved_contexts")
    for name in (own, *(alias for alias, meant in ALIASES.items() if meant == own))
)
_BY_NAME = {
    "run_manifest.json": "manifest",
    "metrics_summary.json": "summary",
    "dialog_trace.jsonl": "trace",
    "turn_eval.jsonl": "turn_eval",
    "evidence.jsonl": "evidence",
    "problems.jsonl": "problems",
    "overrides.jsonl": "overrides",
}
_BY_SUFFIX = {".yaml": "pack", ".yml": "pack", ".csv": "cases", ".parquet": "cases", ".pq": "cases"}
_BY_FIELDS = (
    ("turn_eval", {"eligible_m1", "turn_pair_id"}),
    ("turn_eval", {"marks", "suite"}),
    ("evidence", {"metric", "rule"}),
    ("overrides", {"turn_pair_id", "marked", "reviewer"}),
    ("events", {"patient_id", "question", "mode"}),
    ("scripts", {"patient_id", "turns"}),
    ("trace", {"dialog_id", "valid_dialog"}),
    ("trace", {"dialog_id", "trace_version"}),
    ("dataset", {"dialog_id", "turns"}),
    ("labels", {"id", "reply"}),
    ("labels", {"id", "target"}),
    ("summary", {"run_id", "metrics", "counters"}),
    ("manifest", {"run_id", "started_at"}),
    *(("cases", {question, answer}) for question in _QUESTIONS for answer in _ANSWERS),
)
_PLACES = {
    "events": "answers to patients: {verb} them with --suite clinical",
    "scripts": "scripts of questions to patients: play them with turnmark run --suite clinical --agent AGENT",
    "cases": "RAG cases: {verb} them with --suite rag",
    "dataset": "a dataset of dialogues without an assistant: play it with turnmark run --agent AGENT",
    "labels": "labels of readers: compare with them by turnmark agree",
    "turn_eval": "rows of a scored run: name the run's folder, or its dialog_trace.jsonl",
    "evidence": "evidence of a scored run: name the run's folder, or its dialog_trace.jsonl",
    "summary": "the summary of a scored run: name the run's folder, or its dialog_trace.jsonl",
    "manifest": "the manifest of a run: name the run's folder, or its dialog_trace.jsonl",
    "pack": "rules: lay them over the shipped ones with --pack",
}
_OF_SUITE = {"clinical": {"events"}, "rag": {"cases"}}


def kind_of(path: Path) -> str | None:
    """The kind of a file, as ``turnmark check`` calls it; None when it cannot be told.

    Raises: DataError when the file cannot be read.
    """
    if path.name in _BY_NAME:
        return _BY_NAME[path.name]
    if path.suffix.lower() in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix.lower()]
    kind = None
    if path.suffix == ".json":
        kind = _kind_by_fields(Line(str(path), 1, path.read_bytes()))
    for line in () if kind else itertools.islice(read_lines(path), _LINES_LOOKED_AT):
        if not isinstance(line, Problem):
            kind = kind or _kind_by_fields(line)
    return kind


def _kind_by_fields(line: Line) -> str | None:
    try:
        value = json.loads(line.raw)  # takes marks, halves of characters and NaN, which are not the question here
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return next((kind for kind, fields in _BY_FIELDS if fields <= value.keys()), None)


def place_of(path: Path, suite: str, verb: str = "score") -> str | None:
    """Where a file belongs that the suite could not read: a line of advice; None when it is of the right kind.

    ``verb`` is what the user wanted to do with it.
    """
    kind = kind_of(path)
    if kind is None or kind in _OF_SUITE.get(suite, ()) or kind not in _PLACES:
        return None
    return f"{path} looks like {_PLACES[kind].format(verb=verb)}"


def suite_of(path: Path) -> str | None:
    """The suite that reads files of this kind; None when it cannot be told.

    Raises: DataError when the file cannot be read.
    """
    kind = kind_of(path)
    if kind == "trace":
        return "finance"
    return next((suite for suite, kinds in _OF_SUITE.items() if kind in kinds), None)
