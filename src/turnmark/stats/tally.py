"""Outcomes, and their sums by dialogue: the one table from which every figure and interval is taken."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from turnmark.schemas.reasons import Reason

Number = TypeVar("Number", int, float)


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

    def part(self, *, normal: bool) -> tuple[array[float], array[int]]:
        """Sums and counts over all rows, or over normal rows only."""
        if not normal or not any(self.abnormal_counts):
            return self.sums, self.counts
        return _difference(self.sums, self.abnormal_sums), _difference(self.counts, self.abnormal_counts)

    def only_normal(self) -> DialogSums:
        """Itself where every row is normal, else the sums of those that are."""
        if not any(self.abnormal_counts):
            return self
        sums, counts = self.part(normal=True)
        undecided = dict(self.not_decided(normal=True))
        return self._replace(sums=sums, counts=counts, undecided=undecided, abnormal_counts=array("q"))

    def not_decided(self, *, normal: bool) -> Mapping[int, float]:
        """What was not decided by the place of its measure, over all rows, or over normal rows only."""
        if not normal or not self.abnormal_undecided:
            return self.undecided
        return {index: number - self.abnormal_undecided.get(index, 0.0) for index, number in self.undecided.items()}


def _difference(whole: array[Number], part: array[Number]) -> array[Number]:
    return array(whole.typecode, map(sub, whole, part))


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

    def merge(self, dialogs: Iterable[DialogSums]) -> None:
        """Take over sums made elsewhere; a dialogue that is known already is added to."""
        for theirs in dialogs:
            ours = self.dialogs.get(theirs.dialog_id)
            if ours is None:
                self.dialogs[theirs.dialog_id] = theirs
                continue
            for name in ("sums", "counts", "abnormal_sums", "abnormal_counts"):
                _add_up(getattr(ours, name), getattr(theirs, name))
            for mine, other in (
                (ours.undecided, theirs.undecided), (ours.abnormal_undecided, theirs.abnormal_undecided),
            ):  # fmt: skip
                for index, number in other.items():
                    mine[index] = mine.get(index, 0.0) + number


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


def _add_up(mine: array[float], other: array[float]) -> None:
    if not mine:
        mine.frombytes(bytes(8 * len(other)))
    for index, number in enumerate(other):
        mine[index] += number


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
    have an eligible row, None where there is none; ``by_dialog`` holds each dialogue's own ratios. ``bounds`` has an
    entry for each measure, by its place in the metric, of which something was not decided.
    """

    rows: int
    eligible: int
    failed: int
    hits: list[float]
    totals: list[float]
    macro: list[float | None]
    by_dialog: dict[str, list[float | None]]
    bounds: dict[int, Bounds]


def pooled(tally: Tally, metric: int, dialogs: Iterable[DialogSums], *, normal: bool = False) -> Pooled:
    """Pool one metric over dialogues; with ``normal`` only over rows whose reply is in the state normal."""
    dialogs = [dialog.only_normal() for dialog in dialogs] if normal else list(dialogs)
    width = tally.widths[metric]
    start = 2 * sum(tally.widths[:metric])
    hits, totals = [0.0] * width, [0.0] * width
    means, seen = [0.0] * width, [0] * width
    rows = eligible = failed = 0
    by_dialog: dict[str, list[float | None]] = {}
    for dialog in dialogs:
        sums, counts = dialog.sums, dialog.counts
        rows += counts[3 * metric]
        eligible += counts[3 * metric + 1]
        failed += counts[3 * metric + 2]
        if not counts[3 * metric + 1]:
            continue
        own: list[float | None] = []
        for index in range(width):
            result, total = sums[start + 2 * index], sums[start + 2 * index + 1]
            hits[index] += result
            totals[index] += total
            own.append(result / total if total else None)
            if total:
                means[index] += result / total
                seen[index] += 1
        by_dialog[dialog.dialog_id] = own
    macro = [mean / count if count else None for mean, count in zip(means, seen, strict=True)]
    bounds = {index: span for index in range(width) if (span := _bounds(dialogs, start // 2 + index)) is not None}
    return Pooled(rows, eligible, failed, hits, totals, macro, by_dialog, bounds)


def bounded(hits: float, total: float, undecided: float) -> tuple[float, float]:
    """The least and the greatest share of hits, had everything been decided. Raises: ZeroDivisionError of nothing."""
    everything = total + undecided
    return hits / everything, (hits + undecided) / everything


def _bounds(dialogs: Sequence[DialogSums], place: int) -> Bounds | None:
    """The bounds of a measure by its place among all; None where everything was decided."""
    if not any(place in dialog.undecided for dialog in dialogs):
        return None
    rest = [dialog.undecided.get(place, 0.0) for dialog in dialogs]
    if not any(rest):
        return None
    sums = [dialog.sums[2 * place : 2 * place + 2] for dialog in dialogs]
    hits, total, undecided = sum(item for item, _ in sums), sum(item for _, item in sums), sum(rest)
    own = [bounded(item, of, without) for (item, of), without in zip(sums, rest, strict=True) if of + without]
    return Bounds(
        undecided,
        total / (total + undecided),
        bounded(hits, total, undecided),
        (sum(low for low, _ in own) / len(own), sum(high for _, high in own) / len(own)),
    )


def columns(dialogs: Iterable[DialogSums], *, normal: bool = False) -> Iterator[array[float]]:
    """The sums of each dialogue as one row of numbers (hits and total of each measure in turn), for resampling."""
    for dialog in dialogs:
        yield dialog.part(normal=normal)[0]
