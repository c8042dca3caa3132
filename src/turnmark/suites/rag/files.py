"""Files that only the suite ``rag`` has: cases."""

from __future__ import annotations

from pathlib import Path

from turnmark.readers.exports.catalog import EXPORTED, INSPECT_ARCHIVE
from turnmark.readers.spans.dialogs import span_lines
from turnmark.readers.tables import TABLES
from turnmark.schemas.problems import Problem
from turnmark.suites.protocol import FileKind
from turnmark.suites.rag.field_names import FieldNames
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


def _named(names: frozenset[str]) -> frozenset[str]:
    return FieldNames(sorted(names)).fields


def check_spans(path: Path, problems: list[Problem]) -> int:
    """Count the dialogues of a file of spans."""
    count = 0
    for line in span_lines(path):
        if isinstance(line, Problem):
            problems.append(line)
        else:
            count += 1
    return count


KINDS = (
    FileKind(
        "cases",
        (
            *(frozenset({"question", other}) for other in ("answer", "ground_truth_answer", "retrieved_contexts")),
            frozenset({"question"}),
        ),
        check_cases,
        "RAG cases: {verb} them with --suite rag",
        suffixes=(*TABLES, INSPECT_ARCHIVE),
        scored=True,
        named=_named,
    ),
    FileKind("cases", EXPORTED, check_cases, scored=True),
    FileKind(
        "spans",
        (
            *(frozenset({name}) for name in ("resourceSpans", "resourceLogs")),
            *(frozenset({*ids, "attributes"}) for ids in (("trace_id", "span_id"), ("traceId", "spanId"))),
            frozenset({"context", "attributes", "parent_id"}),
            frozenset({"context.trace_id", "context.span_id", "name"}),
        ),
        check_spans,
        scored=True,
    ),
)
