"""The tables of the clinical terminology: reading them, and everything that can be wrong with one.

A table is UTF-8 with tabs between columns and ``|`` between the values of a cell; its first line names the columns.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from turnmark.schemas.problems import Problem, shown

NAMES = ("english", "korean", "chinese")

TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "source": ("sources.tsv", ("id", "title", "where")),
    "unit": ("units.tsv", ("ucum", "shown", "spellings", "source")),
    "medication": ("medications.tsv", ("id", *NAMES, "brands", "ingredients", "codes", "source")),
    "medication_class": ("medication_classes.tsv", ("id", *NAMES, "members", "source")),
    "condition": ("conditions.tsv", ("id", *NAMES, "broader", "codes", "source")),
    "lab": ("labs.tsv", ("id", *NAMES, "codes", "unit", "conversions", "source")),
    "vital": ("vitals.tsv", ("id", *NAMES, "codes", "unit", "conversions", "source")),
    "procedure": ("procedures.tsv", ("id", *NAMES, "codes", "source")),
    "symptom": ("symptoms.tsv", ("id", *NAMES, "codes", "source")),
}
"""The file and the columns of every table; sources and units first, since the others refer to them."""

_NUMBER = r"\d+(?:\.\d+)?"
_CONVERSION = re.compile(rf"([^=]+)=({_NUMBER})([+-]{_NUMBER})?")
_CODE = re.compile(r"[A-Z0-9]+:\S+")
_SCRIPTS = {"korean": re.compile("[가-힣]"), "chinese": re.compile("[一-鿿]"), "english": re.compile("[A-Za-z]")}


class Row(msgspec.Struct, frozen=True):
    """One row of a table: where it stands and its cells by column."""

    file: str
    line: int
    cells: dict[str, str]

    def values(self, column: str) -> tuple[str, ...]:
        """The values of a cell, in order; none when it is empty or the table has no such column."""
        return tuple(value for value in self.cells.get(column, "").split("|") if value)


def parse_conversion(text: str) -> tuple[str, float, float] | None:
    """UCUM code, factor and offset of ``mmol/mol=0.09148+2.152``; None when it does not read so."""
    match = _CONVERSION.fullmatch(text)
    return (match[1], float(match[2]), float(match[3] or 0)) if match else None


@cache
def read_shipped() -> tuple[dict[str, list[Row]], tuple[Problem, ...]]:
    """The tables that come with turnmark, and the lines that cannot be read; the tests hold their cells to `read`."""
    problems: list[Problem] = []
    return _rows(folder(), problems), tuple(problems)


def folder() -> Traversable:
    """Where the shipped tables lie."""
    return resources.files("turnmark.packs").joinpath("clinical/terminology")


def tables_digest() -> str:
    """The first 16 hex digits of the SHA-256 of the shipped tables, whatever ends their lines."""
    tables = (folder().joinpath(file).read_bytes().replace(b"\r\n", b"\n") for file, _ in TABLES.values())
    return hashlib.sha256(b"\0".join(tables)).hexdigest()[:16]


def read(tables: Traversable) -> tuple[dict[str, list[Row]], tuple[Problem, ...]]:
    """The rows of all tables of a folder by table, and every fault as ``file:line: $.column``.

    A row with the wrong number of cells is left out; other faulty rows stay, so that all faults are found at once.
    """
    problems: list[Problem] = []
    rows = _rows(tables, problems)
    known = {table: {row.cells[TABLES[table][1][0]] for row in rows[table]} for table in TABLES}
    for table in TABLES:
        problems.extend(_repeated_ids(rows[table], TABLES[table][1][0]))
        for row in rows[table]:
            problems.extend(_faults(row, known))
    problems.extend(_circles(rows["condition"]))
    return rows, tuple(sorted(problems, key=lambda problem: (problem.file, problem.line, problem.field)))


def _rows(folder: Traversable, problems: list[Problem]) -> dict[str, list[Row]]:
    return {
        table: list(_read_table(folder.joinpath(file), columns, problems)) for table, (file, columns) in TABLES.items()
    }


def _read_table(file: Traversable, columns: tuple[str, ...], problems: list[Problem]) -> Iterator[Row]:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(file=file.name, expected="a table in UTF-8", found=str(error)))
        return
    # Only line feeds end a line: names may hold other separators that splitlines() knows.
    lines = text.rstrip("\n").replace("\r\n", "\n").split("\n")
    if tuple(lines[0].split("\t")) != columns:
        problems.append(
            Problem(file=file.name, line=1, expected="columns " + ", ".join(columns), found=shown(lines[0]))
        )
        return
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            problems.append(
                Problem(
                    file=file.name,
                    line=number,
                    expected=f"{len(columns)} cells",
                    found=f"{len(cells)}",
                    advice="put one tab between two columns",
                )
            )
            continue
        yield Row(file.name, number, dict(zip(columns, cells, strict=True)))


def _problem(row: Row, column: str, expected: str, found: str, advice: str = "") -> Problem:
    return Problem(
        file=row.file, line=row.line, field=f"$.{column}", expected=expected, found=shown(found), advice=advice
    )


def _repeated_ids(rows: list[Row], column: str) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for row in rows:
        value = row.cells[column]
        if value in seen:
            yield _problem(row, column, f"an id that is not in line {seen[value]}", value)
        seen.setdefault(value, row.line)


def _faults(row: Row, known: dict[str, set[str]]) -> Iterator[Problem]:
    for column in ("id", "ucum", "english", "title", "where"):
        if column in row.cells and not row.cells[column].strip():
            yield _problem(row, column, "a value", row.cells[column])
    for column, value in row.cells.items():
        if value != value.strip() or any(part != part.strip() for part in value.split("|")):
            yield _problem(row, column, "no spaces around values", value)
    if "english" in row.cells:
        yield from _name_faults(row)
    for column, checked in _REFERENCES.items():
        for value in row.values(column):
            yield from checked(row, column, value, known)


def _name_faults(row: Row) -> Iterator[Problem]:
    for column, script in _SCRIPTS.items():
        names = row.values(column)
        if (names or column == "english") and not any(script.search(name) for name in names):
            yield _problem(row, column, f"a name in {column.title()} script", row.cells[column])
    every = [name.removeprefix("?") for column in (*NAMES, "brands") for name in row.values(column)]
    for name in dict.fromkeys(every):
        if every.count(name) > 1:
            yield _problem(row, "english", "every name once in a row", name)


def _reference(table: str, what: str) -> Callable[[Row, str, str, dict[str, set[str]]], Iterator[Problem]]:
    def check(row: Row, column: str, value: str, known: dict[str, set[str]]) -> Iterator[Problem]:
        if value not in known[table]:
            yield _problem(row, column, what, value)

    return check


def _check_code(row: Row, column: str, value: str, _known: dict[str, set[str]]) -> Iterator[Problem]:
    if not _CODE.fullmatch(value):
        yield _problem(row, column, "SYSTEM:code, e.g. LOINC:4548-4", value)


def _check_conversion(row: Row, column: str, value: str, known: dict[str, set[str]]) -> Iterator[Problem]:
    parsed = parse_conversion(value)
    if parsed is None:
        yield _problem(row, column, "UCUM=factor or UCUM=factor+offset", value)
    elif parsed[0] not in known["unit"]:
        yield _problem(row, column, "a unit of units.tsv", parsed[0])


def _check_member(row: Row, column: str, value: str, known: dict[str, set[str]]) -> Iterator[Problem]:
    if not any(medication.startswith(value) for medication in known["medication"]):
        yield _problem(row, column, "the beginning of an id of medications.tsv", value)


_REFERENCES: dict[str, Callable[[Row, str, str, dict[str, set[str]]], Iterator[Problem]]] = {
    "source": _reference("source", "an id of sources.tsv"),
    "ingredients": _reference("medication", "an id of medications.tsv"),
    "broader": _reference("condition", "an id of conditions.tsv"),
    "unit": _reference("unit", "a unit of units.tsv"),
    "members": _check_member,
    "codes": _check_code,
    "conversions": _check_conversion,
}


def _circles(rows: list[Row]) -> Iterator[Problem]:
    broader = {row.cells["id"]: row.cells["broader"] for row in rows}
    for row in rows:
        seen = {row.cells["id"]}
        current = row.cells["broader"]
        while current in broader and current not in seen:
            seen.add(current)
            current = broader[current]
        if current in seen:
            yield _problem(row, "broader", "a condition that is not a kind of this one", row.cells["broader"])
