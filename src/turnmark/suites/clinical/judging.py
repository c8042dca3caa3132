"""What a model is asked about answers to patients: a review, and the metrics of retrieval where contexts are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.recorded import Judgement, key_of
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.review import ReviewQuestion
from turnmark.suites.clinical.definition import SUITE
from turnmark.suites.clinical.retrieval import JOINED, retrieval_case
from turnmark.suites.clinical.review import REVIEWED, review_question
from turnmark.suites.clinical.suite import conversation, event_lines, user_config
from turnmark.suites.judging import JudgedItem, JudgeRequest, JudgeTask, Judging, dialogs, refuse, told_earlier
from turnmark.suites.rag.case import evaluate_case
from turnmark.suites.rag.judging import judged_case
from turnmark.suites.rag.read_cases import EarlierFacts


class ClinicalItem(NamedTuple):
    """One answer to a patient: its review, and its case where it has retrieved contexts."""

    name: str
    question: ReviewQuestion | None
    case: EvalCase | None


class ClinicalDocket:
    """Answers to patients: what they state, which rules they break, and what they make of retrieved contexts."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        refuse(request, "dataset")
        self._request = request
        self._metrics = _clinical_metrics(request.metrics)
        self._joined = tuple(name for name in JOINED if name in self._metrics)
        self._config = user_config(request.packs)
        self._judge = LlmJudge(make_client(config), repeat=config.repeat)
        self.client = self._judge.client

    def signature(self) -> dict[str, Any]:
        """See `JudgeTask`."""
        own = {"suite": "clinical", "metrics": self._metrics, **told_earlier(self._request)}
        return {**self._judge.signature(), **own}

    def items(self, problems: list[str]) -> Iterator[ClinicalItem]:
        """See `JudgeTask`; answers about which nothing is asked are left out."""
        for path in self._request.cases:
            for dialog in dialogs(event_lines(path), problems):
                earlier: list[EventRecord] = []
                facts = EarlierFacts()
                for turn, _, event in conversation(dialog):
                    question = review_question(event, earlier, self._config, self._metrics)
                    made = retrieval_case(dialog, turn, facts.texts) if self._joined else None
                    earlier.append(event)
                    if self._request.earlier_turns:
                        facts.add(turn)
                    if question is not None or made is not None:
                        name = f"{dialog.dialog_id}:{turn.turn_pair_id}"
                        yield ClinicalItem(name, question, made.case if made else None)

    async def judge(self, item: ClinicalItem) -> JudgedItem:
        """See `JudgeTask`."""
        lines: list[Judgement] = []
        if item.question is not None:
            review = await self._judge.review(item.question)
            lines.append(Judgement(key=key_of(item.question), case=item.name, review=review))
        if item.case is None:
            return JudgedItem(lines)
        done = await judged_case(item.case, self._judge, self._joined)
        return JudgedItem([*lines, *done.lines], done.reason)

    def estimate(self, item: ClinicalItem, counting: EstimatingJudge) -> None:
        """See `JudgeTask`."""
        if item.question is not None:
            counting.review(item.question)
        if item.case is not None:
            evaluate_case(item.case, counting, self._joined)


def _clinical_metrics(names: Iterable[str] | None) -> tuple[str, ...]:
    known = (*REVIEWED, *JOINED)
    if names is None:
        return known
    by_code = {metric.code: metric.name for metric in SUITE.metrics}
    results = [by_code.get(name, name) for name in names]
    unknown = [name for name in results if name not in known]
    if unknown:
        message = f"--metric: expected some of {list(known)}, found {unknown}"
        raise UsageError(message)
    return tuple(name for name in known if name in results)


def _docket(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    if request.rubric is None:
        return ClinicalDocket(request, config)
    message = "--rubric: expected --suite rag or finance; events are judged by --suite clinical without a rubric"
    raise UsageError(message)


JUDGING = Judging(_docket, "answer to a patient")
