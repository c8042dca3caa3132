"""Chooses from which probabilities on a user's inference model decides, and measures how right it then is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from turnmark.errors import DataError
from turnmark.judges.nli.judge import INFERRED, NliJudge
from turnmark.judges.nli.limits import Limits, LimitsFile, read_limits
from turnmark.judges.nli.model import Inference
from turnmark.pipeline.labelling.folds import check_rows, folds
from turnmark.schemas.labels.rag import RELATIONS
from turnmark.schemas.problems import Problem
from turnmark.stats.analytic import analytic_interval
from turnmark.suites.rag.label_rows import Row, read_rows

RIGHT = 0.95
"""Share of the decided rows that limits are chosen to get right."""
FEWEST_DECIDED = 10
"""A limit rests on so many decided rows at least."""
_MIDDLE = 0.5
"""Supported and contradicted need more than an even chance of it, not stated less."""
_HOLDS = 0.9
"""Limits are written when this share of the decided rows is right on documents that they were not chosen on."""


class InferenceCalibration(NamedTuple):
    """What was found, and the file that is written when it helps (else None)."""

    metric: str
    figures: dict[str, Any]
    limits: LimitsFile | None
    problems: list[Problem]


class _Measured(NamedTuple):
    """One row as the model sees it, and its label."""

    odds: Inference
    label: int


def calibrate_inference(path: Path, metric: str, folder: Path, former: Path | None = None) -> InferenceCalibration:
    """Choose limits for one metric on a file of labels, and measure them on folds of documents that they never saw.

    Limits of other metrics in the file ``former`` are kept.

    Supported, contradicted and not stated get a limit each: the widest from which on 0.95 of at least ten rows are
    right. A label says whether a claim holds, not why: contradicted and not stated are right where it does not.

    Raises: DataError as `turnmark.pipeline.labelling.calibrate.calibrate`, or for a metric that is no matter of
    inference; else as `NliJudge`.
    """
    relation = RELATIONS[metric]
    if relation not in INFERRED or relation == "conflict":
        able = [name for name, asked in RELATIONS.items() if asked in INFERRED and asked != "conflict"]
        message = f"--metric {metric}: expected one of {able}; an inference model says nothing of {metric}"
        raise DataError(message)
    judge = NliJudge(folder)
    problems: list[Problem] = []
    rows = [row for row in read_rows(path, metric, problems) if row.label is not None]
    clusters = [row.cluster for row in rows]
    check_rows(path, [row.label or 0 for row in rows], clusters)
    measured = list(_measured(rows, judge))
    right: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    for held in folds(clusters):
        kept = set(held)
        limits = _chosen([one for index, one in enumerate(measured) if one is not None and index not in kept])
        for index in held:
            found = _right(measured[index], limits)
            if found is not None:
                right[clusters[index]] += found
                decided[clusters[index]] += 1
    final = _chosen([one for one in measured if one is not None])
    helps = decided.total() >= FEWEST_DECIDED and right.total() >= _HOLDS * decided.total() and final != Limits()
    figures = {
        "metric": metric,
        "n": len(rows),
        "documents": len(set(clusters)),
        "decided_share": decided.total() / len(rows),
        "right": right.total() / decided.total() if decided else None,
        "right_interval": _interval(right, decided),
        "limits": msgspec.to_builtins(final),
        "helps": helps,
    }
    others = read_limits(former, judge.digest) if former is not None else {}
    made = LimitsFile(model=judge.digest, limits={**others, relation: final}) if helps else None
    return InferenceCalibration(metric, figures, made, problems)


def _interval(right: Counter[str], decided: Counter[str]) -> tuple[float, float] | None:
    """95 % interval of the share of decided rows that are right, by document; None with too few documents."""
    hits = np.array([right[name] for name in decided], dtype=np.float64)
    totals = np.array([decided[name] for name in decided], dtype=np.float64)
    return analytic_interval(hits, totals, (0.0, 1.0), 0.95).bounds


def _measured(rows: Sequence[Row], judge: NliJudge) -> Iterable[_Measured | None]:
    """Each row by the wording of the reference that the model finds most, None where it gives no number."""
    for row in rows:
        known = [odds for item in judge.odds(row.queries) for odds in item if odds is not None]
        best = max(known, key=lambda odds: odds.entailment, default=None)
        yield None if best is None else _Measured(best, row.label or 0)


def _chosen(rows: Sequence[_Measured]) -> Limits:
    supported = _limit(rows, lambda row: row.odds.entailment, 1, _MIDDLE)
    rest = [row for row in rows if supported is None or row.odds.entailment < supported]
    contradicted = _limit(rest, lambda row: row.odds.contradiction, 0, _MIDDLE)
    rest = [row for row in rest if contradicted is None or row.odds.contradiction < contradicted]
    silent = _limit(rest, lambda row: -row.odds.entailment, 0, -_MIDDLE)
    return Limits(supported=supported, contradicted=contradicted, not_stated=None if silent is None else -silent)


def _limit(rows: Sequence[_Measured], score: Callable[[_Measured], float], label: int, least: float) -> float | None:
    """The lowest score, no less than ``least``, from which on 0.95 of the rows have the label; None without one."""
    ordered = sorted([row for row in rows if score(row) >= least], key=score, reverse=True)
    right, best = 0, None
    for count, row in enumerate(ordered, 1):
        right += row.label == label
        # Rows of one score stand or fall together.
        last = count == len(ordered) or score(ordered[count]) < score(row)
        if last and count >= FEWEST_DECIDED and right >= RIGHT * count:
            best = score(row)
    return best


def _right(row: _Measured | None, limits: Limits) -> bool | None:
    """Whether a decided row is right; None for one that is not decided."""
    if row is None:
        return None
    if limits.supported is not None and row.odds.entailment >= limits.supported:
        return row.label == 1
    against = limits.contradicted is not None and row.odds.contradiction >= limits.contradicted
    if against or (limits.not_stated is not None and row.odds.entailment <= limits.not_stated):
        return row.label == 0
    return None
