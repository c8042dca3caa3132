import dataclasses
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from growth import SQUARE, processor_growth
from turnmark.errors import UsageError
from turnmark.stats.intervals import MINIMUM_CLUSTERS, PERCENTILE, RARE, Intervals, bounded_statistic, cluster_bootstrap
from turnmark.stats.resampling import rare_limit

QUICK = settings(max_examples=40, deadline=None)


def column(values):
    return np.array(values, dtype=float)[:, None]


def sample(clusters=30, measures=3, seed=0):
    rng = np.random.default_rng(seed)
    totals = rng.integers(0, 6, (clusters, measures))
    return rng.binomial(totals, 0.6).astype(float), totals.astype(float)


def test_by_hand():
    # three dialogues: 1 of 2, 3 of 4, 0 of 0
    # micro (1 + 3) / (2 + 4) = 0.6667; macro (0.5 + 0.75) / 2 = 0.625, the third has no ratio
    found = cluster_bootstrap(column([1, 3, 0]), column([2, 4, 0]))
    assert found.micro == (pytest.approx(2 / 3),)
    assert found.macro == (0.625,)
    assert found.clusters == (2,)
    # fewer than MINIMUM_CLUSTERS: estimates only
    assert found.micro_low == found.micro_high == found.macro_low == found.macro_high == (None,)
    assert found.micro_standard_error == found.macro_standard_error == (None,)
    assert found.micro_method == found.macro_method == (None,)
    assert found.undefined == (0,)


def test_standard_error_by_hand():
    # 100 clusters of one turn, half of them right: the error of a mean is sqrt(0.5 * 0.5 / 100) = 0.05
    found = cluster_bootstrap(column([1, 0] * 50), column([1] * 100), resamples=20_000)
    assert found.micro_standard_error[0] == pytest.approx(0.05, rel=0.03)
    # normal theory with t(99) = 1.984 and sqrt(100 / 99): 0.5 +- 0.0997, a multiple of 0.01
    assert found.micro_low[0] == pytest.approx(0.40, abs=0.0101)
    assert found.micro_high[0] == pytest.approx(0.60, abs=0.0101)
    assert found.micro == found.macro
    assert found.micro_low == found.macro_low


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_against_textbook(textbook, level):
    hits, totals = sample()
    found = cluster_bootstrap(hits, totals, resamples=300, seed=9, level=level)
    for i in range(3):
        h, t = hits[:, i].tolist(), totals[:, i].tolist()
        everything = range(30)
        options = {"resamples": 300, "seed": 9, "level": level}
        assert found.micro[i] == textbook.pooled(h, t, everything)
        assert found.macro[i] == pytest.approx(textbook.mean_of_clusters(h, t, everything), abs=1e-15)
        low, high, error, undefined = textbook.bootstrap(
            lambda drawn, h=h, t=t: textbook.pooled(h, t, drawn), 30, found.clusters[i], **options
        )
        assert (found.micro_low[i], found.micro_high[i]) == pytest.approx((low, high), abs=2e-4)
        assert found.micro_standard_error[i] == pytest.approx(error, rel=1e-9)
        assert found.undefined[i] == undefined
        low, high, error, _ = textbook.bootstrap(
            lambda drawn, h=h, t=t: textbook.mean_of_clusters(h, t, drawn), 30, found.clusters[i], **options
        )
        assert (found.macro_low[i], found.macro_high[i]) == pytest.approx((low, high), abs=2e-4)
        assert found.macro_standard_error[i] == pytest.approx(error, rel=1e-9)
        assert found.micro_method[i] == found.macro_method[i] == PERCENTILE


def test_against_scipy_bootstrap():
    hits, totals = sample(60, 1, seed=4)
    found = cluster_bootstrap(hits, totals, resamples=9000)
    reference = stats.bootstrap(
        (hits[:, 0], totals[:, 0]),
        lambda h, t, axis: h.sum(axis=axis) / t.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=9000,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    assert found.micro_standard_error[0] == pytest.approx(reference.standard_error, rel=0.04)
    # ours is widened for 60 clusters by about 2.9 % (t(59) / z * sqrt(60 / 59)), no more
    width = reference.confidence_interval.high - reference.confidence_interval.low
    assert (found.micro_high[0] - found.micro_low[0]) / width == pytest.approx(1.03, abs=0.04)


def test_minimum_number_of_clusters():
    for clusters, given_bounds in ((MINIMUM_CLUSTERS - 1, False), (MINIMUM_CLUSTERS, True)):
        hits = column([1, 0] * clusters)[:clusters]
        # clusters without a total do not count
        found = cluster_bootstrap(np.vstack([hits, column([0] * 5)]), column([1] * clusters + [0] * 5))
        assert found.clusters == (clusters,)
        assert (found.micro_low[0] is not None) is given_bounds


def test_minimum_holds_for_each_measure():
    hits, totals = sample(40, 2)
    totals[9:, 0] = hits[9:, 0] = 0
    totals[:9, 0], hits[:9, 0] = 3, [0, 1, 2, 3, 0, 1, 2, 3, 1]
    found = cluster_bootstrap(hits, totals)
    assert found.clusters[0] == 9
    assert found.micro[0] is not None
    assert (found.micro_low[0], found.macro_high[0], found.micro_standard_error[0]) == (None, None, None)
    assert found.micro_low[1] is not None


def test_fractional_totals_are_totals():
    found = cluster_bootstrap(column([0.25, 0.5] * 6), column([0.5] * 12))
    assert (found.micro, found.macro, found.clusters) == ((0.75,), (0.75,), (12,))


def test_zero_totals():
    found = cluster_bootstrap(np.zeros((20, 1)), np.zeros((20, 1)))
    assert dataclasses.astuple(found) == ((None,),) * 10 + ((0,), (0,))
    empty = cluster_bootstrap(np.zeros((0, 2)), np.zeros((0, 2)))
    assert empty.micro == (None, None)
    assert empty.clusters == (0, 0)
    assert cluster_bootstrap(np.zeros((20, 0)), np.zeros((20, 0))).micro == ()


def test_resamples_without_a_total_are_left_out_and_counted():
    # 12 of 120 clusters have a total: (1 - 0.1) ** 120 = 3e-6, never; 10 of 1000 likewise e ** -10 = 5e-5,
    # so 100,000 resamples miss about 4.3
    hits, totals = np.zeros((1000, 1)), np.zeros((1000, 1))
    totals[:10] = 2
    hits[:10, 0] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 1]
    found = cluster_bootstrap(hits[:100], totals[:100], resamples=50_000)
    # 10 of 100: 0.9 ** 100 = 2.656e-5, times 50,000 = 1.3 resamples
    assert 0 < found.undefined[0] < 10
    assert 0 < found.micro_low[0] < 0.5 < found.micro_high[0] < 1


@pytest.mark.parametrize("clusters", [10, 40, 400])
def test_all_agree(clusters):
    ones = column([1] * clusters)
    limit = rare_limit(0, clusters, 0.95)
    exact = stats.binomtest(0, clusters).proportion_ci(0.95, method="exact").high
    none = cluster_bootstrap(0 * ones, 3 * ones)
    assert (none.micro[0], none.micro_low[0]) == (0.0, 0.0)
    assert none.micro_high[0] == pytest.approx(limit) == pytest.approx(exact)
    assert none.macro_high[0] == pytest.approx(limit)
    every = cluster_bootstrap(3 * ones, 3 * ones)
    assert (every.micro[0], every.micro_high[0]) == (1.0, 1.0)
    assert every.micro_low[0] == pytest.approx(1 - limit)
    assert every.micro_method == every.macro_method == (RARE,)
    assert every.micro_standard_error == (None,)


def test_all_agree_inside_the_range():
    # every dialogue 1 of 2, 10 of them; p = 0.308497: from 0.5 - p * 0.5 to 0.5 + p * 0.5
    found = cluster_bootstrap(column([1] * 10), column([2] * 10))
    assert found.micro_low[0] == pytest.approx(0.5 - 0.308497 / 2, abs=1e-6)
    assert found.micro_high[0] == pytest.approx(0.5 + 0.308497 / 2, abs=1e-6)


def test_all_agree_with_unequal_totals_uses_the_effective_number():
    # totals 9 and eleven times 1: (9 + 11) ** 2 / (81 + 11) = 400 / 92 = 4.348 clusters' worth of turns
    totals = column([9] + [1] * 11)
    found = cluster_bootstrap(totals, totals)
    assert found.micro_low[0] == pytest.approx(1 - rare_limit(0, 400 / 92, 0.95))
    assert found.macro_low[0] == pytest.approx(1 - rare_limit(0, 12, 0.95))


def test_few_dissenting_clusters_get_at_least_the_exact_limit():
    previous = 0.0
    for dissenting in range(15):
        hits = column([1] * dissenting + [0] * (50 - dissenting))
        found = cluster_bootstrap(hits, np.ones((50, 1)))
        high = found.micro_high[0]
        assert high >= previous  # one more error never gives a lower bound
        if dissenting <= 4:
            assert found.micro_method == (RARE,)
            exact = stats.binomtest(dissenting, 50).proportion_ci(0.95, method="exact").high
            assert high >= exact - 1e-9
        if dissenting == 5:  # counts as four at least: the percentile, 0.18, would lie nearer than with four
            assert high == pytest.approx(stats.binomtest(4, 50).proportion_ci(0.95, method="exact").high)
        if dissenting == 8:
            assert found.micro_method == (PERCENTILE,)
        mirrored = cluster_bootstrap(1 - hits, np.ones((50, 1)))
        assert mirrored.micro_low[0] == pytest.approx(1 - high, abs=0.03)
        previous = high
    assert found.micro_method == (PERCENTILE,)


def test_few_dissenting_clusters_by_their_distance():
    # one of 20 dialogues has 1 of 4 where all others have 0 of 4: 0 + p(1 of 20) * 0.25, p = 0.24873
    found = cluster_bootstrap(column([1] + [0] * 19), column([4] * 20))
    assert found.micro_high[0] == pytest.approx(0.24873 * 0.25, abs=1e-5)
    assert found.micro_low[0] == 0.0


def test_ranges():
    scores, ones = column([1] * 12), column([1] * 12)
    # scores of 1 to 5, all 1: p = 1 - 0.025 ** (1 / 12) = 0.26465; 1 + p * 4
    found = cluster_bootstrap(scores, ones, ranges=[(1, 5)])
    assert found.micro_low[0] == 1.0
    assert found.micro_high[0] == pytest.approx(1 + 0.26465 * 4, abs=1e-4)
    # all 3, range unknown: an estimate, no bounds
    unknown = cluster_bootstrap(3 * scores, ones)
    assert (unknown.micro, unknown.micro_low, unknown.micro_method) == ((3.0,), (None,), (None,))
    # scores that differ need no range
    varied = cluster_bootstrap(column([1, 2, 3, 4, 5, 5] * 3), column([1] * 18))
    assert 1 < varied.micro_low[0] < varied.micro[0] < varied.micro_high[0] < 5
    negative = cluster_bootstrap(column([-1, 2, -3, 4] * 5), column([1] * 20))
    assert negative.micro_low[0] < 0.5 < negative.micro_high[0]


def test_rounding_of_equal_ratios_is_not_variation():
    hits = column([0.1 + 0.2, 0.3] * 10)
    found = cluster_bootstrap(hits, column([1] * 20))
    assert found.micro_method == (RARE,)
    # 0.1 + 0.2 over 0.3 is 1.0000000000000002, which is not outside of 0 to 1
    full = cluster_bootstrap(column([0.1 + 0.2] * 20), column([0.3] * 20), ranges=[(0, 1)])
    assert full.micro_method == (RARE,)
    assert full.micro_low[0] == pytest.approx(1 - rare_limit(0, 20, 0.95))


@pytest.mark.parametrize(
    ("hits", "totals", "ranges", "message"),
    [
        ([1, 2], [1, 2], None, r"shape \(2,\)"),
        ([[1]], [[1], [1]], None, r"\(2, 1\)"),
        ([[1], [np.nan]], [[1], [1]], None, "cluster 1, measure 0 is not finite"),
        ([[1]], [[np.inf]], None, "not finite"),
        ([[0, 0]], [[1, -1]], None, "cluster 0, measure 1 has a negative total"),
        ([[2]], [[0]], None, "has hits but no total"),
        ([[6]], [[1]], [(1, 5)], r"runs from 6.0 to 6.0, outside its range \(1, 5\)"),
        ([[1]], [[1]], [], "0 ranges for 1 measures"),
    ],
)
def test_misuse(hits, totals, ranges, message):
    with pytest.raises(UsageError, match=message):
        cluster_bootstrap(hits, totals, ranges=ranges)


@pytest.mark.parametrize("options", [{"resamples": 0}, {"level": 1.0}])
def test_bad_settings(options):
    with pytest.raises(UsageError):
        cluster_bootstrap([[1]], [[1]], **options)


def test_other_measures_and_integer_types_change_nothing():
    hits, totals = sample(50, 6, seed=2)
    together = cluster_bootstrap(hits, totals, resamples=500)
    alone = cluster_bootstrap(hits[:, 2:3].astype(int), totals[:, 2:3].astype(int), resamples=500)
    for field in dataclasses.fields(Intervals):
        assert getattr(together, field.name)[2] == getattr(alone, field.name)[0]


def test_same_bytes_on_any_number_of_threads():
    code = (
        "import numpy as np; from turnmark.stats.intervals import cluster_bootstrap as b;"
        "r = np.random.default_rng(1); t = r.random((700, 40)); print(b(t * r.random((700, 40)), t))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "OPENBLAS_CORETYPE": kernel},
            capture_output=True,
            check=True,
        ).stdout
        for threads, kernel in (("1", ""), ("2", ""), ("2", "Nehalem"))
    }
    assert len(outputs) == 1


def test_seed_changes_bounds_and_only_these():
    hits, totals = sample()
    first, second = cluster_bootstrap(hits, totals), cluster_bootstrap(hits, totals, seed=1)
    assert first == cluster_bootstrap(hits, totals)
    assert first.micro == second.micro
    assert first.micro_low != second.micro_low


def test_inputs_are_left_alone():
    hits, totals = sample()
    before = hits.copy(), totals.copy()
    cluster_bootstrap(hits, totals)
    assert np.array_equal(hits, before[0])
    assert np.array_equal(totals, before[1])


@pytest.mark.slow
def test_large_table_stays_within_time_and_memory():
    hits, totals = sample(8000, 80)
    assert processor_growth(lambda rows: cluster_bootstrap(hits[:rows], totals[:rows]), 1000, 8000) < SQUARE
    tracemalloc.start()
    cluster_bootstrap(hits, totals)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


def test_statistic_that_does_not_vary_has_no_bounds():
    found = bounded_statistic(0.5, np.array([0.5, np.nan, 0.5]), 20, 0.95)
    assert (found.estimate, found.low, found.high, found.undefined) == (0.5, None, None, 1)
    assert bounded_statistic(None, np.array([0.1, 0.2]), 20, 0.95).low is None
    assert bounded_statistic(0.1, np.array([0.1, np.nan]), 20, 0.95).low is None


tables = st.integers(10, 25).flatmap(
    lambda n: st.lists(st.integers(0, 5).flatmap(lambda t: st.tuples(st.integers(0, t), st.just(t))), min_size=n)
)


@QUICK
@given(tables, st.sampled_from([0.5, 0.9, 0.95]))
def test_bounds_stay_in_range_and_around_the_estimate(rows, level):
    hits, totals = (column(values) for values in zip(*rows, strict=True))
    found = cluster_bootstrap(hits, totals, resamples=200, level=level)
    for kind in ("micro", "macro"):
        estimate, low, high = (getattr(found, kind + end)[0] for end in ("", "_low", "_high"))
        if estimate is None:
            assert found.clusters == (0,)
        elif low is not None:
            assert 0 <= low <= high <= 1
            assert low - 0.1 <= estimate <= high + 0.1
            assert low < high


@QUICK
@given(tables, st.data())
def test_order_of_clusters_does_not_move_estimates(rows, data):
    shuffled = data.draw(st.permutations(rows))
    first, second = (
        cluster_bootstrap(*(column(values) for values in zip(*order, strict=True)), resamples=2)
        for order in (rows, shuffled)
    )
    assert (first.micro, first.macro, first.clusters) == (second.micro, second.macro, second.clusters)


@QUICK
@given(tables, st.data())
def test_one_more_error_never_raises_anything(rows, data):
    right = [i for i, (hit, _) in enumerate(rows) if hit]
    if not right:
        return
    worse = list(rows)
    index = data.draw(st.sampled_from(right))
    worse[index] = (rows[index][0] - 1, rows[index][1])
    better_found, worse_found = (
        cluster_bootstrap(*(column(values) for values in zip(*table, strict=True)), resamples=100)
        for table in (rows, worse)
    )
    assert worse_found.micro[0] < better_found.micro[0]
    assert worse_found.macro[0] < better_found.macro[0]
    if better_found.micro_method == worse_found.micro_method == (PERCENTILE,):
        assert worse_found.micro_low[0] <= better_found.micro_low[0]
        assert worse_found.micro_high[0] <= better_found.micro_high[0]


@QUICK
@given(tables)
def test_complement_mirrors(rows):
    hits, totals = (column(values) for values in zip(*rows, strict=True))
    found = cluster_bootstrap(hits, totals, resamples=150)
    mirror = cluster_bootstrap(totals - hits, totals, resamples=150)
    if found.micro_low[0] is not None:
        assert mirror.micro_low[0] == pytest.approx(1 - found.micro_high[0], abs=1e-9)
        assert mirror.macro_high[0] == pytest.approx(1 - found.macro_low[0], abs=1e-9)
        assert mirror.micro_method == found.micro_method
