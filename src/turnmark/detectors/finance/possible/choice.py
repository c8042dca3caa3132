"""From which score on a class is offered: chosen on labelled replies that the weights have not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

AIM = 0.5
"""The precision that a threshold is chosen for, among what no rule asserts."""
LEAST = 0.4
"""Below this precision a class is not offered."""
FEWEST = 4
"""Replies that must be shown before a precision says anything."""


class Scored(NamedTuple):
    """The best score of a reply for a class that no rule asserts of it, and whether readers see it there."""

    score: float
    gold: bool


def chosen_threshold(found: Sequence[Scored]) -> float | None:
    """The lowest score from which on at least `AIM` of what is shown is right; of `LEAST`, where none reaches that.

    None where fewer than `FEWEST` replies are shown at either, or none of them is reached: the class is not offered.
    """
    ordered = sorted(found, key=lambda item: (-item.score, item.gold))
    for aim in (AIM, LEAST):
        best = None
        right = 0
        for index, item in enumerate(ordered, 1):
            right += item.gold
            last_of_equals = index == len(ordered) or ordered[index].score < item.score
            if last_of_equals and index >= FEWEST and right >= aim * index:
                best = item.score
        if best is not None:
            return best
    return None


def tally(found: Sequence[Scored], threshold: float | None) -> tuple[int, int]:
    """How many replies are shown at a threshold, and how many of these are right; none without a threshold."""
    if threshold is None:
        return 0, 0
    shown = [item for item in found if item.score >= threshold]
    return len(shown), sum(item.gold for item in shown)
