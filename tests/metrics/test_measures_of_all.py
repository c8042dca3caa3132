"""Every measure: whether more of it is better, what it lies between, and where its metric is shown."""

import pytest

from turnmark.metrics import clinical, finance, rag

OWN = {"finance": finance.METRICS, "clinical": clinical.METRICS, "rag": rag.METRICS}

LESS_IS_BETTER = {
    "finance": {
        "contradiction_rate", "partial_key_rate", "conflicting_key_rate",
        "constraint_breach_rate",
        "severe_violation_rate", "forbidden_hit_rate", "forbidden_category_rate", "words_violation_rate",
        "events_violation_rate", "words_events_disagreement_rate",
    },
    "clinical": {"safety_penalty", "safety_penalty_weighted", "unsafe_answers", "context_contradiction"},
    "rag": {"wrong_abstention", "unanswerable_answered"},
}  # fmt: skip
RANGES = {"judge_score_mean": (1.0, 5.0)}
"""All others are shares."""


@pytest.mark.parametrize("suite", sorted(LESS_IS_BETTER))
def test_of_which_measures_less_is_better(suite):
    measures = [measure for metric in OWN[suite] for measure in metric.measures]
    assert {measure.name for measure in measures if not measure.upward} == LESS_IS_BETTER[suite]


@pytest.mark.parametrize("suite", sorted(LESS_IS_BETTER))
def test_what_measures_lie_between(suite):
    for metric in OWN[suite]:
        for measure in metric.measures:
            assert (measure.low, measure.high) == RANGES.get(measure.name, (0.0, 1.0)), measure.name


def test_one_metric_of_a_finance_turn_may_be_left_out():
    assert {metric.code for metric in finance.METRICS if metric.extra} == {"M1c", "M4b"}
