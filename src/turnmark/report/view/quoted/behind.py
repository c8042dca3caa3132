"""The evidence behind a fault of a turn: words of the reply that break a rule, or say what a text denies."""

from __future__ import annotations

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.claims import contradictions, is_verdict
from turnmark.report.view.data import TurnView
from turnmark.report.view.names import worded_check, worded_name
from turnmark.report.view.notes import worded_breach, worded_note
from turnmark.report.view.quoted.highlight import numbered_source
from turnmark.report.view.quoted.words import quoted
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marks import FaultKind

_AGAINST_FACTS = frozenset({"hallucinated", "contradicts"})
"""Polarities of what a reply says against a record or against earlier turns; the note says what these hold."""


def behind(kind: FaultKind, view: TurnView) -> list[Evidence]:
    """The evidence of a kind of fault: of a breach the words of the reply first, each words once."""
    if kind == "contradiction":
        return [piece for piece in view.evidence if _speaks_against(piece)]
    if kind == "forbidden":
        names = set(view.row.named("forbidden"))
        return [piece for piece in view.evidence if piece.label in names and piece.source == "reply"]
    own = [piece for piece in view.evidence if piece.polarity == kind or (kind == "severe" and is_unsafe(piece))]
    own.sort(key=lambda piece: (piece.source != "reply", not piece.quote))
    words = {piece.quote for piece in own if piece.source == "reply"}
    return [piece for piece in own if piece.source == "reply" or piece.quote not in words]


def breach(piece: Evidence, view: TurnView, texts: Texts) -> str:
    """How evidence breaks a rule: its words, and what is wrong with them; of an unsafe answer, or what is missing."""
    if is_unsafe(piece):
        return worded_breach(piece, view.turn_pair_id, texts, words_of(piece, view))
    if check := worded_check(piece, texts):
        return check
    words, about = words_of(piece, view), worded_name(piece.label, texts)
    if words and about and piece.label != piece.quote:
        return words + filled(texts, "finding_about", about=about)
    return words or piece.note or about


def against(view: TurnView, texts: Texts) -> tuple[str, ...]:
    """What a reply says against constraints, facts and claims, each beside what speaks against it."""
    own = [piece for piece in behind("contradiction", view) if not is_verdict(piece)]
    broken = [f"{words_of(piece, view)} ↔ {piece.label}" for piece in own if piece.polarity == "violates"]
    facts = [_noted(piece, view, texts) for piece in own if piece.polarity != "violates"]
    return tuple(dict.fromkeys([*broken, *facts, *contradictions(view.evidence, texts)]))


def words_of(piece: Evidence, view: TurnView) -> str:
    """The words of evidence, widened to whole words where the turn holds the text that they stand in."""
    kind, place = numbered_source(piece.source)
    if kind == "context":
        text = view.contexts[place] if place < len(view.contexts) else ""
    else:
        text = {"reply": view.reply, "answer": view.reply, "user": view.user_text}.get(piece.source, "")
    return quoted(piece, text)


def is_unsafe(piece: Evidence) -> bool:
    """Whether evidence says that an answer breaks a safety rule."""
    return piece.metric == "csp" and piece.polarity in {"violates", "missing"}


def _speaks_against(piece: Evidence) -> bool:
    if is_verdict(piece):
        return piece.polarity == "contradicted" and piece.source == "reply"
    if piece.polarity == "violates":
        return not is_unsafe(piece)
    return piece.polarity in _AGAINST_FACTS and bool(piece.quote)


def _noted(piece: Evidence, view: TurnView, texts: Texts) -> str:
    words = words_of(piece, view)
    return f"{words} ({worded_note(piece.note, texts)})" if piece.note else words
