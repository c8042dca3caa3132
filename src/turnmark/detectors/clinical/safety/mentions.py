"""Where an answer names what a safety rule speaks of: the mentions that stand on their own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate

from turnmark.detectors.clinical.safety.advice import Mention


def _position(mention: Mention) -> tuple[int, int, str]:
    return mention.start, mention.end, mention.label


def of_their_own(mentions: Iterable[Mention], asides: Mapping[str, list[tuple[int, int]]]) -> list[Mention]:
    """The mentions, in order, that no look-alike touches, without those in a longer one of their label: 酒 in 喝酒."""
    kept: list[Mention] = []
    touched = {label: _Reach(spans) for label, spans in asides.items()}
    reach: dict[str, int] = {}
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        look_alikes = touched.get(mention.label)
        if look_alikes and look_alikes.before(mention.end) > mention.start:
            continue
        if mention.end > reach.get(mention.label, 0):
            kept.append(mention)
            if mention.is_word:
                reach[mention.label] = mention.end
    return sorted(kept, key=_position)


class _Reach:
    """How far spans reach that begin before a position."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        spans = sorted(spans)
        self._starts = [start for start, _ in spans]
        self._ends = list(accumulate((end for _, end in spans), max))

    def before(self, position: int) -> int:
        """The furthest end of a span that begins before a position; 0 without any."""
        index = bisect_left(self._starts, position)
        return self._ends[index - 1] if index else 0
