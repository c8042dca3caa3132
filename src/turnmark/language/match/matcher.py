"""Many literals found in one pass over a folded text, and literals in sequence with bounded gaps."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

import ahocorasick_rs

from turnmark.language.match.shared_automaton import SharedAutomaton
from turnmark.language.text.fold import Folded, fold, fold_texts

Payload = TypeVar("Payload")


class Hit(NamedTuple, Generic[Payload]):
    """A literal or a pattern found: ``start`` and ``end`` are code points of the original text."""

    start: int
    end: int
    payload: Payload


class Pattern(NamedTuple, Generic[Payload]):
    """Literals that must follow each other within a bounded distance.

    Attributes:
        steps: For each step its alternatives, in any spelling that folds to the same.
        gaps: Largest number of code points between a step and the next; one fewer than steps.
        payload: What a hit returns.

    """

    steps: tuple[tuple[str, ...], ...]
    gaps: tuple[int, ...]
    payload: Payload


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


# A line break ends the reach of a gap: list items and cells are statements of their own.
_BREAK = "\n"


class Matcher(Generic[Payload]):
    """Finds literals, and patterns built from literals, in one pass."""

    def __init__(
        self,
        literals: Mapping[str, Payload] | Iterable[tuple[str, Payload]] = (),
        patterns: Sequence[Pattern[Payload]] = (),
        shared: SharedAutomaton | None = None,
    ) -> None:
        """Build the automaton.

        Args:
            literals: Payload by literal; give pairs where a literal has several payloads. Literals are folded.
                One that begins or ends with an ASCII letter or digit matches whole words only at that end
                ("ST" does not match in "first", but does before a Chinese character).
            patterns: Sequences of literals with gaps.
            shared: Where the literals of other finders are that are asked about the same texts.

        Raises:
            ValueError: A literal folds to nothing, or a pattern has the wrong number of gaps or a negative one.

        """
        self._words: list[str] = []
        self._index: dict[str, int] = {}
        self._payloads: list[list[Payload]] = []
        self._patterns: list[tuple[list[frozenset[int]], tuple[int, ...], Payload]] = []
        pairs = list(literals.items() if isinstance(literals, Mapping) else literals)
        for word, (_, payload) in zip(fold_texts(literal for literal, _ in pairs), pairs, strict=True):
            self._payloads[self._add(word)].append(payload)
        for pattern in patterns:
            if len(pattern.gaps) != len(pattern.steps) - 1 or any(gap < 0 for gap in pattern.gaps):
                raise ValueError(
                    f"pattern {pattern.steps!r} needs {len(pattern.steps) - 1} gaps of 0 or more, got {pattern.gaps!r}"
                )
            steps = [frozenset(map(self._add, fold_texts(step))) for step in pattern.steps]
            self._patterns.append((steps, pattern.gaps, pattern.payload))
        self._in_patterns = frozenset(word for steps, _, _ in self._patterns for step in steps for word in step)
        self._starts_bounded = [_is_latin(word[0]) for word in self._words]
        self._ends_bounded = [_is_latin(word[-1]) for word in self._words]
        # Most words have one payload and ask nothing of what stands around them.
        self._plain: list[tuple[Payload, ...]] = [
            ()
            if self._starts_bounded[word] or self._ends_bounded[word] or word in self._in_patterns
            else tuple(payloads)
            for word, payloads in enumerate(self._payloads)
        ]
        self._shared = shared
        self._finder = shared.add(self._words) if shared else 0
        self._automaton = ahocorasick_rs.AhoCorasick(self._words) if self._words and not shared else None
        self._latest: tuple[str, list[tuple[int, int, int]]] = ("", [])

    def _add(self, word: str) -> int:
        if not word.strip():
            raise ValueError(f"literal {word!r} is empty")
        index = self._index.get(word)
        if index is None:
            index = self._index[word] = len(self._words)
            self._words.append(word)
            self._payloads.append([])
        return index

    def find_between(self, folded: Folded, start: int, end: int) -> list[Hit[Payload]]:
        """Find every literal that stands inside a span of the original text, with offsets of the whole text.

        Args:
            folded: The folded text.
            start: First code point of the span; its ends count as ends of words.
            end: End of the span.

        Returns:
            Hits ordered by start, then end.

        """
        if not folded.same_length:
            return [hit for hit in self.find(folded) if start <= hit.start and hit.end <= end]
        # Who reads a text sentence by sentence has it searched once.
        latest, matches = self._latest
        if latest is not folded.text:
            matches = self._matches(folded.text)
            self._latest = (folded.text, matches)
        inside = [match for match in matches if start <= match[1] and match[2] <= end]
        hits = self._hits(inside, folded.text, start, end) if inside else []
        hits.sort(key=_span)
        return hits

    def find(self, text: str | Folded) -> list[Hit[Payload]]:
        """Find every literal and pattern, overlapping ones too.

        Args:
            text: The text, or its folded form when it is at hand.

        Returns:
            Hits ordered by start, then end.

        """
        folded = text if isinstance(text, Folded) else fold(text)
        matches = self._matches(folded.text)
        hits = self._hits(matches, folded.text, 0, len(folded.text)) if matches else []
        if not folded.same_length:
            hits = [Hit(*folded.to_original(hit.start, hit.end), hit.payload) for hit in hits]
        if len(hits) > 1:
            hits.sort(key=_span)
        return hits

    def _matches(self, text: str) -> list[tuple[int, int, int]]:
        """Every place where the letters of a word stand: (word, start, end) in the order of the ends."""
        if self._shared:
            return self._shared.find(self._finder, text)
        return self._automaton.find_matches_as_indexes(text, overlapping=True) if self._automaton else []

    def _hits(self, matches: Iterable[tuple[int, int, int]], text: str, first: int, last: int) -> list[Hit[Payload]]:
        """The matches inside a span that are words of their own, with their payloads, then the patterns."""
        hits: list[Hit[Payload]] = []
        seen: dict[int, list[tuple[int, int]]] = {}
        plain = self._plain
        for word, start, end in matches:
            payloads = plain[word]
            if not payloads:
                if self._starts_bounded[word] and start > first and _is_latin(text[start - 1]):
                    continue
                if self._ends_bounded[word] and end < last and _is_latin(text[end]):
                    continue
                if word in self._in_patterns:
                    seen.setdefault(word, []).append((start, end))
                payloads = tuple(self._payloads[word])
            for payload in payloads:
                hits.append(_hit(Hit, (start, end, payload)))  # noqa: PERF401 - a generator costs more
        if seen:
            for steps, gaps, payload in self._patterns:
                hits.extend(Hit(*span, payload) for span in _sequences(steps, gaps, seen, text))
        return hits


# Half the cost of the constructor, which counts in the innermost loop.
_hit = tuple.__new__
_span = itemgetter(0, 1)


def _sequences(
    steps: list[frozenset[int]], gaps: tuple[int, ...], seen: dict[int, list[tuple[int, int]]], text: str
) -> list[tuple[int, int]]:
    """Return the spans where the steps follow each other; for each first step the nearest continuation."""
    results = [sorted(span for word in step for span in seen.get(word, ())) for step in steps]
    if not all(results):
        return []
    spans: list[tuple[int, int]] = []
    starts = [[start for start, _ in step] for step in results]
    for first, end in results[0]:
        reached = end
        for index, gap in enumerate(gaps, start=1):
            position = bisect_left(starts[index], reached)
            if position == len(starts[index]) or starts[index][position] - reached > gap:
                break
            following = results[index][position]
            if text.find(_BREAK, reached, following[0]) >= 0:
                break
            reached = following[1]
        else:
            spans.append((first, reached))
    return spans
