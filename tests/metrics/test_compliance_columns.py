"""Columns of M4b, and of M1, M1b and M2 what their worked examples do not reach, each by hand."""

from typing import NamedTuple

import pytest

from turnmark.metrics.finance.compliance_columns import METRIC, fill, label_of, outcomes
from turnmark.metrics.finance.context_continuity import fill as fill_memory
from turnmark.metrics.finance.profile_accuracy import outcomes as profile_outcomes
from turnmark.metrics.finance.reply_key_use import outcomes as key_use
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.turn_eval import ResolvedKey, TurnEvalRow
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Value


class Profile(NamedTuple):
    risk: str
    horizon: str
    liquidity: str
    constraints: set
    preferences: set


def row(**fields):
    eligible = {f"eligible_m{number}": number == 4 for number in range(1, 6)}
    return TurnEvalRow(
        **{"trace_version": "v1", "run_id": "r", "dialog_id": "d", "turn_pair_id": 1, **eligible, **fields}
    )


def piece(polarity, label="x", rule="pack.rule"):
    return Evidence(metric="m4_compliance", polarity=polarity, label=label, rule=rule)


@pytest.mark.parametrize(
    ("polarities", "label"),
    [
        ([], "compliant"),
        (["minor"], "minor_violation"),
        (["severe"], "severe_violation"),
        (["minor", "severe", "minor"], "severe_violation"),
    ],
)
def test_the_gravest_evidence_gives_the_label(polarities, label):
    assert label_of([piece(polarity) for polarity in polarities]) == label


@pytest.mark.parametrize(
    ("by", "words", "events", "label"),
    [
        ("words", "minor", "severe", "as it was"),
        ("events", "severe", "minor", "minor_violation"),
        ("either", "severe", "minor", "severe_violation"),
        ("either", "minor", "severe", "severe_violation"),
    ],
)
def test_the_label_goes_by_the_chosen_evidence(by, words, events, label):
    filled = row(pred_compliance_label="as it was")
    fill(filled, [piece(words)], [piece(events)], [], by)
    assert filled.pred_compliance_label == label
    assert filled.words_compliance_label == label_of([piece(words)])
    assert filled.observed_compliance_label == label_of([piece(events)])


def test_without_events_the_words_alone_are_there():
    filled = row(pred_compliance_label="as it was")
    own = piece("severe", "guaranteed", "pack.forbidden")
    fill(
        filled,
        [own, piece("severe", "promise", "pack.forbidden"), piece("minor", "tone")],
        None,
        [" guaranteed "],
        "events",
    )
    assert (filled.forbidden_hits, filled.forbidden_categories) == (["guaranteed"], ["promise"])
    assert filled.pred_compliance_label == "as it was"
    # A category beyond the dialogue's own list, a violation by words, nothing reported to compare it with.
    assert outcomes(filled) == (Ratio(True, 1), Ratio(True, 1), Ratio(False, 0), Ratio(False, 0))


@pytest.mark.parametrize(
    ("words", "events", "expected"),
    [
        ("compliant", "compliant", (0, 0, 0)),
        ("compliant", "minor_violation", (0, 1, 1)),
        ("severe_violation", "compliant", (1, 0, 1)),
        ("severe_violation", "minor_violation", (1, 1, 1)),
        ("minor_violation", "minor_violation", (1, 1, 0)),
    ],
)
def test_both_columns_and_where_they_differ(words, events, expected):
    filled = row(forbidden_categories=[], words_compliance_label=words, observed_compliance_label=events)
    assert outcomes(filled) == (Ratio(0, 1), *(Ratio(hits, 1) for hits in expected))


def test_rows_that_m4_does_not_judge_or_that_have_one_column_only():
    assert isinstance(outcomes(row(eligible_m4=False)), NotApplicable)
    assert isinstance(outcomes(row()), NotApplicable)
    assert len(METRIC.measures) == 4


def test_use_of_memory_by_hand():
    keys = [
        ResolvedKey(key=name, resolvable=name != "c", target_text=name, resolver="path") for name in ("a", "b", "c")
    ]
    asked = row(eligible_m1=True, resolved_keys=keys, key_use_flags=[1, 0, 0])
    assert key_use(asked) == (Ratio(1, 2), Ratio(False, 1))
    assert isinstance(key_use(row(eligible_m1=False)), NotApplicable)
    broken = row(eligible_m1=True, resolved_keys=keys, key_use_flags=[1, 1, 0], failures={"M1b": "broke"})
    assert key_use(broken) == Failed("broke")
    other = row(eligible_m1=True, resolved_keys=keys, key_use_flags=[1, 1, 0], failures={"M3": "broke"})
    assert key_use(other) == (Ratio(2, 2), Ratio(True, 1))


@pytest.mark.parametrize(
    ("polarities", "presence"),
    [
        ([], "absent"),
        (["partial"], "partial"),
        (["partial", "conflicting"], "conflicting"),
        (["conflicting", "present", "partial"], "present"),
    ],
)
def test_the_strongest_that_memory_held_of_a_key_counts(polarities, presence):
    filled = row()
    found = [Evidence(metric="M1", rule="r", polarity=each, source="recall.items[0].content") for each in polarities]
    fill_memory(filled, [found], [])
    assert filled.key_presence == [presence]
    assert filled.key_hit_flags == [int(presence == "present")]


def test_fields_that_nobody_spoke_of_leave_the_profile_score():
    profile = Profile("medium", "long", "low", {"a"}, {"b"})
    other = Profile("medium", "short", "low", {"a"}, {"c"})
    *fields, whole = profile_outcomes(other, profile, frozenset({"horizon", "preferences"}))
    assert fields == [Value(1.0), Ratio(0, 0), Value(1.0), Value(1.0), Ratio(0, 0)]
    assert whole == Value(1.0)
    assert profile_outcomes(other, profile)[-1] == Value(pytest.approx(3 / 5))
