"""Records of JSON files: one a line, the entries of one array, or one object, over however many lines."""

from __future__ import annotations

import itertools
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


def record_lines(path: Path, is_record: Callable[[Any], bool] = lambda _: False) -> Iterator[Line | Problem]:
    """The records of a file, in order; entries of an array are numbered from 1.

    ``is_record`` tells arrays that are records themselves (the messages of a dialogue).

    Raises: DataError as `read_lines`.
    """
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        return
    if isinstance(first, Line) and first.raw[:1] == b"[" and not is_record(_value(first.raw)):
        yield from _entries(first, lines, is_record)
    elif isinstance(first, Line) and first.raw[:1] == b"{" and first.raw.endswith(_GOES_ON):
        yield from _object(first, lines)
    else:
        yield first
        yield from lines


def first_record(path: Path, is_record: Callable[[Any], bool] = lambda _: False) -> Any:
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
    parts = [first.raw]
    for line in lines:
        if isinstance(line, Problem):
            yield line
            return
        parts.append(line.raw)
    whole = b"\n".join(parts)
    try:
        entries = msgspec.json.decode(whole, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        yield Problem(
            file=first.file,
            expected=f"one JSON array, since the file begins with [ ({error})",
            found=f"{len(parts)} lines",
            advice="write one JSON object a line, or a whole array",
        )
        return
    if is_record(_value(whole)):
        yield Line(first.file, 1, whole, len(parts))
        return
    for number, entry in enumerate(entries, 1):
        yield Line(first.file, number, bytes(entry))


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
