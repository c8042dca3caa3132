"""Scope in Korean: predicates stand behind what they govern, and the last one of a clause decides."""

import re

from turnmark.language.scope.cues import Cue
from turnmark.language.scope.passage import POLAR, Passage

_TOPIC = re.compile("[^.]{0,24}?[가-힣](?:은|는)(?= )")
_OWN_TOPIC = re.compile(" ?(?!조금|지금|우선|가끔|평소|가급|당분간|이제)[가-힣]+(?:은|는) ")
_PLAN = re.compile("(?:하|시|쉬|먹|걷|늘리|적|재|지키|자|보|쓰|챙기|바꾸|찾|가|오|맞|씻)기[ .,;)*]*$")
_AND = re.compile("고요?,?$")
_QUESTION = re.compile('(?:인가요|나요|까요|가요|을까|일까|ㄹ까|습니까|입니까|는지요)[.,!~ "*]*$')


class PassageBehind(Passage):
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
        cues = [cue for cue in self.sentence.cues_in(start, end) if "condition" in cue.kinds]
        return bool(cues) and len(self.text[cues[-1].end : end].strip(" ,은는에의")) <= 1

    def is_asked(self) -> bool:
        """Tell whether the clause ends on an asking ending."""
        return _QUESTION.search(self.text, max(self.clause[0], self.clause[1] - 8), self.clause[1]) is not None

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
        topic = _TOPIC.match(self.text, self.end, self.clause[1]) or self.text[self.end : self.end + 1] in (
            "은",
            "는",
        )
        if (topic or value) and not (_OWN_TOPIC.match(self.text, *following) and not value):
            carried, far = self.polarity_behind(self.sentence.cues_in(*following))
            if carried and (not value or carried == "prohibit"):
                return carried, "far" if far in ("near", "far") else far
        if not value and _AND.search(self.text[self.clause[0] : self.clause[1]]):
            last, _ = self.polarity_behind(self.sentence.cues_in(*self.clauses[-1]))
            if last == "recommend" or self.is_plan(self.clauses[-1]):
                return "recommend", ""
        return value, negation

    def is_plan(self, clause: tuple[int, int]) -> bool:
        """Tell whether a clause ends as items of a plan do: 걷기, 물 마시기."""
        return _PLAN.search(self.text, max(clause[0], clause[1] - 8), clause[1]) is not None

    def polarity_behind(self, cues: list[Cue]) -> tuple[str, str]:
        """Return (value, negation) after the last of the predicates that follow the passage."""
        value = negation = ""
        last_end = self.end
        for cue in cues:
            kinds = cue.kinds & POLAR
            if not kinds:
                continue
            close = len(self.text[last_end : cue.start].strip()) <= 6 and last_end != self.end
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
