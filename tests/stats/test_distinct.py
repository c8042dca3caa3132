"""Rows that are alike, and intervals of tables in which they stand once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.stats.distinct import distinct_rows
from turnmark.stats.methods import cluster_intervals

cells = st.sampled_from([0.0, 1.0, 2.0, -3.0, 0.5, 1 / 3, 1e6, 2.0**40])


@given(st.integers(1, 30).flatmap(lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), max_size=20)))
def test_rows_get_one_number_when_they_are_alike_and_only_then(rows):
    table = np.array(rows).reshape(len(rows), len(rows[0]) if rows else 0)
    kinds, firsts = distinct_rows(iter(table.T), len(table))
    assert table[firsts][kinds].tolist() == table.tolist()
    assert len(firsts) == len({tuple(row) for row in table.tolist()})
    assert sorted(set(kinds.tolist())) == list(range(len(firsts)))
    assert all(kinds[first] == kind for kind, first in enumerate(firsts))


@pytest.mark.parametrize("method", ["percentile", "bca", "analytic"])
@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 0.25, 1 / 3, 1.0]])
def test_intervals_of_shared_rows_are_those_of_the_rows_written_out(method, values):
    chance = np.random.default_rng(5)
    totals = chance.integers(0, 3, (200, 4)).astype(np.float64)
    totals[:, 3] = 0.0
    hits = totals * chance.choice(values, totals.shape)
    kinds, firsts = distinct_rows((column for table in (hits, totals) for column in table.T), len(hits))
    whole = cluster_intervals(hits, totals, method=method, resamples=300)
    assert cluster_intervals(hits[firsts], totals[firsts], method=method, resamples=300, kinds=kinds) == whole
