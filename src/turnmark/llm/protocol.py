"""What is asked of a language model, what it answers, and how a call fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from turnmark.errors import TurnmarkError

Role = Literal["system", "user", "assistant"]

FailureKind = Literal["timeout", "rate_limit", "http", "connection", "invalid_reply", "budget", "endpoint_down"]
"""timeout: no answer in time; rate_limit: HTTP 429; http: another HTTP error; connection: refused, reset, cut off;
invalid_reply: an answer that is not what was agreed; budget: a limit of the user's was reached; endpoint_down: the
endpoint failed so often in a row that it is asked no more."""


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message of a chat."""

    role: Role
    content: str


class AnswerSchema(msgspec.Struct, frozen=True, gc=False):
    """The JSON Schema that an answer has to follow, for endpoints that can be held to one."""

    name: str
    schema: dict[str, Any]


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One question to a model.

    ``variation`` tells apart questions of the same words that shall be answered independently (repeats, second tries);
    it is added to the seed. ``output_tokens`` is about how long the answer will be, for estimates; it is not sent.
    """

    messages: tuple[Message, ...]
    answer_schema: AnswerSchema | None = None
    variation: int = 0
    output_tokens: int = 256


class Completion(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a model answered. Token counts are the endpoint's own, None where it gives none.

    ``finish_reason`` is "stop" for an answer that is whole and "length" for one that was cut off; None when the
    endpoint does not say. ``found`` is what the caller had sought in the whole reply (`OpenAIEndpoint`), else None.
    """

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None
    model: str | None = None
    found: tuple[Any, ...] | None = None


class CallFailure(TurnmarkError):  # noqa: N818 - a failed call is an expected outcome, as in `turnmark.stats.tally.Failed`
    """A call got no usable answer. The message says what was expected and found and holds no secrets.

    ``retryable``: the same call may succeed later. ``retry_after``: seconds that the endpoint asks to wait.
    ``status``: the HTTP status, where there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FailureKind,
        retryable: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retryable = retryable
        self.retry_after = retry_after
        self.status = status


class ChatEndpoint(Protocol):
    """A model behind an address: one call, one attempt. `turnmark.llm.client.ChatClient` adds the patience."""

    @property
    def description(self) -> Mapping[str, Any]:
        """Every setting that shapes answers, as JSON with secrets masked."""
        ...

    def identity(self, request: ChatRequest) -> Mapping[str, Any]:
        """Everything that shapes the answer to this request, as JSON. The cache is keyed by its hash."""
        ...

    async def send(self, request: ChatRequest, *, seconds: float) -> Completion:
        """Ask once; ``seconds`` are those for the whole answer. Raises: CallFailure."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...
