"""Tables to records, one a row, by the names of the header: CSV and TSV in any encoding, spreadsheets, Parquet."""

from __future__ import annotations

import csv
import functools
import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, NamedTuple

from turnmark.errors import DataError, MissingExtraError
from turnmark.readers.characters import UnreadableError, decode
from turnmark.schemas.problems import Problem

DELIMITED = (".csv", ".tsv", ".tab")
SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
PARQUET = (".parquet", ".pq")
TABLES = (*DELIMITED, *SPREADSHEETS, *PARQUET)
"""Ends of the names of files that are tables."""

_DELIMITERS = (",", "\t", ";", "|")


class TableRow(NamedTuple):
    """One row that is not empty: where it stands (lines of a text file and rows count from 1), and its cells."""

    number: int
    cells: dict[str, Any]


class Table(NamedTuple):
    """A table: the names in its header, and its rows or what is wrong with one.

    Cells of text files are texts, None where they are empty; those of Parquet are of any type.
    """

    names: tuple[str, ...]
    rows: Iterator[TableRow | Problem]


def is_table(path: Path) -> bool:
    """Whether a file is a table, by the end of its name."""
    return path.suffix.lower() in TABLES


def read_table(path: Path, known: Callable[[str], bool]) -> Table:
    """The table in a file; ``known`` tells names that may stand in its header (for the encoding and the delimiter).

    Text files may be UTF-8, UTF-16, GB18030, EUC-KR or Big5 and delimited by commas, tabs, semicolons or bars. Of a
    workbook the first sheet is read that has a header. Spaces around names go.

    Raises: DataError when the file cannot be read as what its name says; MissingExtraError where that needs an extra.
    """
    suffix = path.suffix.lower()
    try:
        if suffix in PARQUET:
            return _parquet(path)
        if suffix in SPREADSHEETS:
            return _spreadsheet(path)
        return _delimited(path, known)
    except UnreadableError as error:
        message = f"{path}: {error}"
        raise DataError(message) from error
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


# ---- text files


def _delimited(path: Path, known: Callable[[str], bool]) -> Table:
    def count(line: str) -> int:
        return max(sum(map(known, _split(line, delimiter))) for delimiter in _DELIMITERS)

    text = decode(path.read_bytes(), count).text
    # The module's limit is 131,072 characters a cell; whole documents are longer.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    head = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = _delimiter(path, head, known)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names: tuple[str, ...] = ()
    for cells in reader:
        names = tuple(cell.strip() for cell in cells)
        if any(names):
            break
    open_since = functools.partial(_open_quote, text, delimiter)
    last = sum(1 for _ in io.StringIO(text, newline=""))
    return Table(names, _delimited_rows(path, names, reader, last, open_since))


def _delimited_rows(
    path: Path, names: Sequence[str], reader: Any, last: int, open_since: Callable[[int], bool]
) -> Iterator[TableRow | Problem]:
    """The rows; of the one that ends in the ``last`` line is asked whether a quote of it stays open."""
    begins = reader.line_num + 1
    for cells in reader:
        first, begins = begins, reader.line_num + 1
        if not any(cells):
            continue
        if reader.line_num == last and open_since(first):
            yield Problem(
                file=str(path),
                line=first,
                expected="a quote that closes the cell it opens",
                found=f"none up to the end of the file, line {reader.line_num}",
                advice="close the quote, or double quotes within a cell; the lines from here on are not read",
            )
        elif len(cells) > len(names) and any(cells[len(names) :]):
            yield Problem(
                file=str(path),
                line=reader.line_num,
                expected=f"{len(names)} cells, as in the header",
                found=f"{len(cells)}",
                advice="quote cells that hold the delimiter",
            )
        else:
            yield TableRow(reader.line_num, _record(names, cells))


def _open_quote(text: str, delimiter: str, first: int) -> bool:
    """Whether the record that begins in a line goes on to the end of the text because a quote stays open."""
    lines = itertools.islice(io.StringIO(text, newline=""), first - 1, None)
    try:
        next(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "unexpected end of data" in str(error)
    return False


def _delimiter(path: Path, head: str, known: Callable[[str], bool]) -> str:
    """The delimiter that gives most known names, then most names; a comma or, in .tsv, a tab when none tells."""
    first = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ","
    order = sorted(_DELIMITERS, key=lambda delimiter: delimiter != first)

    def fit(delimiter: str) -> tuple[int, int]:
        names = _split(head, delimiter)
        return sum(map(known, names)), len(names)

    return max(order, key=fit)


def _split(line: str, delimiter: str) -> list[str]:
    """The cells of one line; of a quoted cell that goes on in the next line what there is."""
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]


def _record(names: Sequence[str], cells: Sequence[Any]) -> dict[str, Any]:
    return {name: None if cell == "" else cell for name, cell in zip(names, cells, strict=False) if name}


# ---- spreadsheets


def _spreadsheet(path: Path) -> Table:
    try:
        from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = f"{path}: reading a spreadsheet needs python-calamine; pip install 'turnmark[excel]'"
        raise MissingExtraError(message) from error
    path.open("rb").close()  # a file that is not there or not ours is told by its own error
    try:
        workbook = CalamineWorkbook.from_path(path)
        sheets = [workbook.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in workbook.sheet_names]
    except CalamineError as error:
        raise UnreadableError("a spreadsheet", str(error), "save it as .xlsx or .csv") from error
    for sheet in sheets:
        for index, cells in enumerate(sheet):
            names = tuple(_text(cell).strip() for cell in cells)
            if any(names):
                return Table(names, _sheet_rows(names, sheet, index + 1))
    return Table((), iter(()))


def _sheet_rows(names: Sequence[str], sheet: Sequence[Sequence[Any]], start: int) -> Iterator[TableRow]:
    for number, cells in enumerate(sheet[start:], start + 1):
        record = _record(names, [_text(cell) for cell in cells])
        if any(record.values()):
            yield TableRow(number, record)


def _text(cell: Any) -> str:
    """What a cell shows: a whole number without its point, a date as ISO 8601 has it."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell)


# ---- Parquet


def _parquet(path: Path) -> Table:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        message = f"{path}: Parquet is read by pyarrow, which is not installed; pip install 'turnmark[parquet]'"
        raise MissingExtraError(message) from error
    try:
        file = parquet.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        message = f"{path}: cannot be read as Parquet: {error}"
        raise DataError(message) from error
    return Table(tuple(file.schema_arrow.names), _parquet_rows(file))


def _parquet_rows(file: Any) -> Iterator[TableRow]:
    with file:
        number = 0
        for batch in file.iter_batches(batch_size=256):
            for record in batch.to_pylist():
                number += 1
                yield TableRow(number, record)
