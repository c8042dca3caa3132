"""OTLP messages in protobuf: one ``ExportTraceServiceRequest``, or many, each behind its length.

The file exporter of the OpenTelemetry Collector (``format: proto``) writes four bytes of length, the most significant
first.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from turnmark.errors import DataError, MissingExtraError
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.spans.dialogs import dialogues_of, fault_problem
from turnmark.readers.spans.forms import Fault, LogRecord, Span, spans_of
from turnmark.schemas.problems import Problem, readable

_SUFFIXES = (".pb", ".binpb", ".otlp")
_LENGTH = struct.Struct(">I")
_TAG = b"\x0a"
"""How a message begins that holds anything: its field 1, of a length that follows."""


class _OtlpProtobuf:
    version = "OTLP protobuf of opentelemetry-proto 1.45: one message, or many with lengths (Collector)"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """By the end of the name."""
        return sample.path.suffix.lower() in _SUFFIXES

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues of all messages; positions count messages from 1."""
        return dialogues_of(path, _spans(path))


def _spans(path: Path) -> Iterator[tuple[int, Span | LogRecord | Problem]]:
    try:
        from google.protobuf.json_format import MessageToDict  # noqa: PLC0415 - an extra
        from google.protobuf.message import DecodeError  # noqa: PLC0415
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # noqa: PLC0415
            ExportTraceServiceRequest,
        )
    except ImportError as error:
        message = f"{path}: OTLP in protobuf is read by opentelemetry-proto: pip install 'turnmark[otlp]'"
        raise MissingExtraError(message) from error
    for number, raw in _messages(path):
        if isinstance(raw, Problem):
            yield number, raw
            continue
        try:
            record = MessageToDict(ExportTraceServiceRequest.FromString(raw))
        except DecodeError as error:
            yield number, Problem(
                file=readable(path), line=number, expected="an ExportTraceServiceRequest of OTLP",
                found=f"{len(raw)} bytes ({error})", advice="the message is left out",
            )  # fmt: skip
            continue
        for span in spans_of(record) if record else ():
            yield number, fault_problem(path, number, span) if isinstance(span, Fault) else span


def _messages(path: Path) -> Iterator[tuple[int, Any]]:
    """The bytes of each message; a file that begins with a field is one message."""
    try:
        with path.open("rb") as file:
            if file.read(1) == _TAG:
                file.seek(0)
                yield 1, file.read()
                return
            file.seek(0)
            number = 0
            while head := file.read(_LENGTH.size):
                number += 1
                length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else None
                raw = b"" if length is None else file.read(length)
                if length is None or len(raw) < length:
                    yield number, Problem(
                        file=readable(path), line=number, expected=f"a message of {length} bytes",
                        found=f"the end of the file after {len(head) + len(raw)}", advice="copy the file again",
                    )  # fmt: skip
                    return
                yield number, raw
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


OTLP_PROTOBUF = _OtlpProtobuf()
