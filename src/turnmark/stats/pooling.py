"""Figures over sets of dialogues: sums over rows, means over dialogues, bounds where something was not decided.

Numbers are added in the order of the dialogues, one after the other, so that the last digit is that of a plain sum.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnmark.stats.dialog_table import DialogTable, Triples
from turnmark.stats.tally import bounded

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Part:
    """The dialogues that figures are of: all of a table or some, over all their rows or over those that are normal.

    It holds no numbers. They are made of the table one column at a time, an entry a dialogue, as they are asked for;
    nothing may be added to the table then.
    """

    def __init__(self, table: DialogTable, rows: array[int] | None = None, *, normal: bool = False) -> None:
        self.widths = table.widths
        self._table = table
        self._rows = None if rows is None else np.asarray(rows)
        self._normal = normal and len(table.abnormal_rows) > 0

    def __len__(self) -> int:
        return len(self._table) if self._rows is None else len(self._rows)

    def of(self, rows: array[int]) -> Part:
        """Some of the dialogues of the table."""
        return Part(self._table, rows, normal=self._normal)

    def hits(self, place: int) -> Floats:
        """The hits of a measure, by its place among all."""
        return self._sums(2 * place)

    def totals(self, place: int) -> Floats:
        """The totals of a measure, by its place among all."""
        return self._sums(2 * place + 1)

    def rows(self, metric: int) -> Integers:
        """The rows of a metric, by its place among all."""
        return self._counts(3 * metric)

    def eligible(self, metric: int) -> Integers:
        """The rows that have a figure for a metric."""
        return self._counts(3 * metric + 1)

    def failed(self, metric: int) -> Integers:
        """The rows for which a metric failed."""
        return self._counts(3 * metric + 2)

    def undecided(self, place: int) -> Floats | None:
        """What is left open of a measure, by its place among all; None where nothing is."""
        rest = _dense(self._table.undecided, place, len(self._table))
        if rest is not None and self._normal:
            abnormal = _dense(self._table.abnormal_undecided, place, len(self._table))
            rest = rest if abnormal is None else rest - abnormal
        rest = None if rest is None else self._chosen(rest)
        return None if rest is None or not rest.any() else rest

    def _sums(self, at: int) -> Floats:
        numbers = np.asarray(self._table.sums.column(at)).astype(np.float64)
        if self._normal:
            np.subtract.at(numbers, self._abnormal, np.asarray(self._table.abnormal_sums.column(at), dtype=np.float64))
        return numbers if self._rows is None else numbers[self._rows]

    def _counts(self, at: int) -> Integers:
        numbers = np.asarray(self._table.counts.column(at)).astype(np.int64)
        if self._normal:
            np.subtract.at(numbers, self._abnormal, np.asarray(self._table.abnormal_counts.column(at), dtype=np.int64))
        return numbers if self._rows is None else numbers[self._rows]

    def _chosen(self, numbers: Floats) -> Floats:
        return numbers if self._rows is None else numbers[self._rows]

    @property
    def _abnormal(self) -> NDArray[np.int32]:
        return np.asarray(self._table.abnormal_rows)


def _dense(triples: Triples, place: int, height: int) -> Floats | None:
    """What each dialogue of a table has of a measure; None where none has."""
    own = np.asarray(triples.measures) == place
    if not own.any():
        return None
    results = np.zeros(height)
    np.add.at(results, np.asarray(triples.rows)[own], np.asarray(triples.numbers)[own])
    return results


class Bounds(NamedTuple):
    """A measure of which something was not decided: what share was, and what its figure could be had all been.

    ``pooled`` and ``macro`` run from where all of the rest counts as no hit to where all of it does; ``macro`` is the
    mean over the dialogues with anything to decide.
    """

    undecided: float
    decided_share: float
    pooled: tuple[float, float]
    macro: tuple[float, float]


class Pooled(NamedTuple):
    """One metric over a set of dialogues.

    ``hits`` and ``totals`` are pooled over rows, one entry a measure; ``macro`` is the mean over the dialogues that
    have an eligible row, None where there is none. ``bounds`` has an entry for each measure, by its place in the
    metric, of which something was not decided.
    """

    rows: int
    eligible: int
    failed: int
    hits: list[float]
    totals: list[float]
    macro: list[float | None]
    bounds: dict[int, Bounds]


def pooled(part: Part, metric: int) -> Pooled:
    """Pool one metric, by its place among all."""
    places = range(sum(part.widths[:metric]), sum(part.widths[: metric + 1]))
    eligible = part.eligible(metric)
    own = eligible > 0
    hits = [_sum(part.hits(place)[own]) for place in places]
    totals = [_sum(part.totals(place)[own]) for place in places]
    macro = [_mean(part, own, place) for place in places]
    bounds = {place - places.start: span for place in places if (span := _bounds(part, place)) is not None}
    rows, failed = part.rows(metric), part.failed(metric)
    return Pooled(int(rows.sum()), int(eligible.sum()), int(failed.sum()), hits, totals, macro, bounds)


def _mean(part: Part, own: NDArray[np.bool_], place: int) -> float | None:
    totals = part.totals(place)
    counted = own & (totals != 0)
    number = int(counted.sum())
    return _sum(part.hits(place)[counted] / totals[counted]) / number if number else None


def _bounds(part: Part, place: int) -> Bounds | None:
    """The bounds of a measure by its place among all; None where everything was decided."""
    rest = part.undecided(place)
    if rest is None:
        return None
    hits, totals = part.hits(place), part.totals(place)
    total, undecided = _sum(totals), _sum(rest)
    some = totals + rest != 0
    everything = (totals + rest)[some]
    lows, highs = hits[some] / everything, (hits + rest)[some] / everything
    return Bounds(
        undecided,
        total / (total + undecided),
        bounded(_sum(hits), total, undecided),
        (_sum(lows) / len(lows), _sum(highs) / len(highs)),
    )


def _sum(numbers: Floats) -> float:
    """The numbers added one after the other; numpy's own sum adds them in pairs."""
    return float(np.cumsum(numbers)[-1]) if len(numbers) else 0.0
