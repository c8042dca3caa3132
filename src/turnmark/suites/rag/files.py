"""Files that only the suite ``rag`` has: cases."""

from __future__ import annotations

from pathlib import Path

from turnmark.readers.tables import TABLES
from turnmark.schemas.problems import Problem
from turnmark.suites.protocol import FileKind
from turnmark.suites.rag.field_names import ALIASES
from turnmark.suites.rag.read_cases import numbered_cases


def check_cases(path: Path, problems: list[Problem]) -> int:
    """Count the cases of a file."""
    count = 0
    for _, case in numbered_cases(path):
        if isinstance(case, Problem):
            problems.append(case)
        else:
            count += 1
    return count


def _names(own: str) -> tuple[str, ...]:
    return (own, *(alias for alias, meant in ALIASES.items() if meant == own))


_QUESTIONS = _names("question")
_ANSWERS = tuple(name for own in ("answer", "ground_truth_answer", "retrieved_contexts") for name in _names(own))

KINDS = (
    FileKind(
        "cases",
        (*(frozenset({question, answer}) for question in _QUESTIONS for answer in _ANSWERS), frozenset({"question"})),
        check_cases,
        "RAG cases: {verb} them with --suite rag",
        suffixes=TABLES,
        scored=True,
    ),
)
