"""Scripts of questions to patients, played to an agent: each turn becomes an event with its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnmark.replay.inputs import Kind, Script, UnfitError, ended_otherwise, head_of, named, question_pair
from turnmark.schemas.clinical.events import EVENT_VERSION


def _is_clinical(record: Mapping[str, Any]) -> bool:
    return "patient_id" in record and "turns" in record


def _read_clinical(record: dict[str, Any], index: int) -> Script:
    patient = named(record, "patient_id")
    turns = record["turns"]
    if not isinstance(turns, list) or not turns:
        raise UnfitError("$.turns", "a list of turns", turns)
    pairs = []
    for position, turn in enumerate(turns):
        question = turn.get("question") if isinstance(turn, dict) else None
        if not isinstance(question, str) or not question.strip():
            raise UnfitError(f"$.turns[{position}].question", "a question", question)
        pairs.append(question_pair(position + 1, question, ""))
    return Script(head_of(patient, index), pairs, record)


def _clinical_events(source: Mapping[str, Any], trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One event a turn (``events_record.v1``): what was asked and answered, beside the truth of the patient's slots."""
    known = {name: value for name, value in source.items() if name not in {"turns", "slots", "patient_id"}}
    for turn, asked in zip(trace["turns"], source["turns"], strict=True):
        number = asked.get("turn_id")
        more = turn.get("replay") or {}
        question = {"text": turn["user_text"]}
        if isinstance(asked.get("question_id"), str | int):
            question["question_id"] = asked["question_id"]
        yield {
            "schema_version": EVENT_VERSION,
            "run_id": trace["run_id"],
            "mode": "llm" if trace.get("system") == "llm" else "agent",
            "patient_id": trace["dialog_id"],
            "turn_id": number if type(number) is int and number > 0 else turn["turn_pair_id"],
            "question": question,
            "answer": turn["pred_assistant_text"] if turn["turn_status"] == "ok" else None,
            "timestamp_utc": "",
            "timing_ms": turn["latency_ms"],
            **({"usage": more["usage"]} if "usage" in more else {}),
            "metadata": known | {"turn_status": turn["turn_status"], "error": turn["error"]} | ended_otherwise(turn),
            "slots_truth": source.get("slots") or {},
        }


SCRIPTS = Kind(
    "clinical", "a script (patient_id, turns with question)", "events.jsonl", _is_clinical, _read_clinical,
    _clinical_events,
)  # fmt: skip
