"""An endpoint without a network, for tests and examples: answers from a list or a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from turnmark.llm.protocol import CallFailure, ChatRequest, Completion

Scripted = str | Completion | CallFailure


class ScriptedEndpoint:
    """A `turnmark.llm.protocol.ChatEndpoint` that answers what it was told to.

    ``script`` is a list of answers, given in order, or a function of the request. A `CallFailure` is raised, a string
    becomes a whole `Completion`. ``requests`` keeps what was asked; ``latency`` are seconds before each answer. When
    a list has run out, the call fails and says so.
    """

    def __init__(
        self,
        script: Sequence[Scripted] | Callable[[ChatRequest], Scripted],
        *,
        latency: float = 0.0,
        description: Mapping[str, Any] | None = None,
    ) -> None:
        self._script = script if callable(script) else list(script)
        self._latency = latency
        self._description = dict(description or {"model": "scripted"})
        self.requests: list[ChatRequest] = []
        self.closed = False

    @property
    def description(self) -> Mapping[str, Any]:
        """See `turnmark.llm.protocol.ChatEndpoint.description`."""
        return self._description

    def identity(self, request: ChatRequest) -> Mapping[str, Any]:
        """See `turnmark.llm.protocol.ChatEndpoint.identity`."""
        return {**self._description, "request": msgspec.to_builtins(request)}

    async def send(self, request: ChatRequest, *, seconds: float) -> Completion:
        """See `turnmark.llm.protocol.ChatEndpoint.send`."""
        number = len(self.requests)
        self.requests.append(request)
        try:
            async with asyncio.timeout(seconds):
                await asyncio.sleep(self._latency)
        except TimeoutError:
            message = f"no whole answer in {seconds:g} s"
            raise CallFailure(message, kind="timeout", retryable=True) from None
        if callable(self._script):
            answer = self._script(request)
        elif number < len(self._script):
            answer = self._script[number]
        else:
            message = f"the script has {len(self._script)} answers and was asked for one more"
            raise CallFailure(message, kind="invalid_reply")
        if isinstance(answer, CallFailure):
            raise answer
        if isinstance(answer, str):
            return Completion(text=answer, finish_reason="stop", model="scripted")
        return answer

    async def aclose(self) -> None:
        """See `turnmark.llm.protocol.ChatEndpoint.aclose`."""
        self.closed = True
