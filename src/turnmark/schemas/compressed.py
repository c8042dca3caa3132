"""Plain, gzip and zstd files as lines, in bounded memory, however large an archive grows or a line is."""

from __future__ import annotations

import contextlib
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from turnmark.errors import DataError, UsageError

_STEP = 1 << 18
"""Bytes that are read, or come out of a gzip stream, at a time."""
_ZSTD_STEP = 1 << 10
"""Bytes that go into a zstd stream at a time: of 4 bytes come 128 KB at most, so no more than 32 MB at once."""
_MOST_WINDOW = 1 << 27
_FREE = 64 << 20
"""Bytes that any archive may grow to, whatever its own size."""

LONGEST_LINE = "TURNMARK_MAX_LINE_BYTES"
MOST_EXPANSION = "TURNMARK_MAX_EXPANSION"
_LIMITS = {LONGEST_LINE: 64 << 20, MOST_EXPANSION: 200}


class Passed(NamedTuple):
    """Lines that are not given: blank ones, or with ``too_long`` one that is longer than the limit."""

    lines: int
    too_long: bool = False


class StreamError(Exception):
    """A compressed stream that cannot be read to its end; what came before was read. ``expected`` and ``found``."""

    def __init__(self, expected: str, found: str, advice: str = "") -> None:
        super().__init__(found)
        self.expected = expected
        self.found = found
        self.advice = advice


def limit(name: str) -> int:
    """A limit, as the environment sets it or as it is. Raises: UsageError when the variable holds no number above 0."""
    given = os.environ.get(name, "").strip()
    if not given:
        return _LIMITS[name]
    if not (given.isascii() and given.isdigit() and len(given) < 16 and int(given) > 0):
        message = f"{name}: expected a whole number above 0, found {given[:40]!r}"
        raise UsageError(message)
    return int(given)


def file_lines(path: Path) -> Iterator[bytes | Passed]:
    """Lines without their line ends, in order; the kind of file is told by its first bytes.

    Raises: OSError; DataError for UTF-16; StreamError after the last whole line of an archive that ends early, is
    damaged, or grows beyond its limit.
    """
    with path.open("rb", buffering=_STEP) as opened:
        file = cast("io.BufferedReader", opened)
        head = file.peek(4)[:4]
        if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            message = f"{path}: expected UTF-8, found UTF-16; convert it, e.g. with iconv -f UTF-16 -t UTF-8"
            raise DataError(message)
        if head[:2] == b"\x1f\x8b":
            chunks = _bounded(file, _Gzip())
        elif head == b"\x28\xb5\x2f\xfd":
            chunks = _bounded(file, _Zstd())
        else:
            chunks = iter(lambda: file.read(_STEP), b"")
        yield from _split(chunks, limit(LONGEST_LINE))


def _split(chunks: Iterator[bytes], longest: int) -> Iterator[bytes | Passed]:
    rest: list[bytes] = []
    held = 0
    for chunk in chunks:
        for start in range(0, len(chunk), _STEP):
            piece = chunk[start : start + _STEP]
            if not held and not piece.strip():
                yield Passed(piece.count(b"\n"))
                continue
            *complete, last = piece.split(b"\n")
            for raw in complete:
                if held + len(raw) > longest:
                    yield Passed(1, too_long=True)
                else:
                    yield b"".join((*rest, raw)) if rest else raw
                rest.clear()
                held = 0
            held += len(last)
            if held > longest:
                rest.clear()  # the rest of the line is only counted
            elif last:
                rest.append(last)
    if held > longest:
        yield Passed(1, too_long=True)
    elif rest:
        yield b"".join(rest)


class _Gzip:
    """Members of a gzip file, one after the other."""

    kind = "gzip"
    piece = _STEP

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)
        self.open = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What comes out of more data, step by step. Raises: StreamError for damage, after what is before it."""
        full = False
        while data or full:
            self.open = True
            spare = self._stream.copy()
            try:
                out = self._stream.decompress(data, _STEP)
            except zlib.error as error:
                yield from _before_damage(spare, data)
                raise _cut_short(self.kind, "damage") from error
            if out:
                yield out
            full = len(out) == _STEP and not self._stream.eof
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                # Zeros after a member are padding, as of tapes; every gzip tool passes over them.
                data = self._stream.unused_data.lstrip(b"\0")
                self._stream = zlib.decompressobj(wbits=31)
                self.open = False


class _Zstd:
    """Frames of a zstd file, one after the other."""

    kind = "zstd"
    piece = _ZSTD_STEP

    def __init__(self) -> None:
        import zstandard  # noqa: PLC0415 - only for such files

        self._error = zstandard.ZstdError
        self._frames = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW)
        self._stream = self._frames.decompressobj()
        self.open = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What comes out of more data. Raises: StreamError for damage."""
        while data:
            self.open = True
            try:
                out = self._stream.decompress(data)
            except self._error as error:
                raise _cut_short(self.kind, "damage") from error
            if out:
                yield out
            if not self._stream.eof:
                return
            data = self._stream.unused_data
            self._stream = self._frames.decompressobj()
            self.open = False


def _bounded(file: IO[bytes], stream: _Gzip | _Zstd) -> Iterator[bytes]:
    """What an archive holds. Raises: StreamError when it ends early, is damaged, or grows beyond its limit."""
    most = limit(MOST_EXPANSION)
    taken = given = 0
    while block := file.read(stream.piece):
        taken += len(block)
        for out in stream.feed(block):
            given += len(out)
            if given > max(_FREE, most * taken):
                raise StreamError(
                    f"a {stream.kind} archive that grows to {most} times its size at most",
                    f"{given >> 20} MB out of {taken} bytes so far",
                    f"what comes after is not read; for data that is so alike set {MOST_EXPANSION}",
                )
            yield out
    if stream.open:
        raise _cut_short(stream.kind, "its end missing")


def _cut_short(kind: str, found: str) -> StreamError:
    return StreamError(f"a complete {kind} stream", found)


def _before_damage(stream: Any, data: bytes) -> Iterator[bytes]:
    """What a gzip stream holds before its damage, byte by byte, since an error takes all of a block with it."""
    with contextlib.suppress(zlib.error):
        for index in range(len(data)):
            yield stream.decompress(data[index : index + 1])
