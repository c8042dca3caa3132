"""Several systems in one table: which turns they share, their figures on these, the best, and who is not worse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType

from turnmark.pipeline.comparing import pairs
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import DIALOG, Column, RunTable
from turnmark.pipeline.publishing.run_turns import Key
from turnmark.schemas.results.comparison import TableCell, TableRow, TurnPoint
from turnmark.stats.methods import cluster_intervals
from turnmark.stats.paired import permutation_p_values

OWN_DRAWS = 1_000
"""Resamples for the interval of each system on its own, which a chart shows; tests of differences take all draws."""

PValues = Sequence[float | None]


class Group(NamedTuple):
    """Systems, by their places, and the turns that all of them have, sorted."""

    places: list[int]
    keys: list[Key]


def groups(tables: Sequence[RunTable]) -> list[Group]:
    """Each system goes to the first group that it shares a turn with, else it starts one."""
    results: list[tuple[list[int], set[Key]]] = []
    for index, table in enumerate(tables):
        own = set(table.keys)
        for at, (places, shared) in enumerate(results):
            if shared & own:
                results[at] = ([*places, index], shared & own)
                break
        else:
            results.append(([index], own))
    return [Group(places, sorted(shared)) for places, shared in results]


def turns(keys: Sequence[Key]) -> int:
    """How many of these are turns; the others are dialogues as a whole."""
    return sum(turn != DIALOG for _, turn in keys)


def shared_turns(tables: Sequence[RunTable]) -> list[list[int]]:
    """How many turns each two systems share; on the diagonal how many each has."""
    own = [{key for key in table.keys if key[1] != DIALOG} for table in tables]
    return [[len(item & other) for other in own] for item in own]


def rows(
    tables: Sequence[RunTable],
    grouped: Sequence[Group],
    tested: Mapping[tuple[int, int], PValues],
    request: CompareRequest,
) -> list[TableRow]:
    """The table: a line a measure, a cell a system, the best of each group, and which are not significantly worse.

    ``tested`` holds p-values of two systems (places ascending) over all turns of their group that are known already.
    No rows when no system shares a turn with another.
    """
    if all(len(group.places) == 1 for group in grouped):
        return []
    columns = tables[0].columns
    cells: list[list[TableCell]] = [[TableCell(value=None)] * len(columns) for _ in tables]
    for group in grouped:
        for position, own in zip(group.places, _cells(tables, group, request), strict=True):
            cells[position] = own
        if len(group.places) > 1:
            against = _p_values(tables, group, dict(tested), request)
            _mark(columns, cells, group, against, _undoing(tables, group), request.level)
    return [
        TableRow(
            code=column.metric.code,
            metric=column.metric.name,
            measure=column.measure.name,
            upward=column.measure.upward,
            cells=[own[at] for own in cells],
            low=column.measure.low,
            high=column.measure.high,
            trend=_trend(tables, at),
            to_decide=_to_decide(tables, grouped, at),
        )
        for at, column in enumerate(columns)
    ]


def _to_decide(tables: Sequence[RunTable], grouped: Sequence[Group], at: int) -> int | UnsetType:
    """The turns in which all systems have something to decide, where they are one group and not all of it was."""
    if len(grouped) > 1 or not any(table.undecided[:, at].any() for table in tables):
        return UNSET
    sides = [pairs.as_it_is(table, grouped[0].keys) for table in tables]
    return int(np.all([(side.totals + side.undecided)[:, at] > 0 for side in sides], axis=0).sum())


def _p_values(
    tables: Sequence[RunTable], group: Group, tested: dict[tuple[int, int], PValues], request: CompareRequest
) -> Callable[[int, int], PValues]:
    """The p-values of two systems of a group, all measures at once, made when they are first asked for."""

    def against(one: int, other: int) -> PValues:
        first, second = sorted((one, other))
        if (first, second) not in tested:
            paired = pairs.paired(tables[first], tables[second], group.keys)
            summed = paired.by_dialog(np.ones(len(group.keys), dtype=np.bool_))
            tested[first, second] = permutation_p_values(*summed, draws=request.draws, seed=request.seed)
        return tested[first, second]

    return against


def _undoing(tables: Sequence[RunTable], group: Group) -> Callable[[int, int, int], bool]:
    """Whether what was not decided could undo the difference of two systems of a group in one measure."""
    paired: dict[tuple[int, int], pairs.Paired] = {}
    everything = np.ones(len(group.keys), dtype=np.bool_)

    def could_undo(leader: int, other: int, at: int) -> bool:
        if not any(tables[index].undecided[:, at].any() for index in (leader, other)):
            return False
        if (leader, other) not in paired:
            paired[leader, other] = pairs.paired(tables[leader], tables[other], group.keys)
        loss = -1.0 if tables[leader].columns[at].measure.upward else 1.0
        return pairs.could_undo(loss, pairs.undecided_bounds(paired[leader, other], at, everything))

    return could_undo


def _mark(
    columns: Sequence[Column],
    cells: Sequence[Sequence[TableCell]],
    group: Group,
    against: Callable[[int, int], PValues],
    could_undo: Callable[[int, int, int], bool],
    level: float,
) -> None:
    """Say of the cells of a group which are best and which not significantly worse."""
    for at, column in enumerate(columns):
        values = {index: value for index in group.places if (value := cells[index][at].value) is not None}
        if not values:
            continue
        best = (max if column.measure.upward else min)(values.values())
        leader = next(index for index, value in values.items() if value == best)
        for index, value in values.items():
            cells[index][at].best = value == best
            if value != best:
                p_value = against(leader, index)[at]
                equal = p_value is not None and p_value >= 1 - level
                cells[index][at].close = equal or could_undo(leader, index, at)


def _cells(tables: Sequence[RunTable], group: Group, request: CompareRequest) -> list[list[TableCell]]:
    """Each system's value and interval of every measure, over the turns to which the metric applies in all of a group.

    Intervals resample dialogues, at most `OWN_DRAWS` times, the same ones for each system.
    """
    names = list(dict.fromkeys(dialog_id for dialog_id, _ in group.keys))
    number = {name: index for index, name in enumerate(names)}
    dialogs = np.array([number[dialog_id] for dialog_id, _ in group.keys], dtype=np.int64)
    ranges = [(column.measure.low, column.measure.high) for column in tables[0].columns]
    members = [tables[index] for index in group.places]
    at = []
    for table in members:
        places = {key: index for index, key in enumerate(table.keys)}
        at.append([places[key] for key in group.keys])
    applies = np.all([table.totals[chosen] > 0 for table, chosen in zip(members, at, strict=True)], axis=0)
    counted = applies.sum(axis=0)
    results = []
    for table, chosen in zip(members, at, strict=True):
        sums = []
        for item in (table.hits, table.totals):
            summed = np.zeros((len(names), len(ranges)))
            np.add.at(summed, dialogs, np.where(applies, item[chosen], 0.0))
            sums.append(summed)
        estimates = cluster_intervals(
            *sums,
            method=request.intervals,
            resamples=min(request.draws, OWN_DRAWS),
            seed=request.seed,
            level=request.level,
            ranges=ranges,
            macro=False,
        )
        hits, totals = (item.sum(axis=0) for item in sums)
        own = []
        for index, (hit, total) in enumerate(zip(hits, totals, strict=True)):
            estimate = estimates.of(index)
            own.append(
                TableCell(
                    value=float(hit / total) if total else None,
                    interval=estimate.bounds,
                    standard_error=estimate.standard_error,
                    interval_method=estimate.method,
                    rows=int(counted[index]),
                )
            )
        results.append(own)
    return results


def _trend(tables: Sequence[RunTable], at: int) -> list[list[TurnPoint]]:
    """The figures of a column by turn number, of each system; nothing where no system has two turn numbers."""
    results = []
    for table in tables:
        sums: dict[int, tuple[float, float, int]] = {}
        for (_, turn), hits, total in zip(table.keys, table.hits[:, at], table.totals[:, at], strict=True):
            if turn != DIALOG and total > 0:
                before = sums.get(turn, (0.0, 0.0, 0))
                sums[turn] = (before[0] + float(hits), before[1] + float(total), before[2] + 1)
        results.append(
            [TurnPoint(turn=turn, value=hits / total, rows=rows) for turn, (hits, total, rows) in sorted(sums.items())]
        )
    return results if any(len(points) > 1 for points in results) else []
