"""Whether a text of memory holds what a required key stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.calibrated.mentions import Mention
from turnmark.detectors.finance.calibrated.topic import Topic, filler_pattern
from turnmark.detectors.finance.calibrated.values import Values
from turnmark.language.analysis import analyse
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels import MemoryLabel

_PRESENT, _PARTIAL, _WINDOW = 0.45, 0.25, 160


class MemoryMatch(NamedTuple):
    """How a text holds a target: ``text[start:end] == quote``; an empty span when absent."""

    label: MemoryLabel
    start: int = 0
    end: int = 0
    quote: str = ""


class MemoryDetector:
    """Presence of a target in a text, in any equivalent form."""

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        self._values = [Values(pack) for pack in packs]
        self._filler = filler_pattern(word for pack in packs for word in pack.filler)
        self._common = frozenset(word for pack in packs for word in pack.common)

    def presence(self, target: str, text: str) -> MemoryMatch:
        """How ``text`` holds ``target``: another number or the opposite value is conflicting, part of it partial."""
        if not target or not text:
            return MemoryMatch("absent")
        for values in self._values:
            finder = values.finder(target)
            if finder is not None:
                return _match(_judge(finder(analyse(text))), text)
        start = text.find(target)
        if start >= 0:
            return _match(("present", start, start + len(target)), text)
        share, start, end = Topic(target, self._filler, self._common).best(analyse(text), window=_WINDOW)
        label: MemoryLabel = "present" if share >= _PRESENT else "partial" if share >= _PARTIAL else "absent"
        return _match((label, start, end), text)


def _judge(mentions: Sequence[Mention]) -> tuple[MemoryLabel, int, int]:
    """What the mentions come to: the user's own value decides, the same one before another."""
    stated = [mention for mention in mentions if mention.owned and mention.bound]
    for relation, label in (("same", "present"), ("other", "conflicting")):
        for mention in stated:
            if mention.relation == relation:
                return label, mention.start, mention.end  # type: ignore[return-value]
    for mention in stated:
        if mention.relation == "part":
            return "partial", mention.start, mention.end
    return "absent", 0, 0


def _match(found: tuple[MemoryLabel, int, int], text: str) -> MemoryMatch:
    label, start, end = found
    if label == "absent":
        return MemoryMatch("absent")
    return MemoryMatch(label, start, end, text[start:end])
