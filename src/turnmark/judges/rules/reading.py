"""A text as the judge reads it: sentences, units, and what else is asked of it, each computed when first asked for."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from turnmark.judges.rules import words
from turnmark.judges.rules.signals import Signals, find_signals
from turnmark.language.computed import computed
from turnmark.language.quantity.quantity import Quantity, quantities
from turnmark.language.script import detect_language
from turnmark.language.text.fold import Folded, fold
from turnmark.language.text.segment import Segments, segment
from turnmark.language.values import Value, read_passage
from turnmark.language.values.context import Passage

if TYPE_CHECKING:
    from turnmark.judges.rules.plain.statements import Statement

# Whether a text may hold a number at all, and a number in words: cheap questions before a dear one.
_DIGIT = re.compile("[0-9]")
_NUMBER_WORD = re.compile(
    "[一二三四五六七八九十两百千万亿](?=[一二三四五六七八九十百千万亿个只名位年月日天周次倍成元块人岁小分秒公米项种家])|百分之|半"
    "|(?<![0-9,.])[일이삼사오육칠팔구십백천만억][십백천만억퍼년월일개원명배세시분주]"
    "|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|스물|서른|마흔|쉰|몇) ?[가-힣]|절반|반 |첫|하루|이틀"
    "|사흘|나흘|열흘|보름"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|quarters?|thirds?|dozens?|once|twice)\b"
)
_IN_DIGITS = re.compile("[0-9][0-9.,]*(?: ?(?:%|[a-z°]+|[\u3400-\u9fff\uac00-\ud7a3]))?")
# A text without these is one sentence; a stop at its end does not count.
_SEVERAL = re.compile(
    r"[.!?。！？…](?=.)|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029|#>]|^\s|\s$|^[-*+•·◦▪●○■□◆▶※(①-⑳0-9一-十]", re.DOTALL
)
_CAPITALISED = re.compile(r"(?<=[A-Za-z0-9,;:)'\"’”] )[A-Z][A-Za-z\u00c0-\u024f]+|\b[A-Z]{2,}\b")

Pair = tuple[str, str]


class Text:
    """A text, folded, its language and its values."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)

    @computed
    def language(self) -> str:
        """zh, ko, en or und, by script."""
        return detect_language(self.folded.original)

    @computed
    def passage(self) -> Passage:
        """The text with its values, to be compared with those of other texts."""
        return read_passage(self.folded)


class Sentence:
    """One sentence: its span in the text, its units in order, and what is said in it.

    ``unit_set`` are the different units. It knows its text, but not its reading: two that point at each other would
    stay in memory until garbage is collected.
    """

    def __init__(self, text: Text, start: int, end: int) -> None:
        self._text = text
        self.whole = whole = text.folded
        self.start, self.end = start, end
        first, last = (start, end) if whole.same_length else whole.from_original(start, end)
        self.folded = whole.text[first:last]
        self.units = words.units(self.folded)
        self.unit_set = frozenset(self.units)

    @computed
    def language(self) -> str:
        """The language of the whole text."""
        return self._text.language

    @property
    def text(self) -> str:
        """The words as they stand in the original."""
        return self.whole.original[self.start : self.end]

    @computed
    def weights(self) -> dict[str, int]:
        """The different units with their weights, in the order in which they first occur."""
        return words.weights(self.units)

    @computed
    def weight(self) -> int:
        """The sum of the weights."""
        return sum(self.weights.values())

    @computed
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units."""
        return frozenset(pairwise(self.units))

    @computed
    def quantities(self) -> list[Quantity]:
        """Amounts, dates and times; offsets are those of the whole text."""
        if _DIGIT.search(self.folded) is None and _NUMBER_WORD.search(self.folded) is None:
            return []
        whole = self.whole
        if whole.same_length:
            part = Folded("", whole.base[self.start : self.end], self.folded, None, None)
            result = quantities(part)
        else:
            result = quantities(self.text)
        start = self.start
        return [
            each._replace(start=each.start + start, end=each.end + start) if start else each
            for each in result
            if each.kind in ("amount", "date", "time")
        ]

    @computed
    def values(self) -> list[Value]:
        """The values of the text that begin in the sentence; offsets are those of the whole text."""
        return [each for each in self._text.passage.values if self.start <= each.start < self.end]

    @computed
    def signals(self) -> Signals:
        """Words that deny, words of totality, words with an opposite."""
        return find_signals(self.folded, self.language)


class Reading:
    """One text; offsets are code points of ``text``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._text = Text(text)
        self.folded = self._text.folded
        self._runs: dict[int, frozenset[str]] = {}
        # Sentences by their start, as far as they were taken apart.
        self.statements: dict[int, Statement] = {}

    @computed
    def language(self) -> str:
        """zh, ko, en or und, by script."""
        return self._text.language

    @computed
    def passage(self) -> Passage:
        """The text with its values, to be compared with those of other texts."""
        return self._text.passage

    @computed
    def segments(self) -> Segments:
        """Blocks and sentences."""
        return segment(self.folded)

    @computed
    def sentences(self) -> list[Sentence]:
        """Sentences in order; never empty."""
        text = self._text
        if _SEVERAL.search(self.text) is None:
            return [Sentence(text, 0, len(self.text))]
        sentences = [Sentence(text, each.start, each.end) for each in self.segments.sentences]
        return sentences or [Sentence(text, 0, len(self.text))]

    @computed
    def units(self) -> list[str]:
        """Units of all sentences, in order."""
        if len(self.sentences) == 1:
            return self.sentences[0].units
        return [unit for sentence in self.sentences for unit in sentence.units]

    @computed
    def unit_set(self) -> frozenset[str]:
        """The different units of all sentences."""
        first, *others = [sentence.unit_set for sentence in self.sentences]
        return first.union(*others) if others else first

    @computed
    def weights(self) -> dict[str, int]:
        """The different units and their weights, in the order in which they first occur."""
        return self.sentences[0].weights if len(self.sentences) == 1 else words.weights(self.units)

    @computed
    def weight(self) -> int:
        """The sum of the weights."""
        return sum(self.weights.values())

    @computed
    def content(self) -> frozenset[str]:
        """The different units that are no function words."""
        return frozenset([unit for unit, weight in self.weights.items() if weight > words.LIGHT])

    @computed
    def pair_set(self) -> frozenset[Pair]:
        """The different pairs of neighbouring units."""
        return frozenset(chain.from_iterable([pairwise(sentence.units) for sentence in self.sentences]))

    @computed
    def latin(self) -> list[str]:
        """The Latin words among the units of a Chinese or Korean text; none in English, where all are."""
        return (
            [unit for unit in self.weights if unit[0].isascii() and unit[0].isalpha()] if self.language != "en" else []
        )

    @computed
    def compact(self) -> str:
        """The folded text with single spaces."""
        return " ".join(self.folded.text.split())

    def runs(self, size: int) -> frozenset[str]:
        """The different runs of so many characters; the whole text when it is shorter."""
        result = self._runs.get(size)
        if result is None:
            text = self.compact
            result = frozenset([text[index : index + size] for index in range(max(1, len(text) - size + 1))])
            self._runs[size] = result
        return result

    @computed
    def in_digits(self) -> list[str] | None:
        """The numbers as written, each with the letters behind it; None when there may be numbers in words too."""
        text = self.folded.text
        return _IN_DIGITS.findall(text) if _NUMBER_WORD.search(text) is None else None

    @computed
    def quantities(self) -> list[Quantity]:
        """Amounts, dates and times of all sentences."""
        return [quantity for sentence in self.sentences for quantity in sentence.quantities]

    @computed
    def names(self) -> list[str]:
        """Units of capitalised words that do not open a sentence, and of words in capitals; English only."""
        if self.language != "en":
            return []
        return [words.stem(item.lower()) for item in _CAPITALISED.findall(self.text)]

    @computed
    def name_set(self) -> frozenset[str]:
        """The different units of `names`."""
        return frozenset(self.names)
