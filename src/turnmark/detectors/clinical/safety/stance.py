"""Whether an answer advises a thing for this patient: recommends or condones it, rather than naming or banning it.

The general scope of ``language/`` is asked first (negated, warned against, asked, reported, of someone else …); the
cues of ``packs/clinical/stance.yaml`` decide where it leaves the matter open (``stance_passage.py``).
"""

from __future__ import annotations

from turnmark.detectors.clinical.safety.stance_passage import StancePassage
from turnmark.detectors.clinical.safety.stance_text import StanceText, Verdict
from turnmark.language.analysis import Analysis
from turnmark.language.scope.cues import Cue
from turnmark.language.scope.reader import Scope

_SHORT_QUESTION = 40
_OPENING = 28


class AdviceStanceReader:
    """Reads the stance of passages of one text; finds its cues once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.view = StanceText(analysis)

    @property
    def cues(self) -> list[Cue]:
        """All cues of the text."""
        return self.view.cues

    def read(self, start: int, end: int, *, phrase_advises: bool = False) -> Verdict:
        """The stance on the passage at (start, end); ``phrase_advises`` when its own words advise ("술은 괜찮")."""
        # In Korean the predicate of a passage stands behind its end.
        scope = self.analysis.scope((end - 1, end) if self.view.language == "ko" else (start, end))
        segments = self.analysis.segments
        index = segments.sentence_index(start)
        sentence = segments.sentences[index]
        passage = StancePassage(
            self.view, start, end, (sentence.start, sentence.end), self.view.around(index, start, end)
        )
        if scope.question:
            return self._answered(index)
        told = passage.told_of_others(self._opening(index + 1))
        set_aside = self._set_aside(scope, passage, index) if told is None else ""
        if told is not None or set_aside:
            return told or Verdict(False, set_aside)
        if passage.softened():
            return Verdict(True, "a warning, then a little is allowed")
        if phrase_advises:
            return passage.acted(scope)
        if passage.urged(scope):
            return Verdict(True, "urged on")
        return passage.refused(scope) or (passage.korean(scope) if self.view.language == "ko" else passage.other(scope))

    def _set_aside(self, scope: Scope, passage: StancePassage, index: int) -> str:
        """Why the sentence does not speak to this patient now; "" when it does."""
        of_other = scope.addressed_to_other and not passage.has("company")
        reported = scope.reported and not passage.has("own_words")
        if reported or scope.hypothetical or of_other or scope.refused:
            return "said of others, supposed or refused"
        if self.view.lacks(passage.start, passage.end):
            return "what lacks it"
        if scope.quoted and not scope.recommended:
            return "quoted"
        if passage.has("another_time"):
            return "said of another time"
        opening = [cue for cue in self._opening(index + 1) if "takes_back" in cue.kinds]
        taken_back = passage.after("takes_back") or opening
        return self.view.word(taken_back[0]) if taken_back else ""

    def _opening(self, index: int) -> list[Cue]:
        sentences = self.analysis.sentences
        if index >= len(sentences):
            return []
        start = sentences[index].start
        return self.view.within(start, min(start + _OPENING, sentences[index].end))

    def _answered(self, index: int) -> Verdict:
        """A short question that the text answers itself: "Bananas? One a day is fine."."""
        sentences = self.analysis.sentences
        sentence = sentences[index]
        if sentence.end - sentence.start > _SHORT_QUESTION or index + 1 >= len(sentences):
            return Verdict(False, "asked")
        reply = sentences[index + 1]
        scope = self.analysis.scope((reply.start, min(reply.start + 1, reply.end)))
        said = self.view.within(reply.start, reply.end)
        allowed = any(not cue.kinds.isdisjoint(("advises_after", "small_amount")) for cue in said) and scope.permitted
        # "Don't worry about it" holds a negation of its own.
        grants = [cue for cue in said if not cue.kinds.isdisjoint(("urges", "carefree"))]
        freed = any(
            not cue.kinds.isdisjoint(("frees_after", "frees_before"))
            and not any(grant.start <= cue.start and cue.end <= grant.end for grant in grants)
            for cue in said
        )
        return Verdict((allowed or bool(grants)) and not freed and not scope.question, "asked and answered")
