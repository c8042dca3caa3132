"""How passages of a text are meant: asserted, negated, warned against, asked, quoted, conditional, said of others.

What the kinds of cues do (``packs/language/scope.*.yaml``):

=================================  =========================================================================
neg, prohibit, warn                a negation; a ban; advice against
recommend, permit                  advice; leave
reject                             behind what it turns down: 就免了, is off the table
replace                            behind what is exchanged
refuse                             the speaker declines
condition, suppose, possible       an if-clause; for the sake of argument; only possible
report, report_before              someone's words; in Korean, a source that stands before them
example, example_after             an example; in Korean, what stands behind one
other, self                        someone else than the user; the user
question                           asks inside a clause
skip                               only looks like a cue, and hides the cues inside it
=================================  =========================================================================
"""

from turnmark.language.scope.cues import Lexicon
from turnmark.language.scope.head_final import HeadFinalPassage
from turnmark.language.scope.head_initial import HeadInitialPassage
from turnmark.language.scope.passage import Passage, Scope
from turnmark.language.scope.sentences import TextView
from turnmark.language.text.segment import Segments, segment

__all__ = ["Scope", "ScopeReader", "scope_at"]


class ScopeReader:
    """Answers scope questions about one text."""

    def __init__(self, segments: Segments, lexicon: Lexicon | None = None) -> None:
        """Make ready; a suite that knows more words gives the shipped ones with its own (``cues.joined``)."""
        self._view = TextView(segments, lexicon)

    def read(self, start: int, end: int) -> Scope:
        """Return the scope of a span of the original text."""
        view = self._view
        if not view.segments.sentences:
            return Scope()
        sentence = view.sentence(view.segments.sentence_index(start))
        start, end = view.folded.from_original(start, end)
        reading: type[Passage] = HeadFinalPassage if sentence.language == "ko" else HeadInitialPassage
        return reading(view, sentence, start, end).scope()


def scope_at(text: str | Segments, start: int, end: int) -> Scope:
    """Return how the span of a text is meant.

    Args:
        text: The text, or its segments. For several spans of one text use ``Analysis``, which finds cues once.
        start: First code point of the span in the original text.
        end: End of the span.

    """
    return ScopeReader(text if isinstance(text, Segments) else segment(text)).read(start, end)
