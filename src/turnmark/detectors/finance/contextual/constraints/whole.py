"""What a short reply says as a whole to what the user asked: yes, a bare order, or the user's own rule."""

from __future__ import annotations

from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, WEAK, ActVerdict
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader


def assented(reader: ConstraintStanceReader) -> ActVerdict | None:
    """A yes at the head of a reply to what the user wants to do (没问题), held back by nothing."""
    match = reader.sign("assents", 0, len(reader.text))
    if (
        match is None
        or reader.against()
        or reader.overall() < 0
        or reader.says("holds_back", match.end(), len(reader.text))
    ):
        return None
    return ActVerdict(1, MODERATE, *match.span(), "assented")


def ordered(reader: ConstraintStanceReader, question: str, sign: int) -> list[ActVerdict]:
    """A bare imperative at the head of a reply; against its stance only where the user asked for it."""
    order = reader.imperative
    if order and (sign >= 0 or question.rstrip().endswith(("?", "？"))):
        return [ActVerdict(1, MODERATE, *order.span(), "imperative")]
    return []


def recalled(reader: ConstraintStanceReader) -> list[ActVerdict]:
    """The first word that recalls the user's rule or says that something does not fit."""
    cues = (cue for cue in reader.cues if cue.kind in ("conflict", "honour") and cue.sign < 0)
    return [ActVerdict(-1, WEAK, cue.start, cue.end, "rule_recalled") for cue in cues][:1]
