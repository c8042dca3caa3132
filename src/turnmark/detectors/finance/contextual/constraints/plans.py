"""The numbers that a reply plans with, in any language: shares given to things, falls told, terms and years.

Values come from ``language/values``. A share is given to what its line names beside it: all values of a line stand
before their names (45% shares, 35% bonds) or all behind (주식 45%, 채권 35%). Money is a share of the whole where the
reply or the question tells the whole, and bare numbers are where they add up to a hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.acts import Acts
from turnmark.detectors.finance.contextual.constraints.clauses import clause
from turnmark.detectors.finance.contextual.constraints.limits.amounts import MONEY, Amounts
from turnmark.language.values.value import Value

CLASSES = ("equity", "bond", "cash", "other")
"""Asset classes by which lists of the packs (``plan_equity`` …) name what a share is given to."""

_LEAST_MONEY = 1000.0
_YEARS = (1900.0, 2100.0)
_WHOLE_LEAST, _WHOLE_MOST = 96.0, 104.0
_SAME = 0.6
_ITEM_MARKS = frozenset("|-*•·①②③④⑤#0123456789")
_NEAR, _JUST, _GIVEN, _KEPT = 24, 5, 8, 10
_RATE = "率"
"""Ends Chinese names of rates: what follows is none of what the user holds (失败率大约四成)."""
_ANOTHER = frozenset("(,;:|")
_NOW, _DUE_FROM = 2026, 2030
"""The year that terms are counted from (results depend on no clock), and the first that is no past or present one."""


class Share(NamedTuple):
    """A share of the whole in percent in folded offsets, with the words of what it is given to and its class."""

    value: float
    start: int
    end: int
    label: str
    asset: str
    line: int
    total: bool
    ranged: bool


class Line(NamedTuple):
    """A line of a list or table, or a sentence of prose."""

    start: int
    end: int
    item: bool


class Plan:
    """The shares, falls and terms of one reply.

    Args:
        acts: What the sentences of the reply do.
        amounts: The amounts of the reply.
        asked: Those of what it answers.

    """

    def __init__(self, acts: Acts, amounts: Amounts, asked: Amounts) -> None:
        self.acts = acts
        self.text = acts.text
        self._amounts = amounts
        self._asked = asked

    @cached_property
    def values(self) -> list[Value]:
        """The amounts and durations of the reply, in folded offsets."""
        return self._amounts.all

    @cached_property
    def money(self) -> list[Value]:
        """The sums of money of the reply."""
        return [value for value in self.values if _is_money(value)]

    @cached_property
    def asked_money(self) -> list[float]:
        """Those of the question."""
        return [value.high for value in self._asked.all if _is_money(value)]

    @cached_property
    def lines(self) -> list[Line]:
        """The items of lists, the rows of tables and the sentences of prose, in order."""
        lines: list[Line] = []
        start = 0
        for written in self.text.split("\n"):
            end = start + len(written)
            if written.strip():
                item = written.lstrip()[0] in _ITEM_MARKS and "\n" in self.text
                inside = (
                    []
                    if item
                    else [
                        (sentence.start, sentence.end)
                        for sentence in self.acts.sentences
                        if start <= sentence.start < end
                    ]
                )
                lines += [Line(first, min(last, end), item) for first, last in inside or [(start, end)]]
            start = end + 1
        return lines

    @cached_property
    def total(self) -> float | None:
        """The sum of money to be placed: the largest of the question, else of the reply where it adds up its parts."""
        for value in self.money:
            if self.acts.says("plan_total", max(0, value.start - _JUST), value.start):
                return value.high
        if self.named_whole:
            return self.named_whole.high
        if self.asked_money:
            return max(self.asked_money)
        return self._added_up() if len(self.money) > 1 else None

    def _added_up(self) -> float | None:
        """The whole that the sums of the reply are together, where they are its parts."""
        told = [value.high for value in self.money]
        if self.acts.says("plan_rest"):
            return sum(told)
        rest = sum(told) - max(told)
        if abs(rest - max(told)) <= max(told) * 0.01:
            return max(told)
        kept = [value for value in self.money if self.kept(value)]
        placed = [value for value in self.money if value not in kept and self._is_placed(value)]
        parts = bool(kept and placed) and len(kept) + len(placed) == len(told)
        percents = any(value.unit == "percent" for value in self.values)
        # 九万五买基金,五千留作现金: what goes and what stays are the whole.
        return sum(told) if parts and not percents and not self.acts.says("plan_pace") else None

    def _is_placed(self, value: Value) -> bool:
        """Whether the clause of a sum says what it goes into."""
        around = clause(self.text, value.start, value.end)
        return any(self.acts.says(f"plan_{asset}", *around) for asset in CLASSES) or self.acts.says(
            "plan_broad", *around
        )

    @cached_property
    def named_whole(self) -> Value | None:
        """The sum that another one is told to be a part of: 6,000 of your 20,000, 两万里拿六千."""
        if len(self.money) < 2:
            return None
        words = self.acts.words
        for value in self.money:
            if words.head_final or words.passages_first:
                part = words.phrases["plan_out_of"].opens(self.text, value.end, value.end + _JUST)
            else:
                part = words.phrases["plan_out_of"].last(self.text, max(0, value.start - _GIVEN - _JUST), value.start)
                part = part if part and part[1] >= value.start - 2 else None
            if part:
                return value
        return None

    @cached_property
    def shares(self) -> list[Share]:
        """The shares that lines of the reply give to things."""
        shares: list[Share] = []
        for index, line in enumerate(self.lines):
            inside = [value for value in self.values if line.start <= value.start < line.end]
            percents = self._percents(inside, line)
            if self.text[line.start : line.end].lstrip().startswith("|"):
                percents = percents[:1]  # further columns of a row tell the same in money
            behind = bool(percents) and self._names_first(line, percents[0][0])
            for position, (value, percent, money) in enumerate(percents):
                first = percents[position - 1][0].end if position else line.start
                last = percents[position + 1][0].start if position + 1 < len(percents) else line.end
                span = (first, value.start) if behind else (value.end, min(last, value.end + 2 * _NEAR))
                span = self._to_its_clause(span, value)
                label = self.text[slice(*span)]
                asset = self._asset(span)
                asset = asset or ("cash" if self.kept(value) else "")
                total = not money and self.acts.says("plan_total", max(first, value.start - _NEAR), value.start)
                if total and not asset:
                    asset = self._asset((first, value.start))
                shares.append(
                    Share(percent, value.start, value.end, label, asset, index, total, value.low != value.high)
                )
        return self._one_allocation(shares)

    def kept(self, value: Value) -> bool:
        """Whether a value is what stays (手上留2万, keep 5,000, 500만 원은 비상용으로): told right beside it."""
        around = clause(self.text, value.start, value.end)
        before = max(around[0], value.start - _KEPT)
        if not self.acts.words.head_final and self.acts.says("plan_keep", before, value.start):
            return True
        return self.acts.says("plan_kept", value.end, min(around[1], value.end + _KEPT))

    def _to_its_clause(self, span: tuple[int, int], value: Value) -> tuple[int, int]:
        """The words behind a value up to the end of its clause, where that names what it is given to."""
        last = clause(self.text, value.start, value.end)[1]
        behind = span[0] >= value.end and last > value.end + _JUST and self.acts.words.passages_first
        return (span[0], min(span[1], last)) if behind else span

    def _one_allocation(self, shares: list[Share]) -> list[Share]:
        """Those that hand out the whole side by side, in one line or in items, beside totals; else all of them."""
        parts = [share for share in shares if not share.total]
        for first in range(len(parts)):
            total = 0.0
            for last in range(first, len(parts)):
                if last > first and not self._joined(parts[last - 1], parts[last]):
                    break
                total += parts[last].value
                if last > first and _WHOLE_LEAST <= total <= _WHOLE_MOST:
                    return [*parts[first : last + 1], *(share for share in shares if share.total)]
        return shares

    def _joined(self, first: Share, second: Share) -> bool:
        """Whether two shares stand side by side: in one line, or each in an item."""
        return first.line == second.line or (self.lines[first.line].item and self.lines[second.line].item)

    def _names_first(self, line: Line, value: Value) -> bool:
        """Whether what a value is given to stands before it, as the first value of its line shows."""
        return self._asset((line.start, value.start)) != "" or self.text[line.start : value.start].rstrip()[-1:] in (
            *":：|",
        )

    def _percents(self, values: Sequence[Value], line: Line) -> list[tuple[Value, float, bool]]:
        """The values of a line that are shares, with their percentage."""
        bare = [value for value in values if value.unit == "" and 1 <= value.high <= 100]
        whole = abs(sum(value.high for value in bare) - 100) <= 1 and len(bare) > 1
        results = []
        for value in values:
            if value.unit == "percent":
                if not self._is_fact(value, line):
                    results.append((value, value.high, False))
            elif _is_money(value):
                if self.total and value.high <= self.total and value != self.named_whole:
                    results.append((value, 100 * value.high / self.total, True))
            elif value in bare and (whole or self._asset((max(line.start, value.start - 6), value.start)) == "equity"):
                results.append((value, value.high, False))
        told = [percent for _, percent, money in results if not money]
        # 55%(每月2750元): the sum tells the share again.
        return [item for item in results if not item[2] or not any(abs(item[1] - percent) <= _SAME for percent in told)]

    def _is_pace(self, value: Value, line: Line) -> bool:
        """Whether a percentage is that of one instalment, not counting what brackets and numbers behind it say."""
        end = min(line.end, value.end + _NEAR)
        last = next((at for at in range(value.end, end) if self.text[at] in _ANOTHER or self.text[at].isdigit()), end)
        return self.acts.says("plan_pace", max(line.start, value.start - _NEAR), last)

    def _is_fact(self, value: Value, line: Line) -> bool:
        """Whether a percentage is a rate, a return, a fee, a fall or the share of one instalment, not a share."""
        if self._is_pace(value, line):
            return True
        if _RATE in self.text[max(line.start, value.start - _JUST) : value.start]:
            return True
        if value.high < 1 or "." in self.text[value.start : value.end]:
            return True
        if self.acts.words.phrases["plan_gives"].opens(self.text, value.end, value.end + _GIVEN) is not None:
            return False
        around = clause(self.text, value.start, value.end)
        first, last = max(line.start, around[0], value.start - 14), min(line.end, around[1], value.end + 12)
        return self.acts.says("plan_fact", first, last) or self.acts.says("plan_fell", first, last)

    def _asset(self, span: tuple[int, int]) -> str:
        """The class of asset that a span names last; "" without any."""
        best = (-1, "")
        for asset in CLASSES:
            last = self.acts.words.phrases[f"plan_{asset}"].last(self.text, *span)
            if last:
                best = max(best, (last[0], asset))
        return best[1]

    @cached_property
    def complete(self) -> bool:
        """Whether the shares of the reply add up to the whole."""
        return _WHOLE_LEAST <= _sum([share for share in self.shares if not share.total]) <= _WHOLE_MOST

    @cached_property
    def proposed(self) -> bool:
        """Whether the reply proposes what it plans: it urges somewhere, or hands out the whole and refuses nothing."""
        named = all(share.asset for share in self.shares)
        handed_out = self.complete and named and not self.acts.asks_for_facts and not self.acts.refusing
        return bool(self.acts.urging) or handed_out

    def planned(self, position: int) -> bool:
        """Whether what stands at a folded position is planned: it stands in an urging sentence, or in an item."""
        if any(sentence.start <= position < sentence.end for sentence in self.acts.urging):
            return True
        line = next((each for each in self.lines if each.start <= position < each.end), None)
        return self.proposed and (self.complete or (line is not None and line.item))

    def whole(self) -> tuple[int, int] | None:
        """The first words that give everything to one thing in an urging sentence."""
        for sentence in self.acts.urging:
            span = self.acts.words.phrases["plan_whole"].first(self.text, sentence.start, sentence.end)
            if span and self.acts.meant(*span):
                return span
        return None

    @property
    def swings(self) -> bool:
        """Whether reply or question name something that swings widely."""
        return self.acts.says("plan_swinging") or self.acts.words.phrases["plan_swinging"].within(self.acts.question)

    def falls(self) -> list[tuple[float, int, int]]:
        """The falls that the reply tells, in percent, with their spans."""
        results: list[tuple[float, int, int]] = []
        for line in self.lines:
            halved = self.acts.words.phrases["plan_halved"].all(self.text, line.start, line.end)
            results += [(50.0, *span) for span in halved]
            for value in self.values:
                bare = value.unit == "" and 1 <= value.high < 100
                if not line.start <= value.start < line.end or not (value.unit == "percent" or bare):
                    continue
                first, last = max(line.start, value.start - _NEAR), min(line.end, value.end + 16)
                if self.acts.says("plan_fell", first, last):
                    results.append((max(abs(value.low), abs(value.high)), value.start, value.end))
        return results

    def years(self, name: str) -> list[tuple[float, float, int, int]]:
        """The spans of time, in years, beside a word of a list: the least and the most, with their offsets."""
        results = []
        for value in self.values:
            if value.unit not in ("year", "month"):
                continue
            scale = 1.0 if value.unit == "year" else 1 / 12
            line = next((each for each in self.lines if each.start <= value.start < each.end), None)
            if line and self.acts.says(name, max(line.start, value.start - _NEAR), min(line.end, value.end + _NEAR)):
                results.append((value.low * scale, value.high * scale, value.start, value.end))
        return [*results, *self._due(name)]

    def _due(self, name: str) -> list[tuple[float, float, int, int]]:
        """Years in which something is due (GS 2053, due 2041, 2041年到期), as years from now."""
        results = []
        at = self.text.find("20")
        while at >= 0:
            year = self.text[at : at + 4]
            apart = not self.text[max(0, at - 1) : at].isdigit() and not self.text[at + 4 : at + 5].isdigit()
            late = apart and len(year) == len("2041") and year.isdigit() and int(year) >= _DUE_FROM
            if late and self.acts.says(name, max(0, at - _NEAR), at + _NEAR):
                results.append((float(int(year) - _NOW), float(int(year) - _NOW), at, at + 4))
            at = self.text.find("20", at + 1)
        return results


def _sum(shares: Sequence[Share]) -> float:
    return sum(share.value for share in shares)


def _is_money(value: Value) -> bool:
    """Whether a value is a sum of money; a large number without a unit is, a bare year is not."""
    if value.unit in MONEY:
        return True
    year = _YEARS[0] <= value.high <= _YEARS[1] and value.text.isdigit()
    return value.unit == "" and value.kind in ("number", "quantity") and value.high >= _LEAST_MONEY and not year
