"""One writer for a run folder at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from turnmark.errors import UsageError

LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder, which is made if need be.

    The lock is the operating system's, on the file ``.lock``: it is free again as soon as the process that held it is
    dead, however it died, and the file may stay. Raises: UsageError when another process holds it, or the folder cannot
    be written.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only runs that write need it

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)
        lock.acquire(timeout=0)
    except Timeout as error:
        message = f"--out {folder}: another run is at work on this folder; wait for it, or write to another folder"
        raise UsageError(message) from error
    except OSError as error:
        message = f"--out {folder}: expected a folder that can be written, found: {error.strerror or error}"
        raise UsageError(message) from error
    try:
        yield
    finally:
        lock.release()
