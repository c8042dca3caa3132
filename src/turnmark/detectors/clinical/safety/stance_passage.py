"""One passage in its sentence and what the words around it say of it: advised, warned against, or only named.

In Korean predicates stand behind their object, and the last one of the clause decides; in Chinese and English the
nearest word before it does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from turnmark.detectors.clinical.safety.stance_heads import label_span, stands_under_ban
from turnmark.detectors.clinical.safety.stance_others import meant_for_patient, turned_to_patient
from turnmark.language.match.matcher import Hit
from turnmark.language.scope.reader import Scope

if TYPE_CHECKING:
    from turnmark.detectors.clinical.safety.stance import StanceReader

_NEAR = 12
_ADJACENT = 2
_NEAREST = 4
_BEFORE = frozenset(("frees_before", "in_place_of", "advises_before", "command"))
_FREES = frozenset(("frees_before", "in_place_of"))
_SUPPOSES = re.compile(r"\b(?:if|when|whenever|should you)\b|如果|若|一旦|要是")
_NEW_TOPIC = re.compile("[가-힣](?:을|를|은|는|이|가) ")
_COMMA = re.compile("[,，]")
_SERVING = re.compile(
    r".{0,6}?(?:[0-9]+|한|두|세|네|반|다섯|열) ?"
    r"(?:개|알|줌|잔|컵|쪽|조각|접시|덩이|스쿱|회|세트|분|초|번|병|캔|모|숟가락)(?:씩)?"
    r"(?: ?(?:,|$|입니다|이에요|예요|이고|으로|\.))"
)
_VERB_ENDED = re.compile("(?:[고면서며니되도만데]|지만|뒤에|때|때는|동안|전에|후에)[ ,]*$")
_OBJECT = re.compile(r"(?:을|를|은|는|도|이|가|에|로) ")
_CLAUSE_START = re.compile(
    r"(?:^|[.:;,!?|()\-–—\n•→]|\b(?:and|then|or|just|please|also|but|simply|first|next|always|can|could|should|you|to|we|by|now"
    r"|days?|weeks?|meals?|daily|morning|evening|night|let's|let us))[\s*_#>0-9.)]*$"
)
_CUT = re.compile(r"[;；]|\bbut\b|—|–|但|不过|因为")
NO_HARM = re.compile("없|않|아니|harm|hurt|trouble|sleep|difference|matter|worry|fret|concern|不|没|无")
_CROSSED = re.compile(r"[^,.;:|\n。，；]{0,10}? ?[x×✕✗✘❌🚫](?=[ ,.;)\n|]|$)", re.IGNORECASE)
_GRANTS = frozenset(("urges", "carefree"))
_IDIOM_ENDING = re.compile("(?:시?고)?[ ,]*")
_GIVEN_UP = frozenset(("frees_after", "frees_before", "in_place_of", "exchange_after", "exchange_before"))


class Verdict(NamedTuple):
    """Whether the thing is advised, the word or reading that decided, and whether it is warned against.

    A thing that is only named, asked about or said of others is neither advised nor warned against.
    """

    advised: bool
    reason: str
    warned: bool = False


class StancePassage:
    """One passage in its sentence; all offsets are those of the original text."""

    def __init__(
        self, reader: StanceReader, start: int, end: int, sentence: tuple[int, int], cues: list[Hit[str]]
    ) -> None:
        self.reader = reader
        self.text = reader.text
        self.start, self.end, self.sentence = start, end, sentence
        # A pattern may reach into the next clause: fast runs, then a rest, ten times.
        self.clause = reader.analysis.clause_at(start).start, reader.analysis.clause_at(end - 1).end
        self.cues = cues
        # Most kinds stand in no cue of a sentence, which is asked many times.
        self.kinds = {cue.payload for cue in cues}

    def has(self, kind: str) -> bool:
        """Whether the sentence holds a cue of a kind."""
        return kind in self.kinds

    def after(self, *kinds: str, limit: int | None = None) -> list[Hit[str]]:
        """The cues of these kinds behind the passage, up to a position."""
        if self.kinds.isdisjoint(kinds):
            return []
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

    def told_of_others(self, opening: list[Hit[str]]) -> Verdict | None:
        """What is said to this patient behind a habit of other people; None when there is no such turn."""
        if "others" not in self.kinds:
            return None
        behind = [cue for cue in self.cues if cue.start >= self.end] + opening
        turn = turned_to_patient([cue for cue in self.cues if cue.end <= self.start], behind)
        if turn is None or any(cue.payload in _GRANTS and cue.start > turn.start for cue in behind):
            return None
        korean = self.reader.language == "ko"
        span = (turn.end - 1, turn.end) if korean else (self.sentence[1] - 2, self.sentence[1] - 1)
        scope = self.reader.analysis.scope(span) if korean or turn.start < self.sentence[1] else Scope()
        banned = scope.warned_against or scope.negated
        granted = scope.recommended or scope.permitted or any(cue.payload == "advises_after" for cue in behind)
        meant = meant_for_patient(turn, behind, banned=banned)
        if not meant and granted:
            return None
        return Verdict(meant == "do", "others do it: " + self.reader.word(turn), warned=meant == "avoid")

    def urged(self, scope: Scope) -> bool:
        """Whether a negation urges the thing on: do not forget the banana, 바나나를 거르지 마세요, 不用顾虑."""
        if self.kinds.isdisjoint(_GRANTS):
            return False
        granted = self.after("carefree")
        for cue in self.cues:
            if cue.payload != "urges":
                continue
            if self.reader.language != "ko":
                ahead = self.clause[0] <= cue.start and cue.end <= self.start
                if ahead and not self.given_up(cue.end, self.start):
                    return True
            elif self.end <= cue.start:
                # 망설이지 말|고 …: what follows is what is meant.
                if not self.text.startswith(("고", "시고"), cue.end):
                    return True
                granted.append(cue)
        # The nearest decide; a text without stops may hold thousands.
        return any(self.is_carefree(cue, scope) for cue in granted[:_NEAREST])

    def given_up(self, start: int, end: int) -> bool:
        """Whether words between two positions give a thing up or ban it."""
        for position in range(bisect_left(self.cues, start, key=attrgetter("start")), len(self.cues)):
            cue = self.cues[position]
            if cue.start >= end:
                return False
            if cue.payload in _GIVEN_UP and cue.end <= end:
                return True
        return False

    def is_carefree(self, cue: Hit[str], own: Scope) -> bool:
        """Whether an idiom behind the passage grants it: nothing gives it up before the idiom nor behind it."""
        if self.given_up(self.end, cue.start) or self.given_up(cue.end, self.sentence[1]):
            return False
        if self.reader.language == "ko":
            scope = self.scope_behind(cue.end)
            return (scope.recommended or scope.permitted) and not scope.negated
        if "exchange_before" in self.kinds or own.negated or own.warned_against:
            return False
        before = self.nearest_before()
        return before is None or not (before.payload in _FREES or self.is_forbidden(before))

    def scope_behind(self, end: int) -> Scope:
        """The scope of what follows an idiom, which may end its clause: 겁내지 말고 | 드셔도 됩니다."""
        behind = _IDIOM_ENDING.match(self.text, end)
        following = behind.end() if behind else end
        analysis = self.reader.analysis
        if following < self.sentence[1] and analysis.clause_at(following) != analysis.clause_at(end - 1):
            return analysis.scope((following, following + 1))
        return analysis.scope((end - 1, end))

    def labelled_to_avoid(self) -> bool:
        """Whether the sentence opens with a label such as "Foods to avoid:"."""
        if "avoid_label" not in self.kinds:
            return False
        span = label_span(self.text, self.sentence[0], self.start)
        return span is not None and any(
            cue.payload == "avoid_label" and span[0] <= cue.start and cue.end <= span[1] for cue in self.cues
        )

    def headed_to_avoid(self, scope: Scope) -> bool:
        """Whether a head of its row, list or line bans the passage, which is not granted in so many words."""
        matcher, folded = self.reader._matcher, self.reader.analysis.folded
        return not scope.permitted and stands_under_ban(
            self.reader.analysis, lambda start, end: matcher.find_between(folded, start, end), self.start,
            self.sentence[0],
        )  # fmt: skip

    def refused(self, scope: Scope) -> Verdict | None:
        """Warned against, labelled as to be avoided, or exchanged; None when nothing of these."""
        if (scope.negated or scope.warned_against) and not self.is_fine_after_all(scope):
            return Verdict(False, "warned against or negated", warned=True)
        if self.labelled_to_avoid() or self.headed_to_avoid(scope):
            return Verdict(False, "under a label of things to avoid", warned=True)
        return self.exchanged()

    def is_fine_after_all(self, scope: Scope) -> bool:
        """Whether a negation further off is of something else: 躲不开就喝红酒，两杯以内问题不大."""
        if scope.negated and not scope.warned_against and self.denies_harm():
            return True
        if self.reader.language != "zh" or not scope.negated or self.after("frees_after"):
            return False
        before = self.nearest_before()
        advised = before is not None and before.payload == "advises_before" and not self.is_forbidden(before)
        return advised and bool(self.after("advises_after"))

    def denies_harm(self) -> bool:
        """Whether the first judging word behind the passage holds the negation: 지장 없습니다, won't do any harm."""
        limit = None if self.reader.language == "ko" else self.clause[1]
        first = next(iter(self.after("frees_after", "advises_after", limit=limit)), None)
        advises = first is not None and first.payload == "advises_after"
        return first is not None and advises and NO_HARM.search(self.text, first.start, first.end) is not None

    def exchanged(self) -> Verdict | None:
        """Given up or taken in an exchange; None when there is none."""
        text = self.text
        for cue in self.after("exchange_after", limit=self.clause[1]):
            between = text[self.end : cue.start].lstrip()
            if self.reader.language == "ko" and re.match(r"[가-힣]{0,3}?(?:으로|로)(?:만|도)? ?$", between):
                return Verdict(True, "taken in an exchange")
            if len(between) <= _NEAR * 2:
                return Verdict(False, "given up in an exchange", warned=True)
        before = (
            [cue for cue in self.cues if cue.payload == "exchange_before" and cue.end <= self.start]
            if "exchange_before" in self.kinds
            else []
        )
        if before:
            opened = before[-1].end
            links = [cue for cue in self.cues if cue.payload == "exchange_link" and cue.start >= opened]
            if any(0 <= link.start - self.end <= 1 for link in links[1:]):
                # Trade the banana for an apple, and orange juice for cranberry.
                return Verdict(False, "given up in an exchange", warned=True)
            if links:
                return Verdict(links[0].end <= self.start, "exchanged", warned=links[0].end > self.start)
        return None

    def acted(self, scope: Scope) -> Verdict:
        """A phrase that advises by itself; a negation inside it is its own."""
        exchanged = self.exchanged()
        if exchanged is not None:
            return exchanged
        behind = self.after("frees_after", limit=self.clause[1])
        before = self.nearest_before()
        if behind:
            return Verdict(False, self.reader.word(behind[0]), warned=True)
        if before is not None and before.payload in _FREES:
            return Verdict(False, self.reader.word(before), warned=True)
        refused = scope.warned_against or (scope.negated and not self.denies_harm())
        if self.reader.language == "ko" and refused:
            return Verdict(False, "warned against or negated", warned=True)
        if (
            scope.conditional
            and not scope.consequent
            and _SUPPOSES.search(self.text[self.clause[0] : self.start].lower())
        ):
            return Verdict(False, "in a condition")
        return Verdict(True, "advises by itself")

    def korean(self, scope: Scope) -> Verdict:
        """The last word behind the passage in its clause decides, then the clauses after it."""
        first, last = self.clause
        behind = self.after("frees_after", "advises_after", limit=last)
        freed = self.freed_behind(behind)
        if freed is not None:
            return Verdict(False, self.reader.word(freed), warned=True)
        if scope.recommended or scope.permitted:
            return Verdict(True, "recommended or permitted")
        if behind:
            return Verdict(True, self.reader.word(behind[-1]))
        if any(cue.payload == "frees_before" and first <= cue.start < self.start for cue in self.cues):
            return Verdict(False, "of an earlier time")
        return self.later_clauses(scope) or self.plan()

    def freed_behind(self, behind: list[Hit[str]]) -> Hit[str] | None:
        """The word that frees a Korean passage: right behind it, last in its clause, or next when that is mute."""
        freed = self.after("frees_after")
        if not freed:
            return None
        near = freed[0]
        if near.start - self.end <= _NEAR and not _OBJECT.search(self.text[self.end : near.start]):
            return near
        if behind:
            return behind[-1] if behind[-1].payload == "frees_after" else None
        # 되도록 |적게 드시는: the same thing is still spoken of.
        return None if _NEW_TOPIC.search(self.text[self.clause[1] : near.start]) else near

    def later_clauses(self, own: Scope) -> Verdict | None:
        """What the clauses behind say, when the passage's own says nothing.

        A condition whose outcome is no harm advises: 숨을 참고 버티면 단단해집니다.
        """
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
                return Verdict(cues[-1].payload == "advises_after", self.reader.word(cues[-1]))
            if scope.recommended or scope.permitted:
                return Verdict(True, "recommended in the next clause")
        wished = self.after("wishes", limit=self.clause[1])
        if own.conditional and not noun_ended and not wished and self.clause[1] < self.sentence[1]:
            last = self.reader.analysis.scope((self.sentence[1] - 2, self.sentence[1] - 1))
            return None if last.possible or last.negated else Verdict(True, "a good outcome")
        return None

    def other(self, scope: Scope) -> Verdict:
        """Chinese and English: a ban behind, then the nearest word before, then the scope, then what follows."""
        last = self.clause[1]
        freed = self.after("frees_after", limit=last)
        advised = self.after("advises_after", limit=last)
        if freed and not (advised and advised[-1].start > freed[-1].start):
            return Verdict(False, self.reader.word(freed[0]), warned=True)
        before = self.nearest_before()
        if before is not None:
            freed_before = before.payload in _FREES or self.is_forbidden(before)
            return Verdict(not freed_before, self.reader.word(before), warned=freed_before)
        supposed = scope.conditional and not scope.consequent and self.is_supposed()
        if scope.recommended or scope.permitted:
            return Verdict(not supposed, "recommended or permitted")
        if supposed:
            return Verdict(False, "in a condition")
        following = self.after("frees_after", "advises_after")
        if following:
            # The last word of the first clause that has one: 少喝一点没什么大不了.
            clause = self.reader.analysis.clause_at(following[0].start)
            last_word = [cue for cue in following if cue.start < max(clause.end, following[0].end)][-1]
            return Verdict(last_word.payload == "advises_after", self.reader.word(last_word))
        return self.plan()

    def is_supposed(self) -> bool:
        """Whether the clause up to the passage supposes: if you take …, 如果吃 …."""
        return _SUPPOSES.search(self.text[self.clause[0] : self.start].lower()) is not None

    def nearest_before(self) -> Hit[str] | None:
        """The nearest cue before the passage that no break parts from it; commands count where a clause begins."""
        found: list[Hit[str]] = []
        for cue in self.cues if not self.kinds.isdisjoint(_BEFORE) else ():
            if cue.start > self.start or cue.end > self.end:
                continue
            kind = cue.payload
            if kind == "command" and _CLAUSE_START.search(self.text[self.sentence[0] : cue.start].lower()) is None:
                continue
            if (
                kind not in _BEFORE
                or (kind == "in_place_of" and _COMMA.search(self.text, cue.end, self.start))
                or (cue.end > self.start and kind != "command")
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
        labelled = label_span(self.text, self.sentence[0], self.start)
        served = self.reader.language == "ko" and _SERVING.match(self.text, self.end) is not None
        listed = block.kind in ("list_item", "table_cell") or labelled is not None or served
        return Verdict(listed, "an item of a plan" if listed else "only named")
