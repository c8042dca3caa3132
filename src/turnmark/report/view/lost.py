"""What took the points off a mark that is below full score, by the evidence of its metric."""

from __future__ import annotations

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.claims import is_verdict
from turnmark.report.view.data import TurnView
from turnmark.report.view.names import worded_name
from turnmark.report.view.quoted.behind import words_of
from turnmark.report.view.quoted.clipping import clipped
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marked_turn import ABSENT

_IN_PART = frozenset({"indirect", "vague", "reflected"})
_AGAINST = frozenset({"hallucinated", "contradicts", "conflicts", "violates"})
_EVIDENCE = {"sfs_all": "sfs"}
"""Metrics that count the evidence of another one."""
_LONGEST = 160


def lost(name: str, view: TurnView, texts: Texts) -> str:
    """What a metric misses in a reply, finds only in part, or speaks against; empty where evidence does not say.

    Of judged claims it says nothing: they stand on the page one by one.
    """
    own = [piece for piece in view.evidence if piece.metric == _EVIDENCE.get(name, name) and not is_verdict(piece)]
    groups = {
        "lost_missing": [_about(piece, texts) for piece in own if piece.polarity in ABSENT],
        "lost_in_part": [worded_name(piece.label, texts) for piece in own if piece.polarity in _IN_PART],
        "lost_against": [words_of(piece, view) for piece in own if piece.polarity in _AGAINST and piece.quote],
    }
    said = (filled(texts, key, names=_listed(names, texts)) for key, names in groups.items() if names)
    return texts["semicolon"].join(said)


def _about(piece: Evidence, texts: Texts) -> str:
    """What is missing; of what the patient told just now, in the patient's words."""
    told = (piece.note or "").removeprefix("told: ")
    return told or worded_name(piece.label, texts)


def _listed(names: list[str], texts: Texts) -> str:
    return clipped(texts["comma"].join(dict.fromkeys(names)), _LONGEST)
