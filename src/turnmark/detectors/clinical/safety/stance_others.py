"""The habit of other people, and what the answer then says to this patient: "many people …, but you should skip it"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from turnmark.language.scope.cues import Cue

_TURNS = frozenset(("this_patient", "patient_too", "patient_not"))
_FREES = frozenset(("frees_after", "frees_before", "takes_back"))
_NEAR = 16


def turned_to_patient(before: Sequence[Cue], behind: Iterable[Cue]) -> Cue | None:
    """The words that turn from a habit of others, told before the passage, to this patient; None without a habit.

    Args:
        before: The cues of the sentence that end before the passage.
        behind: The cues behind the passage, of its sentence and the opening of the next.

    """
    told = [cue for cue in before if "others" in cue.kinds]
    if not told or any(cue.start >= told[-1].end and not cue.kinds.isdisjoint(_TURNS) for cue in before):
        return None
    turns = [cue for cue in behind if not cue.kinds.isdisjoint(_TURNS)]
    # "you can too" is longer than "you".
    return min(turns, key=lambda cue: (cue.start, -cue.end), default=None)


def meant_for_patient(turn: Cue, cues: Iterable[Cue], *, banned: bool) -> Literal["", "do", "avoid"]:
    """Whether this patient is told to do as the others do or to avoid it; "" when neither is said.

    ``banned`` when the scope at the turn says so.
    """
    if "patient_not" in turn.kinds:
        return "avoid"
    too = "patient_too" in turn.kinds
    freed = any(
        turn.start <= cue.start and (not too or cue.start - turn.end <= _NEAR) and not cue.kinds.isdisjoint(_FREES)
        for cue in cues
    )
    if freed or banned:
        return "avoid"
    return "do" if too else ""
