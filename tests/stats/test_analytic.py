"""Intervals by formula: against scipy, against a textbook version with clusters, at the ends, and by properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from turnmark.errors import UsageError
from turnmark.stats.analytic import cluster_analytic
from turnmark.stats.intervals import MINIMUM_CLUSTERS, STUDENT, WILSON, WILSON_CLUSTERED
from turnmark.stats.methods import cluster_intervals
from turnmark.stats.paired import paired_differences


def column(values):
    return np.array(values, dtype=float)[:, None]


@pytest.mark.parametrize(("hits", "rows"), [(0, 12), (1, 30), (15, 20), (40, 40), (333, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_one_trial_a_cluster_is_the_wilson_interval_of_scipy(hits, rows, level):
    found = cluster_analytic(column([1] * hits + [0] * (rows - hits)), np.ones((rows, 1)), level=level).of(0)
    reference = stats.binomtest(hits, rows).proportion_ci(level, method="wilson")
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert found.method == WILSON
    assert found.low <= found.estimate <= found.high
    share = hits / rows
    assert found.standard_error == pytest.approx(math.sqrt(share * (1 - share) / (rows - 1)) or None)


def test_clusters_are_what_the_textbook_gives(textbook):
    rng = np.random.default_rng(4)
    totals = rng.integers(1, 8, 35)
    hits = rng.binomial(totals, rng.beta(3, 1, 35))
    found = cluster_analytic(column(hits), column(totals)).of(0)
    error = textbook.linearised_error(hits.tolist(), totals.tolist())
    share, t = hits.sum() / totals.sum(), stats.t.ppf(0.975, 34)
    trials = share * (1 - share) / error**2
    # Wilson's bounds are the shares p at which (share - p)**2 = t**2 * p * (1 - p) / trials.
    low, high = sorted(np.roots([1 + t**2 / trials, -2 * share - t**2 / trials, share**2]))
    assert (found.estimate, found.standard_error) == (pytest.approx(share), pytest.approx(error))
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert found.method == WILSON_CLUSTERED


def test_means_on_another_scale_are_shares_of_it():
    rng = np.random.default_rng(6)
    values, ones = rng.random((40, 1)), np.ones((40, 1))
    plain = cluster_analytic(values, ones).of(0)
    scaled = cluster_analytic(1 + 4 * values, ones, ranges=[(1, 5)]).of(0)
    assert (scaled.low, scaled.high) == pytest.approx((1 + 4 * plain.low, 1 + 4 * plain.high))
    assert scaled.standard_error == pytest.approx(4 * plain.standard_error)


def test_an_open_scale_takes_students_t_as_scipy_does():
    values = np.random.default_rng(7).normal(3, 2, 30)
    found = cluster_analytic(column(values), np.ones((30, 1))).of(0)
    reference = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert found.method == STUDENT
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), rel=1e-5)
    constant = cluster_analytic(column([7.0] * 30), np.ones((30, 1))).of(0)
    assert (constant.estimate, constant.low, constant.method) == (7.0, None, None)


def test_a_difference_by_formula_is_the_paired_t_interval_of_scipy():
    rng = np.random.default_rng(8)
    first, second = rng.random(50), rng.random(50)
    ones = np.ones((50, 1))
    found = paired_differences(column(first), ones, column(second), ones, draws=100, method="analytic")[0]
    reference = stats.ttest_rel(second, first).confidence_interval(0.95)
    assert (found.difference.low, found.difference.high) == pytest.approx((reference.low, reference.high), rel=1e-5)
    assert found.difference.method == STUDENT
    drawn = paired_differences(column(first), ones, column(second), ones, draws=4000)[0]
    assert found.difference.standard_error == pytest.approx(drawn.difference.standard_error, rel=0.06)
    assert found.p_value is not None
    same = paired_differences(column(first), ones, column(first), ones, draws=100, method="analytic")[0]
    assert (same.difference.estimate, same.difference.low) == (0.0, None)
    few = paired_differences(*[table[:9] for table in (column(first), ones, column(second), ones)], method="analytic")
    assert few[0].difference.low is None


def test_all_agree():
    found = cluster_analytic(column([3] * 20), column([3] * 20)).of(0)
    assert found.high == 1.0
    assert found.low == pytest.approx(20 / (20 + stats.t.ppf(0.975, 19) ** 2), rel=1e-6)
    assert found.standard_error is None


def test_too_few_clusters_or_none():
    rows = MINIMUM_CLUSTERS - 1
    found = cluster_analytic(column([1] * rows + [0] * 5), column([2] * rows + [0] * 5)).of(0)
    assert (found.estimate, found.low, found.clusters) == (0.5, None, rows)
    assert cluster_analytic(np.zeros((20, 1)), np.zeros((20, 1))).of(0).estimate is None
    with pytest.raises(UsageError, match="level"):
        cluster_analytic([[1]], [[1]], level=1.0)


def test_macro_weights_clusters_alike():
    hits, totals = column([0, 1] * 10), column([4, 1] * 10)
    found = cluster_intervals(hits, totals, method="analytic")
    assert (found.micro, found.macro) == ((0.2,), (0.5,))
    assert found.macro_method == (WILSON,)
    assert cluster_intervals(hits, totals, method="analytic", macro=False).macro_low == (None,)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=10, max_size=40))
def test_bounds_hold_the_estimate_and_keep_the_range(pairs):
    hits, misses = column([a for a, _ in pairs]), column([b for _, b in pairs])
    found = cluster_analytic(hits, hits + misses).of(0)
    mirrored = cluster_analytic(misses, hits + misses).of(0)
    if found.low is not None:
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high), abs=1e-9)
