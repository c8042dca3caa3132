"""Records of JSON files: one a line, the entries of one array, or one object, over however many lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.schemas.jsonl import Line, Reader, read_lines
from turnmark.schemas.problems import Problem

_LINES_LOOKED_AT = 20
_GOES_ON = (b"{", b"[", b",")
"""How a first line ends whose object goes on in the next one."""
_OPENS, _CLOSES = (b"{", b"["), (b"}", b"]")
_PAIRS = dict(zip(_OPENS, _CLOSES, strict=True))
_MARK = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{},]')
"""A text as a whole, which never goes over the end of a line, or a mark of the layout."""


def _never(_: Any) -> bool:
    """No array is a record itself."""
    return False


def record_lines(path: Path, is_record: Callable[[Any], bool] = _never) -> Iterator[Line | Problem]:
    """The records of a file, in order; entries of an array are numbered from 1.

    ``is_record`` tells arrays that are records themselves (the messages of a dialogue).

    Raises: DataError as `read_lines`.
    """
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        return
    if isinstance(first, Line) and first.raw[:1] == b"[":
        yield from _entries(first, lines, is_record)
    elif isinstance(first, Line) and first.raw[:1] == b"{" and first.raw.endswith(_GOES_ON):
        yield from _object(first, lines)
    else:
        yield first
        yield from lines


def first_record(path: Path, is_record: Callable[[Any], bool] = _never) -> Any:
    """The first record of a file that can be read, which tells what kind of file it is; None where none can.

    Raises: DataError as `read_lines`.
    """
    reader = Reader(Any)
    for line in itertools.islice(record_lines(path, is_record), _LINES_LOOKED_AT):
        decoded = None if isinstance(line, Problem) else reader.decode(line)
        if decoded is not None and not isinstance(decoded, list):
            return decoded.value
    return None


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _entries(
    first: Line, lines: Iterator[Line | Problem], is_record: Callable[[Any], bool]
) -> Iterator[Line | Problem]:
    """The entries of an array, or the array where it is a record itself (which no file larger than memory is)."""
    held: list[Line | Problem] = [first]
    if is_record is not _never:
        held += lines
        whole = b"\n".join(line.raw for line in held if isinstance(line, Line))
        if is_record(_value(whole)):
            yield Line(first.file, 1, whole, len(held))
            return
    yield from _streamed(itertools.chain(held, lines))


def _streamed(lines: Iterator[Line | Problem]) -> Iterator[Line | Problem]:
    """The entries as their ends are read. What is held is one entry and one line.

    Entries that are no JSON are given as they are, and the reader of records names them. Where brackets do not match,
    or the array does not end, that is named once with its line; the entries before were given.
    """
    array, last = _Array(), None
    for line in lines:
        if isinstance(line, Problem):
            yield line
            return
        yield from array.entries(line)
        last = line
        if array.fault:
            yield _broken(line, array.number, array.fault)
            return
        if array.ended:
            if array.rest or next(lines, None):
                yield _broken(line, array.number, "more after its end")
            return
    if last is not None:
        yield _broken(last, array.number, "the end of the file within it")


class _Array:
    """An array that is read line by line. ``number`` entries were given; ``rest`` stands behind its end."""

    def __init__(self) -> None:
        self.number, self.fault, self.ended, self.rest = 0, "", False, b""
        self._entry, self._opened = bytearray(), b""

    def entries(self, line: Line) -> Iterator[Line]:
        """The entries that end in a line, until the array does or a bracket closes what is not open."""
        begin = 0
        for found in _MARK.finditer(line.raw):
            mark = found[0]
            if mark in _OPENS:
                self._opened += mark
                begin = found.end() if len(self._opened) == 1 else begin
            elif mark == b"," and len(self._opened) == 1:
                yield self._given(line, line.raw[begin : found.start()])
                begin = found.end()
            elif mark in _CLOSES and not self._closed(mark):
                self.fault = f"{mark.decode()} that closes nothing opened"
                return
            if not self._opened:
                self.ended, self.rest = True, line.raw[found.end() :].strip()
                tail = line.raw[begin : found.start()]
                if self.number or self._entry.strip() or tail.strip():
                    yield self._given(line, tail)
                return
        self._entry += line.raw[begin:] + b"\n"

    def _closed(self, mark: bytes) -> bool:
        fits = _PAIRS[self._opened[-1:]] == mark
        self._opened = self._opened[:-1] if fits else self._opened
        return fits

    def _given(self, line: Line, tail: bytes) -> Line:
        self.number += 1
        raw = bytes(self._entry + tail).strip()
        self._entry.clear()
        return Line(line.file, self.number, raw)


def _broken(line: Line, number: int, found: str) -> Problem:
    return Problem(
        file=line.file,
        line=line.number,
        expected="one JSON array, since the file begins with [",
        found=f"{found}, behind {number} whole entries",
        advice="write one JSON object a line, or a whole array; the entries before were read",
    )


def _object(first: Line, lines: Iterator[Line | Problem]) -> Iterator[Line | Problem]:
    """Objects over many lines, one after the other; what is none together is given line by line.

    An object ends at the line that closes as much as was opened. Where what stands up to there is none, nothing but the
    rest of the file as a whole is tried, so that a damaged file takes no longer.
    """
    held: list[Line] = []
    depth, hopeless = 0, False
    for line in itertools.chain([first], lines):
        if isinstance(line, Problem):
            yield from held
            held, hopeless = [], True
            yield line
            continue
        held.append(line)
        depth += line.raw.endswith(_OPENS) - line.raw.startswith(_CLOSES)
        if depth <= 0 and not hopeless:
            whole = _joined(held)
            hopeless = whole is None
            if whole is not None:
                yield whole
                held, depth = [], 0
    whole = _joined(held) if held else None
    yield from held if whole is None else (whole,)


def _joined(lines: Sequence[Line]) -> Line | None:
    """The object that lines are together; None when they are none."""
    raw = b"\n".join(line.raw for line in lines)
    return Line(lines[0].file, lines[0].number, raw, len(lines)) if isinstance(_value(raw), dict) else None
