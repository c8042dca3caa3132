"""A control for labelled pairs: how far the claim alone gives the label away, without its material."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from turnmark.language.text.fold import fold_text

FOLDS = 5
_SIZES = (1, 2, 3)


def claim_only_scores(texts: Sequence[str], labels: Sequence[int], clusters: Sequence[str]) -> list[float]:
    """A score for each row by a classifier that sees the claim alone, trained on the other clusters.

    Naive Bayes over runs of one to three characters, in five folds by cluster; the fold of a cluster follows from the
    order of the cluster ids, so the scores do not depend on the order of rows. What it reaches is annotation style
    (negating words, topic, length), no reading of the material.
    """
    folds = {cluster: index % FOLDS for index, cluster in enumerate(sorted(set(clusters)))}
    grams = [_grams(text) for text in texts]
    scores = [0.0] * len(texts)
    for fold in range(FOLDS):
        counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        rows = [0, 0]
        for own, label, cluster in zip(grams, labels, clusters, strict=True):
            if folds[cluster] != fold:
                counts[label].update(own)
                rows[label] += 1
        for index, (own, cluster) in enumerate(zip(grams, clusters, strict=True)):
            if folds[cluster] == fold:
                scores[index] = _log_odds(own, counts, rows)
    return scores


def _grams(text: str) -> frozenset[str]:
    folded = fold_text(text)
    return frozenset(folded[start : start + size] for size in _SIZES for start in range(len(folded) - size + 1))


def _log_odds(grams: frozenset[str], counts: tuple[Counter[str], Counter[str]], rows: list[int]) -> float:
    no, yes = counts
    return math.fsum(
        math.log((yes[gram] + 1) / (rows[1] + 2)) - math.log((no[gram] + 1) / (rows[0] + 2)) for gram in sorted(grams)
    )
