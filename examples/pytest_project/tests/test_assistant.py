"""What the assistant must keep."""

import pytest


@pytest.mark.turnmark(run="runs/candidate", baseline="runs/main")
def test_memory_is_no_worse_than_before(turnmark_run):
    turnmark_run.expect("M1.key_coverage", no_worse_than_baseline=0.02)


@pytest.mark.turnmark(run="runs/candidate")
def test_required_risks_are_disclosed(turnmark_run):
    turnmark_run.expect("M3.risk_coverage", at_least=0.6)


@pytest.mark.turnmark(run="runs/candidate")
def test_severe_violations_are_rare(turnmark_run):
    # Twenty dialogues without one do not show that they are rarer than one in a hundred: this test is skipped, with
    # the reason, until there are enough.
    turnmark_run.expect("M4.severe_violation_rate", at_most=0.01)


@pytest.mark.turnmark(run="runs/candidate", baseline="runs/main")
def test_memory_got_better(turnmark_run):
    compared = turnmark_run.against_baseline("M1.key_coverage")
    assert compared.difference > 0.1
    assert compared.p_value < 0.05


def test_an_answer_is_faithful(turnmark_case):
    results = turnmark_case(
        question="What is the minimum down payment?",
        answer="The minimum down payment is 3.5%.",
        retrieved_contexts=["Loans of this kind allow a minimum down payment of 3.5%."],
    )
    assert results["faithfulness"].score == 1.0
