"""What was found, in short: dialogues by their gravest fault, and the gravest quotes with the place they stand in."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from turnmark.report.view.data import ReportData
from turnmark.report.view.turn import TurnPage
from turnmark.schemas.marks import FAULT_KINDS, FaultKind

MOST_QUOTES = 3
LONGEST_QUOTE = 220
"""Characters of a quote that are shown; a longer one is cut and ends in an ellipsis."""
_QUOTED: tuple[FaultKind, ...] = ("severe", "forbidden", "contradiction", "minor")
"""Kinds of fault whose details are words of the reply."""


class Finding(NamedTuple):
    """One of the gravest quotes; ``place`` is that of its turn among those shown, from 1."""

    kind: FaultKind
    quote: str
    dialog_id: str
    turn_pair_id: int
    place: int
    href: str


def counts(data: ReportData) -> list[tuple[FaultKind, int]]:
    """Dialogues by their gravest fault, gravest first; without linked pages, the turns that are shown."""
    if data.pages:
        found = Counter(link.gravest for link in data.pages.links if link.gravest)
    else:
        found = Counter(view.reasons[0].kind for view in data.worst if view.reasons)
    return [(kind, found[kind]) for kind in FAULT_KINDS if found[kind]]


def worst_quotes(pages: list[TurnPage]) -> list[Finding]:
    """The gravest quotes, the gravest kind first, one of a turn; in the order of the turns that are shown."""
    found = []
    for place, page in enumerate(pages, 1):
        reason = next((one for kind in _QUOTED for one in page.reasons if one.kind == kind and one.details), None)
        if reason is not None:
            kind = next(kind for kind in _QUOTED if kind == reason.kind)
            view = page.view
            whole = reason.details[0]
            quote = whole if len(whole) <= LONGEST_QUOTE else whole[: LONGEST_QUOTE - 1] + "…"
            found.append(Finding(kind, quote, view.dialog_id, view.turn_pair_id, place, page.href))
    return sorted(found, key=lambda one: (FAULT_KINDS.index(one.kind), one.place))[:MOST_QUOTES]
