"""What perturbations of finance dialogues are made of: the constraints of the user, the keys of a turn, the memory."""

from __future__ import annotations

import re

import msgspec

from turnmark.schemas.trace import DialogTrace, RecallTrace
from turnmark.suites.planting import edits
from turnmark.suites.planting.material import Material, stated

_KEY = re.compile(r"profile_gt\.(constraints_gt|preferences_gt)\[(\d+)\]")


def constraints(at: Material) -> list[str]:
    """The user's constraints."""
    return list((at.dialog.profile_gt.constraints_gt if at.dialog.profile_gt else None) or ())


def required_keys(at: Material, *fields: str) -> list[str]:
    """The constraints or preferences that this turn must remember."""
    tags, profile = at.turn.gt_turn_tags, at.dialog.profile_gt
    results = []
    for key in (tags.memory_required_keys_gt if tags else None) or ():
        named = _KEY.fullmatch(key)
        if named and named[1] in fields:
            values: list[str] = getattr(profile, named[1], None) or []
            results += values[int(named[2]) : int(named[2]) + 1]
    return results


def recalls(at: Material, *keys: str) -> DialogTrace:
    """The dialogue with a memory that holds nothing but these constraints or preferences of the user."""
    profile = "\n".join(stated(edits.words_of(key).remembers, key) for key in keys)
    recall = RecallTrace(query=at.turn.recall.query if at.turn.recall else None, profile_context=profile, items=[])
    return at.with_turn(msgspec.structs.replace(at.turn, recall=recall))
