"""One writer at a time for a run folder, or for a file."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from turnmark.errors import DataError, UsageError

LOCK = ".lock"
LONGEST_WAIT = 20.0

_guard = threading.Lock()
_holders: dict[Path, tuple[int, int]] = {}
"""Of every lock that this process holds: the thread that has it, and how often it entered."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder, which is made if need be.

    The lock is the operating system's, on the file ``.lock``: it is free again as soon as the process that held it is
    dead, however it died, and the file may stay. Where nothing was written to a folder, it goes again, with a folder
    that was made for it. A thread that holds it may enter again (a run scores what it has replayed). Raises: UsageError
    when another process or thread holds it, or the folder cannot be written.
    """
    with _held(folder, folder / LOCK, "this folder", "folder"):
        yield


@contextlib.contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold the lock of a file that is about to be written; see `locked`."""
    with _held(path.parent, path.with_name(f".{path.name}{LOCK}"), "this file", "file"):
        yield


@contextlib.contextmanager
def turn_of(path: Path) -> Iterator[None]:
    """Wait for the lock of a file that several processes append to, `LONGEST_WAIT` seconds at most.

    Raises: DataError when it is not to be had by then.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only what writes needs it

    lock = FileLock(path.with_name(f".{path.name}{LOCK}"), timeout=LONGEST_WAIT)
    try:
        lock.acquire()
    except Timeout as error:
        message = f"{path}: another process has held this file for {LONGEST_WAIT:g} seconds; end it and try again"
        raise DataError(message) from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _held(folder: Path, file: Path, what: str, other: str) -> Iterator[None]:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only what writes needs it

    target = folder if what == "this folder" else file.with_name(file.name.removesuffix(LOCK).removeprefix("."))
    taken = f"--out {target}: another run is at work on {what}; wait for it, or write to another {other}"
    try:
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        key = Path(os.path.realpath(file))
        if _enter(key, taken):
            lock = FileLock(file)
            try:
                lock.acquire(timeout=0)
            except BaseException:
                _leave(key)
                raise
        else:
            lock = None
    except Timeout as error:
        raise UsageError(taken) from error
    except OSError as error:
        message = f"--out {folder}: expected a folder that can be written, found: {error.strerror or error}"
        raise UsageError(message) from error
    try:
        yield
    finally:
        if lock is not None:
            if what == "this folder":
                _leave_nothing(folder, file, made=made)
            lock.release()
        _leave(key)


def _leave_nothing(folder: Path, file: Path, *, made: bool) -> None:
    """Remove the lock of a folder that nothing was written to, and the folder where it was ``made`` for it."""
    with contextlib.suppress(OSError):
        if [path.name for path in folder.iterdir()] == [file.name]:
            file.unlink()
            if made:
                folder.rmdir()


def _enter(key: Path, taken: str) -> bool:
    """Whether the lock is yet to be had. Raises: UsageError when another thread of this process holds it."""
    own = threading.get_ident()
    with _guard:
        holder, times = _holders.get(key, (own, 0))
        if holder != own:
            raise UsageError(taken)
        _holders[key] = (own, times + 1)
        return times == 0


def _leave(key: Path) -> None:
    with _guard:
        own, times = _holders.pop(key)
        if times > 1:
            _holders[key] = (own, times - 1)
