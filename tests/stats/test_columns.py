"""Columns of numbers: what goes in comes out, in as few bytes as it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.stats.columns import Columns

numbers = st.integers(-300, 300).map(float) | st.floats(allow_nan=False) | st.integers(0, 1 << 40)


@given(st.lists(st.tuples(numbers, numbers), max_size=40), st.integers(1, 40))
def test_every_number_comes_back_as_it_was(rows, looked_at):
    columns = Columns(2)
    for at, row in enumerate(rows):
        columns.append(row)
        if at % looked_at == 0:  # what waits is taken apart
            columns.column(0)
    assert list(zip(columns.column(0), columns.column(1), strict=True)) == rows


@pytest.mark.parametrize(
    ("row", "size"), [((0.0,), 1), ((127,), 1), ((-128.0,), 1), ((128.0,), 4), ((float(1 << 31),), 8), ((0.5,), 8)]
)
def test_a_number_takes_what_it_needs(row, size):
    columns = Columns(1)
    for _ in range(2000):
        columns.append(row)
    assert columns.column(0).itemsize == size
    assert set(columns.column(0)) == set(row)


def test_a_column_grows_wider_with_its_numbers_and_the_others_do_not():
    columns = Columns(2)
    columns.append((1.0, 1.0))
    columns.column(0)
    columns.append((0.25, 2.0))
    columns.add(0, (300.0, 3.0))
    assert columns.column(0).tolist() == [301.0, 0.25]
    assert (columns.column(1).tolist(), columns.column(1).typecode) == ([4, 2], "b")
