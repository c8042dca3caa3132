"""Agreement with readers: detectors against labels, with intervals, baselines and every disagreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.errors import DataError
from turnmark.pipeline.labelling.finance_cells import Cell, Mark, memory_cells, reply_cells
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.labels.finance import FinanceLabels, MemoryLabels, read_labels
from turnmark.schemas.problems import Problem
from turnmark.stats.agreement import balanced_accuracy, cohen_kappa, confusion, precision_recall_f1
from turnmark.stats.clustered import accuracy_interval, detection_intervals, kappa_interval
from turnmark.stats.intervals import Interval

Figures = dict[str, Any]

VERDICTS = ("violates", "respects", "silent")
COMPLIANCE = ("compliant", "minor_violation", "severe_violation")
PRESENCE = ("present", "partial", "conflicting", "absent")


class Agreement(NamedTuple):
    """Figures of the detectors and of two baselines in the same shape, the disagreements, and unreadable lines."""

    figures: Figures
    baselines: dict[str, Figures]
    disagreements: list[Cell]
    problems: list[Problem]
    labels: int


def agree(path: Path, detect: str = DEFAULT, packs: tuple[Path, ...] = ()) -> Agreement:
    """Compare a set of detectors with a file of labels.

    Baselines: ``literal`` (keywords) and ``majority`` (always the commonest label of this file).

    Raises: DataError when the file holds no label; UsageError when the set of detectors does not exist.
    """
    problems: list[Problem] = []
    labels = list(_labels(path, problems))
    if not labels:
        first = "".join(f"\n{problem}" for problem in problems[:5])
        message = f"{path}: expected labels, found none{first}"
        raise DataError(message)
    cells = _cells(labels, finance_detectors(detect, packs))
    literal = cells if detect == "literal" else _cells(labels, finance_detectors("literal"))
    return Agreement(
        figures_of(cells),
        {"literal": figures_of(literal), "majority": figures_of(_majority(cells))},
        [cell for cell in cells if cell.gold != cell.predicted],
        problems,
        len(labels),
    )


def _labels(path: Path, problems: list[Problem]) -> Iterable[FinanceLabels | MemoryLabels]:
    for found in Reader(dict).read(path):
        label = found if isinstance(found, Problem) else read_labels(found.value, found.line.file, found.line.number)
        if isinstance(label, Problem):
            problems.append(label)
        else:
            yield label


def _cells(labels: Sequence[FinanceLabels | MemoryLabels], detectors: FinanceDetectors) -> list[Cell]:
    cells: list[Cell] = []
    for label in labels:
        cells.extend(
            memory_cells(label, detectors) if isinstance(label, MemoryLabels) else reply_cells(label, detectors)
        )
    return cells


def _majority(cells: Sequence[Cell]) -> list[Cell]:
    """Always the commonest label of a field (of a tag, where a field has tags)."""
    counts: dict[tuple[str, str], Counter[Mark]] = {}
    for cell in cells:
        counts.setdefault(_group(cell), Counter())[cell.gold] += 1
    commonest = {group: max(sorted(found, key=str), key=found.__getitem__) for group, found in counts.items()}
    return [cell._replace(predicted=commonest[_group(cell)], evidence=()) for cell in cells]


def _group(cell: Cell) -> tuple[str, str]:
    return (cell.field, cell.label if cell.field in ("risk_disclosed", "rubric", "forbidden") else "")


def figures_of(cells: Sequence[Cell]) -> Figures:
    """All figures of a set of cells: per field, per label, pooled over all labels (micro)."""
    fields: dict[str, list[Cell]] = {}
    for cell in cells:
        fields.setdefault(cell.field, []).append(cell)
    shapes: dict[str, Callable[[list[Cell]], Figures]] = {
        "risk_disclosed": _tags,
        "constraints": lambda found: _classes(found, VERDICTS, ("violates", "respects")),
        "forbidden": _tags,
        "compliance": lambda found: _classes(found, COMPLIANCE, ()),
        "rubric": _tags,
        "keys_used": _detection,
        "memory": lambda found: _classes(found, PRESENCE, ("present",)),
    }
    return {field: shape(fields[field]) for field, shape in shapes.items() if field in fields}


def _tags(cells: list[Cell]) -> Figures:
    figures: Figures = {"micro": _detection(cells)}
    for name in sorted({cell.label for cell in cells}):
        own = [cell for cell in cells if cell.label == name]
        figures[name] = _detection(own)
    return figures


def _detection(cells: list[Cell], positive: Mark = True) -> Figures:
    gold = [cell.gold == positive for cell in cells]
    predicted = [cell.predicted == positive for cell in cells]
    clusters = [cell.cluster for cell in cells]
    pairs = Counter(zip(gold, predicted, strict=True))
    tp, fp, fn = pairs[True, True], pairs[False, True], pairs[True, False]
    scores = precision_recall_f1(tp, fp, fn)
    bounds = detection_intervals(gold, predicted, clusters)
    kappa = kappa_interval(gold, predicted, clusters)
    return {
        "precision": scores.precision,
        "recall": scores.recall,
        "f1": scores.f1,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "tn": pairs[False, False],
        "balanced_accuracy": balanced_accuracy(gold, predicted),
        "kappa": cohen_kappa(gold, predicted),
        "n": len(cells),
        "intervals": {
            "precision": _bounds(bounds.precision),
            "recall": _bounds(bounds.recall),
            "f1": _bounds(bounds.f1),
            "kappa": _bounds(kappa),
        },
    }


def _classes(cells: list[Cell], labels: Sequence[str], detailed: Sequence[str]) -> Figures:
    gold = [str(cell.gold) for cell in cells]
    predicted = [str(cell.predicted) for cell in cells]
    clusters = [cell.cluster for cell in cells]
    right = sum(one == other for one, other in zip(gold, predicted, strict=True))
    each = {label: _detection(cells, label) for label in labels}
    f1 = [each[label]["f1"] for label in labels if each[label]["f1"] is not None]
    table = confusion(gold, predicted, labels)
    figures: Figures = {
        "accuracy": right / len(cells),
        "macro_f1": sum(f1) / len(f1) if f1 else None,
        "kappa": cohen_kappa(gold, predicted),
        "confusion": {
            label: {other: int(table[row][column]) for column, other in enumerate(labels)}
            for row, label in enumerate(labels)
        },
        "n": len(cells),
        "intervals": {
            "accuracy": _bounds(accuracy_interval(gold, predicted, clusters)),
            "kappa": _bounds(kappa_interval(gold, predicted, clusters)),
        },
    }
    if labels == PRESENCE:
        figures["accuracy4"] = figures["accuracy"]
    return figures | (each if detailed == () else {label: each[label] for label in detailed})


def _bounds(interval: Interval) -> tuple[float, float] | None:
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)


def as_json(agreement: Agreement) -> dict[str, Any]:
    """The figures at the top, then baselines, disagreements with their evidence, and unreadable lines."""
    return {
        **agreement.figures,
        "labels": agreement.labels,
        "baselines": agreement.baselines,
        "disagreements": [
            {
                "id": cell.id,
                "field": cell.field,
                "label": cell.label,
                "gold": cell.gold,
                "predicted": cell.predicted,
                "evidence": [msgspec.to_builtins(piece) for piece in cell.evidence],
            }
            for cell in agreement.disagreements
        ],
        "problems": [msgspec.to_builtins(problem) for problem in agreement.problems],
    }
