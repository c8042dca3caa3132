"""Which rows of a table are alike."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from turnmark.stats.resampling import Floats

Places = NDArray[np.intp]

_MOST_CODES = 1 << 62
_NARROW = 1 << 20


def distinct_rows(columns: Iterable[Floats], height: int) -> tuple[Places, Places]:
    """Rows that are alike get one number.

    ``columns`` are those of a table of ``height`` rows, taken one at a time. Returns the number of each row, shape
    (height,), and for each number the first row that has it.
    """
    codes, size = np.zeros(height, dtype=np.int64), 1
    for column in columns:
        numbers, count = _numbered(column)
        if count == 1:
            continue
        if size * count >= _MOST_CODES:
            codes = np.unique(codes, return_inverse=True)[1]
            size = int(codes.max()) + 1
        codes = codes * count + numbers
        size *= count
    _, firsts, kinds = np.unique(codes, return_index=True, return_inverse=True)
    return kinds, firsts


def _numbered(column: Floats) -> tuple[NDArray[np.int64], int]:
    """A number from 0 for each value, the same where values are, and how many numbers there may be."""
    low, high = (column.min(), column.max()) if len(column) else (0.0, 0.0)
    if high - low < _NARROW and np.array_equal(column, np.rint(column)):
        return (column - low).astype(np.int64), int(high - low) + 1
    values, numbers = np.unique(column, return_inverse=True)
    return numbers, len(values)
