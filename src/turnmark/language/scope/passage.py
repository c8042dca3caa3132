"""One passage in its sentence: what its scope is, whatever the language.

How far cues reach depends on the language: ``passage_before`` reads Chinese and English, whose cues stand before
what they govern, ``passage_behind`` Korean, whose predicates stand behind it.
"""

import re
import sys
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from turnmark.language.scope.cues import Cue
from turnmark.language.scope.sentences import SentenceView, TextView


class Scope(NamedTuple):
    """How a passage is meant.

    Attributes:
        negation: "" when there is none; "near" (next to the passage), "far" (earlier in the clause), "double" (two
            negations that cancel).
        warned_against: The text advises against it (避免, 切勿, don't, 피하세요).
        recommended: The text advises it (建议, should, 권합니다).
        permitted: The text allows or condones it (可以, is fine, 괜찮습니다).
        refused: The speaker declines to do it (我不能, I can't, 드릴 수 없).
        conditional: It stands in the if-clause.
        consequent: It stands in the main clause of a condition.
        hypothetical: It is supposed for the sake of argument (假设, suppose, 만약).
        possible: It is only said to be possible (可能, might, 수 있습니다).
        question: It is asked.
        quoted: It stands in quotation marks.
        reported: It is said to be someone's words or belief.
        example: It is an example.
        addressed_to_other: It is said of or to someone else than the user.
        target: "other", "self" when the user is named, "" when neither is.

    """

    negation: str = ""
    warned_against: bool = False
    recommended: bool = False
    permitted: bool = False
    refused: bool = False
    conditional: bool = False
    consequent: bool = False
    hypothetical: bool = False
    possible: bool = False
    question: bool = False
    quoted: bool = False
    reported: bool = False
    example: bool = False
    addressed_to_other: bool = False
    target: str = ""

    @property
    def negated(self) -> bool:
        """True when one negation governs the passage; a double one does not."""
        return self.negation in ("near", "far")

    @property
    def quoted_or_reported(self) -> bool:
        """True when the words are someone else's."""
        return self.quoted or self.reported

    @property
    def asserted(self) -> bool:
        """True when the text itself says it, of the user, without condition, doubt, question or refusal."""
        return not (
            self.negated
            or self.warned_against
            or self.refused
            or self.conditional
            or self.hypothetical
            or self.question
            or self.quoted
            or self.reported
            or self.example
            or self.addressed_to_other
        )


POLAR = frozenset(("neg", "prohibit", "warn", "recommend", "permit"))


def _start(cue: Cue) -> int:
    return cue.start


_MAIN_KINDS = frozenset(("warn", "prohibit", "recommend"))
_MARKED = re.compile(r"(?:[·,/] ?[^ ·,/\n]{1,8}){0,4} ?(?:(?P<no>[x×✕✗✘❌])|(?P<yes>[o○◯✓✔✅]))(?=[ ,.;)\n]|$)")
_CLOSING_MARKS = " *_"


# A text without stops is one sentence; then only the cues near the passage are read.
_MANY = 80
_REACH = 300


class Passage(ABC):
    """One span in its sentence; all offsets are folded."""

    def __init__(self, view: TextView, sentence: SentenceView, start: int, end: int) -> None:
        self.view = view
        self.text = view.text
        self.sentence = sentence
        self.start, self.end = start, end
        self.clauses = sentence.clauses
        position = max(0, bisect_right(self.clauses, (start, sys.maxsize)) - 1)
        self.position = position
        self.clause = first, last = self.clauses[position]
        self.before: list[Cue] = []
        self.after: list[Cue] = []
        self.kinds_before: set[str] = set()
        self.kinds_after: set[str] = set()
        self.kinds_earlier: set[str] = set()
        for cue in sentence.cues if len(sentence.cues) <= _MANY else sentence.cues_in(start - _REACH, end + _REACH):
            if cue.start < first:
                self.kinds_earlier |= cue.kinds
            elif cue.start >= last:
                break
            elif cue.start >= end:
                self.after.append(cue)
                self.kinds_after |= cue.kinds
            # A cue may share characters with the passage: 不追|高. A passage of one character may end it: 别|买.
            elif cue.start < start and cue.end <= (max(start, end - 1) if end - start > 1 else end):
                self.before.append(cue)
                self.kinds_before |= cue.kinds

    def scope(self) -> Scope:
        """Return the scope of the passage."""
        value, negation = self.polarity()
        if not value:
            value = self.marked() or self.inherited() or self.led_in()
        target = self.target()
        refused = negation != "double" and "refuse" in self.governing_kinds()
        if not negation and (refused or value in ("neg", "prohibit")):
            negation = "far"
        conditional = self.is_condition(self.position)
        return Scope(
            negation=negation,
            warned_against=value in ("warn", "prohibit"),
            recommended=value == "recommend",
            permitted=value in ("permit", "double"),
            refused=refused,
            conditional=conditional,
            consequent=not conditional and self.follows_condition(),
            hypothetical="suppose" in self.kinds_before or "suppose" in self.kinds_earlier,
            possible="possible" in self.governing_kinds(),
            question=self.sentence.asks or self.is_asked(),
            quoted=self.view.is_quoted(self.start, self.end),
            reported=self.is_reported(),
            example=self.is_example(),
            addressed_to_other=target == "other",
            target=target,
        )

    def follows_condition(self) -> bool:
        """Tell whether one of the clauses before is an if-clause."""
        if "condition" not in self.kinds_earlier:
            return False
        return any(self.is_condition(position) for position in range(max(0, self.position - 8), self.position))

    # What depends on the language

    @abstractmethod
    def polarity(self) -> tuple[str, str]:
        """Return (value, negation): the kind of the governing cue, and "", "near", "far" or "double"."""

    @abstractmethod
    def governing_kinds(self) -> set[str]:
        """Return the kinds of the cues on the side that governs."""

    @abstractmethod
    def is_condition(self, position: int) -> bool:
        """Tell whether a clause is an if-clause (up to the passage, if it is its own)."""

    @abstractmethod
    def is_asked(self) -> bool:
        """Tell whether the clause asks, though the sentence does not end as a question."""

    @abstractmethod
    def is_reported(self) -> bool:
        """Tell whether the passage is given as someone's words."""

    @abstractmethod
    def is_example(self) -> bool:
        """Tell whether the passage is an example."""

    def inherited(self) -> str:
        """Return the value of the clause before, when this one only goes on with its list."""
        return ""

    # The same in all languages

    def introduced(self, kind: str) -> bool:
        """Tell whether the previous clause ends on a cue of the kind: "for example," or "he said,"."""
        if kind not in self.kinds_earlier:
            return False
        previous = self.clauses[self.position - 1]
        cues = [cue for cue in self.sentence.cues_in(*previous) if kind in cue.kinds]
        return bool(cues) and len(self.text[cues[-1].end : previous[1]].strip(' ,:;*"')) <= 1

    def target(self) -> str:
        """Return whom the passage is about: the nearest mention of the user or of others before it decides."""
        mentioned = self.kinds_before | self.kinds_earlier
        if "other" not in mentioned:
            return "self" if "self" in mentioned else ""
        cues = self.sentence.cues
        for index in range(bisect_left(cues, self.start, key=_start) - 1, -1, -1):
            kinds = cues[index].kinds
            if "other" in kinds or "self" in kinds:
                return "other" if "other" in kinds else "self"
        return ""

    def marked(self) -> str:
        """Return what a mark behind the passage says of it: "바나나 X, 사과 O"; or that it is to be replaced."""
        mark = _MARKED.match(self.text, self.end)
        if mark:
            return "warn" if mark["no"] else "recommend"
        replaced = next((cue for cue in self.after if "replace" in cue.kinds), None)
        return "warn" if replaced and replaced.start - self.end <= 4 else ""

    def ends_on_colon(self, start: int, end: int) -> bool:
        """Tell whether a line ends on a colon, so that it speaks of what stands under it."""
        return self.text[max(start, end - 6) : end].rstrip(_CLOSING_MARKS).endswith((":", "："))

    def led_in(self) -> str:
        """Return what the line above a list, or the header above a cell, says of its items."""
        block = self.sentence.block
        blocks = self.view.segments.blocks
        kind = blocks[block].kind
        spans: list[tuple[int, int]] = []
        kinds = _MAIN_KINDS
        if kind == "table_cell":
            spans = [span for span in (blocks[block].column_header, blocks[block].row_header) if span]
        elif kind == "list_item":
            above = next((b for b in reversed(blocks[max(0, block - 12) : block]) if b.kind != "list_item"), None)
            if above is not None and above.kind in ("heading", "paragraph"):
                span = self.view.folded.from_original(above.content_start, above.content_end)
                # A heading such as 建议 stands over warnings too; only one that warns says so of every item.
                kinds = _MAIN_KINDS - {"recommend"} if above.kind == "heading" else _MAIN_KINDS
                if above.kind == "heading" or self.ends_on_colon(*span):
                    spans = [(above.content_start, above.content_end)]
        for span in spans:
            first, last = self.view.folded.from_original(*span)
            cues = [cue for cue in self.view.cues.within(max(first, last - 60), last) if cue.kinds & kinds]
            if cues:
                return main_kind(cues[-1].kinds)
        return ""


def main_kind(kinds: frozenset[str]) -> str:
    """Return the kind that decides among the kinds of one cue."""
    return next((kind for kind in ("prohibit", "warn", "neg", "recommend", "permit") if kind in kinds), "")
