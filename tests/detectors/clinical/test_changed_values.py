"""Values that something is said to have come to, against targets and bounds in the same words."""

from __future__ import annotations

import pytest

from turnmark.clinical import extract_facts

_RECORD = {"key_labs": {"hba1c": "7.4%", "hemoglobin": "11.2g/dL"}}


def _wrong(answer):
    return [fact.quote for fact in extract_facts(answer, _RECORD) if fact.hallucinated]


@pytest.mark.parametrize(
    "answer",
    [
        "Your HbA1c went up to 9%.",
        "Your HbA1c is now down to 6.1%.",
        "Your HbA1c has gone from 9.1 to 8.4 in six months.",
        "당화혈색소가 반년 사이 9.1에서 8.4로 떨어졌습니다.",
        "您的糖化血红蛋白升到9%了。",
        "半年里糖化血红蛋白从9.1降到8.4。",
    ],
)
def test_another_value_that_was_reached_is_wrong_once(answer):
    assert len(_wrong(answer)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "We want your HbA1c to come down to 6.5%.",
        "If your HbA1c went up to 9% we would add insulin.",
        "Your HbA1c should get down to 7%.",
        "希望糖化血红蛋白降到6.5%。",
        "糖化血红蛋白降到6.5%以下就好。",
        "血红蛋白从10.1升到11.2。",
        "Your hemoglobin rose from 10.1 to 11.2.",
    ],
)
def test_targets_conditions_and_what_the_record_holds_are_not_wrong(answer):
    assert _wrong(answer) == []
