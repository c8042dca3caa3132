"""Intervals of ratios by formula: no draws, so no seed, and cheap."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from turnmark.errors import UsageError
from turnmark.stats.intervals import (
    MINIMUM_CLUSTERS,
    STUDENT,
    WILSON,
    WILSON_CLUSTERED,
    Interval,
    Intervals,
    by_field,
    checked,
    noise,
    ranges_of,
)
from turnmark.stats.resampling import DEFAULT_LEVEL, Floats, effective_clusters, student_quantile


def cluster_analytic(
    hits: ArrayLike,
    totals: ArrayLike,
    *,
    level: float = DEFAULT_LEVEL,
    ranges: Sequence[tuple[float, float]] | None = None,
    macro: bool = True,
    kinds: NDArray[np.intp] | None = None,
) -> Intervals:
    """Pooled and per-cluster means of many measures, with intervals by formula.

    Arguments, estimates, range, empty case and errors are those of `cluster_bootstrap`; for the bounds see
    `analytic_interval`. Macro weights every cluster alike.
    """
    if not 0.0 < level < 1.0:
        raise UsageError(f"level is {level!r}: give a number between 0 and 1, such as 0.95")
    hit_table, total_table = checked(hits, totals)
    present = total_table > 0
    ratios = np.divide(hit_table, total_table, out=np.zeros_like(hit_table), where=present)
    pairs = []
    kinds = np.arange(len(hit_table)) if kinds is None else kinds
    for column, limits in enumerate(ranges_of(ratios, present, ranges)):
        rows = kinds[present[kinds, column]]
        ratio, total = ratios[rows, column], total_table[rows, column]
        pooled = analytic_interval(hit_table[rows, column], total, limits, level)
        mean = analytic_interval(ratio, np.ones_like(total), limits, level)
        pairs.append((pooled, mean if macro else Interval(mean.estimate)))
    return by_field(pairs)


def analytic_interval(hits: Floats, totals: Floats, limits: tuple[float, float] | None, level: float) -> Interval:
    """Interval of r = sum(hits) / sum(totals) over n clusters with totals above zero.

    Formula: the variance of r by linearisation is v = n / (n - 1) * sum((h - r * T)**2) / sum(T)**2. With p = r taken
    as a share of its range, Wilson's interval is
    (p + q**2 / 2m +- q * sqrt(p * (1 - p) / m + q**2 / 4m**2)) / (1 + q**2 / m).
      "wilson": one trial a cluster, right or wrong: m = n and q the normal quantile, which is the score test of a
        binomial share turned round;
      "wilson_clustered": other ratios of known range: m is the number of trials that a binomial share of the same
        variance would have, p * (1 - p) / v (where all clusters agree: sum(T)**2 / sum(T**2)), q Student's quantile
        with n - 1 degrees of freedom;
      "t": r +- q * sqrt(v), where the range is not known.
    The standard error is sqrt(v), None when nothing varies.

    Empty case: no cluster gives None; fewer than MINIMUM_CLUSTERS no bounds; none either for "t" when nothing varies.

    Source: Wilson 1927; Brown, Cai & DasGupta 2001; effective trials: Korn & Graubard 1998, Survey Methodology 24(2);
    linearisation: Cochran 1977, section 2.11.
    """
    clusters = hits.size
    if not clusters:
        return Interval(None)
    whole = math.fsum(totals)
    estimate = math.fsum(hits) / whole
    if clusters < MINIMUM_CLUSTERS:
        return Interval(estimate, clusters=clusters)
    residuals = hits - estimate * totals
    variance = clusters / (clusters - 1) * math.fsum(residuals * residuals) / whole**2
    error = math.sqrt(variance) if variance > noise(estimate) ** 2 else None
    student = student_quantile(0.5 + level / 2, clusters - 1)
    if limits is None:
        if error is None:
            return Interval(estimate, clusters=clusters)
        return Interval(estimate, estimate - student * error, estimate + student * error, error, clusters, 0, STUDENT)
    low, high = limits
    width = high - low
    share = min(max((estimate - low) / width, 0.0), 1.0)
    if limits == (0.0, 1.0) and bool(np.all(totals == 1.0)) and bool(np.all((hits == 0.0) | (hits == 1.0))):
        method, quantile, trials = WILSON, NormalDist().inv_cdf(0.5 + level / 2), float(clusters)
    else:
        method, quantile = WILSON_CLUSTERED, student
        trials = share * (1 - share) * width**2 / variance if error and 0 < share < 1 else effective_clusters(totals)
    below, above = _wilson(share, trials, quantile)
    return Interval(estimate, low + below * width, low + above * width, error, clusters, 0, method)


def _wilson(share: float, trials: float, quantile: float) -> tuple[float, float]:
    square = quantile**2 / trials
    middle = (share + square / 2) / (1 + square)
    reach = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    # The ends are met exactly at 0 and 1; rounding must not step over them, nor over the estimate.
    return min(max(middle - reach, 0.0), share), max(min(middle + reach, 1.0), share)
