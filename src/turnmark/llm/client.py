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

_MOST_UNREADABLE = 3
"""Questions in a row that may end without an answer that can be read, before no more are asked."""
_MOST_TIMEOUTS = 2
"""A call that timed out is made once more; what takes too long twice takes too long."""

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
        self._unreadable = 0
        self.gave_up: str | None = None
        """Why no further answers are asked for, though the endpoint gives them."""

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
        call: Call | None = None,
    ) -> Answer[T]:
        """The first answer that ``read`` accepts; it raises `UnreadableAnswerError` for one that it does not.

        ``ask_again`` makes the next request from the one that failed, its answer and the reader's words; without it
        the same request is asked with another seed. With ``keep`` false the cache is left alone; see `kept`. Questions
        of one ``call`` share its time.

        Raises: CallFailure, of kind invalid_reply when no answer could be read.
        """
        kept = self._read_kept(request, read) if keep else None
        if kept is not None:
            return kept
        call = call or self.call(request)
        attempt = request
        for _ in range(self._rereads + 1):
            completion = await self._attempts(attempt, call)
            try:
                value = read(completion)
            except UnreadableAnswerError as error:
                reason = str(error) + cut_off(completion)
            else:
                self._unreadable = 0
                if keep:
                    self.keep(request, completion)
                return Answer(value, completion, call.spent)
            attempt = _varied(attempt) if ask_again is None else ask_again(attempt, completion, reason)
        message = f"no answer of {self._rereads + 1} could be read; the last: {reason}"
        self._unreadable += 1
        if self.gave_up is None and self._unreadable >= _MOST_UNREADABLE:
            self.gave_up = (
                f"{self._unreadable} questions one after the other got no answer that can be read, the last: {reason}; "
                "ask a model that follows the form, or set answer_format to what the endpoint supports"
            )
        raise CallFailure(message, kind="invalid_reply")

    def call(self, request: ChatRequest) -> Call:
        """The time of one call with all of its questions, attempts and waits."""
        return Call(cache_key(self.endpoint.identity(request)), self._retry.deadline)

    @property
    def stopped(self) -> str | None:
        """Why nothing is asked any more; None while it is."""
        return self.budget.exhausted or self.gave_up or self._breaker.why_down

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

    async def _attempts(self, request: ChatRequest, call: Call) -> Completion:
        """An answer of any kind, after as many attempts as the policy allows."""
        number = timeouts = 0
        while True:
            number += 1
            try:
                return await self._attempt(request, call)
            except CallFailure as failure:
                wait = self._retry.wait(number, call.key, failure.retry_after)
                timeouts += failure.kind == "timeout"
                last = number >= self._retry.tries or timeouts >= _MOST_TIMEOUTS or wait >= call.seconds_left
                if not failure.retryable or last:
                    if failure.kind == "rate_limit":
                        self._breaker.given_up(call.key, failure)
                    raise _after(failure, number) from None
            call.seconds_left -= wait
            await asyncio.sleep(wait)

    async def _attempt(self, request: ChatRequest, call: Call) -> Completion:
        if self.gave_up is not None:
            raise CallFailure(self.gave_up, kind="endpoint_down")
        if call.seconds_left <= 0:
            message = f"no usable answer within the {self._retry.deadline:g} s of a call"
            raise CallFailure(message, kind="timeout")
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
            if retry_after is not None and retry_after >= self._retry.deadline:
                retry_after = None  # a wait that no call sits out must not hold the others either
            self.limiter.release(tokens=sum(used), estimated=tokens, throttled=throttled, retry_after=retry_after)
            if completion is not None or throttled:
                self._breaker.answered(probe=probe, throttled=throttled)
            elif failure is not None:
                self._breaker.failed(call.key, failure, probe=probe)
            else:
                self._breaker.left(probe=probe)
        return completion


class Call:
    """One question with all of its attempts; waiting for the limiter or the breaker does not use up its time."""

    def __init__(self, key: str, seconds: float) -> None:
        self.key = key
        self.seconds_left = seconds
        self.spent = Spent()

    def add(self, attempt: Spent) -> None:
        """An attempt was paid for."""
        self.spent.add(attempt)
        here = spent_here.get()
        if here is not None:
            here.add(attempt)


def cut_off(completion: Completion) -> str:
    """What to say of an answer that ended at the limit of tokens; "" of another."""
    if completion.finish_reason != "length":
        return ""
    size = "" if completion.output_tokens is None else f" after {completion.output_tokens} tokens"
    return f"; it was cut off{size}: raise max_tokens"


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
