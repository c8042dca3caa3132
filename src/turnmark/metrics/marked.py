"""Between what a metric gives for a turn and what the row of the turn keeps of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence

from turnmark.metrics.definition import Metric
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.marks import Mark
from turnmark.schemas.reasons import ERROR, TEMPLATES, Reason
from turnmark.schemas.trace import TurnStatus
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value

NOT_MARKED = Reason("not_marked")


def mark_of(metric: Metric, outcomes: Outcomes) -> Mark:
    """The mark that a row keeps. Raises: ValueError when there are not as many outcomes as the metric has measures."""
    if isinstance(outcomes, NotApplicable):
        return Mark(not_applicable=str(outcomes.reason), reason=_coded(outcomes.reason))
    if isinstance(outcomes, Failed):
        return Mark(failed=str(outcomes.reason), reason=_coded(outcomes.reason))
    measures: dict[str, tuple[float, float]] = {}
    undecided: dict[str, float] = {}
    for measure, item in zip(metric.measures, outcomes, strict=True):
        if isinstance(item, Value):
            measures[measure.name] = (item.value, 1.0)
            continue
        measures[measure.name] = (float(item.hits), float(item.total))
        if item.undecided:
            undecided[measure.name] = float(item.undecided)
    return Mark(measures=measures, undecided=undecided)


def marks_of(metrics: Iterable[Metric], outcomes: Mapping[str, Outcomes]) -> dict[str, Mark]:
    """The marks that a row keeps. Raises: KeyError for a metric without outcomes; ValueError as `mark_of`."""
    return {metric.name: mark_of(metric, outcomes[metric.name]) for metric in metrics}


def counted(outcomes: Outcomes, status: TurnStatus) -> Outcomes:
    """What a turn counts for: nothing but a failure where it did not end ok, whatever was marked."""
    return outcomes if status == "ok" else Failed(Reason("turn_status", {"status": status}))


def outcomes_of(metric: Metric, row: Row) -> Outcomes:
    """What a row gives for a metric; measures that it does not name count for nothing."""
    return counted(_outcomes(metric, row.marks.get(metric.name)), row.turn_status)


def readers(metrics: Sequence[Metric]) -> list[tuple[int, Callable[[Row], Outcomes]]]:
    """Of each metric whose unit is a turn: its place, and what reads a row of its suite."""
    return [
        (index, functools.partial(outcomes_of, metric)) for index, metric in enumerate(metrics) if metric.unit == "turn"
    ]


def _outcomes(metric: Metric, mark: Mark | None) -> Outcomes:
    if mark is None:
        return NotApplicable(NOT_MARKED)
    if mark.failed is not None:
        return Failed(reason_of(mark))
    if not mark.measures:
        return NotApplicable(reason_of(mark))
    sums = [mark.measures.get(measure.name, (0.0, 0.0)) for measure in metric.measures]
    return [
        Value(hits)
        if measure.kind == "mean" and total == 1.0
        else Ratio(hits, total, mark.undecided.get(measure.name, 0.0))
        for measure, (hits, total) in zip(metric.measures, sums, strict=True)
    ]


def reason_of(mark: Mark) -> Reason:
    """Why a mark has no measures. A mark of an earlier or later version is taken by its text."""
    if mark.reason is not None and mark.reason.code in TEMPLATES:
        return mark.reason
    text = mark.not_applicable if mark.failed is None else mark.failed
    return NOT_MARKED if text is None else Reason.text(text)


def _coded(reason: Reason) -> Reason | None:
    """What a mark keeps beside the text: nothing where the text is all there is."""
    return None if reason.code == ERROR else reason
