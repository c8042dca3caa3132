"""Judging within scoring: a model is asked about what is about to be scored, and its judgements are counted at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig
from turnmark.llm.http import require_http
from turnmark.pipeline.judging.judge import JudgeReport, judge, make_task
from turnmark.pipeline.scoring.run_naming import Source, default_folder, run_id_of
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.suites.judging import JudgeRequest
from turnmark.suites.protocol import JUDGED
from turnmark.suites.registry import suite_definition

JUDGEMENTS = "judgements.jsonl"
"""Where the judgements of a run lie in its folder; the answers that they are made of lie beside them."""


class JudgeFirst(NamedTuple):
    """Who is asked before scoring; the fields are those of `JudgeRequest`."""

    config: JudgeConfig
    metrics: tuple[str, ...] | None = None
    only_undecided: bool = False
    audit: float = 0.0
    entailment: Path | None = None
    limits: Path | None = None
    weights: Path | None = None

    def request(self, scoring: ScoreRequest, out: Path) -> JudgeRequest:
        """What is asked about the traces of a scoring. ``judge_workers`` of it bounds the calls at once."""
        config = self.config
        if scoring.judge_workers is not None:
            config = msgspec.structs.replace(config, concurrency=scoring.judge_workers)
        return JudgeRequest(
            cases=scoring.traces,
            config=config,
            out=out,
            metrics=self.metrics,
            suite=scoring.suite,
            packs=scoring.packs,
            dataset=scoring.dataset,
            earlier_turns=scoring.earlier_turns,
            only_undecided=self.only_undecided,
            audit=self.audit,
            entailment=self.entailment,
            limits=self.limits,
            weights=self.weights,
        )


def check_first(scoring: ScoreRequest, first: JudgeFirst) -> None:
    """Raises: as `judge` for what is wrong before anything is asked; UsageError for other detectors than ``judged``."""
    if scoring.detect not in {None, JUDGED}:
        message = f"--judge: expected --detect {JUDGED} or none with it, found --detect {scoring.detect}"
        raise UsageError(message)
    bare = msgspec.structs.replace(first.config, cache=None)
    task = make_task(first._replace(config=bare).request(scoring, Path(JUDGEMENTS)), bare)
    if task.client is not None:
        require_http()


def judged_first(
    scoring: ScoreRequest, first: JudgeFirst, listener: Callable[[JudgeReport], None] | None = None
) -> tuple[ScoreRequest, JudgeReport]:
    """Ask about the traces, and what scoring is asked then: the same with the judgements, in the same folder.

    Judgements that a stopped run left are gone on with: answers are kept, only what is missing is asked for.

    Raises: as `check_first` and `judge`.
    """
    check_first(scoring, first)
    folder = scoring.out or _folder(scoring)
    request = first.request(scoring, folder / JUDGEMENTS)
    report = judge(request, listener)
    packs = (*scoring.packs, request.out)
    judged = scoring._replace(
        detect=JUDGED, packs=packs, out=folder, judge_workers=scoring.judge_workers or request.config.concurrency
    )
    return judged, report


def _folder(scoring: ScoreRequest) -> Path:
    """Where scoring would write of itself."""
    if scoring.run_id is not None:
        return default_folder(scoring.run_id)
    plain = scoring._replace(detect=suite_definition(scoring.suite).detect[0]).make_suite()
    return default_folder(run_id_of([Source(path, plain) for path in scoring.traces]))
