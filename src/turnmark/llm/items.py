"""Many questions in one request: every item is answered, asked for once more, or failed with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from turnmark.llm.client import ChatClient, UnreadableAnswerError, cut_off
from turnmark.llm.protocol import AnswerSchema, CallFailure, ChatRequest, Completion, Message

T = TypeVar("T")

_WHOLE_ANSWERS = 2
_CUT_ANSWERS = 2
"""How often items are asked for: twice, and for each answer that was cut off once more, at most so often."""

_ENTRY = re.compile(r'\{\s*"id"\s*:')
_THOUGHTS = re.compile(r"^.*?</think>", re.DOTALL)
_LONGEST_EXCERPT = 80


class Answered(NamedTuple, Generic[T]):
    """Items that have an answer, and the reason why each of the others has none."""

    found: dict[str, T]
    failed: dict[str, str]


def entries_schema(name: str, field: str, properties: Mapping[str, Any]) -> AnswerSchema:
    """The schema of an answer that holds a list of entries, each with these properties and no others."""
    entry = {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }
    return AnswerSchema(
        name,
        {
            "type": "object",
            "additionalProperties": False,
            "required": [field],
            "properties": {field: {"type": "array", "items": entry}},
        },
    )


class _Read(NamedTuple, Generic[T]):
    entries: dict[str, dict[str, Any]]
    values: dict[str, T]
    whole: bool


class ItemReader(Generic[T]):
    """Reads the entries of an answer: a JSON object that holds a list named ``field``.

    ``read`` makes a value of an entry and gives None for one that breaks the rules; such an entry counts as missing,
    and so do entries that contradict each other. Entries of ids that were not asked for are left out.
    """

    def __init__(self, field: str, read: Callable[[str, Mapping[str, Any]], T | None]) -> None:
        self._field = field
        self._read = read

    def __call__(self, text: str, ids: Sequence[str], *, some: bool = True) -> _Read[T]:
        """The answers in a text.

        Raises: UnreadableAnswerError when it holds no list of entries; with ``some``, also when none is valid.
        """
        listed, whole = _entries(text, self._field)
        wanted = set(ids)
        entries: dict[str, dict[str, Any]] = {}
        values: dict[str, T] = {}
        contradicted: set[str] = set()
        for entry in listed:
            name = str(entry.get("id"))
            value = self._read(name, entry) if name in wanted else None
            if value is None:
                continue
            if name in values and values[name] != value:
                contradicted.add(name)
            entries[name], values[name] = entry, value
        for name in contradicted:
            del entries[name], values[name]
        if not values and (some or not whole):
            raise UnreadableAnswerError(_complaint(text, self._field, listed))
        return _Read(entries, values, whole)

    def complete(self, values: Mapping[str, dict[str, Any]]) -> str:
        """The text that reads as these entries."""
        return msgspec.json.encode({self._field: list(values.values())}).decode()


async def ask_items(
    client: ChatClient,
    ids: Sequence[str],
    request_for: Callable[[Sequence[str]], ChatRequest],
    reader: ItemReader[T],
    again: str,
) -> Answered[T]:
    """Ask for all items in one request, for those that are missing in another, and give up then.

    ``request_for`` makes a request for some of the ids; ``again`` are words with ``{reason}`` for an answer that
    cannot be read at all. What was answered well is kept under the first request's key, and nothing else is, so that a
    second run asks only for what is missing.
    """
    request = request_for(ids)
    entries: dict[str, dict[str, Any]] = {}
    values: dict[str, T] = {}
    kept = client.kept(request)
    if kept is not None:
        try:
            entries, values, _ = reader(kept.text, ids)
        except UnreadableAnswerError:
            entries, values = {}, {}
    reason, cut, whole_answers, cut_answers = "", "", 0, 0
    call = client.call(request)
    while (missing := [name for name in ids if name not in values]) and (
        whole_answers < _WHOLE_ANSWERS and cut_answers <= _CUT_ANSWERS
    ):
        asked = tuple(missing)
        try:
            answer = await client.ask(
                request_for(missing),
                partial(_read_some, reader, asked, not values),
                lambda former, completion, why: _again(former, completion, again.replace("{reason}", why)),
                keep=False,
                call=call,
            )
        except CallFailure as failure:
            reason = str(failure)
            break
        entries |= answer.value.entries
        values |= answer.value.values
        if answer.value.whole:
            whole_answers += 1
        else:
            cut_answers += 1
        cut = cut_off(answer.completion)
        completion = msgspec.structs.replace(answer.completion, text=reader.complete(entries), finish_reason="stop")
        client.keep(request, completion)
    reason = reason or f"the model gave no valid answer for it in {whole_answers + cut_answers} requests{cut}"
    return Answered(values, {name: reason for name in ids if name not in values})


def _read_some(reader: ItemReader[T], ids: Sequence[str], some: bool, completion: Completion) -> _Read[T]:
    return reader(completion.text, ids, some=some)


def _again(request: ChatRequest, completion: Completion, words: str) -> ChatRequest:
    """The request once more, with the answer that could not be used and what was wrong with it."""
    said = (Message("assistant", completion.text[:4000]), Message("user", words))
    first = request.messages[:2]
    return msgspec.structs.replace(request, messages=(*first, *said), variation=request.variation + 1)


def _entries(text: str, field: str) -> tuple[list[dict[str, Any]], bool]:
    """The entries of an answer, and whether it is whole.

    Words around the JSON, code fences and a model's thoughts are left out. Of an answer that was cut off, the entries
    that are whole are taken.
    """
    text = _THOUGHTS.sub("", text).strip()
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1], text[text.find("[") : text.rfind("]") + 1]):
        try:
            result = msgspec.json.decode(candidate)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            continue
        listed = result.get(field) if isinstance(result, dict) else result
        if isinstance(listed, list):
            return [entry for entry in listed if isinstance(entry, dict)], True
    return list(_whole_entries(text)), False


def _whole_entries(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    position = 0
    while (start := _ENTRY.search(text, position)) is not None:
        try:
            entry, position = decoder.raw_decode(text, start.start())
            # Half a surrogate pair is no text that could be written down.
            msgspec.json.encode(entry)
        except (ValueError, RecursionError):
            position = max(position, start.end())
            continue
        yield entry


def _complaint(text: str, field: str, listed: Sequence[Any]) -> str:
    if not text.strip():
        return "it is empty"
    if listed:
        return f'none of its {len(listed)} entries in "{field}" has an id that was asked for and a valid answer'
    excerpt = " ".join(text.split())
    shown = excerpt if len(excerpt) <= _LONGEST_EXCERPT else excerpt[:_LONGEST_EXCERPT] + "…"
    return f'it is no JSON object with a list "{field}"; it begins {shown!r}'
