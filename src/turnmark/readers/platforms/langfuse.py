"""Traces and observations as Langfuse exports them: objects of its API, alone or in pages, tables, files of exports.

A trace holds its observations or comes without; observations may stand alone. ``sessionId`` is the dialogue. Names are
read in both spellings (``traceId``, ``trace_id``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.platforms import values
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import cell, entries_of
from turnmark.readers.spans.dialogs import dialogues_of
from turnmark.readers.spans.forms import Span

_KINDS = {
    "generation": values.MODEL, "retriever": values.RETRIEVAL, "tool": values.TOOL, "event": values.OTHER,
    "embedding": values.OTHER, "evaluator": values.OTHER, "guardrail": values.OTHER,
}  # fmt: skip
_TRACE_ID, _PARENT = ("traceId", "trace_id"), ("parentObservationId", "parent_observation_id")
_SESSION = ("sessionId", "session_id")
_READ = (*_PARENT, *_SESSION, "input", "output", "observations", "type", "level", "statusMessage")
_OBSERVED = {"id", "type", "name"}


class _Langfuse:
    version = "Trace and observation of langfuse 3.15, observation of langfuse 5.0.4 (JSON, CSV, Parquet)"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether the first record is an observation, or a trace with its session, observations or times."""
        first = next(iter(entries_of(sample.first)), None)
        names = sample.columns or (frozenset(first) if isinstance(first, dict) else frozenset())
        return _is_observation(names) or _is_trace(names)

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues by session; traces without one are dialogues of their own."""
        return dialogues_of(path, values.spans_in(path, _spans))


def _is_observation(names: frozenset[str]) -> bool:
    return names >= _OBSERVED and any(
        {trace, start} <= names for trace, start in zip(_TRACE_ID, ("startTime", "start_time"), strict=True)
    )


def _is_trace(names: frozenset[str]) -> bool:
    marks = {*_SESSION, "observations", "htmlPath", "totalCost", "bookmarked"} & names
    return {"id", "timestamp", "input", "output"} <= names and bool(marks)


def _spans(record: dict[str, Any]) -> Iterator[Span]:
    if _is_observation(frozenset(record)) or values.named(record, *_TRACE_ID) is not None:
        yield _observation(record, values.identity(record, "the id of a trace", *_TRACE_ID), "")
        return
    trace = values.identity(record, "the id of a trace", "id")
    observations = cell(record.get("observations"))
    inner = [each for each in observations if not isinstance(each, str)] if isinstance(observations, list) else []
    session = values.named(record, *_SESSION)
    yield Span(
        trace, trace, "", str(record.get("name") or ""), values.moment(record, "timestamp"),
        values.attributes(values.WHOLE, record.get("input"), record.get("output"), session), (), "",
        values.left(record, _READ) | {"read_from": "langfuse"},
    )  # fmt: skip
    for place, observation in enumerate(inner):
        if not isinstance(observation, dict):
            raise values.FieldError(f"$.observations[{place}]", "an observation", observation)
        try:
            yield _observation(observation, trace, trace)
        except values.FieldError as error:
            error.field = f"$.observations[{place}]{error.field.removeprefix('$')}"
            raise


def _observation(record: Mapping[str, Any], trace: str, around: str) -> Span:
    parent = values.named(record, *_PARENT)
    kind = _KINDS.get(str(record.get("type")).lower(), values.WHOLE)
    failed = str(record.get("level")).upper() == "ERROR"
    told = values.named(record, "statusMessage", "status_message")
    return Span(
        trace, values.identity(record, "the id of an observation", "id"), str(parent or around),
        str(record.get("name") or ""), values.moment(record, "startTime", "start_time"),
        values.attributes(kind, record.get("input"), record.get("output"), values.named(record, *_SESSION)), (),
        str(told or "the observation is of level ERROR") if failed else "",
        {} if parent or around else values.left(record, _READ) | {"read_from": "langfuse"},
    )  # fmt: skip


LANGFUSE = _Langfuse()
