"""Answers to patients judged in turn: rules first, a model for what they leave open, and for a sample of the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from turnmark.detectors.clinical.conversation.history import History
from turnmark.errors import UsageError
from turnmark.judges.cascade import RULES, Contradiction
from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.recorded import Judgement, key_of
from turnmark.metrics.clinical import csp
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.review import ReviewQuestion
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.clinical.answer import EventResult, evaluate_event
from turnmark.suites.clinical.retrieval import JOINED, retrieval_case
from turnmark.suites.clinical.review import review_question
from turnmark.suites.clinical.suite import conversation, event_lines, user_config
from turnmark.suites.judging import JudgedItem, JudgeRequest, dialogs, refuse, told_earlier
from turnmark.suites.rag.cascade import CascadeTask, Pack
from turnmark.suites.rag.read_cases import EarlierFacts

ALL_DECIDED = (
    "the rules of suite clinical decide every fact, safety rule and contradiction (SFS, CSP, CCR): of these nothing is "
    "left to ask a model"
)
NO_CONTEXTS_FOUND = "no answer has retrieved contexts (metadata.retrieved_contexts), about which a model could be asked"


class DrawnAnswer(NamedTuple):
    """An answer of which a model is asked whether it breaks safety rules, though rules have decided that.

    ``violated`` maps the rules that it breaks to the words that decided; ``counted`` whether it is a case by itself.
    """

    name: str
    question: ReviewQuestion
    violated: Mapping[str, str]
    counted: bool


class ClinicalCascade(CascadeTask):
    """Answers with retrieved contexts: a model is asked what rules leave undecided of what answers make of them.

    Of facts, safety rules and contradictions the detectors leave nothing open. An audit asks about the safety rules of
    some answers too.
    """

    def __init__(self, request: JudgeRequest, config: JudgeConfig, metrics: tuple[str, ...]) -> None:
        refuse(request, "dataset")
        joined = tuple(name for name in metrics if name in JOINED)
        if not joined:
            message = f"--only-undecided: {ALL_DECIDED}; name some of {list(JOINED)} by --metric, or none"
            raise UsageError(message)
        super().__init__(request, config, joined, {"suite": "clinical", **told_earlier(request)})
        self._clinical = user_config(request.packs)
        self._safety = csp.METRIC.name in metrics and self._judge is not None
        self._drawn: list[DrawnAnswer] = []

    def items(self, problems: list[str]) -> Iterator[Pack | DrawnAnswer]:
        """See `JudgeTask`."""
        for pack in self.packs(self._cases(problems)):
            yield from self._taken()
            yield pack
        yield from self._taken()

    async def judge(self, item: Pack | DrawnAnswer) -> JudgedItem:
        """See `JudgeTask`."""
        if isinstance(item, Pack):
            return await super().judge(item)
        return await self._reviewed(item)

    def estimate(self, item: Pack | DrawnAnswer, counting: EstimatingJudge) -> None:
        """See `JudgeTask`."""
        if isinstance(item, Pack):
            super().estimate(item, counting)
            return
        counting.estimate.cases += item.counted - 1
        counting.review(item.question)

    def lacking(self) -> list[str]:
        """See `JudgeTask`."""
        return [ALL_DECIDED, NO_CONTEXTS_FOUND]

    def _taken(self) -> list[DrawnAnswer]:
        drawn, self._drawn = self._drawn, []
        return drawn

    def _cases(self, problems: list[str]) -> Iterator[EvalCase]:
        for path in self._request.cases:
            for dialog in dialogs(event_lines(path), problems):
                yield from self._dialog(dialog)

    def _dialog(self, dialog: DialogTrace) -> Iterator[EvalCase]:
        facts, history = EarlierFacts(), History()
        earlier: list[EventRecord] = []
        for turn, _, event in conversation(dialog):
            made = retrieval_case(dialog, turn, facts.texts)
            if self._request.audit and self._safety:
                result = evaluate_event(event, history, self._clinical)
                name = f"{dialog.dialog_id}:{turn.turn_pair_id}"
                self._draw(
                    name, review_question(event, earlier, self._clinical, (csp.METRIC.name,)), result, made is None
                )
            earlier.append(event)
            if self._request.earlier_turns:
                facts.add(turn)
            if made is not None:
                yield made.case

    def _draw(self, name: str, question: ReviewQuestion | None, result: EventResult, counted: bool) -> None:
        """Take an answer into the sample, which depends on the seed and on what is asked."""
        if question is None:
            return
        asked = f"{self._config.seed or 0}:{key_of(question)}".encode()
        if int.from_bytes(hashlib.sha256(asked).digest()[:7]) >= self._request.audit * (1 << 56):
            return
        self._drawn.append(DrawnAnswer(name, question, _violated(result.results["CSP"]), counted))

    async def _reviewed(self, item: DrawnAnswer) -> JudgedItem:
        if self._judge is None:
            return JudgedItem((), cases=item.counted)
        review = await self._judge.review(item.question)
        contradictions: list[Contradiction] = []
        audited = 0
        for asked, said in zip(item.question.rules, review.rules, strict=True):
            label = "violated" if asked.id in item.violated else "kept"
            audited += said.label != "failed"
            if said.label not in {"failed", label}:
                contradictions.append(
                    Contradiction(
                        item.name, "safety rule", f"{asked.id}: {asked.name}", label, RULES,
                        item.violated.get(asked.id, ""), said.label, self._by, said.reason,
                    )
                )  # fmt: skip
        return JudgedItem(
            [Judgement(key=key_of(item.question), case=item.name, review=review)],
            cases=item.counted,
            audited=audited,
            contradictions=contradictions,
        )


def _violated(counted: Mapping[str, Any]) -> dict[str, str]:
    """The rules that an answer breaks, by id, with the words that break them."""
    return {
        rule["id"]: "; ".join(quote["quote"] or quote["reason"] or "" for quote in rule["quotes"])
        for rule in counted["violated_rules"]
    }
