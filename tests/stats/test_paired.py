"""Paired differences: hand-worked, against scipy, by simulation, and by properties."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from turnmark.errors import UsageError
from turnmark.schemas.results.summary import INTERVAL_METHODS
from turnmark.stats import paired
from turnmark.stats.paired import (
    benjamini_hochberg,
    clusters_needed,
    detectable_difference,
    holm,
    paired_differences,
    permutation_p_values,
)


def one(first, second, **settings_):
    """The comparison of two lists of (hits, total), one entry a dialogue."""
    tables = [np.array(table, dtype=float)[:, place : place + 1] for table in (first, second) for place in (0, 1)]
    return paired_differences(*tables, **settings_)[0]


def test_a_comparison_worked_by_hand():
    # Three dialogues of two turns: 2/2, 1/2, 2/2 against 0/2, 1/2, 1/2. Pooled 5/6 and 2/6, difference -1/2.
    found = one([(2, 2), (1, 2), (2, 2)], [(0, 2), (1, 2), (1, 2)])
    assert found.first == pytest.approx(5 / 6)
    assert found.second == pytest.approx(2 / 6)
    assert found.difference.estimate == pytest.approx(-1 / 2)
    # Eight swaps; the dialogues differ by -2, 0, -1 hits, so |sum| = 3 in those where the first and the third have the
    # same sign: 4 of 8.
    assert found.p_value == pytest.approx(4 / 8)
    # Differences of the dialogues: -1, 0, -1/2: mean -1/2, standard deviation 1/2.
    assert found.effect == pytest.approx(-1.0)
    assert found.difference.low is None  # three dialogues are too few
    assert found.detectable is None


def test_all_swaps_are_taken_where_there_are_few():
    generator = np.random.default_rng(5)
    totals = generator.integers(1, 5, 9)
    first, second = generator.binomial(totals, 0.7), generator.binomial(totals, 0.4)
    found = one(list(zip(first, totals, strict=True)), list(zip(second, totals, strict=True)))
    observed = abs(second.sum() - first.sum())
    apart = second - first
    extreme = sum(abs(np.dot(signs, apart)) >= observed for signs in itertools.product((1, -1), repeat=9))
    assert found.p_value == pytest.approx(extreme / 2**9)


def test_random_swaps_agree_with_scipy():
    generator = np.random.default_rng(6)
    totals = np.full(60, 4)
    first = generator.binomial(totals, 0.6)
    second = generator.binomial(totals, 0.68)
    found = one(list(zip(first, totals, strict=True)), list(zip(second, totals, strict=True)), draws=20_000)
    reference = stats.permutation_test(
        ((second - first) / 4,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1
    )
    assert found.p_value == pytest.approx(reference.pvalue, abs=0.015)


def test_the_interval_agrees_with_scipys_bootstrap_of_the_paired_differences():
    generator = np.random.default_rng(7)
    totals = np.full(80, 5)
    first, second = generator.binomial(totals, 0.5), generator.binomial(totals, 0.6)
    found = one(list(zip(first, totals, strict=True)), list(zip(second, totals, strict=True)))
    reference = stats.bootstrap(((second - first) / 5,), np.mean, n_resamples=9999, method="percentile", rng=2)
    assert found.difference.low == pytest.approx(reference.confidence_interval.low, abs=0.008)
    assert found.difference.high == pytest.approx(reference.confidence_interval.high, abs=0.008)
    assert found.difference.standard_error == pytest.approx(reference.standard_error, rel=0.05)


def test_no_difference_anywhere():
    found = one([(1, 2)] * 20, [(1, 2)] * 20)
    assert found.difference.estimate == 0
    assert found.p_value == 1.0
    assert found.effect is None
    assert found.difference.low is None


def test_p_values_alone_are_those_of_the_whole_comparison():
    generator = np.random.default_rng(14)
    totals = generator.integers(0, 5, (40, 3))
    first, second = generator.binomial(totals, 0.7), generator.binomial(totals, 0.5)
    totals[:, 2] = first[:, 2] = second[:, 2] = 0
    tables = (first, totals, second, totals)
    whole = paired_differences(*tables, draws=500, seed=3)
    assert permutation_p_values(*tables, draws=500, seed=3) == [one.p_value for one in whole]
    assert whole[2].p_value is None


def test_nothing_to_compare():
    found = one([(0, 0)] * 3, [(1, 2)] * 3)
    assert (found.first, found.second) == (None, 0.5)
    assert found.difference.estimate is None
    assert found.p_value is None


def test_a_dialogue_without_pairs_changes_nothing():
    first, second = [(1, 2), (2, 2), (0, 2), (2, 2)], [(2, 2), (2, 2), (1, 2), (2, 2)]
    with_empty = one([*first, (0, 0)], [*second, (0, 0)])
    without = one(first, second)
    assert with_empty.difference.estimate == without.difference.estimate
    assert with_empty.p_value == without.p_value
    assert with_empty.clusters == without.clusters == 4


def test_the_same_data_give_the_same_figures_whatever_else_is_compared():
    generator = np.random.default_rng(8)
    totals = np.full((40, 3), 3.0)
    first, second = generator.binomial(3, 0.5, (40, 3)), generator.binomial(3, 0.6, (40, 3))
    together = paired_differences(first, totals, second, totals, draws=500)
    alone = paired_differences(first[:, 1:2], totals[:, 1:2], second[:, 1:2], totals[:, 1:2], draws=500)
    assert together[1] == alone[0]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ((np.zeros((2, 1)), np.zeros((2, 1)), np.zeros((3, 1)), np.zeros((2, 1))), "shapes"),
        ((np.full((2, 1), np.nan), *[np.ones((2, 1))] * 3), "not finite"),
    ],
)
def test_tables_that_cannot_be_compared(tables, message):
    with pytest.raises(UsageError, match=message):
        paired_differences(*tables)


counts = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@settings(max_examples=60)
@given(counts)
def test_swapping_the_systems_turns_the_sign_and_keeps_p(pairs):
    first, second = [(a, 3) for a, _ in pairs], [(b, 3) for _, b in pairs]
    there, back = one(first, second, draws=200), one(second, first, draws=200)
    assert there.difference.estimate == pytest.approx(-back.difference.estimate)
    assert there.p_value == pytest.approx(back.p_value)
    assert 0 < there.p_value <= 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_corrections_never_lower_a_p_value_and_keep_the_order(p_values):
    for adjusted in (holm(p_values), benjamini_hochberg(p_values)):
        assert all(after >= before for before, after in zip(p_values, adjusted, strict=True))
        assert all(0 <= after <= 1 for after in adjusted)
        order = np.argsort(p_values, kind="stable")
        assert all(a <= b for a, b in itertools.pairwise(np.array(adjusted)[order]))
    assert benjamini_hochberg(p_values) == pytest.approx(stats.false_discovery_control(p_values).tolist())


def test_holm_worked_by_hand():
    # Sorted 0.01, 0.02, 0.04: times 3, 2, 1 = 0.03, 0.04, 0.04.
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []


def test_power_worked_by_hand():
    # (1.95996 + 0.84162) * 0.01 = 0.0280159
    assert detectable_difference(0.01) == pytest.approx(0.0280159, abs=1e-6)
    # Half of the detectable difference needs four times the dialogues.
    assert clusters_needed(0.01, 100, 0.0280159 / 2) in (400, 401)
    with pytest.raises(UsageError, match="above 0"):
        clusters_needed(0.01, 100, 0)
    for wanted in (math.nan, math.inf, -0.1):
        with pytest.raises(UsageError, match="give one above 0"):
            clusters_needed(0.01, 100, wanted)
    with pytest.raises(UsageError, match="give a larger one"):
        clusters_needed(0.01, 100, 1e-300)


def simulated(generator, shift, dialogs=40):
    """Turns of a dialogue share their difficulty, so they are far from independent."""
    ease = generator.beta(1.5, 1.5, dialogs)
    totals = generator.integers(2, 9, dialogs)
    first = generator.binomial(totals, ease)
    second = generator.binomial(totals, np.clip(ease + shift, 0, 1))
    return list(zip(first, totals, strict=True)), list(zip(second, totals, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_intervals_cover_and_the_test_keeps_its_level(method):
    generator = np.random.default_rng(11)
    repetitions, covered, rejected = 1000, 0, 0
    for _ in range(repetitions):
        first, second = simulated(generator, 0.0)
        found = one(first, second, draws=1000, seed=int(generator.integers(1 << 30)), method=method)
        covered += found.difference.low <= 0 <= found.difference.high
        rejected += found.p_value < 0.05
    assert 0.93 <= covered / repetitions <= 0.97
    assert rejected / repetitions <= 0.065


@pytest.mark.slow
def test_the_detectable_difference_is_found_in_four_of_five_comparisons():
    generator = np.random.default_rng(12)
    trial = [one(*simulated(generator, 0.0, 200), draws=500).detectable for _ in range(20)]
    shift = float(np.mean(trial)) / (1 - 2 * 0.06)  # some of the shift is cut off at 0 and 1
    found = [one(*simulated(generator, shift, 200), draws=500).p_value < 0.05 for _ in range(300)]
    assert 0.7 <= np.mean(found) <= 0.92


def pairs_of(seed, dialogs=40):
    """Two systems on the same dialogues of one to five turns, the second a little better."""
    generator = np.random.default_rng(seed)
    first_totals, second_totals = generator.integers(1, 6, dialogs), generator.integers(1, 6, dialogs)
    first, second = generator.binomial(first_totals, 0.5), generator.binomial(second_totals, 0.65)
    return list(zip(first, first_totals, strict=True)), list(zip(second, second_totals, strict=True))


def test_the_interval_by_formula_is_that_of_the_docstring():
    first, second = pairs_of(11)
    found = one(first, second, method="analytic", level=0.9).difference
    whole1, whole2 = (sum(total for _, total in side) for side in (first, second))
    ratio1, ratio2 = sum(hits for hits, _ in first) / whole1, sum(hits for hits, _ in second) / whole2
    moved = [
        (hits2 - ratio2 * total2) / whole2 - (hits1 - ratio1 * total1) / whole1
        for (hits1, total1), (hits2, total2) in zip(first, second, strict=True)
    ]
    error = math.sqrt(40 / 39 * sum(part**2 for part in moved))
    reach = stats.t.ppf(0.95, 39) * error
    assert found.standard_error == pytest.approx(error)
    assert (found.low, found.high) == pytest.approx((ratio2 - ratio1 - reach, ratio2 - ratio1 + reach))


def test_the_corrected_interval_agrees_with_scipys():
    first, second = pairs_of(12, dialogs=120)
    found = one(first, second, method="bca", draws=20000).difference

    def difference(hits1, totals1, hits2, totals2, axis=-1):
        return hits2.sum(axis=axis) / totals2.sum(axis=axis) - hits1.sum(axis=axis) / totals1.sum(axis=axis)

    columns = [np.array([pair[place] for pair in side], float) for side in (first, second) for place in (0, 1)]
    expected = stats.bootstrap(
        columns, difference, paired=True, vectorized=True, n_resamples=20000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.006)


def test_p_is_exact_up_to_as_many_swaps_as_draws():
    # Ten dialogues, each won by the second: two of 1024 swaps are as extreme.
    won = [(0, 1)] * 10, [(1, 1)] * 10
    assert one(*won, draws=1024).p_value == 2 / 1024
    assert one(*won, draws=1023).p_value != 2 / 1024


def test_random_swaps_are_as_many_as_were_asked_for_and_the_observed_one():
    assert one([(0, 1)] * 60, [(1, 1)] * 60, draws=1000).p_value == 1 / 1001


def test_a_dialogue_that_one_system_alone_has_counts_as_one():
    both = [(1, 2), (0, 1), (1, 1)]
    assert one([*both, (1, 1)], [*both, (0, 0)]).clusters == 4
    assert one([*both, (0, 0)], [*both, (1, 1)]).clusters == 4
    assert one([*both, (0, 0)], [*both, (0, 0)]).clusters == 3


def test_the_effect_rests_on_dialogues_that_both_have():
    # 1, 0 and, of one turn each, 1: mean 2/3 over a standard deviation of root(1/3).
    found = one([(0, 1), (1, 1), (0, 1), (1, 1)], [(1, 1), (1, 1), (1, 1), (0, 0)])
    assert found.effect == pytest.approx(2 / 3 / math.sqrt(1 / 3))


def test_a_difference_too_small_for_any_number_of_dialogues():
    # 2.8 / 3e-154 squared is a number still, a thousand times that is none.
    with pytest.raises(UsageError, match="give a larger one"):
        clusters_needed(1.0, 100_000, 3e-154)


def test_the_jackknife_leaves_out_each_dialogue_on_both_sides():
    first, second = [(2.0, 3.0), (1.0, 5.0), (4.0, 4.0)], [(1.0, 2.0), (0.0, 6.0), (3.0, 7.0)]
    tables = [np.array(side)[:, column] for side in (first, second) for column in (0, 1)]
    expected = [
        sum(hits for hits, _ in second[:at] + second[at + 1 :]) / sum(of for _, of in second[:at] + second[at + 1 :])
        - sum(hits for hits, _ in first[:at] + first[at + 1 :]) / sum(of for _, of in first[:at] + first[at + 1 :])
        for at in range(3)
    ]
    assert paired._without_one(tables) == pytest.approx(expected)
