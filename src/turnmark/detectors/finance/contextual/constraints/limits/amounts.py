"""The amounts and durations of a text, read once by ``language/values``, a sentence at a time.

A long reply costs what those of its sentences cost that somebody asks about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import Folded
from turnmark.language.values.reader import read_amounts
from turnmark.language.values.value import Value

MONEY = frozenset(("usd", "krw", "yuan", "inr", "gbp", "eur", "sgd", "hkd", "jpy"))
"""Units of sums of money."""

_NUMERALS = frozenset("0123456789零一二两三四五六七八九十百半几")
_LEAST_MONEY, _LEAST_WORDED = 10000.0, 1000.0
_DIGITS = "一二三四五六七八九"
_THOUSANDS = re.compile(
    rf"(?<![两十百千万亿几数{_DIGITS}])(?P<digit>[两{_DIGITS}])千(?P<more>[{_DIGITS}])?(?![十百万亿克米瓦卡点以股张{_DIGITS}])"
)
_GROUPED = re.compile("[0-9],[0-9]{3}")


class Amounts:
    """The amounts of one text in folded offsets."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._spells_numerals = analysis.language in ("ko", "en")
        self._known: dict[int, list[Value]] = {}

    def sentence(self, index: int) -> list[Value]:
        """The amounts of a sentence, in order."""
        values = self._known.get(index)
        if values is None:
            values = self._known[index] = self._read(*self._analysis.sentence_spans[index])
        return values

    @cached_property
    def all(self) -> list[Value]:
        """The amounts of every sentence, in order."""
        return [value for index in range(len(self._analysis.sentence_spans)) for value in self.sentence(index)]

    def _read(self, start: int, end: int) -> list[Value]:
        folded = self._analysis.folded
        text = folded.text[start:end]
        if not self._spells_numerals and _NUMERALS.isdisjoint(text):
            return []
        base = folded.base[start:end]
        values = read_amounts(Folded(base, base, text, None, None))
        if not self._spells_numerals:
            values = sorted([*values, *_thousands(text, values)])
        return [value._replace(start=value.start + start, end=value.end + start) for value in values]


def _thousands(text: str, values: Sequence[Value]) -> Iterator[Value]:
    """Sums of thousands that Chinese tells without a unit (五千留作现金), where no value is read yet."""
    for match in _THOUSANDS.finditer(text):
        if not any(value.start < match.end() and match.start() < value.end for value in values):
            digit = _DIGITS.index(match["digit"].replace("两", "二")) + 1
            amount = 1000.0 * digit + 100.0 * (_DIGITS.find(match["more"] or " ") + 1)
            yield Value(*match.span(), "number", amount, amount, text=match.group())


def is_money(value: Value) -> bool:
    """Whether an amount is a sum of money; numbers without a unit are if large (两万五, 46000) or grouped (5,000)."""
    if value.unit in MONEY:
        return True
    if value.unit or value.kind == "duration":
        return False
    bare = value.text[:1].isdigit() and _GROUPED.search(value.text) is None
    least = _LEAST_MONEY if bare else _LEAST_WORDED  # 1400 may be a price, 两千 is money
    return value.high >= least
