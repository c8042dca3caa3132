"""Dialogues of any suite: traces as they are, other formats as traces, records of another form as lines of trace v1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.registry import format_reader, reader_of
from turnmark.readers.sampling import sample_of
from turnmark.schemas.jsonl import Line, read_lines
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace


def trace_lines(path: Path, form: str | None = None) -> Iterator[Line | Problem]:
    """The dialogues of a file as lines of trace v1: those of a trace byte for byte, those of other formats made new.

    ``form`` is the format (`turnmark.readers.registry`), where it shall not be told by the file. Raises: UsageError for
    a format that holds no dialogues; DataError when the file cannot be read.
    """
    if form is not None and format_reader(form).gives != "dialogues":
        message = f"--from {form}: expected a format of dialogues, found one of cases; score them with --suite rag"
        raise UsageError(message)
    if form is None and _is_trace(path):
        return read_lines(path)
    reader = reader_of(path, "dialogues", form)
    return read_lines(path) if reader is None else dialogue_lines(path, reader.read(path))


def holds_dialogues(path: Path, form: str | None = None) -> bool:
    """Whether a file of a suite with a form of its own holds traces or dialogues of another format.

    Raises: DataError.
    """
    return (form is None and _is_trace(path)) or reader_of(path, "dialogues", form) is not None


def _is_trace(path: Path) -> bool:
    first = sample_of(path).first
    return isinstance(first, dict) and "turns" in first


def line_of(trace: Mapping[str, Any], file: str, number: int, lines: int = 1) -> Line:
    """A dialogue that was made of records of another form as a line of trace v1.

    The line carries the dialogue, so that the process that made it does not decode it again. ``number`` is the first of
    ``lines`` in the file.
    """
    return Line(file, number, msgspec.json.encode(trace), lines, msgspec.convert(trace, DialogTrace))
