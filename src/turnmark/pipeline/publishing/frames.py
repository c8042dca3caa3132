"""A run as columns, of which pandas and polars make data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from turnmark.errors import MissingExtraError, UsageError
from turnmark.pipeline.publishing.run_turns import decode_row, lines
from turnmark.report.view.tables import known_metric
from turnmark.report.view.triage import gravest
from turnmark.runs.folder import EVIDENCE, PROBLEMS, TURN_EVAL
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.problems import Problem

TableName = Literal["figures", "turns", "evidence", "problems"]
TABLES: tuple[TableName, ...] = get_args(TableName)


class Table(NamedTuple):
    """Columns of one length by name; ``numbers`` are those that hold floats, None where there is no value."""

    columns: Mapping[str, Sequence[Any]]
    numbers: frozenset[str] = frozenset()


def table_of(folder: Path, name: str, metrics: Iterable[str] | None = None) -> Table:
    """The turns, the evidence or the problems of a run as columns.

    A turn has a column ``METRIC.measure`` for every measure of the chosen metrics (all of them for None), None where
    the metric says nothing of it, and its gravest ``fault`` (None: none). Evidence is that of the chosen metrics.

    Raises: UsageError for a table that there is not.
    """
    wanted = None if metrics is None else set(metrics)
    if name == "turns":
        rows = [row for line in lines(folder / TURN_EVAL) if (row := decode_row(line.raw)) is not None]
        return _turns(rows, wanted)
    if name == "evidence":
        pieces = _records(folder / EVIDENCE, Evidence)
        return _fields(Evidence, [piece for piece in pieces if wanted is None or piece.metric in wanted])
    if name == "problems":
        return _fields(Problem, _records(folder / PROBLEMS, Problem))
    message = f"table: expected one of {', '.join(TABLES)}, found {name!r}"
    raise UsageError(message)


def pandas_frame(table: Table) -> Any:
    """The table as a pandas DataFrame. Raises: MissingExtraError without pandas."""
    try:
        import pandas as pd  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "data frames need pandas; pip install 'turnmark[pandas]'"
        raise MissingExtraError(message) from error
    return pd.DataFrame(dict(table.columns)).astype(dict.fromkeys(sorted(table.numbers), "float64"))


def polars_frame(table: Table) -> Any:
    """The table as a polars DataFrame. Raises: MissingExtraError without polars."""
    try:
        import polars as pl  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "data frames need polars; pip install 'turnmark[polars]'"
        raise MissingExtraError(message) from error
    return pl.DataFrame(dict(table.columns), schema_overrides=dict.fromkeys(sorted(table.numbers), pl.Float64))


def _turns(rows: Sequence[Row], wanted: set[str] | None) -> Table:
    heads = ("dialog_id", "turn_pair_id", "system", "turn_status", "reply_state")
    columns: dict[str, list[Any]] = {head: [getattr(row, head, "") for row in rows] for head in heads}
    columns["fault"] = [(gravest(row) or (None, 0))[0] for row in rows]
    names = dict.fromkeys(name for row in rows for name in row.marks if wanted is None or name in wanted)
    numbers = []
    for name in names:
        known = known_metric(name)
        measures = [one.name for one in known.measures] if known else _measures(rows, name)
        for measure in measures:
            numbers.append(f"{name}.{measure}")
            columns[numbers[-1]] = [_value(row, name, measure) for row in rows]
    return Table(columns, frozenset(numbers))


def _measures(rows: Sequence[Row], name: str) -> list[str]:
    marks = (row.marks.get(name) for row in rows)
    return list(dict.fromkeys(measure for mark in marks if mark is not None for measure in mark.measures))


def _value(row: Row, name: str, measure: str) -> float | None:
    mark = row.marks.get(name)
    return None if mark is None else mark.value(measure)


def _records(path: Path, record: type[Any]) -> list[Any]:
    decode = msgspec.json.Decoder(record).decode
    return [decode(line.raw) for line in lines(path)]


def _fields(record: type[Any], records: Sequence[Any]) -> Table:
    fields = [field.encode_name for field in msgspec.structs.fields(record)]
    plain = [msgspec.to_builtins(one) for one in records]
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(record)}
    return Table({name: [one.get(name, _default(defaults[name])) for one in plain] for name in fields})


def _default(value: Any) -> Any:
    return None if value is msgspec.NODEFAULT else value
