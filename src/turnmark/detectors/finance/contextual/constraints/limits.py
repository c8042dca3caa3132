"""Constraints that set a number: drawdown, shares of the portfolio, cash to keep, duration.

A quantity breaks a limit when it lies beyond it (the far end of a range decides), measures what the limit is about, and
the reply proposes it: asserted, of this user, not advised against. It honours the limit when it lies within it, or when
the reply holds the user's line against something that lies beyond.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.measured import UNFIT, Measured, QuantityReader
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

_DENIED = re.compile(
    r"(?:(?<![特级类分区个性辨鉴识])别|不要|不宜|不能|不得|不应|不该|切勿|勿|不建议|不必|没有?|未|不)[^,。;:、]{0,10}$"
)
# 先买三分之一,也就是总资产的6%: a part of the plan, then told as a share of the whole.
_OF_A_PLAN = re.compile(
    r"[ *_]*(?:的|这|那)?(?:额度|计划|预算|份额|目标|这笔|那笔)"
    r"|[^,。;!?\d]{0,6}[,(]?(?:也就是|就是|即|折合|折下来|折成|相当于|约合|合|换算|算下来)[^,。;!?]{0,10}?\d"
)
_UNDER_A_MOVE = re.compile(
    r"[,、的的 ]*[^,。;]{0,6}(?:利率|收益率)[^,。;]{0,4}(?:降|升|上行|下行|抬|变|动|掉|走|涨|跌)"
)
_OF_THE_MARKET = re.compile(r"[ *_]*的?(?:年份|行情|年景|市况|熊市|坏年|大跌|那种)")
_ELSE_AFTER = {
    "asset": _OF_A_PLAN,
    "fund": _OF_A_PLAN,
    "equity": _OF_A_PLAN,
    "duration": _UNDER_A_MOVE,
    "drawdown": _OF_THE_MARKET,
}
_BESIDE_THE_LINE = re.compile(r"[您你][^,。;]{0,6}(?:封顶|上限|以内|之内|的线|的要求|定的|的规矩|划的)")
_THE_LINE = re.compile(r"(?:底线|红线|极限|止损线?|线是|线定在|线在)[^,。;]{0,4}$|离(?:您的?|那条)?$")
_OF_THE_LINE = re.compile(r"[ *_]*(?:的|这条|那条)*(?:线|底线|红线|极限)")
_OF_THE_USER = re.compile(r"您|你|咱|组合|账户|整体|整个|合计|总|方案|这套|这样配|按这|照这|停|复核|复盘|减|控制|压")
_CAPS = ("at_most", "less_than")
_PLANNED = ("cash", "equity")


class Limit(NamedTuple):
    """A limit that a constraint sets; ``floor`` when the quantity must not be below it."""

    value: float
    floor: bool
    measure: str


def judge_quantity(reader: ConstraintStanceReader, item: Measured, limit: Limit, value: float) -> ActVerdict | None:
    """What one quantity says of a limit: breaks it (sign 1), honours it (-1) or neither."""
    own = _own_line(reader, item, limit)
    if own is not None:
        return own
    beyond = value < limit.value if limit.floor else value > limit.value
    if beyond:
        return _held_back(reader, item, limit) or _proposed(reader, item, limit)
    return _within(reader, item, limit)


def _span(item: Measured) -> tuple[int, int]:
    return min(item.start, item.word_start), max(item.end, item.word_end)


def _is_of_the_user(reader: ConstraintStanceReader, item: Measured) -> bool:
    """Whether the sentence of a quantity speaks of what the user holds or does."""
    clauses, _ = reader.place(item.start)
    return _OF_THE_USER.search(reader.text, clauses[0].start, clauses[-1].end) is not None


def _within(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> ActVerdict | None:
    """A quantity that keeps to the limit honours it, when it is the reply's proposal."""
    first, last = item.clause.start, item.clause.end
    if reader.explains or (_DENIED.search(reader.text, first, item.start) and not item.comparator):
        return None
    if not reader.short:
        held = reader.says("line", first, last) or (item.share and limit.measure in _PLANNED)
        if not held or not _planned(reader, item, limit):
            return None
    elif reader.text[item.word_start] in "跌亏" and not (item.comparator or _is_of_the_user(reader, item)):
        return None  # 股价跌一成 is of the share, not of what the user holds
    firm = item.share or reader.stance(item.clause) >= 0
    return ActVerdict(-1, MODERATE if firm else WEAK, *_span(item), "within")


def _held_back(reader: ConstraintStanceReader, item: Measured, limit: Limit) -> ActVerdict | None:
    """A quantity beyond the limit that the reply names only to hold against it."""
    clauses, _ = reader.place(item.start)
    text, capped = reader.text, item.comparator in _CAPS
    if _DENIED.search(text, item.clause.start, item.start) and (limit.floor or not capped):
        return ActVerdict(-1, STRONG, *_span(item), "advised_against")
    own = max(clauses[0].start, item.start - 4)
    apart = text[clauses[0].start : own] + text[item.start : clauses[-1].end]  # without the quantity's own comparator
    if reader.phrase("over", apart) and (limit.floor or not capped):
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
    if not item.share and (supposed or _BESIDE_THE_LINE.search(reader.text, item.clause.end, clauses[-1].end)):
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
_PARTED = re.compile(
    r"(?:拆|分|均)(?:给|成|到|投|配)|[两二三四五六七八九十2-9](?:只|支|个|种|类|份)|其余|余下|剩下|剩余"
)
_EACH = re.compile(r"[各每均]")
_ONE = re.compile(r"[这那某一]一?[只支个]|单[只支一个]|任何一|每[只支个]|公司(?:的)?股票|这家|该公司|自家股票")
_POSITIONS = re.compile(
    r"半仓|对半分|一大半|大半|满仓|全仓|梭哈|全押|能买多少买多少|全部?进场|[全都](?:划"
    r"|挪|换|搬|转|投|放)(?:过去|过来|进去|成它)|all in|孤注一掷|全部(?:资金|身家"
    r"|积蓄|的钱|换|买|押|投|仓位)"
)
_CONCEDED = re.compile(r"(\w{1,4})[是归]\1")  # 刺激是刺激
_POSITION_SHARE = {"半仓": 50.0, "对半分": 50.0, "一大半": 60.0, "大半": 60.0}
_CLASSES = ("bond", "cash", "banned")


def fits(
    reader: ConstraintStanceReader, item: Measured, kind: ConstraintKind, limit: Limit, own: Sequence[str]
) -> bool:
    """Whether a quantity measures what a constraint limits."""
    text, first, last = reader.text, item.clause.start, item.clause.end
    if own:
        return item.share and any(word in text[first:last] for word in own)
    if _speaks_of_else(text, item, kind.measure):
        return False
    if kind.measure == "drawdown" and item.measure == "" and abs(item.high - limit.value) < 0.01:
        return bool(_THE_LINE.search(text, first, item.start) or _OF_THE_LINE.match(text, item.end))
    return _names(reader, item, kind, limit)


def _speaks_of_else(text: str, item: Measured, measure: str) -> bool:
    """Whether what follows a number shows that it is no share, duration or fall of what the user holds."""
    if measure in ("equity", "cash") and "." in text[item.start : item.end]:
        return True  # 存款 4.6% is what it yields
    after = _ELSE_AFTER.get(measure)
    return after is not None and after.match(text, item.end) is not None


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
    before = reader.text[max(item.clause.start, item.start - 16) : item.start]
    if _PARTED.search(before) and not _EACH.search(before):
        return False
    named = reader.text[item.word_start : item.word_end]
    if item.measure in _CLASSES or (item.measure == "equity" and reader.is_phrase("broad", named)):
        return _ONE.search(before) is not None
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
    for match in _POSITIONS.finditer(reader.text) if reader.short else ():
        if _POSITION_SHARE.get(match.group(), 100.0) > limit.value:
            clauses, position = reader.place(match.start())
            if _CONCEDED.search(reader.text, match.end(), clauses[position].end):
                continue
            sign = meant_sign(reader, *match.span())
            if sign > 0 and (reader.stance(clauses[position]) < 0 or reader.against()):
                sign = -1
            if sign:
                results.append(ActVerdict(sign, STRONG, *match.span(), "position"))
    return results
