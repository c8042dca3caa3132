"""Stops asking an endpoint that is down, and says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from turnmark.llm.protocol import CallFailure


class CircuitBreaker:
    """Opens when ``failures`` different calls failed with no answer between; then one call at a time probes.

    Attempts of one call count once, so a few calls that fail for ever do not look like an endpoint that is down.
    While it is open, calls wait instead of hammering: ``first_pause`` seconds before the first probe, twice as long
    after each probe that fails, at most ``longest_pause``. After ``probes`` failed probes in a row the endpoint counts
    as down and every call fails at once, so that a run ends and can be resumed; failures that no wait will mend (a
    wrong key, an unknown model) need no probes. One answer closes the breaker. A 429 is an answer: the endpoint is
    there (`turnmark.llm.limits.Limiter` slows down for it); but after ``refusals`` different calls that got nothing
    else, with no answer between, the endpoint counts as down as well. To be used from one event loop.
    """

    def __init__(
        self,
        *,
        failures: int = 20,
        probes: int = 4,
        refusals: int = 10,
        first_pause: float = 2.0,
        longest_pause: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._failures = failures
        self._probes = probes
        self._refusals = refusals
        self._first_pause = first_pause
        self._longest_pause = longest_pause
        self._clock = clock
        self._failed: set[str] = set()
        self._failed_probes = 0
        self._last_failure = ""
        self._given_up: set[str] = set()
        self._open_until: float | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._probing = asyncio.Lock()

    @property
    def down(self) -> bool:
        """True when the endpoint is asked no more."""
        return self._failed_probes >= self._probes or len(self._given_up) >= self._refusals

    @property
    def why_down(self) -> str | None:
        """Why the endpoint is asked no more; None while it is."""
        if not self.down:
            return None
        calls = len(self._given_up) if len(self._given_up) >= self._refusals else len(self._failed)
        return (
            f"the endpoint is down: {calls} calls failed with no answer between, the last with: {self._last_failure}; "
            "run again when it is back, finished work is kept"
        )

    async def enter(self) -> bool:
        """Wait until a call may go; True when it is a probe. One of `answered`, `failed` and `left` must follow.

        Raises: CallFailure.
        """
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # Locks belong to an event loop; what another one left behind is no more.
            self._loop, self._probing = loop, asyncio.Lock()
        self._refuse_when_down()
        if self._open_until is None:
            return False
        await self._probing.acquire()
        try:
            self._refuse_when_down()
            if self._open_until is None:
                self._probing.release()
                return False
            await asyncio.sleep(max(0.0, self._open_until - self._clock()))
        except BaseException:
            self._probing.release()
            raise
        return True

    def given_up(self, call: str, failure: CallFailure) -> None:
        """A call ended with nothing but 429."""
        self._given_up.add(call)
        self._last_failure = str(failure)

    def answered(self, *, probe: bool, throttled: bool = False) -> None:
        """A call got an answer, or with ``throttled`` a 429."""
        if not throttled:
            self._given_up.clear()
        self._failed.clear()
        self._failed_probes = 0
        self._open_until = None
        self.left(probe=probe)

    def failed(self, call: str, failure: CallFailure, *, probe: bool) -> None:
        """An attempt of a call failed."""
        self._failed.add(call)
        self._last_failure = str(failure)
        if probe:
            self._failed_probes += 1
        if probe or (self._open_until is None and len(self._failed) >= self._failures):
            if not failure.retryable:
                self._failed_probes = self._probes
            pause = min(self._first_pause * 2**self._failed_probes, self._longest_pause)
            self._open_until = self._clock() + pause
        self.left(probe=probe)

    def left(self, *, probe: bool) -> None:
        """A call was given up and says nothing of the endpoint."""
        if probe:
            self._probing.release()

    def _refuse_when_down(self) -> None:
        if self.why_down is not None:
            raise CallFailure(self.why_down, kind="endpoint_down")
