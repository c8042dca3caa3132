"""From the sums of dialogues to the summary of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.results.summary import Figures, IntervalMethod, MetricResult, Resampling
from turnmark.schemas.results.summary import Interval as Bounds
from turnmark.stats.by_dialog import ByDialog, Shown
from turnmark.stats.dialog_table import DialogTable
from turnmark.stats.distinct import distinct_rows
from turnmark.stats.intervals import MINIMUM_CLUSTERS, Interval
from turnmark.stats.methods import PHRASES, cluster_intervals
from turnmark.stats.pooling import Part, Pooled, pooled

RESAMPLES = 1000
SEED = 20260101
LEVEL = 0.95


class Estimates(NamedTuple):
    """Intervals of every measure of every metric, in the order of the tally's columns."""

    micro: list[Interval]
    macro: list[Interval]


def resampling(method: IntervalMethod = "percentile") -> Resampling:
    """How the intervals of a summary are made."""
    return Resampling(
        method=PHRASES[method],
        level=LEVEL,
        resamples=0 if method == "analytic" else RESAMPLES,
        seed=SEED,
        minimum_clusters=MINIMUM_CLUSTERS,
    )


def intervals(
    part: Part, metrics: Sequence[Metric], normal: Part | None = None, *, method: IntervalMethod = "percentile"
) -> tuple[Estimates, Estimates]:
    """95 % intervals by dialogue, over all rows and (when given) over normal rows of the same dialogues.

    Both use the same resampled dialogues; no bounds below the minimum number of dialogues. Macro has bounds when normal
    rows are given, as for a whole run.
    """
    width = sum(part.widths)
    if not len(part):
        return _none(width), _none(width)
    parts = [part, *([normal] if normal is not None else [])]
    kinds, firsts = distinct_rows(
        (read(place) for each in parts for place in range(width) for read in (each.hits, each.totals)), len(part)
    )
    result = cluster_intervals(
        np.stack([each.hits(place)[firsts] for each in parts for place in range(width)], axis=1),
        np.stack([each.totals(place)[firsts] for each in parts for place in range(width)], axis=1),
        kinds=kinds,
        method=method,
        resamples=RESAMPLES,
        seed=SEED,
        level=LEVEL,
        ranges=[(measure.low, measure.high) for metric in metrics for measure in metric.measures] * len(parts),
        macro=normal is not None,
    )
    micro = [result.of(index) for index in range(width * len(parts))]
    macro = [result.of(index, macro=True) for index in range(width * len(parts))]
    everything = Estimates(micro[:width], macro[:width])
    return everything, Estimates(micro[width:], macro[width:]) if normal is not None else _none(width)


def _none(width: int) -> Estimates:
    return Estimates([Interval(None)] * width, [Interval(None)] * width)


def summarise(
    table: DialogTable,
    metrics: Sequence[Metric],
    *,
    published_counts: bool = False,
    strata: Sequence[str] = (),
    method: IntervalMethod | None = "percentile",
) -> dict[str, MetricResult]:
    """Every metric over all rows, over normal rows, and by stratum.

    ``published_counts`` counts rows of failed turns as skipped, as the first published runs did. ``method`` is how
    intervals are made; None gives figures without.
    """
    part, only_normal = Part(table), Part(table, normal=True)
    none = _none(sum(table.widths))
    everything, normal = intervals(part, metrics, only_normal, method=method) if method else (none, none)
    groups = {field: {value: part.of(rows) for value, rows in table.groups(field).items()} for field in strata}
    bounds = {
        (field, value): intervals(members, metrics, method=method)[0] if method else none
        for field, values in groups.items()
        for value, members in values.items()
    }
    results = {}
    for index, metric in enumerate(metrics):
        result = _result(table, index, metric, everything, published_counts=published_counts)
        if metric.extra and not result.counts["eligible_count"]:
            continue
        result.normal_only = _figures(only_normal, index, metric, normal, published_counts=published_counts)
        result.strata = {
            field: {
                value: _figures(members, index, metric, bounds[field, value], published_counts=published_counts)
                for value, members in values.items()
            }
            for field, values in groups.items()
        }
        results[metric.name] = result
    return results


def _result(
    table: DialogTable, place: int, metric: Metric, bounds: Estimates, *, published_counts: bool
) -> MetricResult:
    pool = pooled(Part(table), place)
    start = sum(table.widths[:place])
    figures = _figures_of(pool, start, metric, bounds, published_counts=published_counts)
    shown = [index for index, measure in enumerate(metric.measures) if measure.in_macro]
    names = [measure.name for measure in metric.measures]
    return MetricResult(
        metric_name=metric.name,
        micro=figures.micro,
        macro={names[index]: pool.macro[index] or 0.0 for index in shown},
        counts=figures.counts,
        by_dialog=ByDialog(
            table,
            place,
            [Shown(index, names[index], always=not (metric.extra or index in pool.bounds)) for index in shown],
        ),
        denominators=figures.denominators,
        intervals=figures.intervals,
        macro_intervals={names[index]: bounds.macro[start + index].bounds for index in shown},
        standard_errors=figures.standard_errors,
        macro_standard_errors={names[index]: bounds.macro[start + index].standard_error for index in shown},
        interval_methods=figures.interval_methods,
        macro_interval_methods={names[index]: bounds.macro[start + index].method for index in shown},
        coverage=figures.coverage,
        missing_bounds=figures.missing_bounds,
        decided_share=figures.decided_share,
        bounds=figures.bounds,
        undecided=figures.undecided,
        macro_bounds={names[index]: pool.bounds[index].macro for index in shown if index in pool.bounds} or UNSET,
    )


def _figures(part: Part, place: int, metric: Metric, bounds: Estimates, *, published_counts: bool) -> Figures:
    start = sum(part.widths[:place])
    return _figures_of(pooled(part, place), start, metric, bounds, published_counts=published_counts)


def _figures_of(pool: Pooled, start: int, metric: Metric, bounds: Estimates, *, published_counts: bool) -> Figures:
    names = [measure.name for measure in metric.measures]
    own = {name: bounds.micro[start + index] for index, name in enumerate(names)}
    return Figures(
        micro={
            name: hits / total if total else 0.0
            for name, hits, total in zip(names, pool.hits, pool.totals, strict=True)
        },
        counts=_counts(pool, metric, published_counts=published_counts),
        denominators=dict(zip(names, pool.totals, strict=True)),
        intervals={name: value.bounds for name, value in own.items()},
        standard_errors={name: value.standard_error for name, value in own.items()},
        interval_methods={name: value.method for name, value in own.items()},
        coverage=pool.eligible / pool.rows if pool.rows else None,
        missing_bounds={
            measure.name: missing_bounds(pool, index, measure) for index, measure in enumerate(metric.measures)
        },
        decided_share={names[index]: bound.decided_share for index, bound in pool.bounds.items()} or UNSET,
        bounds={names[index]: bound.pooled for index, bound in pool.bounds.items()} or UNSET,
        undecided={names[index]: bound.undecided for index, bound in pool.bounds.items()} or UNSET,
    )


def missing_bounds(pool: Pooled, index: int, measure: Measure) -> Bounds:
    """The least and the greatest a pooled figure could be, had the failed rows a value.

    Formula: (E * x + F * end) / (E + F), x the figure over E eligible rows, F failed rows, each taken to be as large as
    an eligible row is on average, end the lowest or highest value of the scale. None when there is no such row. Source:
    Horowitz & Manski 2000, JASA 95(449).
    """
    total = pool.totals[index]
    seen = pool.eligible if total else 0
    if not seen + pool.failed:
        return None
    known = seen * pool.hits[index] / total if total else 0.0
    low, high = (known + pool.failed * end for end in (measure.low, measure.high))
    return low / (seen + pool.failed), high / (seen + pool.failed)


def _counts(pool: Pooled, metric: Metric, *, published_counts: bool) -> dict[str, int]:
    failed, skipped = pool.failed, pool.rows - pool.eligible - pool.failed
    if published_counts:
        # The first runs counted rows of failed turns as skipped, and invalid dialogues both as skipped and as failed.
        skipped = pool.rows - pool.eligible
        failed = 0 if metric.unit == "turn" else failed
    counts = {"eligible_count": pool.eligible, "skipped_count": skipped, "failed_count": failed}
    if metric.eligible_name:
        counts[metric.eligible_name] = pool.eligible
    for name, (measure, side) in metric.totals.items():
        index = metric.measure(measure)
        counts[name] = round(pool.hits[index] if side == "hits" else pool.totals[index])
    return counts
