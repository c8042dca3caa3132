"""One answer held against what is known of the patient (CCR) and against the answers before it (MCS)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from turnmark.detectors.clinical.conversation.claims import Said, Statement, agree, claims
from turnmark.detectors.clinical.facts.detector import Fact, extract_facts
from turnmark.detectors.clinical.read.record import Record, records
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.detectors.clinical.safety.detector import SafetyDetector
from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_context import context_pack
from turnmark.packs.terminology import terminology
from turnmark.schemas.evidence import Evidence

_SAME_THING = frozenset(("high_potassium_food",))
"""Answer patterns that hold many things: bananas forbidden and apples allowed is no conflict, so words are compared."""


class Check(NamedTuple):
    """One statement of an answer held against what is known or was said before: does it agree, and with what."""

    statement: Statement
    agrees: bool
    other: str
    evidence: Evidence


def contradictions(
    analysis: Analysis, slots: Mapping[str, Any], facts: Sequence[Fact], questions: Iterable[str]
) -> list[Check]:
    """Each claim about the patient that the record or the patient's own words speak of, and whether it agrees.

    A claim that nobody spoke of is unsupported, not contradicted; it is left to slot factuality.
    """
    record = records().read(slots)
    words: dict[tuple[str, str], list[Said]] = {}
    told: set[str] = set()
    for question in questions:
        facts_told = extract_facts(question, slots)
        told |= {fact.value for fact in facts_told}
        for statement in claims(facts_told, question):
            words.setdefault(statement.key, []).append(statement.value)
    found = []
    for fact in facts:
        if not fact.patient_claim:
            continue
        for statement in claims([fact], analysis.text):
            # The patient's word that a medicine is taken does not vouch for a dose that nobody named.
            vouched = [] if _is_other_dose(fact) and fact.value not in told else words.get(statement.key, [])
            check = _held_against(fact, statement, vouched, record)
            if check is not None:
                agrees, other = check
                polarity = "agrees" if agrees else "contradicts"
                evidence = _evidence("ccr", fact.value, polarity, analysis.text, fact.start, fact.end, other)
                found.append(Check(statement, agrees, other, evidence))
    return found


def _held_against(fact: Fact, statement: Statement, words: Sequence[Said], record: Record) -> tuple[bool, str] | None:
    """Whether a claim agrees with the patient's words or the record; None when neither speaks of it."""
    if any(agree(statement.value, value) for value in words):
        return True, "the patient's own words"
    sex = _sex_of(fact)
    if sex and record.sex and sex != record.sex:
        return False, f"the record says {record.sex}"
    if _other_stage(fact, record):
        return False, "the record holds another stage"
    if "not in the record" not in fact.reason and "says nothing" not in fact.reason:
        return not fact.hallucinated, fact.reason.partition(": ")[2]
    return (False, f"the patient said {words[0]}") if words else None


def _is_other_dose(fact: Fact) -> bool:
    """Whether a claim names a medicine of the record with another dose than it has there."""
    return fact.type == "medication" and fact.hallucinated and fact.reason.startswith("in the record: ")


def _other_stage(fact: Fact, record: Record) -> bool:
    """Whether a claimed stage of a disease is not the stage that the record holds."""
    if fact.type != "condition" or not fact.hallucinated or " stage " not in fact.value:
        return False
    terms = [term for named in vocabulary().find(*_folded(fact.quote)) for term in named.terms]
    return any(
        not (term.ids | term.broader).isdisjoint(entry.ids | entry.broader)
        for term in terms
        if term.kind == "condition"
        for entry in record.conditions
    )


def _folded(text: str) -> tuple[str, str]:
    folded = fold(text)
    return folded.text, folded.base


def _sex_of(fact: Fact) -> str:
    """The sex that a claimed condition presupposes; "" when both can have it or it is denied."""
    if fact.type != "condition" or fact.value.startswith("no "):
        return ""
    return _sex_specific().get(fact.value.partition(" stage ")[0], "")


@cache
def _sex_specific() -> dict[str, str]:
    found: dict[str, str] = {}
    for sex, codes in context_pack()[0].sex_specific.items():
        for entry in terminology().of_kind("condition"):
            if entry.id.startswith(tuple(codes)):
                found[entry.english] = sex
    return found


def statements(analysis: Analysis, slots: Mapping[str, Any], question: str, safety: SafetyDetector) -> list[Statement]:
    """What an answer claims of the patient, and what it advises or warns against."""
    found = list(claims(extract_facts(analysis, slots, question), analysis.text))
    for name, word, advised, start, end in safety.stances(analysis):
        matter = f"{name} {word}" if name in _SAME_THING else name
        found.append(Statement(("advice", matter), advised, analysis.text[start:end], start, end))
    return found


def consistency(text: str, current: Sequence[Statement], earlier: Sequence[Statement]) -> list[Check]:
    """Each matter that an answer shares with earlier answers, once, and whether they say the same of it."""
    before: dict[tuple[str, str], list[Statement]] = {}
    for statement in earlier:
        before.setdefault(statement.key, []).append(statement)
    found: dict[tuple[str, str], Check] = {}
    for statement in current:
        others = before.get(statement.key)
        if not others:
            continue
        agrees = any(agree(statement.value, other.value) for other in others)
        known = found.get(statement.key)
        if known is None or (known.agrees and not agrees):
            polarity = "consistent" if agrees else "conflicts"
            label = " ".join(statement.key)
            other = others[-1].quote
            evidence = _evidence("mcs", label, polarity, text, statement.start, statement.end, f"earlier: {other}")
            found[statement.key] = Check(statement, agrees, other, evidence)
    return list(found.values())


def _evidence(
    metric: str, label: str, polarity: str, text: str, start: int, end: int, note: str | None = None
) -> Evidence:
    return Evidence(
        metric=metric,
        rule="clinical.conversation",
        label=label,
        polarity=polarity,
        quote=text[start:end],
        start=start,
        end=end,
        note=note,
    )
