"""Clinical records: the true slots of a patient, recorded answers (``events_record.v1``), and how both become traces.

Values of slots are as users have them: ``"131mmHg"``, ``"6.24%"``, ``67``, lists, nested objects such as
``{"hba1c": {"value": 7.2, "unit": "%"}}``; what they mean is read by the detectors. Fields that are not listed here are
skipped by the typed reader and kept by the conversions, which work on whole JSON objects.
Source: events schema of the guide to the advanced metrics; trace schema v1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from turnmark.schemas.clinical.contexts import contexts_of
from turnmark.schemas.json_schema import faults
from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.trace import TRACE_VERSION

Scalar = str | int | float | bool | None
SlotValue = Scalar | list[Any] | dict[str, Any]
"""One slot as users write it: text with or without a unit, a number, a list or an object."""

Mode = Literal["llm", "agent"]
EventVersion = Annotated[
    str, msgspec.Meta(pattern=r"^(events_record\.)?v?1(\.[0-9]+)*$", description="version 1, or a minor version of it")
]
EVENT_VERSION = "events_record.v1"
CARRIED = "clinical_event"
"""The field of a trace turn that holds what an event has and trace v1 has no place for."""


SlotsTruth = Annotated[
    dict[str, SlotValue],
    msgspec.Meta(
        title="SlotsTruth",
        description="What the record truly says of one patient, by slot. One that is missing, null or a blank text is "
        "unknown; an empty list says that there is nothing.",
    ),
]
"""What slots hold stands in ``packs/clinical/slots.yaml``; users define more in a ``slots.yaml`` of their own."""


class ScriptTurn(msgspec.Struct, kw_only=True):
    """What the patient says in one turn; ``turn_id`` counts from 1."""

    turn_id: Annotated[int, msgspec.Meta(ge=1)]
    question: str


class ScriptLine(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The conversation of one patient as it is played to a system (one line of a script file).

    ``slots`` is what the record truly says; ``assumed`` names the slots that the record does not hold and the script
    makes up (the complaint of a patient whose record has none).
    """

    patient_id: str
    slots: SlotsTruth
    turns: Annotated[list[ScriptTurn], msgspec.Meta(min_length=1)]
    assumed: list[str] = []


class Question(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What the patient asked in this turn."""

    question_id: str | int | None = None
    text: str


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class EventMetrics(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The figures of one answer, null where there is none; other names are kept and not checked.

    SFS slot factuality, CSP safety penalty (lower is better), CUS and CUS_improved context use, MCS consistency over
    turns, ASS actionability; faithfulness and answer_relevance of retrieval; perplexity from 1 on.
    """

    SFS: Share | None = None
    CSP: Share | None = None
    CUS: Share | None = None
    CUS_improved: Share | None = None
    MCS: Share | None = None
    ASS: Share | None = None
    faithfulness: Share | None = None
    answer_relevance: Share | None = None
    perplexity: Annotated[float, msgspec.Meta(ge=0)] | None = None


class EventRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One answer of one system to one turn of one patient's conversation (one line of ``events.jsonl``).

    ``turn_id`` counts from 1. ``metrics``: see `EventMetrics`.
    ``metadata`` may hold what was retrieved for the answer: see `turnmark.schemas.clinical.contexts`.
    """

    schema_version: EventVersion
    run_id: str
    mode: Mode
    patient_id: str
    turn_id: Annotated[int, msgspec.Meta(ge=1)]
    question: Question
    answer: str | None
    timestamp_utc: str
    usage: dict[str, Any] | None = None
    timing_ms: float | dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    metrics: EventMetrics | None = None
    slots_truth: SlotsTruth | None = None


def read_event(value: Any, file: str, line: int) -> EventRecord | Problem:
    """The typed view of one decoded line of ``events.jsonl``, or what is wrong with it."""
    if not isinstance(value, dict):
        return Problem(file=file, line=line, expected="an object with one event", found=shown(value))
    try:
        return msgspec.convert(value, EventRecord)
    except msgspec.ValidationError as error:
        for fault in faults(value, EventRecord):
            return Problem(file=file, line=line, field=fault.path, expected=fault.expected, found=fault.found)
        return Problem(file=file, line=line, expected=f"an event ({error})", found=shown(value))


def with_metrics(event: Mapping[str, Any], metrics: Mapping[str, float | None]) -> dict[str, Any]:
    """The event with these metrics laid over those it has; every other field stays as it is."""
    return {**event, "metrics": {**(event.get("metrics") or {}), **metrics}}


_IN_THE_TRACE = ("run_id", "patient_id", "turn_id", "question", "answer")


def events_to_traces(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Dialogues in the form of trace v1, one a run, mode and patient, in the order in which they first appear.

    ``dialog_id`` is the patient's id, so that systems over the same scripts pair by it; an answer that is missing or
    blank becomes a turn that ended in error. Turns are ordered by ``turn_id``. Retrieved contexts become items of
    ``recall``, a reference answer ``gt_assistant_text``. The fields that trace v1 has no place for go into
    ``clinical_event`` of the turn; `traces_to_events` restores them.
    """
    dialogs: dict[tuple[Any, Any, Any], list[Mapping[str, Any]]] = {}
    for event in events:
        dialogs.setdefault((event["run_id"], event["mode"], event["patient_id"]), []).append(event)
    places: dict[tuple[Any, Any], int] = {}
    traces = []
    for (run_id, mode, patient_id), own in dialogs.items():
        position = places[run_id, mode] = places.get((run_id, mode), -1) + 1
        turns = [_turn(event) for event in sorted(own, key=lambda event: int(event["turn_id"]))]
        failed = sum(turn["turn_status"] != "ok" for turn in turns)
        traces.append(
            {
                "trace_version": TRACE_VERSION,
                "run_id": run_id,
                "dialog_id": patient_id,
                "dataset_index": position,
                "scenario_type": "clinical",
                "dialog_status": "ok" if not failed else "failed" if failed == len(turns) else "partial",
                "valid_dialog": failed < len(turns),
                "session_id": f"{mode}/{patient_id}",
                "user_id": patient_id,
                "turns": turns,
            }
        )
    return traces


def _turn(event: Mapping[str, Any]) -> dict[str, Any]:
    turn_id = int(event["turn_id"])
    question, answer = event["question"], event["answer"]
    answered = isinstance(answer, str) and bool(answer.strip())
    carried = {name: value for name, value in event.items() if name not in _IN_THE_TRACE}
    carried["question"] = {name: value for name, value in question.items() if name != "text"}
    contexts = contexts_of(event)
    retrieval: dict[str, Any] = {}
    if contexts.retrieved_contexts is not None:
        items = [{"rank": rank, "content": text} for rank, text in enumerate(contexts.retrieved_contexts, 1)]
        retrieval["recall"] = {"items": items}
    if contexts.ground_truth_contexts is not None:
        retrieval["ground_truth_contexts"] = contexts.ground_truth_contexts
    return {
        "turn_pair_id": turn_id,
        "user_turn_abs_idx": 2 * turn_id - 2,
        "gt_assistant_abs_idx": 2 * turn_id - 1,
        "user_text": question["text"],
        "gt_assistant_text": contexts.ground_truth_answer or "",
        "gt_turn_tags": None,
        "turn_status": "ok" if answered else "error",
        "pred_assistant_text": answer,
        "error": None if answered else "the event holds no answer",
        **retrieval,
        **_ended(event),
        CARRIED: carried,
    }


def _ended(event: Mapping[str, Any]) -> dict[str, Any]:
    """Why the answer ended, where the event says so (``finish_reason``, also under ``metadata``)."""
    metadata = event.get("metadata")
    for place in (event, metadata if isinstance(metadata, Mapping) else {}):
        if isinstance(place.get("finish_reason"), str):
            return {"replay": {"finish_reason": place["finish_reason"]}}
    return {}


def traces_to_events(traces: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The events that trace dialogues came from, in the order of the traces and their turns.

    A turn that was not made from an event becomes one of mode ``agent`` without time stamp (an empty text); the items
    that it recalled are its ``metadata.retrieved_contexts``.
    """
    return [_event(trace, turn) for trace in traces for turn in trace.get("turns") or ()]


def _event(trace: Mapping[str, Any], turn: Mapping[str, Any]) -> dict[str, Any]:
    carried = dict(turn.get(CARRIED) or _retrieved(turn))
    question = {**carried.pop("question", {}), "text": turn["user_text"]}
    return {
        "schema_version": carried.pop("schema_version", EVENT_VERSION),
        "run_id": trace["run_id"],
        "mode": carried.pop("mode", "agent"),
        "patient_id": trace["dialog_id"],
        "turn_id": turn["turn_pair_id"],
        "question": question,
        "answer": turn.get("pred_assistant_text"),
        "timestamp_utc": carried.pop("timestamp_utc", ""),
        **carried,
    }


def _retrieved(turn: Mapping[str, Any]) -> dict[str, Any]:
    """What was recalled for a turn of another origin, as the metadata of an event."""
    items = (turn.get("recall") or {}).get("items")
    return {"metadata": {"retrieved_contexts": [item.get("content") or "" for item in items]}} if items else {}
