"""What a reader of a replay must know beside its counters: why turns failed, what was left out, why it ended early."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

_ATTEMPTS = re.compile(r" \(after \d+ attempts\)$")
_NUMBERS = re.compile(r"\d+")
_MOST = 5
_LONGEST = 300


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """Causes of failed turns and reasons of skipped dialogues with their counts, commonest first, five at most.

    ``warnings`` counts those of all turns; ``stopped`` says why the run ended before all was played, "" when it did
    not, and ``unplayed`` how many dialogues that left.
    """

    causes: dict[str, int] = {}
    skipped: dict[str, int] = {}
    warnings: int = 0
    first_warning: str = ""
    stopped: str = ""
    unplayed: int = 0


class Notes:
    """Collects from the dialogues of a run, in their order."""

    def __init__(self) -> None:
        self._causes = _Reasons()
        self._skipped = _Reasons()
        self._warnings: list[str] = []
        self.unplayed = 0

    def add(self, trace: Mapping[str, Any]) -> None:
        """A dialogue that was played."""
        if trace["skip_reason"]:
            self._skipped.add(str(trace["skip_reason"]))
        for turn in trace["turns"]:
            if turn["turn_status"] != "ok":
                self._causes.add(_ATTEMPTS.sub("", str(turn["error"])))
            self._warnings += (turn.get("replay") or {}).get("warnings") or ()

    def noted(self, stopped: str | None) -> Noted:
        """All of it."""
        return Noted(
            causes=self._causes.commonest(),
            skipped=self._skipped.commonest(),
            warnings=len(self._warnings),
            first_warning=self._warnings[0] if self._warnings else "",
            stopped=stopped or "",
            unplayed=self.unplayed,
        )


class _Reasons:
    """Counts texts; those that differ in numbers only, such as those of requests, are one."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, text: str) -> None:
        key = _NUMBERS.sub("0", text)
        self._counts[key] += 1
        self._first.setdefault(key, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")

    def commonest(self) -> dict[str, int]:
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        return {self._first[key]: count for key, count in ordered[:_MOST]}
