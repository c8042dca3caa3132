"""How well two columns of judgements agree: labels against labels, scores against labels, scores against scores.

Every statistic is a pure function of whole columns and gives None where it is undefined, never nan and never a stand-in
of 0 or 1. Columns hold no nulls: `known` drops them. Intervals of these statistics are in `turnmark.stats.clustered`,
except the generic `clustered_interval`, which takes any statistic.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from turnmark.errors import UsageError
from turnmark.stats.intervals import MINIMUM_CLUSTERS, Interval, bounded_statistic
from turnmark.stats.resampling import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Floats,
    check_settings,
    draw_weights,
)

Column: TypeAlias = Sequence[Any] | NDArray[Any]
Codes: TypeAlias = NDArray[np.int64]
Weighting: TypeAlias = Literal["linear", "quadratic"] | None


class PrecisionRecallF1(NamedTuple):
    """Precision, recall and their harmonic mean, each from 0 to 1, up is better, None when undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


def known(gold: Column, predicted: Column, clusters: Column) -> tuple[list[Any], list[Any], list[Any]]:
    """Rows in which both judgements are there: a null means unknown, which is neither right nor wrong.

    Returns the three columns as lists, in order, without the rows whose `gold` or `predicted` is None. The caller
    reports how many were left out. Empty in, empty out.

    Errors: UsageError when the lengths differ.
    """
    _same_length(gold, predicted, clusters)
    rows = zip(gold, predicted, clusters, strict=True)
    kept = [row for row in rows if row[0] is not None and row[1] is not None]
    return [row[0] for row in kept], [row[1] for row in kept], [row[2] for row in kept]


def confusion(gold: Column, predicted: Column, labels: Sequence[Hashable]) -> Codes:
    """Count each pair of labels: row i, column j holds the rows with gold labels[i] and predicted labels[j].

    Returns integers of shape (labels, labels) that sum to the number of rows; all 0 for no rows.

    Errors: UsageError when the lengths differ or a value (None among them) is not in `labels`.
    """
    gold_codes, predicted_codes, names = encode(gold, predicted, labels)
    size = len(names)
    return np.bincount(gold_codes * size + predicted_codes, minlength=size * size).reshape(size, size)


def precision_recall_f1(tp: float, fp: float, fn: float) -> PrecisionRecallF1:
    """Precision, recall and F1 of counts.

    Formula: precision = tp / (tp + fp), recall = tp / (tp + fn), F1 = 2 tp / (2 tp + fp + fn).
    Range: 0 to 1, up is better. Empty case: each is None when its own denominator is 0; so with nothing predicted
    precision is None while F1 may be 0.

    Errors: UsageError for a negative count.

    Source: van Rijsbergen 1979, Information Retrieval, chapter 7.
    """
    if min(tp, fp, fn) < 0:
        raise UsageError(f"counts are tp {tp!r}, fp {fp!r}, fn {fn!r}: none may be negative")
    return PrecisionRecallF1(_share(tp, tp + fp), _share(tp, tp + fn), _share(2 * tp, 2 * tp + fp + fn))


def accuracy(gold: Column, predicted: Column) -> float | None:
    """Share of rows in which both labels are the same.

    Range: 0 to 1, up is better. Empty case: None for no rows. Errors: UsageError when the lengths differ or a label is
    None.
    """
    gold_codes, predicted_codes, _ = encode(gold, predicted, None)
    return _share(int(np.sum(gold_codes == predicted_codes)), len(gold_codes))


def balanced_accuracy(gold: Column, predicted: Column, *, labels: Sequence[Hashable] | None = None) -> float | None:
    """Mean over the gold labels of the share of their rows that were predicted right.

    Formula: (1 / L) * sum over labels l of (rows with gold l and predicted l) / (rows with gold l), over the L labels
    that occur in `gold`, or all of `labels` when given.
    Range: 0 to 1, up is better; a constant answer gives 1 / L whatever the class sizes.
    Empty case: None for fewer than two gold labels (there is nothing to balance: a constant answer would get 1.0), and
    when one of `labels` has no gold row.

    Errors: UsageError when the lengths differ, a label is None, or a gold value is not in `labels`.

    Source: Brodersen et al. 2010, ICPR.
    """
    gold_codes, predicted_codes, names = encode(gold, predicted, None)
    expected = sorted(set(gold_codes.tolist())) if labels is None else [names.index(x) for x in labels if x in names]
    if labels is not None and not set(gold_codes.tolist()) <= set(expected):
        raise UsageError(f"gold has values outside labels {list(labels)!r}: add them or drop the rows")
    if len(expected) < (2 if labels is None else max(2, len(labels))):
        return None
    right = gold_codes == predicted_codes
    hits = np.bincount(gold_codes[right], minlength=len(names))[None, expected]
    return _number(mean_recall(hits, np.bincount(gold_codes, minlength=len(names))[None, expected]))


def mean_recall(hits: NDArray[Any], totals: NDArray[Any]) -> Floats:
    """Balanced accuracy of many samples: `hits`, `totals` of shape (samples, labels), nan where a total is 0."""
    recalls = np.divide(hits, totals, out=np.full(totals.shape, np.nan), where=totals > 0)
    return np.asarray(recalls.mean(axis=1), dtype=np.float64)


def cohen_kappa(
    gold: Column, predicted: Column, weights: Weighting = None, *, labels: Sequence[Hashable] | None = None
) -> float | None:
    """Agreement of two raters beyond what their habits alone would give.

    Formula: 1 - sum(v * O) / sum(v * E), O the confusion table, E the table expected of independent raters with the
    same margins, v the penalty of labels i and j: 0 or 1 (None), abs(i - j) ("linear"), (i - j) ** 2 ("quadratic").
    Range: -1 to 1, up is better; 1 is full agreement, 0 what chance gives. The raters may be swapped.
    Empty case: None for no rows, and when E has no disagreement (both gave one and the same label throughout).

    `labels` sets the order of grades and includes those that did not occur. Without it grades are the sorted values,
    taken as neighbours one step apart, which only numbers can be.

    Errors: UsageError when the lengths differ, a label is None or not in `labels`, `weights` is unknown, or weighted
    labels are not numbers and `labels` is missing (their alphabetical order would mean nothing).

    Source: Cohen 1960; weighted: Cohen 1968, Psychological Bulletin 70(4).
    """
    gold_codes, predicted_codes, names = encode(gold, predicted, labels)
    penalty = penalties(names, weights, ordered=labels is not None)
    size = len(names)
    observed = penalty[gold_codes, predicted_codes].sum(keepdims=True)
    gold_margin = np.bincount(gold_codes, minlength=size)[None, :]
    return _number(kappa_of_margins(observed, gold_margin, np.bincount(predicted_codes, minlength=size)[None], penalty))


def penalties(names: Sequence[Hashable], weights: Weighting, *, ordered: bool) -> Floats:
    """Penalty of each pair of labels, whole numbers of shape (labels, labels); see `cohen_kappa`."""
    steps = np.arange(len(names), dtype=np.float64)
    distance = np.abs(steps[:, None] - steps[None, :])
    if weights is None:
        return np.minimum(distance, 1.0)
    if weights not in {"linear", "quadratic"}:
        raise UsageError(f"weights is {weights!r}: give None, 'linear' or 'quadratic'")
    if not ordered and not all(isinstance(name, int | float) for name in names):
        raise UsageError(f"labels {list(names)!r} have no order of their own: give labels=, from lowest to highest")
    return distance if weights == "linear" else distance**2


def kappa_of_margins(observed: NDArray[Any], gold: NDArray[Any], predicted: NDArray[Any], penalty: Floats) -> Floats:
    """Kappa of many samples, nan where undefined.

    `observed`: summed penalty, shape (samples,); `gold`, `predicted`: rows of each label, shape (samples, labels).
    """
    expected = ((gold @ penalty) * predicted).sum(axis=1)
    rows = gold.sum(axis=1)
    ratio = np.divide(observed * rows, expected, out=np.full(expected.shape, np.nan), where=expected > 0)
    return np.asarray(1.0 - ratio, dtype=np.float64)


def midranks(values: Column) -> Floats:
    """Ranks from 1 (lowest) on; equal values share the mean of their ranks. They sum to n (n + 1) / 2.

    Errors: UsageError for nan or None.
    """
    _, inverse, counts = np.unique(_numbers(values, "values"), return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(ranks[inverse], dtype=np.float64)


def auroc(scores: Column, labels: Column) -> float | None:
    """Chance that a positive row scores higher than a negative one, ties counting half.

    Formula: (R - p (p + 1) / 2) / (p n), R the sum of the midranks of the p positive rows, n negative rows.
    Range: 0 to 1, up is better; 0.5 is no better than chance. Swapping the labels or the sign of the scores gives
    1 - AUROC. Empty case: None without a positive or without a negative row.

    `labels` holds True / False or 1 / 0. Scores may be infinite.

    Errors: UsageError when the lengths differ, for a score that is nan or None and for other labels.

    Source: Hanley & McNeil 1982; Mann & Whitney 1947.
    """
    _same_length(scores, labels)
    positive = truths(labels)
    ranks = midranks(scores)
    yes = int(positive.sum())
    no = len(positive) - yes
    return _share(float(ranks[positive].sum()) - yes * (yes + 1) / 2, yes * no)


def spearman(x: Column, y: Column) -> float | None:
    """Rank correlation: whether two scores order the rows alike.

    Formula: Pearson's correlation of the midranks of x and y.
    Range: -1 to 1; 1 the same order, -1 the opposite, 0 none. Empty case: None for no rows and when x or y is constant.

    Errors: UsageError when the lengths differ and for nan or None.

    Source: Spearman 1904; ties: Kendall 1945.
    """
    _same_length(x, y)
    # Twice the distance from the mean rank is a whole number, so the sums are exact in any order of rows.
    left, right = (2 * midranks(values) - (len(x) + 1) for values in (x, y))
    spread = float(np.sum(left * left)) * float(np.sum(right * right))
    if spread == 0.0:
        return None
    return max(-1.0, min(1.0, float(np.sum(left * right)) / math.sqrt(spread)))


def clustered_interval(
    statistic: Callable[..., float | None],
    arrays: Sequence[Column],
    clusters: Column,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Interval of any statistic of rows that come in clusters, from resampling whole clusters.

    Formula: `resamples` times as many clusters as there are get drawn with replacement, statistic(*arrays) is computed
    on their rows, and bounds are widened percentiles (see `resampling.percentile_interval`) of these values.
    Unit, range and direction: those of the statistic.

    `arrays`: columns of one length, handed to `statistic` as numpy arrays in the order given; `clusters`: the cluster
    id of each row, any values of one sortable type. The order of rows does not matter if it does not matter to the
    statistic. Draws depend on the number of clusters and the seed only: the functions of `turnmark.stats.clustered`
    take the same ones and give the same intervals faster.

    Empty case: the estimate is None when the statistic is; below MINIMUM_CLUSTERS clusters, and when no resample
    differs from another, there are no bounds. Resamples where the statistic is None are left out and counted.

    Errors: UsageError for columns of different lengths and as in `check_settings`; whatever `statistic` raises.

    Source: Efron & Tibshirani 1993, chapters 6 and 13; Field & Welsh 2007.
    """
    check_settings(resamples, level)
    _same_length(clusters, *arrays)
    codes, count = cluster_codes(clusters)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=count)
    columns = [_array(column)[order] for column in arrays]
    estimate = statistic(*columns)
    values: list[float] = []
    if estimate is not None and count >= MINIMUM_CLUSTERS:
        rows = np.arange(len(order))
        for weights in draw_weights(count, resamples, seed):
            for draw in weights.astype(np.int64):
                taken = np.repeat(rows, np.repeat(draw, sizes))
                value = statistic(*(column[taken] for column in columns))
                values.append(np.nan if value is None else value)
    return bounded_statistic(estimate, np.array(values, dtype=np.float64), count, level)


def cluster_codes(clusters: Column) -> tuple[Codes, int]:
    """Cluster ids as numbers in the order of the sorted ids, and how many clusters there are."""
    ids = _plain(clusters)
    positions = {name: position for position, name in enumerate(_sorted_values(set(ids), "clusters"))}
    return np.array([positions[name] for name in ids], dtype=np.int64), len(positions)


def encode(gold: Column, predicted: Column, labels: Sequence[Hashable] | None) -> tuple[Codes, Codes, list[Hashable]]:
    """Labels as numbers: positions in `labels`, or in the sorted values of both columns when that is None."""
    _same_length(gold, predicted)
    gold_values, predicted_values = _plain(gold), _plain(predicted)
    if labels is None:
        result = set(gold_values) | set(predicted_values)
        if None in result:
            raise UsageError("a label is None: drop rows without a judgement first, with known()")
        labels = _sorted_values(result, "labels")
    positions = {name: position for position, name in enumerate(labels)}
    try:
        gold_codes = [positions[name] for name in gold_values]
        predicted_codes = [positions[name] for name in predicted_values]
    except KeyError as missing:
        raise UsageError(f"{missing.args[0]!r} is not one of the labels {list(labels)!r}") from None
    return np.array(gold_codes, dtype=np.int64), np.array(predicted_codes, dtype=np.int64), list(labels)


def truths(labels: Column) -> NDArray[np.bool_]:
    """Labels as booleans. Errors: UsageError for anything but True, False, 1 and 0."""
    values = _plain(labels)
    if not set(values) <= {0, 1}:
        strange = next(value for value in values if value not in {0, 1})
        raise UsageError(f"label {strange!r} is neither True nor False (1 nor 0)")
    return np.array(values, dtype=np.bool_)


def _numbers(values: Column, name: str) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    if np.isnan(numbers).any():
        raise UsageError(f"{name} hold nan or None at row {int(np.argmax(np.isnan(numbers)))}: drop such rows first")
    return numbers


def _plain(values: Column) -> list[Any]:
    """Python values: numpy's own scalars are slow to look up and print badly."""
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _array(values: Column) -> NDArray[Any]:
    """Make a column an array that changes none of its values: numpy would turn [1, 'a', None] into strings."""
    if isinstance(values, np.ndarray):
        return values
    if values and all(type(value) is type(values[0]) and isinstance(value, int | float) for value in values):
        return np.asarray(values)
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def _sorted_values(values: set[Any], name: str) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in values})
        raise UsageError(f"{name} mix types that have no order ({', '.join(kinds)}): use one type") from None


def _same_length(first: Column, *others: Column) -> None:
    lengths = [len(first), *(len(column) for column in others)]
    if len(set(lengths)) > 1:
        raise UsageError(f"columns have lengths {lengths!r}: they must be the same")


def _share(part: float, whole: float) -> float | None:
    return None if whole == 0 else float(part / whole)


def _number(values: Floats) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])
