"""The forms of exports that are read, and which one a file is of."""

from __future__ import annotations

from pathlib import Path

from turnmark.errors import DataError
from turnmark.readers.exports.inspect_logs import InspectArchive, InspectJson
from turnmark.readers.exports.promptfoo import PromptfooJson, PromptfooTable
from turnmark.readers.exports.protocol import Export
from turnmark.readers.records import first_record
from turnmark.readers.tables import is_table

INSPECT_ARCHIVE = ".eval"
EXPORTED = (frozenset({"eval", "samples"}), frozenset({"evalId", "results"}))
"""Names at the top of the JSON files that are read."""

_EXPORTS: tuple[Export, ...] = (PromptfooTable(), PromptfooJson(), InspectArchive(), InspectJson())


def export_of(path: Path) -> Export | None:
    """The form that a file is of; None for files that hold cases, dialogues or nothing known.

    Raises: DataError when the file cannot be read.
    """
    first = None if is_table(path) or path.suffix.lower() == INSPECT_ARCHIVE else first_record(path)
    try:
        return next((export for export in _EXPORTS if export.recognise(path, first)), None)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
