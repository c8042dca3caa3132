"""What can be labelled in a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.errors import UsageError
from turnmark.locale.texts import ENGLISH, Texts
from turnmark.metrics.definition import Measure
from turnmark.metrics.marked import readers
from turnmark.report.view.data import TurnView
from turnmark.report.view.number_format import decided, number
from turnmark.report.view.tables import Figure
from turnmark.schemas.results.summary import DEFAULT_SUITE
from turnmark.stats.tally import Ratio, bounded
from turnmark.suites.registry import suite_definition


class MarkView(NamedTuple):
    """One mark that can be labelled: measure, value (1 or 0 for yes and no), and the ends of its scale.

    ``measure`` is code and name joined, as labels have it. ``value`` is "" where nothing was decided;
    ``short``: it is not at its best, or something in it was not decided.
    """

    measure: str
    code: str
    name: str
    value: str
    shown: str
    yes_no: bool
    low: float
    high: float
    short: bool = False


def marks_of(suite: str, view: TurnView, texts: Texts = ENGLISH) -> list[MarkView]:
    """What can be labelled in a turn: every measure that applies to it; nothing in a row of another suite."""
    if getattr(view.row, "suite", DEFAULT_SUITE) != suite:
        return []
    metrics = suite_definition(suite).metrics
    results = []
    for index, read in readers(metrics):
        outcomes = read(view.row)
        if not isinstance(outcomes, (list, tuple)):
            continue
        for measure, item in zip(metrics[index].measures, outcomes, strict=True):
            outcome = item if isinstance(item, Ratio) else Ratio(item.value, 1.0)
            if not outcome.total + outcome.undecided:
                continue
            value = outcome.hits / outcome.total if outcome.total else None
            sole = isinstance(item, Ratio) and outcome.total == 1 and not outcome.undecided
            yes_no = sole and measure.high == 1 and value in {0.0, 1.0}
            results.append(
                MarkView(
                    f"{metrics[index].code}.{measure.name}", metrics[index].code, measure.name,
                    "" if value is None else f"{value:g}", _shown(outcome, measure.high, texts), yes_no,
                    measure.low, measure.high, _is_short(outcome, measure),
                )
            )  # fmt: skip
    return results


def _is_short(outcome: Ratio, measure: Measure) -> bool:
    return bool(outcome.undecided or measure.shortfall(outcome.hits, outcome.total))


def parted(marks: Sequence[MarkView]) -> tuple[list[MarkView], list[MarkView]]:
    """The marks that matter, and the rest: what is not at its best or was not decided is worth a person's time."""
    first = [mark for mark in marks if mark.value == "" or mark.short]
    return first, [mark for mark in marks if mark not in first]


def said(mark: MarkView, value: bool | float | None) -> bool | float | None:
    """What a person says of a mark, as it is kept. Raises: UsageError for a value that the mark cannot have."""
    if value is None:
        return None
    if mark.yes_no:
        if value not in (0, 1):
            message = f"value: {mark.measure} of this turn is yes or no; expected true or false, found {value!r}"
            raise UsageError(message)
        return bool(value)
    if not mark.low <= value <= mark.high or (isinstance(value, bool) and mark.high != 1):
        message = f"value: expected a number of {mark.low:g} to {mark.high:g} for {mark.measure}, found {value!r}"
        raise UsageError(message)
    return value


def _shown(outcome: Ratio, high: float, texts: Texts) -> str:
    """The value; where something was not decided, with the share that was and what the value could be."""
    value = outcome.hits / outcome.total if outcome.total else None
    shown = number(value, high, na=texts["not_decided"])
    if not outcome.undecided or value is None:
        return shown
    share = outcome.total / (outcome.total + outcome.undecided)
    ends = bounded(outcome.hits, outcome.total, outcome.undecided)
    return f"{shown}, {decided(Figure(value, None, outcome.total, share, ends, outcome.undecided), texts, high)}"
