"""How long to wait before the next attempt.

Own code, since the kept libraries (tenacity, stamina, backoff) draw their jitter from the shared random generator, and
here the same seed has to give the same waits; what would be left of them is the loop.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Exponential backoff with jitter.

    ``tries`` is the number of attempts in all. The wait before attempt n + 1 is ``first_wait`` · 2ⁿ⁻¹ seconds, at most
    ``longest_wait``, times a random number from 0.5 to 1 that depends on nothing but ``seed``, the call and the
    attempt. ``deadline`` are seconds for a call with all of its attempts and waits.
    """

    tries: int = 6
    first_wait: float = 0.5
    longest_wait: float = 30.0
    deadline: float = 600.0
    seed: int = 0

    def wait(self, attempt: int, call: str, retry_after: float | None = None) -> float:
        """Seconds to wait after a failed attempt (1 for the first) of a call.

        ``retry_after``, what the endpoint asked for, is never undercut; jitter comes on top, so that calls that were
        refused together do not come back together.
        """
        spread = random.Random(f"{self.seed}:{call}:{attempt}").random()  # noqa: S311 - jitter, not cryptography
        if retry_after is not None:
            return retry_after + spread * min(self.first_wait, self.longest_wait)
        return min(self.first_wait * 2.0 ** min(attempt - 1, 30), self.longest_wait) * (0.5 + spread / 2)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply asks to wait, never negative; None when it does not say or cannot be read.

    ``Retry-After`` holds seconds or a date (RFC 9110, 10.2.3). A date is compared with the ``Date`` of the same reply,
    so that a clock that is wrong on one side does no harm. ``Retry-After-Ms`` is what some model endpoints add.
    """
    milliseconds = _number(headers.get("Retry-After-Ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("Retry-After")
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return seconds
    until = _date(value)
    if until is None:
        return None
    now = _date(headers.get("Date")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else -1.0
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _date(value: str | None) -> datetime | None:
    try:
        result = parsedate_to_datetime(value) if value is not None else None
    except (ValueError, OverflowError):
        return None
    return result.replace(tzinfo=UTC) if result is not None and result.tzinfo is None else result
