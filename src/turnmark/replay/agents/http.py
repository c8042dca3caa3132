"""Assistants behind HTTP: what the two kinds share.

`turnmark.replay.agents.http_chat` speaks chat completions (``openai:MODEL``), `turnmark.replay.agents.http_generic`
anything that a YAML file describes (``http:CONFIG.yaml``). Both make one attempt a turn and say what went wrong; the
scheduler waits, tries again and keeps limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from turnmark.errors import MissingExtraError, UsageError
from turnmark.llm.protocol import CallFailure
from turnmark.packs.loading import digest
from turnmark.replay.protocol import AgentFailure, FailureKind
from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.problems import shown

T = TypeVar("T", bound=msgspec.Struct)

DEFAULT_SECONDS = 120.0

_KINDS: dict[str, FailureKind] = {
    "timeout": "timeout",
    "rate_limit": "rate_limit",
    "http": "http",
    "connection": "connection",
    "invalid_reply": "invalid_reply",
}


def agent_failure(failure: CallFailure) -> AgentFailure:
    """A failed call as the scheduler knows it. The agent keeps a turn only when it is answered, so nothing is lost."""
    return AgentFailure(
        str(failure),
        kind=_KINDS.get(failure.kind, "agent"),
        retryable=failure.retryable,
        retry_after=failure.retry_after,
        status=failure.status,
    )


def options_of(scheme: str, options: Mapping[str, Any], form: type[T], **fixed: Any) -> T:
    """Typed options. Raises: UsageError that names every option that is unknown and what is wrong with the others."""
    known = [name for name in (field.name for field in msgspec.structs.fields(form)) if name not in fixed]
    unknown = sorted(set(options) - set(known))
    if unknown:
        message = f"{scheme}: unknown options {', '.join(unknown)}; expected some of {', '.join(sorted(known))}"
        raise UsageError(message)
    try:
        return msgspec.convert({**options, **fixed}, form)
    except msgspec.ValidationError as error:
        message = f"{scheme}: an option is wrong: {error}"
        raise UsageError(message) from error


def text_file(path: str, what: str) -> tuple[str, str]:
    """A text that a file holds and its digest. Raises: UsageError when it cannot be read."""
    try:
        raw = Path(path).read_bytes()
        return raw.decode("utf-8-sig").strip(), digest(raw)
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read as {what}: {error}; expected a text file in UTF-8"
        raise UsageError(message) from error


def finder(path: str) -> Callable[[Any], list[Any]]:
    """What finds a JSON path (RFC 9535) in a document; compiled once.

    Raises: ValueError that says what is wrong with the path; MissingExtraError without the extra http.
    """
    try:
        import jsonpath  # noqa: PLC0415 - an extra, loaded on first use
    except ImportError as error:
        message = "agents behind HTTP need python-jsonpath: pip install 'turnmark[http]'"
        raise MissingExtraError(message) from error
    try:
        compiled = jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise ValueError(str(error).partition("\n")[0]) from error  # the lines below draw where
    return compiled.findall


_TEXT_FIELDS = ("content", "text", "page_content", "snippet", "quote")


def context_texts(found: Iterable[Any]) -> list[str]:
    """The contexts among what a path found: texts, lists of them, and objects that hold one (citations, documents).

    An object's text is its field ``content``, ``text``, ``page_content``, ``snippet`` or ``quote``. Raises: ValueError
    that says what was found where none of these is.
    """
    results: list[str] = []
    for item in found:
        if isinstance(item, str):
            results.append(item)
        elif isinstance(item, list):
            results += context_texts(item)
        else:
            texts = [item.get(name) for name in _TEXT_FIELDS] if isinstance(item, dict) else []
            text = next((text for text in texts if isinstance(text, str)), None)
            if text is None:
                raise ValueError(shown(item))
            results.append(text)
    return results


class History:
    """The turns of a dialogue that were answered, the last ``turns`` of them (None: all)."""

    def __init__(self, turns: int | None) -> None:
        self._turns = turns
        self._messages: list[dict[str, str]] = []
        self.count = 0

    def messages(self) -> list[dict[str, str]]:
        """Messages as ``{role, content}``, user and assistant in turn."""
        return [dict(message) for message in self._messages]

    def add(self, user_text: str, reply: str) -> None:
        """Keep an answered turn."""
        self.count += 1
        said = without_surrogates(reply, [0])
        self._messages += [{"role": "user", "content": user_text}, {"role": "assistant", "content": said}]
        if self._turns is not None:
            self._messages = self._messages[max(0, len(self._messages) - 2 * self._turns) :]
