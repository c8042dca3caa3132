"""Trace v1 as the specification lists it: every enum, every required and optional field, by name."""

import msgspec
import pytest

from building import dialog, line, turn
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.results.manifest import RunManifest
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow

MANIFEST = {
    "trace_version": "v1",
    "run_id": "20260217_210500_abc123",
    "dataset_path": "eval/datasets/MemFinConv.jsonl",
    "started_at": "2026-02-17T13:05:00Z",
    "ended_at": "2026-02-17T13:21:42Z",
    "model_name": "qwen-plus",
    "workers_dialog": 4,
    "workers_judge": 2,
    "counters": {"total_dialogs": 8, "valid_dialogs": 4},
    "notes": "test run",
}
TURN = {
    **turn(1, recall={}),
    "latency_ms": 1820.5,
    "error": None,
    "recall": {
        "query": "我想先了解一下...",
        "short_term_context": "user: ...\nassistant: ...",
        "short_term_turns": [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}],
        "profile_context": "",
        "packed_context": "...",
        "token_count": 302,
        "items": [
            {
                "rank": 1,
                "item_id": "8e4c...",
                "content": "用户: ...",
                "score": 0.73,
                "source": "semantic+keyword",
                "turn_index": 3,
                "session_id": "session_3e53acb5",
            }
        ],
    },
    "tools": [
        {
            "tool_name": "risk_template",
            "args": {"product_type": "fund"},
            "result_excerpt": '{"success":true,...}',
            "latency_ms": 55.0,
            "error": None,
        }
    ],
    "compliance": {
        "needs_modification": False,
        "is_compliant": True,
        "violations": [],
        "risk_disclaimer_added": True,
        "suitability_warning": None,
    },
    "profile_snapshot": {
        "risk_level": "medium",
        "investment_horizon": "long",
        "liquidity_need": "medium",
        "investment_goal": "stable_growth",
        "preferred_topics": ["基金", "债券"],
        "forbidden_assets": [],
        "max_acceptable_loss": 0.1,
    },
}
DIALOG = dialog(
    turns=[TURN],
    skip_reason=None,
    worker_id=2,
    session_id="session_3e53acb5",
    user_id="eval_user_3e53acb5",
    dialog_error=None,
)
ROW = {
    "trace_version": "v1",
    "run_id": "20260217_210500_abc123",
    "dialog_id": "3e53acb5",
    "turn_pair_id": 1,
    "eligible_m1": True,
    "eligible_m2": False,
    "eligible_m3": True,
    "eligible_m4": True,
    "eligible_m5": True,
    "required_keys_raw": ["profile_gt.risk_level_gt"],
    "resolved_keys": [
        {
            "key": "profile_gt.risk_level_gt",
            "resolvable": True,
            "target_text": "稳健",
            "resolver": "profile_field",
        }
    ],
    "key_hit_flags": [1],
    "key_hit_sources": [["short_term"]],
    "m1_source_hits": {"short_term": 1, "long_term": 0, "profile": 0},
    "constraint_contradiction": 0,
    "risk_required_tags": ["market_uncertainty"],
    "risk_pred_tags": ["market_uncertainty", "not_buy_sell_advice"],
    "risk_tag_hits": 1,
    "forbidden_hits": [],
    "pred_compliance_label": "compliant",
    "gt_compliance_label": "compliant",
    "rubric_required": ["信息依据", "边界声明"],
    "rubric_hit_items": ["信息依据", "边界声明"],
    "judge_score_1_5": 4.0,
}


def read(record_type, value):
    """The record, or the messages of its faults."""
    found = Reader(record_type).decode(Line("f", 1, line(value).strip()))
    return [str(problem) for problem in found] if isinstance(found, list) else found.value


def without(value, name):
    return {key: entry for key, entry in value.items() if key != name}


@pytest.mark.parametrize(
    ("record_type", "example"),
    [(RunManifest, MANIFEST), (DialogTrace, DIALOG), (TurnEvalRow, ROW)],
    ids=["RunManifest", "DialogTrace", "TurnEvalRow"],
)
def test_the_example_of_the_specification_is_read_and_written_again(record_type, example):
    record = read(record_type, example)
    assert isinstance(record, record_type)
    written = msgspec.to_builtins(record)
    assert {name: written[name] for name in example} == example


@pytest.mark.parametrize("name", ["trace_version", "run_id", "dataset_path", "started_at", "model_name",
                                  "workers_dialog", "workers_judge", "counters"])  # fmt: skip
def test_required_field_of_the_manifest(name):
    assert read(RunManifest, without(MANIFEST, name)) == [
        f"f:1: $.{name}: expected a value (the field is required), found no such field"
    ]


@pytest.mark.parametrize("name", ["ended_at", "notes"])
def test_optional_field_of_the_manifest(name):
    assert getattr(read(RunManifest, without(MANIFEST, name)), name) is None


@pytest.mark.parametrize("name", ["trace_version", "run_id", "dialog_id", "dataset_index", "dialog_status",
                                  "valid_dialog"])  # fmt: skip
def test_required_field_of_a_dialogue(name):
    assert read(DialogTrace, without(DIALOG, name)) == [
        f"f:1: $.{name}: expected a value (the field is required), found no such field"
    ]


@pytest.mark.parametrize("name", ["scenario_type", "difficulty", "skip_reason", "worker_id", "session_id", "user_id",
                                  "turns", "dialog_error", "profile_gt", "blueprint", "raw_turns"])  # fmt: skip
def test_optional_field_of_a_dialogue(name):
    assert getattr(read(DialogTrace, without(DIALOG, name)), name) is None
    assert getattr(read(DialogTrace, {**DIALOG, name: None}), name) is None


@pytest.mark.parametrize("name", ["turn_pair_id", "user_turn_abs_idx", "gt_assistant_abs_idx", "user_text",
                                  "gt_assistant_text", "gt_turn_tags", "turn_status"])  # fmt: skip
def test_required_field_of_a_turn(name):
    assert read(DialogTrace, dialog(turns=[without(TURN, name)])) == [
        f"f:1: $.turns[0].{name}: expected a value (the field is required), found no such field"
    ]


@pytest.mark.parametrize("name", ["pred_assistant_text", "latency_ms", "error", "recall", "tools", "compliance",
                                  "profile_snapshot"])  # fmt: skip
def test_optional_field_of_a_turn(name):
    assert getattr(read(DialogTrace, dialog(turns=[without(TURN, name)])).turns[0], name) is None


@pytest.mark.parametrize("block", ["recall", "compliance", "profile_snapshot"])
def test_optional_blocks_may_leave_any_field_out(block):
    for name in TURN[block]:
        read_back = read(DialogTrace, dialog(turns=[{**TURN, block: without(TURN[block], name)}]))
        assert isinstance(read_back, DialogTrace)
    assert isinstance(read(DialogTrace, dialog(turns=[{**TURN, block: {}}])), DialogTrace)


@pytest.mark.parametrize("name", ["trace_version", "run_id", "dialog_id", "turn_pair_id", "eligible_m1", "eligible_m2",
                                  "eligible_m3", "eligible_m4", "eligible_m5"])  # fmt: skip
def test_required_field_of_a_row(name):
    assert read(TurnEvalRow, without(ROW, name)) == [
        f"f:1: $.{name}: expected a value (the field is required), found no such field"
    ]


@pytest.mark.parametrize("name", ["required_keys_raw", "resolved_keys", "key_hit_flags", "key_hit_sources",
                                  "m1_source_hits", "constraint_contradiction", "risk_required_tags", "risk_pred_tags",
                                  "risk_tag_hits", "forbidden_hits", "pred_compliance_label", "gt_compliance_label",
                                  "rubric_required", "rubric_hit_items", "judge_score_1_5"])  # fmt: skip
def test_optional_field_of_a_row(name):
    assert isinstance(read(TurnEvalRow, without(ROW, name)), TurnEvalRow)


@pytest.mark.parametrize("value", ["ok", "timeout", "error"])
def test_turn_status_value(value):
    assert read(DialogTrace, dialog(turns=[turn(turn_status=value)])).turns[0].turn_status == value


@pytest.mark.parametrize("value", ["ok", "partial", "failed", "skipped"])
def test_dialog_status_value(value):
    assert read(DialogTrace, dialog(dialog_status=value)).dialog_status == value


@pytest.mark.parametrize("field", ["pred_compliance_label", "gt_compliance_label"])
@pytest.mark.parametrize("value", ["compliant", "minor_violation", "severe_violation"])
def test_compliance_label_value(field, value):
    assert getattr(read(TurnEvalRow, {**ROW, field: value}), field) == value


@pytest.mark.parametrize(
    ("record_type", "value", "path"),
    [
        (DialogTrace, dialog(turns=[turn(turn_status="OK")]), "$.turns[0].turn_status"),
        (DialogTrace, dialog(dialog_status="done"), "$.dialog_status"),
        (TurnEvalRow, {**ROW, "pred_compliance_label": "fine"}, "$.pred_compliance_label"),
        (TurnEvalRow, {**ROW, "gt_compliance_label": "unknown"}, "$.gt_compliance_label"),
        (TurnEvalRow, {**ROW, "reply_state": "odd"}, "$.reply_state"),
    ],
    ids=["turn_status", "dialog_status", "pred_compliance_label", "gt_compliance_label", "reply_state"],
)
def test_value_outside_an_enum_is_refused_and_the_choices_are_named(record_type, value, path):
    (message,) = read(record_type, value)
    assert message.startswith(f"f:1: {path}: expected one of [")


@pytest.mark.parametrize("version", ["v1", "v1.0", "v1.1", "v1.27"])
def test_minor_versions_are_read(version):
    later = {**DIALOG, "trace_version": version, "mood": {"new": [1, 2]}, "turns": [{**TURN, "emotion": "calm"}]}
    record = read(DialogTrace, later)
    assert record.trace_version == version
    assert record.turns[0].user_text == TURN["user_text"]


@pytest.mark.parametrize("version", ["v2", "v2.1", "1", "v1.", "V1", "v11", "", 1, None])
def test_other_major_versions_are_refused_with_the_version_in_the_message(version):
    (message,) = read(DialogTrace, {**DIALOG, "trace_version": version})
    assert message.startswith("f:1: $.trace_version: expected ")
    assert str(version or "null" if version is None else version) in message


def test_a_v1_row_reader_reads_rows_of_v1_1_with_new_fields():
    assert read(TurnEvalRow, {**ROW, "trace_version": "v1.1", "m6": 1}).turn_pair_id == 1
