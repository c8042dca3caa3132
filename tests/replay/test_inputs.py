"""What can be replayed, what is left out and why, and what is written for each kind."""

import json

import msgspec
import pytest

from building import dataset_dialog, write_lines
from turnmark.replay.inputs import Script, scripts
from turnmark.schemas.clinical.events import EventRecord
from turnmark.schemas.problems import Problem
from turnmark.suites.file_kinds import played_kind, played_kinds

DIALOGS, CLINICAL, CASES = played_kinds()
CASE = {"id": "q1", "lang": "en", "question": "What is a bond?", "ground_truth_answer": "A loan.", "note": 7}
PATIENT = {
    "patient_id": "p1",
    "slots": {"age": 67},
    "language": "ko",
    "turns": [{"turn_id": 1, "question": "상태는요?", "question_id": "a"}, {"turn_id": 2, "question": "약은요?"}],
}


def read(tmp_path, *records):
    path = write_lines(tmp_path / "in.jsonl", *records)
    found = list(scripts(path, played_kind(path)))
    return [one for one in found if isinstance(one, Script)], [one for one in found if isinstance(one, Problem)]


@pytest.mark.parametrize(("record", "kind"), [(dataset_dialog(), "dialogs"), (CASE, "cases"), (PATIENT, "clinical")])
def test_kinds_are_told_by_their_form(tmp_path, record, kind):
    assert played_kind(write_lines(tmp_path / "in.jsonl", b"broken\n", {"other": 1}, record)).name == kind


def test_a_file_of_no_kind(tmp_path, cli):
    path = write_lines(tmp_path / "in.jsonl", {"other": 1})
    assert played_kind(path) is None
    refused = cli("replay", path, "--agent", "demo", "--out", tmp_path / "run")
    assert refused.code == 2
    known = "a dialogue (dialog_id, turns) or a script (patient_id, turns with question) or a question (question)"
    assert f"expected lines of {known}; found none" in refused.err


def test_a_dialogue_is_normalised_and_carries_its_ground_truth(tmp_path):
    record = dataset_dialog("d1", pairs=1, language="zh", scenario_type="投资教育", difficulty=None)
    record["turns"][0] |= {"role": "用户", "text": "\ufeff第一行\r\n第二行"}
    (script,), problems = read(tmp_path, record)
    assert not problems
    assert script.pairs[0]["user_text"] == "第一行\n第二行"
    assert script.head["raw_turns"][0]["role"] == "user"
    assert script.head["profile_gt"]["risk_level_gt"] == "稳健"
    assert (script.head["language"], script.head["scenario_type"]) == ("zh", "投资教育")
    assert "difficulty" not in script.head


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"turns": []}, "missing_turns"),
        ({"profile_gt": None}, "missing_profile_gt"),
        ({"turns": [{"role": "assistant", "text": "x", "turn_tags": {}}] * 2}, "invalid_turn_sequence"),
        ({"turns": [{"role": "user", "text": "x"}, {"role": "assistant", "text": "y"}]}, "missing_gt_tags"),
    ],
)
def test_a_dialogue_that_cannot_be_evaluated_is_skipped_with_its_reason(tmp_path, change, reason):
    (script, other), problems = read(tmp_path, {**dataset_dialog("d1"), **change}, dataset_dialog("d2"))
    assert (script.skip_reason, script.pairs, script.place) == (reason, [], 1)
    assert (other.skip_reason, other.place) == (None, 2)
    assert not problems


@pytest.mark.parametrize(
    ("line", "field", "expected"),
    [
        (b"{broken\n", "$", "JSON"),
        ({**dataset_dialog("d2"), "dialog_id": ""}, "$.dialog_id", "the name of the dialogue"),
        ({**dataset_dialog("d2"), "dialog_id": True}, "$.dialog_id", "the name of the dialogue"),
        ({**dataset_dialog("d2"), "difficulty": 5}, "$.difficulty", "a dataset dialogue"),
        (CASE, "$", "a dialogue (dialog_id, turns), like the lines before"),
        (dataset_dialog("d1"), "$", "each dialogue once"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(tmp_path, line, field, expected):
    found, problems = read(tmp_path, dataset_dialog("d1"), line, dataset_dialog("d3"))
    assert [(script.dialog_id, script.place) for script in found] == [("d1", 1), ("d3", 2)]
    assert (problems[0].line, problems[0].field) == (2, field)
    assert expected in problems[0].expected


def test_half_an_emoji_is_repaired_and_said(tmp_path):
    record = dataset_dialog("d1")
    record["turns"][0]["text"] = "half \ud83d"
    line = json.dumps(record).encode() + b"\n"
    (script,), (problem,) = read(tmp_path, line)
    assert script.pairs[0]["user_text"] == "half \ufffd"
    assert problem.severity == "warning"


def trace_of(script, **fields):
    turn = {"turn_status": "ok", "pred_assistant_text": "A loan to an issuer.", "latency_ms": 1.5, "error": None}
    pairs = [{**pair, **turn, **fields} for pair in script.pairs]
    return {"dialog_id": script.dialog_id, "run_id": "r", "turns": [] if script.skip_reason else pairs}


def test_a_case_is_filled_with_answer_and_contexts(tmp_path):
    (script,), _ = read(tmp_path, CASE)
    assert script.pairs[0]["gt_assistant_text"] == "A loan."
    (case,) = CASES.result(CASE, trace_of(script, replay={"retrieved_contexts": ["c1", "c2"]}))
    assert case == CASE | {
        "answer": "A loan to an issuer.", "retrieved_contexts": ["c1", "c2"], "turn_status": "ok", "latency_ms": 1.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([{"content": "a", "item_id": 7}, {"content": "b", "item_id": "x"}], {"retrieved_ids": ["7", "x"]}),
        ([{"content": "a", "item_id": 7}, {"content": "b"}], {}),
    ],
)
def test_contexts_of_a_case_may_come_from_recall(tmp_path, items, expected):
    (script,), _ = read(tmp_path, CASE)
    (case,) = CASES.result(CASE, trace_of(script, recall={"items": items}))
    assert case["retrieved_contexts"] == ["a", "b"]
    assert {name: case[name] for name in ("retrieved_ids",) if name in case} == expected


def test_a_case_that_knows_nothing_of_contexts_keeps_its_own(tmp_path):
    given = CASE | {"retrieved_contexts": ["fixed"]}
    (script,), _ = read(tmp_path, given)
    (case,) = CASES.result(given, trace_of(script))
    assert case["retrieved_contexts"] == ["fixed"]


def test_a_case_that_failed_says_why(tmp_path):
    (script,), _ = read(tmp_path, {"question": "What is a bond?"})
    trace = trace_of(script, turn_status="timeout", error="timeout: no reply within 1 s", pred_assistant_text="")
    (case,) = CASES.result(script.source, trace)
    assert (case["id"], case["answer"], case["error"]) == ("case-000001", None, "timeout: no reply within 1 s")


def test_a_case_with_an_answer_stays_as_it_is(tmp_path):
    answered = CASE | {"answer": "yes"}
    (script,), _ = read(tmp_path, answered)
    assert script.skip_reason == "has_answer"
    assert list(CASES.result(answered, trace_of(script))) == [answered]


@pytest.mark.parametrize("question", ["", "  ", 5, None])
def test_a_case_without_a_question(tmp_path, question):
    found, problems = read(tmp_path, CASE, {"question": question})
    assert len(found) == 1
    assert problems[0].field == "$.question"


def test_a_clinical_script_becomes_events(tmp_path):
    (script,), _ = read(tmp_path, PATIENT)
    first, second = CLINICAL.result(PATIENT, trace_of(script, replay={"usage": {"input_tokens": 3}}))
    assert msgspec.convert(first, EventRecord).slots_truth["age"] == 67
    assert first["question"] == {"text": "상태는요?", "question_id": "a"}
    assert (second["turn_id"], second["answer"], second["usage"]) == (2, "A loan to an issuer.", {"input_tokens": 3})
    assert first["metadata"] == {"language": "ko", "turn_status": "ok", "error": None}
    (failed, _) = CLINICAL.result(PATIENT, trace_of(script, turn_status="error", error="down"))
    assert (failed["answer"], failed["metadata"]["error"]) == (None, "down")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"turns": []}, "$.turns"),
        ({"turns": "none"}, "$.turns"),
        ({"turns": [{"question": "a"}, {"turn_id": 2}]}, "$.turns[1].question"),
        ({"patient_id": None}, "$.patient_id"),
    ],
)
def test_a_bad_clinical_script(tmp_path, change, field):
    _, problems = read(tmp_path, PATIENT, PATIENT | {"patient_id": "p2"} | change)
    assert problems[0].field == field
