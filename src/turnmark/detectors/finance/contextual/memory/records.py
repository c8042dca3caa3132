"""A user's profile that stands as a record: ``name: value`` in a line, in a list, in a table or in a dict.

The value of a record is the user's own whoever wrote it down. A field with one value agrees with a target or
contradicts it; a list of constraints contradicts a limit by another number, a list of avoided things a preference.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.profile.words import (
    HORIZON_CODES,
    LIQUIDITY_CODES,
    RISK_CODES,
    ProfileWords,
    key,
    silent,
    words_of,
)
from turnmark.language.text.fold import fold_text
from turnmark.language.values.removal import replaced_values
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.labels.finance import MemoryLabel

_LISTS = frozenset(("constraints", "preferences", "avoided"))
_BREAK = re.compile(r"[\n;{,|:。.!?\[]")
_DECORATION = " \t-*•·\"'#>`【】[]()"
_AROUND = " \t-*•·\"'`"
_NUMBERED = re.compile(r"[0-9]{1,2}[.)] ?")
_WHOSE = re.compile(r"(?:您的|你的|用户的?|客户的?|我的|your |user |client |고객님의? |회원님의? )")
_LIST_OPENS = re.compile(r"[\s\"'*]*\[")
_LIST_ENDS, _VALUE_ENDS, _CELL_ENDS = re.compile(r"[\n;}|。]"), re.compile(r"[\n;},|。]"), re.compile(r"[\n|]")
_ITEM = re.compile(r"[^、,\n;|\[\]\"]+")
_BULLETS = re.compile(r"\s*(?:\n[ \t]*(?:[-*•·]|[0-9]{1,2}[.)])[ \t]*[^\n:]+)+")
_CHOICE = re.compile(r"[?/]|还是| or |또는")
_LONGEST_NAME, _LONGEST_VALUE = 24, 60
_COARSE = re.compile(r"[^0-9一二两三四五六七八九十半]+")
_ORDER = ("short", "medium", "long")


class Entry(NamedTuple):
    """One value of a field at a folded span."""

    field: str
    text: str
    start: int
    end: int


class Target(NamedTuple):
    """What a target can be: the value of a field, a constraint (with its form), a preference."""

    text: str
    field: str = ""
    value: str = ""
    constraint: str = ""
    refusing: bool = False
    preference: str = ""
    wider: frozenset[str] = frozenset()


RecordMatch = tuple[MemoryLabel, int, int]


class Records:
    """Reads records and judges targets by them."""

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        words = ProfileWords(packs)
        self._fields = {
            fold_text(name): field
            for pack in packs
            for field, names in pack.labels.items()
            if field != "loose"
            for name in names
        }
        last = "".join(sorted({name[-1] for name in self._fields}))
        self._separator = re.compile(rf"[{re.escape(last)}][ *\"'`\])]{{0,4}}([:=|])")
        self._loose = frozenset(fold_text(name) for pack in packs for name in pack.labels.get("loose", ()))
        self._levels = {
            "risk": functools.lru_cache(maxsize=1024)(words.risk),
            "liquidity": functools.lru_cache(maxsize=1024)(words.liquidity),
            "horizon": functools.lru_cache(maxsize=1024)(words.horizon),
        }
        self._constraint = functools.lru_cache(maxsize=2048)(words.constraint)
        self._preference = functools.lru_cache(maxsize=2048)(words.preference)
        self._loss = words.loss_limit
        self._forms = frozenset(
            _form(kind.form.replace("{}", "1")) for pack in packs for kind in pack.canonical.values()
        )
        self._against = words_of([word for pack in packs for word in pack.attribution.against])
        self._wider: dict[str, frozenset[str]] = {}
        for pack in packs:
            for name, family in pack.families.items():
                self._wider[name] = self._wider.get(name, frozenset()) | frozenset(map(key, family.wider))
        self.target = functools.lru_cache(maxsize=4096)(self._target)

    def entries(self, text: str, *, spoken: bool) -> list[Entry]:
        """The values of all fields of a folded text; where it holds turns of a conversation, only those of lists.

        What is said there of a level or a horizon is the finders' to judge: it may be asked, or of a product.
        """
        heads = []
        for match in self._separator.finditer(text):
            start, field = self._head(text, match.start(1), spoken=spoken)
            if field and (field in _LISTS or not spoken):
                heads.append((start, match.end(), field, match[1]))
        results = []
        for number, (name, start, field, separator) in enumerate(heads):
            limit = heads[number + 1][0] if number + 1 < len(heads) else len(text)
            values = _values(text, start, limit, field, separator)
            # One value is shown with the name of its field.
            results += values if field in _LISTS else [entry._replace(start=name) for entry in values[:1]]
        return results

    def _head(self, text: str, stop: int, *, spoken: bool) -> tuple[int, str]:
        """Where the name of a field that ends at ``stop`` begins, and the field; "" when there is none."""
        head = text[max(0, stop - _LONGEST_NAME) : stop]
        broken = list(_BREAK.finditer(head))
        start = broken[-1].end() if broken else 0
        if not broken and stop > _LONGEST_NAME:
            return 0, ""
        start += len(head[start:]) - len(head[start:].lstrip(_DECORATION))
        name = head[start:].strip(_DECORATION)
        name = _WHOSE.sub("", _NUMBERED.sub("", name, count=1), count=1).strip(_DECORATION)
        field = self._fields.get(name, "")
        return (0, "") if spoken and name in self._loose else (max(0, stop - _LONGEST_NAME) + start, field)

    def _target(self, text: str) -> Target:
        for field, codes in (("risk", RISK_CODES), ("liquidity", LIQUIDITY_CODES), ("horizon", HORIZON_CODES)):
            if text in codes:
                return Target(key(text), field, codes[text])
        if len(text) > _LONGEST_VALUE or re.search("[。？?！!]", text):
            return Target("")
        folded = fold_text(text)
        constraint = self._constraint(text) or ""
        refusing = self._against.search(folded) is not None
        if _form(constraint) not in self._forms and not refusing:
            constraint = ""
        preference = "" if refusing or "#" in _form(constraint) else self._preference(text) or ""
        return Target(key(text), "", "", constraint, refusing, preference, self._wider.get(preference, frozenset()))

    def judge(self, target: Target, entries: Sequence[Entry]) -> RecordMatch | None:
        """What the entries say of a target; None when they are silent about it."""
        if not target.text:
            return None
        judge = self._single if target.field else self._listed
        second: RecordMatch | None = None
        for entry in entries:
            label = judge(target, entry)
            if label == "present":
                return label, entry.start, entry.end
            if label is not None and (second is None or (label == "conflicting" and second[0] == "partial")):
                second = label, entry.start, entry.end
        return second

    def _single(self, target: Target, entry: Entry) -> MemoryLabel | None:
        if entry.field != target.field or silent(entry.text) or _CHOICE.search(entry.text):
            return None
        value = self._levels[entry.field](entry.text)
        if value is None:
            return None
        if value == target.value:
            return "present"
        if entry.field == "horizon" and _COARSE.fullmatch(entry.text):
            # A coarse word (短期) may hold part of the stretch beside it.
            return "partial" if abs(_ORDER.index(value) - _ORDER.index(target.value)) == 1 else "conflicting"
        return "conflicting"

    def _listed(self, target: Target, entry: Entry) -> MemoryLabel | None:
        if entry.field == "loss":
            limit = self._loss(entry.text)
            return _relation(target.constraint, limit) if limit and target.constraint else None
        if entry.field not in _LISTS or silent(entry.text):
            return None
        if key(entry.text) == target.text:
            return "present" if entry.field != "avoided" or target.refusing else "conflicting"
        return self._preferred(target, entry) if entry.field == "preferences" else self._limited(target, entry)

    def _limited(self, target: Target, entry: Entry) -> MemoryLabel | None:
        """What an entry among constraints or avoided things says."""
        stated = self._constraint(entry.text) or ""
        if target.constraint:
            label = _relation(target.constraint, stated)
            wants_it = not target.refusing and target.constraint.startswith(("不", "回"))
            return "conflicting" if label == "present" and wants_it else label
        avoided = entry.field == "avoided" and self._preference(entry.text) == target.preference
        return "conflicting" if target.preference and (avoided or stated == target.text) else None

    def _preferred(self, target: Target, entry: Entry) -> MemoryLabel | None:
        if not target.preference:
            return None
        if self._preference(entry.text) == target.preference:
            return "present"
        return "partial" if key(entry.text) in target.wider else None


def _form(constraint: str) -> str:
    return replaced_values(constraint, "#")


def _relation(target: str, stated: str) -> MemoryLabel | None:
    """The relation of two canonical constraints: the same, the same with another number, or none."""
    if stated == target:
        return "present"
    return "conflicting" if "#" in _form(stated) and _form(stated) == _form(target) else None


def _values(text: str, start: int, limit: int, field: str, separator: str) -> list[Entry]:
    """The values of a field that stand between its name and the next one."""
    if field in _LISTS and (below := _BULLETS.match(text, start, limit)):
        stop = below.end()
    elif field in _LISTS and (opening := _LIST_OPENS.match(text, start, limit)):
        start = opening.end()
        closing = text.find("]", start, limit)
        stop = closing if closing >= 0 else limit
    else:
        ends = _CELL_ENDS if separator == "|" else _LIST_ENDS if field in _LISTS else _VALUE_ENDS
        first = ends.search(text, start, limit)
        stop = first.start() if first else limit
    results = []
    for match in _ITEM.finditer(text, start, stop):
        item = match.group()
        value = item.strip(_AROUND)
        value = _NUMBERED.sub("", value, count=1)
        if value and len(value) <= _LONGEST_VALUE:
            offset = match.start() + item.index(value)
            results.append(Entry(field, value, offset, offset + len(value)))
    return results
