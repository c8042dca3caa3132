"""From which score on a class is offered: chosen on labelled replies that the weights have not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

AIM = 0.5
"""Of what is shown, so much must be right, where a threshold is chosen and where it is tried on others."""
FEWEST = 10
"""Replies that must be shown before a precision says anything."""


class Scored(NamedTuple):
    """The score of a reply for a class that no rule asserts of it, and whether readers see it there."""

    score: float
    gold: bool


class Tally(NamedTuple):
    """How many replies are shown, and how many of these are right."""

    shown: int = 0
    right: int = 0

    def with_more(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.shown + other.shown, self.right + other.right)

    @property
    def holds(self) -> bool:
        """Whether enough are shown, and enough of these right, to offer what they stand for."""
        return self.shown >= FEWEST and self.right >= AIM * self.shown


def chosen_threshold(found: Sequence[Scored], aim: float = AIM) -> float | None:
    """The lowest score from which on at least ``aim`` of what is shown is right; None where it is of no `FEWEST`."""
    ordered = sorted(found, key=lambda item: (-item.score, item.gold))
    best, right = None, 0
    for index, item in enumerate(ordered, 1):
        right += item.gold
        last_of_equals = index == len(ordered) or ordered[index].score < item.score
        if last_of_equals and index >= FEWEST and right >= aim * index:
            best = item.score
    return best


def tally(found: Sequence[Scored], threshold: float | None) -> Tally:
    """What is shown at a threshold; nothing without one."""
    shown = [] if threshold is None else [item for item in found if item.score >= threshold]
    return Tally(len(shown), sum(item.gold for item in shown))
