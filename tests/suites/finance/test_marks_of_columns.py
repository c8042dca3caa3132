"""Rows of finance hold the marks of every suite beside their columns; literal rows are those of the first runs."""

import json

import pytest

from building import dialog, turn, write_lines
from turnmark.metrics.finance import METRICS
from turnmark.metrics.marked import counted, outcomes_of
from turnmark.pipeline.publishing.run_turns import decode_row, lean_row
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.view.triage import faults, gravest
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.suites.finance import dialogue
from turnmark.suites.finance.rows import complete, outcomes_of_columns

TURN_METRICS = [metric for metric in METRICS if metric.unit == "turn"]
REPLY = "根据公开数据，市场波动较大，稳赚不赔的产品并不存在。稳健的您仅供参考。"
TURNS = [
    turn(1, REPLY, risks=["市场波动"], rubric=["信息依据", "边界声明"], keys=["profile_gt.risk_level_gt"]),
    turn(2, "保本保收益，稳赚不赔。", risks=["波动风险"]),
    turn(3, None, turn_status="timeout", rubric=["信息依据"]),
    turn(4, "好的。", label="minor_violation"),
]


def rows_of(tmp_path, detect):
    path = write_lines(tmp_path / "t.jsonl", dialog("d", TURNS))
    score(ScoreRequest((path,), tmp_path / detect, detect=detect))
    return (tmp_path / detect / "turn_eval.jsonl").read_bytes().splitlines()


def test_marks_and_columns_of_a_row_say_the_same(tmp_path):
    for raw in rows_of(tmp_path, "contextual"):
        row = decode_row(raw)
        columns = outcomes_of_columns(row)
        for metric in TURN_METRICS:
            given, read = columns[metric.name], outcomes_of(metric, row)
            assert (list(given) if isinstance(given, tuple) else counted(given, row.turn_status)) == read


def test_literal_rows_hold_no_marks_and_are_read_as_if_they_did(tmp_path):
    written = rows_of(tmp_path, "literal")
    assert not any({"marks", "flags"} & set(json.loads(raw)) for raw in written)
    read = [decode_row(raw) for raw in written]
    assert [set(row.marks) for row in read] == [
        set() if row.turn_status != "ok" else {metric.name for metric in TURN_METRICS} for row in read
    ]
    for raw, row in zip(written, read, strict=True):
        assert lean_row(raw).marks == row.marks
        assert gravest(lean_row(raw)) == gravest(row)


def test_an_earlier_row_without_marks_gives_what_the_new_one_does(tmp_path):
    for raw in rows_of(tmp_path, "contextual"):
        fields = json.loads(raw)
        now = decode_row(raw)
        fields.pop("marks")
        fields.pop("flags", None)
        then = decode_row(json.dumps(fields).encode())
        assert (then.marks, then.flags, faults(then)) == (now.marks, now.flags, faults(now))


def test_a_detector_that_fails_says_so_in_its_column_and_its_mark(tmp_path, monkeypatch):
    def broken(*_):
        message = "no disclosure today"
        raise ValueError(message)

    monkeypatch.setattr(dialogue.risk_coverage, "fill", broken)
    first, _, timed_out, _ = (json.loads(raw) for raw in rows_of(tmp_path, "contextual"))
    text = "ValueError: no disclosure today"
    assert first["failures"] == {"M3": text}
    assert first["marks"]["m3_risk_coverage"] == {"failed": text}
    # A turn that did not end ok counts for nothing; a detector that failed on it is told all the same.
    assert timed_out["marks"] == {"m3_risk_coverage": {"failed": text}}


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        ({"constraint_contradiction": 1}, ("contradiction",)),
        ({"pred_compliance_label": "minor_violation"}, ("minor",)),
        ({"constraint_contradiction": 1, "turn_status": "error", "eligible_m4": False}, ()),
        ({}, ()),
    ],
)
def test_what_no_mark_counts_is_flagged(fields, flags):
    eligible = {f"eligible_m{number}": number == 4 for number in range(1, 6)}
    row = TurnEvalRow(trace_version="v1", run_id="r", dialog_id="d", turn_pair_id=1, **{**eligible, **fields})
    complete(row)
    assert tuple(row.flags) == flags
