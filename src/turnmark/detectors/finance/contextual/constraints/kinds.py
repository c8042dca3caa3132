"""From the text of a constraint to its kind and number: 最大回撤<10% and 回撤控制在12%以内 are one kind."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from turnmark.detectors.finance.contextual.constraints.limits.amounts import MONEY, is_money
from turnmark.detectors.finance.contextual.constraints.limits.grades import (
    GRADE_WORDS,
    GradeLimit,
    GradeLimits,
    grade_words,
)
from turnmark.language.match.patterns import Compiled, compile_pattern
from turnmark.language.match.phrases import Phrases
from turnmark.language.text.exceptions import opens_exception
from turnmark.language.text.fold import fold
from turnmark.language.values import read_values
from turnmark.packs.rules import ConstraintKind, RulePack


class Typed(NamedTuple):
    """A constraint in one form for all languages.

    ``subject`` is the class that it is about (leverage, small_caps, equity_ceiling …), ``measure`` what its number
    measures ("" for bans), ``comparator`` at_most, at_least or none, ``value`` its number in percent or years.
    """

    subject: str
    measure: str
    comparator: str
    value: float | None


class ParsedConstraint(NamedTuple):
    """A constraint as understood.

    Its kind, its number (None for bans), for unknown ones its own topic words, and which ``grades`` it allows (None
    where it names none).
    """

    kind: ConstraintKind
    value: float | None
    own: tuple[str, ...] = ()
    grades: GradeLimit | None = None

    @property
    def typed(self) -> Typed:
        """The constraint in the form that all languages share."""
        comparator = {"ceiling": "at_most", "floor": "at_least", "ban": "none"}.get(self.kind.form, "")
        return Typed(self.kind.id, self.kind.measure, comparator, self.value)

    @property
    def held_to(self) -> bool:
        """Whether a reply can be held to it: a limit needs its number."""
        return self.value is not None or self.kind.form not in ("ceiling", "floor")


_AMOUNTS = frozenset(("number", "quantity", "duration"))
_LONGEST_SUBJECT = 16
_APART = frozenset(("overseas", "overseas_from_us"))
"""Kinds whose topics are things apart: a ban on one country is none on another."""
_IN_MONEY = frozenset(("max_drawdown", "cash_floor", "single_fund_ceiling", "single_asset_ceiling"))
"""Kinds whose number may be a sum of money."""
_GUESSING = (
    "ban_adverbs", "ban_opens", "ban_verbs", "ban_closes", "ban_joints", "ban_tails", "limit_nouns", "limit_caps",
    "limit_floors", "limit_single", "limit_fund", "limit_fee", "limit_fall", "plan_sector", "plan_cash", "plan_equity",
    "plan_bonds", "only",
)  # fmt: skip
"""Word lists by which a constraint that no kind names is read: what opens or closes a ban, joins and ends its topics;
what stands between the subject of a limit and its number."""


_MEASURED = {
    "percent": (
        (("limit_fee",), "low_fees"),
        (("limit_fall",), "max_drawdown"),
        (("limit_single", "limit_fund"), "single_fund_ceiling"),
        (("plan_sector",), "sector_ceiling"),
        (("limit_single",), "single_asset_ceiling"),
        (("plan_cash",), "cash_floor"),
        (("plan_equity",), "equity_ceiling"),
    ),
    "year": ((("plan_bonds",), "duration_ceiling"),),
    "money": ((("limit_single",), "single_asset_ceiling"),),
}
"""By the unit of a constraint's number: the lists whose words it must hold, and the kind that it then is."""


_JOINT = re.compile(r"[,，](?![0-9])|[;；。\n]|[.!](?=\s)|(?i:\s(?:and|plus)\s)|且|并|同时|以及|(?<=[가-힣][고며])\s")
"""What may stand between limits of one constraint."""
_JOINT_LEFT = re.compile(r"(?i)(?<=[\s,，;；。])(?:and|plus)$|(?:且|并|以及)$")
"""The word of it that is left at the end of the limit before."""
_STOPS = " \t\n,，;；。."


class ConstraintKinds:
    """The kinds that packs know, and a guess for the others."""

    def __init__(self, packs: Sequence[RulePack]) -> None:
        self._named: list[tuple[ConstraintKind, tuple[Compiled, ...]]] = [
            (kind, tuple(compile_pattern(pattern, pack.words) for pattern in kind.named))
            for pack in packs
            for kind in pack.constraints
        ]
        lists = {
            name: [word for pack in packs for word in pack.words.get(name, ())] for name in (*_GUESSING, *GRADE_WORDS)
        }
        self._words = {name: Phrases(lists[name]) for name in _GUESSING}
        self._ban = Phrases([*lists["ban_adverbs"], *lists["ban_opens"], *lists["ban_verbs"]])
        words = self._words
        self._grades = GradeLimits(grade_words(lists), words["ban_opens"], words["ban_closes"], words["only"])
        self._topics = [
            (kind, Phrases(word for word in kind.topic if " " not in word and "<" not in word))
            for kind, _ in self._named
            if kind.form == "ban"
        ]
        self._known: dict[str, ParsedConstraint | None] = {}
        self._apart: dict[str, tuple[ParsedConstraint, ...]] = {}

    def understand(self, constraint: str) -> ParsedConstraint | None:
        """What a constraint asks; None when its words say nothing that a reply could be held to."""
        if constraint not in self._known:
            self._known[constraint] = self._read(constraint)
        return self._known[constraint]

    def all_of(self, constraint: str) -> tuple[ParsedConstraint, ...]:
        """All that a constraint asks: several where its parts are limits by themselves (不买股票，不用杠杆)."""
        if constraint not in self._apart:
            self._apart[constraint] = self._read_apart(constraint)
        return self._apart[constraint]

    def _read_apart(self, constraint: str) -> tuple[ParsedConstraint, ...]:
        cuts = [0, *(joint.end() for joint in _JOINT.finditer(constraint)), len(constraint)]
        starts = [start for start, end in itertools.pairwise(cuts) if self._by_itself(constraint[start:end])]
        parts = [constraint[start:end].strip() for start, end in itertools.pairwise((0, *starts[1:], len(constraint)))]
        asked = [self.understand(_JOINT_LEFT.sub("", part.rstrip(_STOPS)).rstrip(_STOPS)) for part in parts]
        apart = {(entry.typed, entry.own, entry.grades): entry for entry in asked if entry and entry.held_to}
        if len(apart) > 1 and all(entry and entry.held_to for entry in asked):
            return tuple(apart.values())
        whole = self.understand(constraint)
        return (whole,) if whole else ()

    def _by_itself(self, part: str) -> bool:
        """Whether a part of a constraint is one on its own: a limit with its number, or what says that it rules out."""
        asked = None if opens_exception(part) else self.understand(part.strip())
        if asked is None or not asked.held_to:
            return False
        if asked.kind.form in ("ceiling", "floor"):
            return True
        text = fold(part).text
        numbered = any(character.isdigit() for character in text)
        says = self._words["ban_opens"].within(text) or self._words["ban_closes"].within(text)
        return asked.kind.form == "ban" and says and (asked.grades is not None or not numbered)

    def says_only(self, folded: str) -> bool:
        """Whether a folded text keeps to one kind of thing (only public funds, 只买公募基金)."""
        return self._words["only"].within(folded)

    def _read(self, constraint: str) -> ParsedConstraint | None:
        folded = fold(constraint)
        text = folded.text
        grades = self._grades.read(folded)
        if grades and _number(constraint, "percent") is None:
            return self._within_grades(text, grades)
        asked = self._of_a_kind(text, constraint)
        return asked or (self._within_grades(text, grades) if grades else None)

    def _of_a_kind(self, text: str, constraint: str) -> ParsedConstraint | None:
        first: ParsedConstraint | None = None
        for kind, patterns in self._named:
            if any(pattern.search(text) for pattern in patterns):
                limits = kind.form in ("ceiling", "floor")
                value = _number(constraint, kind.unit) if limits or kind.measure == "fee" else None
                if limits and value is None and kind.id in _IN_MONEY and (sum_of := _number(constraint, "money")):
                    return ParsedConstraint(msgspec.structs.replace(kind, unit="money"), sum_of)
                asked = ParsedConstraint(kind, kind.default if value is None else value)
                if asked.value is not None or not limits:
                    return self._capped(text, constraint, asked) or asked
                first = first or asked  # a limit without its number: a ban that is named too comes before it
        return self._typed(text, constraint) or self._limited(text, constraint) or self._ruled_out(text) or first

    def _within_grades(self, text: str, grades: GradeLimit) -> ParsedConstraint:
        """A limit on grades: its topics are the grades beyond it, and those of the ban that its words name."""
        named = (
            kind for kind, patterns in self._named
            if kind.form == "ban" and any(pattern.search(text) for pattern in patterns)
        )  # fmt: skip
        kind = next(named, ConstraintKind(id="product_grade", form="ban"))
        return ParsedConstraint(kind, None, grades=grades)

    def _typed(self, text: str, constraint: str) -> ParsedConstraint | None:
        """A limit that no kind names, by what its number is of: the first list of ``_MEASURED`` that its words hold."""
        for unit, lists in _MEASURED.items():
            value = _number(constraint, unit)
            if value is None:
                continue
            for names, kind_id in lists:
                kind = next((kind for kind, _ in self._named if kind.id == kind_id), None)
                if kind and all(self._words[name].within(text) for name in names):
                    measured = msgspec.structs.replace(kind, unit="money") if unit == "money" else kind
                    return ParsedConstraint(measured, value)
        return None

    def _capped(self, text: str, constraint: str, asked: ParsedConstraint) -> ParsedConstraint | None:
        """A ceiling on what a ban would rule out (at most 10 % in crypto, 海外资产不超过20%)."""
        value = _number(constraint, "percent") if asked.kind.form == "ban" and not asked.kind.measure else None
        if value is None or not self._words["limit_caps"].within(text):
            return None
        kind = ConstraintKind(id=asked.kind.id, form="ceiling", measure="banned")
        own = [word for word in asked.kind.topic if " " not in word and "<" not in word]
        return ParsedConstraint(kind, value, tuple(own))

    def _limited(self, text: str, constraint: str) -> ParsedConstraint | None:
        """A ceiling on something of its own words (军工板块占比不超过10%, gold capped at 5%, 금은 5% 이내)."""
        cap = self._words["limit_caps"].first(text)
        value = _number(constraint, "percent") if cap and not self._words["limit_floors"].within(text) else None
        number = next((index for index, character in enumerate(text) if character.isdigit()), len(text))
        if cap is None or value is None or not 0 < min(cap[0], number) <= _LONGEST_SUBJECT:
            return None
        cap = (min(cap[0], number), cap[1])
        subject = self._without_tail(self._without_tail(text[: cap[0]].strip(), "limit_nouns"), "ban_tails")
        kind = ConstraintKind(id="unknown_limit", form="ceiling", measure="banned")
        return ParsedConstraint(kind, value, (subject,)) if len(subject) > 1 else None

    def _ruled_out(self, text: str) -> ParsedConstraint | None:
        """A ban on something of its own words (不碰预制菜, no vineyards, 와인 안 함)."""
        end = self._ban.run_after(text, 0, len(text))
        closed = self._words["ban_closes"].first(text)
        if self._words["ban_opens"].within(text, 0, end):
            rest = text[end:]
        elif closed and closed[0]:
            rest = text[: closed[0]]
        else:
            return None
        words: list[str] = []
        start = 0
        for first, last in [*self._words["ban_joints"].all(rest), (len(rest), len(rest))]:
            word = rest[start:first].strip(" .,!")
            words += [word, self._without_tail(word, "ban_tails")]
            start = last
        words = [word for word in dict.fromkeys(words) if len(word) > 1]
        kind = next((kind for kind, topics in self._topics if topics.within(rest)), None)
        if kind is not None and kind.id not in _APART:
            return ParsedConstraint(kind, None)
        return ParsedConstraint(ConstraintKind(id="unknown_ban", form="ban"), None, tuple(words)) if words else None

    def _without_tail(self, word: str, name: str) -> str:
        tails = [tail for tail in self._words[name].words if word.endswith(tail) and len(tail) < len(word)]
        return self._without_tail(word[: -len(tails[0])].strip(), name) if tails else word


YEARS = {"day": 1 / 365, "workday": 1.4 / 365, "week": 7 / 365, "month": 1 / 12, "year": 1.0}
"""Units of time in years."""
_WRITTEN = {
    "percent": ("",),
    "month": ("year", "week"),
    "year": tuple(YEARS),
    "fold": ("occurrence",),
    "money": tuple(MONEY),
}
"""By unit: others in which a number may be written."""


def _number(constraint: str, unit: str) -> float | None:
    """The last value of a constraint in the unit of its kind; months, weeks and days count as years, 0.1 as 10 %."""
    fitting = (unit, *_WRITTEN.get(unit, ()))
    results = [value for value in read_values(constraint) if value.kind in _AMOUNTS and value.unit in fitting]
    if not results and unit == "money":
        results = [value for value in read_values(constraint) if value.kind in _AMOUNTS and is_money(value)]
    if not results:
        return None
    last = results[-1]
    if unit == "year":
        return last.high * YEARS[last.unit]
    if unit == "month":
        return round(last.high * YEARS[last.unit] * 12, 2)
    if unit == "percent" and last.unit == "":
        return last.high * 100 if 0 < last.high < 1 else None
    return last.high
