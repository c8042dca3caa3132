"""The intervals that a user may choose by name."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from turnmark.schemas.results.summary import IntervalMethod
from turnmark.stats.analytic import cluster_analytic
from turnmark.stats.intervals import Intervals, cluster_bootstrap
from turnmark.stats.resampling import DEFAULT_LEVEL, DEFAULT_RESAMPLES, DEFAULT_SEED

PHRASES: dict[IntervalMethod, str] = {
    "percentile": "percentile bootstrap, dialogues resampled with replacement",
    "bca": "bias-corrected and accelerated bootstrap, dialogues resampled with replacement",
    "analytic": "Wilson's formula over dialogues",
}
"""How a summary names them."""


def cluster_intervals(  # noqa: PLR0913 - the settings of all methods
    hits: ArrayLike,
    totals: ArrayLike,
    *,
    method: IntervalMethod = "percentile",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
    ranges: Sequence[tuple[float, float]] | None = None,
    macro: bool = True,
    kinds: NDArray[np.intp] | None = None,
) -> Intervals:
    """Pooled and per-cluster means with intervals by the named method; see `cluster_bootstrap`, `cluster_analytic`."""
    if method == "analytic":
        return cluster_analytic(hits, totals, level=level, ranges=ranges, macro=macro, kinds=kinds)
    return cluster_bootstrap(
        hits, totals, resamples=resamples, seed=seed, level=level, ranges=ranges, macro=macro, bca=method == "bca",
        kinds=kinds,
    )  # fmt: skip
