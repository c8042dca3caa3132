"""Messages of spans in OTLP JSON, read by their types: one span at a time, and of each only what is asked of it.

What is not exactly as the protocol has it is left to `turnmark.readers.spans.forms`, which reads any JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from turnmark.readers.spans.attributes import EVENT, PLACES, Told
from turnmark.readers.spans.forms import Fault, LogRecord, Span, any_value, error_of, event_of, flat, seconds, span_in
from turnmark.schemas.jsonl import is_utf8


class _Value(Struct, gc=False, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A value: the one field that is set says of which kind it is."""

    string_value: str | UnsetType = UNSET
    int_value: Any = UNSET
    double_value: Any = UNSET
    bool_value: Any = UNSET
    array_value: Any = UNSET
    kvlist_value: Any = UNSET
    bytes_value: Any = UNSET

    def meant(self) -> Any:
        """The value as it is meant."""
        return any_value(msgspec.to_builtins(self))


class _Attribute(Struct, gc=False):
    key: str
    value: _Value | None = None


class _Status(Struct, gc=False, forbid_unknown_fields=True):
    code: Any = None
    message: Any = None


class _Span(Struct, gc=False, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A span with every field of the protocol, in its order."""

    trace_id: str
    span_id: str
    name: str
    trace_state: Any = None
    parent_span_id: str | None = None
    flags: Any = None
    kind: Any = None
    start_time_unix_nano: str | int | None = None
    end_time_unix_nano: Any = None
    attributes: Sequence[_Attribute] = ()
    dropped_attributes_count: Any = None
    events: Sequence[dict[str, Any]] = ()
    dropped_events_count: Any = None
    links: Any = None
    dropped_links_count: Any = None
    status: _Status | None = None


class _Scope(Struct, gc=False, rename="camel"):
    spans: list[Raw] = []


class _Resource(Struct, gc=False, rename="camel"):
    scope_spans: list[_Scope] = []


class _Message(Struct, gc=False, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    resource_spans: list[_Resource]


_MESSAGE, _SPAN = msgspec.json.Decoder(_Message), msgspec.json.Decoder(_Span)


def otlp_spans(raw: bytes) -> Iterator[Span | LogRecord | Fault] | None:
    """The spans of a message, as they are asked for; None for what is no whole message of spans in OTLP JSON."""
    try:
        message = _MESSAGE.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return _spans(message) if is_utf8(raw) else None  # texts that no field asks for were not looked at


def _spans(message: _Message) -> Iterator[Span | LogRecord | Fault]:
    for first, resource in enumerate(message.resource_spans):
        for second, scope in enumerate(resource.scope_spans):
            for third, raw in enumerate(scope.spans):
                span = _read(raw)
                if span is None:
                    yield from span_in(raw, f"$.resourceSpans[{first}].scopeSpans[{second}].spans[{third}]")
                else:
                    yield span


def _read(raw: Raw) -> Span | None:
    """A span; None where it is not as the protocol has it."""
    try:
        entry = _SPAN.decode(raw)
    except msgspec.DecodeError:
        return None
    attributes = _told(entry.attributes)
    trace, span = entry.trace_id.removeprefix("0x"), entry.span_id.removeprefix("0x")
    if not (trace and span) or EVENT in attributes:
        return None
    events = [event_of(each) for each in entry.events]
    status = entry.status
    error = error_of(status.code, status.message, events) if status is not None and status.code else ""
    return Span(
        trace, span, (entry.parent_span_id or "").removeprefix("0x"), entry.name, seconds(entry.start_time_unix_nano),
        attributes, events, error,
    )  # fmt: skip


def _told(attributes: Sequence[_Attribute]) -> Told:
    """The attributes that tell anything."""
    told = Told()
    for each in attributes:
        place = PLACES[each.key]
        if place is None:
            continue
        name, number, field = place
        value = each.value
        if value is None or value.string_value is UNSET:
            told.add(flat(value and value.meant(), each.key))
        elif name:
            told.numbered[name][number][field] = value.string_value
        else:
            told[field] = value.string_value
    return told
