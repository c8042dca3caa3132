"""Pages of single dialogues: each with a flagged turn, one of the gravest turns or least decided, or an override.

One pass over rows, evidence and trace finds where each of these dialogues lies; then each is read, shown and forgotten.
What is kept is a few numbers a page, so memory does not grow with the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from turnmark.pipeline.publishing.byte_ranges import (
    UNREADABLE,
    ByteRange,
    DialogFiles,
    locate_evidence,
    locate_trace,
    raw_lines,
)
from turnmark.pipeline.publishing.overrides import Overrides
from turnmark.pipeline.publishing.rule_sources import RuleSources
from turnmark.pipeline.publishing.run_turns import Change, lean_row
from turnmark.report.charts.histogram import bar_of, turn_values
from turnmark.report.view.data import DialogData, DialogLink, LinkedPages, TurnView
from turnmark.report.view.triage import MOST_LINKED, LeanRow, WorstTurns, candidates, flagged, gravest, openness
from turnmark.runs.folder import REPORT_PAGES, TURN_EVAL, write_whole
from turnmark.schemas.marks import FAULT_KINDS, FaultKind

Render = Callable[[DialogData], str]


class _Place(ByteRange, kw_only=True, gc=False):
    """A dialogue with a page of its own: where it lies, and what is said of it."""

    number: int
    turns: int
    flagged: int
    gravest: FaultKind | None
    is_open: bool


class PageWriter:
    """Writes the linked pages of a run folder; ``also`` are dialogues that get one whatever was found in them."""

    def __init__(
        self,
        folder: Path,
        sources: RuleSources,
        overrides: Overrides,
        change: Change | None = None,
        also: Collection[str] = (),
    ) -> None:
        self._folder = folder
        self._sources = sources
        self._overrides = overrides
        self._change = change
        self._also = also
        self._dialogs = 0
        self._bars: dict[str, list[int]] = {}

    def write(self, run_id: str, render: Render, *, masked: bool = False) -> LinkedPages:
        """Write all pages; a page that stood there before is replaced in one step."""
        places = self._chosen()
        by_id = {position.dialog_id: position for position in places}
        locate_evidence(self._folder, by_id)
        locate_trace(self._folder, by_id)
        width = max(4, len(str(self._dialogs)))
        links = [
            DialogLink(
                position.number,
                f"dialog-{position.number:0{width}d}.html",
                position.dialog_id,
                position.turns,
                position.flagged,
                position.gravest,
                position.is_open,
            )
            for position in places
        ]
        target = self._folder / REPORT_PAGES
        if links:
            target.mkdir(exist_ok=True)
        for at, (link, views) in enumerate(zip(links, self._views(places), strict=True)):
            data = DialogData(
                run_id=run_id,
                link=link,
                views=views,
                rules=self._sources.of_views(views),
                before=links[at - 1].href if at else "",
                after=links[at + 1].href if at + 1 < len(links) else "",
                masked=masked,
            )
            write_whole(target / link.href, render(data).encode("utf-8", "replace"))
        return LinkedPages(links, self._bars)

    def _chosen(self) -> list[_Place]:
        """The dialogues to show, in the order of the rows; counts single turns for the distributions meanwhile."""
        overridden = {view.override.dialog_id for view in self._overrides.views}
        worst: WorstTurns[_Place] = WorstTurns(MOST_LINKED)
        chosen: dict[int, _Place] = {}
        for number, (start, end, rows) in enumerate(_groups(self._folder / TURN_EVAL), 1):
            self._dialogs = number
            self._count(rows)
            faults = Counter(fault[0] for row in rows if (fault := gravest(row)))
            place = _Place(
                rows[0].dialog_id, [(start, end)], number=number, turns=len(rows), flagged=sum(map(flagged, rows)),
                gravest=next((kind for kind in FAULT_KINDS if faults[kind]), None),
                is_open=any(map(openness, rows)),
            )  # fmt: skip
            if place.flagged or place.dialog_id in overridden or place.dialog_id in self._also:
                chosen[number] = place
            worst.add(candidates(rows), lambda _, place=place: place)  # type: ignore[misc]
        chosen |= {place.number: place for place in worst.chosen()}
        return [chosen[number] for number in sorted(chosen)]

    def _count(self, rows: Sequence[LeanRow]) -> None:
        for row in rows:
            for measure, value, low, high in turn_values(row):
                bar_of(self._bars.setdefault(measure, [0] * 10), value, low, high)

    def _views(self, places: Sequence[_Place]) -> Iterator[list[TurnView]]:
        """The turns of each dialogue, in order, with all that is shown of them."""
        with DialogFiles(self._folder) as files:
            for position in places:
                views, dialog = files.views(position)
                yield self._overrides.beside(self._change(views, dialog) if self._change else views)


def _groups(path: Path) -> Iterator[tuple[int, int, list[LeanRow]]]:
    """The rows of each dialogue with the range of bytes in which they lie; rows of one turn are taken once."""
    group: dict[int, LeanRow] = {}
    begin = end = 0
    dialog_id = None
    for start, raw in raw_lines(path):
        try:
            row = lean_row(raw)
        except UNREADABLE:
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
