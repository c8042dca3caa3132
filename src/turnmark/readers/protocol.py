"""What a reader of a format is, and the file as it is shown to one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from turnmark.schemas.problems import Problem

Numbered = tuple[int, "dict[str, Any] | Problem"]
"""The line, row or entry (from 1) that a record was made of, and the record or what is wrong with it."""


class Sample(NamedTuple):
    """The beginning of a file: its first JSON record (None where it is no JSON), the columns of a table."""

    path: Path
    first: Any
    columns: frozenset[str] = frozenset()


class FormatReader(Protocol):
    """A format that files of users have. An entry point of the group ``turnmark.readers`` names one such object.

    ``gives`` is what its records are: ``dialogues`` (fields of trace v1; what every dialogue has is added where it is
    missing, see `turnmark.readers.dialogues`) or ``cases`` (questions and answers under any name that a RAG case may
    have; fields without a home go along as ``metadata``).
    """

    version: str
    """Which version of which format is read, in words."""

    @property
    def gives(self) -> Literal["dialogues", "cases"]:
        """What the records are."""

    def recognise(self, sample: Sample) -> bool:
        """Whether a file is of this format for certain. Raises: DataError or OSError when it cannot be read."""

    def read(self, path: Path) -> Iterator[Numbered]:
        """Its records, in order. Raises: DataError when the file cannot be read."""
