"""``openai:MODEL``: an assistant behind an OpenAI-compatible chat endpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.llm.budget import Prices
from turnmark.llm.http import require_http
from turnmark.llm.openai import ChatSettings, OpenAIEndpoint
from turnmark.llm.protocol import CallFailure, ChatRequest, Completion, Message
from turnmark.replay.agents.http import (
    DEFAULT_SECONDS,
    History,
    agent_failure,
    context_texts,
    finder,
    options_of,
    text_file,
)
from turnmark.replay.protocol import AgentFailure, Reply, Usage

CONTEXTS = "{contexts}"
"""What stands in a system prompt for the contexts of the case that is asked, a blank line between them."""
_EXAMPLE = "$.choices[0].message.context.citations[*].content"


class ChatAgentOptions(ChatSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of ``openai:MODEL``: those of the endpoint, and what makes an assistant of a model.

    ``system_prompt`` is a file; ``history_turns`` is how many earlier turns the model sees (null: all; 0: none);
    ``prices`` are money per million tokens, for the cost of the run. ``contexts`` is the JSON path of what the endpoint
    retrieved within its reply (RFC 9535, of each event of a stream).
    """

    system_prompt: str | None = None
    history_turns: int | None = None
    prices: Prices | None = None
    contexts: str | None = None


class ChatAgent:
    """One dialogue with a model: system prompt, the turns before, the user's words."""

    repeatable = True

    def __init__(self, source: ChatAgentSource, seconds: float, contexts: Sequence[str]) -> None:
        self._source = source
        self._opening = source.opening(contexts)
        self._seconds = seconds
        self._history = History(source.options.history_turns)

    async def handle_turn(self, user_text: str) -> Reply:
        """The model's reply. Raises: AgentFailure."""
        turns = [*self._history.messages(), {"role": "user", "content": user_text}]
        messages = (*self._opening, *(msgspec.convert(turn, Message) for turn in turns))
        try:
            completion = await self._source.endpoint.send(ChatRequest(messages=messages), seconds=self._seconds)
        except CallFailure as failure:
            raise agent_failure(failure) from None
        reply = self._reply(completion)
        self._history.add(user_text, completion.text)
        return reply

    def _reply(self, completion: Completion) -> Reply:
        usage, cost = None, None
        if completion.input_tokens is not None or completion.output_tokens is not None:
            usage = Usage(input_tokens=completion.input_tokens or 0, output_tokens=completion.output_tokens or 0)
            prices = self._source.options.prices
            cost = prices.cost(usage.input_tokens, usage.output_tokens) if prices is not None else None
        # An answer that is whole is nothing to tell.
        ended = None if completion.finish_reason == "stop" else completion.finish_reason
        return Reply(
            text=completion.text, usage=usage, cost=cost, model=completion.model, finish_reason=ended,
            retrieved_contexts=self._contexts(completion),
        )  # fmt: skip

    def _contexts(self, completion: Completion) -> list[str] | None:
        """What the endpoint says it retrieved; None where it was not asked. Raises: AgentFailure when it is no text."""
        if completion.found is None:
            return None
        try:
            return context_texts(completion.found)
        except ValueError as error:
            message = f"contexts ({self._source.options.contexts}): expected texts, found {error}"
            raise AgentFailure(message, kind="invalid_reply") from None


class ChatAgentSource:
    """Makes the agents of a run; they share connections. See `turnmark.replay.protocol.AgentSource`."""

    def __init__(self, options: ChatAgentOptions, environment: Mapping[str, str] | None = None) -> None:
        self.options = options
        self.endpoint = OpenAIEndpoint(options, environment, find=_contexts_finder(options.contexts))
        self._system_prompt: str | None = None
        self.description: dict[str, Any] = {
            "model_name": options.model,
            **self.endpoint.description,
            "history_turns": options.history_turns,
        }
        if options.contexts is not None:
            self.description["contexts"] = options.contexts
        if options.system_prompt is not None:
            text, hash_of_file = text_file(options.system_prompt, "a system prompt")
            self._system_prompt = text
            self.description["system_prompt"] = {"file": Path(options.system_prompt).name, "sha256": hash_of_file}

    def make(
        self, *, timeout_sec: float = DEFAULT_SECONDS, case_contexts: Sequence[str] = (), **_arguments: Any
    ) -> ChatAgent:
        """The agent of one dialogue."""
        return ChatAgent(self, timeout_sec, case_contexts)

    def opening(self, contexts: Sequence[str]) -> tuple[Message, ...]:
        """What the model reads before the turns: the system prompt, `CONTEXTS` in it filled with those of the case."""
        if self._system_prompt is None:
            return ()
        return (Message("system", self._system_prompt.replace(CONTEXTS, "\n\n".join(contexts))),)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.endpoint.aclose()


def _contexts_finder(path: str | None) -> Callable[[Any], list[Any]] | None:
    """Raises: UsageError for a path that is wrong; MissingExtraError without the extra http."""
    if path is None:
        return None
    try:
        return finder(path)
    except ValueError as error:
        message = f"openai: contexts: expected a JSON path such as {_EXAMPLE}, found {path!r} ({error})"
        raise UsageError(message) from None


def open_chat(model: str, options: Mapping[str, Any]) -> ChatAgentSource:
    """The source for ``openai:MODEL``.

    Raises: UsageError for a missing model or options that are wrong; MissingExtraError without the extra http.
    """
    if not model.strip():
        message = "openai: expected the name of a model behind it, as in openai:gpt-4.1-mini"
        raise UsageError(message)
    result = options_of("openai", options, ChatAgentOptions, model=model.strip())
    if result.history_turns is not None and result.history_turns < 0:
        message = f"openai: history_turns is {result.history_turns}; expected 0 or more, or null for all"
        raise UsageError(message)
    source = ChatAgentSource(result)
    require_http()
    return source
