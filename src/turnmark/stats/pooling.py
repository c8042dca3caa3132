"""Figures over sets of dialogues: sums over rows, means over dialogues, bounds where something was not decided.

Numbers are added in the order of the dialogues, one after the other, so that the last digit is that of a plain sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnmark.stats.dialog_table import DialogTable, Triples
from turnmark.stats.tally import bounded

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]


class Part(NamedTuple):
    """The dialogues that figures are of, as tables: ``sums`` and ``counts`` as in `DialogTable`, a row a dialogue.

    ``undecided`` maps measures by their place among all to what each dialogue leaves open; those with nothing are
    left out.
    """

    widths: tuple[int, ...]
    sums: Floats
    counts: Integers
    undecided: dict[int, Floats]

    def of(self, rows: list[int]) -> Part:
        """Some of the dialogues."""
        undecided = {place: rest[rows] for place, rest in self.undecided.items()}
        return Part(self.widths, self.sums[rows], self.counts[rows], undecided)

    def eligible(self, metric: int) -> NDArray[np.bool_]:
        """Which dialogues have a row with a figure for a metric."""
        return self.counts[:, 3 * metric + 1] > 0


def part_of(table: DialogTable, *, normal: bool = False) -> Part:
    """All dialogues over all rows, or over rows whose reply is normal only. Nothing may be added to the table then."""
    height, width, metrics = len(table), 2 * sum(table.widths), 3 * len(table.widths)
    sums = np.asarray(table.sums).reshape(height, width)
    counts = np.asarray(table.counts).reshape(height, metrics)
    undecided = _by_measure(table.undecided, height)
    if normal and table.abnormal_rows:
        rows = np.asarray(table.abnormal_rows)
        sums, counts = sums.copy(), counts.copy()
        np.subtract.at(sums, rows, np.asarray(table.abnormal_sums).reshape(len(rows), width))
        np.subtract.at(counts, rows, np.asarray(table.abnormal_counts).reshape(len(rows), metrics))
        for place, rest in _by_measure(table.abnormal_undecided, height).items():
            undecided[place] -= rest
    return Part(table.widths, sums, counts, undecided)


def _by_measure(triples: Triples, height: int) -> dict[int, Floats]:
    results: dict[int, Floats] = {}
    for row, place, number in zip(triples.rows, triples.measures, triples.numbers, strict=True):
        if place not in results:
            results[place] = np.zeros(height)
        results[place][row] += number
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
    own = part.eligible(metric)
    rows, eligible, failed = (int(part.counts[:, 3 * metric + at].sum(dtype=np.int64)) for at in range(3))
    hits, totals = ([_sum(part.sums[own, 2 * place + at]) for place in places] for at in (0, 1))
    macro = [_mean(part, own, place) for place in places]
    bounds = {place - places.start: span for place in places if (span := _bounds(part, place)) is not None}
    return Pooled(rows, eligible, failed, hits, totals, macro, bounds)


def ratios(part: Part, metric: int) -> list[list[float | None]]:
    """Of each dialogue that has an eligible row its own ratio of each measure, None of nothing counted."""
    own = part.eligible(metric)
    start = 2 * sum(part.widths[:metric])
    sums = part.sums[own, start : start + 2 * part.widths[metric]]
    hits, totals = sums[:, 0::2], sums[:, 1::2]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = hits / totals
    results: list[list[float | None]] = shares.tolist()
    for row, place in np.argwhere(totals == 0).tolist():
        results[row][place] = None
    return results


def _mean(part: Part, own: NDArray[np.bool_], place: int) -> float | None:
    counted = own & (part.sums[:, 2 * place + 1] != 0)
    number = int(counted.sum())
    return _sum(part.sums[counted, 2 * place] / part.sums[counted, 2 * place + 1]) / number if number else None


def _bounds(part: Part, place: int) -> Bounds | None:
    """The bounds of a measure by its place among all; None where everything was decided."""
    rest = part.undecided.get(place)
    if rest is None or not rest.any():
        return None
    hits, totals = part.sums[:, 2 * place], part.sums[:, 2 * place + 1]
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
