"""Grading by a rubric: many cases at once, grades in order into a file."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import msgspec

from turnmark.judges.llm.config import make_client
from turnmark.judges.llm.rubric import Grade, Rubric, RubricJudge
from turnmark.llm.budget import Spent
from turnmark.packs.loading import read
from turnmark.pipeline.judge import SPARE, JudgeRequest, in_order, recorded_cases, with_cache
from turnmark.runs.folder import ArtifactWriter
from turnmark.schemas.rag import EvalCase


class GradeReport(msgspec.Struct, kw_only=True):
    """What came of it. ``mean`` is over the grades that are there, None when there is none."""

    rubric: str
    cases: int = 0
    graded: int = 0
    failed: int = 0
    mean: float | None = None
    reasons: dict[str, int] = {}
    problems: list[str] = []
    spent: Spent = msgspec.field(default_factory=Spent)
    stopped: str | None = None


def grade(request: JudgeRequest, rubric: Path) -> GradeReport:
    """Grade every case by a rubric and write one line a case; the file appears whole, at the end.

    Raises: UsageError (PackError) for a rubric or settings that cannot be; DataError for a file that cannot be read.
    """
    found, _ = read(rubric, Rubric)
    client = make_client(with_cache(request.config, request.out))
    return asyncio.run(_grade(request, RubricJudge(found, client, repeat=request.config.repeat)))


async def _grade(request: JudgeRequest, judge: RubricJudge) -> GradeReport:
    report = GradeReport(rubric=judge.rubric.name)
    writer = ArtifactWriter(request.out)
    encoder = msgspec.json.Encoder()
    total = 0.0

    async def work(case: EvalCase) -> tuple[EvalCase, Grade]:
        return case, await judge.grade(msgspec.to_builtins(case))

    try:
        writer.write(encoder.encode({"judge": judge.signature()}) + b"\n")
        graded = in_order(recorded_cases(request.cases, report.problems), work, request.config.concurrency + SPARE)
        async with aclosing(graded) as each:  # type: ignore[type-var]
            async for case, found in each:
                line = {"case": case.id, "rubric": judge.rubric.name, **msgspec.to_builtins(found)}
                writer.write(encoder.encode(line) + b"\n")
                report.cases += 1
                report.graded += found.score is not None
                total += found.score or 0.0
                if found.failure:
                    report.failed += 1
                    report.reasons[found.failure] = report.reasons.get(found.failure, 0) + 1
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise
    finally:
        await judge.client.aclose()
    report.mean = round(total / report.graded, 6) if report.graded else None
    report.spent = judge.client.spent
    report.stopped = judge.client.budget.exhausted
    return report
