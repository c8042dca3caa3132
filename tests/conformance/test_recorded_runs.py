"""The four recorded runs, figure for figure: every number of their summaries and every field of their rows."""

import copy
import json

import msgspec
import pytest

from building import read_lines
from turnmark import contract
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

RUNS = ("20260219_101855", "20260219_144052", "20260221_085707", "20260222_045634")
WITHOUT_MEMORY = {"20260221_085707"}
METRICS = (
    "m1_context_continuity",
    "m2_profile_accuracy",
    "m3_risk_coverage",
    "m4_compliance",
    "m5_explainability",
)


def differences(recorded, found, where="$"):
    """Every place where what was recorded is not what was found; fields beyond the recorded ones are free."""
    if isinstance(recorded, dict):
        if not isinstance(found, dict):
            return [f"{where}: {recorded!r} != {found!r}"]
        return [
            line
            for name, value in recorded.items()
            for line in differences(value, found.get(name, "(missing)"), f"{where}.{name}")
        ]
    if isinstance(recorded, list):
        if not isinstance(found, list) or len(found) != len(recorded):
            return [f"{where}: {recorded!r} != {found!r}"]
        return [
            line
            for place, pair in enumerate(zip(recorded, found, strict=True))
            for line in differences(*pair, f"{where}[{place}]")
        ]
    if isinstance(recorded, float) and type(found) in (int, float):
        return [] if abs(recorded - found) <= 1e-9 else [f"{where}: {recorded!r} != {found!r}"]
    return [] if recorded == found else [f"{where}: {recorded!r} != {found!r}"]


@pytest.fixture(scope="module", params=RUNS)
def recorded(request, memfin):
    return memfin / request.param


@pytest.fixture(scope="module")
def scored(recorded, tmp_path_factory):
    out = tmp_path_factory.mktemp(recorded.name) / "run"
    score(
        ScoreRequest(
            (recorded / "dialog_trace.jsonl",),
            out,
            detect="literal",
            ignore_memory_keys=recorded.name in WITHOUT_MEMORY,
        )
    )
    return out


def test_every_recorded_figure_is_found_again(recorded, scored):
    before = json.loads((recorded / "metrics_summary.json").read_bytes())
    after = json.loads((scored / "metrics_summary.json").read_bytes())
    assert sorted(before["metrics"]) == sorted(METRICS)
    assert differences(before, after) == []
    for name, result in before["metrics"].items():
        # Not only contained: no dialogue more than what was recorded, no figure that was means of dialogues more.
        assert after["metrics"][name]["by_dialog"].keys() == result["by_dialog"].keys()
        assert after["metrics"][name]["macro"].keys() == result["macro"].keys()


def test_every_recorded_field_of_every_row_is_found_again(recorded, scored):
    before = read_lines(recorded / "turn_eval.jsonl")
    after = read_lines(scored / "turn_eval.jsonl")
    assert len(before) > 0
    assert differences(before, after) == []


def test_manifest_keeps_what_was_recorded_and_says_how_memory_keys_were_handled(recorded, scored):
    before = json.loads((recorded / "run_manifest.json").read_bytes())
    after = json.loads((scored / "run_manifest.json").read_bytes())
    assert differences(before, after) == []
    assert after.get("m1_handling") == ("ignored_memory_required_keys" if recorded.name in WITHOUT_MEMORY else None)


def test_trace_is_copied_byte_for_byte(recorded, scored):
    assert (scored / "dialog_trace.jsonl").read_bytes() == (recorded / "dialog_trace.jsonl").read_bytes()


def test_evidence_quotes_what_its_offsets_say(recorded, scored):
    texts = {}
    for dialog in read_lines(recorded / "dialog_trace.jsonl"):
        for place, turn in enumerate(dialog["turns"]):
            texts[dialog["dialog_id"], turn["turn_pair_id"]] = turn
            texts[dialog["dialog_id"], "turns", place] = turn
    pieces = read_lines(scored / "evidence.jsonl")
    assert pieces
    for piece in pieces:
        text = source_text(piece, texts)
        assert text[piece.get("start", 0) : piece["end"]] == piece["quote"], piece


def source_text(piece, texts):
    source = piece.get("source", "reply")
    if source.startswith("turns["):
        place = int(source[len("turns[") :].split("]")[0])
        return texts[piece["dialog_id"], "turns", place]["pred_assistant_text"]
    turn = texts[piece["dialog_id"], piece["turn_pair_id"]]
    if source == "reply":
        return turn["pred_assistant_text"]
    value = turn
    for step in source.replace("[", ".").replace("]", "").split("."):
        value = value[int(step)] if step.isdigit() else value[step]
    return value


@pytest.fixture(scope="module")
def by_contract(recorded):
    traces = read_lines(recorded / "dialog_trace.jsonl")
    if recorded.name in WITHOUT_MEMORY:
        for dialog in traces:
            for turn in dialog["turns"]:
                turn["gt_turn_tags"]["memory_required_keys_gt"] = []
    untouched = copy.deepcopy(traces)
    rows = contract.build_turn_eval_rows(traces, {}, [], detect="literal")
    metrics = {
        "m1_context_continuity": contract.compute_m1_context_continuity(rows),
        "m2_profile_accuracy": contract.compute_m2_profile_accuracy(traces, {}, detect="literal"),
        "m3_risk_coverage": contract.compute_m3_risk_coverage(rows),
        "m4_compliance": contract.compute_m4_compliance(rows),
        "m5_explainability": contract.compute_m5_explainability(rows),
    }
    assert traces == untouched, "arguments are not written to"
    return rows, metrics


def test_contract_functions_on_plain_dicts_give_the_recorded_rows(recorded, by_contract):
    rows, _ = by_contract
    assert all(type(row) is dict for row in rows)
    assert differences(read_lines(recorded / "turn_eval.jsonl"), rows) == []


def test_contract_functions_on_plain_dicts_give_the_recorded_figures(recorded, by_contract):
    _, metrics = by_contract
    before = json.loads((recorded / "metrics_summary.json").read_bytes())
    summary = contract.aggregate_all_metrics(before["run_id"], before["dataset_path"], metrics, before["counters"])
    assert differences(before, summary) == []


def test_contract_functions_read_the_recorded_rows_themselves(recorded):
    rows = read_lines(recorded / "turn_eval.jsonl")
    before = json.loads((recorded / "metrics_summary.json").read_bytes())["metrics"]
    for name, compute in (
        ("m1_context_continuity", contract.compute_m1_context_continuity),
        ("m3_risk_coverage", contract.compute_m3_risk_coverage),
        ("m4_compliance", contract.compute_m4_compliance),
        ("m5_explainability", contract.compute_m5_explainability),
    ):
        assert differences(before[name], compute(rows)) == []


def test_report_of_the_recorded_summary_can_be_rendered(recorded):
    summary = json.loads((recorded / "metrics_summary.json").read_bytes())
    text = contract.render_markdown_report(summary)
    assert recorded.name in text
    assert f"{summary['metrics']['m5_explainability']['micro']['rubric_hit_rate']:.3f}" in text


def test_the_run_that_echoes_its_user_is_flagged_on_page_one(memfin, tmp_path, cli):
    ran = cli("score", memfin / "20260222_045634", "--detect", "literal", "--lang", "en", "--out", tmp_path / "run")
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("310 of 316 replies are not normal")
    summary = json.loads((tmp_path / "run" / "metrics_summary.json").read_bytes())
    assert summary["flags"] == ["abnormal_replies"]
    assert summary["reply_states"]["echo"] == 307
    assert sum(summary["reply_states"].values()) == 316
    # What was published for it is perfect compliance; over replies that are replies there is almost nothing to judge.
    assert summary["metrics"]["m4_compliance"]["micro"]["compliance_label_acc"] == 1.0
    assert summary["metrics"]["m4_compliance"]["normal_only"]["counts"]["eligible_count"] == 6
    head = (tmp_path / "run" / "report.md").read_text(encoding="utf-8")[:2000]
    assert "307" in head
    assert "echo" in head


def test_datasets_of_the_recorded_runs_load_and_align(memfin):
    for path in sorted(memfin.glob("MemFinConv_*.jsonl")):
        dialogs = contract.load_dataset_jsonl(str(path))
        assert dialogs
        for dialog in dialogs:
            assert contract.classify_dialog_validity(dialog) == (True, None)
            pairs = contract.align_turn_pairs(contract.normalize_dialog(dialog))
            assert [pair["turn_pair_id"] for pair in pairs] == list(range(1, len(pairs) + 1))


def test_recorded_turns_are_the_pairs_of_their_dataset(memfin):
    dataset = {d["dialog_id"]: d for d in contract.load_dataset_jsonl(str(memfin / "MemFinConv_24.jsonl"))}
    traces = read_lines(memfin / "20260222_045634" / "dialog_trace.jsonl")
    for trace in traces:
        pairs = contract.align_turn_pairs(dataset[trace["dialog_id"]])
        for pair, turn in zip(pairs, trace["turns"], strict=True):
            names = ("turn_pair_id", "user_turn_abs_idx", "gt_assistant_abs_idx", "user_text", "gt_assistant_text")
            assert {name: turn[name] for name in names} == {name: pair[name] for name in names}


def test_ground_truth_from_the_dataset_gives_the_recorded_figures_too(memfin, tmp_path):
    source = memfin / "20260219_101855"
    bare = tmp_path / "bare.jsonl"
    encoded = []
    for dialog in read_lines(source / "dialog_trace.jsonl"):
        for name in ("profile_gt", "blueprint", "raw_turns"):
            del dialog[name]
        for turn in dialog["turns"]:
            turn["gt_turn_tags"] = None
        encoded.append(msgspec.json.encode(dialog))
    bare.write_bytes(b"\n".join(encoded))
    score(ScoreRequest((bare,), tmp_path / "run", detect="literal", dataset=memfin / "MemFinConv_2.jsonl"))
    before = json.loads((source / "metrics_summary.json").read_bytes())
    after = json.loads((tmp_path / "run" / "metrics_summary.json").read_bytes())
    assert differences(before["metrics"], after["metrics"]) == []
    assert differences(read_lines(source / "turn_eval.jsonl"), read_lines(tmp_path / "run" / "turn_eval.jsonl")) == []
