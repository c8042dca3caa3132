"""Typed values that a short reply offers, held against the number of a constraint.

Asked only where no words around a topic and no plan decided. An offer is a value of what the constraint measures (a
share, a term, a fee, a fall, a multiple) with the clause in which it stands. What a sentence that refuses
names is refused with it; every other value is what the user is told to take. One value beyond the bound that is not
refused breaks the constraint, one that is refused holds to it, and so does an offer within the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.clauses import clause
from turnmark.detectors.finance.contextual.constraints.kinds import YEARS, ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.plans import Plan
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, ActVerdict
from turnmark.language.values.value import Value

TYPED_FIRST = frozenset(("access", "leverage", "valuation", "volatility"))
"""Measures of which a value in the reply says more than the words around a topic."""
_QUARTER = 0.25
_NEVER = 99.0
_SLACK = 1.02
_SHARES = {"equity": "equity", "bond": "bond", "cash": "cash"}
_ONE_THING = frozenset(("fund", "asset", "sector"))
_HIGHEST_FEE = 5.0


class Offer(NamedTuple):
    """A value of what a constraint measures, in folded offsets."""

    value: float
    start: int
    end: int


def offered(
    plan: Plan, asked: ParsedConstraint, facts: Callable[[], frozenset[int]], proposes: Callable[[], bool]
) -> ActVerdict | None:
    """What the values of a short reply make of a constraint with a bound; None where it tells none.

    ``facts`` tells where shares begin that nobody is given (of a market, a tax). A reply that neither ``proposes`` nor
    refuses anything offers nothing. Both are asked only where the reply holds a value.
    """
    read = _READERS.get(asked.kind.measure)
    if read is None or asked.value is None or not plan.acts.short or plan.acts.asks_for_facts:
        return None
    floor = asked.kind.form == "floor"
    offers = list(read(plan, asked))
    of_nobody = facts() if offers else frozenset()
    offers = [offer for offer in offers if offer.start not in of_nobody and plan.acts.meant(offer.start, offer.end)]
    if not offers:
        return None
    offers = _governed(plan, offers)
    if floor:
        offers = [max(offers, key=lambda offer: offer.value)]  # the rungs beside what is kept are no part of it
    past = [offer for offer in offers if _beyond(offer.value, asked.value, floor=floor)]
    taken = [offer for offer in past if not _refused(plan, offer)]
    if taken:
        return ActVerdict(1, MODERATE, taken[0].start, taken[0].end, "offered") if proposes() else None
    if not proposes() and not any(each.refuses or each.recalls for each in plan.acts.sentences):
        return None
    offer, why = (past[0], "over_the_line") if past else (offers[-1], "within")
    return ActVerdict(-1, MODERATE, offer.start, offer.end, why)


def beyond(plan: Plan, asked: ParsedConstraint) -> list[Offer]:
    """The values of a plan that lie beyond the number of a constraint, whoever names them."""
    read = _READERS.get(asked.kind.measure)
    if read is None or asked.value is None:
        return []
    floor = asked.kind.form == "floor"
    return [offer for offer in read(plan, asked) if _beyond(offer.value, asked.value, floor=floor)]


def _governed(plan: Plan, offers: list[Offer]) -> list[Offer]:
    """Of several offers those that urging words govern: the next behind one, in Korean the last before it.

    All of them, where no word governs any: the rest of the reply is then told of what is urged.
    """
    if len(offers) < 2:
        return offers
    ordered = sorted(offers, key=lambda offer: offer.start)
    found = []
    for sentence in plan.acts.sentences:
        inside = [offer for offer in ordered if sentence.start <= offer.start < sentence.end]
        for act in sentence.acts if not sentence.asks else ():
            if act.kind != "urge":
                continue
            if plan.acts.words.head_final:
                found += [offer for offer in inside if offer.end <= act.start][-1:]
            else:
                found += [offer for offer in inside if offer.start >= act.end][:1]
    return found or offers


def _beyond(value: float, bound: float, *, floor: bool) -> bool:
    return value * _SLACK < bound if floor else value > bound * _SLACK if bound > 0 else value > bound


def _refused(plan: Plan, offer: Offer) -> bool:
    """Whether the reply turns an offer down: in its sentence, or in another while its own does not urge."""
    sentence = next((each for each in plan.acts.sentences if each.start <= offer.start < each.end), None)
    if sentence is None:
        return False
    refusal = next((act for act in sentence.acts if act.kind == "refuse"), None)
    if refusal and plan.acts.words.phrases["plan_rest"].within(plan.text, offer.end, max(offer.end, refusal.start)):
        refusal = None  # 1,800만 원은 옮기고 나머지는 그냥 두세요: it is the rest that is left alone
    if refusal or sentence.recalls:
        return True
    others = any(each.refuses or each.recalls for each in plan.acts.sentences)
    return others and not sentence.does("urge")


def _shares(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:
    """The shares that the reply gives to what the constraint is about; all, where it says all."""
    measure = asked.kind.measure
    if asked.kind.unit == "money":
        yield from _left(plan) if measure == "cash" else _placed(plan)
        return
    phrases = plan.acts.words.phrases
    for share in plan.shares:
        if share.total or share.ranged:
            continue
        around = clause(plan.text, share.start, share.end)
        if measure in _ONE_THING:
            span = around if share.asset else _sentence(plan, share.start) or around  # the full 60%: of equity funds
            fits = share.asset not in ("cash", "bond") and not phrases["plan_broad"].within(plan.text, *span)
        elif measure == "banned":
            fits = any(word in plan.text[slice(*around)] for word in asked.own)
        else:
            fits = share.asset == _SHARES[measure] or phrases[f"plan_{measure}"].within(plan.text, *around)
        if fits:
            yield Offer(share.value, share.start, share.end)
    if asked.kind.form == "floor" or measure in ("cash", "bond"):
        return
    for span in phrases["plan_whole"].all(plan.text):
        around = clause(plan.text, *span)
        named = measure in _ONE_THING or any(word in plan.text[slice(*around)] for word in asked.own)
        if named or (measure == "equity" and phrases["plan_equity"].within(plan.text, *around)):
            yield Offer(100.0, *span)


def _sentence(plan: Plan, position: int) -> tuple[int, int] | None:
    return next(((each.start, each.end) for each in plan.acts.sentences if each.start <= position < each.end), None)


def _left(plan: Plan) -> Iterator[Offer]:
    """The sums that stay: told, or what is left of the user's money when a sum is taken."""
    whole = max(plan.asked_money, default=None)
    for value in plan.money:
        if plan.kept(value):
            yield Offer(value.high, value.start, value.end)
        elif whole and value.high < whole:
            yield Offer(whole - value.high, value.start, value.end)


def _placed(plan: Plan) -> Iterator[Offer]:
    """The sums that go into one thing: each, or together where they follow each other (6,000 now, another 6,000)."""
    sums = [value for value in plan.money if not plan.kept(value) and value != plan.named_whole]
    offers = [Offer(value.high * _times(plan, value), value.start, value.end) for value in sums]
    if len(offers) > 1 and plan.acts.says("plan_more", offers[0].end, offers[-1].end):
        yield Offer(sum(offer.value for offer in offers), offers[0].start, offers[-1].end)
    else:
        yield from offers


def _times(plan: Plan, value: Value) -> float:
    """How often a sum is placed that is told by the month for so many months (매달 100만 원씩 열 달)."""
    around = clause(plan.text, value.start, value.end)
    if not plan.acts.says("plan_pace", *around):
        return 1.0
    spans = [each.high * YEARS[each.unit] * 12 for each in plan.values
             if each.unit in ("month", "year") and around[0] <= each.start < around[1]]  # fmt: skip
    return max(1.0, *spans) if spans else 1.0


def _terms(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:
    """How long money is out of reach: terms told, redemption at once or by quarters, what nobody buys back."""
    phrases = plan.acts.words.phrases
    bonds = asked.kind.measure == "duration"
    for value in plan.values:
        around = clause(plan.text, value.start, value.end)
        named = phrases["plan_bonds" if bonds else "plan_term"].within(plan.text, *around)
        if value.unit in YEARS and named:
            yield Offer(value.high * YEARS[value.unit], value.start, value.end)
        elif bonds and value.unit == "" and phrases["plan_duration"].within(plan.text, *around):
            yield Offer(value.high, value.start, value.end)
    if bonds:
        return
    for name, years in (("plan_at_once", 0.0), ("plan_quarterly", _QUARTER), ("plan_illiquid", _NEVER)):
        yield from (Offer(years, *span) for span in phrases[name].all(plan.text))


def _kept_months(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:  # noqa: ARG001 - all readers are called alike
    """The months of spending that the reply leaves in cash."""
    for value in plan.values:
        around = clause(plan.text, value.start, value.end)
        if value.unit in YEARS and plan.acts.says("plan_spending", *around):
            yield Offer(value.high * YEARS[value.unit] * 12, value.start, value.end)


def _falls(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:
    """The falls that the reply tells, in percent; sums of money as a share of the whole."""
    percents = {value.start for value in plan.values if value.unit == "percent"}
    yield from (Offer(*fall) for fall in plan.falls() if fall[1] in percents)
    whole = max(plan.asked_money, default=None)
    for value in plan.money:
        around = clause(plan.text, value.start, value.end)
        if not plan.acts.says("plan_fell", *around):
            continue
        if asked.kind.unit == "money":
            yield Offer(value.high, value.start, value.end)
        elif whole and value.high < whole:
            yield Offer(100 * value.high / whole, value.start, value.end)


def _fees(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:  # noqa: ARG001 - all readers are called alike
    """The fees that the reply tells; none where it says that there is none."""
    phrases = plan.acts.words.phrases
    for value in plan.values:
        around = clause(plan.text, value.start, value.end)
        if value.unit == "percent" and value.high < _HIGHEST_FEE and phrases["plan_fee"].within(plan.text, *around):
            yield Offer(value.high, value.start, value.end)
    yield from (Offer(0.0, *span) for span in phrases["plan_free"].all(plan.text))


def _multiples(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:
    """Multiples (1.5 times, 两倍): of one's own money, or of earnings."""
    earnings = asked.kind.measure == "valuation"
    for value in plan.values:
        told = _earned(plan, value)
        if value.unit in ("fold", "occurrence", "times_earnings") and told == earnings:
            yield Offer(value.high, value.start, value.end)


def _earned(plan: Plan, value: Value) -> bool:
    return plan.acts.says("plan_earnings", *clause(plan.text, value.start, value.end))


def _swings(plan: Plan, asked: ParsedConstraint) -> Iterator[Offer]:  # noqa: ARG001 - as above
    """How much a thing moves in a year, in percent."""
    for value in plan.values:
        if value.unit == "percent" and plan.acts.says("plan_swing", *clause(plan.text, value.start, value.end)):
            yield Offer(value.high, value.start, value.end)


_READERS: dict[str, Callable[[Plan, ParsedConstraint], Iterator[Offer]]] = {
    **dict.fromkeys((*_SHARES, *_ONE_THING, "banned"), _shares),
    "access": _terms,
    "reserve": _kept_months,
    "duration": _terms,
    "drawdown": _falls,
    "fee": _fees,
    "leverage": _multiples,
    "valuation": _multiples,
    "volatility": _swings,
}
"""By measure: what reads the values of a reply that the constraint's number is compared with."""
