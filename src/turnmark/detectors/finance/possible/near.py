"""How nearly the rules of a class match a reply: all that the learned model knows of it."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from turnmark.language.analysis import Analysis
from turnmark.language.match.anchors import Anchors, places
from turnmark.language.match.patterns import Compiled, steps_of
from turnmark.packs.rule_packs import rule_packs
from turnmark.packs.rules import RulePack

JUDGEMENT_OF: Mapping[str, str] = {
    "finance.risk": "risk_disclosed",
    "finance.compliance": "forbidden",
    "finance.rubric": "rubric",
}
"""What the rules of a detector judge, by the name that labels have for it."""
FEATURES = ("complete", "most", "number", "sentences", "near", "near_all")
"""Of the likeliest sentence: patterns whose steps all stand there, patterns of whose steps more than half do, whether
there is a digit. Of the reply: its sentences; patterns that lack one step, in the sentence with most of them and in
all. Counts are logarithms of one more."""

Key = tuple[str, str]
"""A judgement and a label of it."""


class Near(NamedTuple):
    """How near the rules of a class come: the place of the sentence with most of a pattern, and the `FEATURES`."""

    sentence: int
    features: tuple[float, ...]


class _Count(NamedTuple):
    """Of one sentence: the most that stands of a pattern (found steps squared, by all), and patterns by what stands."""

    strength: float = 0.0
    complete: int = 0
    most: int = 0
    near: int = 0


class NearRules:
    """The patterns of one language's rules, step by step: in any order, whatever scope, ``unless`` and gaps ask."""

    def __init__(self, packs: Sequence[RulePack]) -> None:
        """Take in the packs of risks, of forbidden content and of explanation."""
        self._steps: list[Compiled] = []
        self._patterns: dict[Key, list[tuple[int, ...]]] = {}
        numbers: dict[tuple[tuple[str, ...], ...], int] = {}
        for pack in packs:
            for rule in pack.rules:
                patterns = self._patterns.setdefault((JUDGEMENT_OF[pack.detector], rule.label), [])
                for pattern in rule.any:
                    steps = [Compiled(step, pack.words) for step in steps_of(pattern)]
                    patterns.append(tuple(self._number(step, numbers) for step in steps))
        self._anchors = Anchors()
        self._anchors.add(step.anchors for step in self._steps)

    def _number(self, step: Compiled, numbers: dict[tuple[tuple[str, ...], ...], int]) -> int:
        """The number of a step; steps of the same words are one."""
        if step.steps not in numbers:
            numbers[step.steps] = len(self._steps)
            self._steps.append(step)
        return numbers[step.steps]

    def read(self, analysis: Analysis, keys: Collection[Key]) -> dict[Key, Near]:
        """How near the rules of each class come in a reply; nothing for a reply without sentences."""
        texts = analysis.sentence_texts
        if not texts:
            return {}
        found: list[set[int]] = [set() for _ in texts]
        for number, bits in analysis.anchored(self._anchors):
            for place in places(bits):
                if self._steps[number].search(texts[place]):
                    found[place].add(number)
        digits = [any(character.isdigit() for character in text) for text in texts]
        return {key: self._near([_counted(self._patterns.get(key, ()), each) for each in found], digits)
                for key in keys}  # fmt: skip

    @staticmethod
    def _near(counts: Sequence[_Count], digits: Sequence[bool]) -> Near:
        best = max(range(len(counts)), key=lambda place: (counts[place].strength, digits[place]))
        near = [math.log1p(count.near) for count in counts]
        return Near(
            best,
            (
                math.log1p(counts[best].complete),
                math.log1p(counts[best].most),
                float(digits[best]),
                math.log1p(len(counts)),
                max(near),
                math.fsum(near),
            ),
        )


def _counted(patterns: Sequence[tuple[int, ...]], found: set[int]) -> _Count:
    strength, complete, most, near = 0.0, 0, 0, 0
    for steps in patterns:
        there = sum(step in found for step in steps)
        if there:
            strength = max(strength, there * there / len(steps))
            complete += there == len(steps)
            most += 2 * there > len(steps)
            near += there == len(steps) - 1
    return _Count(strength, complete, most, near)


@functools.lru_cache(maxsize=16)
def near_rules(language: str, paths: tuple[Path, ...] = ()) -> NearRules:
    """The rules of a language with the user's packs over the shipped ones. Raises: PackError when a pack is wrong."""
    packs = [pack for detector in JUDGEMENT_OF for pack in rule_packs(detector, paths)[0] if pack.language == language]
    return NearRules(packs)
