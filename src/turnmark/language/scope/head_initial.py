"""Scope in Chinese and English: cues stand before what they govern, up to the end of the clause."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from turnmark.language.match.phrases import Phrases
from turnmark.language.scope.chain import chain_length
from turnmark.language.scope.cues import Cue
from turnmark.language.scope.passage import POLAR, Passage, main_kind
from turnmark.packs.scope import scope_pack

_NEGATIVE = frozenset(("neg", "prohibit"))
_ASKED = '。,;!~ "*'
_MARKS = ',;! *")'
_SPACES = " ", "*", ","
_LONGEST_NAME = 40
_OTHER_SUBJECT = re.compile(r"[,;、]| (?:and|but|so|our|my|your|the) ")
_INSERTED = re.compile(r", [^,;]{2,40},")
"""What parts a negation from what it denies: "I do not, to be clear, recommend it"."""
_PARTED_REACH = 60
"""Characters in which such a negation is looked for."""


class _Language(NamedTuple):
    """What the sentences of a language take for near, in characters, and the words that stand between cues."""

    between: Phrases
    negations: Phrases
    existential: Phrases
    advisers: Phrases
    contrast: Phrases
    addressed: Phrases
    continues: tuple[str, ...]
    asks: tuple[str, ...]
    tail: str
    chain_gap: int
    near: int
    warn_gap: int
    advice_gap: int
    short_clause: int
    short_list: int
    far_behind: int


@cache
def _language(language: str) -> _Language:
    words, _ = scope_pack(language)
    reaches = (6, 4, 2, 1, 8, 6, 12) if language == "zh" else (30, 12, 8, 4, 24, 0, 40)
    return _Language(
        Phrases((*words.between, *_SPACES)),
        Phrases(word for kind in sorted(_NEGATIVE) for word in words.words().get(kind, ())),
        Phrases(words.existential),
        Phrases(words.advisers),
        Phrases(words.contrast),
        Phrases(words.words().get("self", ())),
        tuple(words.continues),
        tuple(words.asks),
        "".join(words.tail) + _MARKS,
        *reaches,
    )


class HeadInitialPassage(Passage):
    """A passage of a Chinese or English sentence."""

    @property
    def language(self) -> _Language:
        """What is particular to the language of the sentence."""
        return _language(self.sentence.language)

    def polarity(self) -> tuple[str, str]:
        """Return the nearest polar cue on the left; if none forbids, a rejection behind the passage counts."""
        polar = [cue for cue in self.before if not POLAR.isdisjoint(cue.kinds)]
        polar = self.parted(polar[0].start if polar else self.start) + polar
        value = negation = ""
        if polar:
            resolve = self.positive if _NEGATIVE.isdisjoint(polar[-1].kinds) else self.negative
            value, negation = resolve(polar, len(polar) - 1)
        if value not in ("warn", "prohibit", "neg"):
            value = self.rejected_behind() or value
        return value, negation

    def parted(self, start: int) -> list[Cue]:
        """Return the negation from which an insertion parts the clause: "I would not, however, recommend …"."""
        if not self.position or not self.text[: self.clause[0]].rstrip().endswith(","):
            return []
        earlier = [cue for cue in self.sentence.cues_in(start - _PARTED_REACH, self.clause[0]) if cue.kinds & _NEGATIVE]
        last = earlier[-1:]
        return last if last and _INSERTED.fullmatch(self.text[last[0].end : start].strip()) else []

    def governing_kinds(self) -> set[str]:
        """Return the kinds of the cues before the passage."""
        return self.kinds_before

    def is_condition(self, position: int) -> bool:
        """Tell whether a clause holds a word such as 如果 or if, before the passage if it is its own."""
        if position == self.position:
            return "condition" in self.kinds_before or self.text.find("的话", self.end, self.clause[1]) >= 0
        return any("condition" in cue.kinds for cue in self.sentence.cues_in(*self.clauses[position]))

    def is_asked(self) -> bool:
        """Tell whether an asking word stands before the passage, or a particle ends the clause."""
        if "question" in self.kinds_before:
            return True
        asks, last = self.language.asks, self.clause[1]
        return bool(asks) and self.text[max(self.end, last - 6) : last].rstrip(_ASKED).endswith(asks)

    def is_reported(self) -> bool:
        """Tell whether a verb of saying stands before the passage, or ends the clause before."""
        return "report" in self.kinds_before or self.introduced("report")

    def is_example(self) -> bool:
        """Tell whether a word such as 例如 or such as stands before the passage, or ends the clause before."""
        return "example" in self.kinds_before or self.introduced("example")

    def chain(self, cues: list[Cue], index: int) -> int:
        """Return how many negations stand in one chain that ends at ``cues[index]``."""
        first = index
        while first > 0 and not _NEGATIVE.isdisjoint(cues[first - 1].kinds):
            first -= 1
        language = self.language
        before = cues[first:index]
        return 1 + chain_length(self.text, before, cues[index].start, language.between, language.chain_gap)

    def negative(self, polar: list[Cue], index: int) -> tuple[str, str]:
        """Resolve a negation: two in one chain cancel, and so does one whose advice is denied (不建议不吃药)."""
        cue = polar[index]
        if (self.chain(polar, index) + self.is_advised_against(polar, index)) % 2 == 0:
            return "double", "double"
        near = len(self.text[cue.end : self.start].strip(' *_"')) <= self.language.near
        return "prohibit" if "prohibit" in cue.kinds else "neg", "near" if near else "far"

    def is_advised_against(self, polar: list[Cue], index: int) -> bool:
        """Tell whether denied advice (不建议, don't recommend) stands right before a negation of the passage itself."""
        cue, previous = polar[index], polar[index - 1]
        if not index or self.text[cue.end : self.start].strip():
            return False
        between = self.text[previous.end : cue.start].strip()
        if between and not self.language.addressed.is_one(between):
            return False
        if "warn" in previous.kinds:
            return self.language.negations.opens(self.text, previous.start) is not None
        return "recommend" in previous.kinds and self.positive(polar, index - 1)[0] == "prohibit"

    def positive(self, polar: list[Cue], index: int) -> tuple[str, str]:
        """Resolve a warning, recommendation or permission, and a negation right before it."""
        cue = polar[index]
        value = next(kind for kind in ("warn", "recommend", "permit") if kind in cue.kinds)
        if index == 0 or not polar[index - 1].kinds & _NEGATIVE:
            return value, ""
        previous = polar[index - 1]
        gap = self.text[previous.end : cue.start]
        if _INSERTED.fullmatch(gap.strip()):
            gap = ""
        if value == "warn":
            # "No need to avoid it" allows it; a negation further away governs something else.
            return ("permit", "double") if len(gap.strip()) <= self.language.warn_gap else (value, "")
        existential = self.language.existential.is_one(self.text[previous.start : previous.end])
        if existential and value == "permit" and "、" not in gap:
            return "neg", "far"
        if (existential and self.names_adviser(gap)) or len(gap.strip()) <= self.language.advice_gap:
            resolved = self.negative(polar, index - 1)
            return resolved if resolved[0] == "double" else ("prohibit", resolved[1])
        return value, ""

    def names_adviser(self, gap: str) -> bool:
        """Tell whether a negation of existence and advice part with no more than who advises: 没有医生建议."""
        if len(gap) > _LONGEST_NAME or _OTHER_SUBJECT.search(gap):
            return False
        return self.language.advisers.within(gap)

    def rejected_behind(self) -> str:
        """Return "prohibit" or "permit" when the clause, or a short one after it, ends by rejecting or allowing."""
        ends = [(self.after, self.clause[1])]
        if self.position + 1 < len(self.clauses):
            start, end = self.clauses[self.position + 1]
            if end - start <= self.language.short_clause and not self.language.contrast.opens(self.text, start):
                ends.append((self.view.cues.within(start, end), end))
        for cues, clause_end in ends:
            for cue in reversed(cues):
                rejecting = "reject" in cue.kinds or ("prohibit" in cue.kinds and self.sentence.language == "zh")
                value = "prohibit" if rejecting else "permit" if "permit" in cue.kinds else ""
                if not value:
                    continue
                # Going back, the rest of the clause only grows.
                if clause_end - cue.end > self.language.far_behind:
                    break
                rest = self.text[cue.end : clause_end]
                if self.sentence.language == "zh":
                    short = len(rest.rstrip(self.language.tail)) <= (1 if value == "prohibit" else 0)
                else:
                    short = len(rest.strip(' .!,;"')) <= 24
                if short and (cue.end - cue.start > 1 or "prohibit" in cue.kinds):
                    return "double" if value == "prohibit" and self.is_denied(cue) else value
        return ""

    def is_denied(self, cue: Cue) -> bool:
        """Tell whether a negation right before a rejection cancels it: 并非不可能."""
        before = [other for other in self.after if other.end <= cue.start and "neg" in other.kinds]
        return bool(before) and not self.text[before[-1].end : cue.start].strip()

    def inherited(self) -> str:
        """Return the value of the clause before, when this one only goes on with its list."""
        if self.position == 0:
            return ""
        clause = self.text[self.clause[0] : self.clause[1]].strip(" ,;.。*")
        continues = self.language.continues
        if not clause.startswith(continues) and len(clause) > self.language.short_list:
            return ""
        previous = [cue for cue in self.view.cues.within(*self.clauses[self.position - 1]) if cue.kinds & POLAR]
        value = main_kind(previous[-1].kinds) if previous else ""
        # "It is not guaranteed, …" says nothing of what follows; "do not buy shares, futures" does.
        return value if value in ("warn", "prohibit") or clause.startswith(continues) else ""
