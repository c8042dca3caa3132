"""Judging by a model: many cases at once, results in order, judgements into a file that ``score`` reads."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_llm_judge
from turnmark.judges.llm.estimate import Estimate, EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.protocol import AsyncJudge
from turnmark.judges.recorded import Judgement, RecordingJudge
from turnmark.llm.budget import Spent
from turnmark.llm.client import spent_here
from turnmark.pipeline.rag import CaseResult, chosen_metrics, evaluate_case, evaluate_case_async
from turnmark.pipeline.rag_suite import case_lines, turn_case
from turnmark.runs.folder import ArtifactWriter
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.rag import EvalCase
from turnmark.schemas.trace import DialogTrace

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""Cases begun or done for each that may be at work: enough that a slow case at the front keeps nobody waiting."""

SPARE = 2
"""Cases at work beside one for each call, to fill the moments in which a case has no call under way."""


class Judged(NamedTuple):
    """One case with what the judge said, or None and the reason; and what it took."""

    case: EvalCase
    result: CaseResult | None
    reason: str
    lines: Sequence[Judgement]
    spent: Spent


class JudgeRequest(NamedTuple):
    """Which cases, by which judge, into which file. ``metrics`` None: all that the cases allow."""

    cases: tuple[Path, ...]
    config: JudgeConfig
    out: Path
    metrics: tuple[str, ...] | None = None


class JudgeReport(msgspec.Struct, kw_only=True):
    """What came of it: cases, verdicts, those that failed and why (reasons with their counts), and what it took.

    ``mean_concurrency`` is the mean number of calls under way; ``stopped`` says which limit ended the calls.
    """

    cases: int = 0
    cases_with_failures: int = 0
    problems: list[str] = []
    verdicts: int = 0
    failed_verdicts: int = 0
    reasons: dict[str, int] = {}
    spent: Spent = msgspec.field(default_factory=Spent)
    mean_concurrency: float = 0.0
    stopped: str | None = None


async def in_order(items: Iterable[T], work: Callable[[T], Awaitable[R]], at_once: int) -> AsyncIterator[R]:
    """What ``work`` makes of every item, in order.

    ``at_once`` are at work at a time, each to its end, so that a budget that runs out leaves few half done. Memory does
    not grow with the number of items.
    """
    pending: deque[asyncio.Task[R]] = deque()
    places = asyncio.Semaphore(at_once)

    async def place(item: T) -> R:
        async with places:
            return await work(item)

    try:
        for item in items:
            pending.append(asyncio.create_task(place(item)))
            if len(pending) >= _AHEAD * at_once:
                yield await pending.popleft()
        while pending:
            yield await pending.popleft()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


def judge_each(
    cases: Iterable[EvalCase], judge: AsyncJudge, metrics: Sequence[str], at_once: int
) -> AsyncIterator[Judged]:
    """Every case judged, in order; ``at_once`` are at work at a time."""
    return in_order(cases, lambda case: _judged(case, judge, metrics), at_once)


def evaluate_by_model(
    cases: Iterable[EvalCase], judge: AsyncJudge, metrics: Sequence[str], at_once: int = 18
) -> Iterator[EvalCase]:
    """Cases with their results filled in, in order, for callers without an event loop.

    Connections are closed at the end; the judge may be used again.
    """
    with asyncio.Runner() as runner:
        judged = judge_each(cases, judge, metrics, at_once)
        try:
            while True:
                try:
                    done: Judged = runner.run(_next(judged))
                except StopAsyncIteration:
                    return
                if done.result is None:
                    raise RuntimeError(done.reason)
                done.case.results.update(done.result.results)
                yield done.case
        finally:
            runner.run(_close(judged, judge))


def judge(request: JudgeRequest, listener: Callable[[JudgeReport], None] | None = None) -> JudgeReport:
    """Judge all cases and write the judgements; the file appears whole, at the end.

    Answers are kept in the cache of the configuration, or beside the file: a run that was stopped, by a limit or by
    hand, goes on where it was when it is started again.

    Raises: UsageError for metrics that do not exist or settings that cannot be; DataError for a file that cannot be
    read.
    """
    metrics = chosen_metrics(request.metrics)
    return asyncio.run(_judge(request, metrics, _llm_judge(request), listener))


def estimate(request: JudgeRequest) -> Estimate:
    """What `judge` would take. Nothing is sent. Raises: as `judge`."""
    metrics = chosen_metrics(request.metrics)
    found = _llm_judge(request)
    counting = EstimatingJudge(found, request.config.prices)
    for case in recorded_cases(request.cases, []):
        counting.estimate.cases += 1
        evaluate_case(case, counting, metrics)
    asyncio.run(found.aclose())
    return counting.estimate


async def _next(judged: AsyncIterator[Judged]) -> Judged:
    return await anext(judged)


async def _close(judged: AsyncIterator[Judged], judge: AsyncJudge) -> None:
    if isinstance(judged, AsyncGenerator):
        await judged.aclose()
    if isinstance(judge, LlmJudge):
        await judge.disconnect()


async def _judge(
    request: JudgeRequest, metrics: tuple[str, ...], judge: LlmJudge, listener: Callable[[JudgeReport], None] | None
) -> JudgeReport:
    report = JudgeReport()
    writer = ArtifactWriter(request.out)
    encoder = msgspec.json.Encoder()
    try:
        writer.write(encoder.encode(Judgement(judge=dict(judge.signature()))) + b"\n")
        cases = recorded_cases(request.cases, report.problems)
        at_once = request.config.concurrency + SPARE
        async with aclosing(judge_each(cases, judge, metrics, at_once)) as judged:  # type: ignore[type-var]
            async for done in judged:
                for line in done.lines:
                    writer.write(encoder.encode(line) + b"\n")
                _count(report, done)
                report.spent = judge.client.spent
                if listener is not None:
                    listener(report)
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise
    finally:
        await judge.aclose()
    report.mean_concurrency = judge.client.limiter.mean_concurrency
    report.stopped = judge.client.budget.exhausted
    return report


async def _judged(case: EvalCase, judge: AsyncJudge, metrics: Sequence[str]) -> Judged:
    spent = Spent()
    spent_here.set(spent)
    recording = RecordingJudge(judge, case.id or "")
    try:
        result = await evaluate_case_async(case, recording, metrics)
    except Exception as error:  # noqa: BLE001 - the row boundary: one case fails, nothing else
        return Judged(case, None, f"{type(error).__name__}: {error}", recording.lines, spent)
    cost = {name: value for name, value in msgspec.structs.asdict(spent).items() if value}
    for found in result.results.values():
        found.cost = cost
    return Judged(case, result, "", recording.lines, spent)


def _count(report: JudgeReport, done: Judged) -> None:
    report.cases += 1
    verdicts = [verdict for line in done.lines for one in line.verdicts or () for verdict in one]
    failed = [verdict.reason for verdict in verdicts if verdict.label == "failed"]
    reasons = Counter(failed)
    if done.result is None:
        reasons[done.reason] += 1
    for reason, count in reasons.items():
        # Messages that hold numbers would be all different.
        known = reason if reason in report.reasons or len(report.reasons) < 20 else "others"
        report.reasons[known] = report.reasons.get(known, 0) + count
    report.verdicts += len(verdicts)
    report.failed_verdicts += len(failed)
    report.cases_with_failures += bool(reasons)


def _llm_judge(request: JudgeRequest) -> LlmJudge:
    return make_llm_judge(with_cache(request.config, request.out))


def with_cache(config: JudgeConfig, out: Path) -> JudgeConfig:
    """The configuration with a cache, beside the file of results when it names none. Raises: UsageError."""
    if out.is_dir():
        message = f"{out} is a folder; expected the name of a file for the judgements"
        raise UsageError(message)
    out.parent.mkdir(parents=True, exist_ok=True)
    return config if config.cache is not None else msgspec.structs.replace(config, cache=f"{out}.cache")


def recorded_cases(paths: Iterable[Path], problems: list[str]) -> Iterator[EvalCase]:
    """The cases of all files as ``score --suite rag`` sees them; what is wrong with lines goes to ``problems``."""
    reader = Reader(DialogTrace)
    for path in paths:
        for line in case_lines(path):
            decoded = line if isinstance(line, Problem) else reader.decode(line)
            if isinstance(decoded, Problem | list):
                problems += map(str, decoded if isinstance(decoded, list) else [decoded])
                continue
            dialog = decoded.value
            for turn in dialog.turns or () if dialog.valid_dialog else ():
                case, _ = turn_case(dialog, turn)
                yield case
