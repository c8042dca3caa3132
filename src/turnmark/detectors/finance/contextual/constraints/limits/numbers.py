"""Constraints that set a number: drawdown, shares of the portfolio, cash to keep, duration.

A quantity breaks a limit when it lies beyond it (the far end of a range decides), measures what the limit is about, and
the reply proposes it: asserted, of this user, not advised against. It honours the limit when it lies within it, or when
the reply holds the user's line against something that lies beyond.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.limits.measured import UNFIT, Measured, QuantityReader
from turnmark.detectors.finance.contextual.constraints.options import OptionReader
from turnmark.detectors.finance.contextual.constraints.speech_act import (
    MODERATE,
    STRONG,
    WEAK,
    ActVerdict,
    in_earnest,
    meant_sign,
)
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader, Span
from turnmark.packs.rules import ConstraintKind

_DENIED_GAP, _LINE_GAP, _MOVE_REACH = 10, 4, 16
_ELSE_AFTER = {
    "asset": "of_a_plan",
    "fund": "of_a_plan",
    "equity": "of_a_plan",
    "duration": "under_a_move",
    "drawdown": "of_the_market",
}
"""What follows a number that is no share, duration or fall of what the user holds."""
_CAPS, _FLOORS = ("at_most", "less_than"), ("at_least", "more_than")
_PLANNED = ("cash", "equity")


class Limit(NamedTuple):
    """A limit that a constraint sets; ``floor`` when the quantity must not be below it."""

    value: float
    floor: bool
    measure: str


def judge_quantity(reader: ConstraintStanceReader, item: Measured, limit: Limit, value: float) -> ActVerdict | None:
    """What one quantity says of a limit: breaks it (sign 1), honours it (-1) or neither."""
    opposed = item.share and _opposed(item, limit)
    own = None if opposed else _own_line(reader, item, limit)
    if own is not None:
        return own
    beyond = opposed or (value < limit.value if limit.floor else value > limit.value)
    if beyond:
        return _held_back(reader, item) or _proposed(reader, item, limit)
    return _within(reader, item, limit)


def _opposed(item: Measured, limit: Limit) -> bool:
    """Whether a number bounds the other side than its limit does: at least 10% where at most 10% is asked."""
    if limit.floor:
        return item.comparator in _CAPS and item.high <= limit.value
    return item.comparator in _FLOORS and item.low >= limit.value


def _span(item: Measured) -> tuple[int, int]:
    return min(item.start, item.word_start), max(item.end, item.word_end)


def _is_of_the_user(reader: ConstraintStanceReader, item: Measured) -> bool:
    """Whether the sentence of a quantity speaks of what the user holds or does."""
    clauses, _ = reader.place(item.start)
    return reader.says("of_the_user", clauses[0].start, clauses[-1].end)


def _within(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> ActVerdict | None:
    """A quantity that keeps to the limit honours it, when it is the reply's proposal."""
    first, last = item.clause.start, item.clause.end
    if reader.explains or (reader.ends("denied", first, item.start, _DENIED_GAP) and not item.comparator):
        return None
    if not reader.short:
        held = reader.says("line", first, last) or (item.share and limit.measure in _PLANNED)
        if not held or not _planned(reader, item, limit):
            return None
    elif reader.text[item.word_start] in "跌亏" and not (item.comparator or _is_of_the_user(reader, item)):
        return None  # 股价跌一成 is of the share, not of what the user holds
    firm = item.share or reader.stance(item.clause) >= 0
    return ActVerdict(-1, MODERATE if firm else WEAK, *_span(item), "within")


def _held_back(reader: ConstraintStanceReader, item: Measured) -> ActVerdict | None:
    """A quantity beyond the limit that the reply names only to hold against it."""
    clauses, _ = reader.place(item.start)
    text, capped = reader.text, item.comparator in _CAPS
    if reader.ends("denied", item.clause.start, item.start, _DENIED_GAP) and not capped:
        return ActVerdict(-1, STRONG, *_span(item), "advised_against")
    own = max(clauses[0].start, item.start - 4)
    apart = text[clauses[0].start : own] + text[item.start : clauses[-1].end]  # without the quantity's own comparator
    if reader.phrase("over", apart) and not capped:
        return ActVerdict(-1, STRONG, *_span(item), "over_the_line")
    if item.share and reader.says("cut_back", item.end, clauses[-1].end):
        return ActVerdict(-1, STRONG, *_span(item), "cut_back")
    return None


def _proposed(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> ActVerdict | None:
    """A quantity beyond the limit breaks it when the reply proposes it; the words around decide."""
    if not in_earnest(reader, item.start, item.end):
        return None
    clauses, position = reader.place(item.start)
    stance = reader.stance(clauses[position])
    scope = reader.analysis.scope(reader.analysis.folded.to_original(item.start, item.end))
    supposed = (scope.conditional or scope.consequent) and stance <= 0
    if not item.share and (supposed or reader.sign("beside_the_line", item.clause.end, clauses[-1].end)):
        return None
    stance = stance or _sentence_stance(reader, clauses, position)
    if stance < 0:
        return ActVerdict(-1, MODERATE, *_span(item), "advised_against")
    if not reader.short:
        return _warned(reader, item, limit, stance)
    if stance > 0 or (item.share and not reader.against()):
        return ActVerdict(1, STRONG, *_span(item), "beyond")
    return _from_the_whole(reader, item, clauses)


def _from_the_whole(reader: ConstraintStanceReader, item: Measured, clauses: Sequence[Span]) -> ActVerdict | None:
    """A quantity beyond the limit in a short reply whose sentence takes no side: the reply as a whole does."""
    overall = reader.overall()
    if overall < 0:
        return ActVerdict(-1, WEAK, *_span(item), "advised_against")
    first, last = clauses[0].start, clauses[-1].end
    planned = reader.plans or reader.says("proposed", first, last) or reader.acts(first, last)
    return ActVerdict(1, MODERATE, *_span(item), "beyond") if overall or item.share or planned else None


def _warned(reader: ConstraintStanceReader, item: Measured, limit: Limit, stance: int) -> ActVerdict | None:
    """In a long reply a drawdown around the limit, named as a danger, is a warning in line with it."""
    if stance > 0 or limit.measure != "drawdown" or item.low > limit.value:
        return None
    clauses, _ = reader.place(item.start)
    if reader.says("instance", item.clause.start, item.start):
        return None
    if reader.says("warned", clauses[0].start, clauses[-1].end):
        return ActVerdict(-1, WEAK, *_span(item), "warned")
    return None


def _planned(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> bool:
    """Whether a long reply really sets a number for this user, not as an instance, a question or a mere fact."""
    text = reader.text
    instance = reader.says("instance", max(item.clause.start, item.start - 12), item.start)
    if instance or not in_earnest(reader, item.start, item.end):
        return False
    if limit.measure == "drawdown":
        capped = item.comparator in _CAPS or "以内" in text[item.end : item.end + 8]
        return capped and not reader.says("hard", item.clause.start, item.start)
    return True


def _sentence_stance(reader: ConstraintStanceReader, clauses: Sequence[Span], place: int) -> int:
    for clause in (*clauses[place + 1 :], *reversed(clauses[:place])):
        stance = reader.stance(clause)
        if stance:
            return stance
    return 0


def _own_line(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> ActVerdict | None:
    """The user's own number, recalled: honoured, unless it is being loosened."""
    if abs(item.high - limit.value) > 0.01:
        return None
    clauses, _ = reader.place(item.start)
    first, last = max(item.clause.start, item.start - 16), min(item.clause.end, item.end + 10)
    recalled = reader.says("line", first, last) or item.comparator in _CAPS
    if not recalled or reader.asks(clauses[-1]):
        return None
    loose = reader.loosened(clauses[0].start, clauses[-1].end)
    if loose:
        return ActVerdict(1, STRONG, min(item.start, loose.start), max(item.end, loose.end), "loosened")
    if not reader.short and (item.low != item.high or reader.says("instance", first, last)):
        return None
    return ActVerdict(-1, STRONG, *_span(item), "line_recalled")


def portfolio_shares(items: Sequence[Measured], measure: str) -> tuple[Measured, float] | None:
    """The share of the portfolio that a reply gives to a measure: a stated total, else the sum of its parts."""
    parts = [item for item in items if item.share and item.measure == measure]
    if not parts:
        return None
    totals = [item for item in parts if item.total]
    if totals:
        more = sum(item.high for item in parts if item.start > totals[-1].start and item.added)
        return totals[-1], totals[-1].high + more
    capped = [item for item in parts if item.comparator]
    plain = [item for item in parts if item not in capped]
    if not plain:
        return capped[-1], capped[-1].high
    return plain[0], sum(item.high for item in plain)


# The sum of two shares written as digits: 七三开, 股六债四.
_SPLIT = re.compile(
    r"(?P<assets>股债|权益固收|债股)?(?P<first>[一二三四五六七八九])[/:]?(?P<second>[一二三四五六七八九])"
    r"(?:开|分仓|的?比例|配比|配置|分(?=[,。;]))"
    r"|股(?:票|基|权)?(?P<equity>[一二三四五六七八九])成?[,、]?债(?:券|基)?[一二三四五六七八九]"
    r"|债(?:券|基)?[一二三四五六七八九]成?[,、]?股(?:票|基)?(?P<equity_second>[一二三四五六七八九])"
)
_DIGITS = {character: value for value, character in enumerate("一二三四五六七八九", 1)}


def stated_split(text: str) -> tuple[int, int, float] | None:
    """The equity share that a phrase such as 股六债四 or 股债二八开 states, with its folded span."""
    for match in _SPLIT.finditer(text):
        equity = match["equity"] or match["equity_second"]
        if equity:
            return match.start(), match.end(), _DIGITS[equity] * 10.0
        first, second = _DIGITS[match["first"]], _DIGITS[match["second"]]
        if first + second != 10 or not match["assets"]:
            continue
        return match.start(), match.end(), (second if match["assets"].startswith("债") else first) * 10.0
    return None


_HIGHEST_FEE = 3.0
_POSITION_SHARE = {"半仓": 50.0, "对半分": 50.0, "一大半": 60.0, "大半": 60.0}
_CLASSES = ("bond", "cash", "banned")


def fits(
    reader: ConstraintStanceReader, item: Measured, kind: ConstraintKind, limit: Limit, own: Sequence[str]
) -> bool:
    """Whether a quantity measures what a constraint limits."""
    text, first, last = reader.text, item.clause.start, item.clause.end
    if own:
        return item.share and any(word in text[first:last] for word in own)
    if _speaks_of_else(reader, item, kind.measure):
        return False
    if kind.measure == "drawdown" and item.measure == "" and abs(item.high - limit.value) < 0.01:
        return _at_the_line(reader, first, item)
    return _names(reader, item, kind, limit)


def _speaks_of_else(reader: ConstraintStanceReader, item: Measured, measure: str) -> bool:
    """Whether what follows a number shows that it is no share, duration or fall of what the user holds."""
    if measure in ("equity", "cash") and "." in reader.text[item.start : item.end]:
        return True  # 存款 4.6% is what it yields
    after = _ELSE_AFTER.get(measure)
    if after == "under_a_move":
        return reader.sign(after, item.end, item.end + _MOVE_REACH) is not None
    return after is not None and reader.follows(after, item.end) is not None


def _at_the_line(reader: ConstraintStanceReader, first: int, item: Measured) -> bool:
    """Whether a number is said to be the user's line."""
    near = reader.ends("the_line", first, item.start, _LINE_GAP) or reader.ends("off_the_line", first, item.start)
    return near or reader.follows("of_the_line", item.end) is not None


def _conceded(text: str) -> bool:
    """Whether a text concedes what it then sets aside (刺激是刺激)."""
    return any(
        text[max(0, position - size) : position] == text[position + 1 : position + 1 + size] != ""
        for position, mark in enumerate(text)
        if mark in "是归"
        for size in range(1, 5)
    )


def _names(reader: ConstraintStanceReader, item: Measured, kind: ConstraintKind, limit: Limit) -> bool:
    """Whether the words around a number name what a constraint limits."""
    first, last = item.clause.start, item.clause.end
    if kind.measure in ("equity", "cash", "duration") and item.measure in ("", "position") and reader.short:
        return abs(item.high - limit.value) < 0.01 and reader.says("line", first, last)
    if kind.measure not in ("asset", "fund"):
        return item.measure == kind.measure
    if item.unit != "percent" or item.measure in UNFIT:
        return False
    if abs(item.high - limit.value) < 0.01 and (item.comparator in _CAPS or reader.says("line", first, last)):
        return True
    return item.share and _of_one(reader, item)


def with_additions(items: Sequence[Measured]) -> list[Measured]:
    """Shares of one asset or fund, where what is added comes on top of what is held (持仓28%, 再补两成)."""
    results: list[Measured] = []
    for item in items:
        held = results[-1] if results else None
        if held and item.added and held.clause.sentence == item.clause.sentence:
            item = item._replace(low=held.low + item.low, high=held.high + item.high)  # noqa: PLW2901
        results.append(item)
    return results


def _of_one(reader: ConstraintStanceReader, item: Measured) -> bool:
    """Whether a share goes to one asset or fund, not to a class of them or to several at once."""
    start = max(item.clause.start, item.start - 16)
    if reader.sign("parted", start, item.start) and not reader.says("each", start, item.start):
        return False
    named = reader.text[item.word_start : item.word_end]
    if item.measure in _CLASSES or (item.measure == "equity" and reader.is_phrase("broad", named)):
        return reader.sign("one", start, item.start) is not None
    return True


def fee_of_choice(
    quantities: QuantityReader, options: OptionReader, reader: ConstraintStanceReader
) -> list[ActVerdict]:
    """Whether the option that a reply chooses has the lowest fee of those it compares."""
    if not reader.short or not options.chosen:
        return []
    fees: dict[str, Measured] = {}
    for index in range(len(reader.analysis.segments.sentences)):
        for item in quantities.sentence(index):
            if item.measure in ("fee", "", "return") and item.unit == "percent" and item.high < _HIGHEST_FEE:
                name = options.at(item.start) or reader.text[item.clause.start : item.clause.start + 2]
                fees.setdefault(name, item)
    chosen = fees.get(options.chosen)
    if chosen is None or len(fees) == 1:
        return []
    cheapest = min(item.high for item in fees.values())
    sign = 1 if chosen.high > cheapest else -1
    return [ActVerdict(sign, STRONG, chosen.word_start, chosen.end, "fee_chosen")]


def positions(reader: ConstraintStanceReader, limit: Limit) -> list[ActVerdict]:
    """Positions told in words (半仓, 满仓, 全押) against the ceiling of one asset or fund."""
    results = []
    for match in reader.signed("positions") if reader.short else ():
        if _POSITION_SHARE.get(match.group(), 100.0) > limit.value:
            clauses, position = reader.place(match.start())
            if _conceded(reader.text[match.end() : clauses[position].end]):
                continue
            sign = meant_sign(reader, *match.span())
            if sign > 0 and (reader.stance(clauses[position]) < 0 or reader.against()):
                sign = -1
            if sign:
                results.append(ActVerdict(sign, STRONG, *match.span(), "position"))
    return results
