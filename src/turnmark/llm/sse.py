"""Reads a stream of server-sent events. Source: WHATWG HTML, 9.2 Server-sent events."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple


class ServerSentEvent(NamedTuple):
    """One event: its type ("message" when the stream names none) and its data, lines joined by line feeds."""

    event: str
    data: str


class EventParser:
    """Bytes in, as they arrive; events out. An event that the stream ends within is no event."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """The events that are whole now."""
        text = self._rest + self._decoder.decode(chunk)
        # A CR at the end may be half of a CR LF.
        held = text.endswith("\r")
        lines = (text[:-1] if held else text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + ("\r" if held else "")
        for line in lines:
            if line:
                self._field(line)
            elif self._data or self._event:
                if self._data:
                    yield ServerSentEvent(self._event or "message", "\n".join(self._data))
                self._event, self._data = "", []

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
