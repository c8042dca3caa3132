from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import report_small_run as small_run

from turnmark.errors import DataError
from turnmark.pipeline.publishing.report import gather, write_report
from turnmark.report.view.quoted.highlight import fits
from turnmark.runs.folder import EVIDENCE, SUMMARY, TRACE, TURN_EVAL


@pytest.fixture
def run(scored: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(scored, tmp_path / "run"))


def test_two_renderings_are_the_same_bytes(run: Path) -> None:
    first = [page.read_bytes() for page in write_report(run)]
    assert [page.name for page in write_report(run)] == ["report.md", "report.html"]
    assert [(run / name).read_bytes() for name in ("report.md", "report.html")] == first
    assert [path.name for path in run.glob(".*")] == [".lock"]


def test_the_gravest_turn_comes_first_with_its_texts_and_evidence(run: Path) -> None:
    worst = gather(run).worst
    first = worst[0]
    assert (first.dialog_id, first.turn_pair_id) == ("d-chinese", 2)
    assert first.reply == small_run.SEVERE_REPLY
    assert first.scenario == "产品比较"
    assert [fault.kind for fault in first.reasons][:3] == ["severe", "forbidden", "contradiction"]
    quotes = [piece.quote for piece in first.evidence if piece.polarity == "severe"]
    assert quotes == [small_run.SEVERE_WORDS]
    assert all(fits(piece, first.reply) for piece in first.evidence if piece.source == "reply")


def test_every_shown_turn_is_found_in_the_trace(run: Path) -> None:
    worst = gather(run).worst
    assert all(view.in_trace for view in worst)
    assert {view.dialog_id for view in worst} == {"d-chinese", "d-korean", small_run.HOSTILE_ID}
    kinds = [view.reasons[0].kind for view in worst]
    assert kinds[:3] == ["severe", "failed", "reply_state"]


def test_the_dialogue_is_found_when_another_id_comes_first_in_its_line(run: Path) -> None:
    path = run / TRACE
    lines = path.read_text("utf-8").splitlines()
    moved = [json.dumps({"origin": {"dialog_id": "d-other"}, **json.loads(line)}, ensure_ascii=True) for line in lines]
    path.write_text("\n".join(moved), encoding="utf-8")
    assert all(view.in_trace for view in gather(run).worst)


@pytest.mark.parametrize("name", [TRACE, EVIDENCE, TURN_EVAL])
def test_a_folder_without_one_of_its_files_still_gets_its_pages(run: Path, name: str) -> None:
    (run / name).unlink()
    for page in write_report(run):
        assert page.stat().st_size > 1000


def test_damaged_lines_are_passed_over(run: Path) -> None:
    for name in (TRACE, EVIDENCE, TURN_EVAL):
        path = run / name
        path.write_bytes(b'{"dialog_id": "d-chi\n\xff\n[' + b"\n" + path.read_bytes())
    assert gather(run).worst[0].in_trace


def test_a_folder_without_summary_says_what_to_do(run: Path) -> None:
    (run / SUMMARY).unlink()
    with pytest.raises(DataError, match="turnmark score"):
        write_report(run)


def test_problems_are_counted_and_the_first_are_kept(run: Path) -> None:
    problem = {"file": "a.jsonl", "line": 1, "expected": "JSON"}
    (run / "problems.jsonl").write_text("".join(json.dumps(problem) + "\n" for _ in range(33)), encoding="utf-8")
    data = gather(run)
    assert data.problem_count == 33
    assert len(data.problems) == 20
