"""One passage in its sentence and what the words around it say of it: advised, warned against, or only named.

In Korean predicates stand behind their object, and the last one of the clause decides; in Chinese and English the
nearest word before it does.
"""

from __future__ import annotations

import re

from turnmark.detectors.clinical.safety.stance_heads import is_crossed_out, label_span, stands_under_ban
from turnmark.detectors.clinical.safety.stance_others import meant_for_patient, turned_to_patient
from turnmark.detectors.clinical.safety.stance_text import StanceText, Verdict, clauses_from
from turnmark.language.scope.cues import Cue, starting
from turnmark.language.scope.reader import Scope

_NEAR = 12
_ADJACENT = 2
_NEAREST = 4
_FAR = 300
"""How far a clause is read back; a text without stops is one."""
_BEFORE = frozenset(("frees_before", "in_place_of", "advises_before", "command"))
_NEAREST_BEFORE = _BEFORE - {"command"}
_FREES = frozenset(("frees_before", "in_place_of"))
_JUDGES_AFTER = frozenset(("frees_after", "advises_after"))
_DASHES = "—–"
_SPACES = " ,"
_CLAUSE_END = " ,.;!"
_CLAUSE_MARKS = frozenset(".:;,!?|()-–—\n·•→")
_ITEM_ENDS = ".)\n"
_ITEM_MARKS = " \t\n*_#>0123456789.)"
_OPENING_REACH = 40
_SERVED_REACH = 24
_EXCHANGED_REACH = 5
_TAKEN_UP = re.compile(r" (?:them|those|these|it|both|either|all of (?:them|these|those))\b")
_GRANTS = frozenset(("urges", "carefree"))
_GIVEN_UP = frozenset(("frees_after", "frees_before", "in_place_of", "exchange_after", "exchange_before"))


class StancePassage:
    """One passage in its sentence; all offsets are those of the original text."""

    def __init__(self, view: StanceText, start: int, end: int, sentence: tuple[int, int], cues: list[Cue]) -> None:
        self.view = view
        self.text = view.text
        self.start, self.end, self.sentence = start, end, sentence
        # A pattern may reach into the next clause: fast runs, then a rest, ten times.
        self.clause = view.analysis.clause_at(start).start, view.analysis.clause_at(end - 1).end
        self.cues = cues
        # Most kinds stand in no cue of a sentence, which is asked many times.
        self.kinds = frozenset[str]().union(*(cue.kinds for cue in cues))

    def has(self, kind: str) -> bool:
        """Whether the sentence holds a cue of a kind."""
        return kind in self.kinds

    def after(self, *kinds: str, limit: int | None = None) -> list[Cue]:
        """The cues of these kinds behind the passage, up to a position."""
        if self.kinds.isdisjoint(kinds):
            return []
        last = self.sentence[1] if limit is None else limit
        # In Korean a predicate may begin with the last syllable of the passage: 힘들 정도는 |돼야 합니다.
        first = self.end - 1 if self.view.language == "ko" else self.end
        return [cue for cue in starting(self.cues, first, last) if not cue.kinds.isdisjoint(kinds)]

    def softened(self) -> bool:
        """Whether a contrast follows and after it a little of the thing is allowed."""
        for contrast in self.after("contrast"):
            small = [cue for cue in self.after("small_amount") if cue.start >= contrast.end]
            if small and small[0].start - contrast.end <= _NEAR:
                return any(cue.start >= contrast.end for cue in self.after("advises_after")) or (
                    self.view.analysis.scope((small[0].start, small[0].end)).permitted
                    or self.view.analysis.scope((small[0].start, small[0].end)).recommended
                )
        return False

    def told_of_others(self, opening: list[Cue]) -> Verdict | None:
        """What is said to this patient behind a habit of other people; None when there is no such turn."""
        if "others" not in self.kinds:
            return None
        behind = [cue for cue in self.cues if cue.start >= self.end] + opening
        turn = turned_to_patient([cue for cue in self.cues if cue.end <= self.start], behind)
        if turn is None or any(cue.start > turn.start and not cue.kinds.isdisjoint(_GRANTS) for cue in behind):
            return None
        korean = self.view.language == "ko"
        span = (turn.end - 1, turn.end) if korean else (self.sentence[1] - 2, self.sentence[1] - 1)
        scope = self.view.analysis.scope(span) if korean or turn.start < self.sentence[1] else Scope()
        banned = scope.warned_against or scope.negated
        granted = scope.recommended or scope.permitted or any("advises_after" in cue.kinds for cue in behind)
        meant = meant_for_patient(turn, behind, banned=banned)
        if not meant and granted:
            return None
        return Verdict(meant == "do", "others do it: " + self.view.word(turn), warned=meant == "avoid")

    def urged(self, scope: Scope) -> bool:
        """Whether a negation urges the thing on: do not forget the banana, 바나나를 거르지 마세요, 不用顾虑."""
        if self.kinds.isdisjoint(_GRANTS):
            return False
        granted = self.after("carefree")
        for cue in self.cues:
            if "urges" not in cue.kinds:
                continue
            if self.view.language != "ko":
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
        return any(cue.end <= end and not cue.kinds.isdisjoint(_GIVEN_UP) for cue in starting(self.cues, start, end))

    def is_carefree(self, cue: Cue, own: Scope) -> bool:
        """Whether an idiom behind the passage grants it: nothing gives it up before the idiom nor behind it."""
        if self.given_up(self.end, cue.start) or self.given_up(cue.end, self.sentence[1]):
            return False
        if self.view.language == "ko":
            scope = self.scope_behind(cue.end)
            return (scope.recommended or scope.permitted) and not scope.negated
        if "exchange_before" in self.kinds or own.negated or own.warned_against:
            return False
        before = self.nearest_before()
        return before is None or not (is_freeing(before) or self.is_forbidden(before))

    def scope_behind(self, end: int) -> Scope:
        """The scope of what follows an idiom, which may end its clause: 겁내지 말고 | 드셔도 됩니다."""
        following = end
        for ending in ("시고", "고"):
            if self.text.startswith(ending, end):
                following += len(ending)
                break
        while following < self.sentence[1] and self.text[following] in _SPACES:
            following += 1
        analysis = self.view.analysis
        if following < self.sentence[1] and analysis.clause_at(following) != analysis.clause_at(end - 1):
            return analysis.scope((following, following + 1))
        return analysis.scope((end - 1, end))

    def labelled_to_avoid(self) -> bool:
        """Whether the sentence opens with a label such as "Foods to avoid:"."""
        if "avoid_label" not in self.kinds:
            return False
        span = label_span(self.text, self.sentence[0], self.start)
        return span is not None and any(
            "avoid_label" in cue.kinds and span[0] <= cue.start and cue.end <= span[1] for cue in self.cues
        )

    def headed_to_avoid(self, scope: Scope) -> bool:
        """Whether a head of its row, list or line bans the passage, which is not granted in so many words."""
        return not scope.permitted and stands_under_ban(self.view, self.start, self.sentence[0])

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
        if self.view.language != "zh" or not scope.negated or self.after("frees_after"):
            return False
        before = self.nearest_before()
        advised = before is not None and "advises_before" in before.kinds and not self.is_forbidden(before)
        return advised and bool(self.after("advises_after"))

    def denies_harm(self) -> bool:
        """Whether the first judging word behind the passage holds the negation: 지장 없습니다, won't do any harm."""
        limit = None if self.view.language == "ko" else self.clause[1]
        first = next(iter(self.after("frees_after", "advises_after", limit=limit)), None)
        return first is not None and self.view.denies_harm(first)

    def exchanged(self) -> Verdict | None:
        """Given up or taken in an exchange; None when there is none."""
        text = self.text
        for cue in self.after("exchange_after", limit=self.clause[1]):
            between = text[self.end : cue.start].lstrip()
            if self.view.language == "ko" and is_target(between):
                return Verdict(True, "taken in an exchange")
            if len(between) <= _NEAR * 2:
                return Verdict(False, "given up in an exchange", warned=True)
        before = (
            [cue for cue in self.cues if "exchange_before" in cue.kinds and cue.end <= self.start]
            if "exchange_before" in self.kinds
            else []
        )
        if before:
            opened = before[-1].end
            links = [cue for cue in self.cues if "exchange_link" in cue.kinds and cue.start >= opened]
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
            return Verdict(False, self.view.word(behind[0]), warned=True)
        if before is not None and is_freeing(before):
            return Verdict(False, self.view.word(before), warned=True)
        refused = scope.warned_against or (scope.negated and not self.denies_harm())
        if self.view.language == "ko" and refused:
            return Verdict(False, "warned against or negated", warned=True)
        if scope.conditional and not scope.consequent and self.is_supposed():
            return Verdict(False, "in a condition")
        return Verdict(True, "advises by itself")

    def korean(self, scope: Scope) -> Verdict:
        """The last word behind the passage in its clause decides, then the clauses after it."""
        first, last = self.clause
        behind = self.after("frees_after", "advises_after", limit=last)
        freed = self.freed_behind(behind)
        if freed is not None:
            return Verdict(False, self.view.word(freed), warned=True)
        if scope.recommended or scope.permitted:
            return Verdict(True, "recommended or permitted")
        if behind:
            return Verdict(True, self.view.word(behind[-1]))
        if any("frees_before" in cue.kinds and first <= cue.start < self.start for cue in self.cues):
            return Verdict(False, "of an earlier time")
        return self.later_clauses(scope) or self.plan()

    def freed_behind(self, behind: list[Cue]) -> Cue | None:
        """The word that frees a Korean passage: right behind it, last in its clause, or next when that is mute."""
        freed = self.after("frees_after")
        if not freed:
            return None
        near = freed[0]
        if near.start - self.end <= _NEAR and not self.view.asked.objects.within(self.view.plain, self.end, near.start):
            return near
        if behind:
            return behind[-1] if "frees_after" in behind[-1].kinds else None
        # 되도록 |적게 드시는: the same thing is still spoken of.
        return None if self.view.asked.topics.within(self.view.plain, self.clause[1], near.start) else near

    def later_clauses(self, own: Scope) -> Verdict | None:
        """What the clauses behind say, when the passage's own says nothing.

        A condition whose outcome is no harm advises: 숨을 참고 버티면 단단해집니다.
        """
        last = self.clause[1]
        noun_ended = (
            not self.text[max(self.clause[0], last - _NEAR) : last].rstrip(_SPACES).endswith(self.view.asked.verb_ends)
        )
        for clause in clauses_from(self.view.analysis, last, self.sentence[1]):
            scope = self.view.analysis.scope((clause.start, min(clause.start + 1, clause.end)))
            if not noun_ended:
                scope = Scope()
            if scope.negated or scope.warned_against:
                return Verdict(False, "warned against in the next clause", warned=True)
            cues = [cue for cue in starting(self.cues, *clause[:2]) if not cue.kinds.isdisjoint(_JUDGES_AFTER)]
            if cues:
                return Verdict("advises_after" in cues[-1].kinds, self.view.word(cues[-1]))
            if scope.recommended or scope.permitted:
                return Verdict(True, "recommended in the next clause")
        wished = self.after("wishes", limit=self.clause[1])
        if own.conditional and not noun_ended and not wished and self.clause[1] < self.sentence[1]:
            outcome = self.view.analysis.scope((self.sentence[1] - 2, self.sentence[1] - 1))
            return None if outcome.possible or outcome.negated else Verdict(True, "a good outcome")
        return None

    def other(self, scope: Scope) -> Verdict:
        """Chinese and English: a ban behind, then the nearest word before, then the scope, then what follows."""
        last = self.clause[1]
        freed = self.after("frees_after", limit=last)
        advised = self.after("advises_after", limit=last)
        if freed and not (advised and advised[-1].start > freed[-1].start):
            return Verdict(False, self.view.word(freed[0]), warned=True)
        supposed = scope.conditional and not scope.consequent and self.is_supposed()
        before = self.nearest_before() or self.turned_down()
        if before is not None and supposed and before.end <= self.start and "frees_before" not in before.kinds:
            # If you take aspirin by mistake, …: what the condition does is no advice; what follows may be.
            before = None
        if before is not None:
            freed_before = is_freeing(before) or self.is_forbidden(before) or self.is_kept_little(before)
            return Verdict(not freed_before, self.view.word(before), warned=freed_before)
        if scope.recommended or scope.permitted:
            return Verdict(not supposed, "recommended or permitted")
        if supposed:
            return Verdict(False, "in a condition")
        following = self.after("frees_after", "advises_after")
        if following:
            # The last word of the first clause that has one: 少喝一点没什么大不了.
            clause = self.view.analysis.clause_at(following[0].start)
            last_word = [cue for cue in following if cue.start < max(clause.end, following[0].end)][-1]
            return Verdict("advises_after" in last_word.kinds, self.view.word(last_word))
        return self.plan()

    def turned_down(self) -> Cue | None:
        """The word behind that gives up what is taken up again: bananas are rich in potassium, so go easy on them."""
        for cue in self.after("frees_before"):
            if _TAKEN_UP.match(self.text, cue.end):
                return cue
        return None

    def is_kept_little(self, cue: Cue) -> bool:
        """Whether a thing is to be kept to a little of it: keep bananas and potatoes small, keep them to a minimum."""
        if self.view.plain[cue.start : cue.end] not in self.view.asked.keeps:
            return False
        return self.view.plain[self.end : self.clause[1]].rstrip(_CLAUSE_END).endswith(self.view.asked.kept_little)

    def is_supposed(self) -> bool:
        """Whether the clause up to the passage supposes: if you take …, 如果吃 …."""
        first = max(self.clause[0], self.start - _FAR)
        return self.view.asked.supposes.within(self.view.plain, first, self.start)

    def nearest_before(self) -> Cue | None:
        """The nearest cue before the passage that no break parts from it; commands count where a clause begins."""
        cues: list[Cue] = []
        for cue in self.cues if not self.kinds.isdisjoint(_BEFORE) else ():
            if cue.start > self.start or cue.end > self.end:
                continue
            counts = not cue.kinds.isdisjoint(_NEAREST_BEFORE) and cue.end <= self.start
            if "in_place_of" in cue.kinds:
                counts = counts and "," not in self.view.plain[cue.end : self.start]
            if (counts or ("command" in cue.kinds and self.opens_clause(cue))) and not self.is_parted(cue):
                cues.append(cue)
        return max(cues, key=lambda cue: (cue.end, -cue.start), default=None)

    def opens_clause(self, cue: Cue) -> bool:
        """Whether a clause begins with a cue: behind a mark, the number of an item, or a word such as then."""
        first = max(self.sentence[0], cue.start - _OPENING_REACH)
        before = self.view.plain[first : cue.start]
        words = before.rstrip(_ITEM_MARKS)
        skipped = before[len(words) :]
        if any(mark in skipped for mark in _ITEM_ENDS) or (words and words[-1] in _CLAUSE_MARKS):
            return True
        if not words:
            return first == self.sentence[0]
        position = first + len(words)
        opening = self.view.asked.opens_clause.last(self.view.plain, first, position)
        return opening is not None and opening[1] == position

    def is_parted(self, cue: Cue) -> bool:
        """Whether something between a cue before the passage and the passage turns to another matter."""
        first = min(cue.end, self.start)
        if self.view.asked.parts.within(self.view.plain, first, self.start):
            return True
        return any(dash in self.text[first : self.start] for dash in _DASHES)

    def is_forbidden(self, cue: Cue) -> bool:
        """Whether a ban stands right before a cue that would advise: 不要喝, never take."""
        return any(
            "frees_before" in other.kinds and other.start < cue.start and -1 <= cue.start - other.end <= _ADJACENT
            for other in self.cues
        )

    def plan(self) -> Verdict:
        """An item of a plan advises by standing there: a list item, a cell, what follows "Week 2:"."""
        block = self.view.analysis.segments.blocks[self.view.analysis.sentence_at(self.start).block]
        if is_crossed_out(self.text, self.end):
            return Verdict(False, "crossed out", warned=True)
        labelled = label_span(self.text, self.sentence[0], self.start)
        last = min(self.sentence[1], self.end + _SERVED_REACH)
        helping = self.view.asked.served.search(self.view.plain, self.end, last)
        served = helping is not None and helping.start() - self.end <= _NEAR // 2
        listed = block.kind in ("list_item", "table_cell") or labelled is not None or served
        return Verdict(listed, "an item of a plan" if listed else "only named")


def is_freeing(cue: Cue) -> bool:
    """Whether a cue before a thing says not to."""
    return not cue.kinds.isdisjoint(_FREES)


def is_target(between: str) -> bool:
    """Whether what stands behind a thing makes it the one that is taken in an exchange: 사과|로만 바꾸세요."""
    words = between.removesuffix(" ")
    words = words[:-1] if words.endswith(("만", "도")) else words
    return words.endswith("로") and len(words) <= _EXCHANGED_REACH and all("가" <= word <= "힣" for word in words)
