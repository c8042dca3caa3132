"""What holds of every figure, whatever the dialogues are."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from building import dialog, recall, turn
from turnmark import contract

PIECES = [
    "波动",
    "回撤 15%",
    "不保证收益",
    "仅供参考",
    "杠杆",
    "短线",
    "数据",
    "风险",
    "稳赚",
    "不建议",
    "稳健",
    "您的",
    "ok",
]
KEYS = ["profile_gt.risk_level_gt", "profile_gt.constraints_gt[0]", "profile_gt.constraints_gt[5]",
        "history_turn_index:1", "nonsense"]  # fmt: skip
RISKS = ["波动风险", "不保证收益", "无明确风险提示", "信用风险", "FX"]
RUBRIC = ["信息依据", "边界声明", "与画像匹配", "例子"]

texts = st.lists(st.sampled_from(PIECES), max_size=5).map("，".join)
some = {
    "keys": st.lists(st.sampled_from(KEYS), max_size=4, unique=True),
    "risks": st.lists(st.sampled_from(RISKS), max_size=4, unique=True),
    "rubric": st.lists(st.sampled_from(RUBRIC), max_size=4, unique=True),
    "label": st.sampled_from(["compliant", "minor_violation", "severe_violation", None]),
    "turn_status": st.sampled_from(["ok", "ok", "ok", "timeout", "error"]),
    "memory": st.fixed_dictionaries({}, optional={"short_term_context": texts, "profile_context": texts}),
}


@st.composite
def turns(draw, number=1):
    fields = {name: draw(strategy) for name, strategy in some.items()}
    return turn(number, draw(texts), **recall(**fields.pop("memory")), **fields)


@st.composite
def dialogs(draw, name="d"):
    listed = [draw(turns(number)) for number in range(1, draw(st.integers(1, 4)) + 1)]
    return dialog(
        name, listed, blueprint={"forbidden_list": ["稳赚"]}, valid_dialog=draw(st.sampled_from([True] * 4 + [False]))
    )


@st.composite
def runs(draw):
    return [draw(dialogs(f"d{number}")) for number in range(draw(st.integers(1, 4)))]


def results(traces):
    rows = contract.build_turn_eval_rows(traces, detect="literal")
    return rows, [
        contract.compute_m1_context_continuity(rows),
        contract.compute_m2_profile_accuracy(traces, detect="literal"),
        contract.compute_m3_risk_coverage(rows),
        contract.compute_m4_compliance(rows),
        contract.compute_m5_explainability(rows),
    ]


@settings(max_examples=60)
@given(runs())
def test_every_figure_lies_in_its_range_and_counts_add_up(traces):
    rows, found = results(traces)
    for result in found:
        for block in (result["micro"], result["macro"], *result["by_dialog"].values()):
            for name, value in block.items():
                assert math.isfinite(value)
                low, high = (1, 5) if name == "judge_score_mean" and result["by_dialog"] else (0, 1)
                assert low - 1e-12 <= value <= high + 1e-12, name
        counts = result["counts"]
        number = len(traces) if result["metric_name"].startswith("m2") else len(rows)
        assert counts["eligible_count"] + counts["skipped_count"] + counts["failed_count"] == number
        if "eligible_turns" in counts:
            assert counts["eligible_turns"] == counts["eligible_count"]


@settings(max_examples=40)
@given(runs(), st.randoms(use_true_random=False))
def test_order_of_dialogues_and_turns_does_not_matter(traces, random):
    shuffled = [{**trace, "turns": random.sample(trace["turns"], len(trace["turns"]))} for trace in traces]
    random.shuffle(shuffled)
    for one, two in zip(results(traces)[1], results(shuffled)[1], strict=True):
        assert one["counts"] == two["counts"]
        for block in ("micro", "macro"):
            assert one[block].keys() == two[block].keys()
            for name, value in one[block].items():
                assert math.isclose(value, two[block][name], abs_tol=1e-12)


@settings(max_examples=40)
@given(dialogs().filter(lambda trace: trace["valid_dialog"]))
def test_macro_is_micro_for_one_dialogue(trace):
    for result in results([trace])[1]:
        for name, value in result["macro"].items():
            assert math.isclose(value, result["micro"][name], abs_tol=1e-12)


@settings(max_examples=60)
@given(runs(), st.data())
def test_adding_a_hit_never_lowers_coverage(traces, data):
    """A reply that says more of what is asked for, or a memory that holds more, is never scored lower for it."""
    before = {name: value for result in results(traces)[1] for name, value in result["micro"].items()}
    trace = data.draw(st.sampled_from(traces))
    changed = data.draw(st.sampled_from(trace["turns"]))
    changed["pred_assistant_text"] += "。" + data.draw(st.sampled_from(["波动风险", "不保证收益", "数据", "例子"]))
    memory = changed["recall"]
    memory["profile_context"] = memory.get("profile_context", "") + "稳健，不使用杠杆"
    after = {name: value for result in results(traces)[1] for name, value in result["micro"].items()}
    for name in ("key_coverage", "strict_key_hit_rate", "profile_hit_rate", "risk_coverage",
                 "strict_risk_coverage_rate", "rubric_hit_rate", "judge_score_mean"):  # fmt: skip
        assert after[name] >= before[name] - 1e-12, name


@settings(max_examples=40)
@given(runs())
def test_micro_is_the_sum_of_the_rows(traces):
    """Every total can be taken from the rows alone."""
    rows, (m1, _, m3, m4, m5) = results(traces)
    keys = [row for row in rows if row["eligible_m1"]]
    assert m1["counts"]["required_key_hit_total"] == sum(sum(row["key_hit_flags"]) for row in keys)
    assert m1["counts"]["required_key_total"] == sum(
        sum(key["resolvable"] for key in row["resolved_keys"]) for row in keys
    )
    assert m3["counts"]["risk_hit_total"] == sum(row["risk_tag_hits"] for row in rows if row["eligible_m3"])
    assert m4["counts"]["severe_count"] == sum(
        row["pred_compliance_label"] == "severe_violation" for row in rows if row["eligible_m4"]
    )
    assert m5["counts"]["rubric_hit_total"] == sum(len(row["rubric_hit_items"]) for row in rows if row["eligible_m5"])


@settings(max_examples=40)
@given(runs())
def test_flags_and_sources_of_a_row_agree(traces):
    for row in contract.build_turn_eval_rows(traces, detect="literal"):
        assert row["key_hit_flags"] == [int(bool(sources)) for sources in row["key_hit_sources"]]
        assert len(row["key_hit_flags"]) == len(row["resolved_keys"]) == len(row["required_keys_raw"])
        for source, count in row["m1_source_hits"].items():
            assert count == sum(source in sources for sources in row["key_hit_sources"])
        assert row["risk_tag_hits"] <= len(row["risk_required_tags"])
        assert set(row["rubric_hit_items"]) <= set(row["rubric_required"])
        if row["turn_status"] != "ok":
            assert not any(row[f"eligible_m{number}"] for number in range(1, 6))
