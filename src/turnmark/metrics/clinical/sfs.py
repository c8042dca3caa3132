r"""SFS, slot factuality score: how much of what an answer states about the patient the record bears out.

Mentioned are the claims about this patient (medicines, conditions, labs, vitals, age, sex), each counted once;
examples, targets, general knowledge and other people are none. Hallucinated are those that the record denies or does
not hold. A claim of a slot that the record does not fill is not decided: it enters no figure, and is counted apart.

* ``slot_factuality`` = 1 - sum of the weights of hallucinated claims / sum of the weights of mentioned claims,
  averaged over answers
* ``slot_factuality_weighted`` = the same pooled over all claims

A medicine, lab or vital weighs 2, other claims 1 (configurable). Range 0 to 1, more is better. An answer that states
nothing about the patient is not eligible; ``sfs_all`` counts it as 1. Source: guide to the advanced metrics, section 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio, Value

NOTHING_STATED = Reason("nothing_stated")
NOTHING_DECIDED = Reason("nothing_decided")


class PatientClaim(Protocol):
    """One clinical mention of an answer."""

    @property
    def type(self) -> str:
        """Medication, condition, lab, vital or demographic."""

    @property
    def value(self) -> str:
        """What is stated, normalised."""

    @property
    def patient_claim(self) -> bool:
        """Whether it is said of this patient."""

    @property
    def hallucinated(self) -> bool:
        """Whether the record denies it or does not hold it."""

    @property
    def undecided(self) -> bool:
        """Whether the record can neither bear it out nor deny it."""


class Weights(Protocol):
    """What a claim counts for."""

    def of(self, fact_type: str, /) -> float:
        """The weight of a type."""


class FactCounts(NamedTuple):
    """Claims about the patient that were decided, each once: how many, how many hallucinated, and their weights.

    ``undecided`` and its weight are of the claims that were not.
    """

    mentioned: int
    hallucinated: int
    mentioned_weight: float
    hallucinated_weight: float
    undecided: int = 0
    undecided_weight: float = 0.0

    @property
    def score(self) -> float:
        """The factuality; 1.0 when nothing is stated."""
        return 1.0 - self.hallucinated_weight / self.mentioned_weight if self.mentioned_weight else 1.0


def count(claims: Iterable[PatientClaim], weights: Weights) -> FactCounts:
    """Count the claims about the patient; one that is stated twice counts once."""
    seen: dict[tuple[str, str], tuple[float, bool]] = {}
    unknown: dict[tuple[str, str], float] = {}
    for claim in claims:
        if claim.patient_claim:
            key, weight = (claim.type, claim.value), weights.of(claim.type)
            if claim.undecided:
                unknown[key] = weight
            else:
                seen[key] = (weight, claim.hallucinated)
    wrong = [weight for weight, hallucinated in seen.values() if hallucinated]
    mentioned = sum(weight for weight, _ in seen.values())
    return FactCounts(len(seen), len(wrong), mentioned, sum(wrong), len(unknown), sum(unknown.values()))


def outcomes(counts: FactCounts) -> Outcomes:
    """What the claims of one answer give."""
    if not counts.mentioned_weight:
        return NotApplicable(NOTHING_DECIDED if counts.undecided_weight else NOTHING_STATED)
    supported = counts.mentioned_weight - counts.hallucinated_weight
    return (Value(counts.score), Ratio(supported, counts.mentioned_weight, counts.undecided_weight))


METRIC = Metric(
    name="sfs",
    code="SFS",
    version="1.1.0",
    suite="clinical",
    title="Slot factuality",
    unit="turn",
    needs="answer, slots_truth",
    score=outcomes,
    measures=(Measure("slot_factuality", kind="mean", fault="contradiction"), Measure("slot_factuality_weighted")),
    totals={
        "mentioned_weight": ("slot_factuality_weighted", "total"),
        "supported_weight": ("slot_factuality_weighted", "hits"),
    },
    source="guide to the advanced metrics, section 1",
)
