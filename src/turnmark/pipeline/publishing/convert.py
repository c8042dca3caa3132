"""Files of users in the product's own form: tables as cases, dialogues as traces, one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import DataError
from turnmark.runs.folder import write_whole
from turnmark.schemas.jsonl import Decoded, Reader
from turnmark.schemas.problems import Problem
from turnmark.suites.protocol import SuiteSettings
from turnmark.suites.registry import make_suite, suite_definition


class Converted(NamedTuple):
    """How many records were written, and what was wrong with the others."""

    records: int
    problems: list[Problem]


def convert(
    path: Path, out: Path, suite: str, columns: Mapping[str, str] | None = None, source_format: str | None = None
) -> Converted:
    """Write what a suite reads in a file, one record a line: its own records where it has some, else trace v1.

    Raises: UsageError for a suite or a column that there is not; DataError when nothing can be read.
    """
    settings = SuiteSettings(suite_definition(suite).detect[0], columns=columns or {}, source_format=source_format)
    problems: list[Problem] = []
    lines: list[bytes] = []
    reader = Reader(dict[str, Any])
    for line in make_suite(suite, settings).lines(path):
        decoded = [line] if isinstance(line, Problem) else reader.decode(line)
        if isinstance(decoded, list):
            problems += decoded
        else:
            lines += _own(decoded)
    if not lines:
        first = "".join(f"\n{problem}" for problem in problems[:5])
        message = f"{path}: expected at least one record of suite {suite}, found none{first}"
        raise DataError(message)
    write_whole(out, b"\n".join([*lines, b""]))
    return Converted(len(lines), problems)


def _own(dialog: Decoded[dict[str, Any]]) -> list[bytes]:
    """The records that a dialogue was made of; the dialogue where it was made of none."""
    records = [turn["source_record"] for turn in dialog.value.get("turns") or () if "source_record" in turn]
    return [msgspec.json.encode(record) for record in records] or [dialog.line.raw]
