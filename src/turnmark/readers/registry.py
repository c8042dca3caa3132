"""Which formats are read: those shipped, and those of other packages (group ``turnmark.readers``)."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Literal

from turnmark.errors import DataError, UsageError
from turnmark.plugins import loaded, points_of
from turnmark.readers.protocol import FormatReader
from turnmark.readers.sampling import sample_of

GROUP = "turnmark.readers"
SHIPPED = {
    "inspect": "exports.inspect_logs:INSPECT",
    "promptfoo": "exports.promptfoo:PROMPTFOO",
    "openai-evals": "exports.openai_evals:OPENAI_EVALS",
    "locomo": "exports.locomo:LOCOMO",
    "longmemeval": "exports.longmemeval:LONGMEMEVAL",
    "mlflow": "platforms.mlflow:MLFLOW",
    "langsmith": "platforms.langsmith:LANGSMITH",
    "langfuse": "platforms.langfuse:LANGFUSE",
    "phoenix": "platforms.phoenix:PHOENIX",
    "otlp-proto": "spans.protobuf:OTLP_PROTOBUF",
    "spans": "spans.dialogs:SPANS",
    "advice": "advice:ADVICE",
    "chats": "chats:CHATS",
}
"""In the order in which a file is tried. Dialogues of messages come last: much else has messages too."""


@functools.cache
def _of_packages() -> Mapping[str, EntryPoint]:
    return points_of(GROUP, SHIPPED)


def reader_names() -> tuple[str, ...]:
    """The formats that can be named, those of other packages last."""
    return (*SHIPPED, *_of_packages())


@functools.cache
def format_reader(name: str) -> FormatReader:
    """A reader by the name of its format.

    Raises: UsageError naming the formats that there are, or saying why one of another package cannot be loaded.
    """
    if name in SHIPPED:
        shipped: FormatReader = pkgutil.resolve_name(f"turnmark.readers.{SHIPPED[name]}")
        return shipped
    point = _of_packages().get(name)
    if point is None:
        message = f"--from: expected one of {', '.join(reader_names())}, found {name!r}"
        raise UsageError(message)
    reader: FormatReader = loaded(point, f"--from {name}", "reader")
    return reader


def recognised(path: Path) -> str | None:
    """The name of the format that a file is of; None for files that hold cases, traces or nothing known.

    A reader of another package is asked before the shipped ones; one that cannot be loaded is passed over.

    Raises: DataError when the file cannot be read.
    """
    try:
        sample = sample_of(path)
        for name in (*_of_packages(), *SHIPPED):
            try:
                reader = format_reader(name)
            except UsageError:
                continue
            if reader.recognise(sample):
                return name
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    return None


def reader_of(path: Path, gives: Literal["dialogues", "cases"], name: str | None = None) -> FormatReader | None:
    """The reader of a file whose records are wanted; None where it is of no such format.

    ``name`` is the format where the user said which. Raises: UsageError; DataError when the file cannot be read.
    """
    chosen = name or recognised(path)
    reader = None if chosen is None else format_reader(chosen)
    return reader if reader is not None and reader.gives == gives else None
