"""How the fields of a profile are said: levels by their names or beside that of the field, horizons by durations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from turnmark.detectors.finance.contextual.memory.mentions import Mention, Reader, Relation, Words
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.fold import fold_text
from turnmark.packs.profile import Horizon, LevelField

# What may stand between the name of a field and its value.
_LINK = re.compile(r"[ *:|是为偏在属于]*")
_QUOTES = frozenset("\"'“‘「『《")
_BESIDE = re.compile(r"[/、或](?:是|者)?|还是")
_REACH = 24
"""A duration further from the words of a horizon than this is no horizon."""


class HorizonWords:
    """How horizons are said: by a duration, or by a coarse word."""

    def __init__(self, horizon: Horizon) -> None:
        self._bounds = horizon.bounds
        self._order = list(horizon.bounds)
        self._markers = Words(horizon.markers)
        self._plans = Words(horizon.plans)
        self._unrelated = Words(horizon.unrelated)
        self._coarse = {value: Words(words) for value, words in horizon.words.items()}

    def durations(self, reader: Reader, target: str) -> Iterator[Mention]:
        """Durations that stand beside the name of the field or before a plan."""
        named = (match.span() for words in (self._markers, self._plans) for match in words.found(reader.text))
        for quantity in reader.analysis.quantities_around(named, _REACH):
            months = _months(quantity)
            if months is None:
                continue
            start, end = reader.analysis.folded.from_original(quantity.start, quantity.end)
            if not reader.asked(start, end) and self._fixes(reader, start, end):
                inside = self.holds(target, *months)
                yield reader.mention("same" if inside else "other", start, end)._replace(use=inside)

    def holds(self, target: str, low: float, high: float) -> bool:
        """Whether a horizon holds a stretch of months."""
        first, last = self._bounds[target]
        return first <= low <= last and first <= high <= last

    def _fixes(self, reader: Reader, start: int, end: int) -> bool:
        text = reader.text
        first, last = reader.clause(start, end)
        near = max(first, start - 12), min(last, end + 12)
        if not self._markers.within(text, *near) and not self._plans.within(text, end, near[1]):
            return False
        before, after = (start - 4, start), (end, min(last, end + 5))
        return not self._unrelated.within(text, *before) and not self._unrelated.within(text, *after)

    def coarse(self, reader: Reader, target: str) -> Iterator[Mention]:
        """Coarse words beside the name of the field, or in a plan of the user's."""
        for value, words in self._coarse.items():
            gap = abs(self._order.index(value) - self._order.index(target))
            relation: Relation = "same" if gap == 0 else "part" if gap == 1 else "other"
            for match in words.found(reader.text):
                name = self._markers.within(reader.text, match.start() - 7, match.start())
                if name and _LINK.fullmatch(reader.text, name.end(), match.start()):
                    yield reader.mention(relation, *match.span(), mine=True)
                elif gap == 0 and self._planned(reader, *match.span()):
                    yield reader.mention(relation, *match.span())

    def _planned(self, reader: Reader, start: int, end: int) -> bool:
        """Whether a coarse horizon (三五年) is what the user plans with."""
        first, last = reader.clause(start, end)
        planned = self._plans.within(reader.text, max(first, start - 8), min(last, end + 8))
        other = self._unrelated.within(reader.text, max(first, start - 3), min(last, end + 3))
        return bool(planned) and not other and reader.owned(start, end) and not reader.asked(start, end)


class LevelWords:
    """How the levels of a field are said: beside its name, or by words of their own."""

    def __init__(self, field: LevelField) -> None:
        self._value_of = {fold_text(word): value for value, level in field.values.items() for word in level.marked}
        self._says_of = {fold_text(word): value for value, level in field.values.items() for word in level.says}
        self._says = Words(self._says_of)
        self._strict, self._names = frozenset(map(fold_text, field.markers)), Words([*field.markers, *field.loose])
        marked = _either(self._value_of)
        self._after = re.compile(rf"[^\n。;,?]{{0,6}}?(?P<value>{marked})(?![a-z])")
        self._before = re.compile(rf"(?<![a-z])(?P<value>{marked})(?:的| )?$")

    def beside(self, text: str) -> Iterator[tuple[str, int, int, bool]]:
        """Values beside the name of the field, where they stand, and whether the name is that of products too."""
        for name in self._names.found(text):
            strict = name.group() in self._strict
            match = self._after.match(text, name.end())
            if match:
                yield self._value_of[match["value"]], name.start(), match.end(), not strict
            elif strict and (match := self._before.search(text, max(0, name.start() - 12), name.start())):
                yield self._value_of[match["value"]], match.start(), name.end(), False

    def alone(self, reader: Reader, only: str = "") -> Iterator[tuple[str, int, int]]:
        """Values, or one of them, that are said of the user by themselves (您是稳健型)."""
        for match in self._says.found(reader.text):
            if only and self._says_of[match.group()] != only:
                continue
            span = match.span()
            if not (reader.named(*span) if reader.text[span[0] - 1 : span[0]] in _QUOTES else reader.owned(*span)):
                # What is only quoted (宣传写着"稳健") is the user's where he is named.
                continue
            if not reader.asked(*span) and _alone(reader.text, match, self._says):
                yield self._says_of[match.group()], *span


def _alone(text: str, match: re.Match[str], levels: Words) -> bool:
    """Whether a level is not one of an enumeration (保守型/稳健型/进取型)."""
    after = _BESIDE.match(text, match.end())
    if after and levels.pattern.match(text, after.end()):
        return False
    before = text[max(0, match.start() - 8) : match.start()]
    return not any(_BESIDE.fullmatch(before, other.end()) for other in levels.pattern.finditer(before))


def _either(words: Iterable[str]) -> str:
    """An alternation of words, the longest first, to stand inside a pattern."""
    folded = sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, folded)) or r"(?!)"


def _months(quantity: Quantity) -> tuple[float, float] | None:
    factor = {"year": 12.0, "month": 1.0}.get(quantity.unit)
    if factor is None or quantity.kind != "amount":
        return None
    return quantity.low * factor, quantity.high * factor
