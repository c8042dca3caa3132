"""Pages of single dialogues: every dialogue with a flagged turn, one of the gravest turns, or an override.

One pass over rows, evidence and trace finds where each of these dialogues lies; then each is read, shown and forgotten.
What is kept is a few numbers a page, so memory does not grow with the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from turnmark.pipeline.overrides import Overrides
from turnmark.pipeline.rule_sources import RuleSources
from turnmark.pipeline.turns import Change, decode_row, first_id, own_id, turn_view
from turnmark.report.data import FAULT_KINDS, DialogData, DialogLink, FaultKind, LinkedPages, TurnView
from turnmark.report.histogram import bar_of, turn_values
from turnmark.report.worst import MOST_LINKED, LeanRow, WorstTurns, candidates, flagged, gravest
from turnmark.runs.folder import EVIDENCE, REPORT_PAGES, TRACE, TURN_EVAL, write_whole
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.trace import DialogTrace

T = TypeVar("T")
Render = Callable[[DialogData], str]
_BOM = b"\xef\xbb\xbf"
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class PageRow(LeanRow, gc=False):
    """The part of a row that the choice of pages and the distributions need."""

    judge_score_1_5: float | None = None


class _Head(msgspec.Struct, gc=False):
    dialog_id: str = ""


class _Place(msgspec.Struct, gc=False):
    """A dialogue with a page: where its rows, its evidence and its line of the trace lie, as ranges of bytes."""

    number: int
    dialog_id: str
    rows: tuple[int, int]
    turns: int
    flagged: int
    gravest: FaultKind | None
    evidence: list[tuple[int, int]] = []
    trace: tuple[int, int] | None = None


class PageWriter:
    """Writes the linked pages of a run folder."""

    def __init__(self, folder: Path, sources: RuleSources, overrides: Overrides, change: Change | None = None) -> None:
        self._folder = folder
        self._sources = sources
        self._overrides = overrides
        self._change = change
        self._dialogs = 0
        self._bars: dict[str, list[int]] = {}

    def write(self, run_id: str, render: Render, *, masked: bool = False) -> LinkedPages:
        """Write all pages; a page that stood there before is replaced in one step."""
        places = self._chosen()
        self._locate({place.dialog_id: place for place in places})
        width = max(4, len(str(self._dialogs)))
        links = [
            DialogLink(
                place.number, f"dialog-{place.number:0{width}d}.html", place.dialog_id, place.turns, place.flagged,
                place.gravest,
            )
            for place in places
        ]  # fmt: skip
        target = self._folder / REPORT_PAGES
        if links:
            target.mkdir(exist_ok=True)
        for at, (link, views) in enumerate(zip(links, self._views(places), strict=True)):
            data = DialogData(
                run_id=run_id,
                link=link,
                views=views,
                rules=self._sources.of(piece for view in views for piece in view.evidence),
                before=links[at - 1].href if at else "",
                after=links[at + 1].href if at + 1 < len(links) else "",
                masked=masked,
            )
            write_whole(target / link.href, render(data).encode("utf-8", "replace"))
        return LinkedPages(links, self._bars)

    def _chosen(self) -> list[_Place]:
        """The dialogues to show, in the order of the rows; counts single turns for the distributions meanwhile."""
        overridden = {one.override.dialog_id for one in self._overrides.views}
        worst: WorstTurns[_Place] = WorstTurns(MOST_LINKED)
        chosen: dict[int, _Place] = {}
        for number, (start, end, rows) in enumerate(_groups(self._folder / TURN_EVAL), 1):
            self._dialogs = number
            self._count(rows)
            faults = Counter(fault[0] for row in rows if (fault := gravest(row)))
            place = _Place(
                number, rows[0].dialog_id, (start, end), len(rows), sum(map(flagged, rows)),
                next((kind for kind in FAULT_KINDS if faults[kind]), None),
            )  # fmt: skip
            if place.flagged or place.dialog_id in overridden:
                chosen[number] = place
            worst.add(candidates(rows), lambda _, place=place: place)  # type: ignore[misc]
        chosen |= {place.number: place for place in worst.chosen()}
        return [chosen[number] for number in sorted(chosen)]

    def _count(self, rows: Sequence[PageRow]) -> None:
        for row in rows:
            for measure, value, low, high in turn_values(row, row.judge_score_1_5):
                bar_of(self._bars.setdefault(measure, [0] * 10), value, low, high)

    def _locate(self, places: dict[str, _Place]) -> None:
        """Find evidence and texts of the dialogues. Dialogues whose line begins otherwise are looked for once more."""
        decode = msgspec.json.Decoder(_Head).decode
        for start, raw in _raw_lines(self._folder / EVIDENCE):
            try:
                place = places.get(decode(raw).dialog_id)
            except _UNREADABLE:
                continue
            if place is None:
                continue
            if place.evidence and place.evidence[-1][1] == start:
                place.evidence[-1] = (place.evidence[-1][0], start + len(raw))
            else:
                place.evidence.append((start, start + len(raw)))
        missing = set(places)
        for find in (first_id, own_id):
            for start, raw in _raw_lines(self._folder / TRACE) if missing else ():
                found = find(raw)
                if found in missing and own_id(raw) == found:
                    missing.discard(found)
                    places[found].trace = (start, start + len(raw))

    def _views(self, places: Sequence[_Place]) -> Iterator[list[TurnView]]:
        """The turns of each dialogue, in order, with all that is shown of them."""
        dialog_reader, piece_reader = Reader(DialogTrace), Reader(Evidence)
        files = {name: _opened(self._folder / name) for name in (TURN_EVAL, EVIDENCE, TRACE)}
        try:
            for place in places:
                raws = _raws(files[TURN_EVAL], [place.rows])
                rows = [row for raw in raws if (row := decode_row(raw)) is not None]
                dialogs = _records(dialog_reader, files[TRACE], [place.trace] if place.trace else [])
                evidence: dict[int | None, list[Evidence]] = {}
                for piece in _records(piece_reader, files[EVIDENCE], place.evidence):
                    evidence.setdefault(piece.turn_pair_id, []).append(piece)
                dialog = dialogs[0] if dialogs else None
                once = {row.turn_pair_id: row for row in reversed(rows)}
                views = [turn_view(once[turn], dialog, evidence.get(turn, ())) for turn in sorted(once)]
                yield self._overrides.beside(self._change(views, dialog) if self._change else views)
        finally:
            for file in files.values():
                if file:
                    file.close()


def _groups(path: Path) -> Iterator[tuple[int, int, list[PageRow]]]:
    """The rows of each dialogue with the range of bytes in which they lie; rows of one turn are taken once."""
    decode = msgspec.json.Decoder(PageRow).decode
    group: dict[int, PageRow] = {}
    begin = end = 0
    dialog_id = None
    for start, raw in _raw_lines(path):
        try:
            row = decode(raw)
        except _UNREADABLE:
            continue
        if row.dialog_id != dialog_id and group:
            yield begin, end, list(group.values())
            group = {}
        if not group:
            begin, dialog_id = start, row.dialog_id
        end = start + len(raw)
        group.setdefault(row.turn_pair_id, row)
    if group:
        yield begin, end, list(group.values())


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
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


def _opened(path: Path) -> IO[bytes] | None:
    return path.open("rb") if path.is_file() else None


def _raws(file: IO[bytes] | None, ranges: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """The lines that hold anything in these ranges of a file."""
    if file is None:
        return
    for start, end in ranges:
        file.seek(start)
        yield from filter(None, map(bytes.strip, file.read(end - start).split(b"\n")))


def _records(reader: Reader[T], file: IO[bytes] | None, ranges: Sequence[tuple[int, int]]) -> list[T]:
    """The records in these ranges of a file; what cannot be read is passed over."""
    decoded = (reader.decode(Line("", 0, raw)) for raw in _raws(file, ranges))
    return [one.value for one in decoded if not isinstance(one, list)]
