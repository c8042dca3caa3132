"""Literals asked for in a stretch of a folded text: whether and where one stands there, whether nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from turnmark.language.text.fold import fold_texts

Span = tuple[int, int]


class Phrases:
    """A list of literals. The longest that begins first is found; one of Latin letters as a whole word only."""

    def __init__(self, words: Iterable[str], look_alikes: Iterable[str] = ()) -> None:
        """Take in literals, in any spelling that folds to the same.

        Args:
            words: What is looked for. Without any, nothing is found.
            look_alikes: Longer words that hide those inside them: 别 is not found in 特别 or 别人.

        """
        self.words = tuple(sorted({*fold_texts(words)}, key=_from_longest))
        self._look_alikes = frozenset(fold_texts(look_alikes)) - set(self.words)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        known = sorted({*self.words, *self._look_alikes}, key=_from_longest)
        return re.compile("|".join(map(_bounded, known)) or r"(?!)")

    @cached_property
    def _by_first(self) -> dict[str, list[str]]:
        results: dict[str, list[str]] = {}
        for word in self.words:
            results.setdefault(word[0], []).append(word)
        return results

    def first(self, text: str, start: int = 0, end: int | None = None) -> Span | None:
        """Where the first of the literals stands in a stretch; None without any."""
        last = len(text) if end is None else end
        match = self._expression.search(text, start, last)
        while match is not None and match.group() in self._look_alikes:
            match = self._expression.search(text, match.end(), last)
        return match.span() if match else None

    def last(self, text: str, start: int = 0, end: int | None = None) -> Span | None:
        """Where the last of the literals stands in a stretch; None without any."""
        result = self.all(text, start, end)
        return result[-1] if result else None

    def all(self, text: str, start: int = 0, end: int | None = None) -> list[Span]:
        """Where the literals stand in a stretch, in order, without overlap."""
        matches = self._expression.finditer(text, start, len(text) if end is None else end)
        return [match.span() for match in matches if match.group() not in self._look_alikes]

    def within(self, text: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a stretch holds one of the literals."""
        return self.first(text, start, end) is not None

    def opens(self, text: str, start: int, end: int | None = None) -> Span | None:
        """The literal that stands at the beginning of a stretch; None without any."""
        match = self._expression.match(text, start, len(text) if end is None else end)
        return match.span() if match and match.group() not in self._look_alikes else None

    def is_one(self, text: str) -> bool:
        """Whether a whole text is one of the literals."""
        return text in self.words

    def covers(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch holds the literals and nothing else; an empty one does."""
        return start == end or end in self._reached(text, start, end)

    def run_after(self, text: str, start: int, end: int) -> int:
        """Where a run of the literals that opens a stretch ends; ``start`` without any."""
        return max(self._reached(text, start, end))

    def _reached(self, text: str, start: int, end: int) -> set[int]:
        """The places to which literals side by side lead from the beginning of a stretch."""
        by_first = self._by_first
        reached, pending = {start}, [start]
        while pending:
            position = pending.pop()
            for word in by_first.get(text[position : position + 1], ()):
                after = position + len(word)
                if after > end or after in reached or not text.startswith(word, position):
                    continue
                if whole_word(text, position, after):
                    reached.add(after)
                    pending.append(after)
        return reached


def _from_longest(word: str) -> tuple[int, str]:
    return -len(word), word


def is_latin(character: str) -> bool:
    """Whether a character is a Latin letter or a digit, which may go on in a longer word."""
    return character.isascii() and character.isalnum()


def latin_ends(word: str) -> bool:
    """Whether a word begins or ends with a Latin letter or digit, so that it may be part of a longer one."""
    return is_latin(word[0]) or is_latin(word[-1])


def whole_word(text: str, start: int, end: int) -> bool:
    """False when a word with a Latin letter at an end is only part of a longer one."""
    if start and is_latin(text[start]) and is_latin(text[start - 1]):
        return False
    return not (end < len(text) and is_latin(text[end - 1]) and is_latin(text[end]))


def _bounded(word: str) -> str:
    before = "(?<![a-z0-9])" if is_latin(word[0]) else ""
    after = "(?![a-z0-9])" if is_latin(word[-1]) else ""
    return before + re.escape(word) + after
