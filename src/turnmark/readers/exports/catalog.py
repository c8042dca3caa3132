"""The forms of exports that are read, and which one a file is of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnmark.errors import DataError
from turnmark.readers.exports.inspect_logs import InspectArchive, InspectJson
from turnmark.readers.exports.promptfoo import PromptfooJson, PromptfooTable
from turnmark.readers.exports.protocol import Export
from turnmark.readers.records import record_lines
from turnmark.readers.tables import is_table
from turnmark.schemas.jsonl import Line, Reader

_EXPORTS: tuple[Export, ...] = (PromptfooTable(), PromptfooJson(), InspectArchive(), InspectJson())


def export_of(path: Path) -> Export | None:
    """The form that a file is of; None for files that hold cases, dialogues or nothing known.

    Raises: DataError when the file cannot be read.
    """
    first = None if is_table(path) or path.suffix == ".eval" else _first(path)
    try:
        return next((export for export in _EXPORTS if export.recognise(path, first)), None)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


def _first(path: Path) -> Any:
    line = next(record_lines(path), None)
    decoded = Reader(Any).decode(line) if isinstance(line, Line) else None
    return None if decoded is None or isinstance(decoded, list) else decoded.value
