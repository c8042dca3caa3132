"""Figures over cells: detection, classes, by name of a label; with intervals, and the commonest label as baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from turnmark.errors import DataError
from turnmark.readers.characters import empty_said, is_empty
from turnmark.report.view.number_format import interval
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.stats.agreement import balanced_accuracy, cohen_kappa, confusion, precision_recall_f1
from turnmark.stats.clustered import accuracy_interval, detection_intervals, kappa_interval
from turnmark.stats.intervals import Interval
from turnmark.suites.labelling.agreement import Agreement, Cell, Figures, FigureTable, LabelValue

T = TypeVar("T")
Shape = Callable[[list[Cell]], Figures]
"""What is taken over the cells of one field."""

NOT_AVAILABLE = "n/a"


def read_all(
    path: Path, read: Callable[[dict[str, Any], str, int], T | Problem], problems: list[Problem], what: str
) -> list[T]:
    """The labels of a file; what is wrong with lines goes to ``problems``.

    Raises: DataError when the file holds none; ``what`` says of what they are.
    """
    labels: list[T] = []
    for item in Reader(dict).read(path):
        label = item if isinstance(item, Problem) else read(item.value, item.line.file, item.line.number)
        if isinstance(label, Problem):
            problems.append(label)
        else:
            labels.append(label)
    if not labels:
        first = "".join(f"\n{problem}" for problem in problems[:5])
        message = empty_said(path) if is_empty(path) else f"{path}: expected {what}, found none{first}"
        raise DataError(message)
    return labels


def by_cells(
    cells: Sequence[Cell],
    labels: int,
    problems: Sequence[Problem],
    shapes: Mapping[str, Shape] | None = None,
    baselines: Mapping[str, Sequence[Cell]] | None = None,
    languages: Mapping[str, Sequence[Cell]] | None = None,
) -> Agreement:
    """Figures of every field, beside those of the baselines and of each language where there are several.

    ``shapes`` says what is taken over the cells of a field: `tags` and `classes` by the kind of mark when left out.
    Without ``baselines`` the commonest mark of each label is the only one.
    """
    others = baselines if baselines is not None else {"majority": majority(cells)}
    shapes = shapes or {field: _shape_of(cells, field) for field in dict.fromkeys(cell.field for cell in cells)}
    figures = by_field(cells, shapes)
    beside = {name: by_field(other, shapes) for name, other in others.items()}
    parts = {name: by_field(own, shapes) for name, own in (languages or {}).items()}
    return Agreement(
        {**figures, "labels": labels, "baselines": beside, **({"languages": parts} if parts else {})},
        _table(figures, {**beside, **parts}, labels),
        [cell for cell in cells if cell.gold != cell.predicted],
        problems,
    )


def by_field(cells: Sequence[Cell], shapes: Mapping[str, Shape]) -> Figures:
    """The figures of each field of which there are cells, in the order of ``shapes``."""
    fields: dict[str, list[Cell]] = {}
    for cell in cells:
        fields.setdefault(cell.field, []).append(cell)
    return {field: shape(fields[field]) for field, shape in shapes.items() if field in fields}


def majority(cells: Sequence[Cell], by_label: Collection[str] | None = None) -> list[Cell]:
    """Always the commonest mark of a field; of each label of it in the fields of ``by_label`` (in all: None)."""

    def group(cell: Cell) -> tuple[str, str]:
        return cell.field, cell.label if by_label is None or cell.field in by_label else ""

    counts: dict[tuple[str, str], Counter[Any]] = {}
    for cell in cells:
        counts.setdefault(group(cell), Counter())[cell.gold] += 1
    commonest = {name: max(sorted(count, key=str), key=count.__getitem__) for name, count in counts.items()}
    return [cell._replace(predicted=commonest[group(cell)], evidence=()) for cell in cells]


def tags(cells: list[Cell]) -> Figures:
    """Detection pooled over all labels of a field (micro), and of each."""
    names = sorted({cell.label for cell in cells})
    each = {name: detection([cell for cell in cells if cell.label == name]) for name in names}
    return {"micro": detection(cells), **each}


def detection(cells: Sequence[Cell], positive: LabelValue = True) -> Figures:
    """Precision, recall, F1 and kappa of one mark against all others; intervals draw clusters."""
    gold = [cell.gold == positive for cell in cells]
    predicted = [cell.predicted == positive for cell in cells]
    clusters = [cell.cluster for cell in cells]
    pairs = Counter(zip(gold, predicted, strict=True))
    tp, fp, fn = pairs[True, True], pairs[False, True], pairs[True, False]
    scores = precision_recall_f1(tp, fp, fn)
    result = detection_intervals(gold, predicted, clusters)
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
            "precision": bounds(result.precision),
            "recall": bounds(result.recall),
            "f1": bounds(result.f1),
            "kappa": bounds(kappa_interval(gold, predicted, clusters)),
        },
    }


def classes(cells: Sequence[Cell], labels: Sequence[str], detailed: Iterable[str] | None = None) -> Figures:
    """Accuracy, macro F1, kappa and confusion over classes, and detection of the ``detailed`` ones (all: None)."""
    gold = [str(cell.gold) for cell in cells]
    predicted = [str(cell.predicted) for cell in cells]
    clusters = [cell.cluster for cell in cells]
    right = sum(item == other for item, other in zip(gold, predicted, strict=True))
    each = {label: detection(cells, label) for label in labels}
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
            "accuracy": bounds(accuracy_interval(gold, predicted, clusters)),
            "kappa": bounds(kappa_interval(gold, predicted, clusters)),
        },
    }
    return figures | {label: each[label] for label in (labels if detailed is None else detailed)}


def bounds(found: Interval) -> tuple[float, float] | None:
    """The two ends of an interval; None where it has none."""
    return None if found.low is None or found.high is None else (found.low, found.high)


def shown(value: float | None) -> str:
    """A figure to three places, or that there is none."""
    return NOT_AVAILABLE if value is None else f"{value:.3f}"


def _shape_of(cells: Sequence[Cell], field: str) -> Shape:
    marks = {mark for cell in cells if cell.field == field for mark in (cell.gold, cell.predicted)}
    if marks <= {True, False}:
        return tags
    names = sorted(map(str, marks))
    return lambda found: classes(found, names)


def _table(figures: Figures, others: Mapping[str, Figures], labels: int) -> FigureTable:
    columns = ("field", "label", "precision", "recall", "F1 / accuracy", "95 % interval", "kappa", "n", *others)
    rows: list[list[str]] = []
    for field, figure in figures.items():
        beside = [other.get(field, {}) for other in others.values()]
        if "accuracy" in figure:
            rows.append(_row(field, "accuracy", figure, beside, "accuracy"))
        if "f1" in figure:
            rows.append(_row(field, "", figure, beside))
        for label, own in figure.items():
            if isinstance(own, dict) and "tp" in own:
                rows.append(_row(field, label, own, [other.get(label, {}) for other in beside]))
    return FigureTable(("agree_title", {"count": labels}), columns, rows)


def _row(field: str, label: str, figures: Figures, others: Sequence[Figures], score: str = "f1") -> list[str]:
    return [
        field,
        label,
        shown(figures.get("precision")),
        shown(figures.get("recall")),
        shown(figures[score]),
        interval(figures["intervals"].get(score)),
        shown(figures.get("kappa")),
        str(figures["n"]),
        *(shown(other.get(score)) for other in others),
    ]
