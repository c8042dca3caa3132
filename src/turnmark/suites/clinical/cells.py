"""What the clinical detectors say of one labelled answer, counted beside what readers said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from turnmark.detectors.clinical import literal
from turnmark.detectors.clinical.context_use.detector import SlotUse, slot_uses
from turnmark.detectors.clinical.facts.fact import Fact
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.language.analysis import analyse
from turnmark.metrics.clinical import cus, sfs
from turnmark.schemas.labels.clinical import ClinicalLabels, FactType, LabelledFact
from turnmark.suites.clinical.answer import ClinicalConfig
from turnmark.suites.labelling.agreement import Cell, LabelValue

COUNTS = (
    "facts_tp", "facts_found", "facts_gold", "claim_right", "matched",
    "wrong_tp", "wrong_found", "wrong_gold", "wrong_spurious",
    "item_tp", "item_found", "item_gold",
    "sfs_error", "sfs_n", "applicable_right", "csp_n", "csp_tp", "csp_found", "csp_gold",
    "cus_error", "cus_n", "slots_right", "slots_n",
)  # fmt: skip
"""Sums of one item: found by readers (gold), by detectors (found), by both (tp); errors with their numbers (n)."""

_LABELLED = frozenset(get_args(FactType))


class Item(NamedTuple):
    """One labelled answer judged: counts by name, and what readers and detectors see otherwise."""

    labels: ClinicalLabels
    counts: dict[str, float]
    disagreements: list[Cell]


def judge(labels: ClinicalLabels, config: ClinicalConfig) -> Item:
    """What the detectors make of one labelled answer."""
    answer = read_utterance(analyse(labels.answer, labels.lang), labels.slots_truth, labels.question, config.slots)
    finding = config.safety.judge(answer, labels.turn_id)
    required = {slot.slot: slot.weight for slot in config.required.of(labels.turn_id).required_slots}
    uses = slot_uses(answer, required)
    counts = dict.fromkeys(COUNTS, 0.0)
    differ: list[Cell] = []
    if labels.facts is not None:
        _count_facts(labels, _comparable(answer.facts, labels), config, counts, differ)
    if labels.csp is not None:
        applicable = {rule.id for rule in finding.rules}
        violated = {rule.id: [piece.quote for piece in rule.evidence] for rule in finding.rules if rule.violated}
        _count_safety(labels, applicable, violated, counts, differ)
    if labels.slots_used is not None:
        _count_slots(labels, {use.slot: use for use in uses}, required, counts, differ)
    return Item(labels, counts, differ)


def _comparable(found: Sequence[Fact], labels: ClinicalLabels) -> list[Fact]:
    """The facts that readers were asked for, by the types that labels have.

    An operation has none: where readers note one, it is as a condition, and only then it is compared, or when it is
    called wrong.
    """
    noted = [
        match.span()
        for fact in labels.facts or ()
        if fact.type == "condition"
        for match in re.finditer(re.escape(fact.quote), labels.answer)
    ]
    operations = [
        fact._replace(type="condition")
        for fact in found
        if fact.type == "surgery"
        and (fact.hallucinated or any(fact.start < end and start < fact.end for start, end in noted))
    ]
    return sorted([*(fact for fact in found if fact.type in _LABELLED), *operations], key=lambda fact: fact.start)


def baseline(labels: ClinicalLabels, config: ClinicalConfig) -> Item:
    """What literal phrases alone make of one labelled answer."""
    counts = dict.fromkeys(COUNTS, 0.0)
    slots = labels.slots_truth
    if labels.facts is not None:
        gold = any(fact.hallucinated for fact in labels.facts)
        result = bool(literal.hallucinated_names(labels.answer, slots))
        counts.update(item_tp=gold and result, item_found=result, item_gold=gold, sfs_n=1)
        counts["sfs_error"] = abs(literal.factuality(labels.answer, slots) - gold_factuality(labels, config))
    if labels.csp is not None:
        violated = literal.violations(config.safety.rules, labels.csp.applicable, labels.answer)
        _count_safety(labels, set(labels.csp.applicable), {name: [] for name in violated}, counts, [])
    if labels.slots_used is not None:
        required = {slot.slot: slot.weight for slot in config.required.of(labels.turn_id).required_slots}
        uses = {
            slot: SlotUse(slot, slots.get(slot), literal.slot_use(labels.answer, slots.get(slot)))
            for slot in labels.slots_used
        }
        _count_slots(labels, uses, required, counts, [])
    return Item(labels, counts, [])


def matches(gold: Sequence[LabelledFact], found: Sequence[Fact], answer: str) -> dict[int, int]:
    """Gold fact to found fact, one to one, of the same type and with overlapping words; as many as possible."""
    spans = [[(m.start(), m.end()) for m in re.finditer(re.escape(fact.quote), answer)] for fact in gold]
    near = [
        [
            position
            for position, fact in enumerate(found)
            if fact.type == label.type and any(fact.start < end and start < fact.end for start, end in spans[index])
        ]
        for index, label in enumerate(gold)
    ]
    taken: dict[int, int] = {}

    def position(index: int, seen: set[int]) -> bool:
        for candidate in near[index]:
            if candidate not in seen:
                seen.add(candidate)
                if candidate not in taken or position(taken[candidate], seen):
                    taken[candidate] = index
                    return True
        return False

    for index in range(len(gold)):
        position(index, set())
    return {index: candidate for candidate, index in taken.items()}


def gold_factuality(labels: ClinicalLabels, config: ClinicalConfig) -> float:
    """SFS of the readers' facts."""
    return sfs.count(labels.facts or (), config.weights).score


def _count_facts(
    labels: ClinicalLabels,
    found: Sequence[Fact],
    config: ClinicalConfig,
    counts: dict[str, float],
    differ: list[Cell],
) -> None:
    gold = labels.facts or []
    matched = matches(gold, found, labels.answer)
    counts.update(facts_tp=len(matched), facts_found=len(found), facts_gold=len(gold), matched=len(matched))
    for index, label in enumerate(gold):
        fact = found[matched[index]] if index in matched else None
        counts["wrong_gold"] += label.hallucinated
        if fact is None:
            differ.append(_different("facts", labels, label.quote, f"{label.type} {label.value}", "not found"))
            continue
        counts["claim_right"] += fact.patient_claim == label.patient_claim
        counts["wrong_found"] += fact.hallucinated
        counts["wrong_tp"] += fact.hallucinated and label.hallucinated
        if (fact.patient_claim, fact.hallucinated) != (label.patient_claim, label.hallucinated):
            differ.append(_different("facts", labels, label.quote, _claim(label), f"{_claim(fact)} ({fact.reason})"))
    for position in sorted(set(range(len(found))) - set(matched.values())):
        counts["wrong_spurious"] += found[position].hallucinated
        extra = f"{found[position].type} {found[position].value} {_claim(found[position])}"
        differ.append(_different("facts", labels, found[position].quote, "no fact", extra))
    truth, claimed = any(fact.hallucinated for fact in gold), any(fact.hallucinated for fact in found)
    counts.update(item_tp=truth and claimed, item_found=claimed, item_gold=truth, sfs_n=1)
    counts["sfs_error"] = abs(sfs.count(found, config.weights).score - gold_factuality(labels, config))


def _claim(fact: Any) -> str:
    if not fact.patient_claim:
        return "no claim"
    return "hallucinated" if fact.hallucinated else "claim"


def _count_safety(
    labels: ClinicalLabels,
    applicable: set[str],
    violated: dict[str, list[str]],
    counts: dict[str, float],
    differ: list[Cell],
) -> None:
    if labels.csp is None:
        return
    truth = set(labels.csp.violated)
    right = applicable == set(labels.csp.applicable)
    counts.update(csp_n=1, applicable_right=right, csp_gold=len(truth), csp_found=len(violated))
    counts["csp_tp"] = len(truth & set(violated))
    if not right:
        differ.append(_different("csp.applicable", labels, "", sorted(labels.csp.applicable), sorted(applicable)))
    for rule in sorted(truth ^ set(violated)):
        quote = " | ".join(violated.get(rule, []))
        differ.append(_different("csp.violated", labels, quote, rule in truth, rule in violated, rule))


def _count_slots(
    labels: ClinicalLabels,
    uses: dict[str, SlotUse],
    required: dict[str, float],
    counts: dict[str, float],
    differ: list[Cell],
) -> None:
    gold = labels.slots_used or {}
    theirs = cus.count((required.get(slot, 1.0), score) for slot, score in gold.items()).score
    mine = cus.count((required.get(slot, 1.0), use.score) for slot, use in uses.items()).score
    counts.update(cus_n=1, cus_error=abs(theirs - mine), slots_n=len(gold))
    for slot, score in gold.items():
        use = uses.get(slot)
        counts["slots_right"] += use is not None and use.score == score
        if use is None or use.score != score:
            quote = use.evidence.quote if use and use.evidence else ""
            differ.append(_different("cus", labels, quote, score, use.score if use else None, slot))


def _different(
    field: str, labels: ClinicalLabels, quote: str, gold: LabelValue, predicted: LabelValue, label: str = ""
) -> Cell:
    return Cell(field, label, gold, predicted, labels.id, labels.id, quote=quote)
