"""Spans within and beside others, against the plain question asked of every one of them."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.intervals import Apart, Enclosing

spans = st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda each: (each[0], each[0] + each[1]))


@given(st.lists(spans), spans)
def test_enclosing(others, span):
    start, end = span
    inside = [(first, last) for first, last in others if first <= start and end <= last]
    assert Enclosing(others).hold(start, end) == bool(inside)
    assert Enclosing(others).exceed(start, end) == any(last - first > end - start for first, last in inside)


@given(st.lists(spans))
def test_apart(given_spans):
    apart, kept = Apart(), []
    for start, end in given_spans:
        free = not any(start < last and first < end for first, last in kept)
        assert apart.add(start, end) == free
        if free:
            kept.append((start, end))
