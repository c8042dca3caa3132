"""One answer held against what is known of the patient (CCR) and against the answers before it (MCS)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.conversation.claims import ClaimValue, Matter, Statement, agree, claims, disease_of
from turnmark.detectors.clinical.conversation.history import History, SaidBefore
from turnmark.detectors.clinical.facts.fact import IN_THE_RECORD, Fact
from turnmark.detectors.clinical.read.record import Record
from turnmark.detectors.clinical.safety.advice import Advice
from turnmark.detectors.clinical.utterance import Utterance
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


def contradictions(answer: Utterance, history: History) -> list[Check]:
    """Each claim about the patient that the record or the patient's own words speak of, and whether it agrees.

    ``history`` holds what the patient has said, in the question of this turn too. A claim that nobody spoke of is
    unsupported, not contradicted; it is left to slot factuality.
    """
    record = answer.chart.record
    results = []
    for fact, statement in claims(answer.facts):
        # The patient's word that a medicine is taken does not vouch for a dose that nobody named, nor for a side.
        unnamed = (_is_other_dose(fact) or _is_other_side(fact)) and fact.value not in history.values
        check = _held_against(fact, statement, () if unnamed else history.words.get(statement.key, ()), record)
        if check is not None:
            agrees, other = check
            polarity = "agrees" if agrees else "contradicts"
            evidence = _evidence("ccr", fact.value, polarity, answer.text, fact.start, fact.end, other)
            results.append(Check(statement, agrees, other, evidence))
    return results


def _held_against(
    fact: Fact, statement: Statement, words: Sequence[ClaimValue], record: Record
) -> tuple[bool, str] | None:
    """Whether a claim agrees with the patient's words or the record; None when neither speaks of it."""
    if any(agree(statement.value, value) for value in words):
        return True, "the patient's own words"
    sex = _sex_of(fact)
    if sex and record.sex and sex != record.sex:
        return False, f"the record says {record.sex}"
    if _other_stage(fact, record):
        return False, "the record holds another stage"
    if fact.record and not fact.undecided:
        return not fact.hallucinated, fact.known
    return (False, f"the patient said {words[0]}") if words else None


def _is_other_dose(fact: Fact) -> bool:
    """Whether a claim names a medicine of the record with another dose than it has there."""
    return fact.type == "medication" and fact.hallucinated and fact.cause == IN_THE_RECORD


def _is_other_side(fact: Fact) -> bool:
    """Whether a claim tells an operation or a condition of the record with a side that it does not have there."""
    return bool(fact.side and fact.record) and (fact.hallucinated or fact.undecided)


def _other_stage(fact: Fact, record: Record) -> bool:
    """Whether a claimed stage of a disease is not the stage that the record holds."""
    if fact.type != "condition" or not fact.hallucinated or not (fact.stage or " stage " in fact.name):
        return False
    return any(
        not (term.ids | term.broader).isdisjoint(entry.ids | entry.broader)
        for term in fact.terms
        if term.kind == "condition"
        for entry in record.conditions
    )


def _sex_of(fact: Fact) -> str:
    """The sex that a claimed condition presupposes; "" when both can have it or it is denied."""
    if fact.type != "condition" or fact.denied:
        return ""
    return _sex_specific().get(disease_of(fact), "")


@cache
def _sex_specific() -> dict[str, str]:
    results: dict[str, str] = {}
    for sex, codes in context_pack()[0].sex_specific.items():
        for entry in terminology().of_kind("condition"):
            if entry.id.startswith(tuple(codes)):
                results[entry.english] = sex
    return results


def statements(answer: Utterance, advice: Advice) -> list[Statement]:
    """What an answer claims of the patient, and what it advises or warns against."""
    results = [statement for _, statement in claims(answer.facts)]
    for name, word, advised, start, end in advice.stances():
        matter = f"{name} {word}" if name in _SAME_THING else name
        results.append(Statement(("advice", matter), advised, answer.text[start:end], start, end))
    return results


def consistency(text: str, current: Sequence[Statement], said: Mapping[Matter, SaidBefore]) -> list[Check]:
    """Each matter that an answer shares with earlier answers, once, and whether they say the same of it."""
    results: dict[Matter, Check] = {}
    for statement in current:
        before = said.get(statement.key)
        if before is None:
            continue
        agrees = any(agree(statement.value, value) for value in before.values)
        known = results.get(statement.key)
        if known is None or (known.agrees and not agrees):
            polarity = "consistent" if agrees else "conflicts"
            label = " ".join(statement.key)
            note = f"earlier: {before.quote}"
            evidence = _evidence("mcs", label, polarity, text, statement.start, statement.end, note)
            results[statement.key] = Check(statement, agrees, before.quote, evidence)
    return list(results.values())


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
