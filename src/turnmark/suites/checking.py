"""What every check of a file of records does: read line by line, and see that each comes once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.registry import format_reader
from turnmark.schemas.jsonl import Decoded, Line, Reader
from turnmark.schemas.problems import Problem


def records(record_type: type[Any], path: Path, problems: list[Problem]) -> Iterator[Decoded[Any]]:
    """The records of a file; what is wrong with lines goes to ``problems``."""
    for item in Reader(record_type).read(path):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        if item.warning:
            problems.append(item.warning)
        yield item


def once(problems: list[Problem], line: Line, seen: dict[Any, int], key: Any, field: str) -> None:
    """Say it when a key comes again; ``seen`` holds the line in which each came first."""
    earlier = seen.setdefault(key, line.number)
    if earlier != line.number:
        problems.append(
            Problem(
                file=line.file,
                line=line.number,
                field=field,
                expected="each one once",
                found=f"{key!r} again, first in line {earlier}",
            )
        )


def check_dialogues(path: Path, problems: list[Problem], name: str) -> int:
    """Count the dialogues of a file of the format of that name."""
    count = 0
    for line in dialogue_lines(path, format_reader(name).read(path)):
        if isinstance(line, Problem):
            problems.append(line)
        else:
            count += 1
    return count
