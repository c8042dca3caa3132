"""What a form of export has to tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from turnmark.schemas.problems import Problem

Numbered = tuple[int, "dict[str, Any] | Problem"]
"""The line, row or entry (from 1) that a record was made of, and the record or what is wrong with it."""


class Export(Protocol):
    """A form in which a tool exports questions and answers."""

    def recognise(self, path: Path, first: Any) -> bool:
        """Whether a file is of this form; ``first`` is its first JSON record, None where it is no JSON."""

    def read(self, path: Path) -> Iterator[Numbered]:
        """Its records, in order. Raises: DataError when the file cannot be read."""
