"""Fits the judge's logistic models under known signs; needs numpy, which is loaded here only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnmark.judges.rules.features import FALLING, RISING
from turnmark.judges.rules.model import CLIP, Model

Floats = NDArray[np.float64]
PENALTY = 0.01
_STEPS = 3000
_PRECISION = 6


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
    scales[scales < 1e-6] = 1.0
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


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), _PRECISION) for value in values)


def _balanced(labels: Floats) -> Floats:
    positive = labels == 1
    yes, no = int(positive.sum()), int((~positive).sum())
    return np.where(positive, 0.5 / max(yes, 1), 0.5 / max(no, 1))


def _descend(
    inputs: Floats, signs: Floats, share: Floats, wanted: NDArray[Any], penalty: float
) -> tuple[Floats, float]:
    """Accelerated projected gradient descent (FISTA) on the penalised mean log loss."""
    rows = np.column_stack([inputs, np.ones(len(inputs))])
    lipschitz = 0.25 * float(np.linalg.eigvalsh((rows * share[:, None]).T @ rows)[-1]) + penalty
    shrink = np.append(np.full(inputs.shape[1], penalty), 0.0)
    low = np.append(np.where(wanted > 0, 0.0, -np.inf), -np.inf)
    high = np.append(np.where(wanted < 0, 0.0, np.inf), np.inf)
    now = ahead = np.zeros(rows.shape[1])
    momentum = 1.0
    for _ in range(_STEPS):
        pull = share * signs / (1.0 + np.exp(np.clip(signs * (rows @ ahead), -60.0, 60.0)))
        after = np.clip(ahead - (shrink * ahead - rows.T @ pull) / lipschitz, low, high)
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0
        ahead = after + (momentum - 1.0) / grown * (after - now)
        moved = float(np.max(np.abs(after - now)))
        now, momentum = after, grown
        if moved < 1e-9:
            break
    return now[:-1], float(now[-1])
