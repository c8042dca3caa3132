"""Scope in Korean: predicates stand behind what they govern, and the last one of a clause decides."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from turnmark.language.match.phrases import Phrases
from turnmark.language.scope.cues import Cue
from turnmark.language.scope.passage import POLAR, Passage
from turnmark.packs.scope import scope_pack

_TOPIC = ("은 ", "는 ")
_TOPIC_REACH = 26
_ASKED = '.,!~ "*'
_PLANNED = " .,;)*"
_LONGEST_ENDING = 8
_CLOSING_REACH = 32
_NOUN = re.compile(r"(?:는|은|시는|으시는)? ?(?:(?:것|방법|방식|선택|전략)[은을이도]?|건|걸|게) ?")
"""What makes a noun of a denied verb: 먹지 않는 것은."""


class _Words(NamedTuple):
    asks: tuple[str, ...]
    plan: tuple[str, ...]
    no_topic: Phrases


@cache
def _words() -> _Words:
    words, _ = scope_pack("ko")
    return _Words(tuple(words.asks), tuple(words.plan), Phrases(words.no_topic))


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"


class HeadFinalPassage(Passage):
    """A passage of a Korean sentence."""

    def polarity(self) -> tuple[str, str]:
        """Return the sense of the predicates behind the passage, of a later clause if need be."""
        value, negation = self.polarity_behind(self.after)
        if value in ("", "double") and self.position + 1 < len(self.clauses):
            value, negation = self.carried_on(value, negation)
        if not value and self.is_plan(self.clause):
            value = "recommend"
        return value, negation

    def governing_kinds(self) -> set[str]:
        """Return the kinds of the cues behind the passage."""
        return self.kinds_after

    def is_condition(self, position: int) -> bool:
        """Tell whether a clause is an if-clause: it ends on a conditional ending."""
        start, end = self.clauses[position]
        closing = self.sentence.cues_in(max(start, end - _CLOSING_REACH), end)
        cues = [cue for cue in closing if "condition" in cue.kinds]
        return bool(cues) and len(self.text[cues[-1].end : end].strip(" ,은는에의")) <= 1

    def is_asked(self) -> bool:
        """Tell whether the clause ends on an asking ending."""
        return self.ending(self.clause, _ASKED).endswith(_words().asks)

    def is_reported(self) -> bool:
        """Tell whether words of report follow, or a source stands before."""
        limit = self.clauses[min(self.position + 1, len(self.clauses) - 1)][1]
        # The cue may start with the last syllable of the passage: 해롭|다는 말.
        behind = self.sentence.cues_in(max(self.end - 1, self.start), min(limit, self.end + 40))
        return any("report" in cue.kinds for cue in behind) or "report_before" in self.kinds_before

    def is_example(self) -> bool:
        """Tell whether the passage is an example: 예를 들어 …, … 같은."""
        behind = next((cue for cue in self.after if "example_after" in cue.kinds), None)
        close = behind is not None and len(self.text[self.end : behind.start].strip()) <= 1
        return close or "example" in self.kinds_before or self.introduced("example")

    def carried_on(self, value: str, negation: str) -> tuple[str, str]:
        """Return the polarity from a later clause: of a topic (감자는 칼륨이 많으니 피하세요), or of -고 … 하세요."""
        following = self.clauses[self.position + 1]
        if (value or self.is_topic()) and not (not value and self.has_own_topic(following)):
            carried, far = self.polarity_behind(self.sentence.cues_in(*following))
            if carried and (not value or carried == "prohibit"):
                return carried, "far" if far in ("near", "far") else far
        if not value and self.ending(self.clause, ",").endswith(("고", "고요")):
            last, _ = self.polarity_behind(self.sentence.cues_in(*self.clauses[-1]))
            if last == "recommend" or self.is_plan(self.clauses[-1]):
                return "recommend", ""
        return value, negation

    def is_plan(self, clause: tuple[int, int]) -> bool:
        """Tell whether a clause ends as items of a plan do: 걷기, 물 마시기."""
        return self.ending(clause, _PLANNED).endswith(_words().plan)

    def ending(self, clause: tuple[int, int], marks: str) -> str:
        """Return the last characters of a clause without the marks behind them."""
        return self.text[max(clause[0], clause[1] - _LONGEST_ENDING) : clause[1]].rstrip(marks)

    def is_topic(self) -> bool:
        """Tell whether the passage is the topic of its clause, or stands in it: 감자는, 감자 같은 채소는."""
        if self.text[self.end : self.end + 1] in ("은", "는"):
            return True
        before_stop = self.text[self.end : min(self.clause[1] + 1, self.end + _TOPIC_REACH + 1)].partition(".")[0]
        return any(
            position > 0 and _is_hangul(before_stop[position - 1])
            for particle in _TOPIC
            for position in (before_stop.rfind(particle),)
        )

    def has_own_topic(self, clause: tuple[int, int]) -> bool:
        """Tell whether a clause begins with a topic of its own; 지금은 and 우선은 are none."""
        word = self.text[clause[0] : clause[1]].removeprefix(" ").partition(" ")[0]
        return word.endswith(("은", "는")) and all(map(_is_hangul, word)) and not _words().no_topic.opens(word, 0)

    def polarity_behind(self, cues: list[Cue]) -> tuple[str, str]:
        """Return (value, negation) after the last of the predicates that follow the passage."""
        value = negation = ""
        last_end = self.end
        for cue in cues:
            kinds = cue.kinds & POLAR
            if not kinds:
                continue
            close = len(self.text[last_end : cue.start].strip()) <= 6
            if value == "neg" and "warn" in kinds and _NOUN.fullmatch(self.text, last_end, cue.start):
                value = "double"
            else:
                value = _next(value, kinds, close)
            last_end = cue.end
        if value in ("neg", "prohibit"):
            first = next(cue for cue in cues if cue.kinds & POLAR)
            negation = "near" if first.start - self.end <= 6 else "far"
        elif value == "double":
            negation = "double"
        return value, negation


def _next(value: str, kinds: frozenset[str], close: bool) -> str:
    """Return the value after one more predicate; a close one modifies what came before, another replaces it."""
    if "permit" in kinds:
        return "permit" if value != "neg" or not close else "neg"
    if "neg" in kinds and close and value:
        return {"neg": "double", "prohibit": "double", "warn": "permit", "double": "neg"}.get(value, "prohibit")
    if "prohibit" in kinds:
        return "double" if close and value == "neg" else "prohibit"
    if "warn" in kinds:
        return "warn"
    if "neg" in kinds:
        return "neg"
    # A polite ending or "is good" takes on the sense of the verb it ends.
    return value if value in ("warn", "prohibit", "neg", "permit", "double") and close else "recommend"
