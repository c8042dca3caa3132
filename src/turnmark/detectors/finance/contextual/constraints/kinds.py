"""From the text of a constraint to its kind and number: 最大回撤<10% and 回撤控制在12%以内 are one kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.match.patterns import Compiled, compile_pattern
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


_BAN = re.compile(
    r"^(?:坚决|绝对|暂时|暂|尽量|一律)?(?:不(?:要|想|能|可|得|再|愿|希望)?|禁止|避免|回避|远离|拒绝|规避|杜绝|排除|剔除|严禁|别|勿|非)"
    r"(?:参与|使用|接受|配置|投资|购买|持有|考虑|买入|涉及|做|投|买|碰|用|炒|追|沾|选|配|要|加|借)*"
)
_AMOUNTS = frozenset(("number", "quantity", "duration"))
_PARTS = re.compile(r"[、,，/;；]|以及|及其|及|和|与|或者|或")
_TAIL = re.compile(r"(?:类|相关)?(?:产品|资产|品种|策略|投资|交易|标的|行业|板块|操作|市场)$")
_LIMIT = re.compile(
    r"(?P<subject>.{1,16}?)(?:总?仓位|占比|比例|配置|总?资产)*"
    r"(?:不超过?|不高于|不得超过|最多|上限|控制在|≤|<=|<|小于|低于|占)"
)


class ConstraintKinds:
    """The kinds that packs know, and a guess for the others."""

    def __init__(self, packs: Sequence[RulePack]) -> None:
        self._named: list[tuple[ConstraintKind, tuple[Compiled, ...]]] = [
            (kind, tuple(compile_pattern(pattern, pack.words) for pattern in kind.named))
            for pack in packs
            for kind in pack.constraints
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
            if any(pattern.expression.search(text) for pattern in patterns):
                limits = kind.form in ("ceiling", "floor")
                value = _number(constraint, kind.unit) if limits else None
                asked = ParsedConstraint(kind, kind.default if value is None else value)
                if asked.value is not None or not limits:
                    return asked
                first = first or asked  # a limit without its number: a ban that is named too comes before it
        return first or _guess(text, constraint)


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
    return last.high if last.unit != "month" else None


def _guess(text: str, constraint: str) -> ParsedConstraint | None:
    limit = _LIMIT.match(text)
    value = _number(constraint, "percent")
    if limit and value is not None:
        subject = _TAIL.sub("", limit["subject"].strip())
        kind = ConstraintKind(id="unknown_limit", form="ceiling", measure="banned")
        return ParsedConstraint(kind, value, (subject,)) if len(subject) > 1 else None
    ban = _BAN.match(text)
    if not ban:
        return None
    rest = text[ban.end() :]
    words = []
    for part in _PARTS.split(rest):
        word = part.strip()
        if len(word) > 1:
            words += [word, _TAIL.sub("", word)]
    words = [word for word in dict.fromkeys(words) if len(word) > 1]
    return ParsedConstraint(ConstraintKind(id="unknown_ban", form="ban"), None, tuple(words)) if words else None
