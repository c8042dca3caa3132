"""An agent in a process of its own, in any language, that speaks JSON lines on its standard input and output.

One process serves one dialogue. It reads one line to begin, then one a turn; for each turn it writes any number of
events and then one reply::

    > {"type": "start", "dialog_id": "d1", "session_id": "…", "user_id": "…", "memory_dir": "…", "seed": 0, …}
    > {"type": "turn", "user_text": "What is a bond?"}
    < {"event": "recall_done", "payload": {"query": "What is a bond?", "items": []}}
    < {"reply": "A bond is …", "usage": {"input_tokens": 10, "output_tokens": 20}, "cost": 0.001}

Events are those of `turnmark.replay.protocol.Observer`. A turn that cannot be answered is
``{"error": "…", "kind": "rate_limit", "retryable": true, "retry_after": 2}``. The end of standard input ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from turnmark.errors import UsageError
from turnmark.replay.agents.loading import described_scheme
from turnmark.replay.protocol import AgentFailure, FailureKind, Observer, Reply
from turnmark.schemas.jsonl import decoded_with_halves

_EVENTS = frozenset({"recall_done", "tool_called", "compliance_done", "profile_snapshot"})
_LONGEST_LINE = 1 << 26
_STDERR_KEPT = 500
_CLOSE_SECONDS = 2.0


class ExecSource:
    """Starts one process a dialogue."""

    def __init__(self, command: str, arguments: list[str], options: Mapping[str, Any]) -> None:
        self._arguments = arguments
        self._options = dict(options)
        self._running: set[ExecAgent] = set()
        self.description: Mapping[str, Any] = described_scheme("exec", command, options)

    async def make(self, *, observer: Observer, **arguments: Any) -> ExecAgent:
        """Start the process of one dialogue. Raises: AgentFailure when it cannot be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_LONGEST_LINE, start_new_session=True
            )
        except OSError as error:
            message = f"{self._arguments[0]}: cannot be started: {error.strerror or error}"
            raise AgentFailure(message, kind="process") from error
        agent = ExecAgent(process, observer, self._running)
        told = {name: str(value) if isinstance(value, os.PathLike) else value for name, value in arguments.items()}
        await agent.send({"type": "start", **told, "options": self._options})
        return agent

    async def aclose(self) -> None:
        """End every process that is still there."""
        for agent in list(self._running):
            await agent.kill()


class ExecAgent:
    """One process that serves one dialogue."""

    def __init__(self, process: Process, observer: Observer, running: set[ExecAgent]) -> None:
        self._process = process
        self._observer = observer
        self._running = running
        self._running.add(self)
        self._owed = 0
        self._complaints = b""
        self._listening = asyncio.ensure_future(self._listen())

    async def handle_turn(self, user_text: str) -> Reply:
        """Send a turn, pass events on, give the reply. Raises: AgentFailure."""
        try:
            while self._owed:  # a reply that came too late belongs to a turn that is over
                await self._reply(observed=False)
                self._owed -= 1
        except asyncio.CancelledError:
            await self.kill()
            raise
        await self.send({"type": "turn", "user_text": user_text})
        self._owed = 1
        try:
            reply = await self._reply(observed=True)
        except AgentFailure:
            self._owed = 0  # what cannot be read was the reply
            raise
        self._owed = 0
        return _as_reply(reply)

    async def send(self, record: Mapping[str, Any]) -> None:
        """Write one line. Raises: AgentFailure when nobody reads it."""
        stdin = self._process.stdin
        try:
            if stdin is not None:
                stdin.write(msgspec.json.encode(record) + b"\n")
                await stdin.drain()
        except (ConnectionError, RuntimeError):
            raise await self._ended() from None

    async def close(self) -> None:
        """Ask the process to end, and end it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._process.wait()
        await self.kill()

    async def kill(self) -> None:
        """End the process and what it started."""
        self._running.discard(self)
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            await self._process.wait()
        self._listening.cancel()

    async def _reply(self, *, observed: bool) -> dict[str, Any]:
        """The next line that is a reply or an error; events on the way go to the observer."""
        while True:
            record = await self._line()
            if "event" not in record:
                return record
            if observed and record["event"] in _EVENTS:
                getattr(self._observer, record["event"])(record.get("payload") or {})

    async def _line(self) -> dict[str, Any]:
        stdout = self._process.stdout
        try:
            line = await stdout.readline() if stdout is not None else b""
        except ValueError as error:
            message = f"a line of more than {_LONGEST_LINE} bytes"
            raise AgentFailure(message, kind="invalid_reply") from error
        if not line.endswith(b"\n"):
            raise await self._ended()
        try:
            record = decoded_with_halves(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            result = line[:80].decode("utf-8", "replace")
            message = f"expected one JSON object a line, found {result!r} ({error}); logs belong on standard error"
            raise AgentFailure(message, kind="invalid_reply") from error
        if not isinstance(record, dict):
            message = f"expected a JSON object, found {type(record).__name__}"
            raise AgentFailure(message, kind="invalid_reply")
        return record

    async def _ended(self) -> AgentFailure:
        """What to say of a process that is gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._process.wait()
                await asyncio.shield(self._listening)
        code = self._process.returncode
        last = self._complaints.decode("utf-8", "replace").strip()
        said = f": {last}" if last else ""
        state = "and goes on running" if code is None else f"(exit code {code})"
        return AgentFailure(f"the process closed its output {state}{said}", kind="process")

    async def _listen(self) -> None:
        """Keep the end of what the process says on standard error."""
        stderr = self._process.stderr
        while stderr is not None and (piece := await stderr.read(4096)):
            self._complaints = (self._complaints + piece)[-_STDERR_KEPT:]


def _as_reply(record: dict[str, Any]) -> Reply:
    """Raises: AgentFailure when the record is an error or no reply."""
    if "error" in record:
        kind: FailureKind = record["kind"] if record.get("kind") in get_args(FailureKind) else "agent"
        after = record.get("retry_after")
        raise AgentFailure(
            str(record["error"]),
            kind=kind,
            retryable=record.get("retryable") is True,
            retry_after=float(after) if isinstance(after, int | float) and after >= 0 else None,
        )
    if "reply" not in record:
        message = f"expected the field reply, error or event, found {', '.join(map(str, record))[:200] or 'none'}"
        raise AgentFailure(message, kind="invalid_reply")
    try:
        return msgspec.convert({"text": record["reply"], **{k: v for k, v in record.items() if k != "reply"}}, Reply)
    except msgspec.ValidationError as error:
        message = f"reply: {error}"
        raise AgentFailure(message, kind="invalid_reply") from error


def open_exec(rest: str, options: Mapping[str, Any]) -> ExecSource:
    """``exec:COMMAND`` with its arguments, split as a shell does. Raises: UsageError when there is no such program."""
    try:
        arguments = shlex.split(rest)
    except ValueError as error:
        message = f"--agent exec:{rest}: expected a command, found {error}"
        raise UsageError(message) from error
    if not arguments or shutil.which(arguments[0]) is None:
        message = f"--agent exec:{rest}: expected a program that can be started, found {arguments[:1] or 'none'}"
        raise UsageError(message)
    return ExecSource(rest, arguments, options)
