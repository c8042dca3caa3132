"""Frames of spans as Phoenix gives them (``get_spans_dataframe``), saved as Parquet or CSV.

Saved as JSON they are rows that `turnmark.readers.spans` reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import cell, objects
from turnmark.readers.spans.dialogs import dialogues_of, fault_problem
from turnmark.readers.spans.forms import Fault, LogRecord, Span, spans_of
from turnmark.schemas.problems import Problem


class _Phoenix:
    version = "spans dataframe of arize-phoenix-client 3.5.0 (Parquet, CSV)"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether the columns are those of a span."""
        names = sample.columns
        ids = {"context.trace_id", "context.span_id"} <= names
        return ids and any(name.startswith("attributes.") for name in names)

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues by ``session.id``."""
        return dialogues_of(path, _spans(path))


def _spans(path: Path) -> Iterator[tuple[int, Span | LogRecord | Problem]]:
    for number, row in objects(path):
        if isinstance(row, Problem):
            yield number, row
            continue
        for span in spans_of({name: _value(value) for name, value in row.items() if value is not None}):
            yield number, fault_problem(path, number, span) if isinstance(span, Fault) else span


def _value(value: Any) -> Any:
    """A list or object that pandas wrote into a cell of CSV as Python shows it; all else as it is."""
    found = cell(value)
    if isinstance(found, str) and found[:1] in {"[", "{"}:
        try:
            return ast.literal_eval(found)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return found
    return found


PHOENIX = _Phoenix()
