"""Statistics as the textbooks write them: loops over plain lists, slow, sharing no code with turnmark.stats."""

import math

import numpy as np
from scipy import stats


def draws(clusters, resamples, seed):
    """Indexes of the drawn clusters, one list a resample, from the documented generator."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return [[int(i) for i in generator.integers(0, clusters, clusters)] for _ in range(resamples)]


def quantile(values, share):
    """Linear interpolation between order statistics (Hyndman & Fan 1996, definition 7)."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def widened_tail(clusters, level):
    """The share cut off at each end (Hesterberg 2015), from scipy's t distribution."""
    t = stats.t.ppf(0.5 + level / 2, clusters - 1)
    return float(stats.norm.cdf(-math.sqrt(clusters / (clusters - 1)) * t))


def pooled(hits, totals, drawn):
    total = sum(totals[i] for i in drawn)
    return sum(hits[i] for i in drawn) / total if total else None


def mean_of_clusters(hits, totals, drawn):
    ratios = [hits[i] / totals[i] for i in drawn if totals[i]]
    return sum(ratios) / len(ratios) if ratios else None


def bootstrap(statistic, clusters, with_data, *, resamples, seed, level):
    """Low, high, standard error and the number of undefined resamples of statistic(drawn cluster indexes)."""
    values = [statistic(drawn) for drawn in draws(clusters, resamples, seed)]
    defined = [value for value in values if value is not None]
    tail = widened_tail(with_data, level)
    mean = sum(defined) / len(defined)
    error = math.sqrt(sum((value - mean) ** 2 for value in defined) / (len(defined) - 1))
    return quantile(defined, tail), quantile(defined, 1 - tail), error, len(values) - len(defined)


def binomial_upper_limit(k, n, level):
    """Clopper-Pearson upper limit: scan p by bisection on the binomial sum."""
    low, high = 0.0, 1.0
    for _ in range(80):
        p = (low + high) / 2
        if sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1)) > (1 - level) / 2:
            low = p
        else:
            high = p
    return high


def kappa(gold, predicted, order, weights=None):
    penalty = {None: lambda d: float(d != 0), "linear": abs, "quadratic": lambda d: d * d}[weights]
    place = {label: i for i, label in enumerate(order)}
    n = len(gold)
    observed = expected = 0.0
    for g, p in zip(gold, predicted, strict=True):
        observed += penalty(place[g] - place[p]) / n
    for g in gold:
        for p in predicted:
            expected += penalty(place[g] - place[p]) / n**2
    return None if expected == 0 else 1 - observed / expected


def auroc(scores, labels):
    """Over all pairs of a positive and a negative row."""
    wins = pairs = 0.0
    for s, yes in zip(scores, labels, strict=True):
        for t, other in zip(scores, labels, strict=True):
            if yes and not other:
                pairs += 1
                wins += 1.0 if s > t else 0.5 if s == t else 0.0
    return wins / pairs if pairs else None


def midranks(values):
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def spearman(x, y):
    a, b = midranks(x), midranks(y)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    product = sum((p - mean_a) * (q - mean_b) for p, q in zip(a, b, strict=True))
    spread = sum((p - mean_a) ** 2 for p in a) * sum((q - mean_b) ** 2 for q in b)
    return product / math.sqrt(spread) if spread else None


def balanced_accuracy(gold, predicted):
    recalls = []
    for label in set(gold):
        rows = [p for g, p in zip(gold, predicted, strict=True) if g == label]
        recalls.append(sum(p == label for p in rows) / len(rows))
    return sum(recalls) / len(recalls) if len(recalls) > 1 else None


def bca(statistic, clusters, with_data, *, resamples, seed, level):
    """Low and high of the BCa interval of statistic(cluster indexes); clusters without data are never left out."""
    values = [statistic(drawn) for drawn in draws(clusters, resamples, seed)]
    estimate = statistic(list(range(clusters)))
    same = [math.isclose(value, estimate, rel_tol=1e-12) for value in values]
    below = sum(value < estimate and not tie for value, tie in zip(values, same, strict=True)) + sum(same) / 2
    z0 = stats.norm.ppf(below / len(values))
    left = [statistic([i for i in range(clusters) if i != one]) for one in with_data]
    mean = sum(left) / len(left)
    acceleration = sum((mean - x) ** 3 for x in left) / (6 * sum((mean - x) ** 2 for x in left) ** 1.5)
    z = stats.norm.ppf(widened_tail(len(with_data), level))
    bounds = []
    for quantile_z in (z, -z):
        share = stats.norm.cdf(z0 + (z0 + quantile_z) / (1 - acceleration * (z0 + quantile_z)))
        bounds.append(quantile(values, share))
    return tuple(bounds)


def linearised_error(hits, totals):
    """Standard error of sum(hits) / sum(totals) over clusters, from their residuals (Cochran 1977, 2.11)."""
    n, whole = len(hits), sum(totals)
    ratio = sum(hits) / whole
    return math.sqrt(n / (n - 1) * sum((h - ratio * t) ** 2 for h, t in zip(hits, totals, strict=True))) / whole
