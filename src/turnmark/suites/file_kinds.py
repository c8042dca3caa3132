"""Which kind of file a file is, by its name and the names at the top of its first lines: one way for every command.

The kinds that every suite has stand here; each suite adds its own (`SuiteDefinition.kinds`). A line is of the kind
that asks for most of the names it has; of two that ask for as many, of the one that is named first.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.readers.chats import MESSAGE_LISTS, is_chat, is_chat_text
from turnmark.readers.records import record_lines
from turnmark.readers.registry import format_reader, recognised
from turnmark.readers.tables import is_table
from turnmark.replay.inputs import DIALOGS, Kind
from turnmark.runs.folder import TRACE, read_manifest
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import DEFAULT_SUITE
from turnmark.suites.protocol import FileKind
from turnmark.suites.registry import suite_definition, suite_definitions, suite_names

_LINES_LOOKED_AT = 20

_BY_NAME = {
    "run_manifest.json": "manifest",
    "metrics_summary.json": "summary",
    "dialog_trace.jsonl": "trace",
    "turn_eval.jsonl": "turn_eval",
    "evidence.jsonl": "evidence",
    "problems.jsonl": "problems",
    "overrides.jsonl": "overrides",
}
_OF_A_RUN = "of a scored run: name the run's folder, or its dialog_trace.jsonl"


def _fields(*names: str) -> frozenset[str]:
    return frozenset(names)


_RESULTS = (
    FileKind(
        "turn_eval", (_fields("eligible_m1", "turn_pair_id"), _fields("marks", "suite")), advice=f"rows {_OF_A_RUN}"
    ),
    FileKind("evidence", (_fields("metric", "rule"),), advice=f"evidence {_OF_A_RUN}"),
    FileKind("overrides", (_fields("turn_pair_id", "marked", "reviewer"),)),
)
_DIALOGUES = (
    FileKind("trace", (_fields("dialog_id", "valid_dialog"), _fields("dialog_id", "trace_version")), scored=True),
    FileKind(
        "dataset", (_fields("dialog_id", "turns"), _fields("dialog_id")),
        advice="a dataset of dialogues without an assistant: play it with turnmark run --agent AGENT",
    ),
    FileKind("chats", tuple(_fields(name) for name in MESSAGE_LISTS), scored=True),
    FileKind("summary", (_fields("run_id", "metrics", "counters"),), advice=f"the summary {_OF_A_RUN}"),
    FileKind(
        "manifest", (_fields("run_id", "started_at"),),
        advice="the manifest of a run: name the run's folder, or its dialog_trace.jsonl",
    ),
    FileKind(
        "pack", advice="rules: lay them over the shipped ones with --pack", suffixes=(".yaml", ".yml"),
    ),
)  # fmt: skip


@functools.cache
def file_kinds() -> tuple[FileKind, ...]:
    """Every kind of file, those of all suites too, in the order in which a line is tried."""
    own = [kind for definition in suite_definitions() for kind in definition.file_kinds()]
    return (*_RESULTS, *own, *_DIALOGUES)


def kind_of(path: Path) -> str | None:
    """The kind of a file, as ``turnmark check`` calls it; None when it cannot be told.

    Raises: DataError when the file cannot be read.
    """
    if path.name in _BY_NAME:
        return _BY_NAME[path.name]
    form = recognised(path)
    if form not in {None, "chats"}:
        return _kind_of_form(str(form))
    by_suffix = [kind.name for kind in file_kinds() if path.suffix.lower() in kind.suffixes]
    if by_suffix:
        return by_suffix[0]
    if is_chat_text(path):
        return "chats"
    kind = None
    if path.suffix == ".json":
        kind = _kind_of_line(Line(str(path), 1, path.read_bytes()))
    for line in () if kind else itertools.islice(record_lines(path, is_chat), _LINES_LOOKED_AT):
        if not isinstance(line, Problem):
            kind = kind or _kind_of_line(line)
    return kind


def _kind_of_form(form: str) -> str:
    """The kind of the files of a format: dialogues are told apart by it, cases are cases. Raises: UsageError."""
    return form if format_reader(form).gives == "dialogues" else "cases"


def kind_of_record(names: Iterable[str]) -> str | None:
    """The kind of a JSON object by the names at its top level; None when it is of no known kind."""
    there = frozenset(names)
    fitting = [
        (len(fields), kind.name) for kind in file_kinds() for fields in kind.fields if fields <= kind.named(there)
    ]
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def _kind_of_line(line: Line) -> str | None:
    try:
        value = json.loads(line.raw)  # takes marks, halves of characters and NaN, which are not the question here
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return (
            "chats"
            if is_chat(value)
            else next((kind_of_record(each) for each in value if isinstance(each, dict)), None)
        )
    return kind_of_record(value) if isinstance(value, dict) else None


def played_kind(path: Path, columns: Mapping[str, str] | None = None) -> Kind | None:
    """What a file gives to play, by its first readable record of a kind that can be played; None without any.

    With ``columns`` (fields and what the file calls them) it is a kind whose files have columns. Raises: UsageError
    when the file holds something else.
    """
    if not columns:
        return _played_kind(path)
    kind = _played_kind(path) or next((each for each in played_kinds() if each.columns is not None), None)
    if kind is None or kind.columns is None:
        message = f"--columns: expected a file of questions, found {kind.described if kind else 'none'} in {path}"
        raise UsageError(message)
    return kind._replace(records=kind.columns(columns))


def _played_kind(path: Path) -> Kind | None:
    for suite in suite_definitions() if is_table(path) else ():
        if any(kind.scored and path.suffix.lower() in kind.suffixes for kind in suite.file_kinds()):
            return suite.played_kind()
    reader = Reader(dict)
    for line in record_lines(path):
        decoded = None if isinstance(line, Problem) else reader.decode(line)
        kind = None if decoded is None or isinstance(decoded, list) else played_kind_of(decoded.value)
        if kind is not None:
            return kind
    return None


def suite_played(path: Path, columns: Mapping[str, str] | None = None) -> str | None:
    """The suite whose dialogues or questions a file holds, the default one for dialogues; None when there are none."""
    kind = played_kind(path, columns) if path.is_file() else None
    if kind is None or kind.name == DIALOGS.name:
        return DEFAULT_SUITE if kind else None
    return next((suite.name for suite in suite_definitions() if suite.played_kind().name == kind.name), None)


def played_kinds() -> tuple[Kind, ...]:
    """Everything that can be played, dialogues first."""
    return tuple(dict.fromkeys([DIALOGS, *(definition.played_kind() for definition in suite_definitions())]))


def played_kind_of(record: dict[str, object]) -> Kind | None:
    """What one record gives to play."""
    return next((kind for kind in played_kinds() if kind.matches(record)), None)


def place_of(path: Path, suite: str, verb: str = "score") -> str | None:
    """Where a file belongs that the suite could not read: a line of advice; None when it is of the right kind.

    ``verb`` is what the user wanted to do with it.
    """
    name = kind_of(path)
    own = {kind.name for kind in suite_definition(suite).file_kinds() if kind.scored}
    kind = next((kind for kind in file_kinds() if kind.name == name), None)
    if kind is None or kind.name in own or not kind.advice:
        return None
    return f"{path} looks like {kind.advice.format(verb=verb)}"


def suite_of(path: Path, form: str | None = None) -> str | None:
    """The suite that scores files of this kind; None when it cannot be told.

    ``form`` is its format, where the user said which. Of a run that was scored before it is the same again; of another
    trace and of a chat log, the default one.

    Raises: DataError when the file cannot be read.
    """
    told = kind_of(path) if form is None and path.is_file() else None
    name = told if form is None else _kind_of_form(form)
    if name in {"trace", "chats"}:
        return _scored_before(path) or DEFAULT_SUITE
    for suite in suite_definitions():
        if any(kind.name == name and kind.scored for kind in suite.file_kinds()):
            return suite.name
    return None


def _scored_before(path: Path) -> str | None:
    """The suite of the run that a trace lies in; None where it lies in none."""
    settings = (read_manifest(path.parent) or {}).get("settings") if path.name == TRACE else None
    name = settings.get("suite") if isinstance(settings, dict) else None
    return name if name in suite_names() else None
