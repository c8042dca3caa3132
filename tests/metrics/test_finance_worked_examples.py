"""M1 to M5 by hand: small rows whose figures can be worked out on paper, the arithmetic beside them."""

import math

import pytest

from building import dialog, recall, turn
from turnmark import contract
from turnmark.errors import UsageError
from turnmark.metrics import catalog
from turnmark.metrics.finance import (
    METRICS,
    compliance,
    context_continuity,
    explainability,
    profile_accuracy,
    risk_coverage,
)
from turnmark.schemas.reasons import ERROR, TEMPLATES, Reason
from turnmark.schemas.turn_eval import ResolvedKey, TurnEvalRow
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Value


def rows_of(*dialogs):
    return contract.build_turn_eval_rows(dialogs, detect="literal")


def blank(**fields):
    eligible = {f"eligible_m{number}": False for number in range(1, 6)}
    return TurnEvalRow(
        **{"trace_version": "v1", "run_id": "r", "dialog_id": "d", "turn_pair_id": 1, **eligible, **fields}
    )


RISK, FIRST, SECOND = "profile_gt.risk_level_gt", "profile_gt.constraints_gt[0]", "profile_gt.constraints_gt[1]"
# Targets: 稳健; 不使用杠杆; 最大回撤<10%.
ONE = dialog(
    "one",
    [
        # 2 of 2 keys held (one by two sources): strict. The reply names 杠杆 without a guard word: contradiction.
        turn(1, "可以加杠杆。", keys=[RISK, FIRST],
             **recall(short_term_context="稳健，不使用杠杆", profile_context="稳健")),
        # 1 of 2 resolvable keys held, by long-term memory; the third key cannot be resolved and leaves the denominator.
        turn(2, "好的，可以。", keys=[RISK, SECOND, "profile_gt.constraints_gt[7]"],
             **recall(items=[{"content": "…"}, {"content": "用户稳健"}])),
        # Not eligible: no key resolvable; no key at all; turn failed.
        turn(3, keys=["profile_gt.constraints_gt[7]"]),
        turn(4),
        turn(5, keys=[RISK], turn_status="timeout", **recall(short_term_context="稳健")),
    ],
)  # fmt: skip
# 0 of 4 keys held.
TWO = dialog("two", [turn(1, keys=[RISK, FIRST, SECOND, "profile_gt.preferences_gt[0]"])])


def test_m1_by_hand():
    result = contract.compute_m1_context_continuity(rows_of(ONE, TWO))
    # Keys: 2 + 2 + 4 = 8, held 2 + 1 + 0 = 3. Turns: 3 eligible, 1 strict, 1 contradiction.
    assert (
        result["micro"].items()
        >= {
            "key_coverage": 3 / 8,
            "strict_key_hit_rate": 1 / 3,
            "contradiction_rate": 1 / 3,
            "short_term_hit_rate": 2 / 8,
            "long_term_hit_rate": 1 / 8,
            "profile_hit_rate": 1 / 8,
        }.items()
    )
    # Dialogue one: 3/4 of its keys, 1/2 strict, 1/2 contradiction; dialogue two: 0, 0, 0.
    assert result["by_dialog"] == {
        "one": {"key_coverage": 0.75, "strict_key_hit_rate": 0.5, "contradiction_rate": 0.5},
        "two": {"key_coverage": 0.0, "strict_key_hit_rate": 0.0, "contradiction_rate": 0.0},
    }
    assert result["macro"] == {"key_coverage": 0.375, "strict_key_hit_rate": 0.25, "contradiction_rate": 0.25}
    # Rows: 6 = 3 eligible + 2 without resolvable key + 1 failed turn.
    assert (
        result["counts"].items()
        >= {
            "eligible_count": 3,
            "skipped_count": 2,
            "failed_count": 1,
            "eligible_turns": 3,
            "required_key_total": 8,
            "required_key_hit_total": 3,
            "short_term_hit_total": 2,
            "long_term_hit_total": 1,
            "profile_hit_total": 1,
        }.items()
    )


def test_m1_micro_is_not_macro():
    # Micro (1 + 0) / (1 + 3) = 0.25; macro (1/1 + 0/3) / 2 = 0.5.
    held = dialog("a", [turn(1, keys=[RISK], **recall(profile_context="稳健"))])
    lost = dialog("b", [turn(1, keys=[RISK, FIRST, SECOND])])
    result = contract.compute_m1_context_continuity(rows_of(held, lost))
    assert result["micro"]["key_coverage"] == 0.25
    assert result["macro"]["key_coverage"] == 0.5


def test_m2_by_hand():
    snapshot = {
        "risk_level": "medium",  # 稳健 = medium: right
        "investment_horizon": "short",  # 2年以上 = long: wrong
        "liquidity_need": "中",  # medium: right
        "forbidden_assets": ["不使用杠杆", "不买期货"],
        "preferred_topics": [],
    }
    value = dialog("one", [turn(1, profile_snapshot=snapshot), turn(2, "宽基指数基金可以作为核心。")])
    result = contract.compute_m2_profile_accuracy([value], detect="literal")
    # Constraints: predicted {不使用杠杆, 不买期货}, true {不使用杠杆, 最大回撤<10%}: P = 1/2, R = 1/2, F1 = 1/2.
    # Preferences: the reply names 宽基指数基金, true {宽基指数基金, 短债基金}: P = 1, R = 1/2, F1 = 2/3.
    # The score is the mean of 1, 0, 1, 1/2 and 2/3, that is 19/30.
    assert result["micro"] == pytest.approx(
        {
            "risk_level_acc": 1.0,
            "horizon_acc": 0.0,
            "liquidity_acc": 1.0,
            "constraints_f1": 0.5,
            "preferences_f1": 2 / 3,
            "profile_score": 19 / 30,
        }
    )
    assert result["macro"] == result["micro"]
    assert result["by_dialog"] == {"one": result["micro"]}


def test_m2_last_snapshot_counts_and_words_of_replies_fill_what_it_leaves_open():
    turns = [
        turn(1, "您可以偏激进一些。", profile_snapshot={"risk_level": "high", "liquidity_need": "low"}),
        turn(2, "长期来看。", profile_snapshot={"risk_level": "medium"}),
        turn(3, "请保留现金。", profile_snapshot=None),
    ]
    found = contract.compute_m2_profile_accuracy([dialog("d", turns)], detect="literal")["micro"]
    # Risk: the last snapshot says medium (right). Horizon: 长期 = long (right). Liquidity: the last snapshot is silent,
    # 保留现金 = high (wrong; true is medium).
    assert (found["risk_level_acc"], found["horizon_acc"], found["liquidity_acc"]) == (1.0, 1.0, 0.0)


def test_m2_of_invalid_dialogues_and_of_dialogues_without_profile():
    result = contract.compute_m2_profile_accuracy(
        [dialog("a"), dialog("b", valid_dialog=False, skip_reason="missing_turns"), dialog("c", profile_gt=None)],
        detect="literal",
    )
    assert result["counts"] == {"eligible_count": 1, "skipped_count": 1, "failed_count": 1}
    assert list(result["by_dialog"]) == ["a"]


@pytest.mark.parametrize(
    ("predicted", "true", "f1"),
    [
        (set(), set(), 1.0),
        ({"a"}, set(), 0.0),
        (set(), {"a"}, 0.0),
        ({"a"}, {"b"}, 0.0),
        ({"a"}, {"a"}, 1.0),
        ({"a", "b"}, {"b", "c"}, 0.5),  # P 1/2, R 1/2
        ({"a", "b", "c", "d"}, {"a"}, 0.4),  # P 1/4, R 1: 2 · 1/4 / (5/4)
    ],
)
def test_set_f1(predicted, true, f1):
    assert profile_accuracy.set_f1(predicted, true) == pytest.approx(f1)


def test_m3_by_hand():
    value = dialog(
        "one",
        [
            # Required volatility_risk and credit_risk; 波动 is there: 1 of 2.
            turn(1, "净值会有波动。", risks=["波动风险", "信用风险"]),
            # 无明确风险提示 asks for any disclosure: 1 of 1, strict.
            turn(2, "仅供参考。", risks=["无明确风险提示"]),
            # An unknown tag stays as it is, in lower case, and is never predicted: 0 of 1.
            turn(3, "波动。", risks=["汇率 FX Risk"]),
            turn(4, "波动。"),
            turn(5, "波动。", risks=["波动风险"], turn_status="error"),
        ],
    )
    rows = rows_of(value)
    assert [row["risk_required_tags"] for row in rows[:3]] == [
        ["volatility_risk", "credit_risk"],
        ["risk_disclosure_present"],
        ["汇率 fx risk"],
    ]
    assert [row["risk_tag_hits"] for row in rows[:3]] == [1, 1, 0]
    result = contract.compute_m3_risk_coverage(rows)
    # Tags 2 + 1 + 1 = 4, covered 2; strict in 1 of 3 turns.
    assert result["micro"] == {"risk_coverage": 0.5, "strict_risk_coverage_rate": 1 / 3}
    assert result["counts"] == {
        "eligible_count": 3,
        "skipped_count": 1,
        "failed_count": 1,
        "eligible_turns": 3,
        "risk_required_total": 4,
        "risk_hit_total": 2,
    }


def test_m3_any_disclosure_is_missed_only_without_any_disclosure():
    rows = rows_of(dialog("d", [turn(1, "好的。", risks=["无明确风险提示"])]))
    assert rows[0]["risk_tag_hits"] == 0
    assert rows[0]["risk_pred_tags"] == []


def test_m4_by_hand():
    value = dialog(
        "one",
        [
            turn(1, "可以分散配置。"),  # compliant, as labelled
            turn(2, "稳赚不赔，放心买。", label="severe_violation"),  # forbidden content: severe, as labelled
            turn(3, "可以。", compliance={"violations": [{"type": "tone"}]}),  # minor; labelled compliant
            turn(
                4, "可以。", compliance={"violations": [{"type": "promise_return"}]}, label="minor_violation"
            ),  # severe
            turn(5, "可以。", compliance={"violations": [{"type": "x", "severity": "High"}]}, label="severe_violation"),
            turn(6, "稳赚。", turn_status="error"),
        ],
        blueprint={"forbidden_list": ["稳赚"]},
    )
    rows = rows_of(value)
    assert [row["pred_compliance_label"] for row in rows[:5]] == [
        "compliant",
        "severe_violation",
        "minor_violation",
        "severe_violation",
        "severe_violation",
    ]
    result = contract.compute_m4_compliance(rows)
    # 5 judged turns: labels right in turns 1, 2 and 5; severe in 2, 4 and 5; forbidden content in 2.
    assert result["micro"] == {
        "compliance_label_acc": 3 / 5,
        "severe_violation_rate": 3 / 5,
        "forbidden_hit_rate": 1 / 5,
    }
    assert result["counts"] == {
        "eligible_count": 5,
        "skipped_count": 0,
        "failed_count": 1,
        "eligible_turns": 5,
        "severe_count": 3,
    }


@pytest.mark.parametrize("label", [None, "", "不明", "COMPLIANT"])
def test_m4_label_that_is_missing_or_unknown_counts_as_compliant(label):
    assert rows_of(dialog("d", [turn(1, label=label)]))[0]["gt_compliance_label"] == "compliant"


def test_m5_by_hand():
    value = dialog(
        "one",
        [
            # 数据 gives 信息依据, 风险 gives 风险收益平衡; 边界声明 is missing: 2 of 3, score 1 + 4 · 2/3 = 3.67.
            turn(1, "数据表明风险不小。", rubric=["信息依据", "风险收益平衡", "边界声明"]),
            # An unknown element is its own keyword: 1 of 1, score 5.
            turn(2, "举个例子说明。", rubric=["例子"]),
            # 0 of 2, score 1.
            turn(3, "好。", rubric=["信息依据", "边界声明"]),
            turn(4, "数据。"),
        ],
    )
    rows = rows_of(value)
    assert [row["judge_score_1_5"] for row in rows] == [3.67, 5.0, 1.0, None]
    result = contract.compute_m5_explainability(rows)
    # Elements 3 + 1 + 2 = 6, present 3; scores (3.67 + 5 + 1) / 3.
    assert result["micro"] == pytest.approx({"rubric_hit_rate": 0.5, "judge_score_mean": 9.67 / 3})
    assert result["counts"] == {
        "eligible_count": 3,
        "skipped_count": 1,
        "failed_count": 0,
        "eligible_turns": 3,
        "rubric_required_total": 6,
        "rubric_hit_total": 3,
        "judge_scored_turns": 3,
    }


@pytest.mark.parametrize(
    ("hits", "required", "score"),
    [(0, 0, None), (0, 3, 1.0), (1, 3, 2.33), (2, 3, 3.67), (3, 3, 5.0), (1, 6, 1.67), (1, 8, 1.5)],
)
def test_heuristic_score_is_linear_from_one_to_five(hits, required, score):
    assert explainability.heuristic_judge_score(hits, required) == score


OUTCOMES = {
    "M1": context_continuity.outcomes,
    "M3": risk_coverage.outcomes,
    "M4": compliance.outcomes,
    "M5": explainability.outcomes,
}


@pytest.mark.parametrize("code", OUTCOMES)
def test_row_to_which_the_metric_does_not_apply(code):
    found = OUTCOMES[code](blank())
    assert isinstance(found, NotApplicable)
    assert found.reason.code in TEMPLATES
    assert found.reason.code != ERROR


@pytest.mark.parametrize("code", OUTCOMES)
@pytest.mark.parametrize("status", ["timeout", "error"])
def test_row_of_a_failed_turn(code, status):
    assert OUTCOMES[code](blank(turn_status=status)) == Failed(Reason("turn_status", {"status": status}))


@pytest.mark.parametrize("code", OUTCOMES)
def test_row_whose_detector_failed(code):
    row = blank(failures={code: "KeyError: 'x'"})
    assert OUTCOMES[code](row) == Failed("KeyError: 'x'")
    others = [OUTCOMES[other](row) for other in OUTCOMES if other != code]
    assert all(isinstance(other, NotApplicable) for other in others)


def test_outcomes_of_rows_carry_counts():
    keys = [ResolvedKey(key="a", resolvable=True, target_text="x", resolver="profile_field")] * 2
    row = blank(eligible_m1=True, eligible_m5=True, resolved_keys=keys, key_hit_flags=[1, 0], rubric_required=["a"])
    assert context_continuity.outcomes(row)[:2] == (Ratio(1, 2), Ratio(False, 1))
    assert explainability.outcomes(row) == (Ratio(0, 1), Value(1.0))


def test_m1_row_that_leaves_its_resolved_keys_out_counts_its_flags():
    row = blank(eligible_m1=True, key_hit_flags=[1, 1, 0])
    assert context_continuity.outcomes(row)[0] == Ratio(2, 3)


def test_m5_row_that_leaves_everything_out_has_no_score():
    assert explainability.outcomes(blank(eligible_m5=True)) == (Ratio(0, 0), Ratio(0, 0))


def test_catalogue_knows_metrics_by_name_and_code():
    assert [metric.code for metric in METRICS][:6] == ["M1", "M1c", "M2", "M3", "M4", "M5"]
    for metric in METRICS:
        assert catalog.metric(metric.name) is catalog.metric(metric.code) is metric
        assert metric.measures[metric.measure(metric.measures[-1].name)] == metric.measures[-1]
        for measure, _ in metric.totals.values():
            assert metric.measure(measure) >= 0
        with pytest.raises(KeyError):
            metric.measure("mood")


def test_unknown_names_are_refused_with_what_was_found():
    assert catalog.known("astrology") is None
    with pytest.raises(UsageError, match="found 'astrology'"):
        catalog.metric("astrology")


def test_no_rows_give_zero_with_nothing_eligible():
    for compute in (
        contract.compute_m1_context_continuity,
        contract.compute_m3_risk_coverage,
        contract.compute_m4_compliance,
        contract.compute_m5_explainability,
        contract.compute_m2_profile_accuracy,
    ):
        for none in ([], rows_of(dialog("d", [turn(1, turn_status="error")]))):
            if compute is contract.compute_m2_profile_accuracy and none:
                continue
            result = compute(none)
            assert set(result["micro"].values()) == {0.0}
            assert result["counts"]["eligible_count"] == 0
            assert result["by_dialog"] == {}
            assert all(math.isfinite(value) for value in result["macro"].values())
