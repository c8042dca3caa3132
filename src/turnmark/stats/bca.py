"""The bias-corrected and accelerated bootstrap interval, with a cluster as the unit that is left out."""

import math
from statistics import NormalDist

import numpy as np

from turnmark.stats.resampling import Floats, widened_tail


def bca_interval(
    estimate: float, draws: Floats, without_one: Floats, clusters: int, level: float
) -> tuple[float, float] | None:
    """BCa interval of defined draws, widened for the number of clusters as `percentile_interval` is.

    Formula: the quantiles a(z) and a(-z) of the draws, a(z) = Phi(z0 + (z0 + z) / (1 - acc * (z0 + z))), where z is the
    normal quantile of the widened tail, z0 that of the share of draws below the estimate (ties count half), and
    acc = sum(d**3) / (6 * sum(d**2)**1.5) with d = mean(without_one) - without_one.

    `draws`: shape (draws,), without nan. `without_one`: the statistic with each of the clusters left out, shape
    (clusters,). Unit: that of the draws.

    Empty case: None when all draws lie on one side of the estimate, or the statistic without one cluster never varies,
    or the correction leaves the range for which it is defined: the bias can then not be told.

    Source: Efron 1987, JASA 82(397); Efron & Tibshirani 1993, section 14.3.
    """
    tails = bca_tails(estimate, draws, without_one, widened_tail(clusters, level))
    if tails is None:
        return None
    low, high = np.quantile(draws, tails)
    return float(low), float(high)


def bca_tails(estimate: float, draws: Floats, without_one: Floats, tail: float) -> tuple[float, float] | None:
    """The shares of draws below both bounds, where the plain percentile takes `tail` and 1 - `tail`."""
    normal = NormalDist()
    noise = 1e-12 * max(1.0, abs(estimate))  # sums of a draw that means the same may differ by rounding
    below = (np.count_nonzero(draws < estimate - noise) + np.count_nonzero(draws <= estimate + noise)) / (
        2 * draws.size
    )
    apart = without_one.mean() - without_one
    squares = math.fsum(apart * apart)
    if not 0.0 < below < 1.0 or not squares > 0.0:
        return None
    bias, acceleration = normal.inv_cdf(below), math.fsum(apart**3) / (6 * squares**1.5)
    shares = []
    for quantile in (normal.inv_cdf(tail), normal.inv_cdf(1.0 - tail)):
        moved = bias + quantile
        if acceleration * moved >= 1.0:
            return None
        shares.append(normal.cdf(bias + moved / (1.0 - acceleration * moved)))
    return shares[0], shares[1]


def ratios_without_one(hits: Floats, totals: Floats) -> Floats:
    """sum(hits) / sum(totals) with each cluster left out in turn; two or more clusters, all totals above zero."""
    left: Floats = (math.fsum(hits) - hits) / (math.fsum(totals) - totals)
    return left
