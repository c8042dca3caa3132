"""The shipped packs of safety wording, by language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.detectors.rules import RuleHit, RuleSet
from turnmark.language.analysis import Analysis
from turnmark.language.match.anchors import Anchors
from turnmark.packs.rule_packs import shipped_packs
from turnmark.packs.rules import Rule, RulePack

DETECTOR = "clinical.safety"
LANGUAGES = ("ko", "en", "zh")


@cache
def packs() -> dict[str, RulePack]:
    """The shipped packs by language."""
    return {pack.language: pack for pack, _ in shipped_packs(DETECTOR)}


@cache
def phrase_rules(language: str) -> RuleSet:
    """The rules of a language whose patterns have several steps; single words that name a thing are `topic_words`."""
    pack = packs()[language]
    rules = []
    for rule in pack.rules:
        patterns = [pattern for pattern in rule.any if rule.polarity != "topic" or " " in pattern]
        if patterns:
            rules.append(msgspec.structs.replace(rule, any=patterns))
    return RuleSet([msgspec.structs.replace(pack, rules=rules)], Anchors(answer_words()))


@cache
def topic_words(language: str) -> dict[str, tuple[str, ...]]:
    """Single words that name a thing, by label; every occurrence counts, not one a sentence."""
    pack = packs()[language]
    results: dict[str, list[str]] = {}
    for rule in pack.rules:
        for pattern in rule.any if rule.polarity == "topic" else ():
            if " " not in pattern:
                for part in pattern.split("|"):
                    listed = pack.words[part[1:-1]] if part.startswith("<") else [part.replace("_", " ")]
                    results.setdefault(rule.label, []).extend(listed)
    return {label: tuple(dict.fromkeys(listed)) for label, listed in results.items()}


def labelled(*names: str) -> Callable[[Rule, RuleHit | None], bool]:
    """Ask the rule engine for rules of these labels only."""
    labels = frozenset(names)

    def needed(rule: Rule, hit: RuleHit | None) -> bool:  # noqa: ARG001 - the engine's own signature
        return rule.label in labels

    return needed


def language_of(analysis: Analysis) -> str:
    """The language of a text whose words are known, English for any other."""
    return analysis.language if analysis.language in LANGUAGES else "en"
