"""From the text of a constraint to its kind and number: 最大回撤<10% and 回撤控制在12%以内 are one kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.match.patterns import Compiled, compile_pattern
from turnmark.language.match.phrases import Phrases
from turnmark.language.text.fold import fold_text
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
    """A constraint as understood: its kind, its number (None for bans) and, for unknown ones, its own topic words."""

    kind: ConstraintKind
    value: float | None
    own: tuple[str, ...] = ()

    @property
    def typed(self) -> Typed:
        """The constraint in the form that all languages share."""
        comparator = {"ceiling": "at_most", "floor": "at_least", "ban": "none"}.get(self.kind.form, "")
        return Typed(self.kind.id, self.kind.measure, comparator, self.value)


_AMOUNTS = frozenset(("number", "quantity", "duration"))
_LONGEST_SUBJECT = 16
_GUESSING = (
    "ban_adverbs", "ban_opens", "ban_verbs", "ban_closes", "ban_joints", "ban_tails", "limit_nouns", "limit_caps",
    "limit_single", "limit_fund", "limit_fee", "limit_fall", "plan_sector", "plan_cash", "plan_equity", "plan_bonds",
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
}
"""By the unit of a constraint's number: the lists whose words it must hold, and the kind that it then is."""


class ConstraintKinds:
    """The kinds that packs know, and a guess for the others."""

    def __init__(self, packs: Sequence[RulePack]) -> None:
        self._named: list[tuple[ConstraintKind, tuple[Compiled, ...]]] = [
            (kind, tuple(compile_pattern(pattern, pack.words) for pattern in kind.named))
            for pack in packs
            for kind in pack.constraints
        ]
        lists = {name: [word for pack in packs for word in pack.words.get(name, ())] for name in _GUESSING}
        self._words = {name: Phrases(words) for name, words in lists.items()}
        self._ban = Phrases([*lists["ban_adverbs"], *lists["ban_opens"], *lists["ban_verbs"]])
        self._topics = [
            (kind, Phrases(word for word in kind.topic if " " not in word and "<" not in word))
            for kind, _ in self._named
            if kind.form == "ban"
        ]
        self._known: dict[str, ParsedConstraint | None] = {}

    def understand(self, constraint: str) -> ParsedConstraint | None:
        """What a constraint asks; None when its words say nothing that a reply could be held to."""
        if constraint not in self._known:
            self._known[constraint] = self._read(constraint)
        return self._known[constraint]

    def _read(self, constraint: str) -> ParsedConstraint | None:
        text = fold_text(constraint)
        first: ParsedConstraint | None = None
        for kind, patterns in self._named:
            if any(pattern.search(text) for pattern in patterns):
                limits = kind.form in ("ceiling", "floor")
                value = _number(constraint, kind.unit) if limits or kind.measure == "fee" else None
                asked = ParsedConstraint(kind, kind.default if value is None else value)
                if asked.value is not None or not limits:
                    return asked
                first = first or asked  # a limit without its number: a ban that is named too comes before it
        return self._typed(text, constraint) or self._limited(text, constraint) or self._ruled_out(text) or first

    def _typed(self, text: str, constraint: str) -> ParsedConstraint | None:
        """A limit that no kind names, by what its number is of: the first list of ``_MEASURED`` that its words hold."""
        for unit, lists in _MEASURED.items():
            value = _number(constraint, unit)
            if value is None:
                continue
            for names, kind_id in lists:
                kind = next((kind for kind, _ in self._named if kind.id == kind_id), None)
                if kind and all(self._words[name].within(text) for name in names):
                    return ParsedConstraint(kind, value)
        return None

    def _limited(self, text: str, constraint: str) -> ParsedConstraint | None:
        """A ceiling on something of its own words (军工板块占比不超过10%)."""
        cap = self._words["limit_caps"].first(text)
        value = _number(constraint, "percent") if cap and 0 < cap[0] <= _LONGEST_SUBJECT else None
        if cap is None or value is None:
            return None
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
        if kind is not None:
            return ParsedConstraint(kind, None)
        return ParsedConstraint(ConstraintKind(id="unknown_ban", form="ban"), None, tuple(words)) if words else None

    def _without_tail(self, word: str, name: str) -> str:
        tails = [tail for tail in self._words[name].words if word.endswith(tail) and len(tail) < len(word)]
        return self._without_tail(word[: -len(tails[0])].strip(), name) if tails else word


def _number(constraint: str, unit: str) -> float | None:
    """The last value of a constraint in the unit of its kind; months count as years, 0.1 as 10 %."""
    fitting = (unit, "" if unit == "percent" else unit, "month")
    results = [value for value in read_values(constraint) if value.kind in _AMOUNTS and value.unit in fitting]
    if not results:
        return None
    last = results[-1]
    if unit == "year" and last.unit == "month":
        return last.high / 12
    if unit == "percent" and last.unit == "" and 0 < last.high < 1:
        return last.high * 100
    return last.high if last.unit in (unit, "") else None
