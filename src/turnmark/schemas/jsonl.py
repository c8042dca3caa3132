"""Streaming JSON Lines: plain, gzip or zstd in; every good line comes out, every bad one becomes a `Problem`."""

from __future__ import annotations

import contextlib
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec

from turnmark.errors import DataError
from turnmark.schemas.json_schema import faults
from turnmark.schemas.problems import Problem, readable, shown

T = TypeVar("T")

_CHUNK = 1 << 20
_PIECE = 1 << 14
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class Line(NamedTuple):
    """One line with content, without its line end. ``number`` is 1-based.

    ``lines`` is more than 1 where several lines of the file were joined into this one.
    """

    file: str
    number: int
    raw: bytes
    lines: int = 1


class Decoded(NamedTuple, Generic[T]):
    """A line and what it holds; ``warning`` says what had to be repaired, if anything."""

    line: Line
    value: T
    warning: Problem | None = None


_Gzip = type(zlib.decompressobj())


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def read_lines(path: Path) -> Iterator[Line | Problem]:
    """The lines of a file that hold anything; a file that ends early yields one `Problem` at its end.

    ``.gz`` and ``.zst`` files are told by their first bytes, not by name. A UTF-8 byte order mark and CR before LF are
    dropped. Memory stays at one line and one chunk.

    Raises: DataError when the file cannot be opened or is UTF-16.
    """
    name = readable(path)
    number = 0
    try:
        for raw in _raw_lines(path):
            number += 1
            content = raw.strip()
            if content:
                yield Line(name, number, content)
    except _CutShortError as error:
        yield Problem(
            file=name,
            line=number + 1,
            expected=f"a complete {error.kind} stream",
            found=error.found,
            advice=f"copy the file again; the {number} lines before it were read",
        )


class _CutShortError(Exception):
    """A compressed stream that ends before its end mark, or is damaged on the way."""

    def __init__(self, kind: str, found: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.found = found


def _raw_lines(path: Path) -> Iterator[bytes]:
    """Lines with their line ends, the byte order mark dropped.

    Raises: DataError as `read_lines`; _CutShortError after the last whole line of a stream that ends early.
    """
    try:
        with path.open("rb", buffering=_CHUNK) as opened:
            file = cast("io.BufferedReader", opened)
            head = file.peek(4)[:4]
            if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
                message = f"{path}: expected UTF-8, found UTF-16; convert it, e.g. with iconv -f UTF-16 -t UTF-8"
                raise DataError(message)
            kind = "gzip" if head[:2] == b"\x1f\x8b" else "zstd" if head == b"\x28\xb5\x2f\xfd" else ""
            size = _CHUNK if kind == "gzip" else _PIECE
            lines = _split(_decompressed(iter(lambda: file.read(size), b""), kind)) if kind else iter(file)
            first = next(lines, b"")
            yield first.removeprefix(b"\xef\xbb\xbf")
            yield from lines
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []
    for chunk in chunks:
        *complete, last = chunk.split(b"\n")
        for raw in complete:
            yield b"".join((*rest, raw)) if rest else raw
            rest.clear()
        if last:
            rest.append(last)
    yield b"".join(rest)


def _new_decompressor(kind: str) -> _Decompressor:
    if kind == "gzip":
        return zlib.decompressobj(wbits=31)
    import zstandard  # noqa: PLC0415 - only for .zst files

    return zstandard.ZstdDecompressor().decompressobj()


def _decompressed(blocks: Iterator[bytes], kind: str) -> Iterator[bytes]:
    """Decompress member after member; what was decoded before a break is yielded before the break is reported."""
    stream = _new_decompressor(kind)
    started = False
    for block in blocks:
        data = block
        while data:
            started = True
            spare = stream.copy() if isinstance(stream, _Gzip) else None
            try:
                out = stream.decompress(data)
            except Exception as error:  # zlib.error and zstandard.ZstdError share no other base class
                yield from _before_damage(spare, data) if spare else ()
                raise _CutShortError(kind, "damage") from error
            if out:
                yield out
            if not stream.eof:
                break
            # Zeros after a gzip member are padding, as of tapes; every gzip tool passes over them.
            data = stream.unused_data.lstrip(b"\0") if kind == "gzip" else stream.unused_data
            stream = _new_decompressor(kind)
            started = False
    if started:
        raise _CutShortError(kind, "its end missing")


def _before_damage(stream: Any, data: bytes) -> Iterator[bytes]:
    """What a gzip stream holds before its damage, byte by byte, since an error takes all of a block with it."""
    with contextlib.suppress(zlib.error):
        for place in range(len(data)):
            yield stream.decompress(data[place : place + 1])


class Reader(Generic[T]):
    """Decodes lines into records of one type; a bad line becomes the list of its faults."""

    def __init__(self, record_type: type[T]) -> None:
        self.record_type = record_type
        self._decoder = msgspec.json.Decoder(record_type)

    def decode(self, line: Line) -> Decoded[T] | list[Problem]:
        """The record in a line, or what is wrong with it (at least one `Problem`, each with its JSON path).

        Fields that the record does not know are skipped, whatever they hold.
        """
        try:
            return Decoded(line, self._decoder.decode(line.raw))
        except UnicodeDecodeError:
            return [_not_utf8(line)]
        except RecursionError:
            return [_too_deep(line)]
        except msgspec.ValidationError as error:
            return self._explained(line, error)
        except msgspec.DecodeError as error:
            return self._repaired(line, error)

    def read(self, path: Path) -> Iterator[Decoded[T] | Problem]:
        """Every record and every problem of a file, in order."""
        for line in read_lines(path):
            if isinstance(line, Problem):
                yield line
                continue
            decoded = self.decode(line)
            if isinstance(decoded, list):
                yield from decoded
            else:
                yield decoded

    def _explained(self, line: Line, error: msgspec.ValidationError) -> list[Problem]:
        try:
            value = json.loads(line.raw.decode("utf-8"), parse_constant=_refuse_constant)
        except RecursionError:
            return [_too_deep(line)]
        except UnicodeDecodeError:
            return [_not_utf8(line)]
        except ValueError as reason:
            return [_malformed(line, reason)]
        return self._faults(line, value, error)

    def _faults(self, line: Line, value: Any, error: msgspec.ValidationError) -> list[Problem]:
        found = [
            Problem(file=line.file, line=line.number, field=fault.path, expected=fault.expected, found=fault.found)
            for fault in faults(value, self.record_type)
        ]
        return found or [Problem(file=line.file, line=line.number, expected=f"a valid record ({error})")]

    def _repaired(self, line: Line, error: msgspec.DecodeError) -> Decoded[T] | list[Problem]:
        """A lone surrogate (half an emoji, cut by some program) becomes U+FFFD, one for one; all else is an error."""
        if _SURROGATE_ESCAPE.search(line.raw):
            try:
                value = json.loads(line.raw, parse_constant=_refuse_constant)
                count = [0]
                clean = without_surrogates(value, count)
            except (ValueError, RecursionError):
                return [_malformed(line, error)]
            try:
                record = msgspec.convert(clean, self.record_type)
            except msgspec.ValidationError as reason:
                return self._faults(line, clean, reason)
            warning = Problem(
                file=line.file,
                line=line.number,
                expected="whole characters",
                found=f"{count[0]} lone surrogate(s)",
                advice="read as U+FFFD, offsets kept",
                severity="warning",
            )
            return Decoded(line, record, warning)
        return [_malformed(line, error)]


def decoded_with_halves(raw: bytes) -> Any:
    """A JSON value in which halves of characters (lone surrogates, escaped or raw) stay, for `without_surrogates`.

    Raises: msgspec.DecodeError or UnicodeDecodeError for what is no JSON all the same.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if not _SURROGATE.search(raw):
            raise
        try:
            return json.loads(raw, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise error from None


def joined(parts: Iterable[str]) -> str:
    """Pieces of one text; a character whose halves came in two pieces is whole again."""
    text = "".join(parts)
    if not _LONE_SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _refuse_constant(name: str) -> Any:
    message = f"{name} is not JSON"
    raise ValueError(message)


def without_surrogates(value: Any, count: list[int]) -> Any:
    """A JSON value with U+FFFD for every lone surrogate, one for one; ``count[0]`` grows by the number replaced."""
    if isinstance(value, str):
        clean, replaced = _LONE_SURROGATE.subn(_REPLACEMENT, value)
        count[0] += replaced
        return clean
    if isinstance(value, list):
        return [without_surrogates(item, count) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key, count): without_surrogates(item, count) for key, item in value.items()}
    return value


def _malformed(line: Line, error: Exception) -> Problem:
    text = str(error)
    advice = "the line is cut short or damaged; write one JSON object a line"
    if re.search(rb"(?<![\w\"])(NaN|-?Infinity)(?![\w\"])", line.raw[-(1 << 22) :]):
        advice = "NaN and Infinity are not JSON; write null where a number is missing"
    return Problem(file=line.file, line=line.number, expected=f"JSON ({text})", found=_tail(line.raw), advice=advice)


def _tail(raw: bytes) -> str:
    return f"{len(raw)} bytes ending in {shown(raw[-24:].decode('utf-8', 'replace')).removeprefix('string ')}"


def _too_deep(line: Line) -> Problem:
    return Problem(
        file=line.file, line=line.number, expected="nesting that can be read", found="thousands of nested brackets"
    )


def _not_utf8(line: Line) -> Problem:
    at = 0
    try:
        line.raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
    return Problem(
        file=line.file,
        line=line.number,
        expected="UTF-8 text",
        found=f"byte 0x{line.raw[at]:02x} at byte {at} of the line",
        advice="convert the file to UTF-8",
    )
