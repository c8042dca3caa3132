"""A text as the judge reads it: sentences, units, and what else is asked of it, each computed when first asked for."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from turnmark.judges.rules import words
from turnmark.language.cues import find_cues
from turnmark.language.fold import fold
from turnmark.language.quantity import Quantity, quantities
from turnmark.language.script import detect_language
from turnmark.language.segment import segment

_SPACE = re.compile(r"\s+")


class Sentence:
    """One sentence of a text: span, units in order, and what is said in it."""

    def __init__(self, reading: Reading, start: int, end: int) -> None:
        self.reading = reading
        self.start, self.end = start, end
        first, last = reading.folded.from_original(start, end)
        self.folded = reading.folded.text[first:last]
        self.units = words.units(self.folded)

    @property
    def text(self) -> str:
        """The words as they stand in the original."""
        return self.reading.text[self.start : self.end]

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbouring units."""
        return frozenset(pairwise(self.units))

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Quantities; offsets are those of the sentence."""
        return quantities(self.text) if any_number(self.folded) else []

    @cached_property
    def negations(self) -> list[str]:
        """The words that negate, in order."""
        return [self.folded[cue.start : cue.end] for cue in find_cues(self.folded) if "neg" in cue.kinds]


_NUMBER = re.compile("[0-9一二三四五六七八九十两半百千万亿]|[하한두세네다여일이삼사오육칠팔구십백천만억]|one|two|thr|four|five|six|"
                     "seven|eight|nine|ten|twe|thir|fif|hundred|thousand|million|half|third|quarter|dozen|once|twice")


def any_number(folded: str) -> bool:
    """Whether a text may hold a number at all; a cheap question before a dear one."""
    return _NUMBER.search(folded) is not None


class Reading:
    """One text."""

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
        found = [Sentence(self, each.start, each.end) for each in segment(self.folded).sentences]
        return found or [Sentence(self, 0, len(self.text))]

    @cached_property
    def units(self) -> list[str]:
        """Units of all sentences."""
        return [unit for sentence in self.sentences for unit in sentence.units]

    @cached_property
    def weights(self) -> dict[str, float]:
        """Different units and their weights, in the order in which they first occur."""
        return {unit: words.weight(unit) for unit in self.units}

    @cached_property
    def compact(self) -> str:
        """The folded text with single spaces."""
        return _SPACE.sub(" ", self.folded.text).strip()
