"""Names of attributes in the conventions that are read, and attributes by what their names mean."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

KINDS = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind", "llm.request.type")
SENT = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "llm.prompts")
GOT = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "llm.completions", "llm.choices")
RETRIEVED = ("reranker.output_documents", "retrieval.documents", "gen_ai.retrieval.documents")
DOCUMENTS = (*RETRIEVED, "output.documents")
VALUE_IN = ("input.value", "traceloop.entity.input", "gen_ai.retrieval.query.text")
VALUE_OUT = ("output.value", "traceloop.entity.output")
CONVERSATION = (
    "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id", "traceloop.association.properties.thread_id",
    "langfuse.session.id", "conversation.id", "thread.id",
)  # fmt: skip
MODEL = ("gen_ai.request.model", "llm.model_name")
ENDED = ("gen_ai.response.finish_reasons", "llm.finish_reason")
TOOL = ("gen_ai.tool.name", "tool.name")
ARGUMENTS = ("gen_ai.tool.call.arguments", "tool.parameters", "input.value")
RESULT = ("gen_ai.tool.call.result", "output.value")
EVENT = "event.name"
_WHOLE = frozenset({
    EVENT, *KINDS, *SENT, *GOT, *DOCUMENTS, *VALUE_IN, *VALUE_OUT, *CONVERSATION, *MODEL, *ENDED, *TOOL, *ARGUMENTS,
    *RESULT,
})  # fmt: skip
_AROUND = frozenset({""} | {name[:at] for name in _WHOLE for at, mark in enumerate(name) if mark == "."})
"""What names begin with: an attribute of such a name may be an object that holds others."""
_NUMBERED = re.compile(
    rf"({'|'.join(map(re.escape, (*SENT, *GOT, *DOCUMENTS)))})\.([0-9]{{1,6}})(?:\.(.*))?$", re.DOTALL
)
_RETRIEVING = "retrieval"
"""Stands for whatever name begins with that of what was retrieved, of which nothing else is told."""
_OF_RETRIEVAL = (*RETRIEVED, _RETRIEVING)
_NUMBERS: Callable[[], defaultdict[int, dict[str, Any]]] = functools.partial(defaultdict, dict)
_MOST, _LONGEST = 1 << 12, 1 << 8

Place = tuple[str, int, str]
Numbered = Mapping[int, Mapping[str, Any]]
"""The fields of what has a number, such as the messages of a call."""


class _Places(dict[str, Place | None]):
    """Where an attribute belongs: a name, number and field; no name for one that stands by itself, None for no place.

    Names are few, and every span has them again: what they mean is found once.
    """

    def __missing__(self, key: str) -> Place | None:
        numbered = _NUMBERED.match(key)
        place: Place | None = None
        if numbered is not None:
            place = numbered[1], int(numbered[2]), numbered[3] or ""
        elif key in _WHOLE or key in _AROUND:
            place = "", 0, key
        elif key.startswith(RETRIEVED):
            place = "", 0, _RETRIEVING
        if len(key) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[key] = place
        return place


PLACES = _Places()


class Told(dict[str, Any]):
    """The attributes that tell anything: by name, or in ``numbered`` by name, number and field."""

    __slots__ = ("numbered",)

    def __init__(self) -> None:
        self.numbered: defaultdict[str, defaultdict[int, dict[str, Any]]] = defaultdict(_NUMBERS)

    @classmethod
    def of(cls, attributes: Mapping[str, Any]) -> Told:
        """Attributes by their flat names."""
        if isinstance(attributes, Told):
            return attributes
        told = cls()
        told.add(attributes)
        return told

    def add(self, attributes: Mapping[str, Any]) -> None:
        """More attributes by their flat names."""
        for key, value in attributes.items():
            place = PLACES[key]
            if place is None:
                continue
            name, number, field = place
            if name:
                self.numbered[name][number][field] = value
            else:
                self[field] = value

    def first(self, names: tuple[str, ...], *, empty: bool = False) -> Any:
        """The first attribute by one of the names that says anything, or is there; None where none does."""
        for name in names:
            if name in self and ((value := self[name]) or empty):
                return value
        return None

    def is_retrieval(self) -> bool:
        """Whether any name is one of what was retrieved."""
        return not (self.numbered.keys().isdisjoint(RETRIEVED) and self.keys().isdisjoint(_OF_RETRIEVAL))
