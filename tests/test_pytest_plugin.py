"""The plugin in a project of its own: the shipped example passes; what fails and what cannot be told say so."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1] / "examples" / "pytest_project"

TESTS = """
import pytest

@pytest.mark.turnmark("runs/main")
def test_fails(turnmark_run):
    assert turnmark_run.value("M3.risk_coverage") < 0.5
    turnmark_run.expect("M3.risk_coverage", at_least=0.9)

@pytest.mark.turnmark(run="runs/candidate")
def test_no_baseline(turnmark_run):
    turnmark_run.against_baseline("M3.risk_coverage")

def test_no_marker(turnmark_run):
    pass

@pytest.mark.turnmark(run="runs/candidate")
def test_undecided(turnmark_run):
    turnmark_run.expect("M4.severe_violation_rate", at_most=0.01)

@pytest.mark.turnmark(run="runs/candidate")
def test_nothing_to_count(turnmark_run):
    assert turnmark_run.value("m5_explainability.rubric_hit_rate") is not None
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    target = tmp_path_factory.mktemp("plugin") / "project"
    shutil.copytree(PROJECT, target, ignore=shutil.ignore_patterns("runs", "__pycache__"))
    return target


def ran(project, *arguments):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    plugin = [] if _installed() else ["-p", "turnmark.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-rsf", "-p", "no:cacheprovider", *plugin, *arguments]
    return subprocess.run(command, cwd=project, env=clean, capture_output=True, text=True, timeout=120, check=False)


def _installed():
    """Whether the entry point is there; an installation from before it existed lacks it."""
    return any(point.value == "turnmark.pytest_plugin" for point in entry_points(group="pytest11"))


def test_the_example_project_passes(project):
    found = ran(project)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "4 passed, 1 skipped" in found.stdout
    assert "not enough data: 0 [0, " in found.stdout


def test_what_fails_says_why(project):
    (project / "tests" / "test_failing.py").write_text(TESTS, "utf-8")
    found = ran(project, "tests/test_failing.py")
    assert "3 failed" in found.stdout or "2 failed" in found.stdout
    assert "1 passed, 1 skipped" in found.stdout
    assert "M3.risk_coverage ≥ 0.9: " in found.stdout
    assert "name one in the marker" in found.stdout
    assert "mark the test with @pytest.mark.turnmark(run=FOLDER)" in found.stdout
    strict = ran(project, "tests/test_failing.py", "--turnmark-undecided=fail", "-k", "undecided")
    assert strict.returncode == 1
    assert "not enough data" in strict.stdout


MISTAKES = """
import pytest

@pytest.mark.turnmark("runs/nothing")
def test_missing_run(turnmark_run):
    turnmark_run.expect("M3.risk_coverage", at_least=0.9)

@pytest.mark.turnmark("runs/candidate", baseline="runs/nothing")
def test_missing_baseline(turnmark_run):
    turnmark_run.expect("M3.risk_coverage", no_worse_than_baseline=0.02)

@pytest.mark.turnmark("runs/candidate")
def test_unknown_metric(turnmark_run):
    turnmark_run.expect("M33.risk_coverage", at_least=0.9)

@pytest.mark.turnmark("runs/candidate")
def test_unknown_rule(turnmark_run):
    turnmark_run.expect("M3.risk_coverage", at_lst=0.9)

@pytest.mark.turnmark("runs/candidate")
def test_unknown_value(turnmark_run):
    turnmark_run.value("M3.coverage")

@pytest.mark.turnmark("runs/candidate", baseline="runs/main")
def test_unknown_measure(turnmark_run):
    turnmark_run.against_baseline("M3.coverage")

def test_unknown_field(turnmark_case):
    turnmark_case(quest="x")

def test_no_question(turnmark_case):
    turnmark_case(answer="x")
"""


def test_mistakes_in_a_test_are_told_without_the_source_of_turnmark(project):
    (project / "tests" / "test_mistakes.py").write_text(MISTAKES, "utf-8")
    found = ran(project, "tests/test_mistakes.py")
    assert "8 failed" in found.stdout
    assert "src/turnmark" not in found.stdout
    assert "Error" not in found.stdout
    for message in (
        "nothing: expected the folder of a scored run",
        "rules: $.rules[0].metric: expected a metric and measure of the suite",
        "expect: expected some of metric, count, name, stratum, at_least",
        "M3.coverage: expected one of M3.risk_coverage",
        "M3.coverage: expected one of M1.key_coverage",
        "turnmark_case: expected some of question,",
        "turnmark_case: expected a question, found none",
    ):
        assert message in found.stdout
