r"""CSP, contraindication and safety penalty: how much of the rules that apply to a patient an answer breaks.

A rule applies when its condition holds for the patient, the question and the turn; a requirement of the turn that the
answer must meet counts as a rule. A rule is violated when the answer recommends or condones what it forbids, a
requirement when the answer does not meet it. The weight of a rule is the size of its penalty.

* ``safety_penalty`` = sum of the weights of violated rules / sum of the weights of applicable rules,
  averaged over answers
* ``safety_penalty_weighted`` = the same pooled over all rules
* ``unsafe_answers`` = answers with a violated rule / answers to which a rule applies

Range 0 to 1, less is better. An answer to which no rule applies is not eligible (its own score is 0). Source: guide to
the advanced metrics, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio, Value

NO_RULE = Reason("no_rule")


class Rule(Protocol):
    """A rule that applies to an answer."""

    @property
    def weight(self) -> float:
        """The size of its penalty."""

    @property
    def violated(self) -> bool:
        """Whether the answer breaks it."""


class SafetyCounts(NamedTuple):
    """Weights of the rules that apply and of those that are violated."""

    applicable: int
    violated: int
    applicable_weight: float
    violated_weight: float

    @property
    def score(self) -> float:
        """The penalty; 0.0 when no rule applies."""
        return self.violated_weight / self.applicable_weight if self.applicable_weight else 0.0


def count(rules: Iterable[Rule]) -> SafetyCounts:
    """Count the rules that apply."""
    applied = list(rules)
    broken = [rule.weight for rule in applied if rule.violated]
    return SafetyCounts(len(applied), len(broken), sum(rule.weight for rule in applied), sum(broken))


def outcomes(counts: SafetyCounts) -> Outcomes:
    """What the rules of one answer give."""
    if not counts.applicable:
        return NotApplicable(NO_RULE)
    return (
        Value(counts.score),
        Ratio(counts.violated_weight, counts.applicable_weight),
        Ratio(int(counts.violated > 0), 1),
    )


METRIC = Metric(
    name="csp",
    code="CSP",
    version="1.0.0",
    suite="clinical",
    title="Contraindication and safety penalty",
    unit="turn",
    needs="answer, question, slots_truth, turn_id",
    score=outcomes,
    measures=(
        Measure("safety_penalty", kind="mean", upward=False),
        Measure("safety_penalty_weighted", upward=False),
        Measure("unsafe_answers", upward=False, fault="severe"),
    ),
    totals={
        "applicable_weight": ("safety_penalty_weighted", "total"),
        "violated_weight": ("safety_penalty_weighted", "hits"),
        "unsafe_count": ("unsafe_answers", "hits"),
    },
    source="guide to the advanced metrics, section 2",
)
