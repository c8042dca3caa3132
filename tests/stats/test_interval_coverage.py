"""How often the intervals hold the truth, on dialogues made from a known distribution."""

import numpy as np
import pytest
from scipy import stats

from turnmark.schemas.results.summary import INTERVAL_METHODS
from turnmark.stats.clustered import auroc_interval, kappa_interval
from turnmark.stats.methods import cluster_intervals

BATCH = 50


def independent(rng, clusters, repetitions):
    """One turn a dialogue, 70 % right."""
    totals = np.ones((clusters, repetitions))
    return rng.binomial(1, 0.7, totals.shape), totals, 0.7, 0.7


def clustered(rng, clusters, repetitions):
    """1 to 8 turns a dialogue, each dialogue with a rate of its own, Beta(2.8, 1.2), mean 0.7."""
    totals = rng.integers(1, 9, (clusters, repetitions))
    return rng.binomial(totals, rng.beta(2.8, 1.2, totals.shape)), totals, 0.7, 0.7


def longer_is_worse(rng, clusters, repetitions):
    """Half the dialogues have 2 turns and rate 0.9, half 6 turns and rate 0.5: micro (1.8 + 3) / 8, macro 0.7."""
    long = rng.random((clusters, repetitions)) < 0.5
    totals = np.where(long, 6, 2)
    return rng.binomial(totals, np.where(long, 0.5, 0.9)), totals, 0.6, 0.7


def some_empty(rng, clusters, repetitions):
    """As `clustered`, but the measure applies to 60 % of the dialogues."""
    hits, totals, micro, macro = clustered(rng, clusters, repetitions)
    applies = rng.random(totals.shape) < 0.6
    return hits * applies, totals * applies, micro, macro


def rare(rng, clusters, repetitions):
    """Four turns a dialogue; 3 % of dialogues go wrong in every turn."""
    totals = np.full((clusters, repetitions), 4)
    return 4 * rng.binomial(1, 0.03, totals.shape), totals, 0.03, 0.03


def skewed_scores(rng, clusters, repetitions):
    """1 to 6 scores a dialogue around a level of its own, Beta(0.6, 3), mean 1 / 6: most near 0, a few near 1."""
    totals = rng.integers(1, 7, (clusters, repetitions))
    level = rng.beta(0.6, 3.0, totals.shape)
    scores = [rng.beta(2 * level + 1e-9, 2 * (1 - level) + 1e-9) * (totals > place) for place in range(6)]
    return sum(scores), totals, 1 / 6, 1 / 6


def nearly_all_right(rng, clusters, repetitions):
    """1 to 8 turns a dialogue, each dialogue with a rate of its own, Beta(9.5, 0.5), mean 0.95."""
    totals = rng.integers(1, 9, (clusters, repetitions))
    return rng.binomial(totals, rng.beta(9.5, 0.5, totals.shape)), totals, 0.95, 0.95


def covered(scenario, clusters, repetitions, resamples, seed=17, method="percentile"):
    """Shares of micro and macro intervals that hold the truth. Repetitions are measures, BATCH to a set of draws."""
    rng = np.random.default_rng(seed)
    inside = np.zeros(2)
    for batch in range(repetitions // BATCH):
        hits, totals, micro, macro = scenario(rng, clusters, BATCH)
        found = cluster_intervals(hits, totals, resamples=resamples, seed=batch, method=method)
        bounds = (found.micro_low, found.micro_high, micro), (found.macro_low, found.macro_high, macro)
        inside += [sum(a <= truth <= b for a, b in zip(low, high, strict=True)) for low, high, truth in bounds]
    return inside / repetitions


def agreement_sample(rng, clusters):
    """Gold and predicted of 4 rows a cluster; clusters differ in how often the prediction follows gold."""
    ids = np.repeat(np.arange(clusters), 4)
    gold = rng.random(len(ids)) < 0.5
    follows = rng.random(len(ids)) < rng.beta(4, 1, clusters)[ids]
    return gold, np.where(follows, gold, ~gold), ids


def scored_sample(rng, clusters):
    """Scores with a shift shared by the rows of a cluster; positives are 1 higher."""
    ids = np.repeat(np.arange(clusters), 4)
    gold = rng.random(len(ids)) < 0.5
    return rng.normal(size=len(ids)) + rng.normal(size=clusters)[ids] + gold, gold, ids


@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize("scenario", [independent, clustered, longer_is_worse, some_empty])
def test_coverage(scenario, method):
    micro, macro = covered(scenario, 60, 200, 800, method=method)
    # 200 repetitions: the standard error of a share of 0.95 is 0.015
    assert 0.90 <= micro <= 0.99
    assert 0.90 <= macro <= 0.99


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_coverage_of_rare_events_errs_on_the_safe_side(method):
    assert covered(rare, 60, 200, 400, method=method).min() >= 0.93


def test_turns_taken_as_independent_would_claim_too_much():
    rng = np.random.default_rng(5)
    hits, totals, truth, _ = clustered(rng, 60, 4000)
    rates = hits.sum(axis=0) / totals.sum(axis=0)
    error = 1.96 * np.sqrt(rates * (1 - rates) / totals.sum(axis=0))
    assert np.mean(np.abs(rates - truth) <= error) < 0.90


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize("clusters", [40, 100, 300])
@pytest.mark.parametrize("scenario", [independent, clustered, longer_is_worse, some_empty, skewed_scores])
def test_coverage_in_full(scenario, clusters, method):
    # The share of 40 single turns moves in steps of 0.025, so that no interval covers 95 % of them exactly.
    highest = 0.98 if scenario is independent else 0.97
    found = covered(scenario, clusters, 1000, 2000, method=method)
    assert 0.93 <= found.min() <= found.max() <= highest


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize(("clusters", "lowest"), [(40, 0.91), (100, 0.925), (300, 0.93)])
def test_coverage_near_the_end_of_the_scale(clusters, lowest, method):
    found = covered(nearly_all_right, clusters, 1000, 2000, method=method)
    assert lowest <= found.min() <= found.max() <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize("clusters", [10, 20])
@pytest.mark.parametrize("scenario", [independent, clustered, longer_is_worse])
def test_coverage_with_few_clusters(scenario, clusters, method):
    assert covered(scenario, clusters, 1000, 2000, method=method).min() >= 0.90


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize("clusters", [20, 40, 100, 300])
def test_coverage_of_rare_events_in_full(clusters, method):
    assert covered(rare, clusters, 1000, 2000, method=method).min() >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [40, 100])
def test_coverage_of_kappa_and_auroc(clusters):
    rng = np.random.default_rng(23)
    # kappa: both margins 0.5, follows 4 / 5 of the time: (0.8 - 0.5) / 0.5 = 0.6
    # AUROC: two scores differ by 1 with variance 2 (1 + 1) across clusters; the shared shift cancels within a cluster,
    # but pairs across clusters are all that count in the limit: Phi(1 / 2)
    truths = 0.6, stats.norm.cdf(0.5)
    inside = np.zeros(2)
    for seed in range(1000):
        found = (
            kappa_interval(*agreement_sample(rng, clusters), resamples=1000, seed=seed),
            auroc_interval(*scored_sample(rng, clusters), resamples=1000, seed=seed),
        )
        inside += [interval.low <= truth <= interval.high for interval, truth in zip(found, truths, strict=True)]
    assert 0.93 <= inside[0] / 1000 <= 0.97
    assert 0.93 <= inside[1] / 1000 <= 0.97
