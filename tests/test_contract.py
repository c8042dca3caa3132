"""The metrics contract v1, function by function: names, positional arguments, results, errors."""

import copy
import inspect
import json
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnmark
from building import REPLY, dataset_dialog, dialog, read_lines, recall, turn, write_lines
from turnmark import contract
from turnmark.errors import PackError, UsageError
from turnmark.schemas.turn_eval import TurnEvalRow

POSITIONAL = {
    "load_dataset_jsonl": ["dataset_path"],
    "classify_dialog_validity": ["dialog_obj"],
    "normalize_dialog": ["dialog_obj"],
    "align_turn_pairs": ["dialog_obj"],
    "build_turn_eval_rows": ["dialog_traces", "risk_tag_mapper", "forbidden_patterns"],
    "detect_key_hits_from_memory_sources": ["target_text", "turn_trace"],
    "resolve_memory_required_key": ["key", "dialog_obj", "turn_pair_id"],
    "compute_m1_context_continuity": ["turn_rows"],
    "compute_m2_profile_accuracy": ["dialog_traces", "dialog_objs"],
    "compute_m3_risk_coverage": ["turn_rows"],
    "compute_m4_compliance": ["turn_rows"],
    "compute_m5_explainability": ["turn_rows"],
    "aggregate_all_metrics": ["run_id", "dataset_path", "metrics", "counters"],
    "write_eval_outputs": ["output_dir", "manifest", "dialog_traces", "turn_rows", "summary"],
    "render_markdown_report": ["summary"],
    "run_dialog_replay": [
        "dialog_obj",
        "run_id",
        "dataset_index",
        "agent_factory",
        "observer_factory",
        "timeout_sec",
    ],
    "build_turn_trace": ["turn_pair", "pred_text", "observer_payload", "latency_ms", "turn_status", "error"],
    "run_eval_parallel": [
        "dataset_path",
        "run_id",
        "max_workers_dialog",
        "max_workers_judge",
        "agent_factory",
        "observer_factory",
    ],
    "evaluate_dialog_task": ["dialog_obj", "dataset_index", "run_id", "agent_factory", "observer_factory"],
}
ROW_METRICS = {
    "m1_context_continuity": (
        contract.compute_m1_context_continuity,
        {"key_coverage", "strict_key_hit_rate", "contradiction_rate", "short_term_hit_rate", "long_term_hit_rate",
         "profile_hit_rate"},
        {"eligible_turns", "required_key_total", "required_key_hit_total", "short_term_hit_total",
         "long_term_hit_total", "profile_hit_total"},
    ),
    "m3_risk_coverage": (
        contract.compute_m3_risk_coverage,
        {"risk_coverage", "strict_risk_coverage_rate"},
        {"risk_required_total", "risk_hit_total", "eligible_turns"},
    ),
    "m4_compliance": (
        contract.compute_m4_compliance,
        {"compliance_label_acc", "severe_violation_rate", "forbidden_hit_rate"},
        {"eligible_turns", "severe_count"},
    ),
    "m5_explainability": (
        contract.compute_m5_explainability,
        {"rubric_hit_rate", "judge_score_mean"},
        {"rubric_required_total", "rubric_hit_total", "judge_scored_turns"},
    ),
}  # fmt: skip


def rows_of(*dialogs, **settings):
    return contract.build_turn_eval_rows(dialogs, **{"detect": "literal", **settings})


@pytest.mark.parametrize("name", POSITIONAL)
def test_signature(name):
    parameters = inspect.signature(getattr(contract, name)).parameters.values()
    assert [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] == POSITIONAL[name]
    beyond = [p for p in parameters if p.kind is not p.POSITIONAL_OR_KEYWORD]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in beyond)


def test_all_names_are_exported():
    assert set(POSITIONAL) | set(TYPES) == set(contract.__all__)
    assert turnmark.contract is contract


# 3. Data loading and validation


def test_load_dataset(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + json.dumps(dataset_dialog("a", mood=1)).encode() + b"\r\n\n" + b'{"x": "\xe5\xa5\xbd"}'
    )
    assert contract.load_dataset_jsonl(str(path)) == [dataset_dialog("a", mood=1), {"x": "好"}]


def test_load_dataset_of_shipped_examples(examples):
    dialogs = contract.load_dataset_jsonl(str(examples / "dataset.jsonl"))
    assert len(dialogs) == 20
    assert [contract.classify_dialog_validity(value) for value in dialogs] == [(True, None)] * 20
    assert sum(len(contract.align_turn_pairs(value)) for value in dialogs) == 171


def test_load_dataset_that_is_missing_raises_as_the_contract_says(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        contract.load_dataset_jsonl(str(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    "raw",
    [b"{", b"[1]", b"null", b'{"a": 1} {"b": 2}', b'{"a": "\xff"}', b"[" * 100_000, b"x" * 100],
    ids=["cut short", "array", "null", "two objects", "not UTF-8", "deep nesting", "no JSON"],
)
def test_load_dataset_with_a_bad_line_raises_json_error_with_file_and_line(raw, tmp_path):
    path = write_lines(tmp_path / "d.jsonl", dataset_dialog(), raw + b"\n", dataset_dialog())
    with pytest.raises(json.JSONDecodeError) as error:
        contract.load_dataset_jsonl(str(path))
    assert str(error.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (dataset_dialog(), None),
        (dataset_dialog(turns=[]), "missing_turns"),
        (dataset_dialog(profile_gt=None), "missing_profile_gt"),
        (dataset_dialog(turns=dataset_dialog()["turns"][1:]), "invalid_turn_sequence"),
        (dataset_dialog(turns=[{"role": "user", "text": "a"}, {"role": "assistant", "text": "b"}]), "missing_gt_tags"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_skip_reason(value, reason):
    assert contract.classify_dialog_validity(value) == (reason is None, reason)


def test_normalised_dialogues_are_new_dicts():
    value = dataset_dialog()
    assert contract.normalize_dialog(value) == contract.normalize_dialog(contract.normalize_dialog(value))
    assert contract.normalize_dialog(value) is not value


def test_pairs_have_the_fields_of_the_contract():
    assert [set(pair) for pair in contract.align_turn_pairs(dataset_dialog())] == [
        {"turn_pair_id", "user_turn_abs_idx", "gt_assistant_abs_idx", "user_text", "gt_assistant_text", "gt_turn_tags"}
    ] * 2


# 5. Preprocess


@pytest.mark.parametrize(
    ("fields", "sources"),
    [
        (recall(short_term_context="user: 稳健"), ["short_term"]),
        (recall(items=[{"content": "a"}, {"content": "稳健"}]), ["long_term"]),
        (recall(profile_context="稳健"), ["profile"]),
        (recall(profile_context="稳健", items=[{"content": "稳健"}], short_term_context="稳健"),
         ["short_term", "long_term", "profile"]),
        (recall(short_term_turns=[{"role": "user", "content": "我稳健"}]), ["short_term"]),
        (recall(short_term_context=None, short_term_turns=[{"role": "user", "content": "我稳健"}]), ["short_term"]),
        (recall(short_term_context="", short_term_turns=[{"role": "user", "content": "我稳健"}]), ["short_term"]),
        (recall(packed_context="稳健", query="稳健"), []),
        (recall(items=[{"content": "稳"}, {"content": "健"}]), []),
        (recall(items=[{"item_id": "稳健", "source": "稳健"}]), []),
        ({"recall": None}, []),
        ({}, []),
        ({"profile_snapshot": {"risk_level": "稳健"}}, []),
    ],
    ids=["short_term", "long_term", "profile", "all three", "turns stand in", "turns stand in for null",
         "an empty window hides no turns", "packed_context is no source", "not across items",
         "only the content of items",
         "recall is null", "no recall", "snapshot is no source"],
)  # fmt: skip
def test_memory_sources(fields, sources):
    assert contract.detect_key_hits_from_memory_sources("稳健", turn(1, **fields)) == sources
    (row,) = rows_of(dialog("d", [turn(1, keys=["profile_gt.risk_level_gt"], **fields)]))
    assert row["key_hit_sources"] == [sources]
    assert row["key_hit_flags"] == [int(bool(sources))]
    assert row["m1_source_hits"] == {name: int(name in sources) for name in ("short_term", "long_term", "profile")}


def test_memory_sources_of_a_turn_with_nothing_but_recall():
    held = contract.detect_key_hits_from_memory_sources
    assert held("a", recall(profile_context="bab"), detect="literal") == ["profile"]
    assert held("", recall(profile_context="bab"), detect="literal") == []


@pytest.mark.parametrize("detect", ["literal", "contextual"])
@pytest.mark.parametrize("text", ["用户属于稳健型", "用户不是稳健型，是进取型", "风险等级：中等"])
def test_memory_sources_agree_with_the_rows(text, detect):
    value = turn(1, keys=["profile_gt.risk_level_gt"], **recall(profile_context=text))
    (row,) = rows_of(dialog("d", [value]), detect=detect)
    (key,) = row["resolved_keys"]
    found = contract.detect_key_hits_from_memory_sources(key["target_text"], value, detect=detect, key=key["key"])
    assert [found] == row["key_hit_sources"]


TYPES = (
    "ComplianceLabel", "ComplianceTrace", "DialogStatus", "DialogTrace", "EvalSummary", "MetricResult", "RecallItem",
    "RecallTrace", "ToolTrace", "TurnEvalRow", "TurnStatus", "TurnTrace",
)  # fmt: skip


def test_the_types_of_the_contract_carry_the_types_of_their_fields():
    assert get_args(contract.TurnStatus) == ("ok", "timeout", "error")
    assert get_args(contract.DialogStatus) == ("ok", "partial", "failed", "skipped")
    assert get_args(contract.ComplianceLabel) == ("compliant", "minor_violation", "severe_violation")
    row = get_type_hints(contract.TurnEvalRow)
    assert row["key_hit_sources"] == list[list[str]]
    assert row["pred_compliance_label"] == contract.ComplianceLabel
    assert get_type_hints(contract.TurnTrace)["recall"] == contract.RecallTrace | None
    assert get_type_hints(contract.DialogTrace)["turns"] == list[contract.TurnTrace]
    assert {name for name in row if name.startswith("eligible")} == {f"eligible_m{number}" for number in range(1, 6)}


@pytest.mark.parametrize(
    "bad",
    [
        None,
        5,
        [],
        {"dialog_id": "b", "turns": 7},
        {"dialog_id": "b", "turns": "zzz"},
        {"dialog_id": "b", "turns": {"a": 1}},
        {"dialog_id": "b", "trace_version": "v9"},
    ],
)
def test_a_dialogue_that_can_not_be_read_is_counted_and_named_and_the_others_stand(bad):
    good = dialog("a", [turn(1, risks=["市场风险"])])
    rows = contract.build_turn_eval_rows([good, bad, {**good, "dialog_id": "c"}], {}, [])
    assert [row["dialog_id"] for row in rows] == ["a", "b" if isinstance(bad, dict) else "#1", "c"]
    assert rows[1]["turn_status"] == "error"
    assert "cannot be read" in rows[1]["failures"]["M3"]
    counts = contract.compute_m3_risk_coverage(rows)["counts"]
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (2, 0, 1)


@pytest.mark.parametrize("name", ["m1_context_continuity", "m3_risk_coverage", "m4_compliance", "m5_explainability"])
def test_a_row_that_is_no_object_failed_and_an_empty_one_is_passed_over(name):
    counts = getattr(contract, f"compute_{name}")([7, "x", {}])["counts"]
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (0, 1, 2)


@pytest.mark.parametrize("given", [None, 5, "rows", {"a": 1}])
@pytest.mark.parametrize("name", [name for name in POSITIONAL if name.startswith("compute_")])
def test_nothing_to_count_gives_zero_counts_and_a_reason(name, given):
    found = getattr(contract, name)(given)
    counts = found["counts"]
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (0, 0, 0)
    assert f"found {type(given).__name__}" in found["reason"]
    assert set(found["micro"].values()) == {0.0}


def test_a_judge_score_of_null_is_no_score():
    row = {"dialog_id": "d", "eligible_m5": True, "rubric_required": ["信息依据"], "rubric_hit_items": ["信息依据"]}
    scored = contract.compute_m5_explainability(
        [row, {**row, "judge_score_1_5": None}, {**row, "judge_score_1_5": 2.0}]
    )
    # the first has 1 + 4 * 1 / 1 = 5, the second none, the third 2
    assert scored["micro"]["judge_score_mean"] == 3.5
    assert scored["counts"]["judge_scored_turns"] == 2
    assert scored["micro"]["rubric_hit_rate"] == 1.0


def test_short_term_turns_are_read_as_lines_of_role_and_content():
    fields = recall(short_term_turns=[{"role": "user", "content": "问"}, {"role": "assistant", "content": "答"}])
    assert contract.detect_key_hits_from_memory_sources("user: 问\nassistant: 答", turn(1, **fields)) == ["short_term"]


def test_resolver_result_is_a_plain_dict():
    found = contract.resolve_memory_required_key("profile_gt.horizon_gt", dialog(), 1)
    assert type(found) is dict
    assert found == {
        "key": "profile_gt.horizon_gt",
        "resolvable": True,
        "target_text": "2年以上",
        "resolver": "profile_field",
    }


def test_rows_are_plain_dicts_with_all_fields_of_the_contract():
    (row,) = rows_of(dialog())
    assert type(row) is dict
    # Where there is nothing to say of these, they are left out.
    columns = {"constraints_held", "forbidden_categories", "words_compliance_label", "observed_compliance_label"}
    told = {"failures", "flags", "marks"} | columns
    fields = set(TurnEvalRow.__struct_encode_fields__)
    assert fields - told <= set(row) <= fields
    assert not {"flags", "marks"} & set(row)
    assert "failures" not in row


def test_positional_mapper_and_patterns():
    value = dialog("d", [turn(1, "净值有波动，闭眼买。", risks=["价格起伏", "信用风险"])])
    (plain,) = contract.build_turn_eval_rows([value], {}, [], detect="literal")
    (mapped,) = contract.build_turn_eval_rows([value], {"价格起伏": "volatility_risk"}, ["闭眼买"], detect="literal")
    assert plain["risk_required_tags"] == ["价格起伏", "credit_risk"]
    assert mapped["risk_required_tags"] == ["volatility_risk", "credit_risk"]
    assert (plain["risk_tag_hits"], mapped["risk_tag_hits"]) == (0, 1)
    assert (plain["forbidden_hits"], mapped["forbidden_hits"]) == ([], ["闭眼买"])
    assert mapped["pred_compliance_label"] == "severe_violation"


@pytest.mark.parametrize(
    ("name", "tag"),
    [("波动风险", "volatility_risk"), ("不保证收益", "no_guaranteed_return"), ("市场不确定性", "market_uncertainty"),
     ("适当性匹配", "suitability_match"), ("不构成个股买卖建议", "not_buy_sell_advice"),
     ("不构成投资建议", "not_investment_advice"), ("信用风险", "credit_risk"), ("流动性风险", "liquidity_risk"),
     ("利率风险", "interest_rate_risk"), ("过往业绩不代表未来表现", "past_performance_not_future"),
     ("无明确风险提示", "risk_disclosure_present"), ("CREDIT_RISK", "credit_risk"), ("量子风险", "量子风险")],
)  # fmt: skip
def test_required_risk_tag_is_brought_to_its_canonical_name(name, tag):
    (row,) = rows_of(dialog("d", [turn(1, f"提示：{name}。", risks=[name])]))
    assert row["risk_required_tags"] == [tag]
    if tag not in ("量子风险", "credit_risk", "risk_disclosure_present"):
        assert row["risk_tag_hits"] == 1, "the reply that says the name itself discloses the risk"


def test_forbidden_patterns_are_literal_not_regular_expressions():
    value = dialog("d", [turn(1, "aaa 稳.赚")])
    assert rows_of(value, forbidden_patterns=["a+", "稳.赚", "["])[0]["forbidden_hits"] == ["稳.赚"]


def test_trace_of_an_invalid_dialogue_gives_no_rows():
    assert rows_of(dialog(valid_dialog=False), dialog("e")) == rows_of(dialog("e"))


@pytest.mark.parametrize("status", ["timeout", "error"])
def test_turn_that_is_not_ok_gives_a_row_that_is_eligible_for_nothing(status):
    asked = {"keys": ["profile_gt.risk_level_gt"], "risks": ["波动风险"], "rubric": ["信息依据"]}
    (row,) = rows_of(dialog("d", [turn(1, **asked, turn_status=status)]))
    assert row["turn_status"] == status
    assert not any(row[f"eligible_m{number}"] for number in range(1, 6))
    (row,) = rows_of(dialog("d", [turn(1, **asked)]))
    assert [row[f"eligible_m{number}"] for number in range(1, 6)] == [True, False, True, True, True]


@pytest.mark.parametrize(
    ("field", "flag"),
    [("memory_required_keys_gt", "eligible_m1"), ("risk_disclosure_required_gt", "eligible_m3"),
     ("explainability_rubric_gt", "eligible_m5")],
)  # fmt: skip
@pytest.mark.parametrize("empty", [[], None, "missing"])
def test_empty_requirement_is_not_eligible(field, flag, empty):
    asked = turn(1, keys=["profile_gt.risk_level_gt"], risks=["波动风险"], rubric=["信息依据"])
    if empty == "missing":
        del asked["gt_turn_tags"][field]
    else:
        asked["gt_turn_tags"][field] = empty
    (row,) = rows_of(dialog("d", [asked]))
    assert row[flag] is False
    flags = {"eligible_m1", "eligible_m3", "eligible_m4", "eligible_m5"} - {flag}
    assert all(row[other] for other in flags)


def test_missing_tags_ask_for_nothing():
    (row,) = rows_of(dialog("d", [turn(1, gt_turn_tags=None)]))
    assert [row[f"eligible_m{number}"] for number in range(1, 6)] == [False, False, False, True, False]
    assert row["gt_compliance_label"] == "compliant"


def test_ground_truth_from_dataset_dialogues():
    bare = dialog("d", [turn(1, keys=["profile_gt.risk_level_gt", "history_turn_index:1"])], profile_gt=None)
    whole = dataset_dialog("d", blueprint={"forbidden_list": ["应急"]}, scenario_type="x")
    (row,) = rows_of(bare, dialog_objs={"d": whole, "e": dataset_dialog("e")})
    assert [key["target_text"] for key in row["resolved_keys"]] == ["稳健", "第1个问题。"]
    assert row["forbidden_hits"] == ["应急"]
    own = rows_of(dialog("d", [turn(1, keys=["profile_gt.risk_level_gt"])]),
                  dialog_objs={"d": dataset_dialog("d", profile_gt={"risk_level_gt": "保守"})})  # fmt: skip
    assert own[0]["resolved_keys"][0]["target_text"] == "稳健", "what the trace carries itself stays"
    bare["raw_turns"] = [{"role": "user", "text": "自己的问题"}]
    assert rows_of(bare, dialog_objs={"d": whole})[0]["resolved_keys"][1]["target_text"] == "自己的问题"
    result = contract.compute_m2_profile_accuracy([bare], {"d": whole}, detect="literal")
    assert result["counts"]["eligible_count"] == 1
    assert contract.compute_m2_profile_accuracy([bare], {}, detect="literal")["counts"]["eligible_count"] == 0


def test_pack_of_the_user(tmp_path):
    pack = tmp_path / "p.yaml"
    pack.write_text("pack: p\nversion: '1'\nlanguage: zh\nrisk_keywords: {volatility_risk: [起伏]}\n", encoding="utf-8")
    value = dialog("d", [turn(1, "净值起伏。", risks=["波动风险"])])
    assert rows_of(value)[0]["risk_tag_hits"] == 0
    assert rows_of(value, packs=[str(pack)])[0]["risk_tag_hits"] == 1


def test_unknown_detectors_and_wrong_packs_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"expected one of .*'literal'.*, found 'magic'"):
        rows_of(dialog(), detect="magic")
    with pytest.raises(PackError, match="cannot be read"):
        rows_of(dialog(), packs=[tmp_path / "none.yaml"])


def test_iterables_are_read_once_and_arguments_are_not_written_to():
    traces = [dialog("a", [turn(1, keys=["history_turn_index:1"])]), dialog("b")]
    before = copy.deepcopy(traces)
    rows = contract.build_turn_eval_rows((value for value in traces), detect="literal")
    assert [row["dialog_id"] for row in rows] == ["a", "b"]
    before_rows = copy.deepcopy(rows)
    for compute, _, _ in ROW_METRICS.values():
        assert compute(iter(rows)) == compute(rows)
    contract.compute_m2_profile_accuracy(iter(traces), detect="literal")
    assert traces == before
    assert rows == before_rows


UNREADABLE = {
    "a text": "turn",
    "null": None,
    "a number": 7,
    "wrong type": {**turn(5), "user_text": 5},
    "unknown status": {**turn(5), "turn_status": "done"},
    "bad recall": {**turn(5), "recall": "x"},
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_turn_that_cannot_be_read_becomes_a_failed_row_and_the_others_stand(name):
    bad = UNREADABLE[name]
    # The first turn carries the number that the bad one would have by its place: they are still told apart.
    good, last = {**turn(1), "turn_pair_id": 2}, turn(3)
    rows = rows_of(dialog("d", [good, bad, last]))
    assert [row["turn_pair_id"] for row in rows] == [2, bad["turn_pair_id"] if isinstance(bad, dict) else 2, 3]
    assert [row["turn_status"] for row in rows] == ["ok", "error", "ok"]
    assert ["failures" in row for row in rows] == [False, True, False]
    assert set(rows[1]["failures"]) >= {"M1", "M3", "M4", "M5"}
    assert not any(rows[1][f"eligible_m{number}"] for number in range(1, 6))
    assert [rows[0], rows[2]] == rows_of(dialog("d", [good, last]))
    counts = contract.compute_m4_compliance(rows)["counts"]
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (2, 0, 1)


def test_turn_of_the_contract_may_leave_any_field_out():
    (row,) = rows_of({"dialog_id": "d", "turns": [{"pred_assistant_text": REPLY}]})
    assert (row["turn_pair_id"], row["turn_status"], row["eligible_m4"]) == (1, "ok", True)


def test_lone_surrogates_in_dicts_do_no_harm():
    rows = rows_of(dialog("d\ud800", [turn(1, "前\ud83d后波动", risks=["波动风险"])]))
    assert rows[0]["risk_tag_hits"] == 1
    json.dumps(rows, ensure_ascii=False).encode()


# 6. Metrics


@pytest.mark.parametrize("name", ROW_METRICS)
def test_metric_result(name):
    compute, micro, counts = ROW_METRICS[name]
    result = compute(rows_of(dialog()))
    assert result["metric_name"] == name
    assert set(result["micro"]) >= micro
    assert set(result["macro"]) <= set(result["micro"])
    assert set(result["counts"]) >= counts | {"eligible_count", "skipped_count", "failed_count"}
    assert isinstance(result["by_dialog"], dict)


def test_metric_result_of_m2():
    result = contract.compute_m2_profile_accuracy([dialog()], {}, detect="literal")
    assert result["metric_name"] == "m2_profile_accuracy"
    assert set(result["micro"]) == {"risk_level_acc", "horizon_acc", "liquidity_acc", "constraints_f1",
                                    "preferences_f1", "profile_score"}  # fmt: skip
    assert set(result["counts"]) == {"eligible_count", "skipped_count", "failed_count"}


@pytest.mark.parametrize("name", ROW_METRICS)
def test_empty_denominator_is_zero_with_nothing_eligible(name):
    result = ROW_METRICS[name][0]([])
    assert set(result["micro"].values()) == {0.0}
    assert set(result["macro"].values()) == {0.0}
    assert result["counts"]["eligible_count"] == 0
    assert set(result["denominators"].values()) == {0.0}


@pytest.mark.parametrize("name", ROW_METRICS)
@pytest.mark.parametrize("row", [{}, {"dialog_id": "x"}, {"mood": 1}])
def test_row_that_leaves_fields_out_is_skipped(name, row):
    counts = ROW_METRICS[name][0]([row])["counts"]
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (0, 1, 0)


@pytest.mark.parametrize("name", ROW_METRICS)
@pytest.mark.parametrize(
    "row",
    [{"eligible_m1": "yes"}, {"rubric_required": 5}, {"trace_version": "v9"}, {"turn_status": "?"},
     {"failures": 3}],
)  # fmt: skip
def test_row_that_cannot_be_read_is_failed_and_nothing_is_raised(name, row):
    counts = ROW_METRICS[name][0]([row, *rows_of(dialog())])["counts"]
    assert counts["failed_count"] == 1
    assert counts["eligible_count"] + counts["skipped_count"] == 1


@pytest.mark.parametrize("trace", [5, None, "x", {"turns": 5}, {"dialog_id": 7}, {"valid_dialog": "yes"}, []])
def test_m2_of_what_is_no_dialogue_is_failed_and_nothing_is_raised(trace):
    counts = contract.compute_m2_profile_accuracy([trace, dialog("d")], detect="literal")["counts"]
    assert (counts["eligible_count"], counts["failed_count"]) == (1, 1)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_score_that_is_no_number_is_failed_and_never_an_average(score):
    row = {"dialog_id": "d", "eligible_m5": True, "rubric_required": ["a"], "rubric_hit_items": []}
    result = contract.compute_m5_explainability([row, {**row, "judge_score_1_5": score}])
    assert result["micro"]["judge_score_mean"] == 1.0
    assert result["counts"]["failed_count"] == 1


JSON = st.recursive(st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=3),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
                    max_leaves=5)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(st.dictionaries(st.sampled_from(TurnEvalRow.__struct_fields__), JSON, max_size=6), max_size=4))
def test_no_rows_make_a_metric_raise(rows):
    for compute, micro, _ in ROW_METRICS.values():
        result = compute(rows)
        counts = result["counts"]
        assert set(result["micro"]) >= micro
        assert counts["eligible_count"] + counts["skipped_count"] + counts["failed_count"] == len(rows)


# 7. Aggregation and reporting


def everything(*dialogs):
    rows = rows_of(*dialogs)
    metrics = {name: compute(rows) for name, (compute, _, _) in ROW_METRICS.items()}
    metrics["m2_profile_accuracy"] = contract.compute_m2_profile_accuracy(dialogs, detect="literal")
    return rows, contract.aggregate_all_metrics("run_1", "data.jsonl", metrics, {"total_dialogs": len(dialogs)})


def test_aggregated_summary():
    _, summary = everything(dialog())
    assert set(summary) == {"run_id", "trace_version", "dataset_path", "metrics", "counters"}
    assert summary["trace_version"] == "v1"
    assert set(summary["metrics"]) == {*ROW_METRICS, "m2_profile_accuracy"}


MANIFEST = {
    "trace_version": "v1",
    "run_id": "run_1",
    "dataset_path": "data.jsonl",
    "started_at": "2026-02-17T13:05:00Z",
    "model_name": "m",
    "workers_dialog": 1,
    "workers_judge": 1,
    "counters": {},
    "own": {"kept": True},
}


def test_outputs_are_a_run_folder_that_passes_its_check(tmp_path, cli):
    rows, summary = everything(dialog("a", [turn(1, "好\ud800")], mood=[1]))
    contract.write_eval_outputs(str(tmp_path / "run"), MANIFEST, iter([dialog("a", mood=[1])]), iter(rows), summary)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        ".lock",
        "dialog_trace.jsonl",
        "metrics_summary.json",
        "run_manifest.json",
        "turn_eval.jsonl",
    ]
    assert cli("check", tmp_path / "run").code == 0
    assert read_lines(tmp_path / "run" / "dialog_trace.jsonl") == [dialog("a", mood=[1])]
    assert read_lines(tmp_path / "run" / "turn_eval.jsonl") == rows
    manifest = json.loads((tmp_path / "run" / "run_manifest.json").read_bytes())
    assert {name: manifest[name] for name in MANIFEST} == MANIFEST
    assert cli("report", tmp_path / "run").code == 0


def test_outputs_appear_all_or_not_at_all(tmp_path):
    rows, summary = everything(dialog())

    def breaking():
        yield rows[0]
        message = "the source broke"
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match="the source broke"):
        contract.write_eval_outputs(str(tmp_path / "run"), MANIFEST, [dialog()], breaking(), summary)
    assert not (tmp_path / "run").exists()


def test_outputs_into_a_file_are_refused(tmp_path):
    (tmp_path / "run").write_text("x")
    rows, summary = everything(dialog())
    with pytest.raises(UsageError, match="expected a folder that can be written"):
        contract.write_eval_outputs(str(tmp_path / "run"), MANIFEST, [dialog()], rows, summary)


def test_markdown_report_of_a_contract_summary_shows_figures_and_na():
    _, summary = everything(
        dialog("d", [turn(1, "有波动，数据可查。", risks=["波动风险"], rubric=["信息依据", "边界声明"])])
    )
    text = contract.render_markdown_report(summary)
    for name in ("key_coverage", "strict_key_hit_rate", "contradiction_rate", "profile_score", "risk_coverage",
                 "strict_risk_coverage_rate", "compliance_label_acc", "severe_violation_rate", "rubric_hit_rate",
                 "judge_score_mean"):  # fmt: skip
        assert name in text
    line = next(line for line in text.splitlines() if "rubric_hit_rate" in line)
    assert "0.500" in line
    assert "n/a" in next(line for line in text.splitlines() if "key_coverage" in line)


@pytest.mark.parametrize("odd", [None, 7, "x", [1], {"turns": 7}, {"turns": "zzz"}, {"turns": [7]}, {}], ids=repr)
def test_what_is_no_dialogue_is_told_and_nothing_is_raised(odd):
    assert contract.classify_dialog_validity(odd)[0] is False
    assert isinstance(contract.normalize_dialog(odd), dict)
    assert contract.align_turn_pairs(odd) == []
    assert contract.detect_key_hits_from_memory_sources("稳健", odd) == []
    key = contract.resolve_memory_required_key("profile_gt.risk_level_gt", odd, 1)
    assert (key["resolvable"], key["resolver"]) == (False, "unresolved")
    good = contract.build_turn_eval_rows([dialog()])
    assert contract.build_turn_eval_rows([odd, dialog()])[-len(good) :] == good
