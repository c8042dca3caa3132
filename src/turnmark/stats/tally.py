"""Outcomes, and their sums by dialogue: the one table from which every figure and interval is taken."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from turnmark.schemas.reasons import Reason


class Ratio(msgspec.Struct, frozen=True, gc=False):
    """``hits`` of ``total`` things that were decided, 0 ≤ hits ≤ total; ``undecided`` more could not be.

    What was not decided enters no figure; it bounds one: from hits / (total + undecided) to
    (hits + undecided) / (total + undecided).
    """

    hits: float
    total: float
    undecided: float = 0.0


class Value(msgspec.Struct, frozen=True, gc=False):
    """One measured value; its mean over rows is reported."""

    value: float


class NotApplicable(msgspec.Struct, frozen=True, gc=False):
    """The metric does not apply to this row, and why (a text will do). The row counts as skipped."""

    reason: Reason

    if TYPE_CHECKING:

        def __init__(self, reason: Reason | str) -> None: ...

    def __post_init__(self) -> None:
        _read_text(self)


class Failed(msgspec.Struct, frozen=True, gc=False):
    """The metric applies but has no figure, and why (a text will do). The row counts as failed."""

    reason: Reason

    if TYPE_CHECKING:

        def __init__(self, reason: Reason | str) -> None: ...

    def __post_init__(self) -> None:
        _read_text(self)


def _read_text(outcome: NotApplicable | Failed) -> None:
    if isinstance(outcome.reason, str):
        msgspec.structs.force_setattr(outcome, "reason", Reason.text(outcome.reason))


Outcomes = Sequence[Ratio | Value] | NotApplicable | Failed
"""What one row gives for one metric: an outcome for each of its measures, or none and why."""


class DialogSums(NamedTuple):
    """The sums of one dialogue.

    ``sums`` holds hits and total of each measure in turn (length 2 x measures), ``counts`` holds rows, eligible rows
    and failed rows of each metric in turn (length 3 x metrics). ``abnormal_…`` are the part of them that comes from
    rows whose reply is not in the state normal, empty where there are none, as in most dialogues. ``undecided`` maps
    measures, by their place among all, to what was not decided; most runs have none of it. ``strata`` are the
    dialogue's own values of the fields that figures are broken down by.
    """

    dialog_id: str
    strata: Mapping[str, str]
    sums: array[float]
    counts: array[int]
    abnormal_sums: array[float]
    abnormal_counts: array[int]
    undecided: dict[int, float]
    abnormal_undecided: dict[int, float]


class Tally:
    """Sums outcomes by dialogue. ``widths`` are the numbers of measures of each metric, in order."""

    def __init__(self, widths: Sequence[int]) -> None:
        self.widths = tuple(widths)
        self._offsets = tuple(2 * sum(widths[:index]) for index in range(len(widths)))
        self._length = 2 * sum(widths)
        self.dialogs: dict[str, DialogSums] = {}

    def open(self, dialog_id: str, strata: Mapping[str, str] | None = None) -> DialogSums:
        """The sums of a dialogue, made when they do not exist yet."""
        result = self.dialogs.get(dialog_id)
        if result is None:
            zeros, none = bytes(8 * self._length), bytes(24 * len(self.widths))
            result = DialogSums(
                dialog_id,
                strata or {},
                sums=array("d", zeros),
                counts=array("q", none),
                abnormal_sums=array("d"),
                abnormal_counts=array("q"),
                undecided={},
                abnormal_undecided={},
            )
            self.dialogs[dialog_id] = result
        return result

    def add(self, dialog: DialogSums, metric: int, outcomes: Outcomes, *, normal: bool = True) -> None:
        """Add what one row gives for one metric (by its place in ``widths``)."""
        offset, position = self._offsets[metric], 3 * metric
        _add(dialog.sums, dialog.counts, dialog.undecided, offset, position, outcomes)
        if not normal:
            if not dialog.abnormal_counts:
                dialog.abnormal_sums.frombytes(bytes(8 * self._length))
                dialog.abnormal_counts.frombytes(bytes(24 * len(self.widths)))
            abnormal = dialog.abnormal_sums, dialog.abnormal_counts, dialog.abnormal_undecided
            _add(*abnormal, offset, position, outcomes)


def _add(
    sums: array[float],
    counts: array[int],
    undecided: dict[int, float],
    offset: int,
    place: int,
    outcomes: Outcomes,
) -> None:
    counts[place] += 1
    if isinstance(outcomes, NotApplicable):
        return
    if isinstance(outcomes, Failed):
        counts[place + 2] += 1
        return
    counts[place + 1] += 1
    for outcome in outcomes:
        if isinstance(outcome, Ratio):
            if outcome.hits:
                sums[offset] += outcome.hits
            sums[offset + 1] += outcome.total
            if outcome.undecided:
                undecided[offset // 2] = undecided.get(offset // 2, 0.0) + outcome.undecided
        else:
            sums[offset] += outcome.value
            sums[offset + 1] += 1.0
        offset += 2


def bounded(hits: float, total: float, undecided: float) -> tuple[float, float]:
    """The least and the greatest share of hits, had everything been decided. Raises: ZeroDivisionError of nothing."""
    everything = total + undecided
    return hits / everything, (hits + undecided) / everything
