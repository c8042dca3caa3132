"""Keeps calls under the limits of an endpoint: calls at once, requests a minute, tokens a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from turnmark.errors import UsageError


class _Bucket:
    """A token bucket: filled evenly, never above what one second brings (one request at least).

    What is bigger than the bucket passes when it is full and leaves it in debt, so the rate holds on average.
    """

    def __init__(self, per_minute: float, now: float) -> None:
        self._rate = per_minute / 60
        self._size = max(1.0, self._rate)
        self._level = self._size
        self._filled = now

    def wait(self, amount: float, now: float) -> float:
        """Seconds until ``amount`` may be taken."""
        self._level = min(self._size, self._level + (now - self._filled) * self._rate)
        self._filled = now
        return max(0.0, (min(amount, self._size) - self._level) / self._rate)

    def take(self, amount: float) -> None:
        """Take it; a negative amount gives back."""
        self._level -= amount


class Limiter:
    """Limits shared by all calls to one endpoint; first come, first served.

    At most ``concurrency`` calls run at once. A 429 halves that number, down to one, and holds every new call for the
    time that the endpoint asks; each full round of calls without a 429 adds one again (additive increase,
    multiplicative decrease, as in TCP: V. Jacobson, Congestion Avoidance and Control, 1988). As many calls as were
    under way when the number was halved end before a 429 halves it again: the others tell the same news.

    ``requests_per_minute`` and ``tokens_per_minute`` (None: no limit) are spread evenly over the minute. Tokens are
    taken as estimated when a call starts and put right when it ends. `mean_concurrency` says how well the limit was
    used. To be used from one event loop at a time.

    Raises: UsageError when a limit is not positive.
    """

    def __init__(
        self,
        *,
        concurrency: int = 16,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        for name, value in (
            ("concurrency", concurrency),
            ("requests_per_minute", requests_per_minute),
            ("tokens_per_minute", tokens_per_minute),
        ):
            if value is not None and not value > 0:
                message = f"{name} is {value!r}; expected a number above 0"
                raise UsageError(message)
        now = clock()
        self._clock = clock
        self._most = concurrency
        self._allowed = float(concurrency)
        self._requests = _Bucket(requests_per_minute, now) if requests_per_minute else None
        self._tokens = _Bucket(tokens_per_minute, now) if tokens_per_minute else None
        self._running = 0
        self._held_until = now
        self._old_calls = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turn = asyncio.Lock()
        self._released = asyncio.Event()
        self._area = 0.0
        self._changed = now
        self._first: float | None = None

    @property
    def allowed(self) -> int:
        """Calls that may run at once just now."""
        return max(1, int(self._allowed))

    @property
    def running(self) -> int:
        """Calls under way."""
        return self._running

    @property
    def mean_concurrency(self) -> float:
        """Mean number of calls under way from the first call until the last change; 0 before any."""
        if self._first is None or self._changed <= self._first:
            return 0.0
        return self._area / (self._changed - self._first)

    async def acquire(self, tokens: int = 0) -> None:
        """Wait until a call of about that many tokens may start."""
        self._enter_loop()
        async with self._turn:
            while (wait := self._wait(tokens)) > 0:
                self._released.clear()
                try:
                    async with asyncio.timeout(wait if wait != float("inf") else None):
                        await self._released.wait()
                except TimeoutError:
                    continue
            if self._requests is not None:
                self._requests.take(1)
            if self._tokens is not None:
                self._tokens.take(tokens)
            self._count(1)

    def release(
        self, *, tokens: int = 0, estimated: int = 0, throttled: bool = False, retry_after: float | None = None
    ) -> None:
        """A call ended.

        ``tokens`` it took in truth, ``estimated`` what was said in `acquire`. ``throttled``: the endpoint said 429.
        """
        self._count(-1)
        if self._tokens is not None:
            self._tokens.take(tokens - estimated)
        if throttled:
            if not self._old_calls:
                self._old_calls = self._running + 1
                self._allowed = max(1.0, self._allowed / 2)
            if retry_after is not None:
                self._held_until = max(self._held_until, self._clock() + retry_after)
        else:
            self._allowed = min(float(self._most), self._allowed + 1 / self._allowed)
        self._old_calls = max(0, self._old_calls - 1)
        self._released.set()

    def _enter_loop(self) -> None:
        """Locks belong to an event loop; calls that another one left behind are no more."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._turn, self._released = loop, asyncio.Lock(), asyncio.Event()
            self._count(-self._running)

    def _wait(self, tokens: int) -> float:
        """Seconds until the next call may start, as far as is known: infinity when another call has to end first."""
        if self._running >= self.allowed:
            return float("inf")
        now = self._clock()
        wait = max(
            self._held_until - now,
            self._requests.wait(1, now) if self._requests is not None else 0.0,
            self._tokens.wait(tokens, now) if self._tokens is not None else 0.0,
        )
        # A wait shorter than the clock can tell would spin.
        return 0.0 if wait <= 0 else max(wait, 1e-4)

    def _count(self, change: int) -> None:
        now = self._clock()
        if self._first is None:
            self._first = now
        self._area += self._running * (now - self._changed)
        self._changed = now
        self._running += change
