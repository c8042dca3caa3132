"""How passages of a text are meant: asserted, negated, warned against, asked, quoted, conditional, said of others."""

import re
from bisect import bisect_left, bisect_right

from turnmark.language.scope.cues import Cue, find_cues
from turnmark.language.scope.head_final import PassageBehind
from turnmark.language.scope.head_initial import PassageBefore
from turnmark.language.scope.passage import Passage, Scope, SentenceView
from turnmark.language.text.clauses import sentence_language
from turnmark.language.text.segment import Segments, segment

__all__ = ["Scope", "ScopeReader", "scope_at"]

_QUOTES = re.compile(
    r"“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|\"[^\"\n]{1,200}\"|‘[^’\n]{2,200}’|«[^»\n]{1,200}»"
    # Each kind begins with its mark, so that all other characters are passed over quickly.
    r"|'(?<!\w')[^'\n]{2,120}'(?![a-z])"
)
_QUESTION_END = re.compile(r"[?？][\"')\]*_。.!~ ]*$")


class ScopeReader:
    """Answers scope questions about one text; finds the cues of a line when it is first asked about."""

    def __init__(self, segments: Segments) -> None:
        self.segments = segments
        self.folded = segments.folded
        self.text = segments.folded.text
        self._lines: dict[int, tuple[list[Cue], list[int]]] = {}
        quotes = [match.span() for match in _QUOTES.finditer(segments.folded.base)]
        self._quote_starts = [start for start, _ in quotes]
        self._quote_ends = [end for _, end in quotes]
        self._sentences: dict[int, SentenceView] = {}

    def cues_in(self, start: int, end: int) -> list[Cue]:
        """Return the cues that begin inside a folded span."""
        found: list[Cue] = []
        first = self.text.rfind("\n", 0, start) + 1
        while first < end:
            last = self.text.find("\n", max(first, start))
            last = last if last >= 0 else len(self.text)
            cues, starts = self._line(first, last)
            found += cues[bisect_left(starts, start) : bisect_left(starts, end)]
            first = last + 1
        return found

    def _line(self, first: int, last: int) -> tuple[list[Cue], list[int]]:
        """The cues of a line, for no cue goes on in another, and where they start."""
        known = self._lines.get(first)
        if known is None:
            cues = find_cues(self.text[first:last], first)
            known = self._lines[first] = cues, [cue.start for cue in cues]
        return known

    def is_quoted(self, start: int, end: int) -> bool:
        """Tell whether a folded span stands inside quotation marks."""
        index = bisect_right(self._quote_starts, start) - 1
        return index >= 0 and self._quote_starts[index] < start and end < self._quote_ends[index]

    def read(self, start: int, end: int) -> Scope:
        """Return the scope of a span of the original text."""
        segments = self.segments
        if not segments.sentences:
            return Scope()
        sentence = self.sentence(segments.sentence_index(start))
        start, end = self.folded.from_original(start, end)
        reading: type[Passage] = PassageBehind if sentence.language == "ko" else PassageBefore
        return reading(self, sentence, start, end).scope()

    def sentence(self, index: int) -> SentenceView:
        """Return one sentence with its clauses and cues; made once."""
        view = self._sentences.get(index)
        if view is None:
            clauses = [clause[:2] for clause in self.segments.clauses_of(index)]
            if not self.folded.same_length:
                clauses = [self.folded.from_original(*clause) for clause in clauses]
            start, end = clauses[0][0], clauses[-1][1]
            view = SentenceView(
                clauses,
                sentence_language(self.text, start, end),
                self.cues_in(start, end),
                _QUESTION_END.search(self.text, max(start, end - 12), end) is not None,
                self.segments.sentences[index].block,
            )
            self._sentences[index] = view
        return view


def scope_at(text: str | Segments, start: int, end: int) -> Scope:
    """Return how the span of a text is meant.

    Args:
        text: The text, or its segments. For several spans of one text use ``Analysis``, which finds cues once.
        start: First code point of the span in the original text.
        end: End of the span.

    """
    return ScopeReader(text if isinstance(text, Segments) else segment(text)).read(start, end)
