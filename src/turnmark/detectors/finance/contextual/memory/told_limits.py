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
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels.finance import MemoryLabel

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
