"""What comes of holding marks against labels: one table of cells for every suite, and figures over them.

A cell is one judgement that readers made. Which cells a label gives, and which figures are taken over them, is what a
suite knows (`Labels`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.problems import Problem

LabelValue = bool | str | int | float | None | list[str]
Figures = dict[str, Any]


class Cell(NamedTuple):
    """One judgement: what was judged (``field``, and ``label`` in it), what readers and turnmark say, on which words.

    ``cluster`` is what is drawn whole when intervals are made (a dialogue, a document). ``quote`` holds the words where
    there is no ``evidence``; ``score`` is the number that ``predicted`` was decided by, ``reason`` why.
    """

    field: str
    label: str
    gold: LabelValue
    predicted: LabelValue
    id: str
    cluster: str = ""
    evidence: tuple[Evidence, ...] = ()
    quote: str = ""
    score: float | None = None
    reason: str = ""

    @property
    def words(self) -> str:
        """The words that decided, on one line; "" where there are none."""
        return " | ".join(f"{piece.rule}: {piece.quote}" for piece in self.evidence) or self.quote


class FigureTable(NamedTuple):
    """Figures for people. The first column is the name of a row, and all are text.

    ``title`` is the key of a text, and what fills it in.
    """

    title: tuple[str, Mapping[str, object]]
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]


class AgreeRequest(NamedTuple):
    """What ``turnmark agree`` can be asked beside the labels and the suite; see ``turnmark agree --help``."""

    detect: str | None = None
    packs: tuple[Path, ...] = ()
    config: Path | None = None
    metric: str | None = None
    judge: str | None = None
    weights: Path | None = None


class Agreement(NamedTuple):
    """Figures by name, the same for people, the cells in which readers and turnmark differ, and unusable lines."""

    figures: Figures
    table: FigureTable
    disagreements: Sequence[Cell]
    problems: Sequence[Problem]


class Labels(NamedTuple):
    """What a suite reads of labels.

    ``agree`` raises DataError when a file holds no label, UsageError for a request that the suite cannot meet.
    ``options`` names the fields of `AgreeRequest` that say something about it.
    """

    agree: Callable[[Path, AgreeRequest], Agreement]
    options: frozenset[str] = frozenset()


def as_json(agreement: Agreement) -> dict[str, Any]:
    """The figures at the top, then every disagreement with what it rests on, and unusable lines."""
    return {
        **agreement.figures,
        "disagreements": [_row(cell) for cell in agreement.disagreements],
        "problems": [msgspec.to_builtins(problem) for problem in agreement.problems],
    }


def _row(cell: Cell) -> Mapping[str, Any]:
    row = {
        "id": cell.id,
        "field": cell.field,
        "label": cell.label,
        "gold": cell.gold,
        "predicted": cell.predicted,
        "quote": cell.quote or " | ".join(piece.quote for piece in cell.evidence),
        "evidence": [msgspec.to_builtins(piece) for piece in cell.evidence],
    }
    return row if cell.score is None else row | {"score": cell.score, "reason": cell.reason}
