"""Fast cluster bootstraps of the statistics of `turnmark.stats.agreement`.

Each takes the draws `clustered_interval` takes, so it gives the same interval, but computes all of them from sums a
cluster (counts, margins of the confusion table, weights on sorted scores) instead of copying rows.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from turnmark.errors import UsageError
from turnmark.stats.agreement import (
    Codes,
    Column,
    Weighting,
    auroc,
    balanced_accuracy,
    cluster_codes,
    cohen_kappa,
    encode,
    kappa_of_margins,
    mean_recall,
    penalties,
    truths,
)
from turnmark.stats.intervals import (
    MINIMUM_CLUSTERS,
    RARE,
    Interval,
    bounded_statistic,
    cluster_bootstrap,
)
from turnmark.stats.resampling import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Floats,
    check_settings,
    draw_weights,
    effective_clusters,
    one_thread,
    rare_limit,
)


@dataclass(frozen=True, slots=True)
class DetectionIntervals:
    """Intervals of a yes / no detector, all from the same draws; each has its own number of clusters."""

    precision: Interval
    recall: Interval
    f1: Interval
    accuracy: Interval


def detection_intervals(
    gold: Column,
    predicted: Column,
    clusters: Column,
    *,
    positive: Hashable = True,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> DetectionIntervals:
    """Precision, recall, F1 and accuracy of finding `positive`, with cluster bootstrap intervals.

    Formula: with tp, fp, fn, tn summed over all rows, precision = tp / (tp + fp), recall = tp / (tp + fn),
    F1 = 2 tp / (2 tp + fp + fn), accuracy = (tp + tn) / all. Each is a ratio of sums over clusters, so the rules of
    `cluster_bootstrap` hold, those for few dissenting clusters included.
    Range: 0 to 1, up is better. Empty case: None where the denominator is 0; no bounds when fewer than MINIMUM_CLUSTERS
    clusters have a part in the denominator.

    Errors: UsageError when the lengths differ, a label is None, and as in `check_settings`.

    Source: as `precision_recall_f1` and `cluster_bootstrap`.
    """
    gold_codes, predicted_codes, names = encode(gold, predicted, None)
    code, count = _codes(clusters, gold)
    target = names.index(positive) if positive in names else -1
    yes, said = gold_codes == target, predicted_codes == target
    tp, fp, fn = (_summed(flag, code, count) for flag in (yes & said, ~yes & said, yes & ~said))
    rows = np.bincount(code, minlength=count).astype(np.float64)
    result = cluster_bootstrap(
        np.stack([tp, tp, 2 * tp, rows - fp - fn], axis=1),
        np.stack([tp + fp, tp + fn, 2 * tp + fp + fn, rows], axis=1),
        resamples=resamples,
        seed=seed,
        level=level,
    )
    return DetectionIntervals(*map(result.of, range(4)))


def accuracy_interval(
    gold: Column,
    predicted: Column,
    clusters: Column,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Share of rows with the same label, of any number of labels, with its cluster bootstrap interval.

    Range: 0 to 1, up is better. Empty case, errors and source: as `accuracy` and `cluster_bootstrap`.
    """
    gold_codes, predicted_codes, _ = encode(gold, predicted, None)
    code, count = _codes(clusters, gold)
    hits = _summed(gold_codes == predicted_codes, code, count)[:, None]
    totals = np.bincount(code, minlength=count)[:, None]
    return cluster_bootstrap(hits, totals, resamples=resamples, seed=seed, level=level).of(0)


def kappa_interval(  # noqa: PLR0913 - two settings beside the six that all of these share
    gold: Column,
    predicted: Column,
    clusters: Column,
    *,
    weights: Weighting = None,
    labels: Sequence[Hashable] | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Cohen's kappa with its cluster bootstrap interval.

    Formula: as `cohen_kappa`, on each draw, from the summed penalty and the margins of each cluster's confusion table.
    Where all rows agree (kappa 1) no draw shows an error; the lower bound is then 1 - p / e, p the Clopper-Pearson
    limit of the share of clusters that may dissent by the largest penalty, e the penalty expected by chance over that
    largest, clusters counted by their effective number (method "rare").
    Range: -1 to 1, up is better. Empty case: as `cohen_kappa` and `clustered_interval`.

    Errors: UsageError as in `cohen_kappa` and `check_settings`.

    Source: Cohen 1960 and 1968; Field & Welsh 2007; the limit: Brown, Cai & DasGupta 2001.
    """
    check_settings(resamples, level)
    estimate = cohen_kappa(gold, predicted, weights, labels=labels)
    gold_codes, predicted_codes, names = encode(gold, predicted, labels)
    code, count = _codes(clusters, gold)
    if estimate is None or count < MINIMUM_CLUSTERS:
        return Interval(estimate, clusters=count)
    penalty = penalties(names, weights, ordered=labels is not None)
    size = len(names)
    table = np.column_stack(
        [
            np.bincount(code, penalty[gold_codes, predicted_codes], minlength=count),
            _by_label(gold_codes, code, count, size),
            _by_label(predicted_codes, code, count, size),
        ]
    )
    if not table[:, 0].any():
        margin = table[:, 1 : size + 1].sum(axis=0)
        rows = table[:, 1 : size + 1].sum(axis=1)
        chance = float(margin @ penalty @ margin) / float(rows.sum()) ** 2 / float(penalty.max())
        share = rare_limit(0, effective_clusters(rows), level)
        return Interval(estimate, max(-1.0, 1.0 - share / chance), 1.0, None, count, 0, RARE)

    def kappas(sums: Floats) -> Floats:
        return kappa_of_margins(sums[:, 0], sums[:, 1 : size + 1], sums[:, size + 1 :], penalty)

    return bounded_statistic(estimate, _draws(table, kappas, resamples, seed), count, level)


def balanced_accuracy_interval(
    gold: Column,
    predicted: Column,
    clusters: Column,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Balanced accuracy over the gold labels of the data, with its cluster bootstrap interval.

    Draws that miss one of these labels are left out and counted. Range: 0 to 1, up is better.
    Empty case, errors and source: as `balanced_accuracy` and `clustered_interval`.
    """
    check_settings(resamples, level)
    estimate = balanced_accuracy(gold, predicted)
    gold_codes, predicted_codes, names = encode(gold, predicted, None)
    code, count = _codes(clusters, gold)
    if estimate is None or count < MINIMUM_CLUSTERS:
        return Interval(estimate, clusters=count)
    right = gold_codes == predicted_codes
    occurring = np.unique(gold_codes)
    size = len(occurring)
    hits = _by_label(gold_codes[right], code[right], count, len(names))[:, occurring]
    table = np.column_stack([hits, _by_label(gold_codes, code, count, len(names))[:, occurring]])
    draws = _draws(table, lambda sums: mean_recall(sums[:, :size], sums[:, size:]), resamples, seed)
    return bounded_statistic(estimate, draws, count, level)


def auroc_interval(
    scores: Column,
    labels: Column,
    clusters: Column,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Area under the ROC curve with its cluster bootstrap interval.

    Formula: with row weights w of a draw, the sum over positive rows i of w_i * (N(below i) + N(tied with i) / 2),
    over the product of the summed weights of positive and of negative rows; N the summed weight of negative rows.
    Range: 0 to 1, up is better. Empty case: as `auroc`; draws without a positive or negative row are left out and
    counted. Scores that separate the labels fully give no bounds: no draw shows an error.

    Errors: UsageError as in `auroc` and `check_settings`.

    Source: Hanley & McNeil 1982; clusters: Obuchowski 1997, Biometrics 53(2); Field & Welsh 2007.
    """
    check_settings(resamples, level)
    estimate = auroc(scores, labels)
    code, count = _codes(clusters, scores)
    if estimate is None or count < MINIMUM_CLUSTERS:
        return Interval(estimate, clusters=count)
    positive = truths(labels)
    values = np.asarray(scores, dtype=np.float64)
    negative_order = np.argsort(values[~positive], kind="stable")
    negative_scores = values[~positive][negative_order]
    negative_code = code[~positive][negative_order]
    positive_code = code[positive]
    below = np.searchsorted(negative_scores, values[positive], side="left")
    upto = np.searchsorted(negative_scores, values[positive], side="right")
    draws = np.full(resamples, np.nan)
    start = 0
    for weights in draw_weights(count, resamples, seed, width=len(values)):
        negative = np.zeros((len(weights), len(negative_code) + 1))
        np.cumsum(weights[:, negative_code], axis=1, out=negative[:, 1:])
        taken = weights[:, positive_code]
        # Sums of halves of whole numbers: exact in any order, so any BLAS may add them.
        twice = np.einsum("ij,ij->i", taken, negative[:, below]) + np.einsum("ij,ij->i", taken, negative[:, upto])
        pairs = taken.sum(axis=1) * negative[:, -1]
        part = draws[start : start + len(weights)]
        np.divide(twice, 2 * pairs, out=part, where=pairs > 0)
        start += len(weights)
    return bounded_statistic(estimate, draws, count, level)


def _draws(table: Floats, statistic: Callable[[Floats], Floats], resamples: int, seed: int) -> Floats:
    """Compute the statistic of every draw's sums of `table`, whole numbers of shape (clusters, columns)."""
    with one_thread():
        chunks = draw_weights(len(table), resamples, seed)
        return np.concatenate([statistic(weights @ table) for weights in chunks])


def _codes(clusters: Column, rows: Column) -> tuple[Codes, int]:
    if len(clusters) != len(rows):
        raise UsageError(f"{len(clusters)} cluster ids for {len(rows)} rows: give one a row")
    return cluster_codes(clusters)


def _summed(flags: Column, code: Codes, count: int) -> Floats:
    return np.bincount(code, np.asarray(flags, dtype=np.float64), minlength=count).astype(np.float64)


def _by_label(labels: Codes, code: Codes, count: int, size: int) -> Floats:
    """Rows of each label in each cluster, shape (clusters, labels)."""
    return np.bincount(code * size + labels, minlength=count * size).reshape(count, size).astype(np.float64)
