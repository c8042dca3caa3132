"""How other tools save RAG cases: contexts joined to one text, several references."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnmark.schemas.problems import Problem

_DEEPEVAL = ("actual_output", "expected_output", "retrieval_context")
"""Names of fields by which a record of deepeval is told; it saves lists of texts joined by ``|``."""
SQUAD = "answers"
"""Where SQuAD keeps the spans that annotators marked: an object with the lists ``text`` and ``answer_start``."""
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
    if isinstance(fields.get(SQUAD), Mapping):
        # Several annotators' spans, of which the first is the reference; the assistant's answer it is not.
        texts = fields.pop(SQUAD).get("text")
        if isinstance(texts, list | tuple) and texts and isinstance(texts[0], str):
            fields["ground_truth_answer"] = fields.get("ground_truth_answer") or texts[0]
    for name in ("retrieved_contexts", "contexts", "retrieval_context"):
        texts = fields.get(name)
        if isinstance(texts, list) and texts and all(text is None or text == "" for text in texts):
            fields[name] = None  # a column of texts that nobody filled in
    return fields


def other_answers(record: Mapping[str, Any], file: str, line: int) -> Problem | None:
    """What is not read of SQuAD's answers: all but the first."""
    answers = record.get(SQUAD)
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
