"""A text as the judge reads it: sentences, units, and what else is asked of it, each computed when first asked for."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from turnmark.judges.rules import words
from turnmark.judges.rules.signals import Signals, find_signals
from turnmark.language.fold import fold
from turnmark.language.quantity import Quantity, quantities
from turnmark.language.script import detect_language
from turnmark.language.segment import segment

_SPACE = re.compile(r"\s+")
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


class Sentence:
    """One sentence: its span in the text, its units in order, and what is said in it.

    ``weights`` are the different units with their weights, in the order in which they first occur; ``weight`` is the
    sum of these, ``unit_set`` the units alone.
    """

    def __init__(self, reading: Reading, start: int, end: int) -> None:
        self.reading = reading
        self.start, self.end = start, end
        first, last = reading.folded.from_original(start, end)
        self.folded = reading.folded.text[first:last]
        self.units = words.units(self.folded)
        self.weights = {unit: words.weight(unit) for unit in self.units}
        self.weight = sum(self.weights.values())
        self.unit_set = frozenset(self.weights)

    @property
    def text(self) -> str:
        """The words as they stand in the original."""
        return self.reading.text[self.start : self.end]

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Neighbouring units."""
        return frozenset(pairwise(self.units))

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Amounts, dates and times; offsets are those of the whole text."""
        if _DIGIT.search(self.folded) is None and _NUMBER_WORD.search(self.folded) is None:
            return []
        found = quantities(self.text)
        return [
            each._replace(start=each.start + self.start, end=each.end + self.start)
            for each in found
            if each.kind in ("amount", "date", "time")
        ]

    @cached_property
    def signals(self) -> Signals:
        """Words that deny, words of totality, words with an opposite."""
        return find_signals(self.folded, self.reading.language)


class Reading:
    """One text; offsets are code points of ``text``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)

    @cached_property
    def language(self) -> str:
        """zh, ko, en or und, by script."""
        return detect_language(self.text)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Sentences in order; never empty."""
        if _SEVERAL.search(self.text) is None:
            return [Sentence(self, 0, len(self.text))]
        found = [Sentence(self, each.start, each.end) for each in segment(self.folded).sentences]
        return found or [Sentence(self, 0, len(self.text))]

    @cached_property
    def units(self) -> list[str]:
        """Units of all sentences, in order."""
        return [unit for sentence in self.sentences for unit in sentence.units]

    @cached_property
    def weights(self) -> dict[str, int]:
        """The different units and their weights, in the order in which they first occur."""
        if len(self.sentences) == 1:
            return self.sentences[0].weights
        return {unit: words.weight(unit) for unit in self.units}

    @cached_property
    def pair_set(self) -> frozenset[Pair]:
        """The different pairs of neighbouring units."""
        return frozenset().union(*[sentence.pairs for sentence in self.sentences])

    @cached_property
    def latin(self) -> list[str]:
        """The Latin words among the units of a Chinese or Korean text; none in English, where all are."""
        return (
            [unit for unit in self.weights if unit[0].isascii() and unit[0].isalpha()] if self.language != "en" else []
        )

    @cached_property
    def compact(self) -> str:
        """The folded text with single spaces."""
        return _SPACE.sub(" ", self.folded.text).strip()

    @cached_property
    def in_digits(self) -> list[str] | None:
        """The numbers as written, each with the letters behind it; None when there may be numbers in words too."""
        text = self.folded.text
        return _IN_DIGITS.findall(text) if _NUMBER_WORD.search(text) is None else None

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Amounts, dates and times of all sentences."""
        return [quantity for sentence in self.sentences for quantity in sentence.quantities]

    @cached_property
    def names(self) -> list[str]:
        """Units of capitalised words that do not open a sentence, and of words in capitals; English only."""
        if self.language != "en":
            return []
        return [words.stem(found.lower()) for found in _CAPITALISED.findall(self.text)]
