"""What was found, in short: dialogues by their gravest fault, and the gravest quotes with the place they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.data import ReportData, TurnView
from turnmark.report.view.turn import TurnPage, turn_page
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
    """Dialogues by their gravest fault, gravest first; without the rows of the run, the turns that are shown."""
    found: Mapping[str, int] = (
        data.turns.faults if data.turns else Counter(view.reasons[0].kind for view in data.worst if view.reasons)
    )
    return ranked(found)


def ranked(found: Mapping[str, int]) -> list[tuple[FaultKind, int]]:
    """Counts by kind of fault, the gravest kind first; kinds that are not there are left out."""
    return [(kind, found[kind]) for kind in FAULT_KINDS if found.get(kind)]


def kind_counted(kind: FaultKind, texts: Texts) -> str:
    """What a count of dialogues by their gravest fault calls a kind; a score that is not full is no fault by itself."""
    return texts["found_below"] if kind == "mark" else texts[f"kind_{kind}"]


def counted(found: Mapping[str, int], texts: Texts) -> str:
    """Dialogues by their gravest fault in one line of words."""
    told = " · ".join(f"{kind_counted(kind, texts)} {count}" for kind, count in ranked(found))
    return f"{texts['found_dialogs']} {told}" if told else texts["no_worst"]


def found_lines(
    found: Mapping[str, int], worst: Sequence[TurnView], texts: Texts, altered: Sequence[str] = ()
) -> list[str]:
    """What was found, for a terminal: the counts, then the gravest quotes with their places.

    Files that are not as scoring left them are named first; that nothing was found is then not said.
    """
    result = [filled(texts, "altered_files", files=", ".join(altered))] if altered else []
    result.append(texts["nothing_known"] if altered and not ranked(found) else counted(found, texts))
    for one in worst_quotes([turn_page(view, texts, {}) for view in worst]):
        number = filled(texts, "turn", number=one.turn_pair_id) if texts["turn"] else ""
        where = texts["comma"].join(filter(None, (one.dialog_id, number)))
        result.append(f"  {texts[f'kind_{one.kind}']}{texts['colon']}“{' '.join(one.quote.split())}” ({where})")
    return result


def worst_quotes(pages: list[TurnPage]) -> list[Finding]:
    """The gravest quotes, the gravest kind first, one of a turn; in the order of the turns that are shown.

    Words that were quoted already come after others of their kind.
    """
    found = []
    for place, page in enumerate(pages, 1):
        reason = next((one for kind in _QUOTED for one in page.reasons if one.kind == kind and one.details), None)
        if reason is not None:
            kind = next(kind for kind in _QUOTED if kind == reason.kind)
            view = page.view
            whole = reason.details[0]
            quote = whole if len(whole) <= LONGEST_QUOTE else whole[: LONGEST_QUOTE - 1] + "…"
            found.append(Finding(kind, quote, view.dialog_id, view.turn_pair_id, place, page.href))
    first = {(one.kind, one.quote): one.place for one in reversed(found)}
    again = {one.place for one in found if first[one.kind, one.quote] != one.place}
    return sorted(found, key=lambda one: (FAULT_KINDS.index(one.kind), one.place in again, one.place))[:MOST_QUOTES]
