"""Whether an answer advises a thing for this patient: recommends or condones it, rather than naming or banning it.

The general scope of ``language/`` is asked first (negated, warned against, asked, reported, of someone else …); the
cues of ``packs/clinical/stance.yaml`` decide where it leaves the matter open (``stance_passage.py``).
"""

from __future__ import annotations

from functools import cache, cached_property

import msgspec

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.detectors.clinical.safety.stance_passage import StancePassage, Verdict
from turnmark.language.analysis import Analysis
from turnmark.language.match.matcher import Hit, Matcher
from turnmark.language.scope.reader import Scope
from turnmark.packs.stance import StanceWords, stance_pack

_SHORT_QUESTION = 40
_OPENING = 28


@cache
def _matcher(language: str) -> Matcher[str]:
    words: StanceWords = getattr(stance_pack()[0], language)
    literals = [(cue, kind) for kind, cues in msgspec.structs.asdict(words).items() for cue in cues]
    return Matcher(literals, shared=answer_words())


_POLAR = frozenset(("frees_after", "frees_before", "in_place_of", "advises_after", "advises_before", "command"))


def _longest(cues: list[Hit[str]]) -> list[Hit[str]]:
    """Without words that a longer one takes up: 해롭 in 해롭지 않, 要 in 不要."""
    polar = [cue for cue in cues if cue.payload in _POLAR]
    if len(polar) < 2:
        return cues
    return [
        cue
        for cue in cues
        if cue.payload not in _POLAR
        or not any(
            other.start <= cue.start and cue.end <= other.end and other.end - other.start > cue.end - cue.start
            for other in polar
        )
    ]


class StanceReader:
    """Reads the stance of passages of one text; finds its cues once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.text = analysis.text
        self.language = analysis.language if analysis.language in ("ko", "en", "zh") else "en"
        self._matcher = _matcher(self.language)
        self._by_sentence: dict[int, list[Hit[str]]] = {}

    @cached_property
    def cues(self) -> list[Hit[str]]:
        """All cues of the text."""
        return self._matcher.find(self.analysis.folded)

    def cues_of(self, index: int) -> list[Hit[str]]:
        """The cues of one sentence; most texts are asked about one or two of theirs."""
        found = self._by_sentence.get(index)
        if found is None:
            sentence = self.analysis.sentences[index]
            found = _longest(self._matcher.find_between(self.analysis.folded, sentence.start, sentence.end))
            self._by_sentence[index] = found
        return found

    def read(self, start: int, end: int, *, phrase_advises: bool = False) -> Verdict:
        """The stance on the passage at (start, end); ``phrase_advises`` when its own words advise ("술은 괜찮")."""
        # In Korean the predicate of a passage stands behind its end.
        scope = self.analysis.scope((end - 1, end) if self.language == "ko" else (start, end))
        segments = self.analysis.segments
        index = segments.sentence_index(start)
        sentence = segments.sentences[index]
        passage = StancePassage(self, start, end, (sentence.start, sentence.end), self.cues_of(index))
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
        return passage.refused(scope) or (passage.korean(scope) if self.language == "ko" else passage.other(scope))

    def _set_aside(self, scope: Scope, passage: StancePassage, index: int) -> str:
        """Why the sentence does not speak to this patient now; "" when it does."""
        of_other = scope.addressed_to_other and not passage.has("company")
        reported = scope.reported and not passage.has("own_words")
        if reported or scope.hypothetical or of_other or scope.refused:
            return "said of others, supposed or refused"
        if scope.quoted and not scope.recommended:
            return "quoted"
        if passage.has("another_time"):
            return "said of another time"
        opening = [cue for cue in self._opening(index + 1) if cue.payload == "takes_back"]
        taken_back = passage.after("takes_back") or opening
        return self.word(taken_back[0]) if taken_back else ""

    def _opening(self, index: int) -> list[Hit[str]]:
        sentences = self.analysis.sentences
        if index >= len(sentences):
            return []
        start = sentences[index].start
        return self._matcher.find_between(self.analysis.folded, start, min(start + _OPENING, sentences[index].end))

    def _answered(self, index: int) -> Verdict:
        """A short question that the text answers itself: "Bananas? One a day is fine."."""
        sentences = self.analysis.sentences
        sentence = sentences[index]
        if sentence.end - sentence.start > _SHORT_QUESTION or index + 1 >= len(sentences):
            return Verdict(False, "asked")
        reply = sentences[index + 1]
        scope = self.analysis.scope((reply.start, min(reply.start + 1, reply.end)))
        said = [cue for cue in self.cues if reply.start <= cue.start < reply.end]
        allowed = any(cue.payload in ("advises_after", "small_amount") for cue in said) and scope.permitted
        # "Don't worry about it" holds a negation of its own.
        grants = [cue for cue in said if cue.payload in ("urges", "carefree")]
        freed = any(
            cue.payload in ("frees_after", "frees_before")
            and not any(grant.start <= cue.start and cue.end <= grant.end for grant in grants)
            for cue in said
        )
        return Verdict((allowed or bool(grants)) and not freed and not scope.question, "asked and answered")

    def word(self, cue: Hit[str]) -> str:
        """The words of a cue as the text has them."""
        return self.text[cue.start : cue.end]
