"""A run's figures corrected by people's labels on some of its turns. Raw figures stay as they are, beside these."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from turnmark.errors import DataError
from turnmark.pipeline.comparing.run_table import Column, RunTable, run_table
from turnmark.pipeline.publishing.run_turns import Key, fingerprints
from turnmark.schemas.jsonl import Decoded, Reader
from turnmark.schemas.labels.correction import CorrectedMeasure, Correction
from turnmark.schemas.labels.turn import TurnLabel
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import Interval
from turnmark.stats.agreement import accuracy, cohen_kappa
from turnmark.stats.annotators import krippendorff_alpha
from turnmark.stats.correction import Corrected, label_next, miss_rate, prediction_powered_mean, rogan_gladen
from turnmark.stats.resampling import DEFAULT_LEVEL, DEFAULT_SEED

MOST_NAMED = 50
_SAME = 1e-9


class CorrectRequest(NamedTuple):
    """The run, the file of labels, and how many turns to propose for the next labels of each measure."""

    run: str | Path
    labels: Path
    next_labels: int = 20
    seed: int = DEFAULT_SEED
    level: float = DEFAULT_LEVEL


def correct(request: CorrectRequest) -> Correction:
    """Correct every measure that people labelled.

    Labels that several people give to one turn count by their majority, numbers by their mean; a tie says nothing. Of
    several by one person the last counts, the others are named. Labels of turns or measures that the run does not have,
    and labels of a turn that has become another one since, are named and not used. Turns picked by hand or by their
    mark (``chosen``) count for agreement, not for corrected figures, which need a random sample.

    Raises: UsageError and DataError as `run_table`; DataError when the file of labels holds none that can be used.
    """
    table = run_table(request.run)
    unused: list[str] = []
    records = []
    for record in Reader(TurnLabel).read(request.labels):
        if isinstance(record, Problem):
            unused.append(str(record))
        else:
            records.append(record)
    by_measure = _by_measure(table, records, unused)
    if not by_measure:
        first = "".join(f"\n{line}" for line in unused[:5])
        message = f"{request.labels}: expected labels of turns of {request.run}, found none that can be used{first}"
        raise DataError(message)
    measures = [_measure(table, index, by_measure[index], request) for index in sorted(by_measure)]
    return Correction(run=str(request.run), labels=len(records), unused=unused, measures=measures)


def _by_measure(
    table: RunTable, records: Sequence[Decoded[TurnLabel]], unused: list[str]
) -> dict[int, dict[int, list[TurnLabel]]]:
    """The labels that count, by column and row; ``unused`` gets a line for each of the others."""
    places = _places(table)
    rows = {key: row for row, key in enumerate(table.keys)}
    now = _now(table, (record.value for record in records))
    given: dict[tuple[int, int, str], tuple[TurnLabel, int]] = {}
    for record in records:
        label, line = record.value, record.line
        row, index = rows.get((label.dialog_id, label.turn_pair_id)), places.get(label.measure)
        of = f"turn {label.turn_pair_id} of {label.dialog_id!r}"
        why = ""
        if row is None:
            why = f"the run has no {of}"
        elif index is None:
            why = f"$.measure: expected one of {', '.join(sorted(places))}, found {label.measure!r}"
        elif not table.totals[row, index] + table.undecided[row, index]:
            why = f"{label.measure} does not apply to {of}"
        elif not _on_scale(label, table.columns[index]):
            measure = table.columns[index].measure
            why = f"$.value: expected {measure.low:g} to {measure.high:g}, found {label.value!r}"
        elif label.fingerprint and now.get((label.dialog_id, label.turn_pair_id)) != label.fingerprint:
            why = f"$.fingerprint: expected {of} as it was when it was labelled, found another text; label it again"
        if why or row is None or index is None:
            unused.append(f"{line.file}:{line.number}: {why}")
            continue
        who = label.annotator.strip()
        earlier = given.pop((index, row, who), None)
        if earlier is not None:
            unused.append(
                f"{line.file}:{earlier[1]}: {who} says {label.measure} of {of} "
                f"again in line {line.number}, which counts"
            )
        given[index, row, who] = label, line.number
    by_measure: dict[int, dict[int, list[TurnLabel]]] = {}
    for (index, row, _), (label, _) in given.items():
        by_measure.setdefault(index, {}).setdefault(row, []).append(label)
    return by_measure


def _now(table: RunTable, labels: Iterable[TurnLabel]) -> dict[Key, str]:
    """What the turns are now that labels with a fingerprint were given to."""
    wanted = {(label.dialog_id, label.turn_pair_id) for label in labels if label.fingerprint}
    own = fingerprints(table.folder, {(table.id_in_run(dialog_id), turn) for dialog_id, turn in wanted})
    return {(dialog_id.removeprefix(table.prefix), turn): said for (dialog_id, turn), said in own.items()}


def _on_scale(label: TurnLabel, column: Column) -> bool:
    return label.value is None or column.measure.low <= float(label.value) <= column.measure.high


def _places(table: RunTable) -> dict[str, int]:
    """The columns by the names that a label may use."""
    results: dict[str, int] = {}
    for index, column in enumerate(table.columns):
        results[f"{column.metric.code}.{column.measure.name}"] = index
        results[f"{column.metric.name}.{column.measure.name}"] = index
    return results


def _measure(
    table: RunTable, place: int, labels: Mapping[int, Sequence[TurnLabel]], request: CorrectRequest
) -> CorrectedMeasure:
    rows = np.flatnonzero(table.totals[:, place] + table.undecided[:, place] > 0)
    hits, totals, rest = (item[rows, place] for item in (table.hits, table.totals, table.undecided))
    marks = ((hits + rest / 2) / (totals + rest)).tolist()
    counted = totals > 0
    raw = float(np.mean(hits[counted] / totals[counted])) if rest.any() and counted.any() else None
    keys = [table.keys[row] for row in rows]
    dialogs = [dialog_id for dialog_id, _ in keys]
    said = [_said(labels.get(int(row), ())) for row in rows]
    random = [None if any(item.chosen for item in labels.get(int(row), ())) else value
              for row, value in zip(rows, said, strict=True)]  # fmt: skip
    powered = prediction_powered_mean(marks, random, dialogs, level=request.level)
    column = table.columns[place]
    corrected_measure = CorrectedMeasure(
        measure=f"{column.metric.code}.{column.measure.name}",
        rows=len(rows),
        labelled=sum(value is not None for value in said),
        annotators=len({item.annotator.strip() for own in labels.values() for item in own}),
        raw=powered.raw if raw is None else raw,
        powered=powered.estimate,
        powered_interval=_bounds(powered),
        alpha=_alpha(labels.values()),
        disagreements=_disagreements(*_where(rest == 0, keys, marks, said)),
        label_next=[f"{keys[row][0]} turn {keys[row][1]}" for row in
                    label_next(marks, said, request.next_labels, seed=request.seed)],
        not_decided=int(np.sum(rest > 0)) or UNSET,
    )  # fmt: skip
    if rest.any():
        marks, said, random, dialogs = _where(rest == 0, marks, said, random, dialogs)
    yes_no = {0.0, 1.0}
    if marks and set(marks) <= yes_no and {value for value in said if value is not None} <= yes_no:
        _fill_yes_no(corrected_measure, marks, said, random, dialogs, request)
    return corrected_measure


def _where(kept: NDArray[np.bool_], *columns: Sequence[Any]) -> list[list[Any]]:
    """The entries of columns that are kept."""
    return [[value for value, keep in zip(column, kept, strict=True) if keep] for column in columns]


def _fill_yes_no(
    found: CorrectedMeasure,
    marks: Sequence[float],
    said: Sequence[float | None],
    random: Sequence[float | None],
    dialogs: Sequence[str],
    request: CorrectRequest,
) -> None:
    """What only measures that are yes or no have."""
    corrected = rogan_gladen(marks, random, dialogs, seed=request.seed, level=request.level)
    found.rogan_gladen, found.rogan_gladen_interval = corrected.estimate, _bounds(corrected)
    missed = miss_rate(marks, random, dialogs, level=request.level)
    found.unmarked_checked, found.missed, found.miss_rate = missed.checked, missed.found, missed.share
    if missed.low is not None and missed.high is not None:
        found.miss_rate_interval = (missed.low, missed.high)
    found.missed_in_run = missed.missed
    if missed.missed_low is not None and missed.missed_high is not None:
        found.missed_in_run_interval = (missed.missed_low, missed.missed_high)
    pairs = [(value, mark) for value, mark in zip(said, marks, strict=True) if value is not None]
    gold, predicted = [value for value, _ in pairs], [mark for _, mark in pairs]
    found.kappa, found.accuracy = cohen_kappa(gold, predicted), accuracy(gold, predicted)
    found.sensitivity = _share([mark == 1 for value, mark in pairs if value == 1])
    found.specificity = _share([mark == 0 for value, mark in pairs if value == 0])


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _said(labels: Sequence[TurnLabel]) -> float | None:
    """What people say of one turn: the majority of yes and no, the mean of numbers, None where they do not say."""
    values = [label.value for label in labels if label.value is not None]
    if not values:
        return None
    mean = math.fsum(float(value) for value in values) / len(values)
    if all(isinstance(value, bool) for value in values):
        return None if mean == 0.5 else float(mean > 0.5)
    return mean


def _alpha(units: Iterable[Sequence[TurnLabel]]) -> float | None:
    columns = [[item.value for item in own] for own in units]
    yes_no = all(isinstance(value, bool) for own in columns for value in own if value is not None)
    return krippendorff_alpha(columns, "nominal" if yes_no else "interval")


def _bounds(found: Corrected) -> Interval:
    return None if found.low is None or found.high is None else (found.low, found.high)


def _disagreements(keys: Sequence[Key], marks: Sequence[float], said: Sequence[float | None]) -> list[str]:
    lines = [
        f"{dialog_id} turn {turn}: marked {mark:g}, people say {value:g}"
        for (dialog_id, turn), mark, value in zip(keys, marks, said, strict=True)
        if value is not None and abs(value - mark) > _SAME
    ]
    return lines[:MOST_NAMED]
