"""The rows that two runs have in common, as tables of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnmark.pipeline.comparing.run_table import DIALOG, Floats, RunTable
from turnmark.pipeline.publishing.run_turns import Key
from turnmark.schemas.results.comparison import NOT_DECIDED
from turnmark.stats.tally import bounded

NOISE = 1e-12
"""Differences up to this are rounding."""


class Side(NamedTuple):
    """What one run gives for some keys, and what was not decided; all tables have the shape (keys, columns)."""

    hits: Floats
    totals: Floats
    undecided: Floats

    def ends(self, place: int, rows: NDArray[np.bool_]) -> tuple[float, float] | None:
        """The least and the greatest pooled figure of a measure; None where there is nothing to decide."""
        hits, total, rest = (float(table[rows, place].sum()) for table in self)
        return bounded(hits, total, rest) if total + rest else None

    def ratios(self) -> Floats:
        """The value of each measure, nan where there is none."""
        return _ratio(self.hits, self.totals)

    def shares(self) -> Floats:
        """The share of each measure that was decided, nan where there is nothing to decide."""
        return _ratio(self.totals, self.totals + self.undecided)

    def said(self, row: int, place: int) -> str:
        """``0.50``, ``0.50 (2 of 3 decided)`` or ``not decided``."""
        hits, total, rest = (float(table[row, place]) for table in self)
        if not total:
            return NOT_DECIDED
        return f"{hits / total:.2f}" + (f" ({total:g} of {total + rest:g} decided)" if rest else "")


def as_it_is(table: RunTable, keys: Sequence[Key]) -> Side:
    """What a run gives for these keys, whether or not another has it too."""
    places = {key: index for index, key in enumerate(table.keys)}
    at = [places[key] for key in keys]
    return Side(table.hits[at], table.totals[at], table.undecided[at])


class Paired(NamedTuple):
    """The rows that both runs have, in the order of the first; ``dialogs`` is the place of each row's dialogue.

    ``whole`` says which rows stand for a dialogue as a whole.

    ``possible1`` and ``possible2`` hold hits, total and what was not decided of the pairs in which the metric has
    anything to decide on both sides, decided or not; None where everything was decided.

    ``own1`` and ``own2`` are the two values of a pair in which the metric failed on a side and is not inapplicable on
    the other, nan on the side that failed; ``missing`` says which pairs these are. Both have the shape of ``hits1``.
    """

    keys: list[Key]
    dialogs: NDArray[np.int64]
    names: list[str]
    whole: NDArray[np.bool_]
    hits1: Floats
    totals1: Floats
    hits2: Floats
    totals2: Floats
    missing: NDArray[np.bool_]
    own1: Floats
    own2: Floats
    possible1: Side | None = None
    possible2: Side | None = None

    def by_dialog(self, rows: NDArray[np.bool_]) -> list[Floats]:
        """The four tables summed by dialogue, over the rows that are asked for."""
        tables = []
        for table in (self.hits1, self.totals1, self.hits2, self.totals2):
            sums = np.zeros((len(self.names), table.shape[1]))
            np.add.at(sums, self.dialogs[rows], table if rows.all() else table[rows])
            tables.append(sums)
        return tables


def paired(first: RunTable, second: RunTable, keys: Sequence[Key]) -> Paired:
    """The rows of two runs with these keys; a measure counts where it applies to both rows of a pair."""
    places1 = {key: index for index, key in enumerate(first.keys)}
    places2 = {key: index for index, key in enumerate(second.keys)}
    at1 = [places1[key] for key in keys]
    at2 = [places2[key] for key in keys]
    names = list(dict.fromkeys(dialog_id for dialog_id, _ in keys))
    number = {name: index for index, name in enumerate(names)}
    hits1, totals1, hits2, totals2 = first.hits[at1], first.totals[at1], second.hits[at2], second.totals[at2]
    both = (totals1 > 0) & (totals2 > 0)
    dialogs = np.array([number[dialog_id] for dialog_id, _ in keys], dtype=np.int64)
    failed1, failed2 = first.failed[at1], second.failed[at2]
    missing = (failed1 | failed2) & (failed1 | (totals1 > 0)) & (failed2 | (totals2 > 0))
    whole = np.array([turn == DIALOG for _, turn in keys], dtype=np.bool_)
    possible1, possible2 = _possible(first, at1, second, at2)
    return Paired(
        list(keys),
        dialogs,
        names,
        whole,
        hits1=np.where(both, hits1, 0.0),
        totals1=np.where(both, totals1, 0.0),
        hits2=np.where(both, hits2, 0.0),
        totals2=np.where(both, totals2, 0.0),
        missing=missing,
        own1=_ratio(hits1, totals1),
        own2=_ratio(hits2, totals2),
        possible1=possible1,
        possible2=possible2,
    )


def _possible(
    first: RunTable, at1: Sequence[int], second: RunTable, at2: Sequence[int]
) -> tuple[Side, Side] | tuple[None, None]:
    """Both sides with what was not decided; none where everything was."""
    rest1, rest2 = first.undecided[at1], second.undecided[at2]
    if not (rest1.any() or rest2.any()):
        return None, None
    sides = [Side(first.hits[at1], first.totals[at1], rest1), Side(second.hits[at2], second.totals[at2], rest2)]
    both = np.all([side.totals + side.undecided > 0 for side in sides], axis=0)
    result, two = (Side(*(np.where(both, table, 0.0) for table in side)) for side in sides)
    return result, two


def undecided_bounds(pairs: Paired, place: int, rows: NDArray[np.bool_]) -> tuple[float, float] | None:
    """The least and the greatest that the difference could be, had everything been decided.

    Least: the second system's open things count as no hits and the first one's as hits; greatest: the other way round.
    None where everything in the measure was decided.
    """
    if pairs.possible1 is None or pairs.possible2 is None:
        return None
    sides = (pairs.possible1, pairs.possible2)
    if not any(side.undecided[rows, place].any() for side in sides):
        return None
    result, two = (side.ends(place, rows) for side in sides)
    return (two[0] - result[1], two[1] - result[0]) if result and two else None


def missing_bounds(
    pairs: Paired, place: int, rows: NDArray[np.bool_], ends: tuple[float, float]
) -> tuple[float, float] | None:
    """The least and the greatest that the difference could be, had the failed rows a value.

    Formula: a side's figure is (E * x + sum of the M missing pairs' values) / (E + M), x its figure over the E pairs
    with both values, a failed value put at an end of the scale: for the least difference the second system's at the
    lowest and the first system's at the highest, for the greatest the other way round. None without any such pair.
    Source: Horowitz & Manski 2000, JASA 95(449).
    """
    known = rows & (pairs.totals1[:, place] > 0)
    missing = rows & pairs.missing[:, place]
    pairs_known, pairs_missing = int(known.sum()), int(missing.sum())
    if not pairs_known + pairs_missing:
        return None

    def figure(hits: Floats, totals: Floats, own: Floats, end: float) -> float:
        pooled = float(hits[known, place].sum() / totals[known, place].sum()) if pairs_known else 0.0
        ours = own[missing, place]
        filled = float(np.where(np.isnan(ours), end, ours).sum())
        return (pairs_known * pooled + filled) / (pairs_known + pairs_missing)

    low, high = ends
    least, most = (
        figure(pairs.hits2, pairs.totals2, pairs.own2, end2) - figure(pairs.hits1, pairs.totals1, pairs.own1, end1)
        for end1, end2 in ((high, low), (low, high))
    )
    return least, most


def could_undo(difference: float, bounds: tuple[float, float] | None) -> bool:
    """Whether what was not decided could make nothing of a difference, or turn it round."""
    if bounds is None:
        return False
    least, most = bounds
    return least <= NOISE if difference > 0 else most >= -NOISE


def _ratio(hits: Floats, totals: Floats) -> Floats:
    return np.divide(hits, totals, out=np.full_like(hits, np.nan), where=totals > 0)


def common(tables: Sequence[RunTable]) -> list[Key]:
    """The turns that all runs have, sorted."""
    shared = set(tables[0].keys).intersection(*(table.keys for table in tables[1:]))
    return sorted(shared)


def to_decide(pairs: Paired, place: int, rows: NDArray[np.bool_]) -> int | None:
    """The pairs with anything to decide on both sides; None where everything was decided."""
    if pairs.possible1 is None or pairs.possible2 is None:
        return None
    if not any(side.undecided[rows, place].any() for side in (pairs.possible1, pairs.possible2)):
        return None
    return int(np.sum((pairs.possible1.totals + pairs.possible1.undecided)[rows, place] > 0))


def apart(pairs: Paired, place: int) -> Floats:
    """The difference of each pair in one measure, nan where it does not apply."""
    ratio = _ratio(pairs.hits1[:, place], pairs.totals1[:, place])
    two = _ratio(pairs.hits2[:, place], pairs.totals2[:, place])
    return np.asarray(two - ratio, dtype=np.float64)
