"""Tells when an agent gives no replies any more, so that a run ends with what it has."""

from __future__ import annotations

from turnmark.replay.protocol import FailureKind

LONGEST_RUN_OF_FAILURES = 20
"""Turns that may fail one after the other, with no reply between, before the run is stopped."""

_OUTSIDE: frozenset[FailureKind] = frozenset({"timeout", "rate_limit", "http", "connection", "process"})
"""Failures of what the agent depends on. Others are of the agent itself, may lie in single texts and cost nothing."""


class Outage:
    """Counts failures of all dialogues together. ``why`` says why the run is over, None while it is not."""

    def __init__(self, longest: int | None = LONGEST_RUN_OF_FAILURES) -> None:
        self._longest = longest
        self._failed = 0
        self.why: str | None = None

    def replied(self) -> None:
        """A turn got its reply."""
        self._failed = 0

    def failed(self, kind: FailureKind, error: str) -> None:
        """A turn failed for good, with all of its attempts."""
        if self._longest is None or kind not in _OUTSIDE:
            return
        self._failed += 1
        if self.why is None and self._failed >= self._longest:
            self.why = f"{self._failed} turns failed one after the other, the last with: {error}"
