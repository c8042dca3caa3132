"""What a span says: messages to and from a model in any of the conventions, retrieved documents, tool calls."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal

import msgspec

from turnmark.readers.spans.attributes import (
    ARGUMENTS,
    DOCUMENTS,
    ENDED,
    GOT,
    KINDS,
    MODEL,
    RESULT,
    SENT,
    TOOL,
    VALUE_IN,
    VALUE_OUT,
    Numbered,
    Told,
)  # fmt: skip
from turnmark.readers.spans.forms import Event, Span, flat, json_value
from turnmark.schemas.dialog import role_of

Kind = Literal["whole", "model", "retrieval", "tool", "other"]

_KINDS: dict[str, Kind] = {
    "llm": "model", "chat": "model", "text_completion": "model", "generate_content": "model",
    "retriever": "retrieval", "reranker": "retrieval", "retrieval": "retrieval",
    "tool": "tool", "execute_tool": "tool",
    "embedding": "other", "embeddings": "other", "guardrail": "other", "evaluator": "other", "prompt": "other",
}  # fmt: skip
_JSON: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_RAW: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[msgspec.Raw] | dict[str, Any])
_ENDS = {"max_tokens": "length", "MAX_TOKENS": "length"}
_MOST = 1 << 12
"""Names of fields of messages of which it is remembered what they mean."""
_role = functools.lru_cache(_MOST)(role_of)
_DOCUMENT_TEXTS = frozenset({"document.content", "content", "text"})
_ASKED = (
    "question",
    "query",
    "user_input",
    "input",
    "inputs",
    "user_message",
    "prompt",
    "message",
    "text",
    "content",
    "data",
)
_TOLD = ("answer", "output", "outputs", "response", "result", "text", "content", "message", "data")
_EVENT_ROLES = {
    "gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool", "gen_ai.choice": "assistant",
}  # fmt: skip
_HIDDEN = "__REDACTED__"
"""What OpenInference puts in the place of a text that it was told to hide."""
_TEXT = re.compile(
    r"(?:message\.|data\.|kwargs\.)?(?:content|text)$|(?:prompt|completion)\.text$|(?P<part>parts|content|message\.contents)\.([0-9]{1,6})\."
    r"(?:content|text|message_content\.text)$"
)
_ROLES = ("role", "message.role", "data.type", "kwargs.type", "type")


Message = tuple[str, str]
"""The role and the text of one message of a model call."""


class _Part(msgspec.Struct, tag_field="type", tag="text", forbid_unknown_fields=True, gc=False):
    content: str


class _Spoken(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message as most are, which is all text; any other is read by the names that its fields have."""

    role: str = ""
    content: str = ""
    parts: list[_Part] = []
    name: Any = None
    finish_reason: Any = None


_SPOKEN = msgspec.json.Decoder(_Spoken)


class Said(msgspec.Struct, array_like=True, gc=False):
    """What of a span is kept. ``before`` is the last reply in the history that a call was given, "" without any."""

    kind: Kind
    question: str = ""
    answer: str = ""
    before: str = ""
    documents: list[str] = []
    finish_reason: str | None = None


def said(attributes: Told, events: Sequence[Event]) -> Said:
    """Read a span by its attributes and events."""
    kind = _kind(attributes)
    if kind in {"tool", "other"}:
        return Said(kind)
    asked, before, sent = _asked(_messages(attributes, SENT, events))
    if kind == "retrieval":
        return Said(kind, asked or _plain(attributes, VALUE_IN, _ASKED), documents=_documents(attributes))
    told, got = _told(_messages(attributes, GOT, events))
    if kind == "model" or (kind == "unnamed" and (sent or got)):  # some calls tell their messages by no name
        asked, told = asked or _plain(attributes, VALUE_IN, ()), told or _plain(attributes, VALUE_OUT, ())
        return Said("model", asked, told, before, [], _finish_reason(attributes))
    asked, told = asked or _plain(attributes, VALUE_IN, _ASKED), told or _plain(attributes, VALUE_OUT, _TOLD)
    return Said("whole", asked, told)


def tool_call(span: Span, attributes: Told) -> dict[str, Any]:
    """A tool call as a trace has it."""
    arguments = attributes.first(ARGUMENTS, empty=True)
    found = attributes.first(RESULT, empty=True)
    call: dict[str, Any] = {"tool_name": str(attributes.first(TOOL) or span.name)}
    if arguments is not None:
        call["args"] = json_value(arguments)
    if found is not None:
        call["result_excerpt"] = _within(json_value(found), _TOLD) or str(found)
    if span.error:
        call["error"] = span.error
    return call


def _asked(sent: Iterable[Message]) -> tuple[str, str, bool]:
    """The question, the last reply before it, and whether there is any message; the latest comes first."""
    asked, spoken = "", False
    for role, text in sent:
        spoken = True
        if asked and role == "assistant":
            return asked, text, True
        if not asked and role == "user":
            asked = text
    return asked, "", spoken


def _told(got: Iterable[Message]) -> tuple[str, bool]:
    """The reply, and whether there is any message; the latest comes first."""
    spoken = False
    for role, text in got:
        spoken = True
        if role in {"assistant", ""}:
            return text, True
    return "", spoken


def _kind(attributes: Told) -> Kind | Literal["unnamed"]:
    """What a span is about; unnamed where it is a call of a model if it has messages, and else a whole."""
    told = str(attributes.first(KINDS) or "").lower()
    if told in _KINDS:
        return _KINDS[told]
    if attributes.is_retrieval():
        return "retrieval"
    return "unnamed" if not told and any(name in attributes for name in MODEL) else "whole"


def _messages(attributes: Told, names: tuple[str, ...], events: Sequence[Event]) -> Iterable[Message]:
    """Messages by the first of the names that holds any, in the attributes of the span or of its events, latest first.

    Each is read as it is asked for: of the history that every call repeats nothing but the end is.
    """
    if events:
        return _of_events(attributes, names, events)
    if attributes.numbered or not attributes.keys().isdisjoint(names):
        return _of_names(attributes, names)
    return ()


def _of_events(attributes: Told, names: tuple[str, ...], events: Sequence[Event]) -> Iterator[Message]:
    for given in (attributes, *(Told.of(event.attributes) for event in events)):
        latest = None
        for latest in _of_names(given, names):
            yield latest
        if latest is not None:
            return
    for event in reversed(events):
        if event.name in _EVENT_ROLES and (event.name == "gen_ai.choice") is (names is GOT):
            yield from _of_entries({0: {"role": _EVENT_ROLES[event.name], **_choice(event.attributes)}})


def _of_names(attributes: Told, names: tuple[str, ...]) -> Iterator[Message]:
    numbered = attributes.numbered
    for name in names:
        if name in attributes or name in numbered:
            latest = None
            for latest in _of_name(name, attributes.get(name), numbered.get(name)):
                yield latest
            if latest is not None:
                return


def _choice(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an event about a message; that of a choice may be JSON."""
    result = {name: value for name, value in attributes.items() if name != "message"}
    return {**result, **flat(json_value(attributes.get("message")), "message")}


def _of_name(name: str, value: Any, numbered: Numbered | None) -> Iterable[Message]:
    """The messages of an attribute, whether it is JSON, a text or many attributes with numbers; latest first."""
    if value is not None:
        value = json_value(value, _RAW.decode)
        if isinstance(value, list):
            return _of_list(value)
        if isinstance(value, dict):  # of LangSmith: {"messages": […]}
            value = _within(value, _ASKED if name in SENT else _TOLD)
        if isinstance(value, str):
            return [("user" if name in SENT else "assistant", value)] if _shown(value) else ()
    return _of_entries(numbered) if numbered else ()


def _of_list(messages: list[Any]) -> Iterator[Message]:
    """The messages of a list of objects or pairs, latest first; JSON is decoded as it is asked for."""
    if any(map(_is_nested, messages)):
        for each in reversed(messages):
            message = _of_json(each) if isinstance(each, msgspec.Raw) else _of_value(each)
            if message[1]:
                yield message


def _of_json(raw: msgspec.Raw) -> Message:
    try:
        spoken = _SPOKEN.decode(raw)
    except msgspec.DecodeError:
        return _of_value(_JSON.decode(raw))
    content, parts = spoken.content, spoken.parts
    if content and (parts or content.lstrip()[:1] == "["):
        return _of_value(_JSON.decode(raw))
    if len(parts) == 1:
        content = parts[0].content
    elif parts:
        content = "\n".join(part.content for part in parts if _shown(part.content))
    return _role(spoken.role), content if _shown(content) else ""


def _of_value(value: Any) -> Message:
    return _message(flat(value) or {"": value})


def _is_nested(value: Any) -> bool:
    if isinstance(value, msgspec.Raw):
        return memoryview(value)[0] in b"{["
    return isinstance(value, (dict, list))


def _of_entries(entries: Numbered) -> Iterator[Message]:
    """The messages of fields by number, latest first."""
    for number in sorted(entries, reverse=True):
        message = _message(entries[number])
        if message[1]:
            yield message


def _message(entry: Mapping[str, Any]) -> Message:
    """The message of fields by their flat names; its text is "" where it has none."""
    pair = entry.get("")  # of role and text, by LangChain
    fields = {"role": pair[0], "content": pair[1]} if isinstance(pair, list) and len(pair) == 2 else entry
    text = _text(fields)
    return (role_of(_any_of(fields, _ROLES)) if text else ""), text


def _text(entry: Mapping[str, Any]) -> str:
    """The text of one message, in the order of its parts; thoughts and tool calls are no text."""
    blocks = json_value(entry.get("content"))
    fields = {**entry, "content": None, **flat(blocks, "content")} if isinstance(blocks, list) else entry
    parts: list[tuple[int, str]] = []
    for key, value in fields.items():
        part = _part(key)
        if part is None or not isinstance(value, str) or not _shown(value):
            continue
        number, kinds = part
        if not kinds or str(_any_of(fields, kinds) or "text").endswith("text"):
            parts.append((number, value))
    return "\n".join(text for _, text in sorted(parts, key=itemgetter(0))) if len(parts) != 1 else parts[0][1]


@functools.lru_cache(_MOST)
def _part(key: str) -> tuple[int, tuple[str, ...]] | None:
    """Which part of a message a field is the text of, and the fields that may say what kind of part that is."""
    match = _TEXT.match(key)
    if match is None:
        return None
    start = f"{match['part']}.{match[2]}"
    kinds = (f"{start}.type", f"{start}.message_content.type") if match["part"] else ()
    return int(match[2] or 0), kinds


def _any_of(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    for name in names:
        value = fields.get(name)
        if value:
            return value
    return None


def _shown(text: str) -> bool:
    return bool(text.strip()) and text != _HIDDEN


def _plain(attributes: Told, values: tuple[str, ...], names: tuple[str, ...]) -> str:
    """The text that a span as a whole was given or gave: a text, or a field of an object by one of the names."""
    text = _within(json_value(attributes.first(values)), names)
    return text if _shown(text) else ""


def _within(value: Any, names: tuple[str, ...]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and len(value) == 1:
        return _within(value[0], names)
    if not isinstance(value, dict):
        return ""
    messages = value.get("messages")
    if isinstance(messages, list):
        messages = (
            messages[0] if len(messages) == 1 and isinstance(messages[0], list) and _is_batch(messages[0]) else messages
        )
        wanted = "user" if names is _ASKED else "assistant"
        return next((text for role, text in _of_list(messages) if role == wanted), "")
    return next((text for name in names if (text := _within(value.get(name), names))), "")


def _is_batch(messages: list[Any]) -> bool:
    """Whether a list within the list of messages is one of messages, not a pair of role and text."""
    return all(isinstance(each, dict) for each in messages)


def _documents(attributes: Told) -> list[str]:
    """Texts of retrieved documents; none of those of which only ids and scores were saved."""
    for name in DOCUMENTS:
        if name in attributes:
            value = json_value(attributes[name])
            if isinstance(value, list):
                entries: list[Mapping[str, Any]] = [each for each in value if isinstance(each, dict)]
            else:
                entries = _in_order(Told.of(flat(value, name)).numbered.get(name, {}))
        else:
            entries = _in_order(attributes.numbered.get(name, {}))
        texts = [text for fields in entries for text in _document_texts(fields)[-1:]]
        if texts:
            return texts
    return []


def _in_order(entries: Numbered) -> list[Mapping[str, Any]]:
    return [entries[number] for number in sorted(entries)]


def _document_texts(fields: Mapping[str, Any]) -> list[str]:
    """The texts of one document, which it may have by several names."""
    document = fields.get("document")
    given = flat(fields) if isinstance(document, dict) else fields
    return [
        text for field, text in given.items() if field in _DOCUMENT_TEXTS and isinstance(text, str) and _shown(text)
    ]


def _finish_reason(attributes: Told) -> str | None:
    """Why a model call ended: "length" for one that was cut off."""
    value = attributes.first(ENDED)
    value = value[-1] if isinstance(value, list) and value else value
    return _ENDS.get(str(value), str(value)) if value else None
