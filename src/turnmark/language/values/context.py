"""A text with its values and the words around each, by which a value is bound to what it is said of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from turnmark.language.text.fold import Folded, fold
from turnmark.language.values.opposites import OppositeReader
from turnmark.language.values.reader import read_values
from turnmark.language.values.value import Value

_SENTENCE = re.compile(r"[。!?\n;]+|(?<![0-9])\.(?=\s|$)|(?<=[0-9])\.(?=\s+[^0-9\s]|\s*$)")
_ITEM = re.compile(r",(?![0-9]{3})|[、，/|]|(?<=[^0-9]):| - |--")
_OPENS, _CLOSES = frozenset("([【<"), frozenset(")]】>")
_BRACKET = re.compile(r"[()\[\]【】,、，/|:]| - |--")
_WORD = re.compile(r"[a-z\u00c0-\u024f]+|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "with",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "as",
        "you",
        "your",
        "we",
        "our",
        "they",
        "their",
        "he",
        "she",
        "his",
        "her",
        "i",
        "my",
        "me",
        "us",
        "do",
        "does",
        "did",
        "can",
        "could",
        "will",
        "would",
        "should",
        "may",
        "might",
        "must",
        "have",
        "has",
        "had",
        "not",
        "no",
        "than",
        "then",
        "so",
        "if",
        "when",
        "which",
        "who",
        "what",
        "how",
        "there",
        "here",
        "up",
        "per",
        "each",
        "about",
        "only",
        "just",
        "also",
        "any",
        "all",
        "some",
        "more",
        "most",
    ]
)
_KO_ENDINGS = re.compile(
    "(?:입니다|습니다|합니다|됩니다|이에요|예요|에요|해요|돼요|세요|하며|하고|되며|한다|된다|이다|하는|되는|에서는|에서|에게|으로|부터|까지|이며|이고"
    "|은|는|이|가|을|를|의|에|로|도|과|와|만|요)$"
)
_EN_ENDINGS = re.compile("(?:ings?|ed|ies|es|s|ly|ment|tion|al)$")


@lru_cache(maxsize=1 << 14)
def _units(word: str) -> tuple[str, ...]:
    first = word[0]
    if first.isascii() or first < "\u3400":
        if word in _STOP or len(word) < 2:
            return ()
        stem = _EN_ENDINGS.sub("", word) if len(word) > 4 else word
        return (stem[:7] if len(stem) > 2 else word,)
    if first >= "\uac00":
        shorter = _KO_ENDINGS.sub("", word) if len(word) > 1 else word
        word = shorter or word
    return tuple(one + other for one, other in pairwise(word)) or (word,)


def units(text: str) -> list[str]:
    """What a folded text is about: stems of English words, pairs of ideographs and of syllables."""
    return [unit for word in _WORD.findall(text) for unit in _units(word)]


class Passage:
    """One text read once: its values, and which sentence and which item of a list each stands in."""

    def __init__(self, text: str | Folded, opposites: OppositeReader | None = None) -> None:
        """Read the values of a text; nothing else is done before it is asked for."""
        self.folded = text if isinstance(text, Folded) else fold(text)
        self.values = read_values(self.folded, opposites)

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """The values as spans of the folded text."""
        return [self.folded.from_original(value.start, value.end) for value in self.values]

    @cached_property
    def masked(self) -> str:
        """The folded text with its values blanked, polarity words aside."""
        pieces, position = [], 0
        for value, (start, end) in zip(self.values, self._spans, strict=True):
            if value.kind in ("polarity", "truth") or start < position:
                continue
            pieces += [self.folded.text[position:start], " " * (end - start)]
            position = end
        return "".join([*pieces, self.folded.text[position:]])

    @cached_property
    def sentences(self) -> list[int]:
        """Where sentences begin."""
        ends = [match.end() for match in _SENTENCE.finditer(self.masked)]
        return [0, *ends]

    @cached_property
    def items(self) -> list[int]:
        """Where the items of sentences begin: parts between commas and the like that stand in no brackets."""
        starts = set(self.sentences)
        depth = 0
        for match in _BRACKET.finditer(self.masked):
            mark = match.group()
            if mark in _OPENS:
                depth += 1
            elif mark in _CLOSES:
                depth = max(0, depth - 1)
            elif depth == 0 and _ITEM.match(self.masked, match.start()):
                starts.add(match.end())
        return sorted(starts)

    def _around(self, starts: list[int], position: int) -> tuple[int, int]:
        place = bisect_right(starts, position) - 1
        end = starts[place + 1] if place + 1 < len(starts) else len(self.masked)
        return starts[place], end

    @lru_cache(maxsize=4096)  # noqa: B019 - a passage is short-lived
    def _units_of(self, start: int, end: int) -> frozenset[str]:
        return frozenset(units(self.masked[start:end]))

    def item(self, index: int) -> frozenset[str]:
        """The units of the item that a value stands in."""
        return self._units_of(*self._around(self.items, self._spans[index][0]))

    def sentence(self, index: int) -> frozenset[str]:
        """The units of the sentence that a value stands in."""
        return self._units_of(*self._around(self.sentences, self._spans[index][0]))

    @cached_property
    def all_units(self) -> frozenset[str]:
        """The units of the whole text."""
        return frozenset(units(self.masked))

    def sentence_of(self, index: int) -> int:
        """Which sentence a value stands in."""
        return bisect_right(self.sentences, self._spans[index][0])

    def item_of(self, index: int) -> int:
        """Which item a value stands in."""
        return bisect_right(self.items, self._spans[index][0])

    def each(self) -> Iterator[tuple[int, Value]]:
        """The values with their indices."""
        return iter(enumerate(self.values))
