"""The list of the turns of a run: which are shown, in which order, and what stands beside each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from turnmark.locale.texts import Texts
from turnmark.pipeline.publishing.run_turns import Key
from turnmark.report.view import notices
from turnmark.report.view.counted import nothing_line, with_figures
from turnmark.report.view.data import TurnView
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.tables import known_metric, main_blocks
from turnmark.report.view.turn import Reason, turn_page
from turnmark.schemas.marks import FAULT_KINDS
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.turn_eval import REPLY_STATES
from turnmark.viewer.notes import TurnNote
from turnmark.viewer.search import found_turns, matcher
from turnmark.viewer.turns import ANY, PAGE, UNDECIDED, RunTurns, TurnEntry, chosen

SHOWN = ("all", "failures", "changed")
_TEASER = 140


class Line(NamedTuple):
    """One turn of the list: what the user said, the gravest fault with its words, and what it is in the other run.

    ``cells`` are the values of the chosen columns, None where there is none.
    """

    entry: TurnEntry
    user: str
    reason: Reason | None
    then: TurnEntry | None
    notes: Sequence[TurnNote]
    cells: Sequence[float | None]


class Listed(NamedTuple):
    """The turns of a run beside those of ``other``, where one is chosen to compare with."""

    turns: RunTurns
    other: RunTurns | None
    notes: Mapping[Key, Sequence[TurnNote]]
    summary: EvalSummary
    texts: Texts

    def page(self, query: QueryParams) -> dict[str, Any]:
        """What the template shows. Raises: UsageError for a search that is wrong."""
        asked = {name: query.get(name, "") for name in ("fault", "state", "find", "regex", "star", "against")}
        show = query.get("show", "all") if query.get("show") in SHOWN else "all"
        sort = query.get("sort", "worst")
        changed = self.turns.changed(self.other) if self.other else {}
        among = self._among(asked, changed if show == "changed" else None)
        fault = asked["fault"] or (ANY if show == "failures" else "")
        result = chosen(self.turns, fault, asked["state"], sort, among)
        page, last = page_of(query.get("page", "1"), len(result))
        columns = [name for name in query.getlist("col") if name in self._columns()]
        pairs = [*asked.items(), ("show", show), ("sort", sort), *(("col", name) for name in columns)]
        query_text = urlencode([("run", query.get("run", "")), ("lang", self.texts.language), *pairs])
        return {
            **asked, "show": show, "sort": sort, "suite": self.summary.suite_name, "summary": self.summary,
            "lines": self._lines(result[(page - 1) * PAGE : page * PAGE], changed, columns), "columns": columns,
            "choices": self._columns(), "total": len(result), "everything": len(self.turns.entries),
            "abnormal": sum(entry.state != "normal" for entry in self.turns.entries),
            "kinds": [kind for kind in FAULT_KINDS if kind in {entry.fault for entry in self.turns.entries}],
            "states": [name for name in REPLY_STATES if name in {entry.state for entry in self.turns.entries}],
            "undecided": UNDECIDED if any(entry.undecided for entry in self.turns.entries) else "",
            "metrics": [(name, known.code) for name in self.summary.metrics
                        if (known := known_metric(name)) is not None and known.unit == "turn"],
            "blocks": with_figures(self.summary, main_blocks(self.summary)),
            "nothing_counted": nothing_line(self.summary, self.texts),
            "interval_title": notices.interval_title(self.summary, self.texts),
            "page": page, "last": last, "href": f"/run?{query_text}",
            "here": "/run?" + urlencode({"run": query.get("run", ""), "lang": self.texts.language}),
        }  # fmt: skip

    def _among(self, asked: Mapping[str, str], changed: Mapping[Key, TurnEntry] | None) -> set[Key] | None:
        """The turns that search, stars and the other run leave; None where all are."""
        left: set[Key] | None = None if changed is None else set(changed)
        if asked["find"]:
            found = found_turns(self.turns.folder, matcher(asked["find"], pattern=bool(asked["regex"])))
            left = found if left is None else left & found
        if asked["star"]:
            starred = {key for key, notes in self.notes.items() if any(note.star or note.comment for note in notes)}
            left = starred if left is None else left & starred
        return left

    def _columns(self) -> list[str]:
        """The measures of turns that may be chosen as columns."""
        blocks = main_blocks(self.summary)
        return [f"{block.name}.{row.name}" for block in blocks if block.unit == "turn" for row in block.rows]

    def _lines(
        self, entries: Sequence[TurnEntry], changed: Mapping[Key, TurnEntry], columns: Sequence[str]
    ) -> list[Line]:
        views = self.turns.shown(entries)
        return [self._line(entry, views.get(entry[:2]), changed.get(entry[:2]), columns) for entry in entries]

    def _line(self, entry: TurnEntry, view: TurnView | None, then: TurnEntry | None, columns: Sequence[str]) -> Line:
        notes = self.notes.get(entry[:2], ())
        if view is None:  # written anew meanwhile
            return Line(entry, "", None, then, notes, [None] * len(columns))
        reasons = turn_page(view, self.texts, {}).reasons
        text = " ".join(view.user_text[: 2 * _TEASER].split())
        reason = next((one for one in reasons if one.kind == entry.fault), reasons[0] if reasons else None)
        return Line(entry, clipped(text, _TEASER), reason, then, notes, [_value(view, name) for name in columns])


def _value(view: TurnView, column: str) -> float | None:
    metric, _, measure = column.rpartition(".")
    mark = view.row.marks.get(metric)
    return None if mark is None else mark.value(measure)


def page_of(asked: str, count: int) -> tuple[int, int]:
    """The page that is meant, from 1, and the last one."""
    last = max(1, -(-count // PAGE))
    return min(max(int(asked) if asked.isdecimal() and len(asked) < 10 else 1, 1), last), last
