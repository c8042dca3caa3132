"""Where the dialogues of a run lie in its files, so that one of them is read without reading the others.

What is kept of a dialogue is its ranges of bytes: of its rows, of its evidence and of its line in the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

import msgspec

from turnmark.pipeline.publishing.run_turns import decode_row, first_id, own_id, turn_view
from turnmark.report.view.data import TurnView
from turnmark.runs.folder import EVIDENCE, TRACE, TURN_EVAL
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.trace_reader import TraceReader

T = TypeVar("T")
Range = tuple[int, int]
"""From a byte to before another."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_BOM = b"\xef\xbb\xbf"


class ByteRange(msgspec.Struct, gc=False):
    """Where one dialogue lies; ``trace`` is None where no line holds it, or before it was looked for."""

    dialog_id: str
    rows: list[Range] = []
    evidence: list[Range] = []
    trace: Range | None = None


class _Head(msgspec.Struct, gc=False):
    dialog_id: str = ""


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines as they lie in a file that may be missing, each with where it starts."""
    if not path.is_file():
        return
    at = 0
    with path.open("rb", buffering=1 << 20) as file:
        if file.read(len(_BOM)) == _BOM:
            at = len(_BOM)
        file.seek(at)
        for raw in file:
            yield at, raw
            at += len(raw)


def extend(ranges: list[Range], start: int, end: int) -> None:
    """Add a range; one that follows the last makes it longer."""
    if ranges and ranges[-1][1] == start:
        ranges[-1] = (ranges[-1][0], end)
    else:
        ranges.append((start, end))


def locate_evidence(folder: Path, places: Mapping[str, ByteRange]) -> None:
    """Find the evidence of the dialogues, in one pass over its file."""
    decode = msgspec.json.Decoder(_Head).decode
    for start, raw in raw_lines(folder / EVIDENCE):
        try:
            position = places.get(decode(raw).dialog_id)
        except UNREADABLE:
            continue
        if position is not None:
            extend(position.evidence, start, start + len(raw))


def locate_trace(folder: Path, places: Mapping[str, ByteRange]) -> None:
    """Find the lines of the dialogues."""
    TraceLocator(folder).locate(list(places.values()))


class TraceLocator:
    """Finds the lines of dialogues in a trace, reading no further than what was asked for needs.

    The first id in a line is nearly always the dialogue's own. Dialogues that are not found by it are looked for once
    more by their own id, in one pass for all that were missing then.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / TRACE
        self._lines = raw_lines(self._path)
        self._found: dict[str, Range] = {}
        self._missing: set[str] = set()

    def locate(self, places: Sequence[ByteRange]) -> None:
        """Fill in where the dialogues lie; those that no line holds stay without."""
        wanted = (
            {position.dialog_id for position in places if position.trace is None} - self._missing - self._found.keys()
        )
        while wanted and (line := next(self._lines, None)) is not None:
            wanted.discard(self._take(*line, first_id))
        if wanted:
            for start, raw in raw_lines(self._path):
                wanted.discard(self._take(start, raw, own_id))
            self._missing |= wanted
        for position in places:
            position.trace = position.trace or self._found.get(position.dialog_id)

    def _take(self, start: int, raw: bytes, find: Callable[[bytes], str | None]) -> str:
        """Keep where the dialogue of a line lies; returns its id, empty where that is not the one found."""
        result = find(raw)
        if result is None or (find is not own_id and own_id(raw) != result):
            return ""
        self._found.setdefault(result, (start, start + len(raw)))
        return result


class UserTurn(msgspec.Struct, gc=False):
    """The part of a turn that a list needs; the other fields are skipped without making objects."""

    turn_pair_id: int = 0
    user_text: str = ""


class _Talk(msgspec.Struct, gc=False):
    turns: list[UserTurn] | None = None


class DialogFiles:
    """The files of a run, open to read single dialogues from. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._files = {name: _opened(folder / name) for name in (TURN_EVAL, EVIDENCE, TRACE)}
        self._dialogs, self._pieces, self._talks = TraceReader(), Reader(Evidence), Reader(_Talk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            if file is not None:
                file.close()

    def views(self, place: ByteRange) -> tuple[list[TurnView], DialogTrace | None]:
        """The turns of a dialogue in order, each once, with all that is shown of them; and the dialogue itself.

        What cannot be read is passed over.
        """
        records = _records(self._dialogs, self._files[TRACE], [place.trace] if place.trace else [])
        dialog = records[0] if records else None
        evidence: dict[int | None, list[Evidence]] = {}
        for piece in _records(self._pieces, self._files[EVIDENCE], place.evidence):
            evidence.setdefault(piece.turn_pair_id, []).append(piece)
        once = {row.turn_pair_id: row for row in reversed(self.rows(place))}
        return [turn_view(once[turn], dialog, evidence.get(turn, ())) for turn in sorted(once)], dialog

    def rows(self, place: ByteRange) -> list[Row]:
        """The rows of a dialogue; what cannot be read is passed over."""
        return [row for raw in _raws(self._files[TURN_EVAL], place.rows) if (row := decode_row(raw)) is not None]

    def users(self, place: ByteRange) -> list[UserTurn]:
        """What the user said in each turn of a dialogue; empty where the trace does not hold it."""
        records = _records(self._talks, self._files[TRACE], [place.trace] if place.trace else [])
        return records[0].turns or [] if records else []


def _opened(path: Path) -> IO[bytes] | None:
    return path.open("rb") if path.is_file() else None


def _raws(file: IO[bytes] | None, ranges: Sequence[Range]) -> Iterator[bytes]:
    """The lines that hold anything in these ranges of a file."""
    if file is None:
        return
    for start, end in ranges:
        file.seek(start)
        yield from filter(None, map(bytes.strip, file.read(end - start).split(b"\n")))


def _records(reader: Reader[T], file: IO[bytes] | None, ranges: Sequence[Range]) -> list[T]:
    decoded = (reader.decode(Line("", 0, raw)) for raw in _raws(file, ranges))
    return [item.value for item in decoded if not isinstance(item, list)]
