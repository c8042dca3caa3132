"""One text, read once: fold, segments, quantities and scope, each computed when it is first asked for."""

import re
from collections.abc import Iterable, Iterator, Mapping

from turnmark.language.computed import computed
from turnmark.language.match.anchors import Anchors
from turnmark.language.quantity.quantity import Quantity, quantities
from turnmark.language.quantity.roles import MeasureCues, attach
from turnmark.language.scope.reader import Scope, ScopeReader
from turnmark.language.script import detect_language
from turnmark.language.text.fold import Folded, fold
from turnmark.language.text.segment import Clause, Segments, Sentence, segment


class Analysis:
    """Everything the detectors ask about one text; all offsets are code points of ``text``."""

    def __init__(self, text: str, language: str | None = None) -> None:
        self.text = text
        self._language = language
        self._anchored: dict[Anchors, list[tuple[int, int]]] = {}
        self._lines: dict[int, list[Quantity]] = {}
        self._signs: dict[re.Pattern[str], int] = {}
        self._scope_of: dict[tuple[int, int], Scope] = {}

    @computed
    def language(self) -> str:
        """The language: as given, or "zh", "ko", "en", "und" by script."""
        return self._language or detect_language(self.text)

    @computed
    def folded(self) -> Folded:
        """The folded text."""
        return fold(self.text)

    @computed
    def segments(self) -> Segments:
        """Blocks, sentences and clauses."""
        return segment(self.folded)

    @computed
    def sentence_spans(self) -> list[tuple[int, int]]:
        """The sentences as spans of the folded text."""
        if self.folded.same_length:
            return [sentence[:2] for sentence in self.segments.sentences]
        from_original = self.folded.from_original
        return [from_original(sentence.start, sentence.end) for sentence in self.segments.sentences]

    @computed
    def sentence_texts(self) -> list[str]:
        """The folded text of every sentence."""
        text = self.folded.text
        return [text[start:end] for start, end in self.sentence_spans]

    def clause_spans(self, sentence: int) -> list[tuple[int, int]]:
        """The clauses of a sentence as spans of the folded text."""
        clauses = self.segments.clauses_of(sentence)
        if self.folded.same_length:
            return [clause[:2] for clause in clauses]
        return [self.folded.from_original(clause.start, clause.end) for clause in clauses]

    def anchored(self, anchors: Anchors) -> list[tuple[int, int]]:
        """The patterns that have an anchor in the text, each with the sentences of its anchors as bits; asked once."""
        result = self._anchored.get(anchors)
        if result is None:
            starts = [start for start, _ in self.sentence_spans]
            result = self._anchored[anchors] = anchors.find(self.folded.text, starts)
        return result

    @computed
    def quantities(self) -> list[Quantity]:
        """All quantities in order."""
        return quantities(self.folded)

    def sentences_with(self, sign: re.Pattern[str]) -> int:
        """The sentences in which an expression begins, as bits; asked once."""
        bits = self._signs.get(sign)
        if bits is None:
            bits, index = 0, self.segments.sentence_index
            for match in sign.finditer(self.folded.text):
                bits |= 1 << index(self.folded.to_original(*match.span())[0])
            self._signs[sign] = bits
        return bits

    def quantities_around(self, spans: Iterable[tuple[int, int]], reach: int) -> Iterator[Quantity]:
        """The quantities of the lines of folded spans, in order; read once.

        Those of the line before and of the line behind are among them where it comes within ``reach`` of a span.
        """
        text = self.folded.text
        starts: set[int] = set()
        for first, last in spans:
            start = text.rfind("\n", 0, first) + 1
            starts.add(start)
            after = text.find("\n", first) + 1
            if 0 < after <= last + reach:
                starts.add(after)
            if start > 0 and first - start < reach:
                starts.add(text.rfind("\n", 0, start - 1) + 1)
        for start in sorted(starts):
            result = self._lines.get(start)
            if result is None:
                end = text.find("\n", start)
                result = self._lines[start] = self._quantities_within(start, end if end >= 0 else len(text))
            yield from result

    def _quantities_within(self, start: int, end: int) -> list[Quantity]:
        base, to_original = self.folded.base[start:end], self.folded.to_original
        part = Folded(base, base, self.folded.text[start:end], None, None)
        return [
            quantity._replace(start=first, end=last)
            for quantity in quantities(part)
            for first, last in (to_original(quantity.start + start, quantity.end + start),)
        ]

    @computed
    def _scopes(self) -> ScopeReader:
        return ScopeReader(self.segments)

    @property
    def sentences(self) -> list[Sentence]:
        """All sentences in order."""
        return self.segments.sentences

    def sentence_at(self, position: int) -> Sentence:
        """Return the sentence at a position; IndexError when the text has none."""
        return self.segments.sentence_at(position)

    def clause_at(self, position: int) -> Clause:
        """Return the clause at a position; IndexError when the text has none."""
        return self.segments.clause_at(position)

    def scope(self, span: tuple[int, int]) -> Scope:
        """Return how the passage at (start, end) is meant; read once."""
        scope = self._scope_of.get(span)
        if scope is None:
            scope = self._scope_of[span] = self._scopes.read(*span)
        return scope

    def measures(self, measures: Mapping[str, Iterable[str]] | MeasureCues) -> list[str | None]:
        """Return for each of ``quantities`` the name of its measure, or None."""
        return attach(self.quantities, self.segments, measures)


def analyse(text: str, language: str | None = None) -> Analysis:
    """Prepare a text for questions; nothing is computed before it is asked for.

    Args:
        text: Any string.
        language: "zh", "ko", "en" when known; otherwise told by script.

    """
    return Analysis(text, language)
