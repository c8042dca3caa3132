"""A memory library (``search`` and ``add``, as mem0 has them) with a function that answers, as an agent.

``--agent memory:module:name --agent-option answer=module:function``. ``name`` is the memory or makes it (with the
arguments of an agent factory that it accepts); ``answer(user_text, memories, history)`` gives the reply, where
``memories`` are the texts that were found, best first, and ``history`` the turns of the short window as
``{"role": …, "content": …}``. Options: ``limit`` (memories a turn, 5), ``window`` (exchanges of the history, 3).

What a turn recalls goes to the observer, so that the memory itself is measured, whatever answers.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.replay.agents.loading import described_scheme, named_object
from turnmark.replay.protocol import Observer, Reply
from turnmark.replay.run.scheduler import accepted

_OPTIONS = {"answer", "limit", "window"}
_TEXTS = ("memory", "content", "text", "page_content")


class MemorySource:
    """Makes one agent a dialogue around a memory of its own."""

    def __init__(self, rest: str, options: Mapping[str, Any]) -> None:
        self._memory = named_object("--agent memory", rest, or_with="search")
        self._answer = named_object("--agent-option answer=", str(options["answer"]))
        self._limit = int(options.get("limit", 5))
        self._window = int(options.get("window", 3))
        self.description: Mapping[str, Any] = described_scheme("memory", rest, options)

    async def make(self, *, observer: Observer, user_id: str, **arguments: Any) -> MemoryAgent:
        """The agent of one dialogue."""
        memory: Any = self._memory
        if not hasattr(memory, "search") or inspect.isclass(memory):
            given = {"observer": observer, "user_id": user_id, **arguments}
            memory = await _awaited(memory(**accepted(memory, given)))
        missing = [name for name in ("search", "add") if not callable(getattr(memory, name, None))]
        if missing:
            message = f"expected a memory with search and add, found {type(memory).__name__} without {missing[0]}"
            raise TypeError(message)
        return MemoryAgent(memory, self._answer, observer, user_id, self._limit, self._window)

    async def aclose(self) -> None:
        """Nothing is shared."""


class MemoryAgent:
    """One dialogue: search, answer, add."""

    def __init__(
        self, memory: Any, answer: Callable[..., Any], observer: Observer, user_id: str, limit: int, window: int
    ) -> None:
        self._memory = memory
        self._answer = answer
        self._observer = observer
        self._user_id = user_id
        self._limit = limit
        self._history: deque[dict[str, str]] = deque(maxlen=2 * window)

    def handle_turn(self, user_text: str) -> Any:
        """The reply, or a coroutine of it when the memory or the function is async."""
        if any(map(inspect.iscoroutinefunction, (self._memory.search, self._memory.add, self._answer))):
            return self._asynchronously(user_text)
        result = self._recalled(user_text, self._memory.search(user_text, **self._search_arguments()))
        reply = _as_reply(self._answer(user_text, _texts(result), list(self._history)), result)
        self._memory.add(self._exchange(user_text, reply), **self._accepted_names(self._memory.add))
        return reply

    async def _asynchronously(self, user_text: str) -> Reply:
        result = await _awaited(self._memory.search(user_text, **self._search_arguments()))
        results = self._recalled(user_text, result)
        reply = _as_reply(await _awaited(self._answer(user_text, _texts(results), list(self._history))), results)
        await _awaited(self._memory.add(self._exchange(user_text, reply), **self._accepted_names(self._memory.add)))
        return reply

    def _search_arguments(self) -> dict[str, Any]:
        return self._accepted_names(
            self._memory.search,
            limit=self._limit,
            top_k=self._limit,
            k=self._limit,
            filters={"user_id": self._user_id},
        )

    def _accepted_names(self, function: Callable[..., Any], **more: Any) -> dict[str, Any]:
        """The arguments that a method names; a bare ``**kwargs`` gets ``user_id`` and ``limit`` only."""
        given = {"user_id": self._user_id, **more}
        names = {
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        }
        open_ended = accepted(function, {"": 0}) != {}
        taken = names | ({"user_id", "limit"} & given.keys() if open_ended and not names & {"top_k", "k"} else set())
        if "user_id" in names:
            taken -= {"filters"}
        return {name: value for name, value in given.items() if name in taken}

    def _recalled(self, query: str, result: Any) -> list[dict[str, Any]]:
        """What a search found, told to the observer."""
        results = result.get("results", []) if isinstance(result, Mapping) else result
        items = [_item(rank, entry) for rank, entry in enumerate(results or (), 1)]
        window = "\n".join(f"{turn['role']}: {turn['content']}" for turn in self._history)
        self._observer.recall_done(
            query=query, short_term_context=window, short_term_turns=list(self._history), items=items
        )
        return items

    def _exchange(self, user_text: str, reply: Reply) -> list[dict[str, str]]:
        exchange = [{"role": "user", "content": user_text}, {"role": "assistant", "content": reply.text}]
        self._history.extend(exchange)
        return exchange


def _item(rank: int, entry: Any) -> dict[str, Any]:
    """A found entry as an item of a trace: a text, or an object with one of the usual names."""
    if isinstance(entry, str):
        return {"rank": rank, "content": entry}
    fields = entry if isinstance(entry, Mapping) else {name: getattr(entry, name, None) for name in (*_TEXTS, "score")}
    content = next((fields[name] for name in _TEXTS if isinstance(fields.get(name), str)), "")
    item: dict[str, Any] = {"rank": rank, "content": content}
    more = {"item_id": fields.get("id"), "score": fields.get("score")}
    return item | {name: value for name, value in more.items() if value is not None}


def _texts(items: list[dict[str, Any]]) -> list[str]:
    return [item["content"] for item in items]


def _as_reply(value: Any, found: list[dict[str, Any]]) -> Reply:
    """Raises: TypeError when the function gave neither a text nor a reply."""
    if isinstance(value, str):
        return Reply(text=value, retrieved_contexts=_texts(found))
    if not isinstance(value, Reply):
        message = f"answer: expected str or Reply, found {type(value).__name__}"
        raise TypeError(message)
    return (
        value
        if value.retrieved_contexts is not None
        else msgspec.structs.replace(value, retrieved_contexts=_texts(found))
    )


async def _awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def open_memory(rest: str, options: Mapping[str, Any]) -> MemorySource:
    """``memory:module:name``. Raises: UsageError."""
    unknown = sorted(set(options) - _OPTIONS)
    if unknown:
        message = f"--agent-option: memory takes {', '.join(sorted(_OPTIONS))}, found {', '.join(unknown)}"
        raise UsageError(message)
    if "answer" not in options:
        message = "--agent memory: expected --agent-option answer=MODULE:FUNCTION, which gives the replies"
        raise UsageError(message)
    for name in ("limit", "window"):
        value = options.get(name, 1)
        if type(value) is not int or value < 1:
            message = f"--agent-option {name}: expected a whole number above 0, found {value!r}"
            raise UsageError(message)
    return MemorySource(rest, options)
