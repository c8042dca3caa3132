"""Rows, evidence and figures as typed, nested Parquet, written in groups so that memory does not grow with the run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import MissingExtraError
from turnmark.pipeline.publishing.writers.protocol import Run, scores_of
from turnmark.schemas.evidence import Evidence

_GROUP = 10_000


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    for row in run.rows():
        marks = []
        for metric, mark in row.marks.items():
            scores = list(scores_of(row, metric, mark))
            measures = [
                {name: getattr(score, name) for name in ("measure", "state", "value", "hits", "total", "undecided")}
                for score in scores if score.measure
            ]  # fmt: skip
            state = next((score.state for score in scores if not score.measure), None)
            marks.append({"metric": metric, "state": state, "reason": scores[0].reason, "measures": measures})
        yield {
            "suite": row.suite, "run_id": row.run_id, "system": getattr(row, "system", ""), "dialog_id": row.dialog_id,
            "turn_pair_id": row.turn_pair_id, "turn_status": row.turn_status, "reply_state": row.reply_state,
            "flags": list(row.flags), "marks": marks,
        }  # fmt: skip


def write_tables(run: Run, folder: Path) -> None:
    """``rows.parquet``, ``evidence.parquet`` and ``figures.parquet``."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "export to Parquet needs pyarrow: pip install 'turnmark[parquet]'"
        raise MissingExtraError(message) from error
    number, text, whole = pa.float64(), pa.string(), pa.int64()
    measure = pa.struct(
        [("measure", text), ("state", text), *((name, number) for name in ("value", "hits", "total", "undecided"))]
    )
    mark = pa.struct([("metric", text), ("state", text), ("reason", text), ("measures", pa.list_(measure))])
    texts = ("suite", "run_id", "system", "dialog_id", "turn_status", "reply_state")
    rows = [*((name, text) for name in texts[:4]), ("turn_pair_id", whole), *((name, text) for name in texts[4:])]
    whole_fields = {"turn_pair_id", "start", "end", "source_start", "source_end"}
    evidence = [(name, whole if name in whole_fields else text) for name in Evidence.__struct_fields__]
    names = ("value", "low", "high", "total", "decided_share", "bound_low", "bound_high")
    figures = [("metric", text), ("measure", text), *((name, number) for name in names)]
    tables: list[tuple[str, list[tuple[str, Any]], Iterator[dict[str, Any]]]] = [
        ("rows", [*rows, ("flags", pa.list_(text)), ("marks", pa.list_(mark))], _rows(run)),
        ("evidence", evidence, (msgspec.structs.asdict(piece) for piece in run.evidence())),
        ("figures", figures, (figure._asdict() for figure in run.figures())),
    ]
    for name, fields, records in tables:
        schema = pa.schema(fields)
        with parquet.ParquetWriter(folder / f"{name}.parquet", schema) as file:
            while group := list(itertools.islice(records, _GROUP)):
                file.write_table(pa.Table.from_pylist(group, schema=schema))


class _Parquet:
    version = "Parquet 2.6, by pyarrow"

    def write(self, run: Run, folder: Path) -> None:
        """Three tables; see `write_tables`."""
        write_tables(run, folder)


PARQUET = _Parquet()
