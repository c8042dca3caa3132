"""Refits the weights of a judge (``rules``, ``embedding``) on a user's labels, and says whether that helps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from turnmark.errors import DataError
from turnmark.judges.catalog import weighted_judge
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.fitting import refit
from turnmark.judges.rules.learned.model import Model, Weights, shipped_weights
from turnmark.pipeline.labelling.folds import check_rows, folds
from turnmark.schemas.labels.rag import RELATIONS
from turnmark.schemas.problems import Problem
from turnmark.stats.agreement import auroc, balanced_accuracy
from turnmark.stats.resampling import draw_weights
from turnmark.suites.rag.label_rows import Row, read_rows

SUITE = "rag"
"""The suite whose judge has weights."""
PENALTIES = (1.0, 0.3, 0.1, 0.03)
"""From hardly any departure from the shipped weights to a free fit; chosen on the labels themselves."""
_SEED = 20250101
_RESAMPLES = 2000
_SURE = 0.2
"""Own weights are written when the loss falls in all but this share of resampled sets of documents."""

Values = dict[str, float]


class Calibration(NamedTuple):
    """What the nested cross-validation found, and the weights when they help (else None)."""

    metric: str
    figures: dict[str, Any]
    weights: Weights | None
    problems: list[Problem]


class _Labelled(NamedTuple):
    """Rows by their measures, labels (1 or 0), clusters and languages."""

    values: list[Values]
    labels: list[int]
    clusters: list[str]

    def part(self, places: Sequence[int]) -> _Labelled:
        return _Labelled(
            [self.values[position] for position in places],
            [self.labels[position] for position in places],
            [self.clusters[position] for position in places],
        )


def calibrate(path: Path, metric: str, weights: Path | None = None, judge_name: str = "rules") -> Calibration:
    """Fit weights for one metric on a file of labels, starting from the shipped weights (or from ``weights``).

    ``judge_name`` is one that goes by weights: ``rules``, ``embedding``, ``embedding:FOLDER``.

    Nested cross-validation by document: in each of five folds the strength of the fit is chosen on the other four and
    measured on the one. Own weights come back only when they lower the log loss on rows they have not seen, in four
    of five resampled sets of documents.

    Raises: DataError when there are fewer than 40 labels, fewer than ten of a kind, or fewer than ten documents.
    """
    problems: list[Problem] = []
    rows = [row for row in read_rows(path, metric, problems) if row.label is not None]
    relation = RELATIONS[metric]
    judge = weighted_judge(judge_name, weights)
    if relation not in judge.weights.models:
        message = f"--metric {metric}: expected one of {calibrated_metrics()}; {metric} is judged without weights"
        raise DataError(message)
    result = _measured(rows, judge)
    check_rows(path, result.labels, result.clusters)
    base = judge.weights.models[relation]["any"]
    tuned, penalties = _nested(base, result)
    plain = [base.probability(values) for values in result.values]
    after = _losses(tuned, result.labels)
    # Labels that follow from nothing are predicted best by saying so: own weights must beat that too.
    helps = all(
        _helps(_losses(before, result.labels), after, result.clusters) for before in (plain, [0.5] * len(result.labels))
    )
    figures = {
        "metric": metric,
        "n": len(result.labels),
        "documents": len(set(result.clusters)),
        "penalties": penalties,
        "shipped": _figures(plain, result.labels),
        "own": _figures(tuned, result.labels),
        "helps": helps,
    }
    if not helps:
        return Calibration(metric, figures, None, problems)
    final = refit(base, result.values, result.labels, _chosen(base, result))
    made = Weights(
        version=judge.weights.version + "+own", models={relation: {"any": final}}, encoder=judge.weights.encoder
    )
    return Calibration(metric, figures, made, problems)


def calibrated_metrics() -> list[str]:
    """The metrics whose verdicts go by weights."""
    return [metric for metric, relation in RELATIONS.items() if relation in shipped_weights().models]


def encoded(weights: Weights) -> bytes:
    """Weights as the file that ``--weights`` reads."""
    return msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(weights, digest="")), indent=1) + b"\n"


def _measured(rows: Sequence[Row], judge: RulesJudge) -> _Labelled:
    values, labels, clusters = [], [], []
    for row in rows:
        wordings = [judge.measured(query, query.claims[0]).values for query in row.queries]
        values.append(max(wordings, key=lambda each: each["covered"] + each["covered_new"]))
        labels.append(row.label or 0)
        clusters.append(row.cluster)
    return _Labelled(values, labels, clusters)


def _nested(base: Model, found: _Labelled) -> tuple[list[float], list[float]]:
    """For each row the probability by weights that never saw its document, and the strength chosen in each fold."""
    tuned = [0.0] * len(found.labels)
    penalties = []
    for held in folds(found.clusters):
        rest = sorted(set(range(len(found.labels))) - set(held))
        seen = found.part(rest)
        if len(set(seen.labels)) < 2:
            continue
        penalty = _chosen(base, seen)
        model = refit(base, seen.values, seen.labels, penalty)
        penalties.append(penalty)
        for index in held:
            tuned[index] = model.probability(found.values[index])
    return tuned, penalties


def _chosen(base: Model, found: _Labelled) -> float:
    """The penalty with the lowest balanced log loss in cross-validation; the strongest of equals."""
    losses = dict.fromkeys(PENALTIES, 0.0)
    for held in folds(found.clusters):
        rest = sorted(set(range(len(found.labels))) - set(held))
        seen, kept = found.part(rest), found.part(held)
        if len(set(seen.labels)) < 2 or not kept.labels:
            continue
        for penalty in PENALTIES:
            model = refit(base, seen.values, seen.labels, penalty)
            scores = [model.probability(values) for values in kept.values]
            losses[penalty] += math.fsum(_losses(scores, kept.labels))
    return min(PENALTIES, key=losses.__getitem__)


def _losses(scores: Sequence[float], labels: Sequence[int]) -> list[float]:
    """The log loss of each row, weighed so that both labels count the same; the mean is that of a balanced set."""
    share = {label: len(labels) / (2 * max(labels.count(label), 1)) for label in (0, 1)}
    return [
        -share[label] * math.log(max(score if label else 1.0 - score, 1e-9))
        for score, label in zip(scores, labels, strict=True)
    ]


def _helps(before: Sequence[float], after: Sequence[float], clusters: Sequence[str]) -> bool:
    """Whether the mean loss falls, in nearly all resampled sets of documents."""
    names = sorted(set(clusters))
    places = {name: index for index, name in enumerate(names)}
    falls = np.zeros((len(names), 1))
    for item, other, cluster in zip(before, after, clusters, strict=True):
        falls[places[cluster], 0] += item - other
    draws = np.concatenate([weights @ falls for weights in draw_weights(len(names), _RESAMPLES, _SEED)])[:, 0]
    return bool(np.mean(draws <= 0.0) < _SURE)


def _figures(scores: Sequence[float], labels: Sequence[int]) -> dict[str, float | None]:
    return {
        "log_loss": math.fsum(_losses(scores, labels)) / len(labels),
        "auroc": auroc(scores, labels),
        "balanced_accuracy": balanced_accuracy(labels, [int(score >= 0.5) for score in scores]),
    }
