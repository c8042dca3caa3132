"""One turn: attempts, waits between them, and what came of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from turnmark.llm.limits import Limiter
from turnmark.llm.retry import RetryPolicy
from turnmark.replay.masking import masked_text
from turnmark.replay.protocol import Agent, AgentFailure, FailureKind, Reply
from turnmark.replay.run.calling import Caller, CallTimeoutError, StillBusyError
from turnmark.replay.run.client_errors import failure_of
from turnmark.replay.run.observer import TurnRecorder
from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.plain import Plain
from turnmark.schemas.trace import TurnStatus

LONGEST_RETRY_AFTER = 600.0
"""Seconds. An endpoint that asks for a longer wait has its turn fail, with the wait in the message."""

_LONGEST_ERROR = 2_000
_KEPT = ("usage", "cost", "retrieved_contexts", "model", "finish_reason")

msgspec.json.Decoder(Reply)  # reads the type here, once: its first use in two threads at once crashes msgspec


class TurnOutcome(NamedTuple):
    """What one turn gave. ``seconds`` is the time of the last attempt; ``agent_lost`` says not to call again.

    ``kind`` is that of the failure, None for a reply.
    """

    text: str
    status: TurnStatus
    error: str | None
    seconds: float
    told: dict[str, Any]
    agent_lost: bool = False
    kind: FailureKind | None = None


class TurnPlayer:
    """Plays the turns of one dialogue: the same call again after a failure that allows it.

    ``policy`` says how often and after how long; its waits depend on the seed and ``name``, the name of the dialogue.
    ``on_retry`` is told the number of the attempt that failed, its error and the seconds to wait.
    """

    def __init__(  # noqa: PLR0913 - what one dialogue needs
        self,
        agent: Agent,
        caller: Caller,
        recorder: TurnRecorder,
        *,
        timeout_sec: float,
        policy: RetryPolicy,
        limiter: Limiter,
        name: str,
        on_retry: Callable[[int, str, float], object] = lambda *_: None,
    ) -> None:
        self._agent = agent
        self._caller = caller
        self._recorder = recorder
        self._timeout = timeout_sec
        self._policy = policy
        self._limiter = limiter
        self._name = name
        self._on_retry = on_retry
        self._repeatable = getattr(agent, "repeatable", False) is True
        self._expected_tokens = 0
        self._seconds = 0.0

    async def play(self, turn_pair_id: int, user_text: str) -> TurnOutcome:
        """One user turn. Never raises for what an agent does."""
        attempt = 0
        while True:
            attempt += 1
            self._recorder.turn_start(turn_pair_id, user_text)
            try:
                return self._ended_ok(turn_pair_id, await self._attempt(user_text), attempt)
            except AgentFailure as error:
                failure = error
            retryable = failure.retryable or (failure.kind == "timeout" and self._repeatable)
            if not retryable or _too_long(failure) or attempt >= self._policy.tries:
                return self._failed(turn_pair_id, failure, attempt)
            wait = self._policy.wait(attempt, f"{self._name}:{turn_pair_id}", failure.retry_after)
            self._on_retry(attempt, _message(failure), wait)
            await asyncio.sleep(wait)

    async def _attempt(self, user_text: str) -> Reply:
        """Raises: AgentFailure, whatever went wrong."""
        estimated = tokens = self._expected_tokens
        await self._limiter.acquire(estimated)
        throttled, retry_after = False, None
        started = time.perf_counter()
        try:
            value = await self._caller.call(self._agent.handle_turn, user_text, timeout=self._timeout)
            reply = self._checked(value)
            if reply.usage is not None:
                tokens = self._expected_tokens = reply.usage.input_tokens + reply.usage.output_tokens
        except AgentFailure as error:
            # A wait that no turn will sit out must not hold the others either: they fail as soon, each by its name.
            throttled, retry_after = error.kind == "rate_limit", None if _too_long(error) else error.retry_after
            raise
        except CallTimeoutError:
            message = f"no reply within {self._timeout:g} s"
            raise AgentFailure(message, kind="timeout") from None
        except StillBusyError:
            message = f"not played: the agent did not come back from an earlier turn within {self._timeout:g} s more"
            raise _LostError(message) from None
        except Exception as error:
            failure = failure_of(error)
            throttled, retry_after = failure.kind == "rate_limit", None if _too_long(failure) else failure.retry_after
            raise failure from error
        finally:
            self._seconds = time.perf_counter() - started
            self._limiter.release(tokens=tokens, estimated=estimated, throttled=throttled, retry_after=retry_after)
        return reply

    def _checked(self, value: Any) -> Reply:
        """The reply of a call; that halves of characters were in it is told with the turn. Raises: AgentFailure."""
        halves = [0]
        reply = _as_reply(value, halves)
        if halves[0]:
            self._recorder.warn(f"the reply held {halves[0]} lone surrogate(s); kept as U+FFFD")
        return reply

    def _ended_ok(self, turn_pair_id: int, reply: Reply, attempt: int) -> TurnOutcome:
        told = self._recorder.turn_end(turn_pair_id, reply.text, "ok", None) | _more(reply, attempt)
        return TurnOutcome(reply.text, "ok", None, self._seconds, told)

    def _failed(self, turn_pair_id: int, failure: AgentFailure, attempt: int) -> TurnOutcome:
        status: TurnStatus = "timeout" if failure.kind == "timeout" else "error"
        error = _message(failure)
        if attempt > 1:
            error += f" (after {attempt} attempts)"
        told = self._recorder.turn_end(turn_pair_id, "", status, error) | _more(None, attempt)
        return TurnOutcome("", status, error, self._seconds, told, isinstance(failure, _LostError), failure.kind)


class _LostError(AgentFailure):
    """The agent cannot be called any more."""


def _too_long(failure: AgentFailure) -> bool:
    """Whether the wait that is asked for is longer than any turn waits."""
    return (failure.retry_after or 0.0) > LONGEST_RETRY_AFTER


def _message(failure: AgentFailure) -> str:
    """The kind of a failure and its message, secrets masked."""
    status = f" {failure.status}" if failure.status is not None else ""
    wait = f" (asks to wait {failure.retry_after:g} s)" if _too_long(failure) else ""
    text = without_surrogates(masked_text(f"{failure.kind}{status}: {failure}{wait}"), [0])
    return text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}…"


def _as_reply(value: Any, halves: list[int]) -> Reply:
    """A reply as `Reply`; ``halves[0]`` counts lone surrogates, each U+FFFD now. Raises: AgentFailure for all else."""
    if not isinstance(value, str | Reply):
        message = f"handle_turn: expected str or Reply, found {type(value).__name__}"
        raise AgentFailure(message, kind="invalid_reply")
    plain = Plain()
    fields = plain(value)
    clean = without_surrogates(fields if isinstance(value, Reply) else {"text": fields}, halves)
    try:
        reply = msgspec.convert(clean, Reply)
    except msgspec.ValidationError as error:
        message = f"handle_turn: expected the fields of Reply, found: {error}"
        raise AgentFailure(message, kind="invalid_reply") from error
    if plain.faults:
        message = f"handle_turn: {plain.faults[0]}"
        raise AgentFailure(message, kind="invalid_reply")
    return reply


def _more(reply: Reply | None, attempt: int) -> dict[str, Any]:
    """What goes into the additional field ``replay`` of a turn; only what there is."""
    more: dict[str, Any] = {"attempts": attempt} if attempt > 1 else {}
    if reply is not None:
        known = {name: getattr(reply, name) for name in _KEPT}
        more |= {name: msgspec.to_builtins(value) for name, value in known.items() if value is not None}
    return more
