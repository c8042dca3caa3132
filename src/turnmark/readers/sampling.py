"""The beginning of a file, by which its format is told, and its records, whether JSON or rows of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import DataError
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.records import first_record, record_lines
from turnmark.readers.tables import DELIMITED, PARQUET, is_table, read_table
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem, readable, shown

BINARY = (".eval", ".pb", ".binpb", ".otlp")
"""Ends of names of files that are neither JSON nor tables."""
_LOOKED_AT = 1 << 16


def sample_of(path: Path) -> Sample:
    """The first record of JSON, the columns of a table. Raises: DataError when the file cannot be read."""
    if is_table(path):
        return Sample(path, None, _columns(path))
    return Sample(path, None if path.suffix.lower() in BINARY else first_record(path))


def _columns(path: Path) -> frozenset[str]:
    """The columns of a table whose names are ASCII, as those of exports are; none of a spreadsheet."""
    suffix = path.suffix.lower()
    if suffix in PARQUET:
        return frozenset(read_table(path, lambda _: False).names)
    if suffix not in DELIMITED:
        return frozenset()
    try:
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT).decode("utf-8-sig", "replace")
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    delimiter = "," if suffix == ".csv" else "\t"
    try:
        names = next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), [])
    except csv.Error:  # a cell that is longer than what was looked at
        return frozenset()
    return frozenset(name.strip() for name in names)


def objects(path: Path) -> Iterator[Numbered]:
    """The objects of a file with their numbers: rows of a table, JSON objects, those of a page of an API (``data``)."""
    if is_table(path):
        for row in read_table(path, lambda _: False).rows:
            yield (row.line, row) if isinstance(row, Problem) else (row.number, dict(row.cells))
        return
    reader = Reader(Any)
    for line in record_lines(path):
        decoded = [line] if isinstance(line, Problem) else reader.decode(line)
        if isinstance(decoded, list):
            yield from ((problem.line, problem) for problem in decoded)
            continue
        number = decoded.line.number
        if decoded.warning is not None:
            yield number, decoded.warning
        for value in entries_of(decoded.value):
            if isinstance(value, dict):
                yield number, value
            else:
                yield number, Problem(
                    file=readable(path), line=number, expected="an object", found=shown(value), advice="left out"
                )  # fmt: skip


def entries_of(value: Any) -> list[Any]:
    """What a JSON value holds: the entries of a page (``{"data": […], "meta": …}``), else itself."""
    page = value.get("data") if isinstance(value, dict) and "meta" in value else None
    return page if isinstance(page, list) else [value]


def cell(value: Any) -> Any:
    """What a text holds that is JSON (cells of tables, attributes); all else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "[", '"'}:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return value
    return value


def left_out(path: Path, number: int, field: str, expected: str, value: Any) -> Problem:
    """What is wrong with a field of a record that is left out because of it."""
    return Problem(
        file=readable(path), line=number, field=field, expected=expected, found=shown(value), advice="it is left out"
    )
