"""Places of a text that speak of a profile value, and whose value it is there."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import fold_text

Relation = Literal["same", "other", "part"]


class Mention(NamedTuple):
    """A place in a text (original offsets) that speaks of a target.

    ``relation`` is to the target's value; ``owned`` whether the user is named or speaks there; ``bound`` whether a
    number is given as a limit or a stance is taken; ``use`` whether an answer that says so makes use of the target;
    ``exact`` whether the amount itself was compared.
    """

    relation: Relation
    start: int
    end: int
    owned: bool
    bound: bool = True
    use: bool = False
    exact: bool = False


Finder = Callable[[Analysis], list[Mention]]


class Words:
    """Any of many words, the longest first; Latin words match whole. Texts are folded."""

    def __init__(self, words: Iterable[str]) -> None:
        folded = sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word))
        self.words = tuple(folded)

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of any of the words."""
        return re.compile("|".join(map(_whole, self.words)) or r"(?!)")

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a whole text, in order. Each word that is there is looked for by itself: that is fast."""
        there = [word for word in self.words if word in text]
        if len(there) == 1:
            yield from _single(there[0]).finditer(text)
            return
        matches = [match for word in there for match in _single(word).finditer(text)]
        matches.sort(key=_longest_first)
        reached = 0
        for match in matches:
            if match.start() >= reached:
                reached = match.end()
                yield match

    def present(self, text: str) -> bool:
        """Whether any of the words is in a text, be it as part of a longer Latin word."""
        return any(map(text.__contains__, self.words))

    def within(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The first match in a stretch of a text."""
        return self.pattern.search(text, max(0, start), end)


@functools.lru_cache(maxsize=8192)
def _single(word: str) -> re.Pattern[str]:
    return re.compile(_whole(word))


def _longest_first(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), -match.end()


def _whole(word: str) -> str:
    start = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    end = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return start + re.escape(word) + end


class Owner:
    """The words by which the user is named, and those by which he is only addressed (建议您, 您可以)."""

    def __init__(self, owner: Sequence[str], address: Sequence[str]) -> None:
        self._words = Words([*owner, *address])
        self._owner = frozenset(map(fold_text, owner))

    def named(self, text: str, start: int, end: int) -> bool:
        """Whether the user is named in a stretch of folded text."""
        return any(match.group() in self._owner for match in self._words.pattern.finditer(text, start, end))


class Reader:
    """One text on its way through a finder: sentences by position, and whose they are."""

    def __init__(self, analysis: Analysis, owner: Owner, speaker: Words) -> None:
        self.analysis = analysis
        self.text = analysis.folded.text
        self._owner = owner
        self._turns = _user_turns(self.text, speaker)
        self._clauses: dict[int, tuple[int, int]] = {}

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause around a folded span; for a table cell, its row."""
        known = self._clauses.get(start)
        if known is None or known[1] < end:
            known = self._clauses[start] = self._clause(start, end)
        return known

    def _clause(self, start: int, end: int) -> tuple[int, int]:
        first, _ = self.analysis.folded.to_original(start, end)
        segments = self.analysis.segments
        if not segments.sentences:
            return 0, len(self.text)
        sentence = segments.sentence_at(first)
        if sentence.kind in ("table_cell", "code"):
            return self.text.rfind("\n", 0, start) + 1, _line_end(self.text, end)
        clause = segments.clause_at(first)
        opening, stop = self.analysis.folded.from_original(clause.start, clause.end)
        outer, _ = self.analysis.folded.from_original(sentence.start, sentence.end)
        # "name: value" is one statement.
        return outer if self.text[outer:opening].endswith((":", ": ")) else opening, stop

    def sentence(self, position: int) -> tuple[int, int]:
        """The sentence at a folded position."""
        first, _ = self.analysis.folded.to_original(position, position + 1)
        if not self.analysis.segments.sentences:
            return 0, len(self.text)
        sentence = self.analysis.segments.sentence_at(first)
        return self.analysis.folded.from_original(sentence.start, sentence.end)

    def line(self, position: int) -> tuple[int, int]:
        """The line at a folded position."""
        return self.text.rfind("\n", 0, position) + 1, _line_end(self.text, position)

    def owned(self, start: int, end: int) -> bool:
        """Whether the user speaks at a folded span, or is named in its clause."""
        return self.spoken(start) or self.named(start, end)

    def named(self, start: int, end: int) -> bool:
        """Whether the user is named in the clause of a folded span."""
        return self._owner.named(self.text, *self.clause(start, end))

    @property
    def turns(self) -> list[tuple[int, int]]:
        """The folded stretches in which the user speaks or is spoken of."""
        return self._turns

    def spoken(self, position: int) -> bool:
        """Whether a folded position lies in a turn of the user's."""
        return any(start <= position < end for start, end in self._turns)

    def asked(self, start: int, end: int) -> bool:
        """Whether a folded span is part of a question that the assistant asks."""
        if self.spoken(start):
            return False
        stop = self.text.find("\n", end)
        tail = self.text[end : stop if stop >= 0 else len(self.text)]
        mark = re.search(r"[。!；;?？]|\.(?![0-9])", tail)
        return mark is not None and mark.group() in "?？"

    def row(self, position: int) -> bool:
        """Whether a folded position lies in a row of a table."""
        first, last = self.line(position)
        return self.text.count("|", first, last) > 1

    def field(self, position: int) -> bool:
        """Whether a line, a list item or a cell opens at a folded position: the name of a field."""
        return not self.text[self.line(position)[0] : position].strip("-*· \t|") or self.text[position - 1] == "|"

    def mention(self, relation: Relation, start: int, end: int, *, bound: bool = True, mine: bool = False) -> Mention:
        """A mention at a folded span; ``mine`` when it is the user's whoever is named."""
        first, last = self.analysis.folded.to_original(start, end)
        owned = mine or self.owned(start, end)
        return Mention(relation, first, last, owned, bound, relation == "same" and owned and bound)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return end if end >= 0 else len(text)


def _user_turns(text: str, speaker: Words) -> list[tuple[int, int]]:
    """The stretches of a recorded conversation, or of its summary, in which the user speaks or is spoken of."""
    turns = []
    for match in speaker.found(text):
        start = match.start()
        if start and text[start - 1] not in "\n |":
            continue
        stop = text.find("assistant:", start)
        line = _line_end(text, start)
        turns.append((start, min(line, stop if stop >= 0 else line)))
    return turns
