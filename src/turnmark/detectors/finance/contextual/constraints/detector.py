"""Constraint contradiction: does a reply break one of the user's constraints, honour it, or keep silent about it.

The words are data (pack detector ``finance.constraints``): kinds of constraints with their topics, and the stance
words. The judging lives beside this module: ``constraints_ban`` for what is ruled out, ``constraints_limits`` for
numbers, ``constraints_case`` for how they come together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnmark.detectors.finance.contextual.constraints.acts import ActWords
from turnmark.detectors.finance.contextual.constraints.case import ConstraintReading
from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds, ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.limits.measured import MeasureWords
from turnmark.detectors.finance.contextual.constraints.speech_act import STRONG, ActVerdict
from turnmark.detectors.finance.contextual.constraints.stance import StanceWords
from turnmark.detectors.finance.contextual.constraints.words import ConstraintWords
from turnmark.detectors.finance.protocol import Reading
from turnmark.language.computed import ByName
from turnmark.packs.rules import RulePack
from turnmark.schemas.evidence import Evidence

_METRIC = "m1_context_continuity"


class ConstraintDetector:
    """Judges replies against constraints in the words of the packs.

    ``securities`` are names of companies and their shares by language, for topics that write ``<security>``. ``kinds``
    reads the constraints of these packs, for others who are told of one.

    Raises: PackError for a pack whose patterns are wrong; for those of its topics, at the first text of its language.
    """

    def __init__(self, packs: Sequence[RulePack], securities: Mapping[str, Sequence[str]] | None = None) -> None:
        words: dict[str, list[str]] = {}
        measures: dict[str, list[str]] = {}
        for pack in packs:
            for name, entries in pack.words.items():
                words.setdefault(name, []).extend(entries)
            for name, entries in pack.measures.items():
                measures.setdefault(name, []).extend(entries)
        self.kinds = ConstraintKinds(packs)
        self._stance = StanceWords(words, [rule for pack in packs for rule in pack.rules])
        self._measures = MeasureWords(measures)
        # Words of a topic are those of the reply's language: "record" in a Chinese reply is no record high.
        named = securities or {}
        self._words = ByName(
            (pack.language for pack in packs),
            lambda language: ConstraintWords(
                [pack for pack in packs if pack.language == language],
                {**words, "security": [*named.get(language, ())]},
                measures,
            ),
        )
        self._others = ConstraintWords((), words, measures)
        self._no_acts = ActWords("", {})
        last: dict[str, RulePack] = {pack.language: pack for pack in packs}
        self._acts = ByName(
            last, lambda language: ActWords(last[language].language, last[language].words, last[language].rules)
        )

    def unread(self, constraint: str) -> str | None:
        """What is understood of a constraint that no rule holds replies to ("": nothing); None where one does."""
        asked = next(iter(self.kinds.all_of(constraint)), None)
        if asked is None:
            return ""
        typed = asked.typed
        return None if asked.held_to else f"{typed.subject}, {typed.comparator}, no number"

    def detect(self, reading: Reading, constraints: Sequence[str]) -> list[Evidence]:
        """One piece of evidence for every constraint that the reply breaks or honours; none where it is silent.

        One that asks several things is broken where any of them is.
        """
        understood = [(constraint, entry) for constraint in constraints for entry in self.kinds.all_of(constraint)]
        asked = [(constraint, entry) for constraint, entry in understood if entry.kind.form != "none"]
        if not asked or not reading.analysis.sentences:
            return []
        language = reading.analysis.language
        case = ConstraintReading(
            reading,
            [entry for _, entry in asked],
            stance=self._stance,
            measures=self._measures,
            words=self._words.get(language, self._others),
            acts=self._acts.get(language, self._no_acts),
        )
        alone = len(asked) == 1
        said = [case.said(entry, alone=alone) for _, entry in asked]
        if any(item and item.sign > 0 and item.strength == STRONG for item in said):
            # The reply breaks another rule in so many words: that is what its tone is about.
            said = [None if item and _guessed(item) else item for item in said]
        judged: dict[str, Evidence] = {}
        for (constraint, entry), item in zip(asked, said, strict=True):
            verdict = case.read(entry, item, alone=alone)
            if verdict and (constraint not in judged or verdict.sign > 0):
                judged[constraint] = _evidence(reading, constraint, entry, verdict)
        return list(judged.values())


def _guessed(judged: ActVerdict) -> bool:
    """Whether a breach is read off the tone of the reply alone."""
    return judged.sign > 0 and judged.why == "answer"


def _evidence(reading: Reading, constraint: str, asked: ParsedConstraint, judged: ActVerdict) -> Evidence:
    start, end = reading.analysis.folded.to_original(judged.start, judged.end)
    return Evidence(
        metric=_METRIC,
        rule=f"finance.constraints.{asked.kind.id}.{judged.why}",
        label=constraint,
        polarity="violates" if judged.sign > 0 else "respects",
        quote=reading.reply[start:end],
        start=start,
        end=end,
    )
