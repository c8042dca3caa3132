"""Scripts of questions to patients, played to an agent: each turn becomes an event with its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnmark.replay.inputs import Kind, Script, UnfitError, ended_otherwise, head_of, named, question_pair
from turnmark.replay.run.trace_writer import ENDED_AT
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
    mode = _mode(trace)
    known = {name: value for name, value in source.items() if name not in {"turns", "slots", "patient_id"}}
    for turn, asked in zip(trace["turns"], source["turns"], strict=True):
        number = asked.get("turn_id")
        more = turn.get("replay") or {}
        turn_id = number if type(number) is int and number > 0 else turn["turn_pair_id"]
        own = asked.get("question_id")
        question = {"question_id": own if isinstance(own, str | int) else f"{trace['dialog_id']}-{turn_id}"}
        yield {
            "schema_version": EVENT_VERSION,
            "run_id": trace["run_id"],
            "mode": mode,
            "patient_id": trace["dialog_id"],
            "turn_id": turn_id,
            "question": {**question, "text": turn["user_text"]},
            "answer": turn["pred_assistant_text"] if turn["turn_status"] == "ok" else None,
            "timestamp_utc": turn.get(ENDED_AT) or "",
            "timing_ms": turn["latency_ms"],
            **({"usage": more["usage"]} if "usage" in more else {}),
            "metadata": known | {"turn_status": turn["turn_status"], "error": turn["error"]} | ended_otherwise(turn),
            **({"slots_truth": source["slots"]} if source.get("slots") is not None else {}),
        }


def _mode(trace: Mapping[str, Any]) -> str:
    """What kind of system answered: ``llm`` or ``agent`` where it is called so, else by what it told of its turns."""
    if trace.get("system") in ("llm", "agent"):
        return str(trace["system"])
    told = any(turn.get("recall") or turn.get("tools") for turn in trace["turns"])
    return "agent" if told else "llm"


SCRIPTS = Kind(
    "clinical", "a script (patient_id, turns with question)", "events.jsonl", _is_clinical, _read_clinical,
    _clinical_events,
)  # fmt: skip
