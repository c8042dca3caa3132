"""Streaming JSON Lines: plain, gzip or zstd in; every good line comes out, every bad one becomes a `Problem`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from turnmark.errors import DataError
from turnmark.schemas.compressed import LONGEST_LINE, Passed, StreamError, file_lines, limit
from turnmark.schemas.json_schema import faults
from turnmark.schemas.problems import Problem, readable, shown

T = TypeVar("T")

_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class Line(NamedTuple):
    """One line with content, without its line end. ``number`` is 1-based.

    ``lines`` is more than 1 where several lines of the file were joined into this one. ``record`` is what the line
    holds, where it was made of a record of another form in this process: it need not be decoded, and does not travel.
    """

    file: str
    number: int
    raw: bytes
    lines: int = 1
    record: Any = None


class Decoded(NamedTuple, Generic[T]):
    """A line and what it holds; ``warning`` says what had to be repaired, ``lost`` what of it could not be read."""

    line: Line
    value: T
    warning: Problem | None = None
    lost: tuple[Problem, ...] = ()


def read_lines(path: Path) -> Iterator[Line | Problem]:
    """The lines of a file that hold anything; a file that ends early yields one `Problem` at its end.

    ``.gz`` and ``.zst`` files are told by their first bytes, not by name. A UTF-8 byte order mark and CR before LF are
    dropped. Memory stays at one line and one chunk: a line longer than `compressed.LONGEST_LINE` and an archive that
    grows beyond `compressed.MOST_EXPANSION` are named (both may be set in the environment).

    Raises: DataError when the file cannot be opened or is UTF-16; UsageError for a limit that is no number.
    """
    name = readable(path)
    number = 0
    try:
        for raw in file_lines(path):
            if isinstance(raw, Passed):
                number += raw.lines
                if raw.too_long:
                    yield _too_long(name, number)
                continue
            number += 1
            content = (raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw).strip()
            if content:
                yield Line(name, number, content)
    except StreamError as error:
        yield Problem(
            file=name,
            line=number + 1,
            expected=error.expected,
            found=error.found,
            advice=error.advice or f"copy the file again; the {number} lines before it were read",
        )
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


def _too_long(name: str, number: int) -> Problem:
    return Problem(
        file=name,
        line=number,
        expected=f"a line of at most {limit(LONGEST_LINE)} bytes",
        found="a longer one",
        advice=f"write one JSON object a line; for larger ones set {LONGEST_LINE}",
    )


class Reader(Generic[T]):
    """Decodes lines into records of one type; a bad line becomes the list of its faults."""

    def __init__(self, record_type: type[T]) -> None:
        self.record_type = record_type
        self._decoder = msgspec.json.Decoder(record_type)

    def decode(self, line: Line) -> Decoded[T] | list[Problem]:
        """The record in a line, or what is wrong with it (at least one `Problem`, each with its JSON path).

        Fields that the record does not know are skipped, whatever they hold.
        """
        if type(line.record) is self.record_type:
            return Decoded(line, line.record)
        try:
            return Decoded(line, self._decoder.decode(line.raw))
        except UnicodeDecodeError:
            return [_not_utf8(line)]
        except RecursionError:
            return [too_deep(line)]
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
            return [too_deep(line)]
        except UnicodeDecodeError:
            return [_not_utf8(line)]
        except ValueError as reason:
            return [_malformed(line, reason)]
        return self._faults(line, value, error)

    def _faults(self, line: Line, value: Any, error: msgspec.ValidationError) -> list[Problem]:
        problems = [
            Problem(file=line.file, line=line.number, field=fault.path, expected=fault.expected, found=fault.found)
            for fault in faults(value, self.record_type)
        ]
        return problems or [Problem(file=line.file, line=line.number, expected=f"a valid record ({error})")]

    def _repaired(self, line: Line, error: msgspec.DecodeError) -> Decoded[T] | list[Problem]:
        """A lone surrogate (half an emoji, cut by some program) becomes U+FFFD, one for one; all else is an error."""
        if not is_utf8(line.raw):
            return [_not_utf8(line)]
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
    except RecursionError as error:
        message = "thousands of nested brackets"
        raise msgspec.DecodeError(message) from error
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


def too_deep(line: Line) -> Problem:
    """What is wrong with a line of so many brackets within each other that nothing can read it."""
    return Problem(
        file=line.file, line=line.number, expected="nesting that can be read", found="thousands of nested brackets"
    )


def is_utf8(raw: bytes) -> bool:
    """Whether bytes are UTF-8; decoders of JSON do not agree on the error for bytes that are not."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


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
