"""The columns of turn_eval v1 in the form that every suite's rows have: what each metric gives, and its mark."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from turnmark.metrics.finance import METRICS
from turnmark.metrics.marked import mark_of
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Failed, Outcomes

_TURN_METRICS = tuple(metric for metric in METRICS if metric.unit == "turn")
_MARK_OF = {metric.name: functools.lru_cache(4096)(functools.partial(mark_of, metric)) for metric in _TURN_METRICS}
"""Turns of a run have the same few outcomes, and then the same marks."""


def outcomes_of_columns(row: TurnEvalRow) -> dict[str, Outcomes]:
    """What the columns of a row give for each metric, by name."""
    return {metric.name: metric.score(row) for metric in _TURN_METRICS}


def complete(row: TurnEvalRow, outcomes: Mapping[str, Outcomes] | None = None) -> None:
    """Give a row its marks; ``outcomes`` are those of its columns, where they are at hand.

    Of a turn that did not end ok only detectors that failed have a mark: the status says the rest.
    """
    given = outcomes_of_columns(row) if outcomes is None else outcomes
    row.complete({name: mark(outcome) for name, mark in _MARK_OF.items() if _has_mark(outcome := given[name], row)})


def _has_mark(outcome: Outcomes, row: TurnEvalRow) -> bool:
    return row.turn_status == "ok" or (isinstance(outcome, Failed) and outcome.reason.code != "turn_status")
