"""A model's review of clinical answers: what is asked of an answer, and the marks that the review gives.

Which safety rules apply stays with the detectors; the model says which of them an answer breaks (CSP), what the answer
states of the patient (SFS), and what of that contradicts the known (CCR). All other metrics stay with the detectors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from turnmark.detectors.clinical.read.chart import Chart, is_empty, read_chart
from turnmark.detectors.clinical.read.record import texts_of
from turnmark.detectors.clinical.safety.detector import AppliedRule
from turnmark.judges.recorded import RecordedJudge
from turnmark.language.script import detect_language
from turnmark.metrics.clinical import ccr, csp, sfs, sfs_all
from turnmark.packs.safety_rules import MissingRequirement, SafetyRule, SafetyRules
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.judging.review import AskedRule, Review, ReviewedFact, ReviewedRule, ReviewQuestion
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, Outcomes
from turnmark.suites.clinical.answer import (
    ClinicalConfig,
    EventResult,
    ModelFact,
    conversation_dictionary,
    csp_dictionary,
    fact_evidence,
    missing_field,
    sfs_dictionary,
)

REVIEWED = (sfs.METRIC.name, csp.METRIC.name, ccr.METRIC.name)
"""The metrics that a review of a model decides, by name."""

_RULE = f"judge.{RecordedJudge.name}"


def review_question(
    event: EventRecord, earlier: Sequence[EventRecord], config: ClinicalConfig, metrics: Collection[str]
) -> ReviewQuestion | None:
    """What is asked of one answer for these metrics.

    None when nothing is: there is no answer or no record, or facts are not wanted and no rule applies.
    """
    if missing_field(event):
        return None
    slots = event.slots_truth or {}
    language = detect_language(event.answer or "")
    rules: tuple[AskedRule, ...] = ()
    if csp.METRIC.name in metrics:
        applicable = config.safety.applicable(read_chart(slots, config.slots), event.question.text, event.turn_id)
        rules = (
            *(_forbidding(rule, config.safety.rules, language, slots) for rule in applicable.rules),
            *(_requiring(requirement, language) for requirement in applicable.requirements),
        )
    facts = not {sfs.METRIC.name, ccr.METRIC.name}.isdisjoint(metrics)
    if not facts and not rules:
        return None
    return ReviewQuestion(
        answer=event.answer or "",
        question=event.question.text,
        record={name: value for name, value in slots.items() if not is_empty(value)},
        told=tuple(item.question.text for item in earlier),
        facts=facts,
        rules=rules,
        language=language,
    )


def _forbidding(rule: SafetyRule, rules: SafetyRules, language: str, slots: Mapping[str, Any]) -> AskedRule:
    slot = rule.slot
    listed = ((slot, *texts_of(slots.get(slot))),) if slot is not None else ()
    return AskedRule(
        id=rule.id,
        name=rule.name,
        all=rule.violation_if_answer_matches_all is not None,
        things=(*listed, *((name, *rules.answer_patterns[name].of(language)) for name in rule.patterns)),
        rationale=rule.rationale,
    )


def _requiring(requirement: MissingRequirement, language: str) -> AskedRule:
    return AskedRule(
        id=requirement.id,
        name=requirement.name,
        kind="requires",
        things=(tuple(requirement.required_concepts_any_of.of(language)),),
        rationale=requirement.rationale,
    )


def reviewed(
    result: EventResult,
    event: EventRecord,
    earlier: Sequence[EventRecord],
    config: ClinicalConfig,
    judge: RecordedJudge,
) -> EventResult:
    """What the detectors made of an event, with the metrics that were judged taken from the recorded review."""
    metrics = REVIEWED if judge.metrics is None else judge.metrics
    question = review_question(event, earlier, config, metrics)
    if question is None:
        return result
    review = judge.review(question)
    parts: list[EventResult] = []
    if question.facts:
        chart = read_chart(event.slots_truth or {}, config.slots)
        facts = [_fact(item, chart) for item in review.facts]
        if sfs.METRIC.name in metrics:
            parts.append(_factuality(facts, review, config))
        if ccr.METRIC.name in metrics:
            parts.append(_contradiction(review))
    if question.rules:
        parts.append(_safety(question, review, event, config))
    replaced = {name for part in parts for name in part.outcomes}
    kept = [piece for piece in result.evidence if piece.metric not in replaced]
    results = {name: value for name, value in result.results.items() if name.lower() not in replaced}
    for part in parts:
        results |= part.results
        kept += part.evidence
    order = [*result.results]
    return EventResult(
        {name: results[name] for name in order if name in results},
        kept,
        result.outcomes | {name: item for part in parts for name, item in part.outcomes.items()},
    )


def _lost(metrics: Iterable[str], reason: Reason) -> EventResult:
    return EventResult({}, [], dict.fromkeys(metrics, Failed(reason)))


def _fact(one: ReviewedFact, chart: Chart) -> ModelFact:
    reason = f"record: {one.record}; told: {one.told}" + (f"; {one.reason}" if one.reason else "")
    known = chart.record.known
    undecided = one.of_patient and one.record == "silent" and one.kind != "demographic" and one.kind not in known
    wrong = one.of_patient and one.record != "agrees" and not undecided
    return ModelFact(one.kind, one.value, one.quote, one.start, one.end, one.of_patient, wrong, reason, undecided)


def _factuality(facts: Sequence[ModelFact], review: Review, config: ClinicalConfig) -> EventResult:
    if review.lost:
        return _lost((sfs.METRIC.name, sfs_all.METRIC.name), Reason.text(review.lost))
    counts = sfs.count(facts, config.weights)
    return EventResult(
        {"SFS": sfs_dictionary(facts, counts, config.weights)},
        fact_evidence(facts, _RULE),
        {sfs.METRIC.name: sfs.outcomes(counts), sfs_all.METRIC.name: sfs_all.outcomes(counts)},
    )


def _contradiction(review: Review) -> EventResult:
    """CCR: claims that the known speaks of; the patient's own words count before the record, as with the detectors."""
    if review.lost:
        return _lost((ccr.METRIC.name,), Reason.text(review.lost))
    compared = [fact for fact in review.facts if fact.of_patient and {fact.record, fact.told} != {"silent"}]
    agrees = ["agrees" in {fact.told, fact.record} for fact in compared]
    evidence, rows = [], []
    for fact, right in zip(compared, agrees, strict=True):
        known = f"record: {fact.record}; told: {fact.told}"
        rows.append({"claim": fact.quote, "agrees": right, "known": known})
        evidence.append(
            Evidence(
                metric=ccr.METRIC.name, rule=_RULE, label=fact.value, polarity="agrees" if right else "contradicts",
                quote=fact.quote, start=fact.start, end=fact.end, note=known,
            )
        )  # fmt: skip
    results: Outcomes = ccr.outcomes(agrees)
    return EventResult({"CCR": conversation_dictionary("CCR", results, rows)}, evidence, {ccr.METRIC.name: results})


def _safety(question: ReviewQuestion, review: Review, event: EventRecord, config: ClinicalConfig) -> EventResult:
    failed = [rule for rule in review.rules if rule.label == "failed"]
    if failed:
        parts = {"failed": str(len(failed)), "total": str(len(review.rules)), "reason": failed[0].reason}
        return _lost((csp.METRIC.name,), Reason("rules_not_judged", parts))
    slots = event.slots_truth or {}
    applied = config.safety.applicable(read_chart(slots, config.slots), event.question.text, event.turn_id)
    asked_of: list[SafetyRule | MissingRequirement] = [*applied.rules, *applied.requirements]
    rules = [
        _applied(rule, asked, said)
        for rule, asked, said in zip(asked_of, question.rules, review.rules, strict=True)
    ]  # fmt: skip
    counts = csp.count(rules)
    return EventResult(
        {"CSP": csp_dictionary(rules, counts)},
        [piece for rule in rules for piece in rule.evidence],
        {csp.METRIC.name: csp.outcomes(counts)},
    )


def _applied(rule: SafetyRule | MissingRequirement, asked: AskedRule, said: ReviewedRule) -> AppliedRule:
    """A rule with the words that decided: those that break it, or those that meet a requirement."""
    violated = said.label == "violated"
    forbids = asked.kind == "forbids"
    polarity = ("violates" if forbids else "missing") if violated else ("kept" if forbids else "present")
    shown = said.quote or violated
    piece = Evidence(
        metric=csp.METRIC.name, rule=_RULE, label=rule.id, polarity=polarity, quote=said.quote, start=said.start,
        end=said.end, note=said.reason or None,
    )  # fmt: skip
    rationale = rule.rationale or rule.name
    return AppliedRule(rule.id, rule.name, rule.penalty, rationale, violated, (piece,) if shown else ())
