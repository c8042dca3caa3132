from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from turnmark.schemas.reasons import Reason
from turnmark.stats.by_turn import MINIMUM_ROWS, TurnSums
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Value

SHARE = (0.0, 1.0)


def summed(rows):
    sums = TurnSums()
    for hits, total in rows:
        sums.add("m", 1, [Ratio(hits, total)])
    return sums


def test_yes_and_no_give_the_wilson_interval_of_their_count():
    (point,) = summed([(1, 1)] * 13 + [(0, 1)] * 7).points("m", 0, SHARE)
    assert (point.turn, point.value, point.rows) == (1, 13 / 20, 20)
    reference = binomtest(13, 20).proportion_ci(method="wilson")
    # The linearised variance divides by n - 1, so the effective size is 19.
    wider = binomtest(13, 20).proportion_ci(0.97, method="wilson")
    assert wider.low < point.interval[0] < reference.low
    assert reference.high < point.interval[1] < wider.high


def test_where_all_agree_the_interval_is_that_of_as_many_rows():
    (point,) = summed([(1, 1)] * 10).points("m", 0, SHARE)
    reference = binomtest(10, 10).proportion_ci(method="wilson")
    assert point.interval == pytest.approx((reference.low, reference.high))


def test_rows_weigh_by_their_totals_and_few_get_no_interval():
    (point,) = summed([(1, 1), (0, 3), (0, 0)]).points("m", 0, SHARE)
    assert (point.value, point.interval, point.rows) == (0.25, None, 2)


def test_values_on_another_scale_stay_on_it():
    sums = TurnSums()
    for value in (1.0, 2.0, 5.0, 5.0, 4.0):
        sums.add("m", 3, [Ratio(1, 1), Value(value)])
    (point,) = sums.points("m", 1, (1.0, 5.0))
    assert point.value == pytest.approx(3.4)
    assert 1.0 <= point.interval[0] < 3.4 < point.interval[1] <= 5.0


def test_reasons_are_counted_the_commonest_first():
    sums = TurnSums()
    for outcome in (NotApplicable("b"), NotApplicable("a"), Failed("x"), NotApplicable("b"), NotApplicable("c")):
        sums.add("m", 1, outcome)
    assert [(str(reason), rows) for reason, rows in sums.why("m", "not_applicable")] == [("b", 2), ("a", 1), ("c", 1)]
    assert sums.why("m", "failed") == [(Reason.text("x"), 1)]
    assert sums.why("other", "failed") == []
    assert sums.points("m", 0, SHARE) == []
    assert sums.rows == 5


def linearised(rows, scale):
    """The interval from textbook parts: variance of a ratio by its residuals, effective size, Wilson's formula."""
    low, high = scale
    hits, totals = np.array(rows, float).T
    ratio = hits.sum() / totals.sum()
    residuals = hits - ratio * totals
    variance = len(rows) * np.var(residuals, ddof=1) / totals.sum() ** 2 / (high - low) ** 2
    share = (ratio - low) / (high - low)
    size = share * (1 - share) / variance
    z = norm.ppf(0.975)
    middle, reach = share + z**2 / (2 * size), z * math.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    ends = [(middle - reach) / (1 + z**2 / size), (middle + reach) / (1 + z**2 / size)]
    return tuple(low + min(max(end, 0.0), 1.0) * (high - low) for end in ends)


@pytest.mark.parametrize(
    ("rows", "scale"),
    [
        ([(1, 2), (3, 4), (0, 3), (2, 2), (1, 5), (4, 4)], SHARE),
        ([(1, 1), (0, 1), (1, 1), (1, 1), (0, 1)], SHARE),
        ([(2, 1), (5, 1), (3, 1), (4, 1), (1, 1), (4, 1)], (1.0, 5.0)),
        ([(8, 2), (3, 1), (9, 3), (4, 1), (2, 1)], (1.0, 5.0)),
        ([(15, 1), (35, 2), (22, 1), (30, 2), (11, 1)], (10.0, 30.0)),
    ],
)
def test_the_interval_is_that_of_the_linearised_ratio(rows, scale):
    sums = TurnSums()
    for hits, total in rows:
        sums.add("m", 1, [Ratio(1, 1), Ratio(hits, total)])
    (point,) = sums.points("m", 1, scale)
    assert point.value == pytest.approx(sum(hits for hits, _ in rows) / sum(total for _, total in rows))
    assert point.interval == pytest.approx(linearised(rows, scale))


def test_five_rows_get_an_interval_and_four_none():
    assert summed([(1, 2)] * 4).points("m", 0, SHARE)[0].interval is None
    assert summed([(1, 2)] * 5).points("m", 0, SHARE)[0].interval is not None


@pytest.mark.parametrize(("hits", "scale"), [(0, SHARE), (1, (1.0, 5.0))])
def test_where_all_are_at_the_lower_end_the_interval_is_that_of_as_many_rows(hits, scale):
    (point,) = summed([(hits, 1)] * 8).points("m", 0, scale)
    reference = binomtest(0, 8).proportion_ci(method="wilson")
    low, high = scale
    assert point.interval == pytest.approx((low, low + reference.high * (high - low)))


ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=40)


@given(ROWS, st.integers(0, 40))
def test_sums_made_apart_and_merged_are_the_same(rows, cut):
    whole, first, second = TurnSums(), TurnSums(), TurnSums()
    for place, (hits, more, turn) in enumerate(rows):
        outcomes = [Ratio(hits, hits + more)]
        whole.add("m", turn, outcomes)
        (first if place < cut else second).add("m", turn, outcomes)
    first.merge(second)
    assert first.points("m", 0, SHARE) == whole.points("m", 0, SHARE)
    for point in whole.points("m", 0, SHARE):
        assert 0 <= point.value <= 1
        assert (point.interval is None) == (point.rows < MINIMUM_ROWS)
        if point.interval:
            assert point.interval[0] - 1e-12 <= point.value <= point.interval[1] + 1e-12
            assert all(math.isfinite(end) for end in point.interval)


def test_what_was_merged_can_be_taken_back() -> None:
    whole, first, second = TurnSums(), TurnSums(), TurnSums()
    first.add("m", 1, [Ratio(1, 3)])
    first.add("m", 2, NotApplicable("only here"))
    second.add("m", 1, [Ratio(2, 3)])
    second.add("m", 2, NotApplicable("both"))
    second.faults["severe"] += 1
    for one in (first, second):
        whole.merge(one)
    whole.take_back(second)
    assert whole.points("m", 0, (0.0, 1.0)) == first.points("m", 0, (0.0, 1.0))
    assert whole.why("m", "not_applicable") == first.why("m", "not_applicable")
    assert (whole.rows, dict(whole.faults)) == (2, {})


def test_points_do_not_depend_on_the_order_of_parts() -> None:
    values = [0.1, 0.2, 0.3, 1 / 3, 0.7]
    found = []
    for order in (values, values[::-1]):
        sums = TurnSums()
        for value in order:
            sums.add("m", 1, [Value(value)])
        found.append(sums.points("m", 0, (0.0, 1.0)))
    assert found[0] == found[1]
