r"""M2, profile accuracy: whether the assistant took the user to be who the user is. One outcome a dialogue.

* ``risk_level_acc``, ``horizon_acc``, ``liquidity_acc`` = 1 when the assistant's value equals the ground truth;
* ``constraints_f1``, ``preferences_f1`` = 2PR / (P + R) of the predicted against the true set; both empty 1.0, only
  the ground truth empty 0.0, P + R = 0 gives 0.0;
* ``profile_score`` = mean of the five.

A field leaves the denominator, and the mean, where no snapshot was recorded and no reply says anything of it: whether
the assistant knew is not known.

Range 0 to 1, more is better; micro and macro are both the mean over dialogues. A dialogue is eligible when it is valid
and has a ground-truth profile and at least one answered turn. The detectors ``literal`` count every valid dialogue
with a ground-truth profile, as published. Source: metrics specification, section 3.2.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Protocol

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio, Value


class Profile(Protocol):
    """A profile in canonical values; None means unknown."""

    @property
    def risk(self) -> str | None:
        """Risk level: low, medium or high."""
        ...

    @property
    def horizon(self) -> str | None:
        """Investment horizon: short, medium or long."""
        ...

    @property
    def liquidity(self) -> str | None:
        """Need for liquidity: low, medium or high."""
        ...

    @property
    def constraints(self) -> AbstractSet[str]:
        """What the user will not do."""
        ...

    @property
    def preferences(self) -> AbstractSet[str]:
        """What the user likes to hold."""
        ...


def set_f1(predicted: AbstractSet[str], true: AbstractSet[str]) -> float:
    """F1 of a predicted set. Both empty 1.0; only the true one empty 0.0; nothing in common 0.0."""
    if not true:
        return 0.0 if predicted else 1.0
    common = len(predicted & true)
    if not common:
        return 0.0
    precision, recall = common / len(predicted), common / len(true)
    return 2 * precision * recall / (precision + recall)


def outcomes(predicted: Profile, true: Profile, unsaid: AbstractSet[str] = frozenset()) -> Outcomes:
    """What one dialogue gives for M2. An unknown value is never right.

    Args:
        predicted: What the assistant took the user to be.
        true: The ground truth.
        unsaid: Fields (risk, horizon, liquidity, constraints, preferences) of which neither a snapshot nor a reply
            could say anything: they leave the denominator, and the score is the mean of the others.

    """
    values = {
        "risk": float(predicted.risk is not None and predicted.risk == true.risk),
        "horizon": float(predicted.horizon is not None and predicted.horizon == true.horizon),
        "liquidity": float(predicted.liquidity is not None and predicted.liquidity == true.liquidity),
        "constraints": set_f1(predicted.constraints, true.constraints),
        "preferences": set_f1(predicted.preferences, true.preferences),
    }
    told = [value for field, value in values.items() if field not in unsaid]
    if not told:
        return NotApplicable(Reason("profile_not_told"))
    each = [Ratio(0, 0) if field in unsaid else Value(value) for field, value in values.items()]
    return (*each, Value(sum(told) / len(told)))


METRIC = Metric(
    name="m2_profile_accuracy",
    code="M2",
    version="1.1.0",
    suite="finance",
    title="Profile accuracy",
    unit="dialog",
    needs="profile evidence of the whole dialogue",
    score=outcomes,
    measures=(
        Measure("risk_level_acc", kind="mean"),
        Measure("horizon_acc", kind="mean"),
        Measure("liquidity_acc", kind="mean"),
        Measure("constraints_f1", kind="mean"),
        Measure("preferences_f1", kind="mean"),
        Measure("profile_score", kind="mean"),
    ),
    source="metrics specification 3.2",
    formerly=("profile_accuracy",),
    main=("profile_score", "risk_level_acc", "horizon_acc", "liquidity_acc"),
)
