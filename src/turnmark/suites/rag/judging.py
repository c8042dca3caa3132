"""What a model is asked about RAG cases: the metrics of retrieval and answer, or a grade by the user's rubric."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.protocol import AsyncJudge
from turnmark.judges.recorded import Judgement, RecordingJudge
from turnmark.llm.budget import Spent
from turnmark.llm.client import ChatClient, spent_here
from turnmark.llm.in_order import in_order
from turnmark.schemas.judging.cases import EvalCase
from turnmark.suites.grading import GradeItem, GradeTask
from turnmark.suites.judging import (
    JudgedItem,
    JudgeRequest,
    JudgeTask,
    Judging,
    dialogs,
    refuse,
    told_earlier,
)
from turnmark.suites.rag.cascade import CascadeTask, Pack
from turnmark.suites.rag.case import CaseResult, chosen_metrics, evaluate_case, evaluate_case_async
from turnmark.suites.rag.suite import case_lines, dialog_cases


class JudgedCase(NamedTuple):
    """One RAG case with what the judge said, or None and the reason."""

    case: EvalCase
    result: CaseResult | None
    reason: str
    lines: Sequence[Judgement]


class RagTask:
    """RAG cases, or the turns of recorded dialogues as such."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        refuse(request, "packs", "dataset")
        self._request = request
        self._metrics = chosen_metrics(request.metrics)
        self._judge = LlmJudge(make_client(config), repeat=config.repeat)
        self.client: ChatClient | None = self._judge.client

    def signature(self) -> dict[str, Any]:
        """See `JudgeTask`."""
        return {**self._judge.signature(), "suite": "rag", "metrics": self._metrics, **told_earlier(self._request)}

    def items(self, problems: list[str]) -> Iterator[EvalCase]:
        """See `JudgeTask`."""
        return recorded_cases(self._request.cases, problems, facts=self._request.earlier_turns)

    async def judge(self, item: EvalCase) -> JudgedItem:
        """See `JudgeTask`."""
        done = await judged_case(item, self._judge, self._metrics)
        return JudgedItem(done.lines, done.reason)

    def estimate(self, item: EvalCase, counting: EstimatingJudge) -> None:
        """See `JudgeTask`."""
        evaluate_case(item, counting, self._metrics)

    def lacking(self) -> list[str]:
        """See `JudgeTask`."""
        return []


def recorded_cases(
    paths: Iterable[Path], problems: list[str], *, earlier: bool = False, facts: bool = False
) -> Iterator[EvalCase]:
    """The cases of all files as ``score --suite rag`` sees them; what is wrong with lines goes to ``problems``.

    With ``earlier`` a turn of a dialogue brings all that was said before it, with ``facts`` what earlier turns were
    told.
    """
    for path in paths:
        for dialog in dialogs(case_lines(path), problems):
            said: list[str] = []
            for turn, (case, _) in dialog_cases(dialog, earlier_turns=facts):
                if earlier and said:
                    case.earlier_turns = [*said]
                yield case
                said += (f"user: {turn.user_text}", f"assistant: {turn.pred_assistant_text or ''}")


async def judged_case(case: EvalCase, judge: AsyncJudge, metrics: Sequence[str]) -> JudgedCase:
    """One RAG case judged; what it took stands in its results."""
    spent = Spent()
    spent_here.set(spent)
    recording = RecordingJudge(judge, case.id or "")
    try:
        result = await evaluate_case_async(case, recording, metrics)
    except Exception as error:  # noqa: BLE001 - the row boundary: one case fails, nothing else
        return JudgedCase(case, None, f"{type(error).__name__}: {error}", recording.lines)
    cost = {name: value for name, value in msgspec.structs.asdict(spent).items() if value}
    for results in result.results.values():
        results.cost = cost
    return JudgedCase(case, result, "", recording.lines)


def evaluate_by_model(
    cases: Iterable[EvalCase], judge: AsyncJudge, metrics: Sequence[str], at_once: int = 18
) -> Iterator[EvalCase]:
    """Cases with their results filled in, in order, for callers without an event loop.

    Connections are closed at the end; the judge may be used again.
    """
    with asyncio.Runner() as runner:
        judged = in_order(cases, lambda case: judged_case(case, judge, metrics), at_once)
        try:
            while True:
                try:
                    done: JudgedCase = runner.run(_next(judged))
                except StopAsyncIteration:
                    return
                if done.result is None:
                    raise RuntimeError(done.reason)
                done.case.results.update(done.result.results)
                yield done.case
        finally:
            runner.run(_close(judged, judge))


async def _next(judged: AsyncIterator[JudgedCase]) -> JudgedCase:
    return await anext(judged)


async def _close(judged: AsyncIterator[JudgedCase], judge: AsyncJudge) -> None:
    if isinstance(judged, AsyncGenerator):
        await judged.aclose()
    if isinstance(judge, LlmJudge):
        await judge.disconnect()


class RagCascade(CascadeTask):
    """RAG cases, or the turns of recorded dialogues as such; a model is asked what rules leave undecided."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        refuse(request, "packs", "dataset")
        own = {"suite": "rag", **told_earlier(request)}
        super().__init__(request, config, chosen_metrics(request.metrics), own)

    def items(self, problems: list[str]) -> Iterator[Pack]:
        """See `JudgeTask`."""
        return self.packs(recorded_cases(self._request.cases, problems, facts=self._request.earlier_turns))


def _task(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    if request.only_undecided and request.rubric is None:
        return RagCascade(request, config)
    if request.rubric is None:
        return RagTask(request, config)
    refuse(request, "packs", "earlier_turns", "dataset", "only_undecided")
    return GradeTask(request, config, _graded_cases)


def _graded_cases(request: JudgeRequest, problems: list[str]) -> Iterator[GradeItem]:
    for case in recorded_cases(request.cases, problems, earlier=True):
        yield GradeItem(case.id or "", msgspec.to_builtins(case))


JUDGING = Judging(_task, "case")
