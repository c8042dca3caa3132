"""How other tools save RAG cases: reprs in cells, contexts joined to one text, arrays over many lines."""

from __future__ import annotations

import ast
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
_TEXT = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_BETWEEN = " \t\r\n,"
_ARRAY = re.compile(r"^\s*array\(\s*(?P<list>\[.*\])\s*(?:,\s*dtype=[^)]*)?\)\s*$", re.DOTALL)


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


def python_cell(cell: str) -> Any:
    """The value of a cell that holds the repr of a Python list, tuple or dict, or of a numpy array.

    Raises: ValueError when it holds none, or one that numpy cut short.
    """
    array = _ARRAY.match(cell)
    text = (array["list"] if array else cell).strip()
    if text[:1] == "[" and text[-1:] == "]":
        texts = _texts(text[1:-1])
        if texts is not None:
            return texts
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        message = f"no JSON, and no Python value: {error}"
        raise ValueError(message) from error
    return list(value) if isinstance(value, tuple) else value


def _texts(inner: str) -> list[str] | None:
    """Texts in quotes, with commas (Python) or only spaces (numpy) between; None when there is anything else.

    Python itself would make one text of those that only spaces part.
    """
    results: list[str] = []
    position = _after(inner, 0)
    while position < len(inner):
        if inner.startswith("...", position):
            message = "numpy left entries out (...); save the column as JSON"
            raise ValueError(message)
        text = _TEXT.match(inner, position)
        if text is None:
            return None
        results.append(str(ast.literal_eval(text[0].replace("\n", "\\n"))))
        position = _after(inner, text.end())
    return results


def _after(text: str, place: int) -> int:
    """The place of the next character that is no white space or comma."""
    while place < len(text) and text[place] in _BETWEEN:
        place += 1
    return place


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
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        yield Problem(
            file=first.file,
            expected=f"one JSON array, since the file begins with [ ({error})",
            found=f"{len(parts)} lines",
            advice="write one JSON object a line, or a whole array",
        )
        return
    for number, entry in enumerate(entries, 1):
        yield Line(first.file, number, bytes(entry))
