"""The numbers that a Korean or English reply plans with: shares given to things, falls told, years of bonds.

A share stands in a sentence, a list item or a row of a table beside what it is given to; money counts as a share of the
whole where the reply or the question tells the whole. What a plan holds is compared with the constraint's own number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, STRONG, ActVerdict
from turnmark.language.analysis import Analysis
from turnmark.language.values import read_values
from turnmark.language.values.value import Value

_EQUITY = re.compile(
    r"\b(?:equit(?:y|ies)|stocks?|shares?|s&p|nasdaq|nifty|flexi-cap|mid-cap|small-cap"
    r"|growth|dividend|index fund|reits?)\b"
    r"|주식|나스닥|코스피|반도체|배당|성장주|s&p"
)
_NOT_EQUITY = re.compile(r"\b(?:bonds?|gold|cash|deposit|debt|liquid)\b|채권|국고채|예금|현금|금(?= )")
_CASH = re.compile(r"\b(?:cash|liquid fund|savings|emergency|reserve|money market|hysa)\b|현금|파킹통장|비상금|예금")
_BROAD = re.compile(
    r"\b(?:equities|stocks overall|bonds?|cash|deposits?|liquid|broad|global|index"
    r"|diversified|government|treasur(?:y|ies)|t-bills?)\b"
    r"|채권|국고채|국채|예금|현금|코스피200|파킹|분산|나눠"
)
_WHOLE = re.compile(
    r"\b(?:all in(?: one)?|all of (?:it|them)"
    r"|the whole (?:[$₹£€0-9]|sum|lot|amount|pot|balance)|every (?:rupee|penny|dollar"
    r"|cent|pound)|everything|full sum|lump ?sum|the lot"
    r"|the rest|go all[- ]in|entire)\b|전액|전부|남김없이|몰빵|올인|다 넣|꽉 채|하나로 전부"
)
_FACT = re.compile(
    r"\b(?:yield|yields|return|returns|rate|coupon|interest|apr|fee|ter|ratio|per year"
    r"|a year|fell|dropped|rose|gained|lost|below|above"
    r"|average|inflation|gdp|up)\b|금리|수익률|이자|보수|수수료|연 |평균|올랐|빠졌|내려|오르|세금|부가세|배당"
)
_FELL = re.compile(
    r"\b(?:fell|fall|falls|drop|drops|dropped|drawdown|lost|lose|loss|losses|down"
    r"|dip|worst|minus)\b|낙폭|손실|빠지|빠진|빠졌|하락|마이너스|잃"
)
_BONDS = re.compile(
    r"\b(?:bonds?|gilts?|treasur(?:y|ies)|notes?|maturity|duration|tlt|gs|sgs|debt)\b"
    r"|국고채|국채|회사채|채권|듀레이션|만기|년물"
)
_DATED = re.compile(
    r"\b(?:gs|gilt|treasury|bond|due|sgs)\b[^.\n]{0,12}(20[3-9][0-9])|(20[3-9][0-9])\b[^.\n]{0,8}\b(?:gs|gilt|bond)"
)
_KOREAN_YEARS = re.compile(r"([0-9]{2}) ?년(?:물| 국고채| 국채| 만기)")
_ITEM = re.compile(r"[ \t]*(?:[|\-*•·①②③④⑤]|[0-9]{1,2}[.)])")
_YEAR_NOW = 2026
_MONEY = frozenset(("usd", "krw", "yuan", "inr", "gbp", "eur", "sgd", "hkd", "jpy"))


class Share(NamedTuple):
    """A share of the whole in percent, with the words around it (folded offsets)."""

    value: float
    start: int
    end: int
    around: str


class Plan:
    """The shares, falls and years of one reply.

    Args:
        analysis: The reply.
        question: What it answers.
        urging: The sentences that tell the user to act, in folded offsets.

    """

    def __init__(self, analysis: Analysis, question: Analysis, urging: Sequence[tuple[int, int]]) -> None:
        self.text = analysis.folded.text
        self.urging = urging
        self._question = question.folded.text
        self.values = [
            value for value in read_values(analysis.folded) if value.kind in ("quantity", "number", "duration")
        ]
        self._total = self._whole([*self.values, *read_values(question.folded)])
        self.shares = [share for value in self.values if (share := self._share(value))]

    def _whole(self, values: list[Value]) -> float | None:
        """The largest sum of money that question and reply name, when they name more than one."""
        sums = [value.high for value in values if value.unit in _MONEY]
        return max(sums) if len(sums) > 1 else None

    def line(self, position: int) -> tuple[int, int]:
        """The line of a position: a sentence of prose is short enough to stand for it."""
        start = max(
            self.text.rfind("\n", 0, position) + 1, *(self.text.rfind(mark, 0, position) + 1 for mark in (". ", "! "))
        )
        ends = [end for mark in ("\n", ". ", "! ") if (end := self.text.find(mark, position)) >= 0]
        return start, min(ends, default=len(self.text))

    def planned(self, position: int) -> bool:
        """Whether what stands at a position is planned: an urging sentence, or an item of a list beside one."""
        if any(start <= position < end for start, end in self.urging):
            return True
        first = self.text.rfind("\n", 0, position) + 1
        return bool(self.urging) and _ITEM.match(self.text, first) is not None

    def whole(self) -> re.Match[str] | None:
        """The first words that give everything to one thing where the reply plans."""
        return next((match for match in _WHOLE.finditer(self.text) if self.planned(match.start())), None)

    def _share(self, value: Value) -> Share | None:
        if not self.planned(value.start):
            return None
        first, last = self.line(value.start)
        before, after = (
            self.text[max(first, value.start - 24) : value.start],
            self.text[value.end : min(last, value.end + 30)],
        )
        if value.unit == "percent":
            near = before[-14:] + after[:12]
            if _FACT.search(near) or value.high < 1 or "." in self.text[value.start : value.end]:
                return None
            return Share(value.high, value.start, value.end, before + after)
        if value.unit in _MONEY and self._total and value.high < self._total:
            return Share(100 * value.high / self._total, value.start, value.end, before + after)
        return None


def beyond(plan: Plan, asked: ParsedConstraint) -> ActVerdict | None:
    """Whether a reply that urges plans a number beyond a constraint's; None when it plans none."""
    if asked.value is None or not plan.urging:
        return None
    measure, limit = asked.kind.measure, asked.value
    if measure in ("fund", "asset"):
        return _one_thing(plan, limit)
    if measure == "equity":
        return _summed(plan, limit)
    if measure == "cash":
        return _kept(plan, limit)
    if measure == "drawdown":
        return _fall(plan, limit)
    return _years(plan, limit) if measure == "duration" else None


def _one_thing(plan: Plan, limit: float) -> ActVerdict | None:
    for share in plan.shares:
        if share.value > limit + 0.5 and not _BROAD.search(share.around):
            return ActVerdict(1, STRONG, share.start, share.end, "beyond")
    whole = plan.whole()
    return ActVerdict(1, MODERATE, *whole.span(), "beyond") if whole else None


def _summed(plan: Plan, limit: float) -> ActVerdict | None:
    stock = [share for share in plan.shares if _EQUITY.search(share.around) and not _NOT_EQUITY.search(share.around)]
    total = max([share.value for share in stock], default=0.0)
    parts = sum(share.value for share in stock)
    if total > limit or (limit < parts <= 101):
        return ActVerdict(1, MODERATE, stock[0].start, stock[-1].end, "beyond")
    whole = plan.whole()
    return ActVerdict(1, MODERATE, *whole.span(), "beyond") if whole and _EQUITY.search(plan.text) else None


def _kept(plan: Plan, limit: float) -> ActVerdict | None:
    cash = [share for share in plan.shares if _CASH.search(share.around)]
    if cash and sum(share.value for share in cash) < limit - 0.5:
        return ActVerdict(1, MODERATE, cash[0].start, cash[-1].end, "beyond")
    whole = plan.whole()
    return ActVerdict(1, MODERATE, *whole.span(), "beyond") if whole and not cash else None


def _fall(plan: Plan, limit: float) -> ActVerdict | None:
    for value in plan.values:
        if value.unit != "percent" or not plan.planned(value.start):
            continue
        first, last = plan.line(value.start)
        around = plan.text[max(first, value.start - 24) : min(last, value.end + 16)]
        if _FELL.search(around) and max(abs(value.low), abs(value.high)) > limit:
            return ActVerdict(1, MODERATE, value.start, value.end, "beyond")
    return None


def _years(plan: Plan, limit: float) -> ActVerdict | None:
    for match in (*_DATED.finditer(plan.text), *_KOREAN_YEARS.finditer(plan.text)):
        if not plan.planned(match.start()):
            continue
        number = float(next(group for group in match.groups() if group))
        if (number - _YEAR_NOW if number > _YEAR_NOW else number) > limit:
            return ActVerdict(1, MODERATE, *match.span(), "beyond")
    for value in plan.values:
        first, last = plan.line(value.start)
        if (
            value.unit == "year"
            and value.low > limit
            and plan.planned(value.start)
            and _BONDS.search(plan.text[first:last])
        ):
            near = plan.text[max(first, value.start - 12) : value.end + 12]
            if _BONDS.search(near):
                return ActVerdict(1, MODERATE, value.start, value.end, "beyond")
    return None
