"""The figures of a summary, arranged in the order in which people read them.

The main table holds the measures that a metric names for it (`Metric.main`); every other measure, also one that this
version does not know, goes into the second. A figure whose denominator is zero is None, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from turnmark.metrics import catalog
from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.results.summary import (
    EvalSummary,
    Figures,
    Interval,
    MetricResult,
    bounds_of,
    decided_share,
    undecided_of,
)

NO_VALUE = "(none)"
"""What dialogues that say nothing of a field stand under."""

MOST_STRATA = 40
"""Values of one field that are shown; the rest stands in the summary file."""


class Figure(NamedTuple):
    """One value with its interval and denominator; ``value`` is None when there is nothing to divide by.

    ``decided`` is the share of things that were decided, ``undecided`` how many were not (None: not known), ``bounds``
    what the value could be had all been; None where everything was.
    """

    value: float | None
    interval: Interval = None
    denominator: float | None = None
    decided: float = 1.0
    bounds: Interval = None
    undecided: float | None = 0.0


class MeasureRow(NamedTuple):
    """One line of a table. ``low`` and ``high`` bound the scale; ``upward`` says whether more is better."""

    name: str
    low: float
    high: float
    upward: bool
    overall: Figure
    macro: Figure
    normal: Figure


class MetricBlock(NamedTuple):
    """The lines of one metric. Counts are None where the summary does not say."""

    name: str
    code: str
    title: str
    unit: str
    rows: tuple[MeasureRow, ...]
    eligible: int | None
    skipped: int | None
    failed: int | None
    normal_eligible: int | None


class Stratum(NamedTuple):
    """One value of a field, with the figures of one metric."""

    value: str
    figures: tuple[Figure, ...]


class StrataTable(NamedTuple):
    """One metric broken down by a field; ``left_out`` values are not shown."""

    name: str
    code: str
    title: str
    measures: tuple[MeasureRow, ...]
    strata: tuple[Stratum, ...]
    left_out: int


def known_metric(name: str) -> Metric | None:
    """The catalogue's declaration of a metric, or None for one that this version does not know."""
    return catalog.known(name)


def main_measures(metric: Metric | None) -> tuple[str, ...]:
    """The measures of a metric that the main table shows."""
    return () if metric is None else metric.main_measures()


def reported(summary: EvalSummary) -> dict[str, MetricResult]:
    """The metrics that tables show: one that joined from another suite only where some turn had what it needs."""
    return {
        name: result for name, result in summary.metrics.items() if not _idle_guest(name, result, summary.suite_name)
    }


def _idle_guest(name: str, result: MetricResult, suite: str) -> bool:
    metric = known_metric(name)
    counts = (result.counts.get("eligible_count"), result.counts.get("failed_count"))
    return metric is not None and metric.suite != suite and counts == (0, 0)


def main_blocks(summary: EvalSummary) -> list[MetricBlock]:
    """The main table: metrics in the order of the summary, measures in the order of the specification."""
    return [block for name, result in reported(summary).items() if (block := _block(name, result, main=True)).rows]


def other_blocks(summary: EvalSummary) -> list[MetricBlock]:
    """Every measure that is not in the main table."""
    return [block for name, result in reported(summary).items() if (block := _block(name, result, main=False)).rows]


def whole_blocks(summary: EvalSummary) -> list[MetricBlock]:
    """Every measure, each metric once: those of the main table first."""
    blocks: dict[str, MetricBlock] = {}
    for block in (*main_blocks(summary), *other_blocks(summary)):
        known = blocks.get(block.name)
        blocks[block.name] = block if known is None else known._replace(rows=known.rows + block.rows)
    return [blocks[name] for name in summary.metrics if name in blocks]


def strata_tables(summary: EvalSummary) -> dict[str, list[StrataTable]]:
    """The main measures of every metric by every field that the run was broken down by."""
    tables: dict[str, list[StrataTable]] = {}
    for name, result in reported(summary).items():
        block = _block(name, result, main=True)
        block = block if block.rows else _block(name, result, main=False)
        for field, values in result.strata.items():
            if not values.keys() - {NO_VALUE}:
                continue
            shown = list(values.items())[:MOST_STRATA]
            strata = tuple(
                Stratum(value, tuple(_figure_of(figures, row.name) for row in block.rows)) for value, figures in shown
            )
            table = StrataTable(name, block.code, block.title, block.rows, strata, len(values) - len(shown))
            tables.setdefault(field, []).append(table)
    return tables


def fields_without_values(summary: EvalSummary) -> list[str]:
    """The fields that figures were broken down by and that no dialogue says anything of."""
    fields = {field: values for result in summary.metrics.values() for field, values in result.strata.items()}
    return [field for field, values in fields.items() if not values.keys() - {NO_VALUE}]


def _block(name: str, result: MetricResult, *, main: bool) -> MetricBlock:
    metric = known_metric(name)
    code = metric.code if metric else ""
    wanted = main_measures(metric)
    if main:
        names = [measure for measure in wanted if measure in result.micro or measure in result.macro]
    else:
        names = [measure for measure in {**result.micro, **result.macro} if measure not in wanted]
    normal = result.normal_only
    return MetricBlock(
        name=name,
        code=code,
        title=metric.title if metric else name,
        unit=metric.unit if metric else "",
        rows=tuple(_row(result, measure, _declared(metric, measure)) for measure in names),
        eligible=result.counts.get("eligible_count"),
        skipped=result.counts.get("skipped_count"),
        failed=result.counts.get("failed_count"),
        normal_eligible=normal.counts.get("eligible_count") if normal else None,
    )


def _declared(metric: Metric | None, name: str) -> Measure | None:
    return next((measure for measure in metric.measures if measure.name == name), None) if metric else None


def _row(result: MetricResult, name: str, declared: Measure | None) -> MeasureRow:
    known = [value for value in (result.micro.get(name), result.macro.get(name)) if value is not None]
    denominator = _denominator(result.denominators, result.counts, name)
    return MeasureRow(
        name=name,
        low=declared.low if declared else min(0.0, *known),
        high=declared.high if declared else max(1.0, *known),
        upward=declared.upward if declared else True,
        overall=_figure(result.micro, result.intervals, denominator, name, result),
        macro=_figure(result.macro, result.macro_intervals, denominator, name)._replace(
            denominator=None, bounds=result.macro_bounds.get(name) if result.macro_bounds else None
        ),
        normal=_figure_of(result.normal_only, name),
    )


def _figure_of(figures: Figures | None, name: str) -> Figure:
    if figures is None:
        return Figure(None)
    denominator = _denominator(figures.denominators, figures.counts, name)
    return _figure(figures.micro, figures.intervals, denominator, name, figures)


def _denominator(denominators: Mapping[str, float], counts: Mapping[str, int], name: str) -> float | None:
    """What a figure was divided by; a summary without denominators still says when no row was eligible."""
    if name in denominators:
        return denominators[name]
    return 0.0 if counts.get("eligible_count") == 0 else None


def _figure(
    values: Mapping[str, float],
    intervals: Mapping[str, Interval],
    denominator: float | None,
    name: str,
    within: Figures | MetricResult | None = None,
) -> Figure:
    figure = Figure(None, None, denominator)
    if within:
        rest = undecided_of(within, name)
        figure = figure._replace(decided=decided_share(within, name), bounds=bounds_of(within, name), undecided=rest)
    if denominator == 0 or name not in values:
        return figure
    return figure._replace(value=values[name], interval=intervals.get(name))
