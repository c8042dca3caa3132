"""Data that Python code hands in, as the file that scoring reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import DataError
from turnmark.runs.folder import TRACE
from turnmark.schemas.plain import Plain


def data_file(data: str | Path | Iterable[Any], folder: Path) -> Path:
    """The file that holds the data; records are written into ``folder`` first."""
    if isinstance(data, str | Path):
        path = Path(data)
        return path / TRACE if path.is_dir() else path
    frame: Any = data
    if hasattr(frame, "to_dicts") and hasattr(frame, "columns"):  # polars
        frame = frame.to_dicts()
    elif hasattr(frame, "to_dict") and hasattr(frame, "columns"):  # pandas
        frame = frame.to_dict("records")
    records: Iterable[Any] = [frame] if isinstance(frame, Mapping) else frame
    target = folder / "records.jsonl"
    with target.open("wb") as file:
        for number, record in enumerate(records, 1):
            try:
                file.write(msgspec.json.encode(_plain(record), enc_hook=_known) + b"\n")
            except (TypeError, msgspec.ValidationError) as error:
                message = f"record {number}: expected fields that can be written as JSON, found: {error}"
                raise DataError(message) from error
    return target


def _known(value: Any) -> Any:
    """Texts of other classes, numbers and arrays of numpy as what they stand for. Raises: TypeError for all else."""
    if isinstance(value, float):
        return float(value)  # NaN, which tables have where a cell is empty, becomes null
    plain = Plain()
    result = plain(value)
    if plain.faults:
        raise TypeError(plain.faults[0].removeprefix("$: "))
    return result


def _plain(record: Any) -> Any:
    """A record as a mapping: structs, dataclasses and models of other tools by their fields."""
    if isinstance(record, Mapping | msgspec.Struct):
        return record
    for method in ("model_dump", "to_dict", "dict"):
        if callable(dump := getattr(record, method, None)):
            return dump()
    return record
