"""Agreement of the clinical detectors with readers: facts, hallucinations, safety rules, use of slots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from turnmark.report.view.number_format import interval
from turnmark.schemas.labels.clinical import read_clinical_labels
from turnmark.stats.intervals import cluster_bootstrap
from turnmark.suites.clinical.answer import load_config
from turnmark.suites.clinical.cells import COUNTS, Item, baseline, judge
from turnmark.suites.labelling.agreement import Agreement, AgreeRequest, Figures, FigureTable, Labels
from turnmark.suites.labelling.figures import read_all, shown

Sums = tuple[tuple[str, ...], tuple[str, ...]]

_NUMBER = re.compile(r"([0-9]+)$")


def _scores(path: str, prefix: str) -> dict[str, Sums]:
    """Precision, recall and F1 = 2 tp / (found + gold), each a ratio of sums over items."""
    tp, result, gold = (f"{prefix}_{part}" for part in ("tp", "found", "gold"))
    return {
        f"{path}.precision": ((tp,), (result,)),
        f"{path}.recall": ((tp,), (gold,)),
        f"{path}.f1": ((tp, tp), (result, gold)),
    }


FIGURES: dict[str, Sums] = {
    **_scores("facts", "facts"),
    "facts.patient_claim.accuracy": (("claim_right",), ("matched",)),
    **_scores("facts.hallucinated", "wrong"),
    "facts.hallucinated.f1_with_spurious": (("wrong_tp", "wrong_tp"), ("wrong_found", "wrong_spurious", "wrong_gold")),
    **_scores("items.hallucinated", "item"),
    "sfs.mae": (("sfs_error",), ("sfs_n",)),
    "csp.applicable.exact": (("applicable_right",), ("csp_n",)),
    **_scores("csp.violated", "csp"),
    "cus.mae": (("cus_error",), ("cus_n",)),
    "cus.slot_accuracy": (("slots_right",), ("slots_n",)),
}
"""Each figure as the counts that its numerator and its denominator sum. ``facts.hallucinated`` is taken over the
readers' facts; ``f1_with_spurious`` also counts hallucinations that detectors see where readers see no fact."""


def agree(path: Path, request: AgreeRequest) -> Agreement:
    """Compare the clinical detectors with a file of labels: over all, by language and half, beside literal phrases.

    Raises: DataError when the file holds no label; PackError when the configuration cannot be read.
    """
    config, problems = load_config(request.config)
    labels = read_all(path, read_clinical_labels, problems, "clinical labels")
    items = [judge(each, config) for each in labels]
    plain = [baseline(each, config) for each in labels]
    figures = figures_of(items)
    figures["labels"] = len(items)
    figures["languages"] = {
        language: figures_of(own)
        for language in ("ko", "en", "zh")
        if (own := [item for item in items if item.labels.lang == language])
    }
    figures["halves"] = {name: figures_of(own) for name, own in halves(items).items()}
    figures["baselines"] = {"literal": figures_of(plain, intervals=False)}
    return Agreement(figures, _table(figures), [cell for item in items for cell in item.disagreements], problems)


def halves(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Two halves by the number at the end of the id: neighbours 1-2, 3-4 … stay together, pairs alternate."""
    results: dict[str, list[Item]] = {}
    for item in items:
        number = _NUMBER.search(item.labels.id)
        if number:
            name = "second" if (int(number[1]) - 1) // 2 % 2 else "first"
            results.setdefault(name, []).append(item)
    return results if len(results) == 2 else {}


def figures_of(items: Sequence[Item], *, intervals: bool = True) -> Figures:
    """Every figure of a set of items, nested by name; intervals draw items with replacement."""
    position = {name: index for index, name in enumerate(COUNTS)}
    table = np.array([[float(item.counts[name]) for name in COUNTS] for item in items])
    hits = np.stack([sum(table[:, position[name]] for name in above) for above, _ in FIGURES.values()], axis=1)
    totals = np.stack([sum(table[:, position[name]] for name in below) for _, below in FIGURES.values()], axis=1)
    figures: Figures = {"n": len(items)}
    if not intervals:
        for name, above, below in zip(FIGURES, hits.sum(axis=0), totals.sum(axis=0), strict=True):
            _set(figures, name, float(above / below) if below else None)
        return figures
    # A figure over items where its denominator is empty has no numerator either.
    result = cluster_bootstrap(np.where(totals > 0, hits, 0.0), totals, macro=False)
    bounds: dict[str, tuple[float, float] | None] = {}
    for name, value, low, high in zip(FIGURES, result.micro, result.micro_low, result.micro_high, strict=True):
        _set(figures, name, value)
        bounds[name] = None if low is None or high is None else (low, high)
    figures["intervals"] = bounds
    return figures


def _set(figures: Figures, path: str, value: float | None) -> None:
    *folders, name = path.split(".")
    for folder in folders:
        figures = figures.setdefault(folder, {})
    figures[name] = value


def _table(figures: Figures) -> FigureTable:
    parts = {**figures["languages"], **figures["halves"], "literal": figures["baselines"]["literal"]}
    rows = [
        [
            path,
            shown(_value_at(figures, path)),
            interval(figures["intervals"][path]),
            *(shown(_value_at(part, path)) for part in parts.values()),
        ]
        for path in FIGURES
    ]
    title = "agree_title_answers", {"count": figures["labels"]}
    return FigureTable(title, ("figure", "all", "95 % interval", *parts), rows)


def _value_at(figures: Figures, path: str) -> float | None:
    """The figure at a path such as ``facts.patient_claim.accuracy``."""
    result: Any = figures
    for name in path.split("."):
        result = result[name]
    return result  # type: ignore[no-any-return]


LABELS = Labels(agree, frozenset({"config"}))
