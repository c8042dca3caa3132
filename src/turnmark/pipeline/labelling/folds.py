"""Folds of labelled rows by document, and whether there are rows enough to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnmark.errors import DataError

FOLDS = 5
FEWEST = 40
FEWEST_OF_A_KIND = 10


def check_rows(path: Path, labels: Sequence[int], clusters: Sequence[str]) -> None:
    """Raises: DataError for fewer than 40 labels (0 or 1), fewer than ten of a kind, or fewer than ten documents."""
    positive = sum(labels)
    fewest = min(positive, len(labels) - positive)
    documents = len(set(clusters))
    if len(labels) < FEWEST or fewest < FEWEST_OF_A_KIND or documents < 2 * FOLDS:
        message = (
            f"{path}: expected {FEWEST} labelled rows from {2 * FOLDS} documents, {FEWEST_OF_A_KIND} of them with each "
            f"label; found {len(labels)} from {documents}, the rarer label {fewest} times; label more rows"
        )
        raise DataError(message)


def folds(clusters: Sequence[str]) -> list[list[int]]:
    """Places by fold; a document stays together, and the order of rows does not matter."""
    order = {cluster: index % FOLDS for index, cluster in enumerate(sorted(set(clusters)))}
    return [[index for index, cluster in enumerate(clusters) if order[cluster] == fold] for fold in range(FOLDS)]
