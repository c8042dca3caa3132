"""Runs compared turn by turn: which is better, by how much, how sure, and in which turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from turnmark.errors import UsageError
from turnmark.locale.texts import Texts, texts_of
from turnmark.pipeline.comparing import n_way, pairs
from turnmark.pipeline.comparing.pairs import NOISE, Paired
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import DIALOG, STRATA, Column, RunTable, run_table
from turnmark.pipeline.publishing.run_turns import Key, turns_of
from turnmark.report.view.data import TurnView
from turnmark.report.view.quoted.highlight import said
from turnmark.report.view.triage import openness
from turnmark.schemas.marks import FAULT_KINDS, FaultKind
from turnmark.schemas.results.comparison import (
    ChangedTurn,
    ComparedMeasure,
    Comparison,
    PairComparison,
    SystemGroup,
    Unpaired,
)
from turnmark.schemas.results.summary import IntervalMethod, Resampling, Signature
from turnmark.stats.intervals import MINIMUM_CLUSTERS
from turnmark.stats.paired import (
    PairedDifference,
    benjamini_hochberg,
    clusters_needed,
    holm,
    paired_differences,
    refuse_wanted,
)

MOST_CHANGED = 20
MOST_NAMED = 20
MOST_STRATA = 20
FEWEST_SYSTEMS = 2


def compare(request: CompareRequest) -> Comparison:
    """Compare every run with the first run that it shares turns with, in the order given; else with the first.

    Turns are paired by dialogue and number; what does not pair is counted and named, and enters no figure. A pair
    counts for a measure where the metric applies to both of its turns.

    Raises: UsageError for fewer than two runs, runs of different suites, a field that cannot be broken down by, a
    difference that is not above 0, and as `run_table`; DataError as `run_table`.
    """
    if len(request.runs) < FEWEST_SYSTEMS:
        message = f"RUN: expected two runs or more to compare, found {len(request.runs)}"
        raise UsageError(message)
    wrong = [field for field in request.by if field not in STRATA]
    if wrong:
        message = f"--by: expected some of {list(STRATA)}, found {wrong}"
        raise UsageError(message)
    if request.wanted is not None:
        refuse_wanted(request.wanted)
    tables = _named([run_table(run) for run in request.runs])
    suites = {table.summary.suite_name for table in tables}
    if len(suites) > 1:
        message = f"RUN: expected runs of one suite, found {sorted(suites)}"
        raise UsageError(message)
    groups = n_way.groups(tables)
    compared, tested = _pairs(tables, groups, request)
    return Comparison(
        systems=[table.name for table in tables],
        suite=suites.pop(),
        pairs=compared,
        table=n_way.rows(tables, groups, tested, request),
        paired_turns=n_way.turns(groups[0].keys) if len(groups) == 1 else 0,
        groups=[
            SystemGroup(
                systems=[tables[position].name for position in group.places],
                turns=n_way.turns(group.keys),
                dialogs=len({dialog_id for dialog_id, _ in group.keys}),
            )
            for group in groups
        ],
        shared_turns=n_way.shared_turns(tables),
        resampling=Resampling(
            method=f"{_METHODS[request.intervals]} and permutation test, dialogues kept whole",
            level=request.level,
            resamples=request.draws,
            seed=request.seed,
            minimum_clusters=MINIMUM_CLUSTERS,
        ),
    )


_METHODS: dict[IntervalMethod, str] = {
    "percentile": "percentile bootstrap",
    "bca": "bias-corrected and accelerated bootstrap",
    "analytic": "Student's t of linearised differences",
}


def _named(tables: list[RunTable]) -> list[RunTable]:
    """The runs under the names of their folders, where these tell them apart; else as they were given."""
    short = [Path(table.name).name for table in tables]
    if len(set(short)) < len(short):
        return tables
    return [table._replace(name=name) for table, name in zip(tables, short, strict=True)]


def _pairs(
    tables: Sequence[RunTable], groups: Sequence[n_way.Group], request: CompareRequest
) -> tuple[list[PairComparison], dict[tuple[int, int], list[float | None]]]:
    """Every run after the first against the first of its group (a first of a group against the first of all).

    Also the p-values by places, of those pairs whose turns are all those of their group.
    """
    compared, tested = [], {}
    for index in range(1, len(tables)):
        group = next(group for group in groups if index in group.places)
        first = group.places[0] if group.places[0] != index else 0
        keys = pairs.common((tables[first], tables[index]))
        pair = _pair(tables[first], tables[index], keys, request)
        compared.append(pair)
        if first == group.places[0] and keys == group.keys:
            tested[first, index] = [measure.p_value for measure in pair.measures]
    return compared, tested


def _pair(first: RunTable, second: RunTable, keys: list[Key], request: CompareRequest) -> PairComparison:
    paired = pairs.paired(first, second, keys)
    everything = np.ones(len(keys), dtype=np.bool_)
    changed = list(_changed_rows(first.columns, first, second, keys))
    return PairComparison(
        first=first.name,
        second=second.name,
        measures=_measures(first.columns, paired, everything, request),
        strata={field: _stratified(field, first, second, paired, request) for field in request.by},
        unpaired=unpaired(first, second, set(keys)),
        signature_differences=signature_differences(first.summary.signature, second.summary.signature),
        changed=_changed(first, second, changed[:MOST_CHANGED], texts_of(request.language, first.summary.suite_name)),
        changed_total=len(changed),
    )


def _measures(
    columns: Sequence[Column], paired: Paired, rows: NDArray[np.bool_], request: CompareRequest
) -> list[ComparedMeasure]:
    """Every measure over the rows that are asked for, p-values adjusted over all of them."""
    tables = paired.by_dialog(rows)
    if not len(paired.names):
        return []
    result = paired_differences(
        *tables, draws=request.draws, seed=request.seed, level=request.level, method=request.intervals
    )
    compared = [
        _measure(column, item, paired, rows, index, request)
        for index, (column, item) in enumerate(zip(columns, result, strict=True))
    ]
    tested = [item for item in compared if item.p_value is not None]
    p_values = [item.p_value or 0.0 for item in tested]
    for item, strict, loose in zip(tested, holm(p_values), benjamini_hochberg(p_values), strict=True):
        item.p_holm, item.p_bh = strict, loose
        if strict < 1 - request.level and item.difference:
            if pairs.could_undo(item.difference, item.undecided_bounds or None):
                item.undecided_could_undo = True
            else:
                item.better = "second" if (item.difference > 0) == item.upward else "first"
    return compared


def _measure(
    column: Column,
    found: PairedDifference,
    paired: Paired,
    rows: NDArray[np.bool_],
    place: int,
    request: CompareRequest,
) -> ComparedMeasure:
    interval = found.difference
    error = interval.standard_error
    apart = pairs.apart(paired, place)[rows]
    known = apart[~np.isnan(apart)]
    gained = known if column.measure.upward else -known
    needed = None
    if request.wanted is not None and error:
        needed = clusters_needed(error, found.clusters, request.wanted, request.level)
    open_pairs = pairs.to_decide(paired, place, rows)
    of_unit = rows & (paired.whole == (column.metric.unit == "dialog"))
    return ComparedMeasure(
        metric=column.metric.name,
        code=column.metric.code,
        measure=column.measure.name,
        upward=column.measure.upward,
        first=found.first,
        second=found.second,
        difference=interval.estimate,
        interval=interval.bounds,
        standard_error=error,
        p_value=found.p_value,
        p_holm=None,
        p_bh=None,
        effect=found.effect,
        detectable=found.detectable,
        dialogs=found.clusters,
        pairs=int(known.size),
        wins=int(np.sum(gained > NOISE)),
        ties=int(np.sum(np.abs(gained) <= NOISE)),
        losses=int(np.sum(gained < -NOISE)),
        dialogs_needed=needed,
        coverage=float(known.size / of_unit.sum()) if of_unit.any() else None,
        missing=int(np.sum(paired.missing[rows, place])),
        missing_bounds=pairs.missing_bounds(paired, place, rows, (column.measure.low, column.measure.high)),
        interval_method=interval.method,
        undecided_bounds=pairs.undecided_bounds(paired, place, rows) or UNSET,
        to_decide=UNSET if open_pairs is None else open_pairs,
    )


def _stratified(
    field: str, first: RunTable, second: RunTable, paired: Paired, request: CompareRequest
) -> dict[str, list[ComparedMeasure]]:
    """The comparison within each value of a field; values beyond `MOST_STRATA` stay out."""
    values = [(first.strata.get(name) or second.strata.get(name) or {}).get(field, "(none)") for name in paired.names]
    of_row = np.array(values, dtype=object)[paired.dialogs] if values else np.array([], dtype=object)
    return {
        value: _measures(first.columns, paired, of_row == value, request) for value in sorted(set(values))[:MOST_STRATA]
    }


def unpaired(first: RunTable, second: RunTable, shared: set[Key]) -> Unpaired:
    """The turns that only one of two runs has."""
    only1 = [key for key in first.keys if key not in shared and key[1] != DIALOG]
    only2 = [key for key in second.keys if key not in shared and key[1] != DIALOG]
    named = [f"{name}: {dialog} turn {turn}" for name, keys in ((first.name, only1), (second.name, only2))
             for dialog, turn in keys]  # fmt: skip
    return Unpaired(only_first=len(only1), only_second=len(only2), examples=named[:MOST_NAMED])


_NOT_OF_MARKS = {"intervals"}
"""Settings that shape intervals, not marks."""


def signature_differences(first: Signature | None, second: Signature | None) -> list[str]:
    """What the two runs were not marked alike by; the data themselves may differ, since the replies do."""
    if first is None or second is None:
        return ["one of the runs says nothing of how it was marked"] if first is not second else []
    results = []
    for name in ("suite", "detect", "seed"):
        result, two = getattr(first, name), getattr(second, name)
        if result != two:
            results.append(f"{name}: {result} and {two}")
    for name in ("metrics", "detectors", "packs", "language_tools", "settings"):
        ours, theirs = getattr(first, name), getattr(second, name)
        results += [
            f"{name} {key}: {ours.get(key, 'absent')} and {theirs.get(key, 'absent')}"
            for key in sorted((ours.keys() | theirs.keys()) - _NOT_OF_MARKS)
            if ours.get(key) != theirs.get(key)
        ]
    return results


def _changed_rows(
    columns: Sequence[Column], first: RunTable, second: RunTable, keys: Sequence[Key]
) -> Iterator[tuple[Key, list[str]]]:
    """The turns whose marks differ, each with what differs: the gravest kind first, of it what differs most.

    A measure that was decided in one run and not, or less of it, in the other differs too; by half of its scale, since
    nobody knows by how much.
    """
    if not keys:
        return
    sides = [pairs.as_it_is(table, keys) for table in (first, second)]
    scales = np.array([column.measure.high - column.measure.low for column in columns])
    values = [side.ratios() / scales for side in sides]
    shares = [side.shares() for side in sides]
    decided = np.nan_to_num(np.abs(shares[1] - shares[0]))
    apart = np.nan_to_num(np.abs(values[1] - values[0]))
    differs = (apart > NOISE) | (decided > NOISE)
    size = np.maximum(apart, _UNKNOWN * decided).sum(axis=1)
    ranks = np.array([_rank(column) for column in columns])
    gravity = np.where(differs, ranks, len(FAULT_KINDS)).min(axis=1)
    for row in np.lexsort((-size, gravity)):
        if not differs[row].any() or keys[row][1] == DIALOG:
            continue
        changes = [
            f"{columns[index].name} {sides[0].said(row, index)} → {sides[1].said(row, index)}"
            for index in np.flatnonzero(differs[row]).tolist()
        ]
        yield keys[row], changes


_UNKNOWN = 0.5


def _rank(column: Column) -> int:
    """How grave a fault in a measure is, 0 the gravest."""
    kind = next((kind for measure, kind in column.metric.faults() if measure.name == column.measure.name), None)
    return len(FAULT_KINDS) if kind is None else FAULT_KINDS.index(kind)


def _changed(
    first: RunTable, second: RunTable, chosen: Sequence[tuple[Key, list[str]]], texts: Texts
) -> list[ChangedTurn]:
    views1 = _views(first, [key for key, _ in chosen])
    views2 = _views(second, [key for key, _ in chosen])
    results = []
    for key, changes in chosen:
        result, two = views1.get(key), views2.get(key)
        results.append(
            ChangedTurn(
                dialog_id=key[0],
                turn_pair_id=key[1],
                changes=changes,
                user_text=result.user_text if result else "",
                first_reply=result.reply if result else "",
                second_reply=two.reply if two else "",
                first_evidence=_evidence(result, texts),
                second_evidence=_evidence(two, texts),
                first_fault=_gravest(result),
                second_fault=_gravest(two),
                first_open=_is_open(result),
                second_open=_is_open(two),
            )
        )
    return results


def _gravest(view: TurnView | None) -> FaultKind | None:
    return view.reasons[0].kind if view and view.reasons else None


def _is_open(view: TurnView | None) -> bool:
    return view is not None and openness(view.row) > 0


def _evidence(view: TurnView | None, texts: Texts) -> list[str]:
    pieces = view.evidence if view else ()
    return [f"{said(piece, texts)}{texts['colon']}“{piece.quote}”" for piece in pieces if piece.quote]


def _views(table: RunTable, keys: Sequence[Key]) -> dict[Key, TurnView]:
    wanted = {(table.id_in_run(dialog_id), turn) for dialog_id, turn in keys}
    return {
        (view.dialog_id.removeprefix(table.prefix), view.turn_pair_id): view for view in turns_of(table.folder, wanted)
    }
