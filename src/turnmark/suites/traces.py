"""What suites share whose users have files of another form: telling traces, and making lines of trace v1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace


class _Head(msgspec.Struct):
    turns: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def holds_dialogues(path: Path) -> bool:
    """Whether the first readable line of a file holds turns at its top level. Raises: DataError."""
    for item in Reader(_Head).read(path):
        if not isinstance(item, Problem):
            return item.value.turns is not msgspec.UNSET
    return False


def line_of(trace: Mapping[str, Any], file: str, number: int, lines: int = 1) -> Line:
    """A dialogue that was made of records of another form as a line of trace v1.

    The line carries the dialogue, so that the process that made it does not decode it again. ``number`` is the first of
    ``lines`` in the file.
    """
    return Line(file, number, msgspec.json.encode(trace), lines, msgspec.convert(trace, DialogTrace))
