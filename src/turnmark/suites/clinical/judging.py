"""What a model is asked about answers to patients: a review, and the metrics of retrieval where contexts are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.recorded import Judgement, key_of
from turnmark.llm.client import ChatClient
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.review import ReviewQuestion
from turnmark.suites.clinical.answer import missing_field
from turnmark.suites.clinical.cascade import NO_CONTEXTS_FOUND, ClinicalCascade
from turnmark.suites.clinical.definition import SUITE
from turnmark.suites.clinical.retrieval import JOINED, retrieval_case
from turnmark.suites.clinical.review import REVIEWED, review_question
from turnmark.suites.clinical.suite import conversation, event_lines, user_config
from turnmark.suites.judging import JudgedItem, JudgeRequest, JudgeTask, Judging, dialogs, refuse, told_earlier
from turnmark.suites.rag.case import evaluate_case
from turnmark.suites.rag.judging import judged_case
from turnmark.suites.rag.read_cases import EarlierFacts

_NO_RULE = "rule"
_LACKING = {
    "no_answer": "there is no answer",
    "no_record": "there is no record of the patient (slots_truth), against which an answer could be reviewed",
    _NO_RULE: "no safety rule applies, and facts are not asked for; name your rules by --pack, or leave --metric out",
}
"""What an answer that is not judged lacks, by the code of the reason."""


class ClinicalItem(NamedTuple):
    """One answer to a patient: its review, and its case where it has retrieved contexts."""

    name: str
    question: ReviewQuestion | None
    case: EvalCase | None


class ClinicalTask:
    """Answers to patients: what they state, which rules they break, and what they make of retrieved contexts."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        refuse(request, "dataset")
        self._request = request
        self._metrics = judged_metrics(request.metrics)
        self._joined = tuple(name for name in JOINED if name in self._metrics)
        self._config = user_config(request.packs)
        self._judge = LlmJudge(make_client(config), repeat=config.repeat)
        self.client: ChatClient | None = self._judge.client
        self._left_out: Counter[str] = Counter()

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
                    if question is None and made is None:
                        missing = missing_field(event)
                        self._left_out[missing.code if missing else _NO_RULE] += 1
                    else:
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

    def lacking(self) -> list[str]:
        """See `JudgeTask`."""
        turns = self._left_out.total()
        lacks = ((_LACKING.get(name, name), count) for name, count in sorted(self._left_out.items()))
        found = [f"{count} of {turns} turns: {text}" for text, count in lacks]
        return [*found, NO_CONTEXTS_FOUND] if found and self._joined else found


def judged_metrics(names: Iterable[str] | None) -> tuple[str, ...]:
    """The metrics that are meant, by name or code; all that a model can be asked for None. Raises: UsageError."""
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


def _task(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    if request.rubric is None:
        if request.only_undecided:
            return ClinicalCascade(request, config, judged_metrics(request.metrics))
        return ClinicalTask(request, config)
    message = "--rubric: expected --suite rag or finance; events are judged by --suite clinical without a rubric"
    raise UsageError(message)


JUDGING = Judging(_task, "answer to a patient")
