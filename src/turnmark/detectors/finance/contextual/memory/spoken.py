"""What a user says in turns of his own: attitudes and plans in everyday words; what is said of others, or is over.

``tells`` of a level are patterns over one sentence of the user's ("can't sleep if my money drops"); a duration fixes
the horizon where the sentence speaks of needing the money (``needs``). A value that is told of a relative or friend is
not the user's, and one of an earlier time, denied or taken back ("used to be aggressive, but not any more") is none
that is held now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from turnmark.detectors.finance.contextual.memory.mentions import Mention, Reader, Words
from turnmark.language.match.patterns import AnyOf, compile_any
from turnmark.language.values import read_values
from turnmark.packs.profile import LevelField, ProfilePack

Held = Literal["held", "other", "over"]

_ENDED_REACH, _PAST_REACH, _NEAR, _OPENING = 24, 40, 8, 4


class Spoken:
    """Reads the turns of the user in one language."""

    def __init__(self, pack: ProfilePack, packs: Sequence[ProfilePack]) -> None:
        """Make ready; whose a value is, and whether it is over, is told by the words of all languages."""
        joined = [one.spoken for one in packs]
        self._others = Words(word for spoken in joined for word in spoken.others)
        self._own = Words(word for spoken in joined for word in spoken.own)
        self._past = Words(word for spoken in joined for word in spoken.past)
        self._ended = Words(word for spoken in joined for word in spoken.ended)
        self._soon = Words(pack.spoken.soon)
        self._needs, self._unrelated = Words(pack.spoken.needs), Words(pack.spoken.unrelated)
        self._tells: dict[int, dict[str, AnyOf]] = {
            id(field): {value: compile_any(level.tells, {}) for value, level in field.values.items() if level.tells}
            for field in (pack.risk, pack.liquidity)
        }

    def held(self, reader: Reader, start: int, end: int, *, denial: bool = True) -> Held:
        """Whether what stands at a folded span is the user's now, someone else's, or over.

        Args:
            reader: The text.
            start: Where it starts.
            end: Where it ends.
            denial: Whether a denial makes it over; not where the words hold one of their own.

        """
        if not reader.spoken(start):
            return "held"
        first, last = reader.clause(start, end)
        opened = max(first, reader.line(start)[0])
        if self._is_of_other(reader.text, opened, start) or self._is_asked(reader, opened, last):
            return "other"
        if self._past.within(reader.text, max(opened, start - _PAST_REACH), start):
            return "over"
        if self._ended.within(reader.text, end, min(reader.line(end)[1], max(last, end) + _ENDED_REACH)):
            return "over"
        denied = denial and reader.analysis.scope(reader.analysis.folded.to_original(start, end)).negated
        return "over" if denied else "held"

    def _is_of_other(self, text: str, start: int, end: int) -> bool:
        """Whether somebody else opens a clause, and the user does not come after."""
        others = self._others.within(text, start, end)
        if others is None or self._own.within(text, others.end(), end):
            return False
        return len(text[start : others.start()].rpartition(":")[2].strip()) <= _OPENING

    def _is_asked(self, reader: Reader, start: int, end: int) -> bool:
        """Whether a clause asks, without saying who the user is."""
        stop = reader.sentence(start)[1]
        asks = reader.text[start:stop].rstrip().endswith("?") and not reader.text[end:stop].strip(" ?")
        return asks and self._own.within(reader.text, start, end) is None

    def now(self, reader: Reader, mention: Mention, span: tuple[int, int]) -> Mention | None:
        """A mention of a level at a folded span as it holds now: what is over is another one; None when not his."""
        held = self.held(reader, *span)
        if held == "held":
            return mention
        return mention._replace(relation="other", use=False) if held == "over" and mention.relation == "same" else None

    def levels(self, reader: Reader, field: LevelField) -> Iterator[tuple[str, int, int]]:
        """The levels that the user's sentences tell in everyday words, with their folded spans."""
        for start, end in self.sentences(reader):
            for value, patterns in self._tells[id(field)].items():
                match = patterns.search(reader.text, start, end)
                if match and self.held(reader, *match.span(), denial=False) == "held":
                    yield value, match.start(), match.end()

    def durations(self, reader: Reader) -> Iterator[tuple[float, float, int, int]]:
        """For how many months, at least and at most, the user can leave the money, with the folded spans."""
        for first, last in self.sentences(reader):
            if not self._needs.within(reader.text, first, last):
                continue
            soon = self._soon.within(reader.text, first, last)
            if soon:
                yield 0.0, 1.0, *soon.span()
            for value in read_values(reader.text[first:last]):
                months = _MONTHS.get(value.unit) if value.kind in _STRETCHES else None
                start, end = first + value.start, first + value.end
                near = max(first, start - _NEAR), min(last, end + _NEAR)
                if months is None or value.low * months > _CENTURY or self._unrelated.within(reader.text, *near):
                    continue
                if not self._is_of_other(reader.text, first, start):
                    yield value.low * months, min(value.high * months, _CENTURY), start, end

    def sentences(self, reader: Reader) -> Iterator[tuple[int, int]]:
        """The sentences of the user's turns that are no questions, in folded offsets."""
        segments, folded = reader.analysis.segments, reader.analysis.folded
        for sentence in segments.sentences:
            start, end = folded.from_original(sentence.start, sentence.end)
            opened = next((first for first, last in reader.turns if first < end and start < last), None)
            if opened is not None and not reader.text[start:end].rstrip().endswith("?"):
                yield max(start, opened), end


_MONTHS = {"year": 12.0, "month": 1.0, "week": 12 / 52, "day": 12 / 365}
"""Units of time in months."""
_STRETCHES = frozenset(("duration", "quantity"))
_CENTURY = 1200.0
"""Months that no plan exceeds; what is more was read of two numbers side by side (二十万|五个月)."""
