"""The learned model beside a set of detectors: what it finds likely in a reply and the set does not assert."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.detectors.finance.possible.finder import possible
from turnmark.detectors.finance.possible.model import PossibleModel
from turnmark.detectors.finance.protocol import FinanceDetectors, Reading
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RUBRIC_ELEMENTS


def asserted(reading: Reading, detectors: FinanceDetectors) -> dict[str, frozenset[str]]:
    """What the detectors assert of a reply, by judgement, whatever was asked of its turn."""
    risk = detectors.risk(reading)
    found = {
        "risk_disclosed": risk,
        "forbidden": detectors.compliance(reading, FORBIDDEN_CATEGORIES, None, risk),
        "rubric": detectors.rubric(reading, list(RUBRIC_ELEMENTS)),
    }
    return {judgement: frozenset(piece.label for piece in pieces) for judgement, pieces in found.items()}


def possible_of(
    reading: Reading, model: PossibleModel, detectors: FinanceDetectors, rubric: Sequence[str]
) -> list[Evidence]:
    """What a reviewer should look at in a reply; of elements of explanation only those that the turn asks for."""
    found = possible(reading, model, asserted(reading, detectors))
    return [piece for piece in found if piece.label in rubric or piece.label not in RUBRIC_ELEMENTS]
