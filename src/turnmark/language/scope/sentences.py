"""What scope reads of a text before a passage is asked for: its sentences with their clauses, cues and quotations."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from turnmark.language.scope.cues import Cue, CuesOfText, Lexicon, scope_lexicon, starting
from turnmark.language.text.clauses import sentence_language
from turnmark.language.text.segment import Segments

_QUOTES = re.compile(
    r"“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|\"[^\"\n]{1,200}\"|‘[^’\n]{2,200}’|«[^»\n]{1,200}»"
    # Each kind begins with its mark, so that all other characters are passed over quickly.
    r"|'(?<!\w')[^'\n]{2,120}'(?![a-z])"
)
_CLOSING = "\"')]*_。.!~ "
_QUESTION_REACH = 12


class SentenceView(NamedTuple):
    """One sentence as scope needs it: folded clause spans, language, cues, and whether it ends as a question."""

    clauses: list[tuple[int, int]]
    language: str
    cues: list[Cue]
    asks: bool
    block: int

    def cues_in(self, start: int, end: int) -> list[Cue]:
        """Return the cues that begin inside a folded span."""
        return starting(self.cues, start, end)


class TextView:
    """One text as scope needs it; each sentence is read when it is first asked for."""

    def __init__(self, segments: Segments, lexicon: Lexicon | None = None) -> None:
        self.segments = segments
        self.folded = segments.folded
        self.text = segments.folded.text
        self.cues = CuesOfText(lexicon or scope_lexicon(), segments.folded)
        quotes = [match.span() for match in _QUOTES.finditer(segments.folded.base)]
        self._quote_starts = [start for start, _ in quotes]
        self._quote_ends = [end for _, end in quotes]
        self._sentences: dict[int, SentenceView] = {}

    def is_quoted(self, start: int, end: int) -> bool:
        """Tell whether a folded span stands inside quotation marks."""
        index = bisect_right(self._quote_starts, start) - 1
        return index >= 0 and self._quote_starts[index] < start and end < self._quote_ends[index]

    def sentence(self, index: int) -> SentenceView:
        """Return one sentence with its clauses and cues; made once."""
        view = self._sentences.get(index)
        if view is None:
            clauses = [clause[:2] for clause in self.segments.clauses_of(index)]
            if not self.folded.same_length:
                clauses = [self.folded.from_original(*clause) for clause in clauses]
            start, end = clauses[0][0], clauses[-1][1]
            view = self._sentences[index] = SentenceView(
                clauses,
                sentence_language(self.text, start, end),
                self.cues.within(start, end),
                self.text[max(start, end - _QUESTION_REACH) : end].rstrip(_CLOSING).endswith(("?", "？")),
                self.segments.sentences[index].block,
            )
        return view
