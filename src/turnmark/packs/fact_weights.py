"""What facts count for in the slot factuality score, by type (``fact_weights.yaml``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from turnmark.packs.loading import digest, parse, read, shipped

SHIPPED = "clinical/fact_weights.yaml"
Weight = Annotated[float, msgspec.Meta(ge=0.0)]


class FactWeights(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The weight of a fact by its type; 0 leaves a type out."""

    medication: Weight = 2.0
    lab: Weight = 2.0
    vital: Weight = 2.0
    condition: Weight = 1.0
    demographic: Weight = 1.0

    def of(self, fact_type: str) -> float:
        """The weight of one type."""
        return float(getattr(self, fact_type))


def load_fact_weights(path: Path | None = None) -> tuple[FactWeights, str]:
    """The weights of a user's file, or the shipped ones, and the digest of the file.

    Raises: PackError when the file cannot be read or is wrong.
    """
    if path is not None:
        return read(path, FactWeights)
    raw = shipped(SHIPPED)
    return parse(raw, f"turnmark:{SHIPPED}", FactWeights), digest(raw)
