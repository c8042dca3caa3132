"""Constraints as users tell them in turns of their own, read by the one reader of constraints.

"I could not live with a fall of more than 15%" and 最大回撤<15% are one kind with one number; "leave small caps out"
and 不买单一小盘股 one ban. A sentence that tells another number, or that takes what is banned, contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds, ParsedConstraint
from turnmark.detectors.finance.contextual.memory.mentions import Reader, Words
from turnmark.detectors.finance.contextual.memory.records import RecordMatch
from turnmark.detectors.finance.contextual.memory.spoken import Spoken
from turnmark.language.values import read_values
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels.finance import MemoryLabel

_QUOTES = frozenset('"“”「」『』')
_LONGEST = 100
"""Characters of a sentence that tells one constraint."""


class ToldLimits:
    """Judges constraints by what the user's sentences tell."""

    def __init__(self, kinds: ConstraintKinds, packs: Sequence[ProfilePack]) -> None:
        self._kinds = kinds
        self._bounding = Words(
            word for pack in packs for word in (*pack.bounding, *pack.tolerance, *pack.spoken.setting)
        )
        self._accepting = Words(word for pack in packs for word in pack.spoken.accepting)
        self._refusing = Words(word for pack in packs for word in pack.spoken.refusing)
        self._telling = Words(word for pack in packs for word in pack.spoken.telling)

    def stated(self, readers: Sequence[tuple[Reader, Spoken]]) -> bool:
        """Whether the user states a limit of his own that replies could be held to: no wish, no report, no question."""
        return any(
            self._states(reader, spoken, start, end)
            for reader, spoken in readers
            for start, end in spoken.sentences(reader)
        )

    def _states(self, reader: Reader, spoken: Spoken, start: int, end: int) -> bool:
        text = reader.text[start:end].strip()
        told = self._kinds.understand(text) if end - start <= _LONGEST else None
        if told is None or not told.held_to or spoken.held(reader, end - 1, end, denial=False) != "held":
            return False
        scope = reader.analysis.scope(reader.analysis.folded.to_original(start, end))
        if scope.reported or any(mark in text for mark in _QUOTES) or self._telling.within(reader.text, start, end):
            return False
        refuses = self._refusing.within(reader.text, start, end)
        accepts = self._accepting.within(reader.text, start, end)
        if told.grades or (told.kind.form == "ban" and self._kinds.says_only(text)):
            return accepts is None
        if told.value is not None:
            return bool(read_values(text)) and bool(refuses or self._bounding.within(reader.text, start, end))
        return not told.own and refuses is not None and accepts is None

    def judge(self, target: str, readers: Sequence[tuple[Reader, Spoken]]) -> RecordMatch | None:
        """What the user tells of a constraint (folded offsets), the same before another; None when nothing."""
        asked = self._kinds.understand(target)
        if asked is None or not asked.held_to or asked.own or asked.grades:
            return None
        found = list(self._told(asked, readers))
        return next((match for match in found if match[0] == "present"), found[0] if found else None)

    def _told(self, asked: ParsedConstraint, readers: Sequence[tuple[Reader, Spoken]]) -> Iterator[RecordMatch]:
        for reader, spoken in readers:
            for start, end in spoken.sentences(reader):
                if end - start > _LONGEST or spoken.held(reader, end - 1, end) == "other":
                    continue
                told = self._kinds.understand(reader.text[start:end].strip())
                if told is None or told.typed.subject != asked.typed.subject or told.kind.form != asked.kind.form:
                    continue
                label = self._compare(asked, told, reader.text, (start, end))
                if label:
                    yield label, start, end

    def _compare(
        self, asked: ParsedConstraint, told: ParsedConstraint, text: str, span: tuple[int, int]
    ) -> MemoryLabel | None:
        accepts = self._accepting.within(text, *span) is not None
        if asked.value is not None:
            bears = accepts or self._bounding.within(text, *span) or self._refusing.within(text, *span)
            if told.value is None or told.kind.unit != asked.kind.unit or not bears:
                return None
            return "present" if told.value == asked.value else "conflicting"
        refuses = self._refusing.within(text, *span)
        if accepts and (refuses is None or refuses.start() > span[0]):
            return None if refuses and not self._within_accepting(refuses.span(), text, span) else "conflicting"
        return "present" if refuses else None

    def _within_accepting(self, refusal: tuple[int, int], text: str, span: tuple[int, int]) -> bool:
        """Whether a refusing word is part of one that accepts: don't mind."""
        return any(
            match.start() <= refusal[0] and refusal[1] <= match.end()
            for match in self._accepting.pattern.finditer(text, *span)
        )
