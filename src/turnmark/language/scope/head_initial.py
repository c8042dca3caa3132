"""Scope in Chinese and English: cues stand before what they govern, up to the end of the clause."""

import re

from turnmark.language.scope import cues_en, cues_zh
from turnmark.language.scope.cues import Cue
from turnmark.language.scope.passage import POLAR, Passage, main_kind

_NEGATIVE = frozenset(("neg", "prohibit"))
_EXISTENTIAL = ("没有", "没人", "无人", "没", "谁也不", "谁都不", "no", "nobody", "none", "nothing", "never")
_CHAIN_ZH = re.compile(f"[{cues_zh.CHAIN} *]*$")
_CHAIN_EN = re.compile(rf"(?:[ ,]|\b(?:{'|'.join(cues_en.CHAIN.split())})\b)*$")
_ZH_TAIL = re.compile('[了吧呢的哦啊呀嘛哈您你。,;! *")]*$')
_ZH_PARTICLE = re.compile('[吗呢么][。,;!~ "*]*$')
_CONTRAST = re.compile(r"但|不过|然而|可是|而|却|只是|(?:but|however|although|though|while|whereas|yet)\b")


class PassageBefore(Passage):
    """A passage of a Chinese or English sentence."""

    def polarity(self) -> tuple[str, str]:
        """Return the nearest polar cue on the left; if none forbids, a rejection behind the passage counts."""
        polar = [cue for cue in self.before if not POLAR.isdisjoint(cue.kinds)]
        value = negation = ""
        if polar:
            resolve = self.positive if _NEGATIVE.isdisjoint(polar[-1].kinds) else self.negative
            value, negation = resolve(polar, len(polar) - 1)
        if value not in ("warn", "prohibit", "neg"):
            value = self.rejected_behind() or value
        return value, negation

    def governing_kinds(self) -> set[str]:
        """Return the kinds of the cues before the passage."""
        return self.kinds_before

    def is_condition(self, position: int) -> bool:
        """Tell whether a clause holds a word such as 如果 or if, before the passage if it is its own."""
        if position == self.position:
            return "condition" in self.kinds_before or self.text.find("的话", self.end, self.clause[1]) >= 0
        if "condition" not in self.kinds_earlier:
            return False
        return any("condition" in cue.kinds for cue in self.sentence.cues_in(*self.clauses[position]))

    def is_asked(self) -> bool:
        """Tell whether an asking word stands before the passage, or a particle ends the clause."""
        if "question" in self.kinds_before:
            return True
        if self.sentence.language != "zh":
            return False
        return _ZH_PARTICLE.search(self.text, max(self.end, self.clause[1] - 6), self.clause[1]) is not None

    def is_reported(self) -> bool:
        """Tell whether a verb of saying stands before the passage, or ends the clause before."""
        return "report" in self.kinds_before or self.introduced("report")

    def is_example(self) -> bool:
        """Tell whether a word such as 例如 or such as stands before the passage, or ends the clause before."""
        return "example" in self.kinds_before or self.introduced("example")

    def chain(self, cues: list[Cue], index: int) -> int:
        """Return how many negations stand in one chain that ends at ``cues[index]``."""
        pattern = _CHAIN_ZH if self.sentence.language == "zh" else _CHAIN_EN
        length = 1
        while index > 0 and cues[index - 1].kinds & _NEGATIVE:
            gap = self.text[cues[index - 1].end : cues[index].start]
            if len(gap) > (6 if self.sentence.language == "zh" else 30) or pattern.match(gap) is None:
                break
            index -= 1
            length += 1
        return length

    def negative(self, polar: list[Cue], index: int) -> tuple[str, str]:
        """Resolve a negation: two in one chain cancel."""
        cue = polar[index]
        if self.chain(polar, index) % 2 == 0:
            return "double", "double"
        near = len(self.text[cue.end : self.start].strip(' *_"')) <= (4 if self.sentence.language == "zh" else 12)
        return "prohibit" if "prohibit" in cue.kinds else "neg", "near" if near else "far"

    def positive(self, polar: list[Cue], index: int) -> tuple[str, str]:
        """Resolve a warning, recommendation or permission, and a negation right before it."""
        cue = polar[index]
        value = next(kind for kind in ("warn", "recommend", "permit") if kind in cue.kinds)
        if index == 0 or not polar[index - 1].kinds & _NEGATIVE:
            return value, ""
        previous = polar[index - 1]
        gap = self.text[previous.end : cue.start]
        if value == "warn":
            # "No need to avoid it" allows it; a negation further away governs something else.
            return (
                ("permit", "double")
                if len(gap.strip()) <= (2 if self.sentence.language == "zh" else 8)
                else (value, "")
            )
        existential = self.text[previous.start : previous.end] in _EXISTENTIAL
        if existential and value == "permit" and "、" not in gap:
            return "neg", "far"
        if len(gap.strip()) <= (1 if self.sentence.language == "zh" else 4):
            resolved = self.negative(polar, index - 1)
            return resolved if resolved[0] == "double" else ("prohibit", resolved[1])
        return value, ""

    def rejected_behind(self) -> str:
        """Return "prohibit" or "permit" when the clause, or a short one after it, ends by rejecting or allowing."""
        kinds = self.kinds_after
        if self.position + 1 == len(self.clauses) and kinds.isdisjoint(("reject", "permit", "prohibit")):
            return ""
        ends = [(self.after, self.clause[1])]
        if self.position + 1 < len(self.clauses):
            start, end = self.clauses[self.position + 1]
            if end - start <= (8 if self.sentence.language == "zh" else 24) and not _CONTRAST.match(self.text, start):
                ends.append((self.reader.cues_in(start, end), end))
        for cues, clause_end in ends:
            for cue in reversed(cues):
                rejecting = "reject" in cue.kinds or ("prohibit" in cue.kinds and self.sentence.language == "zh")
                value = "prohibit" if rejecting else "permit" if "permit" in cue.kinds else ""
                if not value:
                    continue
                # Going back, the rest of the clause only grows.
                if clause_end - cue.end > (12 if self.sentence.language == "zh" else 40):
                    break
                rest = self.text[cue.end : clause_end]
                if self.sentence.language == "zh":
                    short = len(_ZH_TAIL.sub("", rest)) <= (1 if value == "prohibit" else 0)
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
        continues = cues_zh.CONTINUES if self.sentence.language == "zh" else cues_en.CONTINUES
        if not clause.startswith(continues) and len(clause) > (6 if self.sentence.language == "zh" else 0):
            return ""
        previous = [cue for cue in self.reader.cues_in(*self.clauses[self.position - 1]) if cue.kinds & POLAR]
        value = main_kind(previous[-1].kinds) if previous else ""
        # "It is not guaranteed, …" says nothing of what follows; "do not buy shares, futures" does.
        return value if value in ("warn", "prohibit") or clause.startswith(continues) else ""
