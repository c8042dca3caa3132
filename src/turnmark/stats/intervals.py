"""Intervals of ratios whose rows come in clusters (the turns of one dialogue are one cluster)."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from turnmark.errors import UsageError
from turnmark.stats.bca import bca_interval, ratios_without_one
from turnmark.stats.resampling import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Floats,
    check_settings,
    draw_weights,
    effective_clusters,
    one_thread,
    percentile_interval,
    rare_limit,
    to_fixed_point,
)

MINIMUM_CLUSTERS = 10
"""Below it no interval is given: a bootstrap of fewer clusters claims more than it knows."""

RARE_CLUSTERS = 4
"""Bounds lie at least as far out as the exact ones for this many dissenting clusters, for all where fewer dissent."""

PERCENTILE = "percentile"
BCA = "bca"
RARE = "rare"
WILSON = "wilson"
WILSON_CLUSTERED = "wilson_clustered"
STUDENT = "t"


@dataclass(frozen=True, slots=True)
class Interval:
    """One estimate with what is known about its error.

    `estimate` is None when the statistic is undefined on the data. `low`, `high`, `standard_error` and `method` are
    None when no interval is given. `clusters` is the number of clusters the estimate rests on, `undefined` the number
    of resamples left out because the statistic was undefined there. `method` is "percentile" or "bca", "rare" when so
    few clusters differ that an exact limit took the place of a bound (see `cluster_bootstrap`), or one of those of
    `turnmark.stats.analytic`. `standard_error` is the standard deviation of the resamples, or that of the formula; None
    when nothing varies.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    clusters: int = 0
    undefined: int = 0
    method: str | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Both bounds, None when no interval is given."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True)
class Intervals:
    """Micro and macro estimates of several measures; every tuple has one entry a measure, in the columns' order.

    Entries mean what the fields of `Interval` mean. `clusters` counts the clusters with a total above zero;
    `undefined` the resamples in which none of these was drawn.
    """

    micro: tuple[float | None, ...]
    micro_low: tuple[float | None, ...]
    micro_high: tuple[float | None, ...]
    micro_standard_error: tuple[float | None, ...]
    micro_method: tuple[str | None, ...]
    macro: tuple[float | None, ...]
    macro_low: tuple[float | None, ...]
    macro_high: tuple[float | None, ...]
    macro_standard_error: tuple[float | None, ...]
    macro_method: tuple[str | None, ...]
    clusters: tuple[int, ...]
    undefined: tuple[int, ...]

    def of(self, measure: int, *, macro: bool = False) -> Interval:
        """The micro (or macro) estimate of one measure."""
        if macro:
            return Interval(
                self.macro[measure], self.macro_low[measure], self.macro_high[measure],
                self.macro_standard_error[measure], self.clusters[measure], self.undefined[measure],
                self.macro_method[measure],
            )  # fmt: skip
        return Interval(
            self.micro[measure], self.micro_low[measure], self.micro_high[measure], self.micro_standard_error[measure],
            self.clusters[measure], self.undefined[measure], self.micro_method[measure],
        )  # fmt: skip


def cluster_bootstrap(  # noqa: PLR0913 - settings of both intervals
    hits: ArrayLike,
    totals: ArrayLike,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
    ranges: Sequence[tuple[float, float]] | None = None,
    macro: bool = True,
    bca: bool = False,
    kinds: NDArray[np.intp] | None = None,
) -> Intervals:
    """Pooled and per-cluster means of many measures, with intervals from resampling whole clusters.

    Formula, for hits h and totals T of clusters c:
      micro = sum(h) / sum(T), macro = mean of h / T over the clusters with T > 0.
    `resamples` times, as many clusters as there are get drawn with replacement, the same for every measure; bounds are
    percentiles of micro and macro of these draws, widened for few clusters (see `percentile_interval`), with `bca`
    corrected for bias and skew by leaving out each cluster in turn (see `bca_interval`; plain percentiles, and named
    so, where the correction is not defined).

    A bootstrap can not show what no cluster showed: with 0 of n it would claim an error of nothing. So the bound away
    from each end of the measure's range is the further of the percentile and of end +- p * d: d is the mean distance
    from that end of the k clusters that differ from it, p the Clopper-Pearson limit of their share, as if only
    min(k, RARE_CLUSTERS) differed; it matters where few do. Where all agree on a value v, the bounds are
    v - p * (v - lowest) and v + p * (highest - v): what dissenting clusters at the ends of the range could do, were
    there as many as may have gone unseen. Micro counts clusters by their effective number, (sum T)**2 / sum(T**2).

    Unit, range and direction: those of h / T, normally a share from 0 to 1.

    `hits`, `totals`: shape (clusters, measures), finite; totals >= 0; hits 0 where the total is 0. Row order is part of
    the input: give clusters in a fixed order (of their ids) and results are the same bytes every time, on any
    number of threads, whichever other measures are there. `ranges`: lowest and highest possible h / T a measure;
    left out, it is (0, 1) for measures that stay inside it and otherwise unknown. Give it for scores such as 1 to 5.
    `macro`: False leaves the bounds of macro out, for callers that show none. `kinds`, shape (clusters,): the row of
    `hits` and `totals` that each cluster has, where clusters that are alike share one, each row at least one cluster's;
    the results are those of the rows written out, in less memory and time.

    Empty case: total 0 everywhere gives None for all of the measure; fewer than MINIMUM_CLUSTERS clusters with a total
    above zero gives estimates without bounds, and so does a value all clusters agree on when its range is unknown.
    Resamples with total 0 are left out for that measure and counted in `undefined`.

    Errors: UsageError for shapes that differ or are not two-dimensional, values that are not finite, negative totals,
    hits without a total, a ratio outside its range, and settings as in `check_settings`.

    Source: Efron & Tibshirani 1993, chapters 6 and 13; Cameron, Gelbach & Miller 2008; Field & Welsh 2007; the exact
    limit: Brown, Cai & DasGupta 2001, section 4.2.1; effective number: Kish 1965.
    """
    check_settings(resamples, level)
    hit_table, total_table = checked(hits, totals)
    present = total_table > 0
    ratios = np.divide(hit_table, total_table, out=np.zeros_like(hit_table), where=present)
    limits = ranges_of(ratios, present, ranges)
    kinds = np.arange(len(hit_table)) if kinds is None else kinds
    micro_draws = macro_draws = np.empty((0, len(limits)))
    if (np.bincount(kinds, minlength=len(present)) @ present).max(initial=0) >= MINIMUM_CLUSTERS:
        micro_draws, macro_draws = _draw_ratios((hit_table, total_table, ratios), kinds, resamples, seed)

    pairs: list[tuple[Interval, Interval]] = []
    for column, limit in enumerate(limits):
        rows = kinds[present[kinds, column]]
        ratio, total = ratios[rows, column], total_table[rows, column]
        pooled = math.fsum(hit_table[rows, column]) / math.fsum(total) if ratio.size else None
        mean = math.fsum(ratio) / ratio.size if ratio.size else None
        weights = (total, np.ones_like(total)) if macro else (total,)
        bounded_ratios = [
            bounded_ratio(estimate, ratio, weight, draws[:, column], limit, level, bca=bca)
            for estimate, weight, draws in zip((pooled, mean), weights, (micro_draws, macro_draws), strict=False)
        ]
        pooled_interval, mean_interval = bounded_ratios[0], bounded_ratios[1] if macro else Interval(mean)
        pairs.append((pooled_interval, mean_interval))
    return by_field(pairs)


def bounded_statistic(
    estimate: float | None, draws: Floats, clusters: int, level: float, without_one: Floats | None = None
) -> Interval:
    """Percentile interval of any statistic from its resampled values, nan where it was undefined.

    With `without_one`, the statistic with each cluster left out, it is the BCa interval where that is defined.

    No bounds below MINIMUM_CLUSTERS clusters, without an estimate, or when the draws do not vary: a width of zero would
    say that the error is nothing, when all that is known is that no resample showed one.
    """
    if estimate is None or clusters < MINIMUM_CLUSTERS:
        return Interval(estimate, clusters=clusters)
    defined = draws[~np.isnan(draws)]
    undefined = draws.size - defined.size
    if defined.size < 2 or float(np.ptp(defined)) <= noise(estimate):
        return Interval(estimate, clusters=clusters, undefined=undefined)
    corrected = None if without_one is None else bca_interval(estimate, defined, without_one, clusters, level)
    low, high = corrected or percentile_interval(defined, clusters, level)
    error = float(np.std(defined, ddof=1))
    return Interval(estimate, low, high, error, clusters, undefined, BCA if corrected else PERCENTILE)


def bounded_ratio(
    estimate: float | None,
    ratios: Floats,
    totals: Floats,
    draws: Floats,
    limits: tuple[float, float] | None,
    level: float,
    *,
    bca: bool = False,
) -> Interval:
    """Interval of a mean of cluster ratios weighted by `totals`, exact where few clusters differ.

    `ratios` and `totals` have shape (clusters,), totals above zero; `draws` has shape (resamples,) with nan where
    undefined; `limits` is the range of a ratio, None when unknown. See `cluster_bootstrap` for the rule.
    """
    enough = ratios.size >= MINIMUM_CLUSTERS
    without_one = ratios_without_one(ratios * totals, totals) if bca and enough else None
    result = bounded_statistic(estimate, draws, ratios.size, level, without_one)
    if estimate is None or limits is None or not enough:
        return result
    lowest, highest = limits
    effective = effective_clusters(totals)
    if float(np.ptp(ratios)) <= 2 * noise(estimate):
        share = rare_limit(0, effective, level)
        low = estimate - share * (estimate - lowest)
        high = estimate + share * (highest - estimate)
        return Interval(estimate, low, high, None, result.clusters, result.undefined, RARE)
    if result.low is None or result.high is None:
        return result
    low = min(result.low, _exact_bound(highest, ratios, totals, effective, level))
    high = max(result.high, _exact_bound(lowest, ratios, totals, effective, level))
    method = result.method if (low, high) == (result.low, result.high) else RARE
    return Interval(estimate, low, high, result.standard_error, result.clusters, result.undefined, method)


def _exact_bound(end: float, ratios: Floats, totals: Floats, effective: float, level: float) -> float:
    """How far from an end of the range the mean may lie if at most RARE_CLUSTERS clusters differ from that end."""
    apart = np.abs(ratios - end) > noise(end)
    distance = math.fsum((ratios - end)[apart] * totals[apart]) / math.fsum(totals[apart])
    return end + rare_limit(min(int(apart.sum()), RARE_CLUSTERS), effective, level) * distance


def noise(value: float) -> float:
    """Differences up to this are rounding: ratios of floats that mean the same."""
    return 1e-12 * max(1.0, abs(value))


def checked(hits: ArrayLike, totals: ArrayLike) -> tuple[Floats, Floats]:
    """Both as tables of floats. Errors: UsageError as `cluster_bootstrap` says."""
    hit_table, total_table = np.asarray(hits, dtype=np.float64), np.asarray(totals, dtype=np.float64)
    if hit_table.ndim != 2 or hit_table.shape != total_table.shape:
        raise UsageError(
            f"hits have shape {hit_table.shape!r}, totals {total_table.shape!r}: give both as (clusters, measures)"
        )
    faults = (
        (~np.isfinite(hit_table) | ~np.isfinite(total_table), "is not finite"),
        (total_table < 0, "has a negative total"),
        ((total_table == 0) & (hit_table != 0), "has hits but no total"),
    )
    for item, message in faults:
        if item.any():
            row, column = (int(index) for index in np.argwhere(item)[0])
            raise UsageError(
                f"cluster {row}, measure {column} {message}: "
                f"hits {float(hit_table[row, column])!r}, total {float(total_table[row, column])!r}"
            )
    return hit_table, total_table


def ranges_of(
    ratios: Floats, present: NDArray[np.bool_], ranges: Sequence[tuple[float, float]] | None
) -> list[tuple[float, float] | None]:
    """The range of each measure, None where it is unknown. Errors: UsageError for a ratio outside its range."""
    measures = ratios.shape[1]
    if ranges is not None and len(ranges) != measures:
        raise UsageError(f"{len(ranges)} ranges for {measures} measures: give one a measure")
    smallest = np.min(ratios, axis=0, where=present, initial=np.inf)
    largest = np.max(ratios, axis=0, where=present, initial=-np.inf)
    limits: list[tuple[float, float] | None] = []
    for column in range(measures):
        lowest, highest = (0.0, 1.0) if ranges is None else ranges[column]
        short, over = lowest - smallest[column], largest[column] - highest
        inside = bool(short <= noise(lowest) and over <= noise(highest))
        if ranges is not None and not inside:
            raise UsageError(
                f"measure {column} runs from {float(smallest[column])!r} to {float(largest[column])!r}, "
                f"outside its range {ranges[column]!r}: check the range and the counts"
            )
        limits.append((lowest, highest) if inside else None)
    return limits


def by_field(pairs: Sequence[tuple[Interval, Interval]]) -> Intervals:
    """Intervals of micro and macro a measure, turned into one tuple a field."""
    micro, macro = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Intervals(
        micro=tuple(entry.estimate for entry in micro),
        micro_low=tuple(entry.low for entry in micro),
        micro_high=tuple(entry.high for entry in micro),
        micro_standard_error=tuple(entry.standard_error for entry in micro),
        micro_method=tuple(entry.method for entry in micro),
        macro=tuple(entry.estimate for entry in macro),
        macro_low=tuple(entry.low for entry in macro),
        macro_high=tuple(entry.high for entry in macro),
        macro_standard_error=tuple(entry.standard_error for entry in macro),
        macro_method=tuple(entry.method for entry in macro),
        clusters=tuple(entry.clusters for entry in micro),
        undefined=tuple(entry.undefined for entry in micro),
    )


def _draw_ratios(
    tables: tuple[Floats, Floats, Floats], kinds: NDArray[np.intp], resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Micro and macro of every draw, two arrays of shape (resamples, measures), nan where undefined.

    ``tables`` are hits, totals and ratios. Columns that are alike are summed once.
    """
    columns, places = _distinct_columns((*tables, tables[1] > 0))
    shift = to_fixed_point(columns, len(kinds))
    sums = np.empty((resamples, columns.shape[1]))
    start = 0
    with one_thread():
        for weights in draw_weights(len(kinds), resamples, seed, kinds=kinds):
            np.matmul(weights, columns, out=sums[start : start + len(weights)])
            start += len(weights)
    np.ldexp(sums, -shift, out=sums)
    hit_sums, total_sums, ratio_sums, counts = np.split(sums[:, places], 4, axis=1)
    drawn = counts > 0
    undefined = np.full_like(hit_sums, np.nan)
    micro = np.divide(hit_sums, total_sums, out=undefined.copy(), where=drawn)
    macro = np.divide(ratio_sums, counts, out=undefined, where=drawn)
    return micro, macro


def _distinct_columns(tables: Sequence[NDArray[Any]]) -> tuple[Floats, list[int]]:
    """The columns of tables of one height, each once, and where each column of the tables, in order, stands there."""
    known: dict[bytes, int] = {}
    places: list[int] = []
    firsts: list[NDArray[Any]] = []
    for column in (column for table in tables for column in table.T):
        digest = hashlib.sha256(column.astype(np.float64).tobytes()).digest()
        place = known.setdefault(digest, len(known))
        if place == len(firsts):
            firsts.append(column)
        places.append(place)
    results = np.empty((len(tables[0]), len(firsts)))
    for place, column in enumerate(firsts):
        results[:, place] = column
    return results, places
