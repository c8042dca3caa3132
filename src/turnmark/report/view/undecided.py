"""What was not decided: of a turn the claims that no judge could tell, and why; of a run how much of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled, named
from turnmark.report.view.data import TurnView
from turnmark.report.view.grounds import worded_ground
from turnmark.report.view.notes import worded_note
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.triage import openness
from turnmark.schemas.results.summary import EvalSummary

MOST_CLAIMS = 100
"""Claims that the list of a run names; the others stand in its evidence."""
MOST_QUOTED = 160
_POLARITIES = frozenset({"not_decided", "undecided"})
_ONLY, _TURNS = "undecided_only_dialogs", "undecided_turn_pairs"


class OpenClaim(NamedTuple):
    """A claim that was not decided: for which metrics, its words and why.

    The words are "" where a metric quotes none.
    """

    metrics: str
    claim: str
    why: str


class OpenTurn(NamedTuple):
    """A turn in which something was not decided; ``place`` is that among the turns that are shown, from 1."""

    place: int
    dialog_id: str
    turn_pair_id: int
    claims: tuple[OpenClaim, ...]


def open_claims(view: TurnView, texts: Texts) -> tuple[OpenClaim, ...]:
    """The claims of a turn that were not decided, each once for all metrics that asked for it alike."""
    asked: dict[tuple[str, str], list[str]] = {}
    quoted = set()
    for piece in view.evidence:
        if piece.polarity in _POLARITIES:
            note = piece.note or ""
            why = worded_ground(note, texts) if piece.rule.startswith("judge.") else worded_note(note, texts)
            metrics = asked.setdefault((clipped(piece.quote, MOST_QUOTED), why), [])
            metrics += [piece.metric] if piece.metric not in metrics else []
            quoted.add(piece.metric)
    unquoted = [name for name, mark in view.row.marks.items() if mark.undecided and name not in quoted]
    if unquoted:
        asked["", texts["open_unquoted"]] = unquoted
    return tuple(
        OpenClaim(texts["comma"].join(named(texts, "metric", name) for name in metrics), claim, why)
        for (claim, why), metrics in asked.items()
    )


def open_turns(views: Sequence[TurnView], texts: Texts) -> list[OpenTurn]:
    """The turns among those shown in which something was not decided, most first, up to `MOST_CLAIMS` claims."""
    results: list[OpenTurn] = []
    left = MOST_CLAIMS
    for place, view in sorted(enumerate(views, 1), key=lambda each: (-openness(each[1].row), each[0])):
        claims = open_claims(view, texts)[:left]
        if claims:
            results.append(OpenTurn(place, view.dialog_id, view.turn_pair_id, claims))
            left -= len(claims)
    return results


def anything_open(summary: EvalSummary) -> bool:
    """Whether something in the run was not decided."""
    return bool(summary.counters.get(_TURNS)) or any(result.bounds for result in summary.metrics.values())


def none_found(summary: EvalSummary, texts: Texts) -> str:
    """That no fault was found; in what was decided, where that is not everything."""
    return texts["no_worst_decided" if anything_open(summary) else "no_worst"]


def open_line(summary: EvalSummary, texts: Texts) -> str:
    """In how many turns something was not decided, and what that leaves open; empty where everything was decided."""
    turns, every = summary.counters.get(_TURNS, 0), summary.counters.get("total_turn_pairs", 0)
    if not turns:
        return texts["open_some"] if anything_open(summary) else ""
    said = filled(texts, "open_turns", count=turns, all=every)
    only = summary.counters.get(_ONLY, 0)
    return f"{said} {filled(texts, 'open_only', count=only)}" if only else said
