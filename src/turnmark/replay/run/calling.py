"""Calls into agents that cannot be trusted to come back.

Sync code runs in a daemon thread of its worker, async code in one event loop in a daemon thread of its own. The
scheduler waits for either with a time limit; what does not come back is left behind, and neither delays the others nor
the end of the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

GRACE_SECONDS = 1.0
"""How long a cancelled call has to end, and an event loop to answer."""


class CallTimeoutError(Exception):
    """The call did not come back in time."""


class StillBusyError(Exception):
    """An earlier call that timed out has not come back since, so the agent cannot be called again."""


class _Pending(NamedTuple):
    """A call under way: its outcome in the scheduler's loop, and how to ask it to stop (sync code cannot be asked)."""

    outcome: asyncio.Future[Any]
    cancel: Callable[[], object] | None


def _settle(outcome: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if outcome.done():
        return
    if error is None:
        outcome.set_result(value)
    elif isinstance(error, Exception):
        outcome.set_exception(error)
    else:  # SystemExit and the like end the agent's call, not this process
        outcome.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
        outcome.exception()


class _Thread:
    """A daemon thread that makes one call after the other."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="agent", daemon=True).start()

    def submit(self, function: Callable[[], Any]) -> _Pending:
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Any] = loop.create_future()

        def job() -> None:
            value, failure = None, None
            try:
                value = function()
            except BaseException as error:  # noqa: BLE001 - even sys.exit() of an agent must only end its turn
                failure = error
            with contextlib.suppress(RuntimeError):  # the scheduler's loop is gone: nobody waits any more
                loop.call_soon_threadsafe(_settle, outcome, value, failure)

        self._jobs.put(job)
        return _Pending(outcome, None)

    def end(self) -> None:
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


class AgentLoop:
    """An event loop in a daemon thread, for everything async that agents do."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="async-agents", daemon=True)
        self._thread.start()

    def submit(self, awaitable: Callable[[], Awaitable[Any]]) -> _Pending:
        """Await what the function gives, in this loop."""
        scheduler = asyncio.get_running_loop()
        outcome: asyncio.Future[Any] = scheduler.create_future()
        task: list[asyncio.Task[None]] = []

        async def run() -> None:
            value: Any = None
            failure: Exception | None = None
            try:
                value = await awaitable()
            except asyncio.CancelledError:
                failure = RuntimeError("cancelled")
            except BaseException as error:  # noqa: BLE001 - as for sync code
                failure = error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
            with contextlib.suppress(RuntimeError):
                scheduler.call_soon_threadsafe(_settle, outcome, value, failure)

        def start() -> None:
            task.append(self._loop.create_task(run()))

        def stop() -> None:
            task[0].cancel()

        def cancel() -> None:
            self._loop.call_soon_threadsafe(stop)

        self._loop.call_soon_threadsafe(start)
        return _Pending(outcome, cancel)

    async def answers(self) -> bool:
        """Whether the loop still turns: a blocking call in async code stops all of it."""
        pending = self.submit(_nothing)
        done, _ = await asyncio.wait({pending.outcome}, timeout=GRACE_SECONDS)
        return bool(done)

    def end(self) -> None:
        """Ask the loop to end; a blocked one is left behind."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(GRACE_SECONDS)

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=GRACE_SECONDS))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


async def _nothing() -> None:
    """Answer."""


class AgentLoops:
    """The event loop of the async agents, and the next one when code of an agent blocks it for good."""

    def __init__(self) -> None:
        self._current: AgentLoop | None = None
        self._all: list[AgentLoop] = []

    def current(self) -> AgentLoop:
        """The loop for new dialogues; started when first asked for."""
        if self._current is None:
            self._current = AgentLoop()
            self._all.append(self._current)
        return self._current

    async def doubt(self, loop: AgentLoop) -> None:
        """A call in this loop did not end when asked to: new dialogues get another one if it no longer turns."""
        if loop is self._current and not await loop.answers():
            self._current = None

    async def end(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Await ``last`` where the agents lived (whatever it raises is forgotten), then end the loops."""
        pending = self.current().submit(last)
        done, _ = await asyncio.wait({pending.outcome}, timeout=10 * GRACE_SECONDS)
        for outcome in done:
            outcome.exception()
        for loop in self._all:
            loop.end()


class Caller:
    """Makes the calls of one worker, one at a time: a thread for sync code, the shared loop for async code."""

    def __init__(self, loops: AgentLoops) -> None:
        self._loops = loops
        self._thread: _Thread | None = None
        self._loop: AgentLoop | None = None
        self._late: asyncio.Future[Any] | None = None

    async def call(self, function: Callable[..., Any], *arguments: Any, timeout: float, **named: Any) -> Any:  # noqa: ASYNC109 - of sync code too
        """What the function gives, sync or async, awaited when it gives something to await.

        Raises: CallTimeoutError; StillBusyError, after as long as ``timeout``; whatever the function raises.
        """
        if self._late is not None:
            await asyncio.wait({self._late}, timeout=timeout)
            if not self._late.done():
                raise StillBusyError
            self._forget_late()
        if inspect.iscoroutinefunction(function):
            return await self._asynchronous(lambda: function(*arguments, **named), timeout)
        self._thread = self._thread or _Thread()
        value = await self._outcome(self._thread.submit(lambda: function(*arguments, **named)), timeout)
        if inspect.isawaitable(value):
            return await self._asynchronous(lambda: value, timeout)
        return value

    def end(self) -> None:
        """The dialogue is over: a thread that is still busy is left behind, the next dialogue gets another."""
        self._loop = None
        if self._late is not None:
            self._late.add_done_callback(_forget)
            self._late = None
            if self._thread is not None:
                self._thread.end()
                self._thread = None

    def close(self) -> None:
        """No more calls will come."""
        self.end()
        if self._thread is not None:
            self._thread.end()

    async def _asynchronous(self, awaitable: Callable[[], Awaitable[Any]], timeout: float) -> Any:  # noqa: ASYNC109
        self._loop = self._loop or self._loops.current()
        return await self._outcome(self._loop.submit(awaitable), timeout)

    async def _outcome(self, pending: _Pending, timeout: float) -> Any:  # noqa: ASYNC109
        try:
            await asyncio.wait({pending.outcome}, timeout=timeout)
        except asyncio.CancelledError:
            self._late = pending.outcome
            if pending.cancel is not None:
                pending.cancel()
            raise
        if pending.outcome.done():
            return pending.outcome.result()
        self._late = pending.outcome
        if pending.cancel is not None and self._loop is not None:
            pending.cancel()
            await asyncio.wait({pending.outcome}, timeout=GRACE_SECONDS)
            if pending.outcome.done():
                self._forget_late()
            else:
                await self._loops.doubt(self._loop)
        raise CallTimeoutError

    def _forget_late(self) -> None:
        if self._late is not None:
            _forget(self._late)
            self._late = None


def _forget(outcome: asyncio.Future[Any]) -> None:
    """Read an outcome that nobody wants, so that its error is not reported as overlooked."""
    if not outcome.cancelled():
        outcome.exception()
