"""Risk disclosure: which risks a reply really tells the user of, by rules over its sentences.

A danger is told, denied or admitted. Rules of polarity ``denied`` find where a reply says that it is not there (亏不了,
no way to lose, 손해 볼 일은 없다): words of loss inside count for no tag. Rules of polarity ``admitted`` find where
that is itself denied (不是不会亏, not without risk, 없는 건 아니다), which tells of the danger as plain words do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.rules import RuleHit, RuleSet
from turnmark.language.match.anchors import Anchors
from turnmark.packs.risk_tags import canonical_tag, own_words
from turnmark.packs.rules import Rule, RulePack
from turnmark.schemas.evidence import Evidence

METRIC = "m3_risk_coverage"
_STANCES = ("denied", "admitted")
"""What rules have as polarity that find a danger denied, or its denial denied."""
_Spans = list[tuple[int, int]]


class _Rules(NamedTuple):
    """The rules of one language: those that tell of a danger, those that find one denied, and the denial denied."""

    told: RuleSet
    denied: RuleSet
    admitted: RuleSet

    def stances(self, reading: Reading) -> tuple[_Spans, list[RuleHit]]:
        """Where a danger is denied, and where it is admitted; what is admitted is not denied."""
        admitted = self.admitted.find(reading.analysis)
        spans = _spans(admitted)
        return _spans(self.denied.find(reading.analysis, apart_from=spans)), admitted


class RiskDetector:
    """Finds disclosures; each is evidence whose label is the canonical tag and whose quote is the words that tell."""

    def __init__(self, packs: Sequence[RulePack], anchors: Mapping[str, Anchors] | None = None) -> None:
        """Compile the packs; ``anchors`` are shared with other detectors, by language."""
        self._rules: dict[str, _Rules] = {
            language: _rules(
                [pack for pack in packs if pack.language == language], None if anchors is None else anchors[language]
            )
            for language in dict.fromkeys(pack.language for pack in packs)
        }

    def detect(self, reading: Reading, required: Sequence[str] = ()) -> list[Evidence]:
        """The risks that the reply discloses, one piece of evidence a tag.

        ``required`` names tags as the ground truth writes them; one that no rule knows is matched by its own words.
        """
        reply = reading.reply
        if not reply:
            return []
        told: dict[str, RuleHit] = {}

        def needed(rule: Rule, hit: RuleHit | None) -> bool:
            if hit is not None:
                told[rule.label] = hit
            return rule.label not in told

        rules = self._rules.get(reading.analysis.language)
        for chosen in [rules] if rules else self._rules.values():
            denied, admitted = chosen.stances(reading)
            told.update((hit.rule.label, hit) for hit in admitted[:1])
            chosen.told.find(reading.analysis, needed=needed, apart_from=denied)
        pieces = [
            _evidence(reply, f"{hit.rule.id}@{hit.rule.version}", label, hit.start, hit.end)
            for label, hit in told.items()
        ]
        pieces.sort(key=lambda evidence: (evidence.start, evidence.end, evidence.label))
        return pieces + self._unknown(reading, required)

    def admitted(self, reading: Reading) -> list[tuple[int, int]]:
        """Where the reply denies that a danger is not there: whatever these words look like, they promise nothing."""
        rules = self._rules.get(reading.analysis.language) if reading.reply else None
        return _spans(rules.admitted.find(reading.analysis)) if rules else []

    def _unknown(self, reading: Reading, required: Sequence[str]) -> list[Evidence]:
        folded = reading.analysis.folded if required else None
        results = []
        for tag in required:
            words = own_words(tag)
            if folded is None or words is None:
                continue
            start = folded.text.find(words)
            if start >= 0:
                first, last = folded.to_original(start, start + len(words))
                results.append(_evidence(reading.reply, "risk.own-words@1.0.0", canonical_tag(tag), first, last))
        return results


def _rules(packs: Sequence[RulePack], anchors: Anchors | None) -> _Rules:
    def chosen(*polarities: str) -> RuleSet:
        return RuleSet(
            [
                msgspec.structs.replace(pack, rules=[rule for rule in pack.rules if rule.polarity in polarities])
                for pack in packs
            ],
            anchors,
        )

    others = {rule.polarity for pack in packs for rule in pack.rules} - set(_STANCES)
    return _Rules(chosen(*others), *(chosen(stance) for stance in _STANCES))


def _spans(hits: Sequence[RuleHit]) -> _Spans:
    return [(hit.start, hit.end) for hit in hits]


def _evidence(reply: str, rule: str, label: str, start: int, end: int) -> Evidence:
    return Evidence(metric=METRIC, rule=rule, label=label, quote=reply[start:end], start=start, end=end)
