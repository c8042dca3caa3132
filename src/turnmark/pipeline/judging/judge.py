"""Judging by a model: many cases at once, results in order, judgements into a file that ``score`` reads."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.judges.cascade import Contradiction
from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.llm.estimate import Estimate, EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.recorded import Judgement
from turnmark.llm.budget import Spent
from turnmark.llm.http import require_http
from turnmark.llm.in_order import SPARE, in_order
from turnmark.runs.folder import ArtifactWriter
from turnmark.runs.lock import locked_file
from turnmark.suites.file_kinds import place_of
from turnmark.suites.judging import JudgedItem, JudgeRequest, JudgeTask, check_cascade, failures
from turnmark.suites.registry import suite_definition

T = TypeVar("T")

_REASONS_SHOWN = 5
_MOST_LISTED = 100


class JudgeReport(msgspec.Struct, kw_only=True):
    """What came of it: cases, verdicts, those that failed and why (reasons with their counts), and what it took.

    ``mean_concurrency`` is the mean number of calls under way; ``stopped`` says which limit ended the calls,
    ``gave_up`` what else did: an endpoint that is down, a model whose answers cannot be read. Of grades, ``rubric``
    names what they follow, and ``mean`` is over those that are there, None when there is none.

    Where only what is undecided is asked, ``by`` counts the verdicts of each judge ("" those that nobody could decide),
    ``audited`` those that the model was asked although they were decided, ``contradicted`` where it said otherwise, and
    ``contradictions`` lists the first hundred of them.
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
    gave_up: str | None = None
    rubric: str | None = None
    mean: float | None = None
    by: dict[str, int] = {}
    audited: int = 0
    contradicted: int = 0
    contradictions: list[Contradiction] = []


def judge(request: JudgeRequest, listener: Callable[[JudgeReport], None] | None = None) -> JudgeReport:
    """Judge everything and write the judgements; the file appears whole, at the end.

    Answers are kept in the cache of the configuration, or beside the file: a run that was stopped, by a limit or by
    hand, goes on where it was when it is started again.

    Raises: UsageError (PackError) for suites, metrics, rubrics or settings that cannot be; DataError for a file that
    cannot be read, or when there is nothing to judge; MissingExtraError without the extra http.
    """
    task = make_task(request, with_cache(request.config, request.out))
    if task.client is not None:
        require_http()
    with locked_file(request.out):
        return asyncio.run(_judge(request, task, listener))


def estimate(request: JudgeRequest) -> Estimate:
    """What `judge` would take. Nothing is sent. Raises: as `judge`."""
    task = make_task(request, _with_cache_that_is_there(request.config, request.out))
    if task.client is None:
        message = "--estimate: expected a model (--model, --config), found none: nothing would be sent"
        raise UsageError(message)
    counting = EstimatingJudge(LlmJudge(task.client, repeat=request.config.repeat), request.config.prices)
    problems: list[str] = []
    for item in task.items(problems):
        counting.estimate.cases += 1
        task.estimate(item, counting)
    asyncio.run(task.client.aclose())
    _refuse_nothing(request, task, counting.estimate.cases, problems)
    return counting.estimate


def _refuse_nothing(request: JudgeRequest, task: JudgeTask[Any], judged: int, problems: Sequence[str]) -> None:
    """Raises: DataError when the files held nothing to judge, with what they are instead or what they lack."""
    if judged:
        return
    first = request.cases[0]
    belongs = place_of(first, request.suite, "judge")
    lacking = task.lacking() if not problems and first.stat().st_size else []
    reasons = [belongs] if belongs else [*problems[:_REASONS_SHOWN], *lacking]
    message = f"{first}: expected at least one {suite_definition(request.suite).judged().thing} to judge, found none"
    raise DataError("\n".join([message, *reasons]))


def make_task(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    """The task of a request. Raises: UsageError for a suite, metrics or settings that cannot be."""
    check_cascade(request)
    return suite_definition(request.suite).judged().task(request, config)


async def _judge(
    request: JudgeRequest, task: JudgeTask[Any], listener: Callable[[JudgeReport], None] | None
) -> JudgeReport:
    rubric = task.signature().get("rubric")
    report = JudgeReport(rubric=rubric["name"] if rubric else None)
    writer = ArtifactWriter(request.out)
    encoder = msgspec.json.Encoder()
    client, total = task.client, 0.0
    by: Counter[str] = Counter()
    try:
        writer.write(encoder.encode(Judgement(judge=task.signature())) + b"\n")
        items = task.items(report.problems)
        at_once = request.config.concurrency + SPARE
        async with aclosing(in_order(items, lambda item: _one(task, item), at_once)) as judged:  # type: ignore[type-var]
            async for done in judged:
                for line in done.lines:
                    writer.write(encoder.encode(line) + b"\n")
                    total += (line.grade.score or 0.0) if line.grade is not None else 0.0
                    by.update(verdict.by for item in line.verdicts or () for verdict in item)
                _count(report, done)
                if client is not None:
                    report.spent = client.spent
                if listener is not None:
                    listener(report)
        _refuse_nothing(request, task, report.cases, report.problems)
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise
    finally:
        if client is not None:
            await client.aclose()
    there = report.verdicts - report.failed_verdicts
    report.mean = round(total / there, 6) if rubric and there else None
    report.by = dict(sorted(by.items())) if request.only_undecided else {}
    if client is not None:
        report.mean_concurrency = client.limiter.mean_concurrency
        report.stopped = client.budget.exhausted
        report.gave_up = None if report.stopped else client.stopped
    return report


async def _one(task: JudgeTask[T], item: T) -> JudgedItem:
    try:
        return await task.judge(item)
    except Exception as error:  # noqa: BLE001 - the row boundary: one thing fails, nothing else
        return JudgedItem((), f"{type(error).__name__}: {error}")


def _count(report: JudgeReport, done: JudgedItem) -> None:
    report.cases += done.cases
    verdicts, failed = failures(done.lines)
    failed += [reason for _, reason in done.failed]
    reasons = Counter(failed)
    if done.reason:
        reasons[done.reason] += 1
    for reason, count in reasons.items():
        # Messages that hold numbers would be all different.
        known = reason if reason in report.reasons or len(report.reasons) < 20 else "others"
        report.reasons[known] = report.reasons.get(known, 0) + count
    report.verdicts += verdicts
    report.failed_verdicts += len(failed)
    report.cases_with_failures += len({name for name, _ in done.failed}) or bool(reasons)
    report.audited += done.audited
    report.contradicted += len(done.contradictions)
    report.contradictions += done.contradictions[: _MOST_LISTED - len(report.contradictions)]


def with_cache(config: JudgeConfig, out: Path) -> JudgeConfig:
    """The configuration with a cache, beside the file of results when it names none. Raises: UsageError."""
    if out.is_dir():
        message = f"{out} is a folder; expected the name of a file for the judgements"
        raise UsageError(message)
    out.parent.mkdir(parents=True, exist_ok=True)
    return config if config.cache is not None else msgspec.structs.replace(config, cache=f"{out}.cache")


def _with_cache_that_is_there(config: JudgeConfig, out: Path) -> JudgeConfig:
    """The configuration with its cache where that is a file already: an estimate leaves nothing behind."""
    path = Path(config.cache if config.cache is not None else f"{out}.cache")
    return msgspec.structs.replace(config, cache=str(path) if path.is_file() else None)
