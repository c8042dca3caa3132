"""Days of the week are read with their ranges."""

from __future__ import annotations

import pytest

from turnmark.language.values.weekdays import weekdays

READ = [
    ("monday to thursday", {0, 1, 2, 3}),
    ("fri-sun", {4, 5, 6}),
    ("on saturdays", {5}),
    ("at weekends", {5, 6}),
    ("周一至周五", {0, 1, 2, 3, 4}),
    ("周六到周一", {5, 6, 0}),
    ("周末", {5, 6}),
    ("星期天", {6}),
    ("평일", {0, 1, 2, 3, 4}),
    ("화요일", {1}),
    ("월~금", {0, 1, 2, 3, 4}),
    ("연중무휴", {0, 1, 2, 3, 4, 5, 6}),
    ("sun cream", set()),
]


@pytest.mark.parametrize(("text", "days"), READ)
def test_the_days_of_a_text(text: str, days: set[int]) -> None:
    assert set().union(*[each.days for each in weekdays(text)]) == days
