"""What a figure is, and what it could be had everything been decided and every failed or missing row a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from turnmark.locale.texts import ENGLISH, Texts, filled
from turnmark.pipeline.comparing import pairs
from turnmark.pipeline.comparing.run_table import Floats, RunTable
from turnmark.schemas.results.summary import Interval
from turnmark.stats.intervals import cluster_bootstrap


def joined(things: Sequence[str], texts: Texts) -> str:
    """``one and other``, in the language of the texts."""
    return f" {texts['gate_and']} ".join(things)


class Estimate(NamedTuple):
    """A measure of the run with its interval, and the rows it rests on.

    ``decided`` and ``undecided`` count the things in them that were decided and that were not, ``failed`` and
    ``missing`` the rows that have no value. With any that were not or have none: ``bounds`` of the value, and
    ``widest``, which runs from the lower limit of the interval with all of that at its lowest to the upper limit with
    all of it at its highest.
    """

    value: float | None = None
    interval: Interval = None
    rows: int = 0
    bounds: Interval = None
    widest: Interval = None
    decided: float = 0.0
    undecided: float = 0.0
    failed: int = 0
    missing: int = 0

    def ends(self, texts: Texts = ENGLISH) -> str:
        """What the ends of `bounds` count, in words; empty where everything has a value."""
        counted = {"count": f"{self.undecided:g}", "all": f"{self.decided + self.undecided:g}"}
        open_things = [filled(texts, "gate_ends_open", **counted)] * bool(self.undecided)
        open_things += [filled(texts, "gate_ends_failed", count=self.failed)] * bool(self.failed)
        open_things += [filled(texts, "gate_ends_gone", count=self.missing)] * bool(self.missing)
        return filled(texts, "gate_ends", things=joined(open_things, texts)) if open_things else ""


def with_missing(table: RunTable, baseline: RunTable) -> RunTable:
    """The run's table with the rows that only the baseline has, as rows that failed where the measure applied there."""
    known = set(table.keys)
    places = [place for place, key in enumerate(baseline.keys) if key not in known]
    if not places:
        return table
    applies = (baseline.totals[places] + baseline.undecided[places] > 0) | baseline.failed[places]
    none = np.zeros(applies.shape)
    return table._replace(
        keys=[*table.keys, *(baseline.keys[place] for place in places)],
        hits=np.vstack([table.hits, none]),
        totals=np.vstack([table.totals, none]),
        undecided=np.vstack([table.undecided, none]),
        failed=np.vstack([table.failed, applies]),
        strata={**baseline.strata, **table.strata},
    )


def estimate(table: RunTable, place: int, stratum: dict[str, str], level: float, rows_of_run: int) -> Estimate:
    """A measure of the run; only dialogues of the stratum count. Rows from ``rows_of_run`` on are missing ones.

    A row without a value could be any value of the scale; it weighs as much as the others do on average.
    Source: Horowitz & Manski 2000, JASA 95(449).
    """
    measure, metric = table.columns[place].measure, table.columns[place].metric
    chosen = [
        row
        for row, (dialog_id, _) in enumerate(table.keys)
        if all(table.strata.get(dialog_id, {}).get(field, "(none)") == value for field, value in stratum.items())
    ]
    hits, totals, rest = (item[chosen, place] for item in (table.hits, table.totals, table.undecided))
    no_value = table.failed[chosen, place]
    missing = int(np.sum(no_value & (np.array(chosen, dtype=np.int64) >= rows_of_run)))
    failed = int(no_value.sum()) - missing
    dialogs = [table.keys[row][0] for row in chosen]
    if metric.unit == "dialog" and (summed := table.summary.metrics.get(metric.name)):
        # Which dialogues failed as a whole is not told; those that the baseline has are counted as missing.
        failed = max(0, summed.counts.get("failed_count", 0) - missing)
        dialogs += [f"\0{number}" for number in range(failed)]  # no dialogue's name
        hits, totals, rest = (np.append(item, np.zeros(failed)) for item in (hits, totals, rest))
        no_value = np.append(no_value, np.ones(failed, dtype=np.bool_))
    has_any = totals + rest > 0
    weight = float((totals + rest)[has_any].mean()) if has_any.any() else 1.0
    counted = has_any | no_value
    if not counted.any():
        return Estimate()
    extra = np.where(no_value & ~has_any, weight, 0.0)
    names = {name: index for index, name in enumerate(sorted({dialogs[row] for row in np.flatnonzero(counted)}))}
    sums = np.zeros((len(names), 4))
    for row in np.flatnonzero(counted):
        sums[names[dialogs[row]]] += hits[row], totals[row], rest[row], extra[row]
    rows = int(np.sum(totals > 0))

    def figure(hits: Floats, totals: Floats) -> tuple[float | None, Interval]:
        result = cluster_bootstrap(
            hits[totals > 0, None], totals[totals > 0, None],
            level=level, ranges=[(measure.low, measure.high)], macro=False,
        )  # fmt: skip
        low, high = result.micro_low[0], result.micro_high[0]
        return result.micro[0], None if low is None or high is None else (low, high)

    of_hits, of_totals, of_rest, of_extra = sums.T
    value, interval = figure(of_hits, of_totals) if rows else (None, None)
    if not (of_rest.any() or of_extra.any()):
        return Estimate(value, interval, rows)
    every = of_totals + of_rest + of_extra
    (least, worst), (most, best) = (
        figure(of_hits + of_extra * measure.low, every),
        figure(of_hits + of_rest + of_extra * measure.high, every),
    )
    bounds = None if least is None or most is None else (least, most)
    widest = (worst[0], best[1]) if worst and best else None
    counts = float(of_totals.sum()), float(of_rest.sum())
    return Estimate(value, interval, rows, bounds, widest, *counts, failed, missing)


def missing_difference(baseline: RunTable, run: RunTable, place: int, stratum: dict[str, str]) -> Interval:
    """The least and the greatest difference that the run's failed and missing rows allow; it is that of `with_missing`.

    None where the run has a value wherever the baseline has one (where that has none, nothing is lost).
    """
    known = set(run.keys)
    paired = pairs.paired(baseline, run, [key for key in baseline.keys if key in known])
    rows = np.array(
        [
            all(run.strata.get(dialog_id, {}).get(field, "(none)") == value for field, value in stratum.items())
            for dialog_id, _ in paired.keys
        ],
        dtype=np.bool_,
    )
    rows &= ~(paired.missing[:, place] & np.isnan(paired.own1[:, place]))
    if not paired.missing[rows, place].any():
        return None
    measure = run.columns[place].measure
    return pairs.missing_bounds(paired, place, rows, (measure.low, measure.high))
