"""The learned model beside a set of detectors: what it finds likely in a reply and the set does not assert."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnmark.detectors.finance.possible.finder import possible
from turnmark.detectors.finance.possible.model import read_model, shipped_model
from turnmark.detectors.finance.possible.near import near_rules
from turnmark.detectors.finance.protocol import FinanceDetectors, Reading
from turnmark.errors import UsageError
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RUBRIC_ELEMENTS
from turnmark.suites.protocol import SHIPPED_MODEL


class PossibleTier:
    """What a reviewer should look at beside the marks. It fills no row."""

    def __init__(self, model: str, detectors: FinanceDetectors, packs: Sequence[Path] = ()) -> None:
        """Read the model (`SHIPPED_MODEL` or a file).

        Raises: UsageError beside the set ``literal``; PackError for a file that is no model.
        """
        if detectors.name == "literal":
            message = (
                "--possible: the set literal repeats the first published runs, which had none; leave one of them out"
            )
            raise UsageError(message)
        self._model = shipped_model() if model == SHIPPED_MODEL else read_model(Path(model))
        self._detectors = detectors
        self._packs = tuple(packs)

    def find(self, reading: Reading, rubric: Sequence[str]) -> list[Evidence]:
        """What is likely in a reply; of elements of explanation only those that the turn asks for."""
        rules = near_rules(reading.analysis.language, self._packs)
        found = possible(reading, self._model, rules, asserted(reading, self._detectors))
        return [piece for piece in found if piece.label in rubric or piece.label not in RUBRIC_ELEMENTS]


def asserted(reading: Reading, detectors: FinanceDetectors) -> dict[str, frozenset[str]]:
    """What the detectors assert of a reply, by judgement, whatever was asked of its turn."""
    risk = detectors.risk(reading)
    found = {
        "risk_disclosed": risk,
        "forbidden": detectors.compliance(reading, FORBIDDEN_CATEGORIES, None, risk),
        "rubric": detectors.rubric(reading, list(RUBRIC_ELEMENTS)),
    }
    return {judgement: frozenset(piece.label for piece in pieces) for judgement, pieces in found.items()}
