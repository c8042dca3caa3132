"""A run whose files are not as scoring left them is named by every command that shows figures of it."""

import shutil

import pytest


@pytest.fixture
def run(examples, tmp_path, cli):
    folder = tmp_path / "run"
    assert cli("score", examples / "hasty" / "dialog_trace.jsonl", "--out", folder).code == 0
    return folder


def missing(folder):
    (folder / "turn_eval.jsonl").unlink()


def cut(folder):
    path = folder / "turn_eval.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:40]))


def grown(folder):
    with (folder / "evidence.jsonl").open("ab") as file:
        file.write(b'{"bro')


@pytest.mark.parametrize(
    ("damage", "name"), [(missing, "turn_eval.jsonl"), (cut, "turn_eval.jsonl"), (grown, "evidence.jsonl")]
)
def test_report_names_the_file_on_the_terminal_and_the_page(run, cli, damage, name):
    damage(run)
    ran = cli("report", run, "--lang", "en")
    assert ran.code == 3
    assert f"{name}: not as scoring left them" in ran.out
    assert "No turn with a fault was found" not in ran.out
    for page in ("report.md", "report.html"):
        text = (run / page).read_text("utf-8")
        assert f"{name}: not as scoring left them" in text
        assert "No turn with a fault was found" not in text


def test_a_whole_run_is_reported_without_a_word_of_it(run, cli):
    ran = cli("report", run, "--lang", "en")
    assert ran.code == 0
    assert "not as scoring left" not in ran.out + (run / "report.html").read_text("utf-8")


def test_compare_and_gate_name_it(run, cli, tmp_path):
    other = shutil.copytree(run, tmp_path / "other")
    cut(other)
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n  - metric: M4.severe_violation_rate\n    at_most: 1.0\n")
    for ran in (cli("compare", run, other), cli("gate", other, "--rules", rules)):
        assert "other/turn_eval.jsonl" in ran.err
        assert "the file was changed after the run" in ran.err
