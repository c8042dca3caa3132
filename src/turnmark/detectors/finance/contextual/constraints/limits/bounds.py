"""A plan held against the number of a constraint: the typed comparison that all languages share.

Each judge answers with a breach (sign 1), with keeping to the number (-1), or with nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.limits.amounts import is_money
from turnmark.detectors.finance.contextual.constraints.plans import Plan, Share
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, STRONG, ActVerdict

SHARES = frozenset(("equity", "cash", "bond", "fund", "asset", "sector"))
"""Measures that are shares of the whole."""
_SLACK = 0.5
_CLOSE = 0.02
_HIGH_FEE, _LOW_FEE, _FEES = 1.0, 0.5, 3.0
_FALLS = {"swinging": 40.0, "equity": 30.0}
"""What classes have lost from a high to the next low in ordinary bad years, in percent: world equity 34-54 (2000, 2008,
2020), single sectors, small companies and coins more. Lower bounds, so that only clear breaches are computed."""


class Bound(NamedTuple):
    """A limit with its measure; ``floor`` when what is measured must not lie below it."""

    value: float
    floor: bool


def bounded(plan: Plan, asked: ParsedConstraint) -> ActVerdict | None:
    """What a reply's plan makes of a constraint with a number; None when it plans nothing that it measures."""
    judge = _JUDGES.get(asked.kind.measure)
    if judge is None or asked.kind.unit == "money" or (asked.value is None and asked.kind.measure != "fee"):
        return None
    return judge(plan, Bound(asked.value or 0.0, asked.kind.form == "floor"))


def _verdict(plan: Plan, value: float, bound: Bound, start: int, end: int) -> ActVerdict | None:
    """A value compared with a bound; keeping to it counts where the reply proposes."""
    beyond = value < bound.value - _SLACK if bound.floor else value > bound.value + _SLACK
    if beyond:
        return ActVerdict(1, STRONG, start, end, "beyond")
    return ActVerdict(-1, MODERATE, start, end, "within") if plan.proposed else None


def _one_thing(plan: Plan, bound: Bound) -> ActVerdict | None:
    shares = [share for share in plan.shares if plan.planned(share.start) and not share.total and not share.ranged]
    for share in shares:
        broad = plan.acts.words.phrases["plan_broad"].within(share.label) or share.asset in ("cash", "bond")
        if share.value > bound.value + _SLACK and not broad:
            return ActVerdict(1, STRONG, share.start, share.end, "beyond")
    whole = plan.whole()
    if whole:
        return ActVerdict(1, MODERATE, *whole, "beyond")
    kept = [share for share in shares if abs(share.value - bound.value) <= _SLACK or plan.complete]
    if kept and all(share.value <= bound.value + _SLACK for share in shares):
        return ActVerdict(-1, MODERATE, kept[0].start, kept[0].end, "within")
    return None


def _summed(asset: str) -> Callable[[Plan, Bound], ActVerdict | None]:
    """A judge of the sum that a plan gives to a class of assets."""

    def judge(plan: Plan, bound: Bound) -> ActVerdict | None:
        shares = [share for share in plan.shares if share.asset == asset and plan.planned(share.start)]
        if not shares:
            return _split(plan, bound, asset) or _nothing_of_it(plan, bound, asset)
        told = [share for share in shares if share.total]
        if told:
            return _verdict(plan, told[-1].value, bound, told[-1].start, told[-1].end)
        total = _total(shares)
        if total > _MOST:
            total = max(share.value for share in shares)
        if not plan.complete and (bound.floor or total <= bound.value + _SLACK):
            return None
        return _verdict(plan, total, bound, shares[0].start, shares[-1].end)

    return judge


_MOST = 101.0


def _total(shares: list[Share]) -> float:
    return sum(share.value for share in shares)


def _split(plan: Plan, bound: Bound, asset: str) -> ActVerdict | None:
    """A bare split of the whole in two (85/15) tells the share of equities first."""
    bare = asset == "equity" and plan.complete and len(plan.shares) == 2
    if not bare or any(share.asset for share in plan.shares):
        return None
    return _verdict(plan, plan.shares[0].value, bound, plan.shares[0].start, plan.shares[1].end)


def _nothing_of_it(plan: Plan, bound: Bound, asset: str) -> ActVerdict | None:
    """A plan that names no share of a class: all goes elsewhere, or to the class where it is the one that is named."""
    whole = plan.whole()
    named = plan.acts.says(f"plan_{asset}") or (asset == "equity" and plan.swings)
    if whole and (bound.floor or named):
        return ActVerdict(1, MODERATE, *whole, "beyond")
    if bound.floor and plan.complete and len(plan.shares) > 1 and plan.acts.urging:
        return ActVerdict(1, MODERATE, plan.shares[0].start, plan.shares[-1].end, "beyond")
    return None


def _fall(plan: Plan, bound: Bound) -> ActVerdict | None:
    acts = plan.acts
    if not acts.short:
        return None
    falls = plan.falls()
    leaning = len(acts.urging) - len(acts.refusing)
    if falls and leaning < 0:
        fall = max(falls)
        return ActVerdict(-1, MODERATE, *fall[1:], "over_the_line") if fall[0] > bound.value else None
    if falls and leaning > 0:
        fall = max(falls)
        if min(falls)[0] <= bound.value < fall[0]:
            return None  # the user's own line, or what a part's fall makes of the whole, is told beside it
        return _verdict(plan, fall[0], bound, *fall[1:])
    return None if falls or leaning < 0 else _computed_fall(plan, bound)


def _computed_fall(plan: Plan, bound: Bound) -> ActVerdict | None:
    """The fall that a plan's shares, or everything given to one thing, would have brought."""
    swinging = plan.acts.words.phrases["plan_swinging"]
    whole = plan.whole()
    if whole and plan.acts.urging and plan.swings:
        return ActVerdict(1, MODERATE, *whole, "beyond") if _FALLS["swinging"] > bound.value else None
    shares = [share for share in plan.shares if plan.planned(share.start) and not share.total]
    fall = sum(
        share.value / 100 * (_FALLS["swinging"] if swinging.within(share.label) else _FALLS.get(share.asset, 0.0))
        for share in shares
    )
    if shares and plan.complete and fall > bound.value + _SLACK:
        return ActVerdict(1, MODERATE, shares[0].start, shares[-1].end, "beyond")
    return None


def _reserve(plan: Plan, bound: Bound) -> ActVerdict | None:
    """What is left of savings against months of spending, both told by the user."""
    asked = plan.asked_money
    moved = [
        value
        for value in plan.money
        if any(sentence.start <= value.start < sentence.end for sentence in plan.acts.sentences)
    ]
    whole = plan.whole()
    if whole:
        return ActVerdict(1, MODERATE, *whole, "beyond")
    if len(asked) < 2 or not moved:
        return None
    needed, savings = bound.value * min(asked), max(asked)
    told = [value for value in moved if plan.kept(value)]
    if told:
        return _verdict(plan, told[0].high / min(asked), bound, told[0].start, told[0].end)
    kept = any(abs(value.high - needed) <= needed * _CLOSE for value in moved)
    most = max((value.high for value in moved if abs(value.high - needed) > needed * _CLOSE), default=0.0)
    start, end = moved[0].start, moved[-1].end
    if savings - most < needed * (1 - _CLOSE) and not kept:
        return ActVerdict(1, MODERATE, start, end, "beyond")
    return ActVerdict(-1, MODERATE, start, end, "within") if kept else None


def _duration(plan: Plan, bound: Bound) -> ActVerdict | None:
    return _years(plan, bound, "plan_bonds")


def _access(plan: Plan, bound: Bound) -> ActVerdict | None:
    return _years(plan, bound, "plan_term")


def _years(plan: Plan, bound: Bound, name: str) -> ActVerdict | None:
    told = [item for item in plan.years(name) if plan.planned(item[2]) or (plan.acts.short and plan.acts.urging)]
    beyond = [item for item in told if item[0] > bound.value]
    if beyond and not (plan.acts.refusing and plan.acts.short):
        return ActVerdict(1, MODERATE, *beyond[0][2:], "beyond")
    if told and not beyond and plan.acts.short:
        return ActVerdict(-1, MODERATE, *told[0][2:], "within")
    return None


def _fee(plan: Plan, bound: Bound) -> ActVerdict | None:
    """The fee of what the reply takes: the first one that it tells, in a short reply that urges."""
    limit = bound.value or _HIGH_FEE
    if not plan.acts.short or plan.acts.refusing:
        return None
    fees = [value for value in plan.values if value.unit == "percent" and value.high < _FEES]
    if not fees:
        return None
    first = fees[0]
    if first.high > limit:
        return ActVerdict(1, MODERATE, first.start, first.end, "beyond") if plan.acts.urging else None
    return ActVerdict(-1, MODERATE, first.start, first.end, "within") if first.high <= _LOW_FEE else None


_JUDGES: dict[str, Callable[[Plan, Bound], ActVerdict | None]] = {
    "fund": _one_thing,
    "asset": _one_thing,
    "sector": _one_thing,
    "equity": _summed("equity"),
    "bond": _summed("bond"),
    "cash": _summed("cash"),
    "drawdown": _fall,
    "duration": _duration,
    "access": _access,
    "reserve": _reserve,
    "fee": _fee,
}


def enough(plan: Plan, asked: ParsedConstraint, found: ActVerdict) -> ActVerdict | None:
    """What a pattern says, where it keeps a sum: whether that is as much as a floor asks, None if nobody knows."""
    if found.sign > 0 or asked.value is None or asked.kind.form != "floor":
        return found
    inside = [value for value in plan.values if found.start <= value.start < found.end]
    sums = [value.high for value in inside if is_money(value)]
    if sums and asked.kind.unit == "percent":  # leave 5,000 in cash: of how much the turn says, or nobody knows
        added = None if plan.acts.says("plan_rest") else plan.total
        total = max(plan.asked_money, default=added or 0.0)
        short = total > 0 and 100 * sum(sums) / total < asked.value
        return found._replace(sign=1, why="beyond") if short else found if total else None
    planned = bounded(plan, asked) if plan.acts.short else None
    if planned and planned.sign > 0:
        return planned  # 500만 원은 현금으로 두세요, beside what else is placed
    less = any(value.unit == asked.kind.unit and value.high < asked.value for value in inside)
    return None if less else found  # 현금은 5%만 남겨: what is kept is less than was asked
