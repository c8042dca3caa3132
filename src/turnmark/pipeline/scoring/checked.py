"""What is wrong with what scoring is asked for, all at once and before anything is read."""

from __future__ import annotations

import os
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.readers.characters import empty_said, is_empty
from turnmark.schemas.results.summary import INTERVAL_METHODS
from turnmark.suites.protocol import Suite
from turnmark.suites.registry import suite_definition, suite_definitions

STRATA = ("scenario_type", "difficulty", "language", "system")
"""Fields of a dialogue that figures can be broken down by."""


def checked_suite(request: ScoreRequest, suite: Suite | None) -> Suite:
    """The suite at work. Raises: UsageError, with everything that is wrong at once."""
    wrong = []
    if suite is None:
        try:
            suite = request.make_suite()
        except UsageError as error:
            wrong += _suite_faults(request) or [str(error)]
    if not request.traces:
        wrong.append("TRACE: expected at least one trace file or run folder, found none")
    wrong += [f"{path}: expected a trace file, found none" for path in request.traces if not path.is_file()]
    wrong += [empty_said(path) for path in request.traces if is_empty(path)]
    wrong += [f"{path}: expected each trace once, found it twice" for path in _twice(request.traces)]
    if request.run_id is not None and not request.run_id.strip():
        wrong.append(f"--run-id: expected a name, found {request.run_id!r}")
    if request.dataset and not request.dataset.is_file():
        wrong.append(f"--dataset {request.dataset}: expected a dataset file, found none")
    wrong += [
        f"--by: expected one of {list(STRATA)}, found {field!r}" for field in request.by or () if field not in STRATA
    ]
    if request.intervals not in INTERVAL_METHODS:
        wrong.append(f"--intervals: expected one of {list(INTERVAL_METHODS)}, found {request.intervals!r}")
    if request.workers < 1:
        wrong.append(f"--workers: expected 1 or more, found {request.workers}")
    if suite is None or wrong:
        raise UsageError("\n".join(wrong))
    return suite


def _twice(traces: tuple[Path, ...]) -> list[Path]:
    """Files that are named again, under the same name or another."""
    real = [os.path.realpath(path) for path in traces]  # of a loop of links too
    return [path for index, path in enumerate(traces) if real[index] in real[:index]]


def _suite_faults(request: ScoreRequest) -> list[str]:
    """What is wrong with names of suite and detectors; packs under a wrong name are judged by their own form."""
    wrong = []
    known: set[str] = set()
    try:
        known.update(suite_definition(request.suite).detect)
    except UsageError as error:
        wrong.append(str(error))
        known.update(name for definition in suite_definitions() for name in definition.detect)
    if request.detect is not None and request.detect not in known:
        wrong.append(f"--detect: expected one of {sorted(known)}, found {request.detect!r}")
    if wrong:
        checks = [checked for path in request.packs for checked in check(path, "pack")]
        wrong += [str(problem) for checked in checks for problem in checked.problems]
    return wrong
