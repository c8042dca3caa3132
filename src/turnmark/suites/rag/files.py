"""Files that only the suite ``rag`` has: cases."""

from __future__ import annotations

import functools
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.readers.registry import format_reader, reader_names
from turnmark.readers.tables import TABLES
from turnmark.schemas.problems import Problem
from turnmark.suites.checking import check_dialogues
from turnmark.suites.protocol import FileKind
from turnmark.suites.rag.field_names import FieldNames
from turnmark.suites.rag.read_cases import numbered_cases

_OF_ADVISERS = ("chats", "advice")
"""Formats whose dialogues are those of an adviser where nothing else is said."""


def check_cases(path: Path, problems: list[Problem]) -> int:
    """Count the cases of a file."""
    count = 0
    for _, case in numbered_cases(path):
        if isinstance(case, Problem):
            problems.append(case)
        else:
            count += 1
    return count


def _named(names: frozenset[str]) -> frozenset[str]:
    return FieldNames(sorted(names)).fields


def _of_formats() -> tuple[FileKind, ...]:
    """A kind for each format of dialogues: what users' applications and platforms saved of them is scored here."""
    return tuple(
        FileKind(name, check=functools.partial(check_dialogues, name=name), scored=True)
        for name in reader_names()
        if name not in _OF_ADVISERS and _gives_dialogues(name)
    )


def _gives_dialogues(name: str) -> bool:
    try:
        return format_reader(name).gives == "dialogues"
    except UsageError:  # of a package that cannot be loaded; named when it is asked for
        return False


KINDS = (
    FileKind(
        "cases",
        (
            *(frozenset({"question", other}) for other in ("answer", "ground_truth_answer", "retrieved_contexts")),
            frozenset({"question"}),
        ),
        check_cases,
        "RAG cases: {verb} them with --suite rag (of replies of an adviser: --suite finance --from advice)",
        suffixes=TABLES,
        scored=True,
        named=_named,
    ),
    *_of_formats(),
)
