"""One clinical answer in; the guide's dictionaries, evidence and outcomes of its metrics out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from turnmark.detectors.clinical.context_use.detector import SlotUse, slot_uses
from turnmark.detectors.clinical.conversation import consistency, elements, updates
from turnmark.detectors.clinical.conversation.claims import Statement
from turnmark.detectors.clinical.conversation.history import History
from turnmark.detectors.clinical.facts.fact import Fact, FactType
from turnmark.detectors.clinical.read.chart import read_chart
from turnmark.detectors.clinical.safety.advice import Advice
from turnmark.detectors.clinical.safety.detector import AppliedRule, SafetyDetector, expect
from turnmark.detectors.clinical.safety.wording import language_of
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.errors import PackError
from turnmark.language.analysis import analyse
from turnmark.language.text.fold import fold
from turnmark.metrics.clinical import METRICS, ass, ccr, csp, cus, mcs, sfs, sfs_all, ur
from turnmark.packs.clinical_context import RequiredSlots, context_pack, load_required_slots
from turnmark.packs.clinical_slots import SlotDefinitions, load_slots
from turnmark.packs.fact_weights import FactWeights, load_fact_weights
from turnmark.packs.rule_packs import shipped_packs
from turnmark.packs.safety_rules import load_safety_rules
from turnmark.packs.slot_topics import load_slot_topics
from turnmark.packs.stance import stance_pack
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.problems import Problem
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Value

if TYPE_CHECKING:
    from turnmark.detectors.clinical.context_use.slot_topics import SlotTopics

RULES_FILE, SLOTS_FILE, WEIGHTS_FILE = "safety_rules.yaml", "required_slots_by_turn.yaml", "fact_weights.yaml"
DEFINITIONS_FILE, TOPICS_FILE = "slots.yaml", "slot_topics.yaml"


class ClinicalConfig(NamedTuple):
    """Everything that shapes the clinical figures beside the code; ``packs`` maps each file to its digest.

    ``topics`` are there when the user asks for them: they tell context use by an encoder where words do not.
    """

    safety: SafetyDetector
    required: RequiredSlots
    weights: FactWeights
    packs: Mapping[str, str]
    slots: SlotDefinitions
    topics: SlotTopics | None = None

    def required_in(self, turn_id: int, question: str) -> dict[str, float]:
        """The slots that an answer should use, with weights: those of its turn, and those its question asks for."""
        turn = {each.slot: each.weight for each in self.required.of(turn_id).required_slots}
        return self.slots.asked_for(fold(question).text) | turn


class ModelFact(NamedTuple):
    """A clinical mention as a model found it; fields as those of `Fact`."""

    type: FactType
    value: str
    quote: str
    start: int
    end: int
    patient_claim: bool
    hallucinated: bool
    reason: str
    undecided: bool = False


class EventResult(NamedTuple):
    """What one event gives: the guide's dictionaries by name, evidence, and an outcome for each metric by name."""

    results: dict[str, dict[str, Any]]
    evidence: list[Evidence]
    outcomes: dict[str, Outcomes]


def load_config(folder: Path | None = None) -> tuple[ClinicalConfig, list[Problem]]:
    """The configuration of a folder, with shipped files for those that it leaves out, and what is wrong in it.

    Raises: PackError when the folder holds none of the files, or one that is no YAML mapping; MissingExtraError,
    DataError when it asks for an encoder that is not there.
    """
    results: dict[str, Path | None] = dict.fromkeys(
        (RULES_FILE, SLOTS_FILE, WEIGHTS_FILE, DEFINITIONS_FILE, TOPICS_FILE)
    )
    if folder is not None:
        results = {name: path if (path := folder / name).is_file() else None for name in results}
        if not any(results.values()):
            message = f"{folder}: expected one of {', '.join(results)} in this folder, found none of them"
            raise PackError(message)
    rules, rule_problems = load_safety_rules(results[RULES_FILE])
    slots, definition_problems = load_slots(results[DEFINITIONS_FILE])
    required, slot_problems = load_required_slots(results[SLOTS_FILE], slots)
    weights, weights_digest = load_fact_weights(results[WEIGHTS_FILE])
    packs = {
        "safety_rules": rules.digest,
        "required_slots_by_turn": required.digest,
        "fact_weights": weights_digest,
        **slots.digests,
        **{
            f"{pack.pack}@{pack.version}": hashed
            for detector in ("clinical.safety", "clinical.elements")
            for pack, hashed in shipped_packs(detector)
        },
        **{f"{pack.name}@{pack.version}": hashed for pack, hashed in (stance_pack(), context_pack())},
    }
    topics, topics_file = None, results[TOPICS_FILE]
    if topics_file is not None:
        topics, more = _topics(topics_file)
        packs |= more
    problems = [*rule_problems, *definition_problems, *slot_problems]
    return ClinicalConfig(SafetyDetector(rules), required, weights.with_slots(slots), packs, slots, topics), problems


def _topics(file: Path) -> tuple[SlotTopics, dict[str, str]]:
    """Context use by an encoder, and what it adds to the signature."""
    from turnmark.detectors.clinical.context_use.slot_topics import SlotTopics  # noqa: PLC0415 - loads only when asked for
    from turnmark.encoders.catalog import make_embedder  # noqa: PLC0415 - as above

    settings, hashed = load_slot_topics(file)
    embedder = make_embedder(settings.folder(file))
    signature = {f"slot_topics.{name}": str(value) for name, value in embedder.signature().items()}
    return SlotTopics(embedder, settings.threshold), {"slot_topics": hashed, **signature}


def evaluate_event(event: EventRecord, history: History, config: ClinicalConfig) -> EventResult:
    """Everything that one recorded answer gives; question and answer are read once and taken into the history.

    Args:
        event: The answer with its question, turn and record.
        history: What the turns before this one, of the same patient and system, have said.
        config: Rules, slots and weights.

    Returns:
        An event without an answer has no dictionaries, and each of its outcomes is Failed; without a record each is
        NotApplicable.

    """
    reply = analyse(event.answer or "")
    if event.answer:
        expect(language_of(reply))
    chart = history.chart if event.slots_truth is None else read_chart(event.slots_truth, config.slots)
    question = Utterance(analyse(event.question.text), chart)
    told = updates.told(question)
    news = updates.news(told, history.told)
    history.hear(question, told)
    answer = Utterance(reply, chart, question)
    advice = config.safety.advice(answer)
    said = consistency.statements(answer, advice)
    lacking = missing_field(event)
    if lacking:
        # Without an answer the system failed; without a record there is nothing to hold it against.
        outcome = Failed(lacking) if lacking.code == "no_answer" else NotApplicable(lacking)
        result = EventResult({}, [], {metric.name: outcome for metric in METRICS})
    else:
        single = evaluate_answer(answer, event.turn_id, config, advice)
        whole = _evaluate_in_conversation(answer, event.turn_id, _Before(history, news, said), config)
        result = EventResult(
            single.results | whole.results, [*single.evidence, *whole.evidence], single.outcomes | whole.outcomes
        )
    history.answered(said)
    return result


def evaluate_answer(
    answer: Utterance, turn_id: int, config: ClinicalConfig, advice: Advice | None = None
) -> EventResult:
    """SFS, CSP and CUS of one answer; ``advice`` is what it advises, when that is at hand."""
    facts = answer.facts
    counts = sfs.count(facts, config.weights)
    finding = config.safety.judge(answer, turn_id, advice)
    penalty = csp.count(finding.rules)
    required = config.required_in(turn_id, answer.asked.text if answer.asked is not None else "")
    uses = slot_uses(answer, required)
    if config.topics is not None:
        uses = config.topics.upgraded(uses, answer)
    used = cus.count((required[use.slot], use.score) for use in uses)
    return EventResult(
        {
            "SFS": sfs_dictionary(facts, counts, config.weights),
            "CSP": csp_dictionary(finding.rules, penalty),
            "CUS_improved": _cus(uses, used),
        },
        [
            *fact_evidence(facts),
            *(piece for rule in finding.rules for piece in rule.evidence),
            *(use.evidence for use in uses if use.evidence is not None),
        ],
        {
            sfs.METRIC.name: sfs.outcomes(counts),
            sfs_all.METRIC.name: sfs_all.outcomes(counts),
            csp.METRIC.name: csp.outcomes(penalty),
            cus.METRIC.name: cus.outcomes(used),
        },
    )


class _Before(NamedTuple):
    """What an answer is held against: the turns before it, the news of its question, and what itself states."""

    history: History
    news: Sequence[updates.ReportedUpdate]
    said: Sequence[Statement]


def _evaluate_in_conversation(answer: Utterance, turn_id: int, before: _Before, config: ClinicalConfig) -> EventResult:
    """UR, CCR, MCS and ASS of one answer."""
    taken_up = updates.reflections(answer, before.news)
    known = consistency.contradictions(answer, before.history)
    shared = consistency.consistency(answer.text, before.said, before.history.said)
    asked = elements.elements(answer, config.required.of(turn_id).must_include_elements)
    results: dict[str, Outcomes] = {
        ur.METRIC.name: ur.outcomes([item.score for item in taken_up]),
        ccr.METRIC.name: ccr.outcomes([item.agrees for item in known]),
        mcs.METRIC.name: mcs.outcomes([item.agrees for item in shared]),
        ass.METRIC.name: ass.outcomes([item.score for item in asked if item.score is not None]),
    }
    details: dict[str, list[dict[str, Any]]] = {
        "UR": [{"told": item.told.quote, "kind": item.told.kind, "score": item.score} for item in taken_up],
        "CCR": [{"claim": item.statement.quote, "agrees": item.agrees, "known": item.other} for item in known],
        "MCS": [{"statement": item.statement.quote, "agrees": item.agrees, "earlier": item.other} for item in shared],
        "ASS": [{"element": item.name, "score": item.score} for item in asked],
    }
    return EventResult(
        {code: conversation_dictionary(code, results[code.lower()], rows) for code, rows in details.items()},
        [
            *(item.evidence for item in taken_up if item.evidence is not None),
            *(item.evidence for item in (*known, *shared)),
            *(piece for item in asked for piece in item.evidence),
        ],
        results,
    )


def conversation_dictionary(code: str, outcomes: Outcomes, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A metric over turns as a dictionary; its score is null, with the reason, where it does not apply."""
    if isinstance(outcomes, NotApplicable | Failed):
        return {"metric": code, "score": None, "reason": str(outcomes.reason), "details": rows}
    first = outcomes[0]
    hits, total = (first.value, 1.0) if isinstance(first, Value) else (first.hits, first.total)
    return {"metric": code, "score": hits / total, "hits": hits, "total": total, "details": rows}


def missing_field(event: EventRecord) -> Reason | None:
    """What keeps an event from being marked; None when nothing does."""
    if event.answer is None or not event.answer.strip():
        return Reason("no_answer")
    if event.slots_truth is None:
        return Reason("no_record")
    return None


def sfs_dictionary(facts: Sequence[Fact | ModelFact], counts: sfs.FactCounts, weights: FactWeights) -> dict[str, Any]:
    """SFS as the guide writes it."""
    wrong = {(fact.type, fact.value): fact for fact in reversed(facts) if fact.hallucinated}
    return {
        "metric": "SFS",
        "score": counts.score,
        "mentioned_count": counts.mentioned,
        "hallucinated_count": counts.hallucinated,
        "mentioned_weight": counts.mentioned_weight,
        "hallucinated_weight": counts.hallucinated_weight,
        **(
            {"undecided_count": counts.undecided, "undecided_weight": counts.undecided_weight}
            if counts.undecided
            else {}
        ),
        "hallucinated_details": [
            {
                "type": fact.type,
                "value": fact.value,
                "weight": weights.of(fact.type),
                "quote": fact.quote,
                "start": fact.start,
                "end": fact.end,
                "reason": fact.reason,
            }
            for fact in sorted(wrong.values(), key=lambda fact: (fact.start, fact.end, fact.type))
        ],
    }


def csp_dictionary(rules: Sequence[AppliedRule], counts: csp.SafetyCounts) -> dict[str, Any]:
    """CSP as the guide writes it."""
    return {
        "metric": "CSP",
        "score": counts.score,
        "violated_rules": [
            {
                "id": rule.id,
                "name": rule.name,
                "penalty": rule.weight,
                "rationale": rule.rationale,
                "quotes": [
                    {"quote": piece.quote, "start": piece.start, "end": piece.end, "reason": piece.note}
                    for piece in rule.evidence
                ],
            }
            for rule in rules
            if rule.violated
        ],
        "applicable_rules": [{"id": rule.id, "name": rule.name, "penalty": rule.weight} for rule in rules],
        "total_penalty": counts.violated_weight,
        "total_applicable_weight": counts.applicable_weight,
    }


def _cus(uses: Sequence[SlotUse], counts: cus.UseCounts) -> dict[str, Any]:
    return {
        "metric": "CUS_improved",
        "score": counts.score,
        "hits": counts.used,
        "total": counts.required,
        "used_weight": counts.used_weight,
        "total_weight": counts.required_weight,
        "used_detail": {use.slot: {"value": use.value, "used": use.score > 0, "confidence": use.score} for use in uses},
    }


def fact_evidence(facts: Sequence[Fact | ModelFact], rule: str = "") -> list[Evidence]:
    """One piece of evidence a fact; ``rule`` is that of the detectors when left out."""
    return [
        Evidence(
            metric=sfs.METRIC.name,
            rule=rule or f"clinical.facts.{fact.type}",
            label=fact.value,
            polarity=_polarity(fact),
            quote=fact.quote,
            start=fact.start,
            end=fact.end,
            note=fact.reason,
        )
        for fact in facts
    ]


def _polarity(fact: Fact | ModelFact) -> str:
    if not fact.patient_claim:
        return "not_claimed"
    return "undecided" if fact.undecided else "hallucinated" if fact.hallucinated else "supported"
