"""Dialogues of any suite: traces as they are, chat logs as traces, records of another form as lines of trace v1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.readers.chats import chat_lines, is_chat, is_chat_text
from turnmark.readers.records import first_record
from turnmark.readers.spans.dialogs import span_lines
from turnmark.readers.spans.forms import is_spans
from turnmark.schemas.jsonl import Line, read_lines
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace


def trace_lines(path: Path) -> Iterator[Line | Problem]:
    """The dialogues of a file as lines of trace v1: those of a trace byte for byte, chat logs and spans made new.

    Raises: DataError when the file cannot be read.
    """
    record = None if is_chat_text(path) else first_record(path, is_chat)
    if is_chat_text(path) or (not _has_turns(record) and is_chat(record)):
        return chat_lines(path)
    return span_lines(path) if is_spans(record) else read_lines(path)


def holds_dialogues(path: Path) -> bool:
    """Whether a file of a suite with a form of its own holds traces, chat logs or spans instead. Raises: DataError."""
    record = None if is_chat_text(path) else first_record(path, is_chat)
    return is_chat_text(path) or _has_turns(record) or is_chat(record) or is_spans(record)


def _has_turns(record: Any) -> bool:
    return isinstance(record, dict) and "turns" in record


def line_of(trace: Mapping[str, Any], file: str, number: int, lines: int = 1) -> Line:
    """A dialogue that was made of records of another form as a line of trace v1.

    The line carries the dialogue, so that the process that made it does not decode it again. ``number`` is the first of
    ``lines`` in the file.
    """
    return Line(file, number, msgspec.json.encode(trace), lines, msgspec.convert(trace, DialogTrace))
