"""Folders in which files appear whole: local ones, and any that fsspec knows (``s3://``, ``gs://``, ``hdfs://`` …)."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Any

from turnmark.errors import DataError, MissingExtraError, UsageError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Location:
    """A folder by its path or URL. A file that is there was written whole. It can be pickled."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")

    def __repr__(self) -> str:
        return self.name

    def read(self, file: str) -> bytes | None:
        """The bytes of a file; None where there is none. Raises: DataError when it cannot be read."""
        try:
            if self._is_url:
                store, root = self._store()
                found: bytes = store.cat_file(f"{root}/{file}")
                return found
            return (Path(self.name) / file).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            message = f"{self.name}/{file}: cannot be read: {error}"
            raise DataError(message) from error

    def write(self, file: str, content: bytes) -> None:
        """Write a file that appears whole or not at all. Raises: DataError when it cannot be written."""
        try:
            if self._is_url:
                self._put(file, content)
                return
            target = Path(self.name) / file
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")
            with partial.open("wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            partial.replace(target)
        except OSError as error:
            message = f"{self.name}/{file}: cannot be written: {error}"
            raise DataError(message) from error

    @property
    def _is_url(self) -> bool:
        return _SCHEME.match(self.name) is not None

    def _put(self, file: str, content: bytes) -> None:
        """Write elsewhere in the folder, then move: a move is whole on file systems, a put on stores of objects."""
        store, root = self._store()
        store.makedirs(root, exist_ok=True)
        partial = f"{root}/.{file}.{secrets.token_hex(8)}.partial"
        store.pipe_file(partial, content)
        store.mv(partial, f"{root}/{file}")

    def _store(self) -> tuple[Any, str]:
        try:
            import fsspec  # noqa: PLC0415 - an extra
        except ImportError as error:
            message = f"{self.name}: folders elsewhere are reached by fsspec: pip install 'turnmark[remote]'"
            raise MissingExtraError(message) from error
        try:
            store, root = fsspec.core.url_to_fs(self.name)
        except (ImportError, ValueError) as error:  # a scheme whose package is missing, or that is not known
            message = f"{self.name}: expected a folder that fsspec can reach: {error}"
            raise UsageError(message) from error
        return store, str(root)
