"""The catalogue of metrics: every suite with its metrics, in the order in which they are reported."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from turnmark.errors import UsageError
from turnmark.metrics.clinical import ass, ccr, csp, cus, mcs, sfs, sfs_all, ur
from turnmark.metrics.definition import Metric
from turnmark.metrics.finance import (
    compliance,
    compliance_columns,
    context_continuity,
    explainability,
    profile_accuracy,
    reply_key_use,
    risk_coverage,
)
from turnmark.metrics.marked import outcomes_of
from turnmark.metrics.rag import (
    abstention,
    answer_correctness,
    answer_relevancy,
    context_precision,
    context_recall,
    context_relevance,
    faithfulness,
    retrieval,
)
from turnmark.stats.tally import Outcomes

_RAG = (
    faithfulness.METRIC,
    context_relevance.METRIC,
    answer_relevancy.METRIC,
    context_recall.METRIC,
    context_precision.METRIC,
    answer_correctness.METRIC,
)
"""The metrics of retrieval and answer; they are at home in the suite ``rag`` and join every suite that names them."""

SUITES: dict[str, tuple[Metric, ...]] = {
    "finance": (
        context_continuity.METRIC,
        profile_accuracy.METRIC,
        risk_coverage.METRIC,
        compliance.METRIC,
        explainability.METRIC,
        reply_key_use.METRIC,
        compliance_columns.METRIC,
    ),
    "clinical": (
        sfs.METRIC,
        sfs_all.METRIC,
        csp.METRIC,
        cus.METRIC,
        ur.METRIC,
        ccr.METRIC,
        mcs.METRIC,
        ass.METRIC,
        *_RAG,
    ),
    "rag": (
        *_RAG,
        abstention.METRIC,
        retrieval.METRIC,
    ),
}


def readers(metrics: Sequence[Metric]) -> list[tuple[int, Callable[..., Outcomes]]]:
    """Of each metric whose unit is a turn: its place, and how it reads a row of its suite."""
    return [
        (index, metric.score if metric.of_row else functools.partial(outcomes_of, metric))
        for index, metric in enumerate(metrics)
        if metric.unit == "turn"
    ]


def suite(name: str) -> tuple[Metric, ...]:
    """The metrics of a suite. Raises: UsageError naming the suites that exist."""
    try:
        return SUITES[name]
    except KeyError:
        message = f"--suite: expected one of {sorted(SUITES)}, found {name!r}"
        raise UsageError(message) from None


def join(name: str, metrics: Sequence[Metric]) -> None:
    """Let a suite of another package be asked for by name, with its metrics."""
    SUITES[name] = tuple(metrics)


def own(name: str) -> tuple[Metric, ...]:
    """The metrics that are at home in a suite. Raises: UsageError as `suite`."""
    return tuple(metric for metric in suite(name) if metric.suite == name)


def joined(name: str) -> tuple[Metric, ...]:
    """The metrics of other suites that join this one. Raises: UsageError as `suite`."""
    return tuple(metric for metric in suite(name) if metric.suite != name)


def metric(name: str) -> Metric:
    """A metric by name, code or former name (``m3_risk_coverage``, ``M3``, ``risk_coverage``).

    Raises: UsageError when there is none.
    """
    for metrics in SUITES.values():
        for candidate in metrics:
            if name in (candidate.name, candidate.code, *candidate.formerly):
                return candidate
    message = f"expected a metric's name or code, found {name!r}"
    raise UsageError(message)


def current_name(name: str) -> str:
    """The name of a metric in files of today; that of anything else (``reply_state``) is its own."""
    try:
        return metric(name).name
    except UsageError:
        return name
