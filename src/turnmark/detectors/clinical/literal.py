"""The plain pattern baseline: what literal phrases alone make of an answer. Figures stand beside it, none rests on it.

A name of the short list that the record lacks is hallucinated; an answer pattern anywhere in the answer violates its
rules; a slot is used when its value stands in the answer letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from turnmark.detectors.clinical.read.record import texts_of
from turnmark.packs.loading import parse, shipped
from turnmark.packs.safety_rules import SafetyRules


class LiteralPack(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The names that the baseline knows (``clinical/literal.yaml``)."""

    name: str
    version: str
    medications: list[str]
    conditions: list[str]


@cache
def _pack() -> LiteralPack:
    return parse(shipped("clinical/literal.yaml"), "clinical/literal.yaml", LiteralPack)


def hallucinated_names(answer: str, slots: Mapping[str, Any]) -> list[str]:
    """The known names in an answer that stand nowhere in the record."""
    text = answer.casefold()
    record = " ".join(written for value in slots.values() for written in texts_of(value)).casefold()
    names = (*_pack().medications, *_pack().conditions)
    return [name for name in names if name in text and name not in record]


def factuality(answer: str, slots: Mapping[str, Any]) -> float:
    """SFS over the known names, unweighted; 1.0 when none is mentioned."""
    text = answer.casefold()
    mentioned = [name for name in (*_pack().medications, *_pack().conditions) if name in text]
    return 1.0 - len(hallucinated_names(answer, slots)) / len(mentioned) if mentioned else 1.0


def violations(rules: SafetyRules, applicable: Iterable[str], answer: str) -> set[str]:
    """The applicable rules whose phrases stand in the answer, and requirements none of whose phrases does."""
    text, wanted = answer.casefold(), set(applicable)
    present = {
        name: any(phrase.casefold() in text for phrase in phrases.all())
        for name, phrases in rules.answer_patterns.items()
    }
    result = set()
    for rule in rules.rules:
        hits = [present[name] for name in rule.patterns]
        if rule.id in wanted and (all(hits) if rule.violation_if_answer_matches_all is not None else any(hits)):
            result.add(rule.id)
    for requirement in rules.missing_requirements:
        phrases = requirement.required_concepts_any_of.all()
        if requirement.id in wanted and not any(phrase.casefold() in text for phrase in phrases):
            result.add(requirement.id)
    return result


def slot_use(answer: str, value: Any) -> float:
    """1.0 when the value of a slot (of a group, any) stands in the answer, else 0.0."""
    text = answer.casefold()
    return float(any(written.casefold() in text for written in _written(value)))


def _written(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _written(item)
    else:
        yield from texts_of(value)
