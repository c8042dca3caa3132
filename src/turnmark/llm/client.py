"""An endpoint with patience: answers that are kept, limits that hold, failures that are tried again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

from turnmark.errors import TurnmarkError
from turnmark.llm.breaker import CircuitBreaker
from turnmark.llm.budget import Budget, Spent, input_tokens
from turnmark.llm.cache import AnswerCache, cache_key
from turnmark.llm.limits import Limiter
from turnmark.llm.protocol import CallFailure, ChatEndpoint, ChatRequest, Completion
from turnmark.llm.retry import RetryPolicy

T = TypeVar("T")

spent_here: ContextVar[Spent | None] = ContextVar("spent_here", default=None)
"""Where a caller wants to have added up what its own calls use, besides the total of the client."""


class UnreadableAnswerError(TurnmarkError):
    """Raised by the reader of an answer that is not what was asked for; the message is shown to the model."""


class Answer(NamedTuple, Generic[T]):
    """What was read from an answer, the answer, and what it cost."""

    value: T
    completion: Completion
    spent: Spent


class ChatClient:
    """Asks an endpoint until there is an answer that can be read, or a reason why there is none.

    A call goes: cache, limiter, breaker, budget, endpoint. Failures that may pass are tried again after a wait
    (`turnmark.llm.retry.RetryPolicy`), within the policy's deadline; queueing does not count. An answer that cannot be
    read is asked for again in other words, ``rereads`` times. Only an answer that could be read is kept, under the
    first request's key: the further requests follow from it. ``timeout`` are seconds for one attempt. To be used from
    one event loop at a time.
    """

    def __init__(  # noqa: PLR0913 - one argument a part
        self,
        endpoint: ChatEndpoint,
        *,
        limiter: Limiter | None = None,
        retry: RetryPolicy | None = None,
        breaker: CircuitBreaker | None = None,
        budget: Budget | None = None,
        cache: AnswerCache | None = None,
        timeout: float = 120.0,
        rereads: int = 2,
    ) -> None:
        self.endpoint = endpoint
        self.limiter = limiter or Limiter()
        self.budget = budget or Budget()
        self._retry = retry or RetryPolicy()
        self._breaker = breaker or CircuitBreaker()
        self._cache = cache
        self._timeout = timeout
        self._rereads = rereads

    @property
    def description(self) -> dict[str, Any]:
        """The settings of the endpoint as JSON, for signatures."""
        return dict(self.endpoint.description)

    @property
    def spent(self) -> Spent:
        """What all calls used so far."""
        return self.budget.spent

    async def ask(
        self,
        request: ChatRequest,
        read: Callable[[Completion], T],
        ask_again: Callable[[ChatRequest, Completion, str], ChatRequest] | None = None,
        *,
        keep: bool = True,
    ) -> Answer[T]:
        """The first answer that ``read`` accepts; it raises `UnreadableAnswerError` for one that it does not.

        ``ask_again`` makes the next request from the one that failed, its answer and the reader's words; without it
        the same request is asked with another seed. With ``keep`` false the cache is left alone; see `kept`.

        Raises: CallFailure, of kind invalid_reply when no answer could be read.
        """
        key = cache_key(self.endpoint.identity(request))
        kept = self._read_kept(request, read) if keep else None
        if kept is not None:
            return kept
        call = _Call(key, self._retry.deadline)
        attempt = request
        for _ in range(self._rereads + 1):
            completion = await self._attempts(attempt, call)
            try:
                value = read(completion)
            except UnreadableAnswerError as error:
                reason = str(error)
            else:
                if keep:
                    self.keep(request, completion)
                return Answer(value, completion, call.spent)
            attempt = _varied(attempt) if ask_again is None else ask_again(attempt, completion, reason)
        message = f"no answer of {self._rereads + 1} could be read; the last: {reason}"
        raise CallFailure(message, kind="invalid_reply")

    async def disconnect(self) -> None:
        """Close the endpoint's connections; the client may go on in another event loop."""
        await self.endpoint.aclose()

    async def aclose(self) -> None:
        """Close the endpoint's connections and the cache."""
        await self.disconnect()
        if self._cache is not None:
            self._cache.close()

    def kept(self, request: ChatRequest) -> Completion | None:
        """The answer that is kept for a request; for callers that put answers together from several requests."""
        if self._cache is None:
            return None
        completion = self._cache.get(cache_key(self.endpoint.identity(request)))
        here = spent_here.get()
        for spent in (self.budget.spent, *((here,) if here is not None else ())):
            spent.cached += completion is not None
        return completion

    def keep(self, request: ChatRequest, completion: Completion) -> None:
        """Keep an answer for a request."""
        if self._cache is not None:
            self._cache.put(cache_key(self.endpoint.identity(request)), completion)

    def _read_kept(self, request: ChatRequest, read: Callable[[Completion], T]) -> Answer[T] | None:
        completion = self.kept(request)
        if completion is None:
            return None
        try:
            return Answer(read(completion), completion, Spent(cached=1))
        except UnreadableAnswerError:
            # Kept by another version, which read more loosely.
            return None

    async def _attempts(self, request: ChatRequest, call: _Call) -> Completion:
        """An answer of any kind, after as many attempts as the policy allows."""
        number = 0
        while True:
            number += 1
            try:
                return await self._attempt(request, call)
            except CallFailure as failure:
                wait = self._retry.wait(number, call.key, failure.retry_after)
                if not failure.retryable or number >= self._retry.tries or wait >= call.seconds_left:
                    raise _after(failure, number) from None
            call.seconds_left -= wait
            await asyncio.sleep(wait)

    async def _attempt(self, request: ChatRequest, call: _Call) -> Completion:
        estimate = input_tokens(request)
        tokens = estimate + request.output_tokens
        await self.limiter.acquire(tokens)
        try:
            # After the queue, so that those who wait in it learn that the endpoint went down meanwhile.
            probe = await self._breaker.enter()
            try:
                reservation = self.budget.reserve(estimate, request.output_tokens)
            except CallFailure:
                self._breaker.left(probe=probe)
                raise
        except BaseException:
            self.limiter.release(estimated=tokens)
            raise
        used, failure, completion = (0, 0), None, None
        started = time.monotonic()
        try:
            completion = await self.endpoint.send(request, seconds=max(0.001, min(self._timeout, call.seconds_left)))
            used = (
                estimate if completion.input_tokens is None else completion.input_tokens,
                request.output_tokens if completion.output_tokens is None else completion.output_tokens,
            )
        except CallFailure as error:
            failure = error
            raise
        finally:
            call.seconds_left -= time.monotonic() - started
            call.add(self.budget.settle(reservation, *used))
            throttled = failure is not None and failure.kind == "rate_limit"
            retry_after = failure.retry_after if failure is not None else None
            self.limiter.release(tokens=sum(used), estimated=tokens, throttled=throttled, retry_after=retry_after)
            if completion is not None or throttled:
                self._breaker.answered(probe=probe)
            elif failure is not None:
                self._breaker.failed(call.key, failure, probe=probe)
            else:
                self._breaker.left(probe=probe)
        return completion


class _Call:
    """One question with all of its attempts; waiting for the limiter or the breaker does not use up its time."""

    def __init__(self, key: str, seconds: float) -> None:
        self.key = key
        self.seconds_left = seconds
        self.spent = Spent()

    def add(self, attempt: Spent) -> None:
        self.spent.add(attempt)
        here = spent_here.get()
        if here is not None:
            here.add(attempt)


def _varied(request: ChatRequest) -> ChatRequest:
    """The same request to be answered anew."""
    return ChatRequest(
        messages=request.messages,
        answer_schema=request.answer_schema,
        variation=request.variation + 1,
        output_tokens=request.output_tokens,
    )


def _after(failure: CallFailure, attempts: int) -> CallFailure:
    """The failure, with the number of attempts when there were several."""
    if attempts == 1:
        return failure
    return CallFailure(
        f"{failure} (after {attempts} attempts)",
        kind=failure.kind,
        retryable=failure.retryable,
        retry_after=failure.retry_after,
        status=failure.status,
    )
