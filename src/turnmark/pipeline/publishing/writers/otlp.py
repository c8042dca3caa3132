"""Scores as ``gen_ai.evaluation.result`` events: log records in OTLP JSON, one request a line.

Attribute names are those of the OpenTelemetry GenAI semantic conventions, ``model/gen-ai/events.yaml`` on the main
branch of semantic-conventions-genai (stability: development). What these have no name for stands under ``turnmark.``.
Lines have the form of OTLP's file exporter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from turnmark.llm.secrets import Secrets
from turnmark.pipeline.publishing.sending import Destination, wanted
from turnmark.pipeline.publishing.writers.protocol import Run, Score, write_json_lines
from turnmark.schemas.redaction import SECRETS_IN_USE

_AT_ONCE = 500
_INFORMATION = 9


class _Otlp:
    version = "OTLP JSON logs; GenAI semantic conventions, stability development"

    def write(self, run: Run, folder: Path) -> None:
        """``evaluations.jsonl``: events of turns, then those of the run's figures. What is not applicable has none."""
        write_json_lines(folder / "evaluations.jsonl", _requests(run))

    def destination(self, secrets: Secrets) -> Destination:
        """``OTEL_EXPORTER_OTLP_LOGS_ENDPOINT``, or ``OTEL_EXPORTER_OTLP_ENDPOINT`` with ``/v1/logs`` behind it.

        ``OTEL_EXPORTER_OTLP_HEADERS`` holds headers (``name=value,…``, percent-encoded), as in every exporter.
        """
        url = secrets.get("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT")
        url = url or f"{wanted(secrets, 'OTEL_EXPORTER_OTLP_ENDPOINT').rstrip('/')}/v1/logs"
        pairs = (pair.partition("=") for pair in (secrets.get("OTEL_EXPORTER_OTLP_HEADERS") or "").split(",") if pair)
        headers = {name.strip(): unquote(value.strip()) for name, _, value in pairs}
        for value in headers.values():
            SECRETS_IN_USE.add(value)
        return Destination(
            url, headers, "evaluations.jsonl", 1, lambda lines: lines[0], _rejected, records=_records, noun="events"
        )


class _Scope(msgspec.Struct, rename="camel"):
    log_records: list[msgspec.Raw] = []


class _Resource(msgspec.Struct, rename="camel"):
    scope_logs: list[_Scope] = []


class _Sent(msgspec.Struct, rename="camel"):
    resource_logs: list[_Resource] = []


def _records(line: bytes) -> int:
    """How many log records a request holds."""
    sent = msgspec.json.decode(line, type=_Sent)
    return sum(len(scope.log_records) for resource in sent.resource_logs for scope in resource.scope_logs)


class _Partial(msgspec.Struct):
    """``ExportLogsPartialSuccess``; JSON of protobuf has 64 bits as text or number, names as they are or in camel."""

    rejectedLogRecords: int = 0  # noqa: N815 - names of the protocol
    rejected_log_records: int = 0
    errorMessage: str | None = None  # noqa: N815
    error_message: str | None = None


def _rejected(reply: Any) -> tuple[int, list[str]]:
    """Of a partial success how many records were rejected, and what was said; with none rejected that is a warning."""
    found = (reply.get("partialSuccess") or reply.get("partial_success")) if isinstance(reply, dict) else None
    if not found:
        return 0, []
    try:
        partial = msgspec.convert(found, _Partial, strict=False)
    except msgspec.ValidationError as error:
        return 0, [f"a partial success that cannot be read: {error}"]
    told = partial.errorMessage or partial.error_message
    return max(0, partial.rejectedLogRecords or partial.rejected_log_records), [told] if told else []


def _requests(run: Run) -> Iterator[dict[str, Any]]:
    texts = {"service.name": "turnmark", "turnmark.run_id": run.summary.run_id}
    version = run.summary.turnmark_version or ""
    resource = {"attributes": _attributes(texts)}
    records = itertools.chain(_of_turns(run), _of_run(run))
    while group := list(itertools.islice(records, _AT_ONCE)):
        scope = {"scope": {"name": "turnmark", "version": version}, "logRecords": group}
        yield {"resourceLogs": [{"resource": resource, "scopeLogs": [scope]}]}


def _of_turns(run: Run) -> Iterator[dict[str, Any]]:
    at = _nanoseconds(run)
    for score in run.applicable():
        yield _event(at, _of_score(score))


def _of_score(score: Score) -> dict[str, str | float | int | None]:
    return {
        "gen_ai.evaluation.name": score.name,
        "gen_ai.evaluation.score.value": score.value,
        "gen_ai.evaluation.score.label": "not_decided" if score.state == "not decided" else None,
        "gen_ai.evaluation.explanation": score.reason or None,
        "error.type": "metric_failed" if score.state == "failed" else None,
        "gen_ai.conversation.id": score.dialog_id,
        "turnmark.turn_pair_id": score.turn_pair_id,
        "turnmark.hits": score.hits,
        "turnmark.total": score.total,
        "turnmark.undecided": score.undecided or None,
    }


def _of_run(run: Run) -> Iterator[dict[str, Any]]:
    at = _nanoseconds(run)
    for figure in run.figures():
        if figure.value is None and figure.decided_share == 1:
            continue
        others = {name: getattr(figure, name) for name in ("total", "decided_share", "bound_low", "bound_high")}
        yield _event(at, {
            "gen_ai.evaluation.name": f"{figure.metric}.{figure.measure}",
            "gen_ai.evaluation.score.value": figure.value,
            "gen_ai.evaluation.score.label": "not_decided" if figure.value is None else None,
            "turnmark.interval.low": figure.low,
            "turnmark.interval.high": figure.high,
            **{f"turnmark.{name}": value for name, value in others.items()},
        })  # fmt: skip


def _event(at: str, attributes: dict[str, Any]) -> dict[str, Any]:
    return {
        "timeUnixNano": at,
        "severityNumber": _INFORMATION,
        "eventName": "gen_ai.evaluation.result",
        "attributes": _attributes(attributes),
    }


def _attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in values.items() if value is not None]


def _value(value: str | float) -> dict[str, str | float]:
    if isinstance(value, str):
        return {"stringValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"doubleValue": value}  # 64 bits are text in OTLP


def _nanoseconds(run: Run) -> str:
    """When the run ended; 0 is OTLP's word for a time that is not known."""
    at = run.moment("ended_at")
    return "0" if at is None else str(int(at.timestamp() * 1_000_000) * 1_000)


OTLP = _Otlp()
