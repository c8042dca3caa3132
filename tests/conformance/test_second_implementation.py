"""A plain script, written from the tables alone, agrees with turnmark on every row and figure."""

import importlib.util
import json

import pytest

from building import dialog, read_lines, recall, turn, write_lines
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest


@pytest.fixture(scope="module")
def plain(project):
    path = project / "benchmarks" / "plain_literal.py"
    spec = importlib.util.spec_from_file_location("plain_literal", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def agree(plain, trace, folder, monkeypatch, *, ignore=False):
    """Run both over one trace; compare all rows and all micro and macro figures; return the number of rows."""
    arguments = ["plain_literal.py", str(trace), str(folder / "plain"), *(["--ignore-memory-keys"] if ignore else [])]
    monkeypatch.setattr("sys.argv", arguments)
    plain.main()
    score(ScoreRequest((trace,), folder / "ours", detect="literal", ignore_memory_keys=ignore))
    theirs, ours = read_lines(folder / "plain" / "turn_eval.jsonl"), read_lines(folder / "ours" / "turn_eval.jsonl")
    assert [{name: row[name] for name in other} for row, other in zip(ours, theirs, strict=True)] == theirs
    expected = json.loads((folder / "plain" / "metrics_summary.json").read_bytes())
    metrics = json.loads((folder / "ours" / "metrics_summary.json").read_bytes())["metrics"]
    for block in ("micro", "macro"):
        found = {name: value for result in metrics.values() for name, value in result[block].items()}
        for name, value in expected[block].items():
            if name in found:  # the source hit rates have no macro
                assert found[name] == pytest.approx(value, abs=1e-9), (block, name)
    assert set(expected["micro"]) <= {name for result in metrics.values() for name in result["micro"]}
    return len(ours)


@pytest.mark.parametrize("run", ["20260219_101855", "20260219_144052", "20260221_085707", "20260222_045634"])
def test_agrees_on_recorded_runs(plain, memfin, run, tmp_path, monkeypatch):
    trace = memfin / run / "dialog_trace.jsonl"
    assert agree(plain, trace, tmp_path, monkeypatch, ignore=run == "20260221_085707") in (37, 316)


@pytest.mark.parametrize("agent", ["careful", "hasty"])
def test_agrees_on_shipped_examples(plain, examples, agent, tmp_path, monkeypatch):
    assert agree(plain, examples / agent / "dialog_trace.jsonl", tmp_path, monkeypatch) == 171


def test_agrees_on_a_trace_of_edge_cases(plain, tmp_path, monkeypatch):
    keys = ["profile_gt.constraints_gt[0]", "profile_gt.constraints_gt[9]", "history_turn_index:1", "nonsense"]
    trace = write_lines(
        tmp_path / "trace.jsonl",
        dialog(
            "a",
            [
                turn(1, "回撤可能有 15%，不建议用杠杆。", keys=keys, risks=["无明确风险提示", "XYZ Risk"]),
                turn(2, "回撤不会超过9%，可以用杠杆。", rubric=["信息依据", "自定义要素"], label="unknown"),
                turn(3, "", keys=keys, rubric=["边界声明"], turn_status="timeout", **recall(short_term_context="x")),
                turn(4, None, keys=["history_turn_index:0"], risks=["波动"]),
                turn(5, "保证收益", compliance={"violations": [{"type": "other", "severity": "HIGH"}]}),
                turn(6, "保证收益", compliance={"violations": [{"type": "other", "severity": "low"}]}),
                turn(7, "保证收益", compliance={"violations": [{"type": "insider", "severity": None}]}),
            ],
            blueprint={"forbidden_list": ["稳赚"]},
            raw_turns=[{"role": "user", "text": "杠杆"}, {"role": "assistant", "text": "好"}],
        ),
        dialog("b", [turn(1, "稳赚不赔，1年", risks=["不保本"])], blueprint={"forbidden_list": ["稳赚"]}),
    )
    assert agree(plain, trace, tmp_path, monkeypatch) == 8
