"""What facts count for in the slot factuality score, by type (``fact_weights.yaml``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from turnmark.packs.clinical_slots import SlotDefinitions
from turnmark.packs.loading import digest, parse, read, shipped

SHIPPED = "clinical/fact_weights.yaml"
Weight = Annotated[float, msgspec.Meta(ge=0.0)]


class FactWeights(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The weight of a fact by its type; 0 leaves a type out. What other slots tell weighs what their slot does."""

    medication: Weight = 2.0
    lab: Weight = 2.0
    vital: Weight = 2.0
    condition: Weight = 1.0
    demographic: Weight = 1.0
    slots: dict[str, Weight] = {}

    def of(self, fact_type: str) -> float:
        """The weight of one type: a kind of fact, or a slot."""
        return self.slots[fact_type] if fact_type in self.slots else float(getattr(self, fact_type))

    def with_slots(self, definitions: SlotDefinitions) -> FactWeights:
        """These weights with those that slots have by their definition; what the file says of a slot stays."""
        told = {name: slot.weight for name, slot in definitions.slots.items() if not slot.is_of_guide}
        return msgspec.structs.replace(self, slots=told | self.slots)


def load_fact_weights(path: Path | None = None) -> tuple[FactWeights, str]:
    """The weights of a user's file, or the shipped ones, and the digest of the file.

    Raises: PackError when the file cannot be read or is wrong.
    """
    if path is not None:
        return read(path, FactWeights)
    raw = shipped(SHIPPED)
    return parse(raw, f"turnmark:{SHIPPED}", FactWeights), digest(raw)
