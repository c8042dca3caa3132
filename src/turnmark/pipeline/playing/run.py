"""The whole loop in one call: replay, score, report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from turnmark.errors import UsageError
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.judging.judge import JudgeReport
from turnmark.pipeline.playing.replay import ReplayResult, replay
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.scoring.judge_first import JudgeFirst, check_first, judged_first
from turnmark.pipeline.scoring.score import ScoreResult, score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.replay.run.progress import Listener
from turnmark.schemas.results.comparison import Comparison
from turnmark.suites.file_kinds import played_kind
from turnmark.suites.protocol import Suite
from turnmark.suites.registry import suite_definition


class RunResult(NamedTuple):
    """What replay, judging (where a model was asked) and scoring gave, and the page to open."""

    replayed: ReplayResult
    scored: ScoreResult
    page: Path
    judged: JudgeReport | None = None


def run(
    request: ReplayRequest,
    scoring: ScoreRequest,
    *,
    judge: JudgeFirst | None = None,
    report: ReportOptions | None = None,
    listener: Listener | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RunResult:
    """Replay a dataset, let a model judge what was said where one is named, score it where it lies, write the report.

    Of ``scoring``, traces, folder and run id are those of the replay. ``listener`` is told of the replay, ``progress``
    of the scoring. An unknown suite or rule set, and a judge that cannot be, is refused before the first call of the
    agent.

    Raises: as `replay`, `judged_first` and `score`.
    """
    suite: Suite | None = _check(request, scoring, judge)
    replayed = replay(request, listener)
    # A trace names its run; other artifacts may not.
    run_id = None if replayed.kind == "dialogs" else replayed.run_id
    scoring = scoring._replace(traces=(replayed.artifact,), out=replayed.folder, run_id=run_id)
    judged = None
    if judge is not None:
        scoring, judged = judged_first(scoring, judge)
        suite = None  # made anew, with the judgements
    scored = score(scoring, progress, suite, listener)
    _, page = write_report(replayed.folder, scored.worst, report, scored.turns, scored.summary)
    return RunResult(replayed, scored, page, judged)


def run_systems(
    request: ReplayRequest,
    systems: Mapping[str, str],
    scoring: ScoreRequest,
    *,
    judge: JudgeFirst | None = None,
    report: ReportOptions | None = None,
    listener: Listener | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[RunResult], Comparison]:
    """Run several systems over the same dataset, each into its own folder below ``out``, and compare them.

    ``systems`` maps names to agents; every system is compared with the first. A second call with ``resume`` goes on
    where a system was stopped.

    Raises: as `run`; UsageError for fewer than two systems, a name that no folder can have, or no ``out``.
    """
    if request.out is None or len(systems) < 2:
        message = f"--system: expected two systems or more and --out FOLDER for their runs, found {len(systems)}"
        raise UsageError(message)
    wrong = [name for name in systems if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", name)]
    if wrong:
        message = f"--system: expected names that a folder can have, found {wrong}"
        raise UsageError(message)
    results = [
        run(
            request._replace(agent=agent, out=request.out / name, system=name), scoring,
            judge=judge, report=report, listener=listener, progress=progress,
        )
        for name, agent in systems.items()
    ]  # fmt: skip
    return results, compare(CompareRequest(tuple(result.replayed.folder for result in results)))


def _check(request: ReplayRequest, scoring: ScoreRequest, judge: JudgeFirst | None) -> Suite:
    if judge is not None:
        check_first(scoring, judge)
        scoring = scoring._replace(detect=None)
    suite = scoring.make_suite()
    expected = suite_definition(scoring.suite).played_kind()
    kind = played_kind(request.dataset) if request.dataset.is_file() else None
    if kind is not None and kind.name != expected.name:
        message = (
            f"{request.dataset}: suite {scoring.suite} expects {expected.name}, found {kind.name}; use replay for these"
        )
        raise UsageError(message)
    return suite
