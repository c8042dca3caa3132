"""Two systems on the same turns: difference, interval, permutation test, power. Dialogues are kept whole throughout.

Both systems answered the same turns, so their figures vary together; pairing takes that common part out. Turns of one
dialogue are not independent, so a dialogue is the unit that is resampled and the unit whose labels are swapped.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from turnmark.errors import UsageError
from turnmark.schemas.results.summary import IntervalMethod
from turnmark.stats.intervals import MINIMUM_CLUSTERS, STUDENT, Interval, bounded_statistic, noise
from turnmark.stats.resampling import (
    CHUNK_ELEMENTS,
    DEFAULT_LEVEL,
    DEFAULT_SEED,
    Floats,
    check_settings,
    draw_weights,
    one_thread,
    student_quantile,
    to_fixed_point,
)

DEFAULT_DRAWS = 10_000
POWER = 0.8


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How the second system differs from the first in one measure.

    `first` and `second` are the pooled values over the paired rows, `difference` is second minus first with its
    interval, `p_value` that of the paired permutation test, `effect` the mean difference of a dialogue in standard
    deviations of these differences (Cohen's d for pairs). `detectable` is the smallest true difference that a test at
    this level would find with the power `POWER`. All are None where the data do not say; `clusters` counts the
    dialogues with a paired row.
    """

    first: float | None
    second: float | None
    difference: Interval
    p_value: float | None
    effect: float | None
    detectable: float | None
    clusters: int


def paired_differences(  # noqa: PLR0913 - four tables and the settings of both tests
    first_hits: ArrayLike,
    first_totals: ArrayLike,
    second_hits: ArrayLike,
    second_totals: ArrayLike,
    *,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
    method: IntervalMethod = "percentile",
) -> list[PairedDifference]:
    """Compare two systems on the same rows, measure by measure.

    Formula: with hits h and totals T of the paired rows of dialogue c, the difference is
    D = sum(h2) / sum(T2) - sum(h1) / sum(T1).
      interval: percentile interval of D over `draws` samples of whole dialogues with replacement, widened for few
        dialogues (as `percentile_interval`); with method "bca" corrected for bias and skew (as `bca_interval`); with
        "analytic" D +- t * e, e the root of n / (n - 1) * sum(d**2) over the n dialogues, r the pooled ratios,
        d = (h2 - r2 * T2) / sum(T2) - (h1 - r1 * T1) / sum(T1), t Student's quantile with n - 1 degrees of freedom;
      p-value: under no difference the two systems' answers to a dialogue could be swapped; with D* the difference after
        swapping a random half, p = (1 + #{|D*| >= |D|}) / (1 + draws). All 2**n swaps are taken, and p is exact, where
        there are no more than `draws` of them;
      detectable: (z(1 - (1 - level) / 2) + z(POWER)) * standard error of D.

    All four tables have shape (dialogues, measures), rows in the same fixed order; a dialogue without a paired row has
    totals of 0. Gives one entry a measure. Range of the difference: that of the measure, both ways.

    Empty case: no total on either side gives None throughout; fewer than MINIMUM_CLUSTERS dialogues give no interval
    and no detectable difference, but a p-value, which then is exact.

    Errors: UsageError when shapes differ, values are not finite, and as in `check_settings`.

    Source: paired permutation: Fisher 1935; Dror et al. 2018, ACL (which test for which measure); clusters swapped
    whole and power: Miller 2024, arXiv:2411.00640; p with one added: Phipson & Smyth 2010.
    """
    check_settings(draws, level)
    tables = [np.asarray(table, dtype=np.float64) for table in (first_hits, first_totals, second_hits, second_totals)]
    _check(tables)
    measures = tables[0].shape[1]
    bootstrapped = None if method == "analytic" else _bootstrap(tables, draws, seed)
    extreme, swaps = _swapped(tables, draws, seed)
    results = []
    for column in range(measures):
        hits1, totals1, hits2, totals2 = (table[:, column] for table in tables)
        present = (totals1 > 0) | (totals2 > 0)
        first, second = _pooled(hits1, totals1), _pooled(hits2, totals2)
        clusters = int(present.sum())
        if first is None or second is None:
            results.append(
                PairedDifference(first, second, Interval(None, clusters=clusters), None, None, None, clusters)
            )
            continue
        own = [table[present, column] for table in tables]
        if bootstrapped is None:
            interval = _by_formula(own, second - first, level)
        else:
            without_one = _without_one(own) if method == "bca" else None
            interval = bounded_statistic(second - first, bootstrapped[:, column], clusters, level, without_one)
        error = interval.standard_error
        results.append(
            PairedDifference(
                first,
                second,
                interval,
                extreme[column] / swaps,
                _effect(hits1, totals1, hits2, totals2),
                None if error is None else detectable_difference(error, level),
                clusters,
            )
        )
    return results


def permutation_p_values(
    first_hits: ArrayLike,
    first_totals: ArrayLike,
    second_hits: ArrayLike,
    second_totals: ArrayLike,
    *,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
) -> list[float | None]:
    """The p-values of `paired_differences` alone, None for a measure that one side does not have."""
    tables = [np.asarray(table, dtype=np.float64) for table in (first_hits, first_totals, second_hits, second_totals)]
    _check(tables)
    extreme, swaps = _swapped(tables, draws, seed)
    known = (tables[1].sum(axis=0) > 0) & (tables[3].sum(axis=0) > 0)
    return [count / swaps if there else None for count, there in zip(extreme, known, strict=True)]


def detectable_difference(standard_error: float, level: float = DEFAULT_LEVEL, power: float = POWER) -> float:
    """The smallest true difference that a two-sided test finds with the given power.

    Formula: (z(1 - (1 - level) / 2) + z(power)) * standard error. Unit: that of the standard error.
    Source: Miller 2024, arXiv:2411.00640, section 4.2.
    """
    normal = NormalDist()
    return (normal.inv_cdf(0.5 + level / 2) + normal.inv_cdf(power)) * standard_error


def clusters_needed(
    standard_error: float, clusters: int, wanted: float, level: float = DEFAULT_LEVEL, power: float = POWER
) -> int:
    """How many dialogues a comparison needs so that a true difference of `wanted` is found with the given power.

    Formula: clusters * (detectable difference / wanted)**2, rounded up; the error falls with the root of their number.

    Errors: UsageError when `wanted` is not a number above 0, or so small that no number of dialogues can be said.
    """
    refuse_wanted(wanted)
    times = detectable_difference(standard_error, level, power) / wanted
    if not times * times * clusters < math.inf:
        raise UsageError(f"the wanted difference is {wanted!r}: give a larger one, such as 0.02")
    return math.ceil(clusters * times**2)


def refuse_wanted(wanted: float) -> None:
    """Errors: UsageError when a difference to be found is not a number above 0."""
    if not 0 < wanted < math.inf:
        raise UsageError(f"the wanted difference is {wanted!r}: give one above 0, such as 0.02")


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that the chance of any false finding among them stays below the level.

    Formula: sorted upwards, the i-th of m (from 1) becomes max over j <= i of min(1, (m - j + 1) * p_j).
    Returns them in the order given. Source: Holm 1979.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that the expected share of false findings among all findings stays below the level.

    Formula: sorted upwards, the i-th of m (from 1) becomes min over j >= i of min(1, m / j * p_j).
    Returns them in the order given. Source: Benjamini & Hochberg 1995.
    """
    order = sorted(range(len(p_values)), key=lambda place: -p_values[place])
    adjusted = [0.0] * len(p_values)
    lowest = 1.0
    for rank, place in enumerate(order):
        lowest = min(lowest, len(p_values) / (len(p_values) - rank) * p_values[place])
        adjusted[place] = lowest
    return adjusted


def _check(tables: Sequence[Floats]) -> None:
    shapes = {table.shape for table in tables}
    if len(shapes) != 1 or tables[0].ndim != 2:
        raise UsageError(f"tables have shapes {sorted(shapes)!r}: give all four as (dialogues, measures)")
    if not all(np.isfinite(table).all() for table in tables):
        raise UsageError("a hit or a total is not finite: leave such rows out of the pairs")


def _pooled(hits: Floats, totals: Floats) -> float | None:
    total = math.fsum(totals)
    return math.fsum(hits) / total if total > 0 else None


def _without_one(tables: Sequence[Floats]) -> Floats:
    """The difference with each dialogue left out in turn; nan where a side has no other dialogue."""
    left = [math.fsum(table) - table for table in tables]
    return _ratio(left[2], left[3]) - _ratio(left[0], left[1])


def _by_formula(tables: Sequence[Floats], difference: float, level: float) -> Interval:
    hits1, totals1, hits2, totals2 = tables
    clusters = hits1.size
    if clusters < MINIMUM_CLUSTERS:
        return Interval(difference, clusters=clusters)
    whole1, whole2 = math.fsum(totals1), math.fsum(totals2)
    moved2 = (hits2 - math.fsum(hits2) / whole2 * totals2) / whole2
    moved1 = (hits1 - math.fsum(hits1) / whole1 * totals1) / whole1
    error = math.sqrt(clusters / (clusters - 1) * math.fsum((moved2 - moved1) ** 2))
    if error <= noise(difference):
        return Interval(difference, clusters=clusters)
    reach = student_quantile(0.5 + level / 2, clusters - 1) * error
    return Interval(difference, difference - reach, difference + reach, error, clusters, 0, STUDENT)


def _ratio(hits: Floats, totals: Floats) -> Floats:
    return np.divide(hits, totals, out=np.full_like(hits, np.nan), where=totals > 0)


def _bootstrap(tables: Sequence[Floats], draws: int, seed: int) -> Floats:
    """The difference in every draw, shape (draws, measures), nan where it is undefined."""
    clusters, measures = tables[0].shape
    if clusters < MINIMUM_CLUSTERS:
        return np.full((draws, measures), np.nan)
    columns = np.concatenate(tables, axis=1)
    shift = to_fixed_point(columns)
    with one_thread():
        sums = np.concatenate([weights @ columns for weights in draw_weights(clusters, draws, seed, 4 * measures)])
    np.ldexp(sums, -shift, out=sums)
    hits1, totals1, hits2, totals2 = np.split(sums, 4, axis=1)
    return _ratio(hits2, totals2) - _ratio(hits1, totals1)


def _swapped(tables: Sequence[Floats], draws: int, seed: int) -> tuple[list[int], int]:
    """How often a swap gives at least the observed difference, and of how many swaps; both count the observed one."""
    hits1, totals1, hits2, totals2 = tables
    clusters, measures = hits1.shape
    # With sign s = 1 (kept) or -1 (swapped): the second system's sum is (both + s * (second - first)) / 2.
    columns = np.concatenate([hits1 + hits2, totals1 + totals2, hits2 - hits1, totals2 - totals1], axis=1)
    shift = to_fixed_point(columns)
    both, apart = columns[:, : 2 * measures], columns[:, 2 * measures :]
    whole = np.ldexp(both.sum(axis=0), -shift[: 2 * measures])
    extreme = np.zeros(measures, dtype=np.int64)
    observed = np.abs(_difference(whole, np.ldexp(apart.sum(axis=0)[None], -shift[2 * measures :]), measures))[0]
    count = 0
    with one_thread():
        for signs in _signs(clusters, draws, seed):
            moved = np.ldexp(signs @ apart, -shift[2 * measures :])
            result = np.abs(_difference(whole, moved, measures))
            extreme += np.sum(result >= observed - 1e-12, axis=0)
            count += len(signs)
    exact = clusters <= _enumerable(draws)
    return [int(item) + (not exact) for item in extreme], count + (not exact)


def _difference(whole: Floats, moved: Floats, measures: int) -> Floats:
    second, first = (whole + moved) / 2, (whole - moved) / 2
    return _ratio(second[:, :measures], second[:, measures:]) - _ratio(first[:, :measures], first[:, measures:])


def _enumerable(draws: int) -> int:
    """Up to how many dialogues all swaps are no more than `draws`."""
    return draws.bit_length() - 1


def _signs(clusters: int, draws: int, seed: int) -> Iterator[Floats]:
    """Signs of the dialogues, 1 or -1: all combinations where there are at most `draws`, else random ones."""
    if clusters <= _enumerable(draws):
        codes = np.arange(1 << clusters)[:, None] >> np.arange(clusters)[None] & 1
        yield np.asarray(1.0 - 2.0 * codes, dtype=np.float64)
        return
    generator = np.random.Generator(np.random.PCG64([seed, 1]))
    rows = max(1, CHUNK_ELEMENTS // clusters)
    for start in range(0, draws, rows):
        bits = np.unpackbits(
            np.frombuffer(generator.bytes(min(rows, draws - start) * -(-clusters // 8)), dtype=np.uint8).reshape(
                min(rows, draws - start), -1
            ),
            axis=1,
            count=clusters,
        )
        yield np.asarray(1.0 - 2.0 * bits, dtype=np.float64)


def _effect(hits1: Floats, totals1: Floats, hits2: Floats, totals2: Floats) -> float | None:
    both = (totals1 > 0) & (totals2 > 0)
    apart = _ratio(hits2[both], totals2[both]) - _ratio(hits1[both], totals1[both])
    if apart.size < 2:
        return None
    spread = float(np.std(apart, ddof=1))
    return float(np.mean(apart)) / spread if spread > 1e-12 else None
