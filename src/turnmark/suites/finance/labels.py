"""Agreement of the finance detectors with readers, beside keywords alone and the commonest label."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.schemas.labels.finance import FinanceLabels, MemoryLabels, read_labels
from turnmark.schemas.problems import Problem
from turnmark.suites.finance.cells import memory_cells, reply_cells
from turnmark.suites.labelling.agreement import Agreement, AgreeRequest, Cell, Figures, Labels
from turnmark.suites.labelling.figures import by_cells, classes, detection, majority, read_all, tags

VERDICTS = ("violates", "respects", "silent")
COMPLIANCE = ("compliant", "minor_violation", "severe_violation")
PRESENCE = ("present", "partial", "conflicting", "absent")


def agree(path: Path, request: AgreeRequest) -> Agreement:
    """Compare a set of detectors with a file of labels.

    Baselines: ``literal`` (keywords) and ``majority`` (always the commonest label of this file). Where labels name
    several languages (``lang``), figures of each stand beside.

    Raises: DataError when the file holds no label; UsageError when the set of detectors does not exist.
    """
    detect = request.detect or DEFAULT
    problems: list[Problem] = []
    labels: list[FinanceLabels | MemoryLabels] = read_all(path, read_labels, problems, "labels")
    cells = _cells(labels, finance_detectors(detect, request.packs))
    literal = cells if detect == "literal" else _cells(labels, finance_detectors("literal"))
    commonest = majority(cells, by_label={"risk_disclosed", "rubric", "forbidden"})
    baselines = {"literal": literal, "majority": commonest}
    return by_cells(cells, len(labels), problems, _SHAPES, baselines, _by_language(labels, cells))


def _by_language(labels: Sequence[FinanceLabels | MemoryLabels], cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each language that labels name; nothing where they name fewer than two."""
    spoken = {label.id: label.lang for label in labels if isinstance(label, FinanceLabels) and label.lang}
    results = {
        language: [cell for cell in cells if spoken.get(cell.id) == language]
        for language in sorted(set(spoken.values()))
    }
    return results if len(results) > 1 else {}


def _cells(labels: Sequence[FinanceLabels | MemoryLabels], detectors: FinanceDetectors) -> list[Cell]:
    cells: list[Cell] = []
    for label in labels:
        cells.extend(
            memory_cells(label, detectors) if isinstance(label, MemoryLabels) else reply_cells(label, detectors)
        )
    return cells


def _presence(cells: list[Cell]) -> Figures:
    figures = classes(cells, PRESENCE, ("present",))
    return figures | {"accuracy4": figures["accuracy"]}


_SHAPES = {
    "risk_disclosed": tags,
    "constraints": lambda cells: classes(cells, VERDICTS, ("violates", "respects")),
    "forbidden": tags,
    "compliance": lambda cells: classes(cells, COMPLIANCE),
    "rubric": tags,
    "keys_used": detection,
    "memory": _presence,
}

LABELS = Labels(agree, frozenset({"detect", "packs"}))
