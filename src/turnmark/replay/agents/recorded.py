"""An agent that says again what a recorded one said: for replaying a trace through the whole tool."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.replay.protocol import AgentFailure, FailureKind, Observer, Reply
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem

_TRACE = "dialog_trace.jsonl"


class _Recorded(msgspec.Struct):
    dialog_id: str
    turns: list[dict[str, Any]] | None = None


class TraceSource:
    """Agents that repeat the replies, events and failures of a recorded trace, found by the name of the dialogue."""

    repeats_failures = True
    """However many turns failed in a row, they are no outage now."""

    def __init__(self, path: Path) -> None:
        self._dialogs: dict[str, bytes] = {}
        result = 0
        for record in Reader(_Recorded).read(path):
            if not isinstance(record, Problem):
                result += 1
                self._dialogs.setdefault(record.value.dialog_id, msgspec.json.encode(record.value.turns or []))
        if not result:
            message = f"--agent trace:{path}: expected a trace (dialog_id, turns), found no readable dialogue"
            raise UsageError(message)
        self.description: Mapping[str, Any] = {"model_name": f"trace:{path.name}", "agent": f"trace:{path}"}

    def make(self, *, dialog_id: str, observer: Observer, **_: Any) -> RecordedAgent:
        """The agent of one dialogue. Raises: AgentFailure when the trace does not hold it."""
        raw = self._dialogs.get(dialog_id)
        if raw is None:
            message = f"the trace holds no dialogue {dialog_id!r}"
            raise AgentFailure(message)
        return RecordedAgent(msgspec.json.decode(raw), observer)

    async def aclose(self) -> None:
        """Nothing is shared."""


class RecordedAgent:
    """Gives the turns of one recorded dialogue, one after the other; a turn that was asked otherwise fails."""

    def __init__(self, turns: list[dict[str, Any]], observer: Observer) -> None:
        self._turns = turns
        self._observer = observer
        self._place = 0

    def handle_turn(self, user_text: str) -> Reply:
        """The recorded reply. Raises: AgentFailure as recorded, and when the recording does not fit."""
        position, self._place = self._place, self._place + 1
        if position >= len(self._turns):
            message = f"the recorded dialogue ends after {len(self._turns)} turns"
            raise AgentFailure(message)
        turn = self._turns[position]
        if turn.get("user_text") != user_text:
            message = f"turn {position + 1} was recorded for another user text"
            raise AgentFailure(message)
        self._tell(turn)
        if turn.get("turn_status", "ok") != "ok":
            kind: FailureKind = "timeout" if turn["turn_status"] == "timeout" else "agent"
            raise AgentFailure(f"recorded: {turn.get('error') or 'no reason given'}", kind=kind)
        more = turn.get("replay") or {}
        return Reply(text=turn.get("pred_assistant_text") or "", retrieved_contexts=more.get("retrieved_contexts"))

    def _tell(self, turn: Mapping[str, Any]) -> None:
        if turn.get("recall") is not None:
            self._observer.recall_done(turn["recall"])
        for tool in turn.get("tools") or ():
            self._observer.tool_called(tool)
        if turn.get("compliance") is not None:
            self._observer.compliance_done(turn["compliance"])
        if turn.get("profile_snapshot") is not None:
            self._observer.profile_snapshot(turn["profile_snapshot"])


def open_trace(rest: str, options: Mapping[str, Any]) -> TraceSource:
    """``trace:PATH``, a trace or a run folder. Raises: UsageError."""
    path = Path(rest)
    path = path / _TRACE if path.is_dir() else path
    if not path.is_file():
        message = f"--agent trace:{rest}: expected a trace or a run folder, found none"
        raise UsageError(message)
    if options:
        message = f"--agent-option: trace takes no option {', '.join(sorted(options))}"
        raise UsageError(message)
    return TraceSource(path)
