import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from turnmark.errors import UsageError
from turnmark.stats import resampling
from turnmark.stats.resampling import (
    check_settings,
    draw_weights,
    effective_clusters,
    percentile_interval,
    rare_limit,
    student_quantile,
    to_fixed_point,
)


def test_draws_are_those_of_the_documented_generator(textbook):
    weights = np.concatenate([chunk.copy() for chunk in draw_weights(7, 30, 5)])
    expected = [[drawn.count(i) for i in range(7)] for drawn in textbook.draws(7, 30, 5)]
    assert weights.tolist() == expected


def test_chunks_change_nothing(monkeypatch):
    whole = np.concatenate([chunk.copy() for chunk in draw_weights(11, 50, 1)])
    monkeypatch.setattr(resampling, "CHUNK_ELEMENTS", 40)
    chunks = [chunk.copy() for chunk in draw_weights(11, 50, 1)]
    assert [len(chunk) for chunk in chunks] == [3] * 16 + [2]
    assert np.array_equal(np.concatenate(chunks), whole)
    assert [len(chunk) for chunk in draw_weights(11, 3, 1, width=1000)] == [1, 1, 1]


def test_no_clusters_no_draws():
    assert list(draw_weights(0, 10, 1)) == []


def test_fixed_point_keeps_whole_numbers_and_makes_sums_exact():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, 9, 500), rng.random(500), np.zeros(500), -rng.random(500) * 1e-9])
    scaled = values.copy()
    shift = to_fixed_point(scaled)
    assert np.array_equal(scaled, np.rint(scaled))
    assert np.array_equal(np.ldexp(scaled, -shift)[:, 0], values[:, 0])
    assert np.allclose(np.ldexp(scaled, -shift), values, rtol=0, atol=1e-12)
    assert (np.abs(scaled).max(axis=0) * 500 < 2**53).all()
    order = rng.permutation(500)
    assert np.array_equal(scaled.sum(axis=0), scaled[order].sum(axis=0))


@pytest.mark.parametrize("freedom", [9, 12, 20, 39, 100, 7999])
@pytest.mark.parametrize("probability", [0.005, 0.05, 0.5, 0.9, 0.975, 0.995])
def test_student_quantile_against_scipy(freedom, probability):
    assert student_quantile(probability, freedom) == pytest.approx(stats.t.ppf(probability, freedom), abs=2e-4)


def test_percentile_interval_against_textbook(textbook):
    values = np.random.default_rng(0).normal(size=999)
    low, high = percentile_interval(values, 25, 0.9)
    tail = textbook.widened_tail(25, 0.9)
    assert low == pytest.approx(textbook.quantile(values.tolist(), tail), abs=1e-4)
    assert high == pytest.approx(textbook.quantile(values.tolist(), 1 - tail), abs=1e-4)


def test_widening_vanishes_with_many_clusters():
    values = np.random.default_rng(0).normal(size=4000)
    plain = np.quantile(values, [0.025, 0.975])
    assert percentile_interval(values, 1_000_000, 0.95) == pytest.approx(tuple(plain), abs=1e-4)
    few, many = percentile_interval(values, 10, 0.95), percentile_interval(values, 100, 0.95)
    assert few[0] < many[0] < plain[0]
    assert few[1] > many[1] > plain[1]


def test_rare_limit_by_hand():
    # nobody of 10 dissents: (1 - p) ** 10 = 0.025, so p = 1 - 0.025 ** 0.1 = 1 - 0.691503 = 0.308497
    assert rare_limit(0, 10, 0.95) == pytest.approx(0.308497, abs=1e-6)
    # many clusters: -ln(0.025) / n = 3.689 / n
    assert rare_limit(0, 10_000, 0.95) * 10_000 == pytest.approx(-math.log(0.025), rel=1e-3)
    assert rare_limit(3, 2.5, 0.95) == 1.0


@given(st.integers(0, 6), st.integers(1, 300), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_rare_limit_against_scipy_and_textbook(textbook, k, more, level):
    n = k + more
    exact = stats.binomtest(k, n).proportion_ci(level, method="exact").high
    assert rare_limit(k, n, level) == pytest.approx(exact, abs=1e-9)
    assert rare_limit(k, n, level) == pytest.approx(textbook.binomial_upper_limit(k, n, level), abs=1e-9)
    assert rare_limit(k, n, level) < rare_limit(k + 1, n, level)


@given(st.integers(0, 4), st.floats(0.5, 200))
def test_rare_limit_of_fractional_numbers_is_the_beta_quantile(k, more):
    assert rare_limit(k, k + more, 0.95) == pytest.approx(stats.beta.ppf(0.975, k + 1, more), abs=1e-7)


def test_effective_clusters_by_hand():
    assert effective_clusters(np.array([5.0, 5.0, 5.0])) == 3.0
    # (3 + 1 + 1 + 1) ** 2 / (9 + 1 + 1 + 1) = 36 / 12
    assert effective_clusters(np.array([3.0, 1.0, 1.0, 1.0, 0.0])) == 3.0
    assert effective_clusters(np.zeros(4)) == 0.0


@pytest.mark.parametrize(
    ("resamples", "level", "message"),
    [(1, 0.95, "resamples is 1"), (10, 0.0, "level is 0.0"), (10, 95, "level is 95")],
)
def test_settings(resamples, level, message):
    with pytest.raises(UsageError, match=message):
        check_settings(resamples, level)
