"""What a canonical value looks like in a text: the places that state it, another value of its field, or part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from turnmark.detectors.finance.calibrated.mentions import Finder, Mention, Owner, Reader, Relation, Words
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.fold import fold_text
from turnmark.language.quantity import Quantity
from turnmark.packs.profile import LevelField, Limit, ProfilePack


class Values:
    """Finders for targets; the words come from the profile pack."""

    def __init__(self, pack: ProfilePack) -> None:
        self._pack = pack
        self._owner = Owner(pack.owner, pack.address)
        self._speaker = Words(pack.speaker)
        self._bounding = Words([*pack.bounding, *pack.tolerance])
        self._towards = Words(pack.towards)
        self._wanting = Words(pack.wanting)
        self._tolerance = Words(pack.tolerance)
        self._others = Words(pack.others)
        self._drawdown = Words(pack.limits["drawdown"].about)
        self._last: Reader | None = None
        self._finders: dict[str, Finder | None] = {}

    def reader(self, analysis: Analysis) -> Reader:
        """The text with its turns and owners; many finders read the same text in turn."""
        if self._last is None or self._last.analysis is not analysis:
            self._last = Reader(analysis, self._owner, self._speaker)
        return self._last

    def finder(self, target: str) -> Finder | None:
        """What finds mentions of a target; None when it is no canonical value."""
        if target not in self._finders:
            if len(self._finders) > 4096:
                self._finders.clear()
            self._finders[target] = self._make(target)
        return self._finders[target]

    def embedded(self, utterance: str) -> list[str]:
        """The canonical values that an utterance states: a drawdown limit, a risk level."""
        analysis = analyse(utterance)
        text = analysis.folded.text
        found = []
        drawdown = self._drawdown
        for quantity in analysis.quantities:
            start, end = analysis.folded.from_original(quantity.start, quantity.end)
            near = max(0, start - 16), end + 8
            if quantity.unit == "percent" and drawdown.within(text, *near) and self._bounding.within(text, *near):
                found.append(f"最大回撤<{quantity.low:g}%")
        for value, level in self._pack.risk.values.items():
            match = Words(level.says).within(text, 0, len(text))
            if match and self._owner.named(text, max(0, match.start() - 6), match.start()):
                found.append(value)
        return found

    def _make(self, target: str) -> Finder | None:
        pack = self._pack
        folded = fold_text(target).strip()
        for field in (pack.risk, pack.liquidity):
            if target in field.values:
                return self._level(field, target)
        if target in pack.horizon.bounds:
            return self._horizon(target)
        for name, family in pack.families.items():
            if folded == fold_text(name):
                return self._family(family.names, family.members, family.wider)
        if _NAME.fullmatch(folded) is None:
            return None
        for limit in pack.limits.values():
            if any(fold_text(word) in folded for word in limit.target):
                return self._limit(limit, target)
        return self._family([target], [], [])

    # Levels: risk, liquidity

    def _level(self, field: LevelField, target: str) -> Finder:
        value_of = {fold_text(word): value for value, level in field.values.items() for word in level.marked}
        says_of = {fold_text(word): value for value, level in field.values.items() for word in level.says}
        says, near, serves = (
            Words(words) for words in (says_of, field.values[target].near, field.values[target].serves)
        )
        strict, loose, marked = map(_either, (field.markers, field.loose, value_of))
        names = Words([*field.markers, *field.loose])
        beside = re.compile(
            rf"(?:{strict}|(?P<loose>{loose}))[^\n。;,?]{{0,6}}?(?P<value>{marked})(?![a-z])"
            rf"|(?P<before>{marked})的?(?:{strict})"
        )

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            found = []
            for match in beside.finditer(reader.text) if names.present(reader.text) else ():
                if reader.asked(*match.span()) or self._others.within(reader.text, match.end(), match.end() + 8):
                    continue
                if match["loose"] and not reader.field(match.start()):
                    continue
                same = value_of[match["value"] or match["before"]] == target
                found.append(reader.mention("same" if same else "other", *match.span(), mine=True))
            for match in says.found(reader.text):
                if reader.asked(*match.span()) or not _alone(reader.text, match, says):
                    continue
                if reader.owned(*match.span()):
                    found.append(reader.mention("same" if says_of[match.group()] == target else "other", *match.span()))
            found += [reader.mention("part", *match.span(), mine=True) for match in near.found(reader.text)]
            for match in serves.found(reader.text):
                found.append(reader.mention("part", *match.span(), bound=False)._replace(use=True))
            return found

        return find

    # Horizons

    def _horizon(self, target: str) -> Finder:
        horizon = self._pack.horizon
        low, high = horizon.bounds[target]
        markers, plans, unrelated = map(Words, (horizon.markers, horizon.plans, horizon.unrelated))
        order = list(horizon.bounds)
        coarse = {value: Words(words) for value, words in horizon.words.items()}

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            found = []
            for quantity in analysis.quantities:
                months = _months(quantity)
                if months is None:
                    continue
                start, end = analysis.folded.from_original(quantity.start, quantity.end)
                if reader.asked(start, end) or unrelated.within(reader.text, max(0, start - 4), start):
                    continue
                first, last = reader.clause(start, end)
                near = max(first, start - 12), min(last, end + 12)
                marked = markers.within(reader.text, *near)
                if not marked and not plans.within(reader.text, end, near[1]):
                    continue
                if unrelated.within(reader.text, end, min(last, end + 5)):
                    continue
                inside = low <= months[0] <= high and low <= months[1] <= high
                found.append(reader.mention("same" if inside else "other", start, end)._replace(use=inside))
            for value, words in coarse.items():
                gap = abs(order.index(value) - order.index(target))
                relation: Relation = "same" if gap == 0 else "part" if gap == 1 else "other"
                for match in words.found(reader.text):
                    name = markers.within(reader.text, match.start() - 7, match.start())
                    if name and _LINK.fullmatch(reader.text, name.end(), match.start()):
                        found.append(reader.mention(relation, *match.span(), mine=True))
            return found

        return find

    # Limits

    def _limit(self, limit: Limit, target: str) -> Finder:
        number = next((q for q in analyse(target).quantities if q.unit == limit.unit and limit.unit), None)
        about, also, core = Words(limit.about), Words(limit.also), Words(limit.core or limit.about)
        if number is None:
            return self._stance(about, wanted=limit.stance == "for")

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            found = []
            for quantity in analysis.quantities:
                if quantity.unit != limit.unit or quantity.kind != "amount":
                    continue
                start, end = analysis.folded.from_original(quantity.start, quantity.end)
                first, last = reader.clause(start, end)
                subject = about.within(reader.text, max(first, start - 22), min(last, end + 14))
                if subject is None or reader.asked(start, end):
                    continue
                near = max(first, min(start - 10, subject.start())), min(last, end + 8)
                bound = self._bounding.within(reader.text, *near) is not None
                single = quantity.low == quantity.high
                equal = quantity.low == number.low and (
                    single or _BEYOND.search(reader.text[max(0, start - 4) : start])
                )
                if reader.row(start) and reader.text.count("%", first, last) > 2:
                    bound = False
                span = min(start, subject.start()), max(end, subject.end())
                mention = reader.mention("same" if equal else "other", *span, bound=bound and single)
                tolerated = self._tolerance.within(reader.text, max(first, span[0] - 10), min(last, span[1] + 8))
                owned = reader.spoken(start) or tolerated is not None or (equal and mention.owned)
                core_subject = core.within(reader.text, *span) is not None
                found.append(mention._replace(owned=owned, use=bool(equal) and core_subject))
            found += [reader.mention("part", *match.span())._replace(use=True) for match in also.found(reader.text)]
            return found

        return find

    def _stance(self, about: Words, *, wanted: bool) -> Finder:
        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            found = []
            for match in about.found(reader.text):
                if reader.asked(*match.span()):
                    continue
                scope = analysis.scope(analysis.folded.to_original(*match.span()))
                away = scope.negated or scope.warned_against
                stated = (
                    away
                    or wanted
                    or (
                        reader.spoken(match.start())
                        and self._towards.within(reader.text, *reader.line(match.start())) is not None
                    )
                )
                mention = reader.mention("same" if wanted != away else "other", *match.span(), bound=stated)
                found.append(mention._replace(use=mention.relation == "same"))
            return found

        return find

    # Asset classes

    def _family(self, names: Sequence[str], members: Sequence[str], wider: Sequence[str]) -> Finder:
        exact, broad = Words([*names, *members]), Words(wider)

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            found = []
            for pattern, relation in ((exact, "same"), (broad, "part")):
                for match in pattern.found(reader.text):
                    if reader.asked(*match.span()):
                        continue
                    first, _ = reader.clause(*match.span())
                    if reader.spoken(match.start()):
                        wanted = self._wanting.within(reader.text, *reader.line(match.start())) is not None
                    else:
                        wanting = self._wanting.within(reader.text, first, match.start())
                        wanted = wanting is not None and self._owner.named(reader.text, first, wanting.start())
                    mention = reader.mention(relation, *match.span(), bound=wanted)  # type: ignore[arg-type]
                    found.append(mention._replace(use=relation == "same"))
            return found

        return find


# What may stand between the name of a field and its value.
_LINK = re.compile(r"[ *:|是为偏在属于]*")
# A canonical value is a name, not a sentence.
_NAME = re.compile(r"[\w+*%<>=.\-/ ]{1,24}")
_BEYOND = re.compile("超过|超出|大于|突破")
_BESIDE = re.compile(r"[/、或](?:是|者)?|还是")


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
