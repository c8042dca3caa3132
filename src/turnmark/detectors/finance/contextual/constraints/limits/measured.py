"""The amounts of a reply that constraints ask about: what each measures, and which are shares of the portfolio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import ahocorasick_rs

from turnmark.detectors.finance.contextual.constraints.limits.amounts import Amounts, is_money
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader, Span
from turnmark.language.computed import computed
from turnmark.language.text.fold import fold_text
from turnmark.language.values.value import Value

SHARE_MEASURES = frozenset(("equity", "bond", "cash", "asset", "fund", "position", "banned"))
_WHOLE = 4.0
UNFIT = frozenset(("return", "fee", "drawdown", "valuation", "chance", "market", "duration", "pace"))
_PACE_REACH = 12


class Measured(NamedTuple):
    """A quantity in folded offsets with its measure ("" when no word tells), its clause and whether it is a total."""

    start: int
    end: int
    low: float
    high: float
    unit: str
    comparator: str
    measure: str
    word_start: int
    word_end: int
    clause: Span
    share: bool
    total: bool
    added: bool


class _Word(NamedTuple):
    start: int
    end: int
    measure: str


class MeasureWords:
    """The measures of the packs, compiled once."""

    def __init__(self, measures: Mapping[str, Sequence[str]]) -> None:
        names: dict[str, str] = {}
        for measure, words in measures.items():
            for word in words:
                names.setdefault(fold_text(word), measure)
        self._names = list(names.values())
        self._automaton = ahocorasick_rs.AhoCorasick(list(names), matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)

    def find(self, text: str, offset: int) -> list[_Word]:
        """The measure words of a stretch of folded text, in order."""
        names = self._names
        return [
            _Word(start + offset, end + offset, names[word])
            for word, start, end in self._automaton.find_matches_as_indexes(text)
        ]


class QuantityReader:
    """The measured quantities of one reply, a sentence at a time; ``asked`` are the amounts of what it answers."""

    def __init__(self, reader: ConstraintStanceReader, amounts: Amounts, asked: Amounts, words: MeasureWords) -> None:
        self._reader = reader
        self._amounts = amounts
        self._asked = asked
        self._words = words
        self._done: dict[int, list[Measured]] = {}

    @computed
    def _total(self) -> float | None:
        """The sum that the user wants to place, as the largest amount of money in question and short reply."""
        if not self._reader.short:
            return None
        sums = [value.high for value in (*self._asked.all, *self._amounts.all) if is_money(value)]
        return max(sums) if len(sums) > 1 else None

    def sentence(self, index: int) -> list[Measured]:
        """The quantities of a sentence, with what they measure."""
        result = self._done.get(index)
        if result is None:
            result = self._done[index] = self._read(index)
        return result

    def _read(self, index: int) -> list[Measured]:
        shares = [self._as_share(value) for value in self._amounts.sentence(index)]
        if not shares:
            return []
        clauses = self._reader.sentence_clauses(index)
        start, end = self._reader.analysis.sentence_spans[index]
        words = self._words.find(self._reader.text[start:end], start)
        lasting = [word for word in words if word.measure == "duration"]
        measured = [
            self._measured(quantity, shares, lasting if quantity.unit == "year" and lasting else words, clauses, index)
            for quantity in shares
        ]
        fitting = [item for item in measured if item.unit == "percent" and item.measure not in UNFIT]
        if len(fitting) > 1 and abs(sum(item.high for item in fitting) - 100) <= _WHOLE:
            # What adds up to the whole is an allocation, however it is worded.
            return [item._replace(share=True) if item in fitting else item for item in measured]
        return measured

    def _as_share(self, quantity: Value) -> Value:
        """An amount of money as a share of the user's total, when that is known."""
        if not is_money(quantity) or not self._total or quantity.high >= self._total:
            return quantity
        low, high = (100 * value / self._total for value in (quantity.low, quantity.high))
        return quantity._replace(low=low, high=high, unit="percent")

    def facts(self) -> frozenset[int]:
        """Where amounts begin that are no shares of what the user holds: of a market, a tax, a return."""
        indexes = range(len(self._reader.analysis.segments.sentences))
        return frozenset(item.start for index in indexes for item in self.sentence(index) if item.measure in UNFIT)

    def _measured(
        self,
        quantity: Value,
        all_of_them: Sequence[Value],
        words: Sequence[_Word],
        clauses: Sequence[Span],
        index: int,
    ) -> Measured:
        text = self._reader.text
        clause = next((item for item in reversed(clauses) if item.start <= quantity.start), clauses[0])
        word = _nearest(quantity, all_of_them, words, clause, text)
        first = max(clause.start, quantity.start - 10)
        words_give = self._reader.led("gives_share", "gives_between", first, quantity.start) or bool(
            self._reader.follows("shared", quantity.end)
        )
        if word is None:
            word = self._from_header(index) or _from_before(quantity, all_of_them, words, clause, text)
            if word and words_give and word.end <= clause.start and word.measure in UNFIT:
                word = None  # an earlier clause spoke of returns or falls, this one hands out a share
        measure = word.measure if word else ""
        if measure == "drawdown" and quantity.high < 0:
            # A fall of -25% and one of 25% are the same fall.
            quantity = quantity._replace(low=-quantity.high, high=-quantity.low)
        if quantity.unit == "percent":
            share = words_give or measure in SHARE_MEASURES
        else:
            share = is_money(quantity) and self._reader.led("pays", "pays_between", first, quantity.start)
        if self._reader.says("pace", max(clause.start, quantity.start - _PACE_REACH), quantity.start):
            measure = "pace"
        if measure in UNFIT or self._reader.says("fact", clause.start, clause.end):
            share = False
        return Measured(
            start=quantity.start,
            end=quantity.end,
            low=quantity.low,
            high=quantity.high,
            unit=quantity.unit,
            comparator=quantity.comparator,
            measure=measure,
            word_start=word.start if word else quantity.start,
            word_end=word.end if word else quantity.end,
            clause=clause,
            share=share,
            total=self._reader.says("total", clause.start, quantity.start),
            added=self._reader.says("added", first, quantity.start),
        )

    def _from_header(self, index: int) -> _Word | None:
        """The measure that the header of a table's column, else of its row, names."""
        segments, folded = self._reader.analysis.segments, self._reader.analysis.folded
        block = segments.blocks[segments.sentences[index].block]
        for header in (block.row_header, block.column_header):
            if header:
                first, last = folded.from_original(*header)
                result = self._words.find(folded.text[first:last], first)
                if result:
                    return result[-1]
        return None


def _nearest(
    quantity: Value, all_of_them: Sequence[Value], words: Sequence[_Word], clause: Span, text: str
) -> _Word | None:
    best: tuple[float, _Word] | None = None
    for word in words:
        if word.start < clause.start or word.end > clause.end:
            continue
        if word.end <= quantity.start:
            gap = text[word.end : quantity.start]
            cost = len(gap) + 12.0 * sum(word.end <= other.start < quantity.start for other in all_of_them)
            cost += 8.0 * sum(gap.count(mark) for mark in "、;+")
        elif word.start >= quantity.end:
            gap = text[quantity.end : word.start]
            if len(gap) > 6 or any(mark in gap for mark in "、;+:"):
                continue
            cost = len(gap) * 1.5 + 2.5
        else:
            continue
        if best is None or cost < best[0]:
            best = cost, word
    return best[1] if best and best[0] < 30 else None


def _from_before(
    quantity: Value, all_of_them: Sequence[Value], words: Sequence[_Word], clause: Span, text: str
) -> _Word | None:
    """The last measure word of the sentence before a clause that opens with its number or a light verb."""
    if quantity.start - clause.start > 8:
        return None
    earlier = [word for word in words if word.end <= clause.start]
    if not earlier:
        return None
    word = earlier[-1]
    taken = any(word.end <= other.start < quantity.start for other in all_of_them)
    if taken and word.measure == "duration" and quantity.unit == "year":
        taken = False
    return None if taken or clause.start - word.end > 24 or "\n" in text[word.end : clause.start] else word
