"""Artifacts of a run folder, written so that a killed run never leaves a folder that reads as whole.

Every artifact is written under a temporary name, flushed to disk and renamed. The manifest of an earlier run is taken
away before the first rename and the new one is renamed last; it holds size and SHA-256 of the others. So a folder with
a manifest is finished, and `turnmark check` finds any file that does not belong to it. Where a trace is scored in
place, the old manifest alone records model and settings of the recording: it stays until the new one takes its place.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Container, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from turnmark.errors import DataError
from turnmark.runs.lock import locked, turn_of
from turnmark.schemas.redaction import SECRETS_IN_USE
from turnmark.schemas.results.manifest import Artifact, RunManifest
from turnmark.schemas.results.summary import EvalSummary

MANIFEST = "run_manifest.json"
TRACE = "dialog_trace.jsonl"
EVIDENCE = "evidence.jsonl"
TURN_EVAL = "turn_eval.jsonl"
SUMMARY = "metrics_summary.json"
PROBLEMS = "problems.jsonl"
REPORT_MARKDOWN = "report.md"
REPORT_HTML = "report.html"
REPORT_PAGES = "report"
OVERRIDES = "overrides.jsonl"
"""Written by people, so it is neither an artifact of the run nor ever removed."""

MOST_COUNTED = (1 << 53) - 1
"""The greatest count that every reader of JSON, and the index over runs, holds exactly."""

_TEMPORARY = ".partial"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_APPEND = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 20


class ArtifactWriter:
    """One artifact on its way to disk; `commit` makes it visible.

    Its temporary name cannot be foretold and must be new, so that nothing planted under it is written through.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_TEMPORARY}")
        self._file: IO[bytes] = os.fdopen(os.open(self._temporary, _NEW, 0o666), "wb")
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, data: bytes) -> None:
        """Append bytes, without the secrets in use."""
        data = SECRETS_IN_USE.raw(data)
        self._hash.update(data)
        self._size += len(data)
        self._file.write(data)

    def digest(self) -> str:
        """SHA-256 of what was written so far, in hex."""
        return self._hash.hexdigest()

    def close(self) -> Artifact:
        """Flush to disk, still under the temporary name; returns size and digest."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return Artifact(bytes=self._size, sha256=self._hash.hexdigest())

    def commit(self) -> None:
        """Rename to the real name; on every system the old file is replaced in one step."""
        self._temporary.replace(self.path)

    def discard(self) -> None:
        """Forget what was written."""
        self._file.close()
        self._temporary.unlink(missing_ok=True)


class RunWriter:
    """Writes the artifacts of one run. All appear together at the end, or none.

    Entering takes the lock of the folder. Raises (then): UsageError when the folder cannot be made, or another process
    writes to it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writers: dict[str, ArtifactWriter] = {}
        self._lock = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self._lock.enter_context(locked(self.folder))
        for left in self.folder.glob(f".*{_TEMPORARY}"):  # by a process that was killed: this one holds the lock
            left.unlink(missing_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for writer in self._writers.values():
            writer.discard()
        self._lock.close()

    def open(self, name: str) -> ArtifactWriter:
        """Start an artifact."""
        writer = self._writers[name] = ArtifactWriter(self.folder / name)
        return writer

    def finish(self, manifest: RunManifest | dict[str, object], *, kept: tuple[str, ...] = ()) -> None:
        """Make all artifacts visible, the manifest last.

        ``kept`` names artifacts that were in the folder already and stay as they are (a trace scored in place).
        Artifacts of an earlier run that this one did not write are removed.
        """
        artifacts = {name: writer.close() for name, writer in sorted(self._writers.items())}
        artifacts |= {name: artifact_of(self.folder / name) for name in kept}
        data = msgspec.to_builtins(manifest)
        data["artifacts"] = {name: msgspec.to_builtins(artifacts[name]) for name in sorted(artifacts)}
        last = ArtifactWriter(self.folder / MANIFEST)
        last.write(pretty_json(data))
        last.close()
        self._writers[MANIFEST] = last
        if not kept:
            (self.folder / MANIFEST).unlink(missing_ok=True)
        for name in (EVIDENCE, TURN_EVAL, SUMMARY, PROBLEMS, REPORT_MARKDOWN, REPORT_HTML):
            if name not in artifacts:
                (self.folder / name).unlink(missing_ok=True)
        clear_pages(self.folder)
        for writer in self._writers.values():
            writer.commit()
        self._writers.clear()
        _sync_folder(self.folder)


def _sync_folder(folder: Path) -> None:
    """Make the renames durable; Windows has no such call and needs none."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """Write a small file in one step: temporary name, flush to disk, rename."""
    writer = ArtifactWriter(path)
    try:
        writer.write(data)
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise


def append_line(path: Path, line: bytes) -> None:
    """Append one line to a file; it is on disk, whole, when this returns. Writers of several processes take turns.

    A last line that a crash cut short is left as it is, and the new one starts behind it. Raises: OSError when the line
    cannot be written, and then nothing of it stays; DataError when another process holds the file for too long.
    """
    with turn_of(path), os.fdopen(os.open(path, _APPEND, 0o666), "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
        before = b"\n" if size and file.read(1) != b"\n" else b""
        rest = memoryview(before + SECRETS_IN_USE.raw(line) + b"\n")
        try:
            file.seek(size)
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(size)
            raise


def clear_pages(folder: Path, keep: Container[str] = ()) -> None:
    """Remove the linked pages of an earlier report, but for those named; files of others in there stay."""
    pages = folder / REPORT_PAGES
    for pattern in ("dialog-*.html", "index.html", f".*{_TEMPORARY}"):
        for path in pages.glob(pattern):
            if path.name not in keep:
                path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # there is none, or it holds something else
        pages.rmdir()


def pretty_json(value: object) -> bytes:
    """JSON for people: indented by two, keys in the order given, a line end at the end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def artifact_of(path: Path) -> Artifact:
    """Size and digest of a file as it lies on disk."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return Artifact(bytes=size, sha256=digest.hexdigest())


def copy_into(source: Path, writer: ArtifactWriter) -> None:
    """Copy a file into an artifact."""
    with source.open("rb") as file:
        while chunk := file.read(_CHUNK):
            writer.write(chunk)


def read_manifest(folder: Path) -> dict[str, object] | None:
    """The manifest in a folder as it stands, unknown fields included; None when there is none.

    Raises: DataError when it is there but is not a JSON object.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        result = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"{path}: expected a JSON object, found: {error}"
        raise DataError(message) from error
    if not isinstance(result, dict):
        message = f"{path}: expected a JSON object, found {type(result).__name__}"
        raise DataError(message)
    return result


def read_summary(folder: Path) -> EvalSummary:
    """The summary in a run folder.

    Raises: DataError when it is missing or wrong, with what to do.
    """
    path = folder / SUMMARY
    if not path.is_file():  # a pipe would be waited for
        message = f"{path}: expected the summary of a scored run, found none; run `turnmark score` first"
        raise DataError(message)
    try:
        summary = msgspec.json.decode(path.read_bytes(), type=EvalSummary)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"{path}: expected a summary v1, found: {error}; score the run again"
        raise DataError(message) from error
    counters = [summary.counters, summary.turn_status, summary.reply_states]
    counters += [metric.counts for metric in summary.metrics.values()]
    for counter in counters:
        for name, count in counter.items():
            if not 0 <= count <= MOST_COUNTED:
                message = (
                    f"{path}: expected counters of 0 to {MOST_COUNTED}, found another in {name}; score the run again"
                )
                raise DataError(message)
    return summary


def free_space(folder: Path) -> int:
    """Bytes that can still be written where a folder lies."""
    return shutil.disk_usage(folder).free


def artifacts(folder: Path) -> Iterator[Path]:
    """The artifacts that lie in a run folder, in a fixed order, and the overrides of its reviewers."""
    for name in (MANIFEST, TRACE, EVIDENCE, TURN_EVAL, SUMMARY, PROBLEMS, OVERRIDES):
        if (folder / name).is_file():
            yield folder / name
