"""A constraint that no rule reads is told once, with what is understood: on the terminal, page one, in the summary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from turnmark.cli.root import root
from turnmark.pipeline.scoring.score import ScoreResult, score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest

READ = ["单一行业仓位不超过20%", "no crypto", "레버리지 금지", "无特殊约束"]
UNREAD = {
    "随缘就好": "",
    "회사 일이 바쁨": "",
    "ask my wife about everything first": "",
    "回撤要小": "max_drawdown, at_most, no number",
}


def _dialog(name: str, constraints: list[str]) -> str:
    turn = {
        "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "user_text": "怎么看？",
        "gt_assistant_text": "", "pred_assistant_text": "慢慢来。", "turn_status": "ok", "gt_turn_tags": {},
    }  # fmt: skip
    return json.dumps({
        "trace_version": "v1", "run_id": "r", "dialog_id": name, "valid_dialog": True, "language": "zh",
        "dataset_index": 1, "scenario_type": "x", "difficulty": "easy", "dialog_status": "ok", "turns": [turn],
        "profile_gt": {"constraints_gt": constraints},
    }, ensure_ascii=False)  # fmt: skip


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.jsonl"
    lines = [_dialog("a", [*READ, *UNREAD]), _dialog("b", [*UNREAD, "随缘就好", " "]), _dialog("c", READ)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_check_tells_each_once(trace: Path) -> None:
    (checked,) = check(trace)
    assert [problem.found for problem in checked.problems] == [f"string {text!r}" for text in UNREAD]
    assert all(problem.severity == "warning" for problem in checked.problems)
    for problem, understood in zip(checked.problems, UNREAD.values(), strict=True):
        assert f"not read ({understood or 'nothing understood'}): replies are not checked against it" in problem.advice
    assert checked.problems[0].field == "$.profile_gt.constraints_gt[4]"


def _scored(trace: Path, **settings: object) -> ScoreResult:
    return score(ScoreRequest((trace,), trace.parent / "run", **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_summary_counts_the_dialogues(trace: Path, workers: int) -> None:
    result = _scored(trace, workers=workers)
    unread = result.summary.unread_constraints
    assert {each.text: each.understood for each in unread} == UNREAD
    assert [each.dialogs for each in unread] == [2, 2, 2, 2]
    assert result.warnings == len(UNREAD)


def test_the_first_published_runs_told_nothing(trace: Path) -> None:
    result = _scored(trace, detect="literal")
    assert not result.summary.unread_constraints
    assert result.warnings == 0


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Constraints of users that no rule reads: 4."),
        ("zh", "有 4 条用户约束没有规则能读懂"),
        ("ko", "규칙이 읽지 못하는 사용자 제약이 4개"),
    ],
)
def test_page_one_says_it_in_every_language(trace: Path, language: str, words: str) -> None:
    out = trace.parent / "run"
    result = CliRunner().invoke(root, ["score", str(trace), "--out", str(out), "--lang", language])
    assert result.exit_code in (0, 3), result.output
    assert "随缘就好" in result.output
    for page in ("report.md", "report.html"):
        text = (out / page).read_text("utf-8")
        assert words in text
        assert "max_drawdown, at_most, no number" in text


def test_nothing_is_said_where_all_are_read(trace: Path) -> None:
    trace.write_text(_dialog("c", READ) + "\n", "utf-8")
    result = _scored(trace)
    assert not result.summary.unread_constraints
    assert result.warnings == 0
