"""Fits the judge's logistic models under known signs; needs numpy, which is loaded here only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnmark.judges.rules.learned.features import FALLING, RISING
from turnmark.judges.rules.learned.model import CLIP, OWN, Model

Floats = NDArray[np.float64]
PENALTY = 0.01
_STEPS = 3000
_STILL = 1e-8
_STILL_ENOUGH = 1e-4
_PRECISION = 6
_FLAT = 1e-6


class Rows:
    """Labelled rows of one set: ``values`` of shape (rows, measures) and ``labels`` (1 or 0)."""

    def __init__(self, name: str, values: Sequence[Sequence[float]], labels: Sequence[int]) -> None:
        self.name = name
        self.values = np.asarray(values, dtype=np.float64)
        self.labels = np.asarray(labels, dtype=np.float64)


def sign(measure: str, direction: int = 1) -> int:
    """1 for a measure that only speaks for the label, -1 for one that only speaks against it, 0 for one that may."""
    name = measure.removeprefix("back_")
    return direction * ((name in RISING) - (name in FALLING))


def fit(
    rows: Sequence[Rows], measures: Sequence[str], penalty: float = PENALTY, signs: Sequence[int] | None = None
) -> Model:
    """A logistic model of the measures.

    Every set weighs the same, and so do both labels within a set, whatever their sizes. Weights keep the signs (1 not
    negative, -1 not positive, 0 free); ``penalty`` is that of their squares (L2) beside a mean loss.
    """
    values = np.vstack([each.values for each in rows])
    labels = np.concatenate([each.labels for each in rows])
    share = np.concatenate([_balanced(each.labels) for each in rows]) / len(rows)
    means = share @ values
    scales = np.sqrt(share @ (values - means) ** 2)
    scales[scales < _FLAT] = 1.0
    inputs = np.clip((values - means) / scales, -CLIP, CLIP)
    wanted = np.asarray(signs if signs is not None else [sign(name) for name in measures], dtype=np.int64)
    weights, offset = _descend(inputs, 2 * labels - 1, share, wanted, penalty)
    return Model(
        measures=tuple(measures),
        means=_plain(means),
        scales=_plain(scales),
        weights=_plain(weights),
        offset=round(float(offset), _PRECISION),
        rows=len(labels),
        sets=tuple(each.name for each in rows),
    )


def refit(base: Model, values: Sequence[Mapping[str, float]], labels: Sequence[int], penalty: float) -> Model:
    """A model that departs from another one as far as the labels ask for it.

    ``values`` are all measures of each row, those that ``base`` does not use among them; ``penalty`` is that of the
    squares of the departures (L2) beside a mean loss in which both labels weigh the same. No sign is kept: the labels
    are of one kind of text, on which even sizes may tell.
    """
    names = (*base.measures, *sorted(set(values[0]) - set(base.measures)))
    table = np.array([[row[name] for name in names] for row in values], dtype=np.float64)
    known = len(base.measures)
    means, scales = table.mean(axis=0), table.std(axis=0)
    means[:known], scales[:known] = base.means, base.scales
    scales[scales < _FLAT] = 1.0
    inputs = np.clip((table - means) / scales, -CLIP, CLIP)
    start = np.append(np.asarray(base.weights, dtype=np.float64), np.zeros(len(names) - known))
    truth = np.asarray(labels, dtype=np.float64)
    score = inputs @ start + base.offset
    free = np.zeros(len(names), dtype=np.int64)
    departures, offset = _descend(inputs, 2 * truth - 1, _balanced(truth), free, penalty, score)
    return Model(
        measures=names,
        means=_plain(means),
        scales=_plain(scales),
        weights=_plain(start + departures),
        offset=round(base.offset + offset, _PRECISION),
        rows=len(labels),
        sets=(OWN, *base.sets),
    )


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), _PRECISION) for value in values)


def _balanced(labels: Floats) -> Floats:
    positive = labels == 1
    yes, no = int(positive.sum()), int((~positive).sum())
    return np.where(positive, 0.5 / max(yes, 1), 0.5 / max(no, 1))


def _descend(
    inputs: Floats, signs: Floats, share: Floats, wanted: NDArray[Any], penalty: float, score: Floats | None = None
) -> tuple[Floats, float]:
    """Accelerated projected gradient descent (FISTA) on the penalised mean log loss; ``score`` is what rows have.

    Departures from a given score are found to four digits: there are many fits, on few labels.
    """
    given = np.zeros(len(inputs)) if score is None else score
    rows = np.column_stack([inputs, np.ones(len(inputs))])
    lipschitz = 0.25 * float(np.linalg.eigvalsh((rows * share[:, None]).T @ rows)[-1]) + penalty
    shrink = np.append(np.full(inputs.shape[1], penalty), 0.0)
    low = np.append(np.where(wanted > 0, 0.0, -np.inf), -np.inf)
    high = np.append(np.where(wanted < 0, 0.0, np.inf), np.inf)
    now = ahead = np.zeros(rows.shape[1])
    momentum = 1.0
    for _ in range(_STEPS):
        pull = share * signs / (1.0 + np.exp(np.clip(signs * (rows @ ahead + given), -60.0, 60.0)))
        after = np.clip(ahead - (shrink * ahead - rows.T @ pull) / lipschitz, low, high)
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0
        ahead = after + (momentum - 1.0) / grown * (after - now)
        moved = float(np.max(np.abs(after - now)))
        now, momentum = after, grown
        if moved < (_STILL if score is None else _STILL_ENOUGH):
            break
    return now[:-1], float(now[-1])
