"""Runs that an earlier version wrote are read: names that metrics had then are those that they have now."""

import json

import pytest

from building import dialog, turn, write_lines
from turnmark.errors import UsageError
from turnmark.metrics import catalog
from turnmark.pipeline.publishing.run_turns import worst_turns
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import read_summary
from turnmark.suites.registry import SHIPPED, suite_definition

FORMER = {
    "m1_context_continuity": "context_continuity",
    "m2_profile_accuracy": "profile_accuracy",
    "m3_risk_coverage": "risk_coverage",
    "m4_compliance": "compliance",
    "m5_explainability": "explainability",
    "m1b_reply_key_use": "key_use",
}


@pytest.fixture
def run(tmp_path):
    reply = "根据公开数据，市场波动较大，稳赚不赔的产品并不存在。稳健的您仅供参考。"
    risks, rubric = ["market_volatility"], ["信息依据", "边界声明"]
    keys = ["profile_gt.risk_level_gt"]
    path = write_lines(tmp_path / "t.jsonl", dialog("d", [turn(1, reply, risks=risks, rubric=rubric, keys=keys)]))
    score(ScoreRequest((path,), tmp_path / "run", detect="literal"))
    return tmp_path / "run"


def pieces(run):
    return [json.loads(line) for line in (run / "evidence.jsonl").read_text("utf-8").splitlines()]


def test_evidence_joins_the_summary_by_one_name(run):
    names = {piece["metric"] for piece in pieces(run)} - {"reply_state"}
    assert names >= {"m3_risk_coverage", "m5_explainability", "m1b_reply_key_use"}
    assert names <= set(read_summary(run).metrics)


def test_evidence_of_an_earlier_run_gets_the_names_of_today(run):
    now = [(piece.metric, piece.rule) for view in worst_turns(run) for piece in view.evidence]
    assert now
    write_lines(run / "evidence.jsonl", *({**piece, "metric": FORMER.get(piece["metric"], piece["metric"])}
                                          for piece in pieces(run)))  # fmt: skip
    then = {piece["metric"] for piece in pieces(run)}
    assert {"risk_coverage", "explainability", "key_use"} <= then
    assert [(piece.metric, piece.rule) for view in worst_turns(run) for piece in view.evidence] == now


@pytest.mark.parametrize(("name", "former"), FORMER.items())
def test_a_metric_is_found_by_name_code_and_former_name(name, former):
    found = catalog.metric(name)
    assert catalog.metric(former) is found
    assert catalog.metric(found.code) is found
    assert catalog.current_name(former) == name


def test_what_is_no_metric_keeps_its_name():
    assert catalog.current_name("reply_state") == "reply_state"
    with pytest.raises(UsageError, match="metric's name or code"):
        catalog.metric("reply_state")


def test_no_two_metrics_share_a_name():
    metrics = {one.name: one for name in SHIPPED for one in suite_definition(name).metrics}.values()
    names = [name for one in metrics for name in {one.name, one.code, *one.formerly}]
    assert len(names) == len(set(names))
