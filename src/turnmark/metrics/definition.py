"""What a metric is: its names, its measures, what it needs, and which totals it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnmark.schemas.marks import FaultKind
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Failed, NotApplicable, Outcomes


class Measure(NamedTuple):
    """One figure of a metric.

    ``kind`` ratio pools hits over totals; mean averages values. ``low`` and ``high`` bound the value; ``upward`` says
    whether more is better. ``in_macro`` puts the figure into the macro block and the block of each dialogue. A turn
    that is not at the best of it is filed under ``fault``; left out, that is "mark" for the first measure of a metric
    and nothing for the others. A kind that it ``counts`` files no turn: rows say it, or another measure files by it.
    """

    name: str
    kind: Literal["ratio", "mean"] = "ratio"
    low: float = 0.0
    high: float = 1.0
    upward: bool = True
    in_macro: bool = True
    fault: FaultKind | Literal["none"] | None = None
    counts: FaultKind | None = None

    def shortfall(self, hits: float, total: float) -> float | None:
        """How far a value lies from its best, as a part of the scale (0 to 1); None where nothing was counted."""
        if not total:
            return None
        part = (hits / total - self.low) / (self.high - self.low)
        return min(max(1.0 - part if self.upward else part, 0.0), 1.0)


def as_given(outcomes: Outcomes) -> Outcomes:
    """How a metric scores whose suite has counted already."""
    return outcomes


class Metric(NamedTuple):
    """A metric, whole: what it is called, what it needs, what it counts, and how it scores.

    ``name`` is what summaries, evidence, marks, overrides and pages call it; ``code`` is the registered alias (M3),
    ``formerly`` are names that files of earlier versions hold. ``suite`` is the one that it is at home in; others may
    list it too. ``unit`` is what one row of it is. ``score`` counts: from what its suite knows of a unit (facts,
    verdicts, columns of a row) to outcomes, one a measure, or why there are none; the row keeps a mark of what it gave.
    ``totals`` maps the name of a reported count to the measure and side it is taken from; ``eligible_name`` is a second
    name under which the contract wants the number of eligible rows. One that is ``extra`` is left out of a summary in
    which no row has it. ``main`` names the measures of the first table of reports, in order; None are all of them.
    """

    name: str
    code: str
    version: str
    suite: str
    title: str
    unit: Literal["turn", "dialog"]
    needs: str
    measures: tuple[Measure, ...]
    totals: Mapping[str, tuple[str, Literal["hits", "total"]]] = MappingProxyType({})
    eligible_name: str | None = None
    source: str = ""
    score: Callable[..., Outcomes] = as_given
    formerly: tuple[str, ...] = ()
    extra: bool = False
    main: tuple[str, ...] | None = None

    def measure(self, name: str) -> int:
        """The place of a measure. Raises: KeyError when the metric has no such measure."""
        for index, measure in enumerate(self.measures):
            if measure.name == name:
                return index
        raise KeyError(name)

    def main_measures(self) -> tuple[str, ...]:
        """The measures of the first table of reports."""
        return tuple(measure.name for measure in self.measures) if self.main is None else self.main

    def faults(self) -> tuple[tuple[Measure, FaultKind], ...]:
        """The measures by which a turn is filed, each with the kind of fault."""
        kinds = [measure.fault or ("none" if index else "mark") for index, measure in enumerate(self.measures)]
        return tuple((measure, kind) for measure, kind in zip(self.measures, kinds, strict=True) if kind != "none")

    def counted(self) -> tuple[tuple[Measure, FaultKind], ...]:
        """The measures that count a kind of fault by which they file no turn, each with that kind."""
        return tuple((measure, measure.counts) for measure in self.measures if measure.counts is not None)


def ineligible(row: TurnEvalRow, code: str, reason: Reason) -> NotApplicable | Failed:
    """Why a row is not eligible: a detector or its turn failed, or the metric does not apply to it."""
    if row.failures and code in row.failures:
        return Failed(row.failures[code])
    if row.turn_status != "ok":
        return Failed(Reason("turn_status", {"status": row.turn_status}))
    return NotApplicable(reason)
