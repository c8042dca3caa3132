"""Scores and figures as CSV and as a workbook. Texts from data are neither formulas nor act unseen in a cell."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from turnmark.errors import MissingExtraError, UsageError
from turnmark.pipeline.publishing.cells import inert
from turnmark.pipeline.publishing.writers.protocol import Figure, Run, Score

_MOST_ROWS = 1_048_576
_MOST_CHARACTERS = 32_767


def _tables(run: Run) -> Iterator[tuple[str, Sequence[str], Iterator[tuple[Any, ...]]]]:
    yield "rows", Score._fields, run.scores()
    yield "figures", Figure._fields, run.figures()


class _Csv:
    version = "RFC 4180, UTF-8 with byte order mark"

    def write(self, run: Run, folder: Path) -> None:
        """``rows.csv`` and ``figures.csv``; the mark is what Excel needs to read Chinese and Korean."""
        for name, fields, records in _tables(run):
            with (folder / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(fields)
                writer.writerows([inert(value) for value in record] for record in records)


class _Xlsx:
    version = "Office Open XML, by openpyxl 3.1"

    def write(self, run: Run, folder: Path) -> None:
        """``run.xlsx`` with the sheets ``rows`` and ``figures``."""
        try:
            from openpyxl import Workbook  # noqa: PLC0415 - an extra
        except ImportError as error:
            message = "export --to xlsx needs openpyxl: pip install 'turnmark[excel]'"
            raise MissingExtraError(message) from error
        book = Workbook(write_only=True)
        for name, fields, records in _tables(run):
            sheet = book.create_sheet(name)
            sheet.append(fields)
            for number, record in enumerate(records, 2):
                if number > _MOST_ROWS:
                    message = f"--to xlsx: a sheet holds {_MOST_ROWS:,} rows, {run.folder} has more; use --to csv"
                    raise UsageError(message)
                sheet.append([_shortened(inert(value)) for value in record])
        book.save(folder / "run.xlsx")


def _shortened(value: object) -> object:
    return value[: _MOST_CHARACTERS - 1] + "…" if isinstance(value, str) and len(value) > _MOST_CHARACTERS else value


CSV = _Csv()
XLSX = _Xlsx()
