"""SFS, CSP and CUS as pure counting: by hand, empty cases, properties."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.metrics.clinical import ass, ccr, csp, cus, mcs, sfs, sfs_all, ur
from turnmark.packs.fact_weights import FactWeights
from turnmark.stats.tally import NotApplicable, Ratio, Value


class Claim(NamedTuple):
    type: str
    value: str
    patient_claim: bool = True
    hallucinated: bool = False
    undecided: bool = False


class Rule(NamedTuple):
    weight: float
    violated: bool


WEIGHTS = FactWeights()


def test_slot_factuality_by_hand():
    claims = [
        Claim("medication", "metformin"),
        Claim("lab", "hba1c 7.9", hallucinated=True),
        Claim("condition", "gout"),
        Claim("condition", "gout"),
        Claim("vital", "bmi 22", patient_claim=False),
    ]
    counts = sfs.count(claims, WEIGHTS)
    # Medication 2 + lab 2 + condition 1 (once): 1 - 2 / 5.
    assert counts == sfs.FactCounts(3, 1, 5.0, 2.0)
    assert sfs.outcomes(counts) == (Value(pytest.approx(0.6)), Ratio(3.0, 5.0))
    assert sfs_all.outcomes(counts) == (Value(pytest.approx(0.6)), Ratio(1, 1))


def test_what_the_record_leaves_open_is_no_miss_and_bounds_the_figure():
    claims = [Claim("medication", "metformin"), Claim("lab", "penicillin", undecided=True)]
    (score, share) = sfs.outcomes(sfs.count(claims, WEIGHTS))
    assert (score, share.hits, share.total) == (Value(1.0), 2.0, 2.0)
    assert share.undecided == WEIGHTS.lab
    alone = sfs.count(claims[1:], WEIGHTS)
    assert sfs.outcomes(alone) == NotApplicable(sfs.NOTHING_DECIDED)


def test_nothing_stated_is_one_and_not_eligible():
    counts = sfs.count([Claim("lab", "x", patient_claim=False)], WEIGHTS)
    assert counts.score == 1.0
    assert sfs.outcomes(counts) == NotApplicable(sfs.NOTHING_STATED)
    assert sfs_all.outcomes(counts) == (Value(1.0), Ratio(0, 1))


def test_safety_penalty_by_hand():
    counts = csp.count([Rule(2.0, True), Rule(1.5, False), Rule(0.5, True)])
    assert csp.outcomes(counts) == (Value(pytest.approx(2.5 / 4.0)), Ratio(2.5, 4.0), Ratio(1, 1))
    assert csp.count([]).score == 0.0
    assert csp.outcomes(csp.count([])) == NotApplicable(csp.NO_RULE)


def test_context_use_by_hand():
    counts = cus.count([(2.0, 1.0), (2.0, 0.5), (1.0, 0.0)])
    assert cus.outcomes(counts) == (Value(pytest.approx(3.0 / 5.0)), Ratio(3.0, 5.0), Ratio(2, 3))
    assert cus.count([]).score == 0.0
    assert cus.outcomes(cus.count([])) == NotApplicable(cus.NO_SLOT)


claims = st.lists(
    st.builds(
        Claim, st.sampled_from(["medication", "lab", "condition"]), st.text(max_size=2), st.booleans(), st.booleans()
    ),
    max_size=6,
)


@given(claims)
def test_factuality_stays_in_range_and_falls_with_an_error(listed):
    counts = sfs.count(listed, WEIGHTS)
    assert 0.0 <= counts.score <= 1.0
    worse = sfs.count([*listed, Claim("lab", "an error of its own", hallucinated=True)], WEIGHTS)
    assert worse.score <= counts.score
    assert sfs.count([*listed, *listed], WEIGHTS) == counts


@given(st.lists(st.builds(Rule, st.floats(0.5, 3.0), st.booleans()), min_size=1, max_size=6))
def test_penalty_stays_in_range_and_rises_with_a_violation(rules):
    score = csp.count(rules).score
    assert 0.0 <= score <= 1.0
    assert csp.count([*rules, Rule(1.0, True)]).score >= score - 1e-12


@given(st.lists(st.tuples(st.floats(0.5, 3.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=6))
def test_use_stays_in_range(uses):
    assert 0.0 <= cus.count(uses).score <= 1.0 + 1e-12


def test_contradictions_by_hand():
    # One of four claims contradicts what is known.
    assert ccr.outcomes([True, False, True, True]) == (Ratio(1, 4),)
    assert ccr.outcomes([]) == NotApplicable(ccr.NOTHING_COMPARABLE)


def test_consistency_by_hand():
    assert mcs.outcomes([True, False, True]) == (Ratio(2, 3),)
    assert mcs.outcomes([]) == NotApplicable(mcs.NOTHING_SHARED)


def test_what_was_told_anew_by_hand():
    assert ur.outcomes([1.0, 0.5, 0.0]) == (Ratio(1.5, 3),)
    assert ur.outcomes([]) == NotApplicable(ur.NOTHING_NEW)


def test_elements_by_hand():
    # Specific, touched on, missing: 1.5 of 3, two of them there.
    assert ass.outcomes([1.0, 0.5, 0.0]) == (Ratio(1.5, 3), Ratio(2, 3))
    assert ass.outcomes([]) == NotApplicable(ass.NO_ELEMENT)


def test_an_answer_that_breaks_one_rule_is_unsafe_and_one_that_breaks_none_is_not():
    assert csp.outcomes(csp.count([Rule(1.0, True), Rule(3.0, False)])) == (Value(0.25), Ratio(1.0, 4.0), Ratio(1, 1))
    assert csp.outcomes(csp.count([Rule(1.0, False)])) == (Value(0.0), Ratio(0.0, 1.0), Ratio(0, 1))


def test_one_light_claim_is_a_claim():
    counts = sfs.count([Claim("condition", "gout")], WEIGHTS)
    assert sfs_all.outcomes(counts) == (Value(1.0), Ratio(1, 1))
