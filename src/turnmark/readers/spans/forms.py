"""The forms in which spans are saved: OTLP JSON, what SDKs write, rows of a table of spans; all become `Span`.

Attributes become flat names (``llm.input_messages.0.message.role``) whether they were nested or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from turnmark.schemas.problems import shown

_OTLP = {"resourceSpans": ("scopeSpans", "spans"), "resourceLogs": ("scopeLogs", "logRecords")}
_TRACE = ("trace_id", "traceId", "context.trace_id")
_SPAN = ("span_id", "spanId", "context.span_id")
_PARENT = ("parent_id", "parentSpanId", "parent_span_id", "parentId")
_START = ("start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime")
_PREFIX = "attributes."
_LONGEST_NUMBER = 25
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


class Event(NamedTuple):
    """Something that happened within a span: what a model was told, in the older conventions."""

    name: str
    attributes: Mapping[str, Any]


class Span(NamedTuple):
    """One span. ``start`` is in seconds since 1970, 0 where it is not told; ``error`` is "" where it went well.

    ``kept`` is what its format says beside that and a dialogue has no place for.
    """

    trace: str
    span: str
    parent: str
    name: str
    start: float
    attributes: Mapping[str, Any]
    events: Sequence[Event]
    error: str
    kept: Mapping[str, Any] = {}


class Fault(NamedTuple):
    """A span that cannot be read: the JSON path of the field in its record, what was expected and found."""

    field: str
    expected: str
    found: str


class LogRecord(NamedTuple):
    """An event that was saved beside the spans, and the span that it belongs to."""

    trace: str
    span: str
    event: Event


def is_spans(record: Any) -> bool:
    """Whether a JSON value is a span, an event of one, or an OTLP message of such."""
    if not isinstance(record, dict):
        return False
    if any(isinstance(record.get(name), list) for name in _OTLP):
        return True
    ids = _with_context(record)
    return bool(_first(ids, _TRACE) and _first(ids, _SPAN)) and (
        "attributes" in record or any(name.startswith(_PREFIX) for name in record)
    )


def spans_of(record: Mapping[str, Any]) -> Iterator[Span | LogRecord | Fault]:
    """The spans and events of one record, and what is wrong with those that cannot be told apart."""
    otlp = [name for name in _OTLP if isinstance(record.get(name), list)]
    for name in otlp:
        scopes, entries = _OTLP[name]
        for first, resource in _records(record[name]):
            for second, scope in _records(resource.get(scopes)):
                for third, entry in _records(scope.get(entries)):
                    yield _span(entry, f"$.{name}[{first}].{scopes}[{second}].{entries}[{third}]")
    if not otlp:
        yield _span(record, "$")


def span_in(raw: msgspec.Raw, place: str) -> Iterator[Span | LogRecord | Fault]:
    """The span or event that stands at a place of a message, read as whatever JSON it is."""
    try:
        entry = _DECODER.decode(raw)
    except msgspec.DecodeError as error:  # a number that nothing can hold
        yield Fault(place, f"a span ({error})", f"{len(bytes(raw))} bytes")
        return
    if isinstance(entry, dict):
        yield _span(entry, place)


def flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """Objects and lists of objects as flat names; lists of plain values stay lists."""
    results: dict[str, Any] = {}
    flatten(value, prefix, results)
    return results


def flatten(value: Any, prefix: str, results: dict[str, Any]) -> None:
    """Add the flat names of a value to the results."""
    if isinstance(value, dict):
        entries: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        entries = enumerate(value)
    else:
        if prefix:
            results[prefix] = value
        return
    for name, each in entries:
        full = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(each, (dict, list)):
            flatten(each, full, results)
        elif full:
            results[full] = each


def json_value(text: Any, decode: Callable[[str], Any] = _DECODER.decode) -> Any:
    """What a text holds that is a JSON object or list; anything else as it is."""
    if isinstance(text, str) and text.lstrip()[:1] in {"{", "["}:
        try:
            return decode(text)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return text
    return text


def _span(entry: Mapping[str, Any], place: str) -> Span | LogRecord | Fault:
    ids = _with_context(entry)
    trace, span = _id(ids, _TRACE), _id(ids, _SPAN)
    attributes = _attributes(entry)
    event = _first(entry, ("event_name", "eventName")) or attributes.get("event.name")
    is_event = event is not None or "body" in entry
    if not is_event and not (trace and span):
        name, of = ("trace id", _TRACE) if not trace else ("span id", _SPAN)
        return Fault(f"{place}.{of[0]}", f"the {name} of a span ({', '.join(of)})", shown(_first(ids, of)))
    if is_event:
        body = flat(any_value(entry.get("body")))
        return LogRecord(trace, span, Event(str(event), {**attributes, **body}))
    events = [event_of(each) for _, each in _records(entry.get("events"))]
    return Span(
        trace, span, _id(entry, _PARENT), str(entry.get("name")), seconds(_first(entry, _START)), attributes, events,
        _error(entry, events),
    )  # fmt: skip


def event_of(entry: Mapping[str, Any]) -> Event:
    """An event within a span."""
    return Event(str(entry.get("name")), _attributes(entry))


def _with_context(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    context = entry.get("context")
    return {**entry, **context} if isinstance(context, dict) else entry


def _first(entry: Mapping[str, Any], names: Sequence[str]) -> Any:
    for name in names:
        value = entry.get(name)
        if value:
            return value
    return None


def _id(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    return str(_first(entry, names) or "").removeprefix("0x")


def _records(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    if isinstance(value, list):
        yield from ((place, each) for place, each in enumerate(value) if isinstance(each, dict))


def _attributes(entry: Mapping[str, Any]) -> dict[str, Any]:
    given = entry.get("attributes")
    if isinstance(given, list):
        results: dict[str, Any] = {}
        for _, each in _records(given):
            flatten(any_value(each.get("value")), str(each.get("key")), results)
        return results
    if not isinstance(given, dict):
        given = {
            name.removeprefix(_PREFIX): value
            for name, value in entry.items()
            if name.startswith(_PREFIX) and value is not None
        }
    return flat(given)


def any_value(value: Any) -> Any:
    """A value of OTLP JSON (``{"stringValue": …}``) as it is meant; any other as it is."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    match kind:
        case "stringValue" | "boolValue" | "intValue" | "doubleValue" | "bytesValue":
            return inner
        case "arrayValue":
            return [any_value(each) for _, each in _records(inner.get("values"))] if isinstance(inner, dict) else []
        case "kvlistValue":
            pairs = _records(inner.get("values")) if isinstance(inner, dict) else ()
            return {str(pair.get("key")): any_value(pair.get("value")) for _, pair in pairs}
        case _:
            return value


def seconds(value: Any) -> float:
    """A time as seconds: nanoseconds since 1970, milliseconds (tables of pandas), or ISO 8601."""
    text = str(value or "")
    if text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER:
        return int(text) / (1e9 if len(text) > 15 else 1e3)
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):  # no time, or one that no clock has
        return 0.0


def _error(entry: Mapping[str, Any], events: Sequence[Event]) -> str:
    status = entry.get("status")
    status = status if isinstance(status, dict) else {"code": entry.get("status_code")}
    told = _first(status, ("description", "message")) or entry.get("status_message")
    return error_of(_first(status, ("status_code", "code")), told, events)


def error_of(code: Any, told: Any, events: Sequence[Event]) -> str:
    """What went wrong in a span by its status, "" when nothing did."""
    if str(code or "").rpartition("_")[2].upper() not in {"ERROR", "2"}:
        return ""
    thrown = next((event.attributes.get("exception.message") for event in events if event.name == "exception"), None)
    return str(told or thrown or "the span ended with an error")
