"""The appendix that a paper needs: of each metric one failure, chosen by rule, with its words and its marks.

Words come from ``dialog_trace.jsonl``, marks from ``turn_eval.jsonl``; dialogue and turn lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.data import TurnView
from turnmark.report.view.quoted.behind import words_of
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.highlight import said
from turnmark.report.view.tables import known_metric
from turnmark.report.view.triage import worst_of
from turnmark.report.view.turn import turn_page
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.results.summary import EvalSummary

MOST_CHARACTERS = 600
MOST_EVIDENCE = 6
_WITHOUT_METRIC: tuple[FaultKind, ...] = ("failed", "reply_state")


class Failure(NamedTuple):
    """One failure: what it stands for, where it lies, its words, what is wrong with it, and the evidence."""

    title: str
    dialog_id: str
    turn_pair_id: int
    where: str
    user_text: str
    reply: str
    reasons: tuple[str, ...]
    evidence: tuple[str, ...]


def failures(summary: EvalSummary, views: Sequence[TurnView], texts: Texts) -> list[Failure]:
    """Of each metric its worst turn that does not stand for another one yet, then a failed turn and one no answer.

    ``views`` are the turns to look at first. Metrics whose worst turns all stand for others share one of these.
    """
    stands_for: dict[int, dict[str, str]] = {}
    worst = worst_of(views)
    for name in summary.metrics:
        places = worst.get(name, [])
        index = next((position for position in places if position not in stands_for), places[0] if places else None)
        if index is not None:
            known = known_metric(name)
            code = known.code if known else name
            title = texts.get(f"metric_{name}", known.title if known else "")
            stands_for.setdefault(index, {})[name] = f"{code} {title}".strip()
    for kind in _WITHOUT_METRIC:
        index = next((at for at, view in enumerate(views, 1) if view.reasons and view.reasons[0].kind == kind), None)
        if index is not None:
            stands_for.setdefault(index, {})[kind] = texts[f"kind_{kind}"]
    return [_failure(views[index - 1], own, texts) for index, own in stands_for.items()]


def _failure(view: TurnView, own: Mapping[str, str], texts: Texts) -> Failure:
    """``own`` are the metrics (or kinds of fault) it stands for: name, and what people call it."""
    page = turn_page(view, texts, {})
    first = sorted(view.evidence, key=lambda piece: piece.metric not in own)
    number = filled(texts, "turn", number=view.turn_pair_id)
    return Failure(
        title="; ".join(own.values()),
        dialog_id=view.dialog_id,
        turn_pair_id=view.turn_pair_id,
        where=", ".join(filter(None, (view.dialog_id, number))),
        user_text=_clipped(view.user_text),
        reply=_clipped(view.reply) or view.error or texts["no_reply"],
        reasons=tuple(
            f"{reason.name}: {'; '.join(reason.details)}" if reason.details else reason.name for reason in page.reasons
        ),
        evidence=tuple(f"{said(piece, texts)}: “{_clipped(words_of(piece, view))}”" for piece in first if piece.quote)[
            :MOST_EVIDENCE
        ],
    )


def _clipped(text: str) -> str:
    return clipped(" ".join(text.split()), MOST_CHARACTERS)
