"""From the sums of dialogues to the summary of a run."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnmark.metrics.definition import Metric
from turnmark.schemas.summary import Figures, Interval, MetricResult, Resampling
from turnmark.stats.intervals import MINIMUM_CLUSTERS, cluster_bootstrap
from turnmark.stats.tally import DialogSums, Pooled, Tally, columns, pooled

RESAMPLES = 1000
SEED = 20260101
LEVEL = 0.95

RESAMPLING = Resampling(
    method="percentile bootstrap, dialogues resampled with replacement",
    level=LEVEL,
    resamples=RESAMPLES,
    seed=SEED,
    minimum_clusters=MINIMUM_CLUSTERS,
)


class Bounds(NamedTuple):
    """Intervals of every measure of every metric, in the order of the tally's columns."""

    micro: list[Interval]
    macro: list[Interval]


def intervals(
    tally: Tally, metrics: Sequence[Metric], dialogs: Sequence[DialogSums], *, normal: bool = False
) -> tuple[Bounds, Bounds]:
    """95 % intervals by resampling dialogues, over all rows and (when asked for) over normal rows.

    Both use the same resampled dialogues; None below the minimum number of dialogues.
    """
    width = sum(tally.widths)
    none = Bounds([None] * width, [None] * width)
    if not dialogs:
        return none, none
    sums = [columns(dialogs), *([columns(dialogs, normal=True)] if normal else [])]
    table = np.hstack([_table(rows, len(dialogs), 2 * width) for rows in sums])
    ranges = [(measure.low, measure.high) for metric in metrics for measure in metric.measures] * len(sums)
    found = cluster_bootstrap(
        table[:, 0::2], table[:, 1::2], resamples=RESAMPLES, seed=SEED, level=LEVEL, ranges=ranges, macro=normal
    )
    micro = [_interval(low, high) for low, high in zip(found.micro_low, found.micro_high, strict=True)]
    macro = [_interval(low, high) for low, high in zip(found.macro_low, found.macro_high, strict=True)]
    return Bounds(micro[:width], macro[:width]), Bounds(micro[width:], macro[width:]) if normal else none


def _table(rows: Iterable[array[float]], height: int, width: int) -> NDArray[np.float64]:
    return np.frombuffer(b"".join(row.tobytes() for row in rows)).reshape(height, width)


def _interval(low: float | None, high: float | None) -> Interval:
    return None if low is None or high is None else (float(low), float(high))


def summarise(
    tally: Tally,
    metrics: Sequence[Metric],
    *,
    published_counts: bool = False,
    strata: Sequence[str] = (),
    with_intervals: bool = True,
) -> dict[str, MetricResult]:
    """Every metric over all rows, over normal rows, and by stratum.

    ``published_counts`` counts rows of failed turns as skipped, as the first published runs did.
    """
    dialogs = list(tally.dialogs.values())
    none = Bounds([None] * sum(tally.widths), [None] * sum(tally.widths))
    everything, normal = intervals(tally, metrics, dialogs, normal=True) if with_intervals else (none, none)
    groups = {field: _groups(dialogs, field) for field in strata}
    bounds = {
        (field, value): intervals(tally, metrics, members)[0] if with_intervals else none
        for field, values in groups.items()
        for value, members in values.items()
    }
    results = {}
    for place, metric in enumerate(metrics):
        result = _result(tally, place, metric, dialogs, everything, published_counts=published_counts)
        result.normal_only = _figures(
            tally, place, metric, dialogs, normal, published_counts=published_counts, normal=True
        )
        result.strata = {
            field: {
                value: _figures(tally, place, metric, members, bounds[field, value], published_counts=published_counts)
                for value, members in values.items()
            }
            for field, values in groups.items()
        }
        results[metric.name] = result
    return results


def _groups(dialogs: Iterable[DialogSums], field: str) -> dict[str, list[DialogSums]]:
    """Dialogues by the value of a field, values sorted, dialogues without one under "(none)"."""
    groups: dict[str, list[DialogSums]] = {}
    for dialog in dialogs:
        groups.setdefault(dialog.strata.get(field) or "(none)", []).append(dialog)
    return dict(sorted(groups.items()))


def _result(
    tally: Tally, place: int, metric: Metric, dialogs: Sequence[DialogSums], bounds: Bounds, *, published_counts: bool
) -> MetricResult:
    pool = pooled(tally, place, dialogs)
    figures = _figures_of(pool, tally, place, metric, bounds, published_counts=published_counts)
    start = sum(tally.widths[:place])
    shown = [index for index, measure in enumerate(metric.measures) if measure.in_macro]
    names = [measure.name for measure in metric.measures]
    return MetricResult(
        metric_name=metric.name,
        micro=figures.micro,
        macro={names[index]: pool.macro[index] or 0.0 for index in shown},
        counts=figures.counts,
        by_dialog={
            dialog_id: {names[index]: own[index] or 0.0 for index in shown} for dialog_id, own in pool.by_dialog.items()
        },
        denominators=figures.denominators,
        intervals=figures.intervals,
        macro_intervals={names[index]: bounds.macro[start + index] for index in shown},
    )


def _figures(
    tally: Tally,
    place: int,
    metric: Metric,
    dialogs: Sequence[DialogSums],
    bounds: Bounds,
    *,
    published_counts: bool,
    normal: bool = False,
) -> Figures:
    pool = pooled(tally, place, dialogs, normal=normal)
    return _figures_of(pool, tally, place, metric, bounds, published_counts=published_counts)


def _figures_of(
    pool: Pooled, tally: Tally, place: int, metric: Metric, bounds: Bounds, *, published_counts: bool
) -> Figures:
    start = sum(tally.widths[:place])
    names = [measure.name for measure in metric.measures]
    return Figures(
        micro={
            name: hits / total if total else 0.0
            for name, hits, total in zip(names, pool.hits, pool.totals, strict=True)
        },
        counts=_counts(pool, metric, published_counts=published_counts),
        denominators=dict(zip(names, pool.totals, strict=True)),
        intervals={name: bounds.micro[start + index] for index, name in enumerate(names)},
    )


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
