from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

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
