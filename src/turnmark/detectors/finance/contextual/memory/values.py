"""What a canonical value looks like in a text: the places that state it, another value of its field, or part of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from turnmark.detectors.finance.contextual.memory.agreement import COUNTED
from turnmark.detectors.finance.contextual.memory.field_words import HorizonWords, LevelWords
from turnmark.detectors.finance.contextual.memory.mentions import Finder, Mention, Owner, Reader, Relation, Words
from turnmark.detectors.finance.contextual.memory.spoken import Spoken
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.fold import fold_text
from turnmark.language.values import read_values
from turnmark.packs.profile import Canonical, LevelField, Limit, ProfilePack


class Values:
    """Finders for targets; the words come from the profile pack.

    Args:
        pack: The vocabulary of a language.
        packs: Those of all languages.
        uses_only: Leave out other values and numbers, which an answer may name without making use of the target.

    Attributes:
        spoken: What reads the turns of the user.

    """

    def __init__(self, pack: ProfilePack, packs: Sequence[ProfilePack], *, uses_only: bool = False) -> None:
        self._uses_only = uses_only
        self._pack = pack
        self._owner = Owner(pack.owner, pack.address)
        self._speaker = Words(pack.speaker)
        self._bounding = Words([*pack.bounding, *pack.tolerance])
        self._tolerance = Words(pack.tolerance)
        self._others = Words(pack.others)
        self._suits = Words(pack.suits)
        self._towards = Words(pack.towards)
        self._rejecting = Words(pack.rejecting)
        self._wanting = Words(pack.wanting)
        self._limits = [*pack.limits.values(), *map(_limit_of, pack.canonical.values())]
        self._drawdown = Words(pack.limits["drawdown"].about if "drawdown" in pack.limits else ())
        self.spoken = Spoken(pack, packs)
        self._says = {value: Words(level.says) for value, level in pack.risk.values.items()}
        self.embedded = functools.lru_cache(maxsize=_MOST_FINDERS)(self._embedded)
        self._readers: dict[Analysis, Reader] = {}
        self._finders: dict[str, Finder | None] = {}

    def reader(self, analysis: Analysis) -> Reader:
        """The text with its turns and owners; many finders read the same few texts in turn."""
        known = self._readers.get(analysis)
        if known is None:
            if len(self._readers) >= _MOST_READERS:
                self._readers.clear()
            known = self._readers[analysis] = Reader(analysis, self._owner, self._speaker)
        return known

    def finder(self, target: str) -> Finder | None:
        """What finds mentions of a target; None when it is no canonical value."""
        if target not in self._finders:
            if len(self._finders) > _MOST_FINDERS:
                self._finders.clear()
            self._finders[target] = self._make(target)
        return self._finders[target]

    def _embedded(self, utterance: str) -> list[str]:
        """The canonical values that an utterance states: a drawdown limit, a risk level."""
        analysis = analyse(utterance)
        text = analysis.folded.text
        results = []
        for quantity in analysis.quantities:
            start, end = analysis.folded.from_original(quantity.start, quantity.end)
            near = start - 16, end + 8
            if quantity.unit == "percent" and self._drawdown.within(text, *near) and self._bounding.within(text, *near):
                results.append(f"最大回撤<{quantity.low:g}%")
        for value in self._pack.risk.values:
            match = next(self._says[value].found(text), None)
            if match and self._owner.named(text, max(0, match.start() - 6), match.start()):
                results.append(value)
        return results

    def _make(self, target: str) -> Finder | None:
        pack = self._pack
        folded = fold_text(target).strip()
        for field in (pack.risk, pack.liquidity):
            if target in field.values:
                return self._level(field, target)
        if target in pack.horizon.bounds:
            return self._horizon(target)
        for name, family in pack.families.items():
            if folded == fold_text(name) or folded in map(fold_text, family.names):
                return self._family([target, *family.names], family.members, family.wider)
        if _NAME.fullmatch(folded) is None:
            return None
        return self._limited(folded, target)

    def _limited(self, folded: str, target: str) -> Finder | None:
        """What finds a limit that the pack knows, or a name that it does not."""
        for limit in self._limits:
            if Words(limit.target).present(folded):
                return self._limit(limit, target)
        if any(value.kind in COUNTED for value in read_values(target)):
            return None  # a limit of the user's own making (保留20万元): its words and its amount are looked for
        return None if _SENTENCE.search(folded) else self._family([target], [], [])

    # Levels: risk, liquidity

    def _level(self, field: LevelField, target: str) -> Finder:
        words = LevelWords(field)
        near, serves = Words(field.values[target].near), Words(field.values[target].serves)

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            results: list[Mention | None] = []
            for value, start, end, loose in words.beside(reader.text):
                if self._uses_only and value != target:
                    continue
                if self._users(reader, start, end) and (not loose or reader.field(start)):
                    mention = reader.mention("same" if value == target else "other", start, end, mine=True)
                    results.append(self.spoken.now(reader, mention, (start, end)))
            for value, start, end in words.alone(reader, target if self._uses_only else ""):
                mention = reader.mention("same" if value == target else "other", start, end)
                results.append(self.spoken.now(reader, mention, (start, end)))
            if not self._uses_only:
                results += [
                    reader.mention("same" if value == target else "other", start, end)
                    for value, start, end in self.spoken.levels(reader, field)
                ]
                results += [reader.mention("part", *match.span(), mine=True) for match in near.found(reader.text)]
            results += [
                reader.mention("part", *match.span(), bound=False)._replace(use=True)
                for match in serves.found(reader.text)
            ]
            return [mention for mention in results if mention is not None]

        return find

    def _users(self, reader: Reader, start: int, end: int) -> bool:
        """Whether a level beside the name of its field may be this user's: not asked, not that of others."""
        if reader.asked(start, end) or self._others.within(reader.text, end, end + 8):
            return False
        suits = self._suits.within(reader.text, start - 6, start)
        return suits is None or self._owner.named(reader.text, suits.end(), start)

    # Horizons

    def _horizon(self, target: str) -> Finder:
        words = HorizonWords(self._pack.horizon)

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            results = [*words.durations(reader, target), *words.coarse(reader, target)]
            if self._uses_only:
                return results
            return results + [
                reader.mention("same" if words.holds(target, low, high) else "other", start, end)
                for low, high, start, end in self.spoken.durations(reader)
            ]

        return find

    # Limits

    def _limit(self, limit: Limit, target: str) -> Finder:
        number = next((q for q in analyse(target).quantities if q.unit == limit.unit and limit.unit), None)
        about, also, core = Words(limit.about), Words(limit.also), Words(limit.core or limit.about)
        own = {fold_text(word) for word in (*limit.target, *limit.about)}
        foreign = Words(
            word
            for item in self._limits
            if item.unit
            for word in item.target
            if not own.intersection((fold_text(word),))
        )
        if number is None:
            return self._stance(about, wanted=limit.stance == "for")

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            results = []
            # A number is of this limit where its subject stands in the same line.
            named = (match.span() for match in about.found(reader.text))
            for quantity in analysis.quantities_around(named, _REACH):
                if quantity.unit == limit.unit and quantity.kind == "amount":
                    results += self._amount(reader, quantity, number.low, (about, core, foreign))
            results += [reader.mention("part", *match.span())._replace(use=True) for match in also.found(reader.text)]
            return results

        return find

    def _amount(
        self, reader: Reader, quantity: Quantity, value: float, words: tuple[Words, Words, Words]
    ) -> list[Mention]:
        """The mention that a quantity makes, if it is about the subject of the limit and not of another one."""
        about, core, foreign = words
        text = reader.text
        start, end = reader.analysis.folded.from_original(quantity.start, quantity.end)
        single = quantity.low == quantity.high
        equal = quantity.low == value and (single or bool(_BEYOND.search(text[max(0, start - 4) : start])))
        if (self._uses_only and not equal) or about.within(text, start - 22, end + 14) is None:
            return []
        first, last = reader.clause(start, end)
        subject = about.within(text, max(first, start - 22), min(last, end + 14))
        if subject is None and reader.owned(start, end):
            # "股票合计55%，没超过您60%的上限": the clause before names it.
            subject = about.within(text, max(reader.line(start)[0], start - 22), start)
        if subject is None or foreign.within(text, subject.end(), start) or reader.asked(start, end):
            return []
        span = min(start, subject.start()), max(end, subject.end())
        near = max(first, min(start - 10, subject.start())), min(last, end + 8)
        # A row that gives several percentages enumerates answers.
        several = reader.row(start) and text.count("%", first, last) > 2
        bound = single and not several and self._bounding.within(text, *near) is not None
        mention = reader.mention("same" if equal else "other", *span, bound=bound)
        tolerated = self._tolerance.within(text, max(first, span[0] - 10), min(last, span[1] + 8))
        owned = reader.spoken(start) or tolerated is not None or (equal and mention.owned)
        return [mention._replace(owned=owned, use=equal and core.within(text, *span) is not None, exact=True)]

    def _stance(self, about: Words, *, wanted: bool) -> Finder:
        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            results = []
            for match in about.found(reader.text):
                if reader.asked(*match.span()):
                    continue
                scope = analysis.scope(analysis.folded.to_original(*match.span()))
                line = reader.line(match.start()) if reader.spoken(match.start()) else (0, 0)
                near = reader.clause(*match.span()) if wanted and line[1] else line
                away = scope.negated or scope.warned_against or self._rejecting.within(reader.text, *near) is not None
                stated = away or wanted or self._towards.within(reader.text, *line) is not None
                mention = reader.mention("same" if wanted != away else "other", *match.span(), bound=stated)
                results.append(mention._replace(use=mention.relation == "same"))
            return results

        return find

    # Asset classes

    def _family(self, names: Sequence[str], members: Sequence[str], wider: Sequence[str]) -> Finder:
        kinds: tuple[tuple[Words, Relation], ...] = (Words([*names, *members]), "same"), (Words(wider), "part")

        def find(analysis: Analysis) -> list[Mention]:
            reader = self.reader(analysis)
            results = []
            for words, relation in kinds:
                for match in words.found(reader.text):
                    if reader.asked(*match.span()):
                        continue
                    wanted = self._wanted(reader, *match.span())
                    mention = reader.mention(relation, *match.span(), bound=wanted)
                    turned = self._turned_from(reader, *match.span()) if reader.spoken(match.start()) else ""
                    if turned != "other" and not (turned and relation == "part"):
                        relation_now: Relation = "other" if turned else relation
                        now = mention._replace(relation=relation_now, bound=wanted or bool(turned))
                        results.append(now._replace(use=relation_now == "same"))
            return results

        return find

    def _turned_from(self, reader: Reader, start: int, end: int) -> str:
        """Why an asset that the user names is not liked by him now: "other", "over", "disliked"; else ""."""
        held = self.spoken.held(reader, start, end)
        if held != "held":
            return held
        first, last = reader.clause(start, end)
        return "disliked" if self._rejecting.within(reader.text, first, last) else ""

    def _wanted(self, reader: Reader, start: int, end: int) -> bool:
        """Whether the user says, or is said, to like what stands at a folded span."""
        if reader.spoken(start):
            return self._wanting.within(reader.text, *reader.line(start)) is not None
        first, _ = reader.clause(start, end)
        wanting = self._wanting.within(reader.text, first, start)
        return wanting is not None and self._owner.named(reader.text, first, wanting.start())


_MOST_FINDERS = 4096
_MOST_READERS = 32
_REACH = 36
"""A number further from the words of a limit than this is not of the limit."""
# A canonical value is a name, not a sentence.
_NAME = re.compile(r"(?=.{1,24}$)[\w+*%<>=.\-/ ]+|[a-z0-9+*%<>=.,\-/'& ]{1,60}")
# What a user says in a sentence is no name: its words are looked for.
_SENTENCE = re.compile(
    r"^(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our)\b|\.$|[가-힣](?:요|니다|어|해|죠)$|^[我咱].*[了过有是在]"
)
_BEYOND = re.compile("超过|超出|大于|突破")


def _limit_of(kind: Canonical) -> Limit:
    """A limit as the table of canonical constraints knows it."""
    unit = "" if "{}" not in kind.form else "year" if "年" in kind.form else "percent"
    stance = "against" if kind.form[0] in "不回" else "for"
    return Limit(target=kind.words, about=kind.words, stance=stance, unit=unit, core=kind.words if unit else [])
