"""The BCa interval: against scipy, against a textbook version with clusters, and where it is not defined."""

import numpy as np
import pytest
from scipy import stats

from turnmark.stats.bca import bca_interval, bca_tails, ratios_without_one
from turnmark.stats.intervals import BCA, PERCENTILE, RARE, cluster_bootstrap
from turnmark.stats.paired import paired_differences
from turnmark.stats.resampling import draw_weights, widened_tail


def skewed(rows, seed=3):
    values = np.random.default_rng(seed).gamma(0.5, 1.0, rows)
    return values / values.max()


@pytest.mark.parametrize("rows", [12, 40, 400])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_one_value_a_cluster_is_what_scipy_gives(rows, level):
    values = skewed(rows)
    reference = stats.bootstrap(
        (values,), np.mean, n_resamples=999, confidence_level=level, method="BCa", vectorized=True,
        rng=np.random.Generator(np.random.PCG64(5)),
    )  # fmt: skip
    draws = np.concatenate([weights @ values / rows for weights in draw_weights(rows, 999, 5)])
    assert draws == pytest.approx(reference.bootstrap_distribution)
    tails = bca_tails(values.mean(), draws, ratios_without_one(values, np.ones(rows)), (1 - level) / 2)
    assert np.quantile(draws, tails) == pytest.approx(list(reference.confidence_interval), abs=1e-12)


@pytest.mark.parametrize("macro", [False, True])
def test_clusters_are_what_the_textbook_gives(textbook, macro):
    rng = np.random.default_rng(8)
    totals = rng.integers(0, 7, 30)
    hits = rng.binomial(totals, rng.beta(4, 1, 30))
    found = cluster_bootstrap(hits[:, None], totals[:, None], resamples=400, seed=2, bca=True).of(0, macro=macro)
    statistic = textbook.mean_of_clusters if macro else textbook.pooled
    low, high = textbook.bca(
        lambda drawn: statistic(hits.tolist(), totals.tolist(), drawn), 30, [i for i in range(30) if totals[i]],
        resamples=400, seed=2, level=0.95,
    )  # fmt: skip
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.method == BCA
    assert found.standard_error == pytest.approx(
        cluster_bootstrap(hits[:, None], totals[:, None], resamples=400, seed=2).of(0, macro=macro).standard_error
    )


def test_a_difference_is_what_the_textbook_gives(textbook):
    rng = np.random.default_rng(9)
    totals = rng.integers(1, 6, 25)
    first, second = rng.binomial(totals, 0.9), rng.binomial(totals, 0.6)
    tables = [table[:, None] for table in (first, totals, second, totals)]
    found = paired_differences(*tables, draws=300, seed=4, method="bca")[0].difference

    def difference(drawn):
        return textbook.pooled(second, totals, drawn) - textbook.pooled(first, totals, drawn)

    low, high = textbook.bca(difference, 25, list(range(25)), resamples=300, seed=4, level=0.95)
    assert (found.low, found.high, found.method) == (pytest.approx(low), pytest.approx(high), BCA)


def test_a_symmetric_sample_moves_little_and_a_skewed_one_to_its_tail():
    even = np.linspace(0.1, 0.9, 60)[:, None]
    ones = np.ones((60, 1))
    plain, moved = (cluster_bootstrap(even, ones, bca=bca).of(0) for bca in (False, True))
    assert (moved.low, moved.high) == pytest.approx((plain.low, plain.high), abs=0.005)
    tail = skewed(60)[:, None]
    plain, moved = (cluster_bootstrap(tail, ones, bca=bca).of(0) for bca in (False, True))
    assert moved.low > plain.low
    assert moved.high > plain.high


@pytest.mark.parametrize(
    ("draws", "without_one"),
    [
        (np.full(50, 0.7), np.linspace(0, 1, 20)),  # every draw above the estimate: the bias can not be told
        (np.linspace(0, 1, 50), np.full(20, 0.5)),  # leaving one out changes nothing
        (np.linspace(0, 1, 50), np.full(20, np.nan)),  # leaving one out leaves nothing
    ],
)
def test_where_it_is_not_defined(draws, without_one):
    assert bca_interval(0.5, draws, without_one, 20, 0.95) is None


def test_what_is_not_defined_is_called_percentile_and_what_few_clusters_show_is_called_rare():
    alternating = np.array([0.0, 1.0] * 10)[:, None]
    ones = np.ones((20, 1))
    found = cluster_bootstrap(alternating, ones, bca=True, resamples=200).of(0)
    assert found.method in {BCA, PERCENTILE}
    one = np.eye(1, 50).T
    assert cluster_bootstrap(one, np.ones((50, 1)), bca=True).of(0).method == RARE


def test_a_side_of_one_dialogue_gives_no_correction():
    ones, one = np.ones((12, 1)), np.eye(1, 12).T
    hits = np.array([0.0, 1.0] * 6)[:, None]
    found = paired_differences(hits, ones, one / 2, one, draws=200, method="bca")[0].difference
    assert found.method == PERCENTILE


def test_the_widened_tail_of_many_clusters_is_the_plain_one():
    assert widened_tail(100_000, 0.95) == pytest.approx(0.025, rel=1e-3)
    assert widened_tail(10, 0.95) < 0.015
