"""Estimates corrected by a labelled sample: what the marks of a detector or judge say once some were checked by people.

A raw score counts what a detector marks, errors included. People's labels on a sample show how often it errs, and with
that the score can be corrected; the interval then holds the uncertainty of the sample. Rows of one dialogue are not
independent, so dialogues are the clusters of every variance.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnmark.errors import UsageError
from turnmark.stats.agreement import cluster_codes
from turnmark.stats.intervals import MINIMUM_CLUSTERS
from turnmark.stats.resampling import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Floats,
    check_settings,
    percentile_interval,
    rare_limit,
    student_quantile,
)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected estimate.

    ``raw`` is the mean of the marks themselves. ``estimate``, ``low`` and ``high`` are None where the sample does not
    say; ``labelled`` rows of ``clusters`` dialogues were checked.
    """

    raw: float
    estimate: float | None
    low: float | None = None
    high: float | None = None
    labelled: int = 0
    clusters: int = 0


@dataclass(frozen=True, slots=True)
class MissRate:
    """Of the rows that were not marked, how many should have been.

    ``share`` of the ``checked`` unmarked rows were wrong; ``low`` and ``high`` bound the share; ``missed``,
    ``missed_low`` and ``missed_high`` are that share times the number of unmarked rows of the whole run.
    """

    checked: int
    found: int
    share: float | None
    low: float | None
    high: float | None
    missed: float | None
    missed_low: float | None
    missed_high: float | None


def prediction_powered_mean(
    marks: Sequence[float],
    labels: Sequence[float | None],
    clusters: Sequence[Hashable],
    *,
    level: float = DEFAULT_LEVEL,
) -> Corrected:
    """The mean that people would give to all rows, from marks on all and labels on a random sample.

    Formula (PPI++): with marks f on the N unlabelled rows, marks f and labels y on the n labelled ones,
    theta = w * mean(f, unlabelled) + mean(y - w * f, labelled), w = cov(y, f) / ((1 + n / N) * var(f)), within 0 and 1.
    Variance: that of each mean by leaving out one dialogue at a time; interval: Student's t with as many degrees of
    freedom as labelled dialogues less one, for shares on the scale of log odds. With useless marks w is 0 and theta the
    mean of the labels alone; with perfect ones it is nearly the mean of all marks.

    `labels` holds None for rows that nobody checked; the labelled rows must be a random sample. Unit and range: those
    of the marks. Empty case: fewer than MINIMUM_CLUSTERS labelled dialogues give no interval, no label no estimate.

    Errors: UsageError when the lengths differ, there are no rows, or the level is not inside (0, 1).

    Source: Angelopoulos et al. 2023, Science 382; Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453 (w); clusters:
    Cameron & Miller 2015.
    """
    check_settings(DEFAULT_RESAMPLES, level)
    all_marks, known, code, _ = _columns(marks, labels, clusters)
    raw = float(np.mean(all_marks))
    checked = ~np.isnan(known)
    labelled = int(checked.sum())
    dialogs = len(np.unique(code[checked]))
    if not labelled:
        return Corrected(raw, None)
    f, y, rest = all_marks[checked], known[checked], all_marks[~checked]
    weight = _tuned(f, y, rest)
    estimate = weight * float(np.mean(rest)) if rest.size else 0.0
    estimate += float(np.mean(y - weight * f)) if rest.size else float(np.mean(y))
    if dialogs < MINIMUM_CLUSTERS:
        return Corrected(raw, estimate, labelled=labelled, clusters=dialogs)
    residuals = y - weight * f if rest.size else y
    variance = _cluster_variance(residuals, code[checked])
    variance += weight**2 * _cluster_variance(rest, code[~checked]) if rest.size else 0.0
    reach = student_quantile(0.5 + level / 2, dialogs - 1) * math.sqrt(variance)
    low, high = _around(estimate, reach, shares=bool(np.all((all_marks >= 0) & (all_marks <= 1))))
    return Corrected(raw, estimate, low, high, labelled, dialogs)


def rogan_gladen(
    marks: Sequence[float],
    labels: Sequence[float | None],
    clusters: Sequence[Hashable],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Corrected:
    """The share of rows that truly are positive, from a detector's yes and no and its errors on a labelled sample.

    Formula: p = (q + specificity - 1) / (sensitivity + specificity - 1), cut to 0 and 1; q is the share of all rows
    that are marked, sensitivity and specificity come from the labelled rows. Interval: percentiles over samples of
    whole dialogues, marks and labels drawn together, half a case added to each cell of the table of errors (Jeffreys),
    since a sample without an error does not show a detector without errors.

    Marks and labels are 0 or 1, labels None where nobody checked. The labelled rows may be chosen by anything but the
    mark's being right. Range: 0 to 1. Empty case: no estimate without a labelled positive and a labelled negative, or
    when the detector does no better than chance (sensitivity + specificity <= 1).

    Errors: UsageError for marks or labels other than 0 and 1, and as `prediction_powered_mean`.

    Source: Rogan & Gladen 1978; small samples: Lang & Reiczigel 2014.
    """
    check_settings(resamples, level)
    all_marks, known, code, count = _columns(marks, labels, clusters)
    checked = ~np.isnan(known)
    if not set(np.unique(np.concatenate([all_marks, known[checked]])).tolist()) <= {0.0, 1.0}:
        raise UsageError("marks and labels must be 0 or 1: for other scores use the prediction-powered mean")
    raw = float(np.mean(all_marks))
    said, truth = all_marks == 1, known == 1
    cells = np.column_stack(
        [
            np.bincount(code[rows], minlength=count).astype(np.float64)
            for rows in (checked & said & truth, checked & ~said & truth, checked & said & ~truth,
                         checked & ~said & ~truth, said, np.ones_like(said))
        ]
    )  # fmt: skip
    total = cells.sum(axis=0)
    estimate = _rogan_gladen(total[None], 0.0)[0]
    labelled, dialogs = int(checked.sum()), len(np.unique(code[checked]))
    if math.isnan(estimate):
        return Corrected(raw, None, labelled=labelled, clusters=dialogs)
    if dialogs < MINIMUM_CLUSTERS:
        return Corrected(raw, float(estimate), labelled=labelled, clusters=dialogs)
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = np.empty((resamples, cells.shape[1]))
    for row in drawn:
        row[:] = np.bincount(generator.integers(0, count, count), minlength=count) @ cells
    result = _rogan_gladen(drawn, 0.5)
    result = result[~np.isnan(result)]
    low, high = percentile_interval(result, dialogs, level) if result.size else (0.0, 1.0)
    return Corrected(raw, float(estimate), min(float(low), float(estimate)), max(float(high), float(estimate)),
                     labelled, dialogs)  # fmt: skip


def miss_rate(
    marks: Sequence[float],
    labels: Sequence[float | None],
    clusters: Sequence[Hashable],
    *,
    level: float = DEFAULT_LEVEL,
) -> MissRate:
    """How many positives the detector missed: people's yes among the rows that it did not mark.

    Formula: share = found / checked; bounds are Clopper-Pearson limits at the effective number of checked rows, which
    is their number over the design effect (the variance of the share by dialogues over that of independent rows, 1 or
    more). The checked rows must be a random sample of the unmarked ones.

    Range: 0 to 1; less is better. Empty case: None throughout when no unmarked row was checked.

    Errors: as `rogan_gladen`. Source: Clopper & Pearson 1934; design effect: Kish 1965, section 5.4.
    """
    check_settings(DEFAULT_RESAMPLES, level)
    all_marks, known, code, _ = _columns(marks, labels, clusters)
    unmarked = all_marks == 0
    checked = unmarked & ~np.isnan(known)
    count, result = int(checked.sum()), int((known[checked] == 1).sum())
    if not count:
        return MissRate(0, 0, None, None, None, None, None, None)
    effective = count / _design_effect(known[checked], code[checked])
    share = result / count
    like = share * effective
    high = rare_limit(math.ceil(like - 1e-9), effective, level)
    # Numbers of cases need not be whole here; both bounds are rounded away from the share.
    low = 1.0 - rare_limit(math.ceil(effective - math.floor(like + 1e-9) - 1e-9), effective, level) if result else 0.0
    whole = int(unmarked.sum())
    return MissRate(count, result, share, low, high, share * whole, low * whole, high * whole)


def label_next(
    marks: Sequence[float], labels: Sequence[float | None], count: int, *, seed: int = DEFAULT_SEED
) -> list[int]:
    """The places of the rows that should be labelled next, so that the corrected interval narrows most.

    Rows are grouped by their mark (ten groups where marks are scores). Each label goes to the group where it takes most
    off the variance of the sum over groups, W**2 * v / (n * (n + 1)); n and v are number and variance of the labels so
    far in the group, one positive and one negative added to both. Within a group rows are drawn at random. Returns up
    to `count` places, in the order in which they should be labelled; the same input gives the same places.

    Errors: UsageError when the lengths differ or there are no rows.

    Source: Neyman 1934 (allocation).
    """
    all_marks, known, _, _ = _columns(marks, labels, list(range(len(marks))))
    generator = np.random.Generator(np.random.PCG64(seed))
    values = np.unique(all_marks)
    group = (
        np.searchsorted(values, all_marks)
        if values.size <= _MOST_GROUPS
        else np.minimum((np.argsort(np.argsort(all_marks, kind="stable")) * _MOST_GROUPS) // len(all_marks), 9)
    )
    waiting: dict[int, list[int]] = {}
    state: dict[int, tuple[float, float, int]] = {}
    for name in np.unique(group):
        rows = group == name
        own = known[rows & ~np.isnan(known)]
        sample = np.concatenate([own, [0.0, 1.0]])
        open_rows = np.flatnonzero(rows & np.isnan(known))
        waiting[int(name)] = generator.permutation(open_rows).tolist()
        state[int(name)] = (float(rows.mean()), float(np.var(sample)), int(sample.size))
    chosen: list[int] = []
    while len(chosen) < count and any(waiting.values()):
        best = max((name for name in waiting if waiting[name]), key=lambda name: (_gain(*state[name]), -name))
        chosen.append(int(waiting[best].pop()))
        weight, variance, size = state[best]
        state[best] = (weight, variance, size + 1)
    return chosen


_MOST_GROUPS = 10


def _gain(weight: float, variance: float, size: int) -> float:
    return weight**2 * variance / (size * (size + 1))


def _columns(
    marks: Sequence[float], labels: Sequence[float | None], clusters: Sequence[Hashable]
) -> tuple[Floats, Floats, NDArray[np.int64], int]:
    if not len(marks) == len(labels) == len(clusters):
        raise UsageError(f"{len(marks)} marks, {len(labels)} labels, {len(clusters)} dialogues: give one a row")
    if not len(marks):
        raise UsageError("there are no rows to correct")
    known: list[Any] = [math.nan if label is None else float(label) for label in labels]
    code, count = cluster_codes(clusters)
    return np.asarray(marks, dtype=np.float64), np.asarray(known, dtype=np.float64), code, count


def _around(estimate: float, reach: float, *, shares: bool) -> tuple[float, float]:
    """The interval; of a share on the scale of log odds, where its error is not skewed."""
    if not shares or not 0.0 < estimate < 1.0:
        return estimate - reach, estimate + reach
    odds, spread = math.log(estimate / (1 - estimate)), reach / (estimate * (1 - estimate))
    low, high = (1 / (1 + math.exp(-(odds + side * spread))) for side in (-1, 1))
    return low, high


def _tuned(f: Floats, y: Floats, rest: Floats) -> float:
    """The weight of the marks that gives the least variance."""
    if f.size < 2 or not rest.size:
        return 0.0
    spread = float(np.var(np.concatenate([f, rest]), ddof=1))
    if spread <= 1e-12:
        return 0.0
    shared = float(np.cov(y, f, ddof=1)[0, 1])
    return min(max(shared / ((1 + f.size / rest.size) * spread), 0.0), 1.0)


def _cluster_variance(values: Floats, code: NDArray[np.int64]) -> float:
    """The variance of a mean whose rows come in dialogues: the jackknife over dialogues."""
    _, own = np.unique(code, return_inverse=True)
    sums, sizes = np.bincount(own, values), np.bincount(own)
    count = sums.size
    if count < 2:
        return float(np.var(values)) / max(values.size - 1, 1)
    without = (values.sum() - sums) / (values.size - sizes)
    return float(np.sum((without - without.mean()) ** 2)) * (count - 1) / count


def _rogan_gladen(cells: Floats, added: float) -> Floats:
    """The corrected share of each row of cells (hits, misses, false alarms, rightly unmarked, marked, all)."""
    tp, fn, fp, tn, marked, rows = cells.T
    with np.errstate(divide="ignore", invalid="ignore"):
        sensitivity = (tp + added) / (tp + fn + 2 * added)
        specificity = (tn + added) / (tn + fp + 2 * added)
        better = sensitivity + specificity - 1
        share = (marked / rows + specificity - 1) / better
    return np.where((better > 0) & (tp + fn > 0) & (tn + fp > 0), np.clip(share, 0.0, 1.0), np.nan)


def _design_effect(values: Floats, code: NDArray[np.int64]) -> float:
    """How much less rows of the same dialogues say than as many independent ones."""
    mean = float(values.mean())
    plain = mean * (1 - mean) / max(values.size - 1, 1)
    if plain <= 0:
        # All agree: rows of one dialogue are taken as one, which is never too bold.
        return values.size / len(np.unique(code))
    return min(max(_cluster_variance(values, code) / plain, 1.0), float(values.size))
