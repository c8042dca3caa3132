"""Traces of MLflow: ``Trace.to_json`` (one, one a line, an array) and frames of ``search_traces``.

``mlflow.trace.session`` of the trace's metadata is the dialogue. Spans are those of version 3 (``span_id``) and 2
(``context.span_id``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.platforms import values
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import cell
from turnmark.readers.spans.dialogs import dialogues_of
from turnmark.readers.spans.forms import Span

_KINDS = {
    "LLM": values.MODEL, "CHAT_MODEL": values.MODEL, "RETRIEVER": values.RETRIEVAL, "RERANKER": values.RETRIEVAL,
    "TOOL": values.TOOL, "PARSER": values.OTHER, "EMBEDDING": values.OTHER, "GUARDRAIL": values.OTHER,
    "EVALUATOR": values.OTHER,
}  # fmt: skip
_SESSION = "mlflow.trace.session"
_REPEATED = ("mlflow.traceInputs", "mlflow.traceOutputs")
_READ = ("request_preview", "response_preview", "spans", "trace", "request", "response")


class _Mlflow:
    version = "Trace of mlflow 3.17.2 (schemas 2 and 3), JSON and frames of search_traces"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether there is a trace with its spans, or the frame of such."""
        first = sample.first if isinstance(sample.first, dict) else {}
        data = first.get("data")
        names = sample.columns or frozenset(first)
        whole = isinstance(first.get("info"), dict) and isinstance(data, dict) and "spans" in data
        return whole or {"trace_id", "trace_metadata", "spans"} <= names

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues by session; traces without one are dialogues of their own."""
        return dialogues_of(path, values.spans_in(path, _spans))


def _spans(record: dict[str, Any]) -> Iterator[Span]:
    whole = "info" in record
    info = values.mapping(record["info"] if whole else record, "$.info" if whole else "$")
    spans = cell(values.mapping(record.get("data"), "$.data").get("spans") if whole else record.get("spans"))
    place = "$.data.spans" if whole else "$.spans"
    if not isinstance(spans, list):
        raise values.FieldError(place, "a list of spans", spans)
    trace = values.identity(info, "the id of a trace", "trace_id", "request_id")
    metadata = values.mapping(info.get("trace_metadata") or info.get("request_metadata"), "$.info.trace_metadata")
    kept = values.left(info, _READ) | {"read_from": "mlflow"}
    told = {name: cell(value) for name, value in metadata.items() if name not in _REPEATED}
    kept |= {"trace_metadata": told} if told else {}
    for number, span in enumerate(map(cell, spans)):
        if not isinstance(span, dict):
            raise values.FieldError(f"{place}[{number}]", "a span", span)
        yield _span(span, f"{place}[{number}]", trace, metadata.get(_SESSION), kept)


def _span(span: Mapping[str, Any], place: str, trace: str, session: Any, kept: Mapping[str, Any]) -> Span:
    context = span.get("context")
    name = values.named({**span, **context} if isinstance(context, Mapping) else span, "span_id")
    if name is None:
        raise values.FieldError(f"{place}.span_id", "the id of a span", None)
    given = {key: cell(value) for key, value in values.mapping(span.get("attributes"), f"{place}.attributes").items()}
    parent = values.named(span, "parent_span_id", "parent_id")
    kind = _KINDS.get(str(given.get("mlflow.spanType")), values.WHOLE)
    status = span.get("status")
    status = status if isinstance(status, Mapping) else {"code": span.get("status_code"), "message": ""}
    failed = str(status.get("code")).rpartition("_")[2] == "ERROR"
    return Span(
        trace, str(name), str(parent or ""), str(span.get("name") or ""),
        values.moment(span, "start_time_unix_nano", "start_time"),
        values.attributes(kind, given.get("mlflow.spanInputs"), given.get("mlflow.spanOutputs"), session), (),
        str(status.get("message") or span.get("status_message") or "the span ended with an error") if failed else "",
        kept if parent is None else {},
    )  # fmt: skip


MLFLOW = _Mlflow()
