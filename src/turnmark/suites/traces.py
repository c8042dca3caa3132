"""Dialogues of any suite: traces as they are, chat logs as traces, records of another form as lines of trace v1."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.readers.chats import chat_lines, is_chat, is_chat_text
from turnmark.readers.records import record_lines
from turnmark.schemas.jsonl import Line, Reader, read_lines
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace

_LINES_LOOKED_AT = 20


def trace_lines(path: Path) -> Iterator[Line | Problem]:
    """The dialogues of a file as lines of trace v1: those of a trace byte for byte, those of a chat log made new.

    Raises: DataError when the file cannot be read.
    """
    return chat_lines(path) if holds_chats(path) else read_lines(path)


def holds_dialogues(path: Path) -> bool:
    """Whether a file of a suite with a form of its own holds traces or chat logs instead. Raises: DataError."""
    return is_chat_text(path) or _first(path, lambda record: _has_turns(record) or is_chat(record))


def holds_chats(path: Path) -> bool:
    """Whether a file is a chat log. Raises: DataError."""
    return is_chat_text(path) or _first(path, lambda record: not _has_turns(record) and is_chat(record))


def _has_turns(record: Any) -> bool:
    return isinstance(record, dict) and "turns" in record


def _first(path: Path, test: Callable[[Any], bool]) -> bool:
    """Whether the first record of a file that can be read passes."""
    reader = Reader(Any)
    for line in itertools.islice(record_lines(path, is_chat), _LINES_LOOKED_AT):
        decoded = None if isinstance(line, Problem) else reader.decode(line)
        if decoded is not None and not isinstance(decoded, list):
            return test(decoded.value)
    return False


def line_of(trace: Mapping[str, Any], file: str, number: int, lines: int = 1) -> Line:
    """A dialogue that was made of records of another form as a line of trace v1.

    The line carries the dialogue, so that the process that made it does not decode it again. ``number`` is the first of
    ``lines`` in the file.
    """
    return Line(file, number, msgspec.json.encode(trace), lines, msgspec.convert(trace, DialogTrace))
