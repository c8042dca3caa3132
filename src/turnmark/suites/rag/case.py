"""One RAG case: what its metrics need of a judge, asked for in two steps, and what the answers give.

`case_steps` is a generator that never calls a judge: it yields the passages to be cut into claims, is sent the claims,
yields the queries, is sent the verdicts, and returns the result. `evaluate_case` drives it with a judge of plain
functions, `evaluate_case_async` with one of coroutines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.abstention import abstaining_sentences, without_abstentions
from turnmark.judges.claims import states_nothing
from turnmark.judges.courtesies import is_courtesy
from turnmark.judges.protocol import AsyncJudge, Judge, Passage
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.reading import Reading
from turnmark.language.script import detect_language
from turnmark.metrics.definition import Metric
from turnmark.metrics.rag import METRICS as REPORTED
from turnmark.metrics.rag import (
    abstention,
    counting,
    retrieval,
)
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.judging.cases import EvalCase, EvalResult, JudgedClaim
from turnmark.schemas.judging.judgement import Claim, Query, Relation, Verdict
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value

METRICS: dict[str, Metric] = {metric.name: metric for metric in REPORTED}
"""The metrics of the suite ``rag``, in the order in which they are reported."""

ANSWER_ABSTAINS = Reason("answer_abstains")

Request = list[Passage] | list[Query]
Answer = list[list[Claim]] | list[list[Verdict]]


class _Needs(NamedTuple):
    """What a metric needs of a case: fields, and the queries whose verdicts it counts, which are its evidence too."""

    fields: tuple[str, ...]
    queries: tuple[str, ...] = ()


_NEEDS = {
    "faithfulness": _Needs(("answer", "retrieved_contexts"), ("faithfulness",)),
    "context_relevance": _Needs(("question", "retrieved_contexts"), ("context_relevance",)),
    "answer_relevancy": _Needs(("question", "answer"), ("answer_relevancy",)),
    "context_recall": _Needs(("ground_truth_answer", "retrieved_contexts"), ("context_recall",)),
    "context_precision": _Needs(("ground_truth_contexts", "retrieved_contexts"), ("context_precision",)),
    "answer_correctness": _Needs(("answer", "ground_truth_answer"), ("correct_answer", "correct_reference")),
    "abstention": _Needs(("answer",)),
    "retrieval": _Needs(("retrieved_ids", "relevant_ids")),
}


class CaseResult(NamedTuple):
    """What one case gives: results by metric, the evidence behind them, and an outcome for each metric."""

    results: dict[str, EvalResult]
    evidence: list[Evidence]
    outcomes: dict[str, Outcomes]


def chosen_metrics(names: Iterable[str] | None) -> tuple[str, ...]:
    """The metrics that are meant, by name or code; all of them for None. Raises: UsageError naming those that exist."""
    if names is None:
        return tuple(METRICS)
    by_code = {metric.code: name for name, metric in METRICS.items()}
    results = [by_code.get(name, name) for name in names]
    unknown = [name for name in results if name not in METRICS]
    if unknown or not results:
        message = f"metrics: expected some of {list(METRICS)}, found {unknown or 'none'}"
        raise UsageError(message)
    return tuple(dict.fromkeys(results))


class _Asked(NamedTuple):
    """One query and how its verdicts are called: ``answer``, ``reference`` and so on."""

    name: str
    query: Query


class _Case:
    """One case at work: which fields are there, what is asked, what came back."""

    def __init__(self, case: EvalCase, metrics: Sequence[str]) -> None:
        self.case = case
        self.metrics = metrics
        self.contexts = case.retrieved_contexts
        self.lacking = {name: field for name in metrics if (field := _lacking(case, name))}
        self.possible = [name for name in metrics if name not in self.lacking]
        spans = abstaining_sentences(case.answer) if case.answer else []
        self._spans = spans
        self.reference_abstains = False
        self.abstains = False
        self.claims: dict[str, list[Claim]] = {}
        self.verdicts: dict[str, list[Verdict]] = {}
        self.queries: dict[str, Query] = {}

    def wants(self, query: str) -> bool:
        """Whether a metric that is asked for, and has its fields, counts the verdicts of a query."""
        return any(query in _NEEDS[name].queries for name in self.possible)

    def reads(self, field: str) -> bool:
        """Whether such a metric needs a field."""
        return any(field in _NEEDS[name].fields for name in self.possible)

    def passages(self) -> list[Passage]:
        """The texts to be cut into claims."""
        case, result = self.case, []
        if case.answer and self.reads("answer"):
            result.append(Passage(case.answer, "answer", case.question))
        if case.ground_truth_answer and (self.reads("ground_truth_answer") or "abstention" in self.possible):
            result.append(Passage(case.ground_truth_answer, "ground_truth_answer", case.question))
        return result

    def take_claims(self, passages: Sequence[Passage], answers: Sequence[list[Claim]]) -> None:
        """Keep the claims; what an answer says beside declining to answer stays a claim."""
        for passage, claims in zip(passages, answers, strict=True):
            whole = self._spans if passage.source == "answer" else abstaining_sentences(passage.text)
            kept = without_abstentions(claims, whole)
            if not kept and not whole and not states_nothing(passage.text) and not is_courtesy(passage.text):
                kept = [Claim(text=passage.text.strip(), start=0, end=len(passage.text), source=passage.source)]
            self.claims[passage.source] = kept
            if passage.source == "answer":
                self.abstains = bool(whole) and not kept
            else:
                self.reference_abstains = bool(whole) and not kept

    def ask(self) -> list[_Asked]:
        """The queries of all metrics; metrics that ask the same share one."""
        case, result = self.case, []
        names = tuple(f"retrieved_contexts[{index}]" for index in range(len(self.contexts or ())))
        material = (*(self.contexts or ()), *case.earlier_turns)
        sources = (*names, *(f"earlier_turns[{index}]" for index in range(len(case.earlier_turns))))
        answer, reference = self.claims.get("answer", []), self.claims.get("ground_truth_answer", [])
        contexts = [
            Claim(text=text, start=0, end=len(text), source=name)
            for text, name in zip(self.contexts or (), names, strict=True)
        ]
        if answer and self.wants("faithfulness"):
            result.append(self._query("faithfulness", "support", answer, material, sources))
        if reference and self.contexts is not None and (self.wants("context_recall") or self.abstains):
            result.append(self._query("context_recall", "support", reference, self.contexts, names))
        if contexts and self.wants("context_relevance"):
            result.append(self._query("context_relevance", "relevance", contexts))
        if contexts and self._asks_contexts():
            result.append(self._query("abstention", "directness", contexts))
        if contexts and self.wants("context_precision"):
            wanted = tuple(case.ground_truth_contexts or ())
            labels = tuple(f"ground_truth_contexts[{index}]" for index in range(len(wanted)))
            result.append(self._query("context_precision", "sameness", contexts, wanted, labels))
        if answer and self.wants("answer_relevancy"):
            read = ((case.answer or ""), *(self.contexts or ()))
            result.append(self._query("answer_relevancy", "directness", answer, read, ("answer", *names)))
        if answer and reference and self.wants("correct_answer"):
            theirs = (case.ground_truth_answer or "",)
            result.append(self._query("correct_answer", "agreement", answer, theirs, ("ground_truth_answer",)))
        if answer and reference and self.wants("correct_reference"):
            mine = (case.answer or "",)
            result.append(self._query("correct_reference", "agreement", reference, mine, ("answer",)))
        return result

    def _asks_contexts(self) -> bool:
        """Whether a context holds the answer tells of an abstention where a reference does not."""
        return self.abstains and "abstention" in self.possible and not self.reference_abstains

    def _query(
        self,
        name: str,
        relation: Relation,
        claims: Sequence[Claim],
        material: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> _Asked:
        query = Query(
            relation=relation,
            claims=tuple(claims),
            material=tuple(material),
            sources=tuple(sources),
            question=self.case.question,
            language=self.case.lang or detect_language(self.case.question),
        )
        self.queries[name] = query
        return _Asked(name, query)

    def outcomes(self, name: str) -> Outcomes:  # noqa: PLR0911 - one line a case
        """What the case gives for one metric."""
        if name in self.lacking:
            return NotApplicable(Reason("field_missing", {"field": self.lacking[name]}))
        if name == "retrieval":
            return retrieval.outcomes(self.case.retrieved_ids, self.case.relevant_ids)
        if name == "abstention":
            return abstention.outcomes(
                abstains=self.abstains,
                reference_abstains=self.reference_abstains,
                reference=self.verdicts.get("context_recall"),
                contexts=self.verdicts.get("abstention", [] if self.contexts == [] else None),
                asks_for_value=asks_for(Reading(self.case.question)) not in ("open", "yes_no"),
            )
        if name == "answer_correctness" and (self.abstains or self.reference_abstains):
            return (Value(float(self.abstains and self.reference_abstains)), Ratio(0, 0), Ratio(0, 0))
        needs = _NEEDS[name]
        if self.abstains and "answer" in needs.fields:
            return NotApplicable(ANSWER_ABSTAINS)
        if self.reference_abstains and "ground_truth_answer" in needs.fields:
            return NotApplicable(Reason("reference_abstains"))
        return METRICS[name].score(*(self.verdicts.get(query, []) for query in needs.queries))


def _lacking(case: EvalCase, name: str) -> str:
    """The first field that a metric needs and the case does not have; an empty list of retrieved contexts is there."""
    for field in _NEEDS[name].fields:
        value: Any = getattr(case, field)
        if value is None or (isinstance(value, str) and not value.strip()):
            return field
        if field == "ground_truth_contexts" and not value:
            return field
    return ""


def case_steps(case: EvalCase, metrics: Sequence[str]) -> Generator[Request, Any, _Case]:
    """Ask for claims, then for verdicts, and return the case with what came back; nothing is asked for in vain."""
    state = _Case(case, metrics)
    passages = state.passages()
    if passages:
        state.take_claims(passages, (yield passages))
    asked = state.ask()
    if asked:
        answers = yield [each.query for each in asked]
        state.verdicts = {each.name: answer for each, answer in zip(asked, answers, strict=True)}
    return state


def evaluate_case(case: EvalCase, judge: Judge, metrics: Iterable[str] | None = None) -> CaseResult:
    """Results, evidence and outcomes of one case, by a judge of plain functions. ``case`` is not changed."""
    steps = case_steps(case, chosen_metrics(metrics))
    answer: Answer | None = None
    try:
        while True:
            request = steps.send(answer)
            first = request[0]
            answer = judge.claims(request) if isinstance(first, Passage) else judge.verdicts(request)  # type: ignore[arg-type]
    except StopIteration as ended:
        return result_of(ended.value, judge.name, fingerprint(judge))


async def evaluate_case_async(case: EvalCase, judge: AsyncJudge, metrics: Iterable[str] | None = None) -> CaseResult:
    """As `evaluate_case`, by a judge of coroutines."""
    steps = case_steps(case, chosen_metrics(metrics))
    answer: Answer | None = None
    try:
        while True:
            request = steps.send(answer)
            first = request[0]
            answer = await (judge.claims(request) if isinstance(first, Passage) else judge.verdicts(request))  # type: ignore[arg-type]
    except StopIteration as ended:
        return result_of(ended.value, judge.name, fingerprint(judge))


def fingerprint(judge: Judge | AsyncJudge) -> str:
    """A hash of everything that shapes a judge's answers."""
    return _digest(msgspec.json.encode(dict(judge.signature()), order="sorted"))


@lru_cache(maxsize=16)
def _digest(signature: bytes) -> str:
    return hashlib.sha256(signature).hexdigest()[:16]


def result_of(state: _Case, judge: str, signature: str) -> CaseResult:
    """Everything that one judged case gives."""
    outcomes = {name: state.outcomes(name) for name in state.metrics}
    results = {name: _result(state, name, outcome, judge, signature) for name, outcome in outcomes.items()}
    evidence = [piece for name, result in results.items() for piece in _evidence(name, result)]
    return CaseResult(results, evidence, outcomes)


def _result(state: _Case, name: str, outcomes: Outcomes, judge: str, signature: str) -> EvalResult:
    claims = [judged for query in _NEEDS[name].queries if query in state.verdicts for judged in _judged(state, query)]
    result = EvalResult(metric=name, judge=judge, signature=signature, claims=claims)
    if isinstance(outcomes, NotApplicable):
        result.status, result.reason = "not_applicable", str(outcomes.reason)
        return result
    if isinstance(outcomes, Failed):
        result.status, result.reason = "failed", str(outcomes.reason)
        return result
    figures = METRICS[name].measures
    for measure, outcome in zip(figures, outcomes, strict=True):
        if isinstance(outcome, Value):
            result.details[measure.name] = outcome.value
        elif outcome.total:
            result.details[measure.name] = outcome.hits / outcome.total
    first = outcomes[0]
    if isinstance(first, Ratio):
        result.hits, result.total, result.undecided = first.hits, first.total, first.undecided
    result.score = result.details.pop(figures[0].name, None)
    if result.score is None:
        result.status, result.reason = "not_decided", f"the judge {judge} can tell of nothing in it"
        return result
    lost = counting.failures([judged.verdict for judged in claims])
    if lost:
        result.reason = f"{lost} of {len(claims)} verdicts failed and are left out"
    elif name == "abstention" or (state.abstains and name == "answer_correctness"):
        result.reason = str(ANSWER_ABSTAINS)
    return result


def _judged(state: _Case, name: str) -> list[JudgedClaim]:
    query = state.queries[name]
    texts = {"answer": state.case.answer or "", "ground_truth_answer": state.case.ground_truth_answer or ""}
    results = []
    for claim, verdict in zip(query.claims, state.verdicts[name], strict=True):
        text = texts.get(claim.source, claim.text)
        material = query.sources[verdict.material] if verdict.material is not None else ""
        if query.relation == "relevance" and verdict.quote:
            material = claim.source
        results.append(
            JudgedClaim(claim=claim, quote=text[claim.start : claim.end], verdict=verdict, material=material)
        )
    return results


def _evidence(name: str, result: EvalResult) -> list[Evidence]:
    results = []
    for judged in result.claims:
        verdict = judged.verdict
        quoted = bool(judged.material and verdict.quote)
        results.append(
            Evidence(
                metric=name,
                rule=f"judge.{verdict.by or result.judge}",
                label=judged.material,
                polarity=verdict.label,
                source=judged.claim.source,
                quote=judged.quote,
                start=judged.claim.start,
                end=judged.claim.end,
                source_quote=verdict.quote if quoted else None,
                source_start=verdict.start if quoted else None,
                source_end=verdict.end if quoted else None,
                note=_note(verdict),
            )
        )
    return results


def _note(verdict: Verdict) -> str | None:
    """The ground of a verdict, and what another judge said who was asked as well."""
    other = verdict.audit
    if other is None:
        return verdict.reason or None
    ground = f" ({other.reason})" if other.reason else ""
    return "; ".join(part for part in (verdict.reason, f"judge.{other.by}: {other.label}{ground}") if part)


def scenario(case: EvalCase) -> Mapping[str, bool]:
    """Which metrics the fields of a case allow, by name."""
    return {name: not _lacking(case, name) for name in METRICS}
