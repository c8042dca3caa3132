"""Replies of one turn each, scored together: what was found in each."""

from __future__ import annotations

import turnmark


def found_in(replies, *, user="What do you think?", tags=None, profile=None):
    """The evidence of each reply, in order; ``user``, ``tags`` and ``profile`` are values or functions of the place."""

    def of(value, place):
        return value(place) if callable(value) else value

    traces = []
    for place, reply in enumerate(replies):
        turn = {
            "turn_pair_id": 1,
            "user_turn_abs_idx": 0,
            "gt_assistant_abs_idx": 1,
            "user_text": of(user, place),
            "gt_assistant_text": "",
            "gt_turn_tags": tags or {"compliance_label_gt": "compliant"},
            "pred_assistant_text": reply,
            "turn_status": "ok",
        }
        trace = {
            "trace_version": "v1",
            "run_id": "plain",
            "dialog_id": f"d{place:03}",
            "dataset_index": place,
            "dialog_status": "ok",
            "valid_dialog": True,
            "turns": [turn],
        }
        told = of(profile, place)
        traces.append({**trace, "profile_gt": told} if told else trace)
    pieces = [[] for _ in replies]
    for piece in turnmark.score(traces, suite="finance").evidence:
        pieces[int(piece["dialog_id"][1:])].append(piece)
    return pieces
