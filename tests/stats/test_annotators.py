"""Krippendorff's alpha: the textbook's own example, by hand, and at its edges."""

import pytest

from turnmark.errors import UsageError
from turnmark.stats.annotators import krippendorff_alpha

# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: four observers, twelve units, gaps.
TEXTBOOK = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4], [1, 1, 2, 1],
    [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip


def test_the_textbooks_example():
    assert krippendorff_alpha(TEXTBOOK) == pytest.approx(0.743, abs=0.001)
    assert krippendorff_alpha(TEXTBOOK, "interval") == pytest.approx(0.849, abs=0.001)


def test_perfect_and_worse_than_chance():
    assert krippendorff_alpha([[True, True], [False, False]]) == 1.0
    assert krippendorff_alpha([[True, False], [False, True]]) < 0


@pytest.mark.parametrize("units", [[], [[True]], [[None, True], [False, None]], [[True, True], [True, True]]])
def test_nothing_to_agree_about(units):
    assert krippendorff_alpha(units) is None


def test_the_interval_scale_needs_numbers():
    with pytest.raises(UsageError, match="needs numbers"):
        krippendorff_alpha([["a", "b"]], "interval")
