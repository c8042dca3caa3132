"""Whether a text of memory holds what a required key stands for."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.key_text import Texts
from turnmark.detectors.finance.contextual.memory.agreement import value_state
from turnmark.detectors.finance.contextual.memory.mentions import Mention
from turnmark.detectors.finance.contextual.memory.notes import note_label
from turnmark.detectors.finance.contextual.memory.records import Entry, RecordMatch, Records, Target
from turnmark.detectors.finance.contextual.memory.verbatim import Verbatim
from turnmark.language.analysis import Analysis, analyse
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels.finance import MemoryLabel

_PRESENT, _PARTIAL, _WINDOW, _MOST_TEXTS = 0.45, 0.25, 160, 64
_SPOKEN = re.compile("(?:user|assistant|human|client|customer|用户|客户|助手|顾问|사용자|고객|상담사|어시스턴트) ?:")
_ABSENT: RecordMatch = ("absent", 0, 0)


class MemoryMatch(NamedTuple):
    """How a text holds a target: ``text[start:end] == quote``; an empty span when absent."""

    label: MemoryLabel
    start: int = 0
    end: int = 0
    quote: str = ""


class MemoryDetector:
    """Presence of a target in a text, in any equivalent form."""

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        self._texts = Texts(packs)
        self._records = Records(packs)
        self._verbatim = Verbatim(packs)
        self._entries = functools.lru_cache(maxsize=_MOST_TEXTS)(self._read_entries)

    def presence(self, target: str, text: str | Analysis) -> MemoryMatch:
        """How ``text`` holds ``target``: another number or the opposite value is conflicting, part of it partial."""
        analysis = text if isinstance(text, Analysis) else analyse(text)
        text = analysis.text
        if not target or not text:
            return MemoryMatch("absent")
        goal = self._records.target(target)
        recorded, spoken = self._recorded(goal, analysis)
        noted = note_label(target, analysis, spoken=spoken, word_for_word=bool(goal.field))
        if noted is not None and (recorded is None or noted[0] == "present"):
            return _match(noted, text)
        if recorded is not None and (recorded[0] == "present" or not spoken):
            return _match(recorded, text)
        mentions = self._texts.find(target, analysis)
        if mentions is None:
            return _match(self._uttered(target, analysis), text)
        result = _judge(mentions)
        if result[0] != "present" and goal.text and not goal.field:
            start, end = self._verbatim.find(target, analysis, limit=bool(goal.constraint))
            if end:
                return _match(("present", start, end), text)
        return _match(recorded if recorded is not None and result[0] in ("absent", "partial") else result, text)

    def _recorded(self, goal: Target, analysis: Analysis) -> tuple[RecordMatch | None, bool]:
        """What the record of a text says of a target, and whether somebody speaks in the text."""
        entries, spoken = self._entries(analysis.folded.text)
        result = self._records.judge(goal, entries) if entries else None
        if result is None:
            return None, spoken
        return (result[0], *analysis.folded.to_original(result[1], result[2])), spoken

    def _read_entries(self, folded: str) -> tuple[list[Entry], bool]:
        spoken = _SPOKEN.search(folded) is not None
        return self._records.entries(folded, spoken=spoken), spoken

    def _uttered(self, target: str, analysis: Analysis) -> RecordMatch:
        start = analysis.text.find(target)
        if start >= 0:
            return "present", start, start + len(target)
        share, start, end = self._texts.topic(target).best(analysis, window=_WINDOW)
        if share >= _PARTIAL and value_state(target, analysis.text[start:end]) == "conflicting":
            return "conflicting", start, end
        label: MemoryLabel = "present" if share >= _PRESENT else "partial" if share >= _PARTIAL else "absent"
        return label, start, end


def _judge(mentions: Sequence[Mention]) -> RecordMatch:
    """What the mentions come to: the user's own value decides, the same one before another."""
    stated = [mention for mention in mentions if mention.owned and mention.bound]
    relations: tuple[tuple[str, MemoryLabel], ...] = (
        ("same", "present"),
        ("other", "conflicting"),
        ("part", "partial"),
    )
    for relation, label in relations:
        for mention in stated:
            if mention.relation == relation:
                return label, mention.start, mention.end
    return _ABSENT


def _match(found: RecordMatch, text: str) -> MemoryMatch:
    label, start, end = found
    if label == "absent":
        return MemoryMatch("absent")
    return MemoryMatch(label, start, end, text[start:end])
