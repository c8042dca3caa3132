"""Risk disclosure: which risks a reply really tells the user of, by rules over its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.rules import RuleHit, RuleSet
from turnmark.language.match.anchors import Anchors
from turnmark.packs.risk_tags import canonical_tag, own_words
from turnmark.packs.rules import Rule, RulePack
from turnmark.schemas.evidence import Evidence

METRIC = "m3_risk_coverage"


class RiskDetector:
    """Finds disclosures; each is evidence whose label is the canonical tag and whose quote is the words that tell."""

    def __init__(self, packs: Sequence[RulePack], anchors: Mapping[str, Anchors] | None = None) -> None:
        """Compile the packs; ``anchors`` are shared with other detectors, by language."""
        self._rules: dict[str, RuleSet] = {
            language: RuleSet(
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
            chosen.find(reading.analysis, needed=needed)
        pieces = [
            _evidence(reply, f"{hit.rule.id}@{hit.rule.version}", label, hit.start, hit.end)
            for label, hit in told.items()
        ]
        pieces.sort(key=lambda evidence: (evidence.start, evidence.end, evidence.label))
        return pieces + self._unknown(reading, required)

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


def _evidence(reply: str, rule: str, label: str, start: int, end: int) -> Evidence:
    return Evidence(metric=METRIC, rule=rule, label=label, quote=reply[start:end], start=start, end=end)
