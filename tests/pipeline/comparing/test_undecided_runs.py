"""Runs in which something was not decided: compared, held against rules, corrected by labels, shown."""

import json
from types import SimpleNamespace

import pytest
from msgspec import UNSET

from building import write_lines
from turnmark.locale.texts import ENGLISH, texts_of
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.gate import GateRequest, _by_value, _check, _reach, gate
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.labelling.correct import CorrectRequest, correct
from turnmark.pipeline.publishing.run_turns import decode_row
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.comparison import render_comparison_markdown
from turnmark.report.pages.markdown import render_markdown
from turnmark.report.pages.tables import comparison_rows, tables
from turnmark.report.view.data import ReportData, TurnView
from turnmark.runs.folder import read_summary
from turnmark.schemas.results.summary import EvalSummary, Figures
from turnmark.viewer.marks import marks_of

CASES = 24
NAME = "faithfulness"


@pytest.fixture
def run_of(tmp_path):
    """A scored run whose cases have these marks of faithfulness: hits, total, not decided."""
    cases = [
        {"id": f"c{place:02d}", "question": f"What is fee {place}?", "answer": f"The fee is {place} won.",
         "contexts": [f"The fee is {place} won."]}
        for place in range(CASES)
    ]  # fmt: skip
    path = write_lines(tmp_path / "cases.jsonl", *cases)

    def make(name, marks):
        score(ScoreRequest((path,), tmp_path / name, suite="rag"))
        rows_path = tmp_path / name / "turn_eval.jsonl"
        rows = [json.loads(line) for line in rows_path.read_text("utf-8").splitlines()]
        assert len(rows) == CASES
        for place, row in enumerate(rows):
            hits, total, rest = marks(place)
            row["marks"][NAME] = {"measures": {NAME: [hits, total]}, "undecided": {NAME: rest}}
        write_lines(rows_path, *rows)
        return tmp_path / name

    return make


def of_faithfulness(comparison):
    return next(one for one in comparison.pairs[0].measures if one.measure == NAME)


def test_a_difference_that_the_undecided_could_undo_is_not_called(run_of):
    good = run_of("good", lambda _: (4, 4, 4))
    poor = run_of("poor", lambda place: (place % 2, 4, 4))
    compared = compare(CompareRequest((poor, good)))
    one = of_faithfulness(compared)
    # Good 4/4 with 4 open: 1/2 to 1. Poor on average .5/4 with 4 open: .0625 to .5625.
    assert one.p_holm < 0.05
    assert one.undecided_bounds == pytest.approx((0.5 - 0.5625, 1 - 0.0625))
    assert (one.better, one.undecided_could_undo) == ("undecided", True)
    assert texts_of("en")["better_undone"] in render_comparison_markdown(compared)
    assert texts_of("zh")["better_undone"] in render_comparison_markdown(compared, "zh")
    (row,) = [row for row in comparison_rows(compared)["differences"] if row["measure"] == NAME]
    assert (row["lowest"], row["undecided_could_undo"]) == (pytest.approx(-0.0625), "true")
    (cells,) = [row.cells for row in compared.table if row.measure == NAME]
    assert [(cell.best, cell.close) for cell in cells] == [(False, True), (True, False)]


def test_a_difference_that_stands_however_the_rest_falls_is_called(run_of):
    good = run_of("good", lambda _: (4, 4, 1))
    poor = run_of("poor", lambda place: (place % 2, 4, 1))
    one = of_faithfulness(compare(CompareRequest((poor, good))))
    assert one.undecided_bounds == pytest.approx((0.8 - 1.5 / 5, 1 - 0.5 / 5))
    assert one.better == "second"
    assert not one.undecided_could_undo


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("at_least: 0.3", "pass"),  # the worst case is 2/4
        ("at_least: 0.7", "not_enough_data"),  # decided 2/3, with the rest 2/4 to 3/4
        ("at_least: 0.6", "not_enough_data"),  # the decided figure keeps it, the worst case does not
        ("at_least: 0.95", "fail"),  # the best case is 3/4
        ("at_most: 0.95", "pass"),
        ("at_most: 0.6", "not_enough_data"),
        ("at_most: 0.3", "fail"),
    ],
)
@pytest.mark.parametrize("judge_by", ["interval", "value"])
def test_gates_count_the_worst_and_the_best_case(run_of, tmp_path, rule, outcome, judge_by):
    run = run_of("run", lambda _: (2, 3, 1))
    rules = tmp_path / "gate.yaml"
    rules.write_text(f"rules: [{{metric: faithfulness.faithfulness, {rule}, judge_by: {judge_by}}}]", "utf-8")
    (found,) = gate(GateRequest(run, rules)).findings
    assert found.outcome == outcome, found.reason
    assert found.value == pytest.approx(2 / 3)
    assert found.bounds == (0.5, 0.75)
    assert "what was not decided (24 of 96) at its worst and at its best" in found.reason


def test_a_baseline_counts_the_worst_and_the_best_case(run_of, tmp_path):
    before, after = run_of("before", lambda _: (3, 4, 0)), run_of("after", lambda _: (3, 4, 4))
    rules = tmp_path / "gate.yaml"
    found = {}
    for margin in (0.1, 0.4):
        rules.write_text(f"rules: [{{metric: faithfulness.faithfulness, no_worse_than_baseline: {margin}}}]", "utf-8")
        found[margin] = gate(GateRequest(after, rules, before)).findings[0].outcome
    # After: 3/8 to 7/8 against 6/8.
    assert found == {0.1: "not_enough_data", 0.4: "pass"}


@pytest.mark.parametrize(
    ("margin", "outcome", "reason"),
    [
        (
            0.1,
            "not_enough_data",
            "difference to the baseline +0, could be -0.375 to +0.125 had everything been decided, margin 0.1",
        ),
        (0.375, "pass", "difference to the baseline +0, margin 0.375"),
        (0.374, "not_enough_data", None),
    ],
)
def test_the_difference_alone_counts_its_worst_and_its_best(run_of, tmp_path, margin, outcome, reason):
    # Before 6/8; after 3/4 decided, with the rest 3/8 to 7/8.
    before, after = run_of("before", lambda _: (3, 4, 0)), run_of("after", lambda _: (3, 4, 4))
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        f"rules: [{{metric: faithfulness.faithfulness, no_worse_than_baseline: {margin}, judge_by: value}}]", "utf-8"
    )
    found = gate(GateRequest(after, rules, before)).findings[0]
    assert found.outcome == outcome
    assert reason is None or found.reason == reason


def test_the_worst_at_the_margin_passes_and_the_best_at_it_does_not_fail():
    one = SimpleNamespace(upward=True, undecided_bounds=(0, 0))
    down = SimpleNamespace(upward=False, undecided_bounds=(0, 0))
    for reach, outcome in {(-0.25, 0.5): "pass", (-0.5, -0.25): "not_enough_data", (-0.5, -0.375): "fail"}.items():
        assert _by_value(one, reach, 0.25, "", [], ENGLISH)[0] == outcome
        assert _by_value(down, (-reach[1], -reach[0]), 0.25, "", [], ENGLISH)[0] == outcome


def test_bounds_move_a_difference_out_and_never_in():
    assert _reach(0.25, None) == (0.25, 0.25)
    assert _reach(0.25, (0.0, 1.0)) == (0.0, 1.0)
    assert _reach(0.25, (0.5, 1.0)) == (0.25, 1.0), "a least above it lowers nothing"
    assert _reach(0.25, (-0.25, 0.125)) == (-0.25, 0.25), "a greatest below it raises nothing"
    assert _reach(0.25, (0.0, 0.5), (-0.25, 0.75)) == (-0.5, 1.0), "both add up"


def test_what_the_undecided_are_said_of_is_not_said_twice():
    of_both = ["the ends count what was not decided", "the ends count failed and missing rows too"]
    only = SimpleNamespace(upward=True, undecided_bounds=UNSET)
    both = SimpleNamespace(upward=True, undecided_bounds=(-1, 1))
    said = "d, could be -1 to +1 had everything been decided, margin 0; the ends count failed and missing rows too"
    assert _by_value(both, (-1, 1), 0, "d", of_both, ENGLISH) == ("not_enough_data", said)
    assert _by_value(only, (-1, 1), 0, "d", of_both[1:], ENGLISH) == ("not_enough_data", said)


def test_an_interval_open_at_one_end_decides_nothing():
    for ends in ((None, 0.5), (0.5, None), (None, None)):
        outcome, reason = _check(0.5, ends, "≥ 0.4", 0.4, lambda at, bound: at >= bound, ENGLISH)
        assert (outcome, reason) == ("not_enough_data", "0.5, wanted ≥ 0.4; too few dialogues for an interval")


def test_labels_of_turns_that_were_not_decided_count(run_of, tmp_path):
    run = run_of("run", lambda place: (0, 0, 1) if place < 12 else (1, 1, 0))
    labels = [
        {"dialog_id": f"c{place:02d}", "turn_pair_id": 1, "measure": f"{NAME}.{NAME}", "value": place >= 12,
         "annotator": "a"}
        for place in range(CASES)
    ]  # fmt: skip
    keys = [json.loads(line)["turn_pair_id"] for line in (run / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    for label, key in zip(labels, keys, strict=True):
        label["turn_pair_id"] = key
    (found,) = correct(CorrectRequest(run, write_lines(tmp_path / "labels.jsonl", *labels))).measures
    assert (found.rows, found.labelled, found.not_decided) == (24, 24, 12)
    assert found.raw == 1.0, "what was decided"
    assert found.powered == pytest.approx(0.5), "all turns, as people say"
    assert found.disagreements == []
    assert found.accuracy == 1.0


def test_pages_and_tables_show_the_share_decided_and_bounds(run_of):
    summary = read_summary(run_of("run", lambda _: (2, 3, 1)))
    result = summary.metrics[NAME]
    result.micro[NAME], result.denominators[NAME] = 2 / 3, 72.0
    result.decided_share, result.bounds, result.macro_bounds = {NAME: 0.75}, {NAME: (0.5, 0.75)}, {NAME: (0.5, 0.75)}
    rest = "0.500 to 0.750 however the rest is decided"
    assert f"0.667 (75 % decided; {rest})" in render_markdown(summary), "of a summary that holds the share only"
    result.undecided = {NAME: 24.0}
    assert f"0.667 (72 of 96 decided; {rest})" in render_markdown(summary)
    (row,) = [row for row in tables(ReportData(summary), texts_of("en", "rag"))["figures"] if row["measure"] == NAME]
    assert (row["decided_share"], row["lowest"], row["highest"]) == (0.75, 0.5, 0.75)
    assert isinstance(summary, EvalSummary)
    assert isinstance(result.normal_only, Figures)


def test_the_viewer_shows_marks_that_were_not_decided(run_of):
    run = run_of("run", lambda place: (0, 0, 2) if place else (1, 2, 2))
    rows = [decode_row(line) for line in (run / "turn_eval.jsonl").read_bytes().splitlines()]
    shown = [
        next(mark for mark in marks_of("rag", TurnView("d", 1, "", "", row, (), ())) if mark.name == NAME)
        for row in rows[:2]
    ]
    assert shown[0].value == "0.5"
    assert shown[0].shown == "0.500, 2 of 4 decided; 0.250 to 0.750 however the rest is decided"
    assert (shown[1].value, shown[1].shown, shown[1].yes_no) == ("", "not decided", False)
