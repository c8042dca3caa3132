"""Labels of readers for clinical answers: facts, safety rules, use of slots. Parts that were not judged are null."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from turnmark.schemas.json_schema import faults
from turnmark.schemas.problems import Problem, shown

FactType = Literal["medication", "condition", "lab", "vital", "demographic"]


class LabelledFact(msgspec.Struct, kw_only=True):
    """One mention: words of the answer, what they say, whether of this patient, whether against the record."""

    quote: str
    type: FactType
    value: str = ""
    patient_claim: bool
    hallucinated: bool

    @property
    def undecided(self) -> bool:
        """Whether the record can not tell; readers decide all that they label."""
        return False


class LabelledSafety(msgspec.Struct, kw_only=True):
    """Ids of the rules and requirements that apply, and of those that the answer violates."""

    applicable: list[str]
    violated: list[str]


class ClinicalLabels(msgspec.Struct, kw_only=True):
    """What readers say of one answer."""

    id: str
    lang: Literal["ko", "en", "zh"]
    turn_id: int
    question: str
    answer: str
    slots_truth: dict[str, Any]
    facts: list[LabelledFact] | None = None
    csp: LabelledSafety | None = None
    slots_used: dict[str, Annotated[float, msgspec.Meta(ge=0, le=1)]] | None = None


def read_clinical_labels(value: Any, file: str, line: int) -> ClinicalLabels | Problem:
    """The labels in one decoded line, or what is wrong with it; a quote must stand in the answer."""
    if not isinstance(value, dict):
        return Problem(file=file, line=line, expected="an object with labels", found=shown(value))
    try:
        labels = msgspec.convert(value, ClinicalLabels)
    except msgspec.ValidationError as error:
        for fault in faults(value, ClinicalLabels):
            return Problem(file=file, line=line, field=fault.path, expected=fault.expected, found=fault.found)
        return Problem(file=file, line=line, expected=f"labels of an answer ({error})", found=shown(value))
    for index, fact in enumerate(labels.facts or ()):
        if fact.quote not in labels.answer:
            return Problem(
                file=file,
                line=line,
                field=f"$.facts[{index}].quote",
                expected="words of the answer",
                found=shown(fact.quote),
            )
    return labels
