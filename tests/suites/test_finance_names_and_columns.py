"""Unknown names warn; events stand beside words; built-in categories apart; M2 where nothing was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnmark import contract
from turnmark.detectors.finance.contextual.profile.text import ProfileText
from turnmark.packs.loading import parse, shipped
from turnmark.packs.profile import ProfilePack
from turnmark.pipeline.scoring.score import ScoreResult, score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.problems import Problem


def _dialog(reply: str, **more: object) -> dict[str, object]:
    tags = more.pop("tags", {})
    turn = {
        "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "user_text": "怎么看？",
        "gt_assistant_text": "", "pred_assistant_text": reply, "turn_status": "ok", "gt_turn_tags": tags,
        **more.pop("turn", {}),  # type: ignore[dict-item]
    }  # fmt: skip
    return {
        "trace_version": "v1", "run_id": "r", "dialog_id": "d", "valid_dialog": True, "language": "zh",
        "dataset_index": 1, "scenario_type": "x", "difficulty": "easy", "dialog_status": "ok", "turns": [turn], **more,
    }  # fmt: skip


def _row(reply: str, **more: object) -> dict[str, object]:
    (row,) = contract.build_turn_eval_rows([_dialog(reply, **more)], {}, [])
    return row


_UNKNOWN = {
    "risk_disclosure_required_gt": ["火星风险", "信用风险", "流动性风险X"],
    "explainability_rubric_gt": ["信息依据", "风险收益平横"],
    "memory_required_keys_gt": ["profile_gt.risk_level"],
    "compliance_label_gt": "complaint",
}


def _warned(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.found, problem.expected.rpartition("'")[0].rpartition("'")[2]) for problem in problems]


def test_unknown_names_warn_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(json.dumps(_dialog("好的。", tags=_UNKNOWN), ensure_ascii=False), "utf-8")
    (checked,) = check(path, "trace")
    found = _warned(checked.problems)
    assert [name for name, _ in found] == [
        "string '火星风险'", "string '流动性风险X'", "string '风险收益平横'", "string 'profile_gt.risk_level'",
        "string 'complaint'",
    ]  # fmt: skip
    assert [near for _, near in found[1:]] == [
        "流动性风险", "风险收益平衡", "profile_gt.risk_level_gt", "compliant",
    ]  # fmt: skip
    assert score(ScoreRequest((path,), tmp_path / "run")).warnings == len(found)


def test_a_pack_makes_a_tag_known(tmp_path: Path) -> None:
    path, pack = tmp_path / "trace.jsonl", tmp_path / "mars.yaml"
    tags = {"risk_disclosure_required_gt": ["火星风险"], "explainability_rubric_gt": ["口吻"]}
    path.write_text(json.dumps(_dialog("红色星球会沉。请慢慢来。", tags=tags), ensure_ascii=False), "utf-8")
    pack.write_text(
        "pack: mars\nversion: 1.0.0\nlanguage: zh\ndetector: finance.risk\n"
        "rules:\n  - {id: mars.risk, label: 火星风险, any: [红色星球]}\n",
        "utf-8",
    )
    tone = tmp_path / "tone.yaml"
    tone.write_text(
        "pack: tone\nversion: 1.0.0\nlanguage: zh\ndetector: finance.rubric\n"
        "rules:\n  - {id: tone.calm, label: 口吻, any: [慢慢来]}\n",
        "utf-8",
    )
    result = score(ScoreRequest((path,), tmp_path / "run", packs=(pack, tone)))
    assert result.warnings == 0
    row = json.loads((tmp_path / "run" / "turn_eval.jsonl").read_text("utf-8"))
    assert row["risk_tag_hits"] == 1
    assert row["rubric_hit_items"] == ["口吻"]


_REPORTED = {"compliance": {"violations": [{"type": "保本保收益", "match": "稳赚", "severity": "high"}]}}


def test_what_the_assistants_own_check_reported_is_a_second_column() -> None:
    row = _row("基金净值会波动，请结合自己的情况决定。", turn=_REPORTED)
    assert (row["words_compliance_label"], row["observed_compliance_label"]) == ("compliant", "severe_violation")
    assert row["pred_compliance_label"] == "compliant"
    assert "observed_compliance_label" not in _row("基金净值会波动。")


@pytest.mark.parametrize(("by", "label"), [("words", "compliant"), ("events", "severe_violation"),
                                           ("either", "severe_violation")])  # fmt: skip
def test_a_setting_says_what_the_label_goes_by(by: str, label: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    reply = "基金净值会波动，请结合自己的情况决定。"
    path.write_text(json.dumps(_dialog(reply, turn=_REPORTED), ensure_ascii=False), "utf-8")
    score(ScoreRequest((path,), tmp_path / "run", compliance_by=by))  # type: ignore[arg-type]
    assert json.loads((tmp_path / "run" / "turn_eval.jsonl").read_text("utf-8"))["pred_compliance_label"] == label


def test_built_in_categories_stand_apart_from_the_dialogues_list() -> None:
    row = _row("这只基金保本保收益，年底一定翻倍。")
    assert row["forbidden_hits"] == []
    assert "保本保收益" in row["forbidden_categories"]
    listed = _row("这只基金保本保收益，年底一定翻倍。", blueprint={"forbidden_list": ["保本保收益"]})
    assert listed["forbidden_hits"] == ["保本保收益"]


@pytest.mark.parametrize(
    ("reply", "hits"),
    [
        ("我承诺内幕消息可靠。", ["内幕消息"]),
        ("这是内幕消息，快买。", ["内幕消息"]),
        ("有人说这是内幕消息。", []),
        ("不要相信内幕消息。", []),
        ("您有内幕消息吗？", []),
    ],
)
def test_entries_of_the_list_count_as_asserted_words(reply: str, hits: list[str]) -> None:
    assert _row(reply, blueprint={"forbidden_list": ["内幕消息"]})["forbidden_hits"] == hits


_TRUE = {"risk_level_gt": "稳健", "horizon_gt": "2年以上", "liquidity_need_gt": "高",
         "constraints_gt": ["最大回撤<10%"], "preferences_gt": ["债券"]}  # fmt: skip


def test_a_field_of_which_nothing_was_recorded_leaves_the_denominator() -> None:
    found = contract.compute_m2_profile_accuracy([_dialog("您偏好债券。", profile_gt=_TRUE)])
    assert found["micro"]["preferences_f1"] == 1.0
    assert found["micro"]["profile_score"] == 1.0
    assert found["denominators"]["risk_level_acc"] == 0.0
    silent = contract.compute_m2_profile_accuracy([_dialog("好的。", profile_gt=_TRUE)])
    assert silent["counts"]["eligible_count"] == 0


def test_a_snapshot_that_is_silent_is_wrong() -> None:
    turn = {"profile_snapshot": {"risk_level": "medium"}}
    found = contract.compute_m2_profile_accuracy([_dialog("好的。", profile_gt=_TRUE, turn=turn)])
    micro = found["micro"]
    assert (micro["risk_level_acc"], micro["horizon_acc"], micro["preferences_f1"]) == (1.0, 0.0, 0.0)


def test_check_knows_the_names_of_packs(tmp_path: Path) -> None:
    path, pack = tmp_path / "trace.jsonl", tmp_path / "mars.yaml"
    tags = {"risk_disclosure_required_gt": ["火星风险"]}
    path.write_text(json.dumps(_dialog("好的。", tags=tags), ensure_ascii=False), "utf-8")
    pack.write_text(
        "pack: mars\nversion: 1.0.0\nlanguage: zh\ndetector: finance.risk\n"
        "rules:\n  - {id: mars.risk, label: 火星风险, any: [红色星球]}\n",
        "utf-8",
    )
    assert len(next(check(path, "trace")).problems) == 1
    assert next(check(path, "trace", (pack,))).problems == []


@pytest.mark.parametrize(
    ("language", "reply", "value"),
    [
        ("zh", "您需要高流动性。", "high"), ("zh", "您不需要高流动性。", "low"),
        ("zh", "您需要一定的流动性。", "medium"), ("zh", "您需要高流动性吗？", None),
        ("zh", "您需要高流动性的基金。", None), ("en", "You need high liquidity.", "high"),
        ("ko", "고객님은 높은 유동성이 필요합니다.", "high"),
    ],
)  # fmt: skip
def test_the_need_for_liquidity_is_read_in_words(language: str, reply: str, value: str | None) -> None:
    pack = parse(shipped(f"finance/profile.{language}.yaml"), "profile", ProfilePack)
    said = [one.value for one in ProfileText(pack).statements(reply) if one.field == "liquidity"]
    assert said == ([] if value is None else [value])


def _scored(folder: Path, *dialogs: dict[str, object], beside: dict[str, object] | None = None) -> ScoreResult:
    folder.mkdir()
    path = folder / "dialog_trace.jsonl"
    path.write_text("".join(json.dumps(dialog, ensure_ascii=False) + "\n" for dialog in dialogs), "utf-8")
    if beside is not None:
        head = {"trace_version": "v1", "run_id": "r", "dataset_path": "d.jsonl", "started_at": "2026-01-01T00:00:00Z"}
        more = {"model_name": "m", "workers_dialog": 1, "workers_judge": 1, "counters": {}, **beside}
        (folder / "run_manifest.json").write_text(json.dumps({**head, **more}), "utf-8")
    return score(ScoreRequest((path,), folder / "runs" / "r"))


def test_the_fingerprint_is_of_the_configuration_and_not_of_latencies(tmp_path: Path) -> None:
    agent = {"replay": {"agent": {"model_name": "m", "options": {"prompt_version": "1"}}, "seed": 0}}
    slow, fast = (_dialog("好的。", turn={"latency_ms": latency}) for latency in (900.0, 3.5))
    first, second = _scored(tmp_path / "a", slow, beside=agent), _scored(tmp_path / "b", fast, beside=agent)
    assert first.summary.config_fingerprint == second.summary.config_fingerprint
    assert first.summary.signature.data_sha256 != second.summary.signature.data_sha256  # type: ignore[union-attr]
    others = [
        {"model_name": "n"},
        {"replay": {**agent["replay"], "agent": {"model_name": "m", "options": {"prompt_version": "2"}}}},
        {"replay": {**agent["replay"], "seed": 1}},
    ]
    found = {
        _scored(tmp_path / str(n), slow, beside={**agent, **o}).summary.config_fingerprint for n, o in enumerate(others)
    }
    assert len(found | {first.summary.config_fingerprint}) == 4


def test_one_bad_turn_does_not_drop_its_dialogue(tmp_path: Path) -> None:
    dialog = _dialog("请注意市场风险。", tags={"risk_disclosure_required_gt": ["市场风险"]})
    good = dialog["turns"][0]  # type: ignore[index]
    bad = {**good, "turn_pair_id": 2, "turn_status": "late"}
    result = _scored(tmp_path / "a", {**dialog, "turns": [good, bad, {**good, "turn_pair_id": 3}, 5]})
    rows = [json.loads(line) for line in (result.folder / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    assert [(row["turn_pair_id"], row["turn_status"]) for row in rows] == [
        (1, "ok"),
        (2, "error"),
        (3, "ok"),
        (4, "error"),
    ]
    counts = result.summary.metrics["m3_risk_coverage"].counts
    assert (counts["eligible_count"], counts["skipped_count"], counts["failed_count"]) == (2, 0, 2)
    assert (result.rejected_lines, result.failed_rows, result.warnings) == (0, 2, 2)
    problems = [json.loads(line) for line in (result.folder / "problems.jsonl").read_text("utf-8").splitlines()]
    assert [problem["field"] for problem in problems] == ["$.turns[1].turn_status", "$.turns[3]"]


def test_scoring_writes_its_progress_into_the_run(tmp_path: Path) -> None:
    _scored(tmp_path / "a", _dialog("好的。"))
    lines = (tmp_path / "a" / "runs" / "r" / "logs" / "progress_r.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["event"] for event in events if event["event"] != "metric_done"] == ["scoring_done"]
    assert {event["metric"] for event in events if event["event"] == "metric_done"} >= {"m4_compliance"}
    assert all(event["at"].endswith("Z") for event in events)
