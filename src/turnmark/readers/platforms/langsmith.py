"""Runs as LangSmith exports them: JSON of its SDK's ``Run``, bulk exports in Parquet, tables of its page.

A run is a span; ``session_id`` of its metadata (or ``thread_id``, ``conversation_id``) says which dialogue it belongs
to: the field ``session_id`` of the run itself is the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.platforms import values
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.spans.dialogs import dialogues_of
from turnmark.readers.spans.forms import Span

_KINDS = {
    "llm": values.MODEL, "retriever": values.RETRIEVAL, "tool": values.TOOL,
    "prompt": values.OTHER, "parser": values.OTHER, "embedding": values.OTHER,
}  # fmt: skip
_THREAD = ("session_id", "thread_id", "conversation_id")
_READ = (
    "parent_run_id", "parent_run_ids", "run_type", "inputs", "outputs", "error", "events",
    "serialized",
    "child_runs", "child_run_ids", "dotted_order", "inputs_preview", "outputs_preview",
)  # fmt: skip


class _Langsmith:
    version = "Run of langsmith 0.15.1 (JSON), bulk exports (Parquet), tables (CSV)"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether there are runs: an id, a kind of run and inputs."""
        names = sample.columns or (frozenset(sample.first) if isinstance(sample.first, dict) else frozenset())
        return {"id", "run_type", "inputs", "start_time"} <= names

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues by thread; nested runs (``child_runs``) and flat ones alike."""
        return dialogues_of(path, values.spans_in(path, _spans))


def _spans(run: dict[str, Any]) -> Iterator[Span]:
    name = values.identity(run, "the id of a run", "id")
    parent = values.named(run, "parent_run_id")
    trace = values.named(run, "trace_id") or (name if parent is None else None)
    if trace is None:
        raise values.FieldError("$.trace_id", "the id of the trace that a run lies in", None)
    kind = _KINDS.get(str(run.get("run_type")).lower(), values.WHOLE)
    extra = values.mapping(run.get("extra"), "$.extra")
    metadata = values.mapping(extra.get("metadata") or run.get("metadata"), "$.extra.metadata")
    made = run.get("outputs")
    error = values.named(run, "error")
    kept = {} if parent is not None else values.left(run, _READ) | {"read_from": "langsmith"}
    yield Span(
        str(trace), name, str(parent or ""), str(run.get("name") or ""), values.moment(run, "start_time"),
        values.attributes(kind, run.get("inputs"), made, values.named(metadata, *_THREAD)), (),
        "" if error is None else str(error), kept,
    )  # fmt: skip
    children = run.get("child_runs")
    for place, child in enumerate(children if isinstance(children, list) else ()):
        if not isinstance(child, dict):
            raise values.FieldError(f"$.child_runs[{place}]", "a run", child)
        yield from _spans({"trace_id": trace, **child, "parent_run_id": name})


LANGSMITH = _Langsmith()
