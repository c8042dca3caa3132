"""Negations in a chain: two cancel each other (不是…不能, 没有什么不可以), three deny again."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.language.match.phrases import Phrases
from turnmark.language.scope.cues import Cue


def chain_length(
    text: str, negations: Sequence[Cue], position: int, between: Phrases, longest_gap: int | None = None
) -> int:
    """How many of the last negations stand in one chain that reaches a position.

    Args:
        text: The folded text.
        negations: Cues that deny, in order, all before the position.
        position: Where what they deny begins.
        between: What may stand between two of them, and behind the last.
        longest_gap: The most characters that may stand there; any number when None.

    """
    length = 0
    for cue in reversed(negations):
        gap = position - cue.end
        if (longest_gap is not None and gap > longest_gap) or not between.covers(text, cue.end, position):
            break
        position = cue.start
        length += 1
    return length
