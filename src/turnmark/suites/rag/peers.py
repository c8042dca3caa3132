"""How other tools save RAG cases: contexts joined to one text, arrays over many lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.schemas.jsonl import Line, read_lines
from turnmark.schemas.problems import Problem

_DEEPEVAL = ("actual_output", "expected_output", "retrieval_context")
"""Names of fields by which a record of deepeval is told; it saves lists of texts joined by ``|``."""
_TABLE_RULE = re.compile(r"\|\s*:?-{2,}")
_CONTEXTS = ("retrieval_context", "context")


def as_ours(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the values of other tools in our form; names stay."""
    fields = dict(record)
    if any(name in fields for name in _DEEPEVAL):
        for name in _CONTEXTS:
            text = fields.get(name)
            if isinstance(text, str) and "|" in text and not _TABLE_RULE.search(text):
                fields[name] = text.split("|")
    answers = fields.get("answers")
    if isinstance(answers, Mapping) and fields.get("ground_truth_answer") is None:
        # SQuAD: several annotators' spans, of which the first is the reference.
        texts = answers.get("text")
        if isinstance(texts, list | tuple) and texts and isinstance(texts[0], str):
            fields["ground_truth_answer"] = texts[0]
    for name in ("retrieved_contexts", "contexts", "retrieval_context"):
        texts = fields.get(name)
        if isinstance(texts, list) and texts and all(text is None or text == "" for text in texts):
            fields[name] = None  # a column of texts that nobody filled in
    return fields


def other_answers(record: Mapping[str, Any], file: str, line: int) -> Problem | None:
    """What is not read of SQuAD's answers: all but the first."""
    answers = record.get("answers")
    texts = answers.get("text") if isinstance(answers, Mapping) else None
    if not isinstance(texts, list | tuple) or len(set(map(str, texts))) < 2:
        return None
    return Problem(
        file=file,
        line=line,
        field="$.answers.text",
        expected="one answer as the reference",
        found=f"{len(texts)}",
        advice="the first one is taken",
        severity="warning",
    )


def record_lines(path: Path) -> Iterator[Line | Problem]:
    """The records of a file: one a line, or the entries of one JSON array, over however many lines.

    Entries of an array are numbered from 1. Raises: DataError as `read_lines`.
    """
    lines = read_lines(path)
    first = next(lines, None)
    if not isinstance(first, Line) or first.raw[:1] != b"[":
        if first is not None:
            yield first
        yield from lines
        return
    parts = [first.raw]
    for line in lines:
        if isinstance(line, Problem):
            yield line
            return
        parts.append(line.raw)
    try:
        entries = msgspec.json.decode(b"\n".join(parts), type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        yield Problem(
            file=first.file,
            expected=f"one JSON array, since the file begins with [ ({error})",
            found=f"{len(parts)} lines",
            advice="write one JSON object a line, or a whole array",
        )
        return
    for number, entry in enumerate(entries, 1):
        yield Line(first.file, number, bytes(entry))
