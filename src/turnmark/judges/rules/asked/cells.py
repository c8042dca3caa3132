"""The values of the material, each with the words, days and limits by which it is told from the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from turnmark.judges.rules.asked.wanted import (
    Wanted,
    base_measure,
    free_of_charge,
    is_former,
    of_days,
    placed,
    share_in_words,
)
from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import Part, Statement, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Sentence
from turnmark.language.values import Value
from turnmark.language.values.weekdays import weekdays

MOST = 60
"""Sentences of material whose values are laid side by side, at most."""
_AT_LEAST = re.compile(
    r"\b(?:from|after|over|aged?|at least|more than|beyond|first)\s+(?:the\s+|first\s+)*$|(?<!不)(?<!未)(?:满|达"
    r"|超过|超|过了?|从)$"
)
_NOT_YET = re.compile(r"(?:不满|未满|不足|不到|少于|低于)$|\b(?:under|below|less than|fewer than)\s+$")
_UPWARDS = re.compile(
    r"^(?:\s?(?:以上|及以上|起|之后|以后|后|or (?:more|older|over|above)|and (?:over|above|older|up)|이상|초과"
    r"|부터|이 넘|넘|~ ?[0-9]|에서 ?[0-9][^,.]{0,8}(?:까지| [0-9])))"
)
_DOWNWARDS = re.compile(r"^(?:\s?(?:以下|以内|之内|内|or (?:less|fewer|younger|under)|미만|이하|까지|이내|안))")
_TO = re.compile(r"[0-9][^0-9,.]{0,6}(?:~|에서) ?$")
"""What stands before the upper end of a range whose lower end has a unit of its own: 31일~60일."""
_EARLIER = re.compile(r"\s?(?:前|전|before [a-z]+|prior to [a-z]+)?\s?(?:까지|以上|이상|or more|or earlier|and more)")
"""What makes of so long before something a length of time that must be left."""
_FIRST = re.compile(r"\bfirst\s+$|(?:前|头|最初|首)$|(?:처음|최초|첫)\s?$")


class Cell(NamedTuple):
    """One value of the material in its clause.

    ``own`` are the words of its clause, ``carried`` those before it in the sentence, ``rivals`` those of clauses before
    it that hold such a value themselves, ``follows`` those behind, ``around`` those of the sentence before; ``days``
    are the weekdays for which it holds, none where it does not say; ``limits`` the values that bound it, by measure;
    ``former`` is what was before a change; ``end`` is -1 for when something begins, 1 for when it ends, 0 for neither.
    """

    value: Value
    sentence: int
    part: Part
    own: Words
    carried: Words
    rivals: Words
    follows: Words
    around: Words
    days: frozenset[int]
    limits: dict[str, Limits]
    former: bool
    end: int


class Limits(NamedTuple):
    """Between which values something holds; ``open_low`` where the lower end does not belong to them."""

    low: float = float("-inf")
    high: float = float("inf")
    open_low: bool = False
    closed: bool = False

    def hold(self, value: Value) -> bool:
        """Whether an exact value lies within them."""
        beside = {"more_than": _BESIDE, "less_than": -_BESIDE}.get(value.comparator, 0.0)
        given = placed(value.low, value) * (1 + beside)
        above = given > self.low if self.open_low else given >= self.low
        return above and (given <= self.high if self.closed else given < self.high)


_BESIDE = 1e-6
"""More than two hours is a little more than two hours."""


def cells(read: Read, wanted: Wanted, meant: Callable[[Value], bool]) -> Iterator[Cell]:
    """The values of the material that may be ``meant``, in order."""
    material = read.material
    for number, sentence in enumerate(material.sentences):
        if _may_answer(sentence, wanted, meant) and not sentence.text.rstrip().endswith(("?", "？")):
            statement = read_statement(material.readings[material.place(number)], sentence)
            yield from _cells_in(statement, number, _before(material, number), wanted, meant)


def limits_of(material: Material, value: Value) -> Iterator[Limits]:
    """The limits that clauses of the material set for what a value measures, in order."""
    kind = base_measure(value)
    for number, sentence in enumerate(material.sentences[:MOST]):
        statement = read_statement(material.readings[material.place(number)], sentence)
        for part in statement.parts:
            limits = dict[str, Limits]()
            for token in part.tokens:
                side = _side(statement, token)
                if token.value is not None and side is not None and base_measure(token.value) == kind:
                    _bind(limits, token, side)
            yield from limits.values()


def _may_answer(sentence: Sentence, wanted: Wanted, meant: Callable[[Value], bool]) -> bool:
    """Whether a sentence may hold a value that is meant, in figures or in words."""
    for each in sentence.values:
        if each.kind not in ("polarity", "truth") and meant(each):
            return True
    if _may_be_free(wanted) and free_of_charge(sentence.folded) is not None:
        return True
    if _may_be_share(wanted) and share_in_words(sentence.folded) is not None:
        return True
    return _may_be_days(wanted) and next(weekdays(sentence.folded), None) is not None


def _before(material: Material, number: int) -> Words:
    """The words of the sentence before one in its text."""
    position = material.place(number)
    if not number or material.place(number - 1) != position:
        return _NONE
    return read_statement(material.readings[position], material.sentences[number - 1]).telling


_NONE = Words(())


def _cells_in(
    statement: Statement, number: int, before: Words, wanted: Wanted, meant: Callable[[Value], bool]
) -> Iterator[Cell]:
    days, limits = frozenset[int](), dict[str, Limits]()
    answered = False
    carried: list[Token] = []
    rivals: list[Token] = []
    heads: list[Token] = []
    for at, part in enumerate(statement.parts):
        start, end = statement.clauses[part.clause]
        named = [each.days for each in weekdays(statement.folded[start:end])]
        days = frozenset().union(*named) if named else days
        if pattern("rest", statement.language).search(part.words):
            limits, carried, rivals, heads, before = _beyond(limits), [], [], [], _NONE
        elif answered:
            limits = {}
        given = [each for each in part.tokens if each.value is not None]
        bounds = {each: side for each in given if (side := _side(statement, each)) is not None}
        given += _told_in_words(statement, part, wanted)
        answers = [
            each for each in given if each.value is not None and meant(each.value) and not _is_whole(statement, each)
        ]
        last = max([each.start for each in answers if each not in bounds], default=-1)
        conditions = [
            each for each in bounds if each not in answers or each.start < last or _limits_given(each, wanted)
        ]
        answers = [each for each in answers if each not in conditions]
        for token in conditions:
            _bind(limits, token, bounds[token])
        for token in answers:
            if token.value is None:
                continue
            former = _FORMER.search(part.words) is not None or is_former(statement.folded, token.start, token.end)
            yield Cell(
                token.value,
                number,
                part,
                Words([each for each in part.tokens if each is not token]),
                Words((*carried, *(heads if _leads(part, token) else ()))),
                Words(rivals),
                _behind(statement.parts[at + 1 :], meant),
                before,
                days,
                dict(limits),
                former,
                _end(statement, token),
            )
        (rivals if answers else carried).extend(part.tokens)
        heads += [each for each in part.tokens if answers and each.start < answers[0].start]
        answered = bool(answers)


def _behind(parts: Sequence[Part], meant: Callable[[Value], bool]) -> Words:
    """The words behind a value in its sentence; what stands before another such value is said of that one."""
    tokens = [each for part in parts for each in part.tokens]
    last = max([at for at, each in enumerate(tokens) if each.value is not None and meant(each.value)], default=-1)
    return Words(tokens[last + 1 :])


def _end(statement: Statement, token: Token) -> int:
    """Which end of a time a value is."""
    text, comparator = statement.folded, token.value.comparator if token.value is not None else ""
    before, behind = text[max(0, token.start - 8) : token.start], text[token.end : token.end + 8]
    begins = comparator in ("from", "after") or _FROM.search(before) or _FROM_BEHIND.match(behind)
    ends = comparator in ("until", "before") or _UNTIL.search(before) or _UNTIL_BEHIND.match(behind)
    return int(bool(ends)) - int(bool(begins))


_FROM, _FROM_BEHIND = re.compile(r"(?:\bfrom |自|从)$"), re.compile("부터|起")
_UNTIL, _UNTIL_BEHIND = re.compile(r"(?:\b(?:to|until|till|through|by) |至|到)$"), re.compile("까지|止|截止")


def _told_in_words(statement: Statement, part: Part, wanted: Wanted) -> list[Token]:
    """Words for nothing and for all where an amount is asked for, and the days of a clause where dates are."""
    start = statement.clauses[part.clause][0]
    results = []
    free = free_of_charge(part.words) if _may_be_free(wanted) else None
    if free is not None:
        results.append(Token("#free", start + free.start, start + free.end, part.clause, free))
    share = share_in_words(part.words) if _may_be_share(wanted) else None
    if share is not None:
        results.append(Token("#share", start + share.start, start + share.end, part.clause, share))
    named = list(weekdays(part.words)) if _may_be_days(wanted) else []
    if named:
        days = frozenset[int]().union(*[each.days for each in named])
        value = of_days(named[0].start, named[-1].end, days, part.words[named[0].start : named[-1].end])
        results.append(Token("#days", start + value.start, start + value.end, part.clause, value))
    return results


def _may_be_free(wanted: Wanted) -> bool:
    """Whether a word for nothing may answer."""
    return not wanted.free and (not wanted.measures or "money" in wanted.measures)


def _may_be_share(wanted: Wanted) -> bool:
    """Whether words for all or nothing of an amount may answer."""
    return not wanted.measures or "percent" in wanted.measures


def _may_be_days(wanted: Wanted) -> bool:
    """Whether days of the week may answer."""
    return not wanted.measures or "date" in wanted.measures


_FORMER = re.compile(r"原(?:价|来|先|本|定)|此前|기존|종전|previous|formerly|used to|originally")


def _leads(part: Part, token: Token) -> bool:
    """Whether a value opens its clause, whose subject then is that of the clause before it."""
    return not any(each.start < token.start and not each.light and each.key not in _JOINS for each in part.tokens)


_JOINS = frozenset(("or", "and", "或", "和"))


def _is_whole(statement: Statement, token: Token) -> bool:
    """Whether a value is that out of which another one is taken: 3회 중 2회, two out of three."""
    return _OUT_OF.match(statement.folded, token.end) is not None or statement.folded[: token.start].endswith("out of ")


_OUT_OF = re.compile(" ?중(?:에서?)? ?[0-9한두세네]")


def _limits_given(token: Token, wanted: Wanted) -> bool:
    """Whether a bound is one of what the question gives: 12 years against 10 years and more."""
    value = token.value
    return value is not None and any(
        (base_measure(each), each.unit) == (base_measure(value), value.unit) for each in wanted.given
    )


def _beyond(limits: dict[str, Limits]) -> dict[str, Limits]:
    """What is beyond some upper limits: after that, each further hour."""
    return {
        kind: Limits(each.high, float("inf"), open_low=each.closed)
        for kind, each in limits.items()
        if each.high < float("inf")
    }


def _bind(limits: dict[str, Limits], token: Token, side: str) -> None:
    value = token.value
    if value is None:
        return
    kind = base_measure(value)
    known = limits.get(kind, Limits())
    low, high = placed(value.low, value), placed(value.high, value)
    if side == "range":
        limits[kind] = Limits(low, high, closed=True)
    elif side in ("at_least", "more_than"):
        known = known if low <= known.high else Limits()
        limits[kind] = known._replace(low=low, open_low=side == "more_than")
    else:
        known = known if known.low <= high else Limits()
        limits[kind] = known._replace(high=high, closed=side == "at_most")


def _side(statement: Statement, token: Token) -> str | None:  # noqa: PLR0911 - one return a side
    """Which limit a value may be: a comparator or "range"; None for none."""
    value = token.value
    if value is None or (value.kind not in ("duration", "quantity", "number") and value.unit != "school_year"):
        return None
    text = statement.folded
    before, behind = text[max(0, token.start - 16) : token.start], text[token.end : token.end + 12]
    if value.high > value.low:
        return "range"
    if _NOT_YET.search(before):
        return "less_than"
    if value.name == "before":
        return "at_least" if value.comparator in ("at_least", "more_than") or _EARLIER.match(behind) else "at_most"
    if _FIRST.search(before):
        return "at_most"
    if value.comparator in ("at_least", "more_than", "at_most", "less_than"):
        return value.comparator
    if _AT_LEAST.search(before) or _UPWARDS.match(behind):
        return "at_least"
    ends = _TO.search(before) is not None and not behind.startswith(("로", "으로"))
    return "at_most" if ends or _DOWNWARDS.match(behind) else None
