"""The rows that two runs have in common, as tables of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnmark.pipeline.outcomes import Floats, RunTable
from turnmark.pipeline.turns import Key

NOISE = 1e-12
"""Differences up to this are rounding."""


class Paired(NamedTuple):
    """The rows that both runs have, in the order of the first; ``dialogs`` is the place of each row's dialogue."""

    keys: list[Key]
    dialogs: NDArray[np.int64]
    names: list[str]
    hits1: Floats
    totals1: Floats
    hits2: Floats
    totals2: Floats

    def by_dialog(self, rows: NDArray[np.bool_]) -> list[Floats]:
        """The four tables summed by dialogue, over the rows that are asked for."""
        tables = []
        for table in (self.hits1, self.totals1, self.hits2, self.totals2):
            sums = np.zeros((len(self.names), table.shape[1]))
            np.add.at(sums, self.dialogs[rows], table[rows])
            tables.append(sums)
        return tables


def paired(first: RunTable, second: RunTable, keys: Sequence[Key]) -> Paired:
    """The rows of two runs with these keys; a measure counts where it applies to both rows of a pair."""
    places1 = {key: place for place, key in enumerate(first.keys)}
    places2 = {key: place for place, key in enumerate(second.keys)}
    at1 = [places1[key] for key in keys]
    at2 = [places2[key] for key in keys]
    names = list(dict.fromkeys(dialog_id for dialog_id, _ in keys))
    number = {name: place for place, name in enumerate(names)}
    hits1, totals1, hits2, totals2 = first.hits[at1], first.totals[at1], second.hits[at2], second.totals[at2]
    both = (totals1 > 0) & (totals2 > 0)
    cleared = [np.where(both, table, 0.0) for table in (hits1, totals1, hits2, totals2)]
    dialogs = np.array([number[dialog_id] for dialog_id, _ in keys], dtype=np.int64)
    return Paired(list(keys), dialogs, names, *cleared)


def common(tables: Sequence[RunTable]) -> list[Key]:
    """The turns that all runs have, sorted."""
    shared = set(tables[0].keys).intersection(*(table.keys for table in tables[1:]))
    return sorted(shared)


def apart(pairs: Paired, place: int) -> Floats:
    """The difference of each pair in one measure, nan where it does not apply."""
    nothing = np.full(len(pairs.keys), np.nan)
    totals1, totals2 = pairs.totals1[:, place], pairs.totals2[:, place]
    one = np.divide(pairs.hits1[:, place], totals1, out=nothing.copy(), where=totals1 > 0)
    two = np.divide(pairs.hits2[:, place], totals2, out=nothing, where=totals2 > 0)
    return np.asarray(two - one, dtype=np.float64)
