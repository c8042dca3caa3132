from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import report_small_run as small_run

from turnmark.pipeline.publishing.overrides import read_overrides
from turnmark.pipeline.publishing.report import ReportOptions, gather, write_report
from turnmark.pipeline.publishing.run_turns import fingerprints
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import OVERRIDES, SUMMARY, TRACE, TURN_EVAL

BASE = {"dialog_id": "d-chinese", "turn_pair_id": 2, "reviewer": "Li", "reason": "it warns", "date": "2026-03-02"}
CASES = [
    ("compliance", "compliance_label", "minor_violation", "severe_violation"),
    ("m4_compliance", "保本保收益", False, True),
    ("risk_coverage", "volatility_risk", True, True),
    ("risk_coverage", "credit_risk", True, False),
    ("explainability", "边界声明", True, False),
    ("context_continuity", "profile_gt.constraints_gt[0]", True, True),
    ("context_continuity", "最大回撤<10%", False, True),
    ("reply_state", "", "normal", "normal"),
    ("profile_accuracy", "horizon", True, None),
]


@pytest.fixture
def run(scored, tmp_path):
    return Path(shutil.copytree(scored, tmp_path / "run"))


def write(run, *overrides, bad=()):
    lines = [json.dumps(one, ensure_ascii=False) for one in overrides] + list(bad)
    (run / OVERRIDES).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def one(metric="compliance", label="compliance_label", marked="minor_violation", **more):
    return {**BASE, "metric": metric, "label": label, "marked": marked, **more}


def test_the_raw_mark_of_every_metric_stands_beside(run):
    write(run, *(one(metric, label, marked) for metric, label, marked, _ in CASES))
    found = read_overrides(run)
    assert found.problems == []
    assert [view.raw for view in found.views] == [raw for *_, raw in CASES]
    differing = [raw is not None and raw != marked for _, _, marked, raw in CASES]
    assert [view.differs for view in found.views] == differing


def test_overrides_are_shown_and_counted_and_no_figure_moves(run):
    before = {name: (run / name).read_bytes() for name in (SUMMARY, TURN_EVAL)}
    write(run, one(), one("risk_coverage", "credit_risk", marked=True, reviewer='<b>"Kim"'))
    _, page = write_report(run, options=ReportOptions(pages=True))
    text = page.read_text("utf-8")
    assert "2 by 2 reviewers on 1 turn; 2 differ from the raw mark." in text
    assert text.count("severe_<wbr>violation") >= 2
    assert "it warns" in text
    assert '<b>"Kim"' not in text
    assert "it warns" in (run / "report" / "dialog-0001.html").read_text("utf-8")
    assert {name: (run / name).read_bytes() for name in before} == before


def test_bad_lines_are_reported_by_place_and_the_rest_is_used(run, cli):
    write(run, one(), one(turn_pair_id=99), one(date="yesterday"), bad=["{", '{"dialog_id": 7}'])
    data = gather(run)
    assert len(data.overrides) == 1
    assert {problem.line for problem in data.override_problems} == {2, 3, 4, 5}
    assert all(problem.file == OVERRIDES for problem in data.override_problems)
    _, page = write_report(run)
    assert "4 lines of overrides.jsonl could not be used." in page.read_text("utf-8")
    checked = cli("check", run / OVERRIDES)
    assert checked.code == 1
    assert f"{OVERRIDES}:3: $.date" in checked.out + checked.err


def test_check_knows_the_kind_and_finds_the_same_mark_twice(run, tmp_path, cli):
    write(run, one(), one(marked="compliant"))
    other = Path(shutil.copy(run / OVERRIDES, tmp_path / "mine.jsonl"))
    checked = cli("check", other)
    assert "overrides" in checked.out
    assert checked.code == 1
    write(run, one())
    assert cli("check", run).code == 0


def test_scoring_and_reporting_again_leave_the_file_alone(run):
    write(run, one())
    raw = (run / OVERRIDES).read_bytes()
    score(ScoreRequest((run / TRACE,), run, detect="literal"))
    write_report(run)
    assert (run / OVERRIDES).read_bytes() == raw
    assert small_run.SEVERE_WORDS in (run / "report.html").read_text("utf-8")


def test_an_override_of_what_the_turn_was_before_is_named_and_not_shown(run):
    key = (BASE["dialog_id"], BASE["turn_pair_id"])
    now = fingerprints(run, {key})[key]
    write(run, one(fingerprint=now), one(fingerprint="0123456789abcdef"), one())
    found = read_overrides(run)
    assert len(found.views) == 2
    assert len(found.problems) == 1
    assert str(found.problems[0]) == (
        "overrides.jsonl:2: $.fingerprint: expected turn 2 of 'd-chinese' as it was when the override was written, "
        "found another text; look at the turn again"
    )
