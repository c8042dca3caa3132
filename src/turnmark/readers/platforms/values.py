"""What inputs and outputs of platforms hold, and fields of their records, read with care."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from turnmark.readers.sampling import cell, objects
from turnmark.readers.spans.forms import LogRecord, Span, seconds
from turnmark.schemas.problems import Problem, readable, shown

_LISTS_OF_DOCUMENTS = ("documents", "docs", "results", "nodes", "chunks", "passages", "output", "context", "contexts")
_TEXTS_OF_DOCUMENTS = ("page_content", "pageContent", "content", "text")
_MESSAGES = ("messages", "message", "input", "prompts", "prompt", "contents")
_LISTS_OF_REPLIES = ("choices", "generations", "output", "candidates")

MODEL, RETRIEVAL, TOOL, WHOLE, OTHER = "llm", "retriever", "tool", "chain", "prompt"
"""What a step is, in the words of `turnmark.readers.spans.texts`."""


class FieldError(Exception):
    """A field of a record that cannot be read: its path, what was expected, what was found."""

    def __init__(self, field: str, expected: str, found: Any) -> None:
        super().__init__(field)
        self.field, self.expected, self.found = field, expected, shown(found)


def spans_in(
    path: Path, spans_of: Callable[[dict[str, Any]], Iterator[Span]]
) -> Iterator[tuple[int, Span | LogRecord | Problem]]:
    """The spans of every record of a file; a record that cannot be read is named, with its field."""
    for number, record in objects(path):
        if isinstance(record, Problem):
            yield number, record
            continue
        try:
            for span in spans_of(record):
                yield number, span
        except FieldError as error:
            yield (
                number,
                Problem(
                    file=readable(path), line=number, field=error.field, expected=error.expected, found=error.found,
                    advice="it is left out",
                ),
            )  # fmt: skip
        except RecursionError:
            yield number, Problem(
                file=readable(path), line=number, expected="nesting that can be read", found="thousands of levels"
            )  # fmt: skip


def named(record: Mapping[str, Any], *names: str) -> Any:
    """The first of several names that says anything; None where none does."""
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def identity(record: Mapping[str, Any], what: str, *names: str) -> str:
    """An id. Raises: FieldError where there is none, or it is neither text nor number."""
    value = named(record, *names)
    if value is None or isinstance(value, list | dict | bool):
        raise FieldError(f"$.{names[0]}", what, value)
    return str(value)


def moment(record: Mapping[str, Any], *names: str) -> float:
    """A time in seconds, 0 where none is told. Raises: FieldError for what is no time."""
    value = named(record, *names)
    found = seconds(value)
    if value is not None and not found:
        raise FieldError(f"$.{next(name for name in names if record.get(name))}", "a time of ISO 8601", value)
    return found


def mapping(value: Any, field: str) -> Mapping[str, Any]:
    """An object, also as JSON in a text; empty for nothing. Raises: FieldError for anything else."""
    found = cell(value)
    if found is None or found == "":
        return {}
    if not isinstance(found, Mapping):
        raise FieldError(field, "an object", found)
    return found


def left(record: Mapping[str, Any], read: Sequence[str]) -> dict[str, Any]:
    """The fields of a record that nothing was read of, and that say anything."""
    return {name: cell(value) for name, value in record.items() if name not in read and value not in (None, "", [], {})}


def attributes(kind: str, given: Any, made: Any, session: Any = None) -> dict[str, Any]:
    """Input and output of a step as the attributes of a span."""
    given, made = cell(given), cell(made)
    result: dict[str, Any] = {"openinference.span.kind": kind}
    if kind == MODEL:
        result |= {"llm.input_messages": _messages(given), "llm.output_messages": _replies(made)}
        reason = _finish_reason(made)
        result |= {"llm.finish_reason": reason} if reason else {}
    else:
        result |= {"input.value": _only(given), "output.value": _only(made)}
    if kind == RETRIEVAL:
        result["retrieval.documents"] = [{"content": text} for text in _documents(made)]
    return result | ({"session.id": str(session)} if session is not None else {})


def _only(value: Any) -> Any:
    """The text of an object that holds one entry, a text, under whatever name (the argument of a function)."""
    if isinstance(value, Mapping):
        told = [each for each in value.values() if each not in (None, "", [], {})]
        if len(told) == 1 and isinstance(told[0], str):
            return told[0]
    return value


def _messages(value: Any) -> Any:
    """The messages that a model was sent: a list of them, or a text."""
    if isinstance(value, Mapping):
        inner = named(value, *_MESSAGES)
        return _only(value) if inner is None else _messages(inner)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list | str):
        return _messages(value[0])
    return value


def _replies(value: Any) -> Any:
    """What a model answered: a list of messages, or a text."""
    if isinstance(value, Mapping):
        for name in _LISTS_OF_REPLIES:
            if isinstance(value.get(name), list | Mapping):
                return _replies(value[name])
        inner = named(value, "message", "messages")
        return _replies(inner) if isinstance(inner, list | Mapping) else [{"role": "assistant", **value}]
    if isinstance(value, list) and value and isinstance(value[0], list):
        return _replies(value[0])
    if isinstance(value, list):
        return [_reply(each) for each in value]
    return value


def _reply(value: Any) -> Any:
    """The message of one choice or generation."""
    inner = value.get("message") if isinstance(value, Mapping) else None
    if isinstance(inner, Mapping):
        return {"role": "assistant", **inner}
    return {"role": "assistant", **value} if isinstance(value, Mapping) else value


def _finish_reason(value: Any) -> str | None:
    """Why a model stopped; "" and None where its reply does not say."""
    if isinstance(value, list):
        return _finish_reason(value[0]) if value else None
    if not isinstance(value, Mapping):
        return None
    info = value.get("generation_info") or value.get("response_metadata") or {}
    told = named(value, "finish_reason", "stop_reason") or (named(info, "finish_reason") if info else None)
    inner = named(value, "choices", "generations")
    return str(told) if isinstance(told, str) else _finish_reason(inner)


def _documents(value: Any) -> list[str]:
    """The texts of what was retrieved."""
    if isinstance(value, Mapping):
        inner = next((value[name] for name in _LISTS_OF_DOCUMENTS if isinstance(value.get(name), list)), None)
        return _documents(inner) if inner is not None else _document(value)
    if isinstance(value, list):
        return [text for each in value for text in (_document(each) if isinstance(each, Mapping) else _documents(each))]
    return [value] if isinstance(value, str) and value.strip() else []


def _document(value: Mapping[str, Any]) -> list[str]:
    for inner in (value, *(value.get(name) for name in ("document", "node", "kwargs"))):
        text = named(inner, *_TEXTS_OF_DOCUMENTS) if isinstance(inner, Mapping) else None
        if isinstance(text, str) and text.strip():
            return [text]
    return []
