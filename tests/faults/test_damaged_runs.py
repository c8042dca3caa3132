"""Damaged and foreign run folders under every command that reads one: one line names the file, and no traceback."""

import os
import shutil

import pytest

from building import PROFILE, dialog, turn, write_lines
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

SUMMARY, ROWS, TRACE, EVIDENCE, MANIFEST = (
    "metrics_summary.json", "turn_eval.jsonl", "dialog_trace.jsonl", "evidence.jsonl", "run_manifest.json"
)  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    turns = [turn(number, "收益会波动，存在风险。", risks=["波动风险"]) for number in (1, 2, 3)]
    write_lines(folder / "trace.jsonl", *[dialog(f"d{place}", turns, profile_gt=PROFILE) for place in range(6)])
    score(ScoreRequest((folder / "trace.jsonl",), folder / "run"))
    (folder / "labels.jsonl").write_text(
        '{"dialog_id":"d0","turn_pair_id":1,"measure":"M4.forbidden_hit_rate","value":true,"annotator":"a"}\n', "utf-8"
    )
    (folder / "gate.yaml").write_text("rules: [{metric: M3.risk_coverage, at_least: 0.1}]\n", "utf-8")
    return folder


def written(name, content):
    return lambda run: (run / name).write_bytes(content)


def changed(name, before, after):
    def change(run):
        data = (run / name).read_bytes()
        assert before in data
        (run / name).write_bytes(data.replace(before, after))

    return change


def pipe(name):
    def make(run):
        (run / name).unlink()
        os.mkfifo(run / name)

    return make


def folder(name):
    def make(run):
        (run / name).unlink()
        (run / name).mkdir()

    return make


def loop(name):
    def make(run):
        (run / name).unlink()
        (run / name).symlink_to(name)

    return make


DAMAGE = {
    "deep": written(SUMMARY, b"[" * 200_000),
    "deep object": written(SUMMARY, b'{"metrics":' * 100_000),
    "empty": written(SUMMARY, b""),
    "array": written(SUMMARY, b"[]"),
    "null": written(SUMMARY, b"null"),
    "bytes": written(SUMMARY, bytes(range(256))),
    "utf-16": written(SUMMARY, '{"a": 1}'.encode("utf-16")),
    "huge counter": changed(SUMMARY, b'"total_turn_pairs": 18', b'"total_turn_pairs": ' + b"9" * 300),
    "above 2**63": changed(SUMMARY, b'"total_turn_pairs": 18', b'"total_turn_pairs": 9223372036854775808'),
    "below zero": changed(SUMMARY, b'"total_turn_pairs": 18', b'"total_turn_pairs": -18'),
    "another suite": changed(SUMMARY, b'"finance"', b'"clinical"'),
    "unknown suite": changed(SUMMARY, b'"finance"', b'"elsewhere"'),
    "pipe": pipe(SUMMARY),
    "folder": folder(SUMMARY),
    "loop": loop(SUMMARY),
    "rows deep": written(ROWS, b"[" * 200_000 + b"\n"),
    "rows empty": written(ROWS, b""),
    "rows pipe": pipe(ROWS),
    "rows folder": folder(ROWS),
    "rows cut": changed(ROWS, b'"d5"', b'"d'),
    "rows bytes": written(ROWS, b"\xff\x00" * 99),
    "rows loop": loop(ROWS),
    "trace pipe": pipe(TRACE),
    "trace deep": written(TRACE, b'{"turns":' * 99_999 + b"\n"),
    "trace empty": written(TRACE, b""),
    "trace folder": folder(TRACE),
    "evidence deep": written(EVIDENCE, b"[" * 99_999),
    "evidence pipe": pipe(EVIDENCE),
    "evidence folder": folder(EVIDENCE),
    "evidence bytes": written(EVIDENCE, b"\xfe" * 9),
    "manifest deep": written(MANIFEST, b"[" * 99_999),
    "manifest pipe": pipe(MANIFEST),
    "manifest array": written(MANIFEST, b"[]"),
}
COMMANDS = {
    "gate": lambda run, other: ("gate", run, "--rules", other / "gate.yaml", "--baseline", other / "run"),
    "compare": lambda run, other: ("compare", other / "run", run, "--format", "json"),
    "correct": lambda run, other: ("correct", run, "--labels", other / "labels.jsonl"),
    "report": lambda run, _: ("report", run),
    "check": lambda run, _: ("check", run),
    "selftest": lambda run, _: ("selftest", run, "--max-turns", "3", "--format", "json"),
}
QUICK = ("gate", "correct", "report", "check")


def survive(cli, whole, tmp_path, damage, command):
    run = tmp_path / "damaged"
    shutil.copytree(whole / "run", run)
    DAMAGE[damage](run)
    ran = cli(*COMMANDS[command](run, whole))
    assert ran.code in (0, 1, 2, 3)
    if ran.code == 2:
        assert "damaged" in ran.err, "the line names the file"
        assert len(ran.err) < 2000


@pytest.mark.parametrize("command", QUICK)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_run_is_named(cli, whole, tmp_path, damage, command):
    survive(cli, whole, tmp_path, damage, command)


@pytest.mark.slow
@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in QUICK])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_run_is_named_by_slower_commands(cli, whole, tmp_path, damage, command):
    survive(cli, whole, tmp_path, damage, command)
