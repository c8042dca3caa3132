"""Terminals of other character sets, and names of files that are no UTF-8: output is poorer, nothing breaks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from building import dialog, write_lines

CHARACTER_SETS = ("ascii", "cp949", "gbk", "big5", "euc-kr", "cp1252", "latin-1")


def turnmark(*arguments, encoding="utf-8", cwd=None):
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "turnmark", *arguments]
    return subprocess.run(command, capture_output=True, env=environment, cwd=cwd, check=False)


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    trace = write_lines(folder / "한국어_中文_é_✓.jsonl", dialog("대화-对话-é"))
    assert turnmark("score", trace, "--out", folder / "run").returncode == 0
    return folder


@pytest.mark.parametrize("encoding", CHARACTER_SETS)
def test_what_a_terminal_cannot_show_is_replaced_and_exit_codes_stand(encoding, scored, tmp_path):
    trace = next(scored.glob("*.jsonl"))
    done = turnmark("score", trace, "--out", tmp_path / "run", encoding=encoding)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done
    assert json.loads((tmp_path / "run" / "metrics_summary.json").read_text("utf-8"))["run_id"]
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        "rules: [{name: 무위반 规则 ≥, metric: M4.severe_violation_rate, at_most: 1, judge_by: value}]", "utf-8"
    )
    for command, code in (
        (("check", trace), 0),
        (("gate", scored / "run", "--rules", rules, "--format", "markdown"), 0),
        (("gate", scored / "run", "--rules", rules), 0),
        (("report", scored / "run", "--lang", "ko"), 0),
        (("check", tmp_path / "없음.jsonl"), 2),
    ):
        done = turnmark(*command, encoding=encoding)
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), (command, done)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux only")
def test_names_that_are_no_utf8_are_shown_and_written_in_one_way(scored, tmp_path):
    odd = os.fsencode(tmp_path) + b"/odd-\xff\xfe"
    Path(os.fsdecode(odd)).mkdir()
    trace = odd + b"/tr\xe9ce.jsonl"
    write_lines(tmp_path / "plain.jsonl", dialog("d1"), {"broken": 1})
    (tmp_path / "plain.jsonl").rename(os.fsdecode(trace))
    run = odd + b"/run"
    rules = tmp_path / "gate.yaml"
    rules.write_text("rules: [{metric: M4.severe_violation_rate, at_most: 1, judge_by: value}]", "utf-8")
    for command, codes in (
        (("check", trace), {1}),
        (("score", trace, "--out", run), {3}),
        (("score", trace, "--out", run, "--workers", "2"), {3}),
        (("report", run), {0}),
        (("check", run), {0, 1}),
        (("gate", run, "--rules", rules), {0}),
        (("gate", run, "--rules", rules, "--baseline", run, "--format", "json"), {0}),
        (("compare", run, scored / "run", "--draws", "50", "--out", odd + b"/compared"), {0}),
        (("compare", run, run, "--draws", "50", "--format", "json"), {0}),
        (("selftest", trace, "--out", odd + b"/self"), {0, 1, 3}),
        (("replay", trace, "--agent", "demo", "--out", odd + b"/played"), {0, 2, 3}),
    ):
        done = turnmark(*command)
        assert b"Traceback" not in done.stderr, (command, done.stderr[-2000:])
        assert done.returncode in codes, (command, done)
    problem = json.loads(
        (tmp_path / os.fsdecode(b"odd-\xff\xfe/run/problems.jsonl")).read_text("utf-8").splitlines()[0]
    )
    assert problem["file"].endswith("odd-\ufffd\ufffd/tr\ufffdce.jsonl")
