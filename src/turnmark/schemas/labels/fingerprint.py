"""What a label or an override is about, as a short text: whoever said it said it of exactly this."""

from __future__ import annotations

import hashlib

import msgspec

from turnmark.schemas.trace import DialogTrace, TurnTrace

_DIGITS = 16


def fingerprint(dialog: DialogTrace, turn_pair_id: int) -> str | None:
    """The fingerprint of a turn: 16 hexadecimal digits; None when the dialogue has no such turn.

    It changes with what a judgement of the turn rests on: what user and assistant said in it and before it, what memory
    returned, and the passages that answer the question. Ids, times and figures of a run do not change it.
    """
    said = []
    for turn in dialog.turns or ():
        said.append(_said(turn))
        if turn.turn_pair_id == turn_pair_id:
            return hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:_DIGITS]
    return None


def _said(turn: TurnTrace) -> tuple[object, ...]:
    recalled = [item.content for item in (turn.recall.items if turn.recall else None) or ()]
    passages = turn.ground_truth_contexts
    return turn.user_text, turn.pred_assistant_text, recalled, passages if isinstance(passages, list) else []
