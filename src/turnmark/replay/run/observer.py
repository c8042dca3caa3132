"""Records what an agent tells about a turn: the observer that every agent is given."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import msgspec

from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.plain import Plain, fitted
from turnmark.schemas.problems import shown
from turnmark.schemas.trace import ComplianceTrace, ProfileSnapshot, RecallTrace, ToolTrace

_MOST_WARNINGS = 20

# msgspec reads a type at its first use, and crashes when two threads do so at once; agents run in many threads.
for _kind in (RecallTrace, ToolTrace, ComplianceTrace, ProfileSnapshot):
    msgspec.json.Decoder(_kind)


class TurnRecorder:
    """The `turnmark.replay.protocol.Observer` of one dialogue.

    Events between `turn_start` and `turn_end` belong to that turn; later ones are dropped, so that a call which comes
    back long after its time-out cannot write into the next turn. ``listener`` is an observer of the user: it is told
    every event by a method of the same name, where it has one; what it raises becomes a warning. A value that does not
    fit is left out of its payload and named in the warnings. No method raises.
    """

    def __init__(self, listener: Any = None) -> None:
        self._listener = listener
        self._lock = threading.Lock()
        self._open = False
        self._single: dict[str, Any] = {}
        self._tools: list[Any] = []
        self._warnings: list[str] = []

    def turn_start(self, turn_pair_id: int, user_text: str) -> None:
        """A turn begins, or begins anew after a failed attempt: forget what was told."""
        with self._lock:
            self._open = True
            self._single, self._tools, self._warnings = {}, [], []
        self._tell("turn_start", {"turn_pair_id": turn_pair_id, "user_text": user_text})

    def recall_done(self, payload: object = None, /, **fields: Any) -> None:
        """What memory put before the assistant."""
        self._take("recall_done", "recall", RecallTrace, payload, fields)

    def tool_called(self, payload: object = None, /, **fields: Any) -> None:
        """One call of a tool."""
        self._take("tool_called", "tools", ToolTrace, payload, fields)

    def compliance_done(self, payload: object = None, /, **fields: Any) -> None:
        """What the assistant's own compliance check said."""
        self._take("compliance_done", "compliance", ComplianceTrace, payload, fields)

    def profile_snapshot(self, payload: object = None, /, **fields: Any) -> None:
        """What the assistant believes about the user."""
        self._take("profile_snapshot", "profile_snapshot", ProfileSnapshot, payload, fields)

    def turn_end(self, turn_pair_id: int, reply: str, turn_status: str, error: str | None) -> dict[str, Any]:
        """A turn ends; what was told since its start: ``recall``, ``tools``, ``compliance``, ``profile_snapshot``.

        Parts that were not told are missing; ``warnings`` is there when there are any.
        """
        told = {"turn_pair_id": turn_pair_id, "reply": reply, "turn_status": turn_status, "error": error}
        self._tell("turn_end", told)
        with self._lock:
            self._open = False
            payload = dict(self._single)
            payload["tools"] = self._tools
            if self._warnings:
                payload["warnings"] = self._warnings
            return payload

    def __getattr__(self, name: str) -> Any:
        """Anything else that the user's observer offers."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._listener, name)

    def _take(
        self, event: str, part: str, kind: type[msgspec.Struct], payload: object, fields: Mapping[str, Any]
    ) -> None:
        try:
            value, left_out = _fitted(payload, fields, kind)
        except Exception as error:  # noqa: BLE001 - whatever an agent hands over must not end its turn
            self.warn(f"{event}: expected fields of {kind.__name__}, found {_named(payload, fields)}: {error}")
            return
        for fault in left_out:
            self.warn(f"{event}: {fault}")
        if left_out and not value:
            return
        with self._lock:
            if not self._open:
                return
            if part == "tools":
                self._tools.append(value)
            else:
                self._single[part] = value
        self._tell(event, value)

    def _tell(self, event: str, fields: Mapping[str, Any]) -> None:
        told = getattr(self._listener, event, None)
        if told is None:
            return
        try:
            told(**fields) if event in {"turn_start", "turn_end"} else told(fields)
        except Exception as error:  # noqa: BLE001 - an observer that fails must not end a turn
            self.warn(f"{event}: the observer raised {type(error).__name__}: {error}")

    def warn(self, text: str) -> None:
        """Say something about the turn that is open; with many warnings, only the first ones are kept."""
        with self._lock:
            if self._open and len(self._warnings) < _MOST_WARNINGS:
                self._warnings.append(without_surrogates(text, [0]))


def _fitted(payload: object, fields: Mapping[str, Any], kind: type[msgspec.Struct]) -> tuple[dict[str, Any], list[str]]:
    """A payload as JSON values that fit, and what had to be left out. Raises: TypeError and the like for no object."""
    plain = Plain()
    merged = plain(payload) if payload is not None else {}
    if not isinstance(merged, dict):
        message = f"expected an object, found {type(payload).__name__}"
        raise TypeError(message)
    clean = without_surrogates(merged | plain(fields), [0])
    value, wrong = fitted(clean, kind)
    return value, [*plain.faults, *wrong]


def _named(payload: object, fields: Mapping[str, Any]) -> str:
    return shown(payload) if payload is not None else f"fields {sorted(fields)}"
