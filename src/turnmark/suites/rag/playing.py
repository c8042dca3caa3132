"""Questions of an evaluation set, played to an agent: each becomes a case with its answer and contexts."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from turnmark.replay.inputs import (
    Kind,
    Records,
    Script,
    UnfitError,
    ended_otherwise,
    head_of,
    named,
    question_pair,
)
from turnmark.schemas.jsonl import Decoded, Line
from turnmark.schemas.problems import Problem, readable
from turnmark.suites.rag.field_names import field_names
from turnmark.suites.rag.read_cases import case_records


def _records(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[Decoded[dict[str, Any]] | Problem]:
    for number, record in case_records(path, columns):
        yield record if isinstance(record, Problem) else Decoded(Line(readable(path), number, b""), record)


def _is_case(record: Mapping[str, Any]) -> bool:
    return "question" in field_names(tuple(record)).fields and "turns" not in record


def _read_case(record: dict[str, Any], index: int) -> Script:
    question = record["question"]
    if not isinstance(question, str) or not question.strip():
        raise UnfitError("$.question", "a question", question)
    name = record.get("id")
    dialog_id = f"case-{index:06d}" if name is None else named(record, "id")
    reference = record.get("ground_truth_answer")
    pair = question_pair(1, question, reference if isinstance(reference, str) else "")
    answered = isinstance(record.get("answer"), str) and bool(record["answer"].strip())
    language = {"language": record["lang"]} if isinstance(record.get("lang"), str) else {}
    return Script(head_of(dialog_id, index) | language, [pair], record, "has_answer" if answered else None)


def _filled_case(source: Mapping[str, Any], trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The case with ``answer`` and ``retrieved_contexts``; one that could not be answered says why in ``error``."""
    case = dict(source)
    for turn in trace["turns"]:
        case.setdefault("id", trace["dialog_id"])
        if turn["turn_status"] == "ok":
            case["answer"] = turn["pred_assistant_text"]
            case |= _retrieved(turn) | ended_otherwise(turn)
        else:
            case["answer"] = None
            case["error"] = turn["error"]
        case["turn_status"] = turn["turn_status"]
        case["latency_ms"] = turn["latency_ms"]
    yield case


def _retrieved(turn: Mapping[str, Any]) -> dict[str, Any]:
    """What the agent says it rests on: the contexts of its reply, else what its memory recalled."""
    contexts = (turn.get("replay") or {}).get("retrieved_contexts")
    if contexts is not None:
        return {"retrieved_contexts": list(contexts)}
    items = (turn.get("recall") or {}).get("items")
    if items is None:
        return {}
    results: dict[str, Any] = {"retrieved_contexts": [str(item.get("content") or "") for item in items]}
    if items and all(item.get("item_id") is not None for item in items):
        results["retrieved_ids"] = [str(item["item_id"]) for item in items]
    return results


def _named_columns(columns: Mapping[str, str]) -> Records:
    return functools.partial(_records, columns=columns)


CASES = Kind(
    "cases", "a question (question)", "cases.jsonl", _is_case, _read_case, _filled_case, _records, _named_columns
)
