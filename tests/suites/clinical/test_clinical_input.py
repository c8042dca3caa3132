"""Files of clinical events with faults: what is wrong is named by line, the rest is scored."""

import json

import pytest

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import EVIDENCE, PROBLEMS, TRACE, TURN_EVAL

RECORD = {"age": 67, "primary_condition": "type 2 diabetes", "key_labs": {"hba1c": "7.2%"}}


def event(turn, answer, **changes):
    base = {
        "schema_version": "events_record.v1", "run_id": "r", "mode": "agent", "patient_id": "p", "turn_id": turn,
        "question": {"text": "What can I do?"}, "answer": answer, "timestamp_utc": "", "slots_truth": RECORD,
    }  # fmt: skip
    return base | changes


def scored(tmp_path, *lines, **settings):
    path = tmp_path / "events.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), "utf-8")
    return score(ScoreRequest((path,), tmp_path / "run", suite="clinical", **settings))


def read(folder, name):
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_turn_that_is_answered_twice_is_scored_once_by_its_first_answer(tmp_path, workers):
    first, second = "Your HbA1c is 7.2%, a little high.", "Your HbA1c is 9.9%."
    result = scored(tmp_path, event(1, first), event(2, "Walk daily."), event(1, second), workers=workers)
    assert [row["turn_pair_id"] for row in read(result.folder, TURN_EVAL)] == [1, 2]
    assert [record["answer"] for record in read(result.folder, "events.jsonl")] == [first, "Walk daily."]
    (trace,) = read(result.folder, TRACE)
    texts = {turn["turn_pair_id"]: turn["pred_assistant_text"] for turn in trace["turns"]}
    for piece in read(result.folder, EVIDENCE):
        if piece.get("source", "reply") == "reply" and piece.get("quote"):
            start = piece.get("start", 0)
            assert texts[piece["turn_pair_id"]][start : piece["end"]] == piece["quote"]
    (problem,) = read(result.folder, PROBLEMS)
    assert (problem["line"], problem["field"]) == (3, "$.turn_id")
    assert problem["found"] == "turn 1 of 'p' (agent, run 'r') again, first in line 1"
    assert (result.summary.input.lines, result.rejected_lines) == (3, 1)


def test_lines_are_events_not_conversations(tmp_path):
    result = scored(tmp_path, *(event(turn, "Walk daily.") for turn in (1, 2, 3)), '{"mode": 5}')
    assert (result.summary.input.lines, result.rejected_lines) == (4, 1)


def test_runs_in_one_file_are_not_mixed(tmp_path):
    result = scored(tmp_path, event(1, "Walk daily."), event(1, "Swim daily.", run_id="s"))
    assert [record["answer"] for record in read(result.folder, "events.jsonl")] == ["Walk daily."]
    assert [(each["field"], each["severity"]) for each in read(result.folder, PROBLEMS)] == [("$.dialog_id", "error")]


def test_half_a_character_is_a_warning(tmp_path):
    result = scored(tmp_path, json.dumps(event(1, "Walk daily.")).replace("daily", "\\ud800"))
    assert (result.rejected_lines, result.summary.input.lines, result.summary.input.warnings) == (0, 1, 1)
    assert read(result.folder, PROBLEMS)[0]["severity"] == "warning"


@pytest.mark.parametrize("labs", [7.2, True, "HbA1c 7.2%", "HbA1c: 7.2%", ["HbA1c: 7.2%"], [7.2], {"hba1c": None}])
def test_labs_of_any_form_fail_no_metric(tmp_path, labs):
    record = RECORD | {"key_labs": labs}
    result = scored(tmp_path, *(event(turn, "Your HbA1c of 7.2% is high.", slots_truth=record) for turn in range(1, 6)))
    assert result.failed_rows == 0


def test_wrong_fields_are_named_with_what_was_found(tmp_path):
    result = scored(tmp_path, event(1, "Walk daily."), event(2, ["x"]), event(3, "Walk.", mode="robot"))
    told = [(each["field"], each["expected"], each["found"]) for each in read(result.folder, PROBLEMS)]
    assert told == [
        ("$.answer", "string or null", "array of 1"),
        ("$.mode", "one of ['agent', 'llm']", "string 'robot'"),
    ]
