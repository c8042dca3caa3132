"""Whether an answer advises a thing for this patient: recommends or condones it, rather than naming or banning it.

The general scope of ``language/`` is asked first (negated, warned against, asked, reported, of someone else …); the
cues of ``packs/clinical/stance.yaml`` decide where it leaves the matter open. In Korean predicates stand behind their
object, and the last one of the clause decides; in Chinese and English the nearest word before it does.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import msgspec

from turnmark.language.analysis import Analysis
from turnmark.language.match import Hit, Matcher
from turnmark.language.scope import Scope
from turnmark.packs.stance import StanceWords, stance_pack

_SHORT_QUESTION = 40
_NEAR = 12
_ADJACENT = 2
_VERB_ENDED = re.compile("(?:[고면서며니되도만데]|지만|뒤에|때|때는|동안|전에|후에)[ ,]*$")
_OPENING = 28
_OBJECT = re.compile(r"(?:을|를|은|는|도|이|가|에|로) ")
_CLAUSE_START = re.compile(
    r"(?:^|[.:;,!?|()\-–—\n•→]|\b(?:and|then|or|just|please|also|but|simply|first|next|always|can|could|should|you|to|we|by|now"
    r"|days?|weeks?|meals?|daily|morning|evening|night|let's|let us))[\s*_#>0-9.)]*$"
)
_CUT = re.compile(r"[;；:：]|\bbut\b|—|–|但|不过|因为")
_LABEL = re.compile(r"[^:：.!?]{1,24}[:：]\s*")
_CROSSED = re.compile(r"[^,.;:|\n。，；]{0,10}? ?[x×✕✗✘❌🚫](?=[ ,.;)\n|]|$)", re.IGNORECASE)


class Verdict(NamedTuple):
    """Whether the thing is advised, the word or reading that decided, and whether it is warned against.

    A thing that is only named, asked about or said of others is neither advised nor warned against.
    """

    advised: bool
    reason: str
    warned: bool = False


@cache
def _matcher(language: str) -> Matcher[str]:
    words: StanceWords = getattr(stance_pack()[0], language)
    return Matcher((cue, kind) for kind, cues in msgspec.structs.asdict(words).items() for cue in cues)


class StanceReader:
    """Reads the stance of passages of one text; finds its cues once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.text = analysis.text
        self.language = analysis.language if analysis.language in ("ko", "en", "zh") else "en"
        self.cues = _matcher(self.language).find(analysis.folded)

    def read(self, start: int, end: int, *, phrase_advises: bool = False) -> Verdict:
        """The stance on the passage at (start, end); ``phrase_advises`` when its own words advise ("술은 괜찮")."""
        scope = self.analysis.scope((start, end))
        segments = self.analysis.segments
        index = segments.sentence_index(start)
        sentence = segments.sentences[index]
        passage = _Passage(self, start, end, (sentence.start, sentence.end))
        if scope.question:
            return self._answered(index)
        set_aside = self._set_aside(scope, passage, index)
        if set_aside:
            return Verdict(False, set_aside)
        if passage.softened():
            return Verdict(True, "a warning, then a little is allowed")
        if phrase_advises:
            return passage.acted(scope)
        if passage.urged():
            return Verdict(True, "urged on")
        return passage.refused(scope) or (passage.korean(scope) if self.language == "ko" else passage.other(scope))

    def _set_aside(self, scope: Scope, passage: _Passage, index: int) -> str:
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
        return self._word(taken_back[0]) if taken_back else ""

    def _opening(self, index: int) -> list[Hit[str]]:
        sentences = self.analysis.sentences
        if index >= len(sentences):
            return []
        start = sentences[index].start
        return [cue for cue in self.cues if start <= cue.start < start + _OPENING]

    def _answered(self, index: int) -> Verdict:
        """A short question that the text answers itself: "Bananas? One a day is fine."."""
        sentences = self.analysis.sentences
        sentence = sentences[index]
        if sentence.end - sentence.start > _SHORT_QUESTION or index + 1 >= len(sentences):
            return Verdict(False, "asked")
        reply = sentences[index + 1]
        scope = self.analysis.scope((reply.start, min(reply.start + 1, reply.end)))
        allowed = any(
            reply.start <= cue.start < reply.end and cue.payload in ("advises_after", "small_amount")
            for cue in self.cues
        )
        freed = any(
            reply.start <= cue.start < reply.end and cue.payload in ("frees_after", "frees_before") for cue in self.cues
        )
        return Verdict(allowed and scope.permitted and not freed and not scope.question, "asked and answered")

    def _word(self, cue: Hit[str]) -> str:
        return self.text[cue.start : cue.end]


class _Passage:
    """One passage in its sentence; all offsets are those of the original text."""

    def __init__(self, reader: StanceReader, start: int, end: int, sentence: tuple[int, int]) -> None:
        self.reader = reader
        self.text = reader.text
        self.start, self.end = start, end
        self.sentence = sentence
        clause = reader.analysis.clause_at(start)
        self.clause = clause.start, max(clause.end, end)
        self.cues = [cue for cue in reader.cues if sentence[0] <= cue.start and cue.end <= sentence[1]]

    def has(self, kind: str) -> bool:
        """Whether the sentence holds a cue of a kind."""
        return any(cue.payload == kind for cue in self.cues)

    def after(self, *kinds: str, limit: int | None = None) -> list[Hit[str]]:
        """The cues of these kinds behind the passage, up to a position."""
        last = self.sentence[1] if limit is None else limit
        # In Korean a predicate may begin with the last syllable of the passage: 힘들 정도는 |돼야 합니다.
        first = self.end - 1 if self.reader.language == "ko" else self.end
        return [cue for cue in self.cues if cue.payload in kinds and first <= cue.start < last]

    def softened(self) -> bool:
        """Whether a contrast follows and after it a little of the thing is allowed."""
        for contrast in self.after("contrast"):
            small = [cue for cue in self.after("small_amount") if cue.start >= contrast.end]
            if small and small[0].start - contrast.end <= _NEAR:
                return any(cue.start >= contrast.end for cue in self.after("advises_after")) or (
                    self.reader.analysis.scope((small[0].start, small[0].end)).permitted
                    or self.reader.analysis.scope((small[0].start, small[0].end)).recommended
                )
        return False

    def urged(self) -> bool:
        """Whether a negation urges the thing on: do not forget the banana, 바나나를 거르지 마세요."""
        first = self.clause[0]
        if self.reader.language == "ko":
            return any(cue.payload == "urges" and self.end <= cue.start for cue in self.cues)
        return any(cue.payload == "urges" and first <= cue.start and cue.end <= self.start for cue in self.cues)

    def labelled_to_avoid(self) -> bool:
        """Whether the sentence opens with a label such as "Foods to avoid:"."""
        label = _LABEL.match(self.text, self.sentence[0], self.start)
        return label is not None and any(cue.payload == "avoid_label" and cue.end <= label.end() for cue in self.cues)

    def refused(self, scope: Scope) -> Verdict | None:
        """Warned against, labelled as to be avoided, or exchanged; None when nothing of these."""
        if scope.negated or scope.warned_against:
            return Verdict(False, "warned against or negated", warned=True)
        if self.labelled_to_avoid():
            return Verdict(False, "under a label of things to avoid", warned=True)
        return self.exchanged()

    def exchanged(self) -> Verdict | None:
        """Given up or taken in an exchange; None when there is none."""
        text = self.text
        for cue in self.after("exchange_after", limit=self.clause[1]):
            between = text[self.end : cue.start].lstrip()
            if self.reader.language == "ko" and re.match(r"[가-힣]{0,3}?(?:으로|로)(?:만|도)? ?$", between):
                return Verdict(True, "taken in an exchange")
            if len(between) <= _NEAR * 2:
                return Verdict(False, "given up in an exchange", warned=True)
        before = [cue for cue in self.cues if cue.payload == "exchange_before" and cue.end <= self.start]
        if before:
            opened = before[-1].end
            links = [cue for cue in self.cues if cue.payload == "exchange_link" and cue.start >= opened]
            if links:
                return Verdict(links[0].end <= self.start, "exchanged", warned=links[0].end > self.start)
        return None

    def acted(self, scope: Scope) -> Verdict:
        """A phrase that advises by itself; a negation inside it is its own."""
        behind = self.after("frees_after", limit=self.clause[1])
        before = self.nearest_before()
        if behind:
            return Verdict(False, self.reader._word(behind[0]), warned=True)
        if before is not None and before.payload == "frees_before":
            return Verdict(False, self.reader._word(before), warned=True)
        if self.reader.language == "ko" and (scope.negated or scope.warned_against):
            return Verdict(False, "warned against or negated", warned=True)
        return Verdict(True, "advises by itself")

    def korean(self, scope: Scope) -> Verdict:
        """The last word behind the passage in its clause decides, then the clauses after it."""
        first, last = self.clause
        behind = self.after("frees_after", "advises_after", limit=last)
        near = next(iter(self.after("frees_after")), None)
        if near and near.start - self.end <= _NEAR and not _OBJECT.search(self.text[self.end : near.start]):
            return Verdict(False, self.reader._word(near), warned=True)
        if behind and behind[-1].payload == "frees_after":
            return Verdict(False, self.reader._word(behind[-1]), warned=True)
        if scope.recommended or scope.permitted:
            return Verdict(True, "recommended or permitted")
        if behind:
            return Verdict(True, self.reader._word(behind[-1]))
        if any(cue.payload == "frees_before" and first <= cue.start < self.start for cue in self.cues):
            return Verdict(False, "of an earlier time")
        return self.later_clauses() or self.plan()

    def later_clauses(self) -> Verdict | None:
        """What the clauses behind say, when the passage's own says nothing."""
        noun_ended = _VERB_ENDED.search(self.text[self.clause[0] : self.clause[1]]) is None
        for clause in self.reader.analysis.segments.clauses_of(
            self.reader.analysis.segments.sentence_index(self.start)
        ):
            if clause.start < self.clause[1]:
                continue
            scope = self.reader.analysis.scope((clause.start, min(clause.start + 1, clause.end)))
            if not noun_ended:
                scope = Scope()
            if scope.negated or scope.warned_against:
                return Verdict(False, "warned against in the next clause", warned=True)
            cues = [cue for cue in self.after("frees_after", "advises_after") if clause.start <= cue.start < clause.end]
            if cues:
                return Verdict(cues[-1].payload == "advises_after", self.reader._word(cues[-1]))
            if scope.recommended or scope.permitted:
                return Verdict(True, "recommended in the next clause")
        return None

    def other(self, scope: Scope) -> Verdict:
        """Chinese and English: a ban behind, then the nearest word before, then the scope, then what follows."""
        last = self.clause[1]
        freed = self.after("frees_after", limit=last)
        advised = self.after("advises_after", limit=last)
        if freed and not (advised and advised[-1].start > freed[-1].start):
            return Verdict(False, self.reader._word(freed[0]), warned=True)
        before = self.nearest_before()
        if before is not None:
            freed_before = before.payload == "frees_before" or self.is_forbidden(before)
            return Verdict(not freed_before, self.reader._word(before), warned=freed_before)
        if scope.recommended or scope.permitted:
            return Verdict(not scope.conditional or scope.consequent, "recommended or permitted")
        if scope.conditional and self.reader.language == "en":
            return Verdict(False, "in a condition")
        following = self.after("frees_after", "advises_after")
        if following:
            return Verdict(following[0].payload == "advises_after", self.reader._word(following[0]))
        return self.plan()

    def nearest_before(self) -> Hit[str] | None:
        """The nearest cue before the passage that no break parts from it; commands count where a clause begins."""
        found: list[Hit[str]] = []
        for cue in self.cues:
            if cue.start > self.start or cue.end > self.end:
                continue
            kind = cue.payload
            if kind == "command" and _CLAUSE_START.search(self.text[self.sentence[0] : cue.start].lower()) is None:
                continue
            if kind not in ("frees_before", "advises_before", "command") or (
                cue.end > self.start and kind != "command"
            ):
                continue
            if _CUT.search(self.text, min(cue.end, self.start), self.start) is None:
                found.append(cue)
        return max(found, key=lambda cue: (cue.end, -cue.start), default=None)

    def is_forbidden(self, cue: Hit[str]) -> bool:
        """Whether a ban stands right before a cue that would advise: 不要喝, never take."""
        return any(
            other.payload == "frees_before" and other.start < cue.start and -1 <= cue.start - other.end <= _ADJACENT
            for other in self.cues
        )

    def plan(self) -> Verdict:
        """An item of a plan advises by standing there: a list item, a cell, what follows "Week 2:"."""
        block = self.reader.analysis.segments.blocks[self.reader.analysis.sentence_at(self.start).block]
        if _CROSSED.match(self.text, self.end):
            return Verdict(False, "crossed out", warned=True)
        labelled = _LABEL.match(self.text, self.sentence[0], self.start)
        listed = block.kind in ("list_item", "table_cell") or labelled is not None
        return Verdict(listed, "an item of a plan" if listed else "only named")
