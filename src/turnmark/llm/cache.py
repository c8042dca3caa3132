"""Answers that were paid for once, kept in one SQLite file."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from turnmark.errors import DataError
from turnmark.llm.protocol import Completion
from turnmark.schemas.redaction import SECRETS_IN_USE

_CREATE = "CREATE TABLE IF NOT EXISTS answers_v1 (key TEXT PRIMARY KEY, answer BLOB NOT NULL) WITHOUT ROWID"
_GET = "SELECT answer FROM answers_v1 WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answers_v1 (key, answer) VALUES (?, ?)"

_BUSY_SECONDS = 30.0


def cache_key(identity: Mapping[str, Any]) -> str:
    """A hash of everything that shapes an answer; the order of keys does not matter."""
    return hashlib.sha256(msgspec.json.encode(identity, order="deterministic")).hexdigest()


class AnswerCache:
    """Completions by key. Only answers that could be read are put here, so that a bad one is asked again.

    A killed process loses nothing that `put` returned from; several processes may share the file. Keys hold no texts
    and no secrets; answers are stored as they came, secrets in use taken out.

    Raises: DataError when the file is no cache.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            # Write-ahead: a commit needs no disk flush to survive the end of the process, and readers never wait.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(_CREATE)
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error
        self._decoder = msgspec.json.Decoder(Completion)
        self._encoder = msgspec.json.Encoder()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM answers_v1").fetchone()[0])

    def get(self, key: str) -> Completion | None:
        """The answer kept under a key; None when there is none or it cannot be read any more."""
        try:
            row = self._database.execute(_GET, (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        if row is None:
            return None
        try:
            return self._decoder.decode(row[0])
        except (msgspec.DecodeError, RecursionError):
            return None

    def put(self, key: str, answer: Completion) -> None:
        """Keep an answer."""
        try:
            self._database.execute(_PUT, (key, SECRETS_IN_USE.raw(self._encoder.encode(answer))))
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _unusable(self, error: Exception) -> DataError:
        return DataError(f"{self._path}: cannot be used as a cache of answers: {error}; delete it or name another file")
