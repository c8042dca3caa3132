"""Whether a text of memory holds what a required key stands for."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.contextual.key_text import Texts
from turnmark.detectors.finance.contextual.memory.agreement import all_values, value_state
from turnmark.detectors.finance.contextual.memory.mentions import Mention
from turnmark.detectors.finance.contextual.memory.notes import note_label
from turnmark.detectors.finance.contextual.memory.records import Entry, RecordMatch, Records, Target
from turnmark.detectors.finance.contextual.memory.told_limits import ToldLimits
from turnmark.detectors.finance.contextual.memory.verbatim import Verbatim
from turnmark.language.analysis import Analysis, analyse
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels.finance import MemoryLabel

_PRESENT, _PARTIAL, _WINDOW, _MOST_TEXTS, _NOTE = 0.45, 0.25, 160, 64, 120
_REST = re.compile(r"(?:[,.]?[0-9])*")
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

    def __init__(self, packs: Sequence[ProfilePack], kinds: ConstraintKinds | None = None) -> None:
        """Make ready; ``kinds`` reads constraints that are told in everyday words."""
        self._limits = None if kinds is None else ToldLimits(kinds, packs)
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
        if noted is not None and spoken and (self._of_other(analysis, *noted[1:]) or self._disliked(target, analysis)):
            noted = None
        if noted is not None and (recorded is None or noted[0] == "present"):
            return _match(noted, text)
        if recorded is not None and (recorded[0] == "present" or not spoken):
            return _match(recorded, text)
        mentions = self._texts.find(target, analysis)
        if mentions is None:
            record = bool(self._entries(analysis.folded.text)[0])
            return _match(self._uttered(target, analysis, record=record), text)
        result = _judge(mentions)
        if result[0] != "present" and goal.text and not goal.field:
            start, end = self._verbatim.find(target, analysis, limit=bool(goal.constraint))
            if end and not (spoken and self._of_other(analysis, start, end)):
                return _match(("present", start, end), text)
        if result[0] in ("absent", "partial"):
            told = self._told(target, analysis) if goal.constraint or not goal.field else None
            result = told or recorded or result
        return _match(result, text)

    def states_limit(self, sentence: str) -> bool:
        """Whether a sentence that the user says states a limit of his own."""
        return self._limits is not None and self._limits.stated(self._texts.spoken(analyse(f"user: {sentence}")))

    def _disliked(self, target: str, analysis: Analysis) -> bool:
        """Whether all that the user says of an asset class turns away from it: I have gone off index funds."""
        said = self._texts.find(target, analysis) or []
        return any(one.relation == "other" and one.owned for one in said) and not any(
            one.relation == "same" and one.owned and one.bound for one in said
        )

    def _of_other(self, analysis: Analysis, start: int, end: int) -> bool:
        """Whether the user tells of somebody else at a span: my wife loves growth stocks."""
        first, last = analysis.folded.from_original(start, end)
        return any(
            spoken.held(reader, last - 1, last) == "other" and first < last
            for reader, spoken in self._texts.spoken(analysis)
        )

    def _told(self, target: str, analysis: Analysis) -> RecordMatch | None:
        """What the user tells of a constraint in turns of his own."""
        if self._limits is None:
            return None
        found = self._limits.judge(target, self._texts.spoken(analysis))
        return (found[0], *analysis.folded.to_original(found[1], found[2])) if found else None

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

    def _uttered(self, target: str, analysis: Analysis, *, record: bool) -> RecordMatch:
        """How a text holds an utterance; the values of a ``record`` of a profile are none of an utterance's."""
        start = analysis.text.find(target)
        if start >= 0:
            return "present", start, start + len(target)
        share, start, end = self._texts.topic(target).best(analysis, window=_WINDOW)
        # A window may end within a number: 40|,000.
        rest = _REST.match(analysis.text, end)
        end = rest.end() if rest else end
        if share >= _PARTIAL and value_state(target, analysis.text[start:end]) == "conflicting":
            return "conflicting", start, end
        line = None if record else _line(analysis.text, start, end)
        noted = all_values(target, analysis.text[slice(*line)], near=share >= _PARTIAL) if line else "none"
        if line and noted != "none":
            return "conflicting" if noted == "conflicting" else "present", *line
        label: MemoryLabel = "present" if share >= _PRESENT else "partial" if share >= _PARTIAL else "absent"
        return label, start, end


def _line(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The short line that holds a span; None when it is long or more than one."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = last if last >= 0 else len(text)
    return (first, last) if last - first <= _NOTE and "\n" not in text[first:last] else None


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
