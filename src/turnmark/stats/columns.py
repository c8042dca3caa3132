"""Rows of numbers kept by column, each column as narrow as its numbers allow."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeAlias

_FORMS = "bid"
"""Integers of one and of four bytes, and doubles."""
_TOGETHER = 512
"""Rows that wait to be taken apart together, which costs less than one by one."""

Column: TypeAlias = "array[float]"


class Columns:
    """Rows of ``width`` numbers that are read by column; each number is given back as it came.

    Most sums of a dialogue are small integers, which take a byte; a column that holds a fraction takes eight a row.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._columns: list[Column] = [array(_FORMS[0]) for _ in range(width)]
        self._waiting: list[float] = []

    def append(self, row: Sequence[float]) -> None:
        """Add a row."""
        self._waiting.extend(row)
        if len(self._waiting) >= _TOGETHER * self._width:
            self._take_apart()

    def add(self, row: int, numbers: Sequence[float]) -> None:
        """Add numbers to those of a row that is there."""
        self._take_apart()
        for place, number in enumerate(numbers):
            result = _narrow([self._columns[place][row] + number])
            column = self._columns[place] = _as_wide(self._columns[place], result)
            column[row] = result[0]

    def column(self, place: int) -> Column:
        """The numbers of all rows in one place; nothing may be added while they are held."""
        self._take_apart()
        return self._columns[place]

    def _take_apart(self) -> None:
        if not self._waiting:
            return
        for place in range(self._width):
            part = _narrow(self._waiting[place :: self._width])
            column = self._columns[place] = _as_wide(self._columns[place], part)
            column.extend(_as_wide(part, column))
        self._waiting = []


def _narrow(numbers: list[float]) -> Column:
    """The numbers in the narrowest form that holds each as it is."""
    if not any(numbers):
        return array(_FORMS[0], bytes(len(numbers)))
    for form in _FORMS[:-1]:
        try:
            whole: Column = array(form, map(int, numbers))
        except (OverflowError, ValueError):
            continue
        if whole.tolist() == numbers:
            return whole
        break
    return array(_FORMS[-1], numbers)


def _as_wide(numbers: Column, other: Column) -> Column:
    """The numbers in a form that is no narrower than that of others."""
    if _FORMS.index(numbers.typecode) >= _FORMS.index(other.typecode):
        return numbers
    return array(other.typecode, numbers)
