"""Figures by the number of the turn in its dialogue, and why a metric gave none: counted row by row."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio, Value

MINIMUM_ROWS = 5
"""Rows below which a turn number gets no interval."""

_Z = 1.959963984540054
_FIELDS = 6
_MOST_COUNTED = 1 << 14
"""Distinct outcomes that are held before they are settled."""


class Point(NamedTuple):
    """One measure at one turn number: the pooled figure, its interval (None below `MINIMUM_ROWS`), rows it rests on."""

    turn: int
    value: float
    interval: tuple[float, float] | None
    rows: int


class TurnSums:
    """Sums of every measure by turn number, and the reasons for which metrics gave no figure.

    Rows of one metric and turn number have a few distinct outcomes, which are counted; now and then they are settled
    into six numbers a measure: rows with a total above zero, and the sums of h, t, h², ht and t² of their hits h and
    totals t. Memory grows with the longest dialogue, not with the number of rows.
    ``reasons`` counts (metric, "not_applicable" or "failed", reason); ``rows`` counts what was added; ``faults`` the
    dialogues by their gravest kind of fault.
    """

    def __init__(self) -> None:
        self._counted: dict[tuple[str, int, tuple[Ratio | Value, ...]], int] = {}
        self._settled: dict[tuple[str, int], array[float]] = {}
        self.reasons: Counter[tuple[str, str, Reason]] = Counter()
        self.faults: Counter[str] = Counter()
        self._open: Counter[str] = Counter()
        self.rows = 0

    def add(self, metric: str, turn: int, outcomes: Outcomes) -> None:
        """Add what one row gives for one metric."""
        self.rows += 1
        if isinstance(outcomes, NotApplicable):
            self.reasons[metric, "not_applicable", outcomes.reason] += 1
        elif isinstance(outcomes, Failed):
            self.reasons[metric, "failed", outcomes.reason] += 1
        else:
            key = metric, turn, tuple(outcomes)
            self._counted[key] = self._counted.get(key, 0) + 1

    def merge(self, other: TurnSums) -> None:
        """Take over sums that were made elsewhere."""
        self.reasons.update(other.reasons)
        self.faults.update(other.faults)
        self._open.update(other._open)
        self.rows += other.rows
        for key, count in other._counted.items():
            self._counted[key] = self._counted.get(key, 0) + count
        for place, theirs in other._settled.items():
            ours = self._settled.setdefault(place, array("d", bytes(8 * len(theirs))))
            for index, number in enumerate(theirs):
                ours[index] += number
        if len(self._counted) > _MOST_COUNTED:
            self._sums()

    def _sums(self) -> dict[tuple[str, int], array[float]]:
        """The numbers of each metric and turn number, with everything that was counted so far."""
        for (metric, turn, outcomes), count in self._counted.items():
            self._open[metric] += count * _is_open(outcomes)
            sums = self._settled.setdefault((metric, turn), array("d", bytes(8 * _FIELDS * len(outcomes))))
            for index, outcome in enumerate(outcomes):
                hits, total = (outcome.hits, outcome.total) if isinstance(outcome, Ratio) else (outcome.value, 1.0)
                if total:
                    parts = (1.0, hits, total, hits * hits, hits * total, total * total)
                    for at, part in enumerate(parts, index * _FIELDS):
                        sums[at] += count * part
        self._counted.clear()
        return self._settled

    def take_back(self, other: TurnSums) -> None:
        """Take away sums that were merged, of a dialogue that turned out to be there twice."""
        self.reasons.subtract(other.reasons)
        self.faults.subtract(other.faults)
        self.reasons, self.faults = +self.reasons, +self.faults
        self.rows -= other.rows
        settled = self._sums()
        other._sums()
        self._open.subtract(other._open)
        for key, theirs in other._sums().items():
            ours = settled[key]
            for index, number in enumerate(theirs):
                ours[index] -= number

    def open(self, metric: str) -> int:
        """The rows of which nothing could be decided for a metric."""
        self._sums()
        return self._open[metric]

    def why(self, metric: str, kind: str) -> list[tuple[Reason, int]]:
        """The reasons of a metric with their counts, the commonest first, those of one count by what they say."""
        results = [
            (reason, count) for (name, what, reason), count in self.reasons.items() if (name, what) == (metric, kind)
        ]
        return sorted(results, key=lambda one: (-one[1], str(one[0])))

    def points(self, metric: str, place: int, scale: tuple[float, float]) -> list[Point]:
        """A measure (by its place in the metric) at every turn number that has a figure; ``scale`` are its ends."""
        results = []
        for (name, turn), sums in sorted(self._sums().items()):
            part = array("d", map(_rounded, sums[place * _FIELDS : (place + 1) * _FIELDS]))
            if name == metric and part[0]:
                rows, hits, total = int(part[0]), part[1], part[2]
                interval = _interval(part, scale) if rows >= MINIMUM_ROWS else None
                results.append(Point(turn, hits / total, interval, rows))
        return results


def _is_open(outcomes: Sequence[Ratio | Value]) -> bool:
    """Whether a row has something to decide for a metric and nothing of it was."""
    counted = [outcome for outcome in outcomes if isinstance(outcome, Value) or outcome.total or outcome.undecided]
    return bool(counted) and all(isinstance(outcome, Ratio) and not outcome.total for outcome in counted)


def _rounded(number: float) -> float:
    """A sum without its last digits, which depend on the order in which parts of the run were added."""
    return float(f"{number:.12g}")


def _interval(part: Sequence[float], scale: tuple[float, float]) -> tuple[float, float]:
    """95 % Wilson interval of a pooled ratio, the value taken as a share of its scale.

    A row is a unit: rows of one turn number belong to different dialogues. The size of the sample is the effective one:
    what a share of the same value would need to have the variance of the ratio (by linearisation), and the number of
    rows where all agree. Source: Wilson 1927; Kish 1965; Cochran 1977, section 2.11.
    """
    rows, hits, total, hit_squares, products, total_squares = part
    low, high = scale
    ratio = hits / total
    apart = max(hit_squares - 2 * ratio * products + ratio * ratio * total_squares, 0.0)
    variance = apart * rows / (rows - 1) / (total * total) / (high - low) ** 2
    share = min(max((ratio - low) / (high - low), 0.0), 1.0)
    size = share * (1 - share) / variance if variance > 1e-12 and 0 < share < 1 else rows
    middle = (share + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    reach = _Z * math.sqrt(share * (1 - share) / size + _Z**2 / (4 * size * size)) / (1 + _Z**2 / size)
    return low + max(middle - reach, 0.0) * (high - low), low + min(middle + reach, 1.0) * (high - low)
