"""What can be labelled in a turn."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.metrics import catalog
from turnmark.report.view.data import TurnView
from turnmark.report.view.number_format import number
from turnmark.stats.tally import Ratio
from turnmark.suites.registry import suite_definition


class MarkView(NamedTuple):
    """One mark that can be labelled: measure, value (1 or 0 for yes and no), and the ends of its scale.

    ``measure`` is code and name joined, as labels have it.
    """

    measure: str
    code: str
    name: str
    value: str
    shown: str
    yes_no: bool
    low: float
    high: float


def marks_of(suite: str, view: TurnView) -> list[MarkView]:
    """What can be labelled in a turn: every measure that applies to it."""
    metrics = suite_definition(suite).metrics
    found = []
    for place, read in catalog.readers(metrics):
        outcomes = read(view.row)
        if not isinstance(outcomes, (list, tuple)):
            continue
        for measure, one in zip(metrics[place].measures, outcomes, strict=True):
            hits, total = (one.hits, one.total) if isinstance(one, Ratio) else (one.value, 1.0)
            if total:
                value = hits / total
                yes_no = isinstance(one, Ratio) and total == 1 and measure.high == 1 and value in {0.0, 1.0}
                found.append(
                    MarkView(
                        f"{metrics[place].code}.{measure.name}", metrics[place].code, measure.name, f"{value:g}",
                        number(value, measure.high), yes_no, measure.low, measure.high,
                    )
                )  # fmt: skip
    return found
