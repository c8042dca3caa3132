"""Plays many dialogues at once: one task a worker, turns one after the other within a dialogue."""

from __future__ import annotations

import asyncio
import inspect
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from turnmark.llm.limits import Limiter
from turnmark.llm.retry import RetryPolicy
from turnmark.replay.inputs import Script
from turnmark.replay.masking import masked_text
from turnmark.replay.protocol import Agent, AgentSource
from turnmark.replay.run.attempts import TurnOutcome, TurnPlayer
from turnmark.replay.run.calling import AgentLoops, Caller, CallTimeoutError, StillBusyError
from turnmark.replay.run.client_errors import failure_of
from turnmark.replay.run.observer import TurnRecorder
from turnmark.replay.run.outage import LONGEST_RUN_OF_FAILURES, Outage
from turnmark.replay.run.progress import ProgressLog
from turnmark.replay.run.trace_writer import ENDED_AT, dialog_trace, turn_trace
from turnmark.runs.clock import now

_CLOSE_SECONDS = 5.0
_SWITCH_SECONDS = 0.0005
"""How long a thread may keep the interpreter while another waits. By default it is ten times as long, and every turn
crosses between the scheduler's thread and an agent's: with many short turns at once that is most of the time lost."""


class ReplaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a dataset is played.

    ``timeout_sec`` is for one call of an agent; ``workers`` dialogues go on at once; ``heartbeat_sec`` is the time
    between heartbeats in the progress log; ``seed`` goes to the agents and into the jitter of waits.
    """

    run_id: str
    timeout_sec: float = 120.0
    workers: int = 4
    heartbeat_sec: float = 20.0
    seed: int = 0
    policy: RetryPolicy = RetryPolicy(tries=4)
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


class Record(Protocol):
    """Where it is written down what happened (`turnmark.replay.run.journal.Journal` is one)."""

    async def started(self, index: int) -> None:
        """A dialogue begins."""

    async def turn(self, index: int, turn: Mapping[str, Any]) -> None:
        """A turn ended."""

    async def finished(self, index: int, dialog: Mapping[str, Any], turns: int) -> None:
        """A dialogue ended."""


class Scheduler:
    """Plays scripts with the agents of one source, until they give no replies any more (`outage`).

    ``memory`` is the folder under which each dialogue gets an empty folder of its own, removed when the dialogue ends.
    ``listeners`` makes an observer of the user's for a dialogue (with ``dialog_id`` and ``run_id``, as far as it
    accepts them), told of every event; whatever it raises fails the dialogue, not the run.
    """

    def __init__(
        self,
        source: AgentSource,
        settings: ReplaySettings,
        record: Record,
        *,
        memory: Path,
        progress: ProgressLog | None = None,
        listeners: Callable[..., Any] | None = None,
    ) -> None:
        self._source = source
        self._settings = settings
        self._record = record
        self._memory = memory
        self._progress = progress or ProgressLog(None)
        self._listeners = listeners
        self._in_flight: dict[str, tuple[int, float]] = {}
        self.outage = Outage(None if getattr(source, "repeats_failures", False) else LONGEST_RUN_OF_FAILURES)

    async def play(self, scripts: Iterator[Script]) -> None:
        """Play all scripts. Whatever agents do ends in the record.

        Raises: OSError when the record cannot be written.
        """
        loops = AgentLoops()
        limiter = Limiter(
            concurrency=self._settings.workers,
            requests_per_minute=self._settings.requests_per_minute,
            tokens_per_minute=self._settings.tokens_per_minute,
        )
        heartbeat = asyncio.create_task(self._heartbeats())
        interval = sys.getswitchinterval()
        sys.setswitchinterval(min(interval, _SWITCH_SECONDS))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._settings.workers):
                    group.create_task(self._work(scripts, loops, limiter))
        except ExceptionGroup as failures:
            # What `except*` raises comes in a group again in some releases of Python 3.11.
            raise _first(failures) from None
        finally:
            sys.setswitchinterval(interval)
            heartbeat.cancel()
            await loops.end(self._source.aclose)

    async def _work(self, scripts: Iterator[Script], loops: AgentLoops, limiter: Limiter) -> None:
        """One worker: takes the next script until there is none."""
        caller = Caller(loops)
        try:
            for script in scripts:
                if self.outage.why is not None:
                    return
                await self._dialog(script, caller, limiter)
        finally:
            caller.close()

    async def _dialog(self, script: Script, caller: Caller, limiter: Limiter) -> None:
        self._progress.tell("dialog_started", dialog_id=script.dialog_id, turns=len(script.pairs))
        await self._record.started(script.place)
        started = time.perf_counter()
        turns: list[dict[str, Any]] = []
        error = None
        if script.skip_reason is None:
            error = await self._turns(script, caller, limiter, turns)
        trace = dialog_trace(
            script.head, turns, run_id=self._settings.run_id, skip_reason=script.skip_reason, error=error
        )
        await self._record.finished(script.place, trace | {"turns": None}, len(turns))
        self._progress.tell(
            "dialog_done",
            dialog_id=script.dialog_id,
            dialog_status=trace["dialog_status"],
            error=trace["dialog_error"],
            seconds=round(time.perf_counter() - started, 3),
        )

    async def _turns(self, script: Script, caller: Caller, limiter: Limiter, turns: list[dict[str, Any]]) -> str | None:
        """Play the turns of a dialogue; returns why none could be played, or None."""
        memory = self._memory / f"{script.place:06d}"
        agent: Agent | None = None
        player: TurnPlayer | None = None
        lost: str | None = None
        try:
            try:
                recorder = TurnRecorder(self._listener(script))
                agent = await self._made(script, caller, recorder, memory)
                player = self._player(script, agent, caller, recorder, limiter)
            except Exception as failure:  # noqa: BLE001 - the agent's own code: its dialogue fails, the rest goes on
                lost = masked_text(f"the agent could not be made: {_described(failure, self._settings.timeout_sec)}")
                self.outage.failed(failure_of(failure).kind, lost)
            never = lost
            for pair in script.pairs:
                if player is None or lost is not None or self.outage.why is not None:
                    lost = lost or f"not played: {self.outage.why}"
                    outcome = TurnOutcome("", "error", lost, 0.0, {})
                else:
                    outcome = await self._turn(script, pair, player)
                    lost = outcome.error if outcome.agent_lost else None
                    if outcome.kind is None:
                        self.outage.replied()
                    else:
                        self.outage.failed(outcome.kind, outcome.error or "")
                turn = turn_trace(
                    pair, outcome.text, outcome.told, 1000 * outcome.seconds, outcome.status, outcome.error
                )
                turn[ENDED_AT] = now()
                await self._record.turn(script.place, turn)
                turns.append(turn)
                self._told(script, turn)
        finally:
            await _close(agent, caller)
            caller.end()
            shutil.rmtree(memory, ignore_errors=True)
        return never

    def _player(
        self, script: Script, agent: Agent, caller: Caller, recorder: TurnRecorder, limiter: Limiter
    ) -> TurnPlayer:
        def on_retry(attempt: int, error: str, wait: float) -> None:
            self._progress.tell(
                "turn_retried", dialog_id=script.dialog_id, attempt=attempt, error=error, wait_seconds=round(wait, 3)
            )

        return TurnPlayer(
            agent,
            caller,
            recorder,
            timeout_sec=self._settings.timeout_sec,
            policy=self._settings.policy,
            limiter=limiter,
            name=script.dialog_id,
            on_retry=on_retry,
        )

    async def _turn(self, script: Script, pair: Mapping[str, Any], player: TurnPlayer) -> TurnOutcome:
        self._in_flight[script.dialog_id] = (pair["turn_pair_id"], time.perf_counter())
        try:
            return await player.play(pair["turn_pair_id"], pair["user_text"])
        finally:
            del self._in_flight[script.dialog_id]

    def _listener(self, script: Script) -> Any:
        if self._listeners is None:
            return None
        return self._listeners(
            **accepted(self._listeners, {"dialog_id": script.dialog_id, "run_id": self._settings.run_id})
        )

    async def _made(self, script: Script, caller: Caller, recorder: TurnRecorder, memory: Path) -> Agent:
        """The agent of a dialogue. Raises: whatever its factory raises."""
        _empty(memory)
        agent: Agent = await caller.call(
            self._source.make,
            timeout=self._settings.timeout_sec,
            dialog_id=script.dialog_id,
            observer=recorder,
            session_id=script.head["session_id"],
            user_id=script.head["user_id"],
            memory_dir=memory,
            timeout_sec=self._settings.timeout_sec,
            seed=self._settings.seed,
            **script.given,
        )
        if not callable(getattr(agent, "handle_turn", None)):
            message = f"expected an object with handle_turn(user_text), found {type(agent).__name__}"
            raise TypeError(message)
        return agent

    def _told(self, script: Script, turn: Mapping[str, Any]) -> None:
        more = turn.get("replay") or {}
        self._progress.tell(
            "turn_done",
            dialog_id=script.dialog_id,
            turn_pair_id=turn["turn_pair_id"],
            turn_status=turn["turn_status"],
            latency_ms=turn["latency_ms"],
            **({"error": turn["error"]} if turn["error"] else {}),
            **{name: more[name] for name in ("attempts", "usage", "cost") if name in more},
        )

    async def _heartbeats(self) -> None:
        """Now and then say what is going on, so that a quiet run can be told from a dead one."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_sec)
            now = time.perf_counter()
            under_way = [
                {"dialog_id": dialog_id, "turn_pair_id": turn, "seconds": round(now - since, 1)}
                for dialog_id, (turn, since) in self._in_flight.items()
            ]
            self._progress.tell("heartbeat", turns_under_way=under_way)


async def _close(agent: Any, caller: Caller) -> None:
    """Close an agent that can be closed; what it raises is of no matter any more."""
    close = getattr(agent, "close", None)
    if not callable(close):
        return
    try:
        await caller.call(close, timeout=_CLOSE_SECONDS)
    except Exception:  # noqa: BLE001 - the dialogue is over, its result stands
        return


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _described(failure: Exception, timeout_sec: float) -> str:
    if isinstance(failure, CallTimeoutError | StillBusyError):
        return f"its factory did not come back within {timeout_sec:g} s"
    return f"{type(failure).__name__}: {failure}"


def _first(failures: BaseExceptionGroup[Exception]) -> Exception:
    """One failure out of a group: they have the same cause."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def accepted(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the arguments that a function accepts by name; all when it has ``**kwargs`` or cannot be asked."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return dict(arguments)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(arguments)
    named = {parameter.name for parameter in parameters if parameter.kind is not parameter.POSITIONAL_ONLY}
    return {name: value for name, value in arguments.items() if name in named}
