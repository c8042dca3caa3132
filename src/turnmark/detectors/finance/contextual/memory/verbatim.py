"""A constraint or an asset class that stands word for word where the user speaks or is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnmark.detectors.finance.contextual.memory.mentions import Owner, Reader, Words
from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import fold_text
from turnmark.packs.profile import ProfilePack

_MOST_PLACES, _MOST_LINES, _OWN_NAME = 20, 8, 3
_BULLET = re.compile(r"[ \t]*(?:[-*•·]|[0-9]{1,2}[.)])")


class Verbatim:
    """Finds a target in the user's own sentences, and in what the assistant restates about this user."""

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        self._owner = Owner(
            [word for pack in packs for word in pack.owner], [word for pack in packs for word in pack.address]
        )
        self._speaker = Words(word for pack in packs for word in pack.speaker)
        self._wanting = Words(word for pack in packs for word in (*pack.wanting, *pack.attribution.wanting))
        self._rejecting = Words(word for pack in packs for word in pack.rejecting)
        self._restating = Words(
            word for pack in packs for word in (*pack.attribution.rule, *pack.attribution.wanting, *pack.wanting)
        )

    def find(self, target: str, analysis: Analysis, *, limit: bool) -> tuple[int, int]:
        """The place (original offsets) that states a target as the user's; (0, 0) when there is none.

        A limit counts wherever the user says it; a short name of an asset class only where the user wants it.
        """
        text = analysis.folded.text
        wanted = fold_text(target).strip()
        start = text.find(wanted) if wanted else -1
        if start < 0:
            return 0, 0
        reader = Reader(analysis, self._owner, self._speaker)
        for _ in range(_MOST_PLACES):
            end = start + len(wanted)
            if _whole(text, start, end) and self._users(reader, start, end, limit=limit):
                return analysis.folded.to_original(start, end)
            start = text.find(wanted, end)
            if start < 0:
                break
        return 0, 0

    def _users(self, reader: Reader, start: int, end: int, *, limit: bool) -> bool:
        text = reader.text
        if reader.spoken(start):
            if limit:
                return True
            line = reader.line(start)
            return self._wanting.within(text, *line) is not None or (
                end - start >= _OWN_NAME and self._rejecting.within(text, *line) is None
            )
        if reader.asked(start, end):
            return False
        first, last = reader.sentence(start)
        if self._owner.named(text, first, start):
            return limit or self._restating.within(text, first, last) is not None
        return self._introduced(text, start)

    def _introduced(self, text: str, position: int) -> bool:
        """Whether a list is introduced as the user's (您的约束: and then points)."""
        first = text.rfind("\n", 0, position) + 1
        if not _BULLET.match(text, first):
            return False
        for _ in range(_MOST_LINES):
            stop, first = first - 1, text.rfind("\n", 0, max(0, first - 1)) + 1
            if stop <= 0:
                return False
            line = text[first:stop].strip(" *#")
            if line and not _BULLET.match(text, first):
                return line.endswith(":") and self._owner.named(text, first, stop)
        return False


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a Latin word is not cut out of a longer one."""
    before = start > 0 and text[start].isascii() and text[start].isalnum() and _latin(text[start - 1])
    after = end < len(text) and _latin(text[end - 1]) and _latin(text[end])
    return not before and not after


def _latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
