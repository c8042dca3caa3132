"""The journal of a run: what has happened for good, appended and flushed to disk line by line.

``logs/replay_journal.jsonl`` holds one JSON object a line::

    {"kind": "settings", …}                                    what the run was started with; one for each start
    {"kind": "started", "index": 3}                            a dialogue begins, or begins anew
    {"kind": "turn", "index": 3, "turn": {…}}                  a turn ended (a turn of a trace)
    {"kind": "ended", "index": 3, "dialog": {…}, "turns": 10}  a dialogue ended (its trace without the turns)

A killed process loses at most what it had not yet written: the turn in flight. A last line that is cut short is
dropped. A dialogue that began and did not end counts for nothing; when it ended twice (``--retry-failed``) the later
one counts, and the earlier one until then.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.schemas.redaction import SECRETS_IN_USE


class Ended(NamedTuple):
    """Where the lines of a dialogue that ended lie in the journal, in bytes from its start."""

    status: str
    dialog: int
    turns: tuple[int, ...]


class Journal:
    """Appends to a journal. Use as a context manager, in one event loop.

    A line is written at once, so that it survives the process; it is flushed to disk, so that it survives the machine,
    while the dialogue goes on, and before its next line is written. What ends a dialogue returns once all is on disk.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings: list[dict[str, Any]] = []
        self.ended: dict[int, Ended] = {}
        self._under_way: dict[int, list[int]] = {}
        self._size = 0
        self._jobs: queue.SimpleQueue[asyncio.Future[None] | None] = queue.SimpleQueue()
        self._flushing: dict[int, asyncio.Future[None]] = {}
        self._failure: OSError | None = None
        self._thread: threading.Thread | None = None
        self._file: IO[bytes] | None = None
        self._read()

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab", buffering=0)
        except OSError as error:
            message = f"{self.path}: expected a file that can be written, found: {error.strerror or error}"
            raise UsageError(message) from error
        self._file.truncate(self._size)
        self._thread = threading.Thread(target=self._flush, args=(self._file.fileno(),), name="journal", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs.put(None)
        if self._thread is not None:
            self._thread.join()
        if self._file is not None:
            self._file.close()

    async def begin(self, settings: Mapping[str, Any]) -> None:
        """A process takes the run up."""
        self.settings.append(dict(settings))
        await self._append({"kind": "settings", **settings})

    async def started(self, index: int) -> None:
        """A dialogue begins; what an earlier process saw of it and did not end is void."""
        self._flushing[index] = self._append({"kind": "started", "index": index})

    async def turn(self, index: int, turn: Mapping[str, Any]) -> None:
        """A turn ended."""
        await self._flushing[index]
        self._flushing[index] = self._append({"kind": "turn", "index": index, "turn": turn})

    async def finished(self, index: int, dialog: Mapping[str, Any], turns: int) -> None:
        """A dialogue ended; ``dialog`` is its trace without turns, of which there are ``turns``."""
        await self._flushing.pop(index)
        await self._append({"kind": "ended", "index": index, "dialog": dialog, "turns": turns})

    def dialogs(self) -> Iterator[dict[str, Any]]:
        """The traces of all dialogues that ended, in the order of the dataset."""
        with self.path.open("rb") as file:
            for index in sorted(self.ended):
                position = self.ended[index]
                dialog = _line_at(file, position.dialog)["dialog"]
                dialog["turns"] = [_line_at(file, offset)["turn"] for offset in position.turns]
                yield dialog

    def _append(self, record: Mapping[str, Any]) -> asyncio.Future[None]:
        """Write a line; the future is done once it is on disk. Raises: OSError, also for an earlier line."""
        if self._failure is not None:  # after a failed write nothing may follow the piece of a line that it left
            raise self._failure
        line = SECRETS_IN_USE.raw(msgspec.json.encode(record)) + b"\n"
        try:
            if self._file is not None:
                _write_all(self._file, line)
        except OSError as error:
            self._failure = error
            raise
        self._note(record, self._size)
        self._size += len(line)
        flushed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put(flushed)
        return flushed

    def _flush(self, handle: int) -> None:
        """Flush whatever was written since the last time: dialogues that end turns together share one flush."""
        last = False
        while not last:
            batch = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    batch.append(self._jobs.get_nowait())
            last = None in batch
            try:
                os.fsync(handle)
            except OSError as error:
                self._failure = self._failure or error
            for flushed in batch:
                if flushed is not None:
                    with contextlib.suppress(RuntimeError):  # the loop ended: nobody waits any more
                        flushed.get_loop().call_soon_threadsafe(_settle, flushed, self._failure)

    def _read(self) -> None:
        """Learn what is there. Raises: DataError for a line that is no record, other than a last one cut short."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            message = f"{self.path}: cannot be read: {error.strerror or error}"
            raise DataError(message) from error
        with file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    self._note(msgspec.json.decode(line), self._size, from_disk=True)
                except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, RecursionError) as error:
                    message = (
                        f"{self.path}:{number}: expected a line of a journal, found: {error}; start anew in another "
                        "folder, or cut the file before this line to keep what is above"
                    )
                    raise DataError(message) from error
                self._size += len(line)

    def _note(self, record: Mapping[str, Any], offset: int, *, from_disk: bool = False) -> None:
        kind = record["kind"]
        if kind == "settings":
            if from_disk:
                self.settings.append({name: value for name, value in record.items() if name != "kind"})
            return
        index = record["index"]
        if kind == "started":
            self._under_way[index] = []
        elif kind == "turn":
            self._under_way[index].append(offset)
        elif kind == "ended":
            turns = tuple(self._under_way.pop(index))
            if len(turns) != record["turns"]:
                message = f"{record['turns']} turns of dialogue {index} were announced, {len(turns)} are there"
                raise TypeError(message)
            self.ended[index] = Ended(record["dialog"]["dialog_status"], offset, turns)
        else:
            message = f"kind {kind!r}"
            raise KeyError(message)


def _settle(flushed: asyncio.Future[None], failure: OSError | None) -> None:
    if flushed.done():
        return
    if failure is None:
        flushed.set_result(None)
    else:
        flushed.set_exception(failure)
        flushed.exception()  # read, since a dialogue that was stopped no longer waits for it


def _write_all(file: IO[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _line_at(file: IO[bytes], offset: int) -> dict[str, Any]:
    file.seek(offset)
    record: dict[str, Any] = msgspec.json.decode(file.readline())
    return record
