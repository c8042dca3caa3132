"""Which kind of file a file is: one answer for check, score and run."""

import pytest

from building import dataset_dialog, dialog, turn, write_lines
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.suites.file_kinds import kind_of, kind_of_record, played_kind

CASE = {"id": "q", "lang": "en", "question": "What is a bond?", "answer": "A loan.", "retrieved_contexts": ["A loan."]}
EVENT = {
    "schema_version": "events_record.v1", "run_id": "r", "mode": "agent", "patient_id": "p", "turn_id": 1,
    "question": {"text": "How am I?"}, "answer": "You are well.", "timestamp_utc": "",
}  # fmt: skip
SCRIPT = {"patient_id": "p", "slots": {}, "turns": [{"turn_id": 1, "question": "a"}]}


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (CASE, "cases"),
        ({"user_input": "a", "response": "b"}, "cases"),
        ({"question": "a"}, "cases"),
        (EVENT, "events"),
        (SCRIPT, "scripts"),
        (dialog("d"), "trace"),
        (dataset_dialog("d"), "dataset"),
        ({"dialog_id": "d", "patient_id": "p", "turns": []}, "scripts"),
        ({"id": "1", "reply": "r"}, "labels"),
        ({"id": "1", "reply": "r", "question": "q", "answer": "a", "mode": "m", "patient_id": "p"}, "events"),
        ({"marks": {}, "suite": "rag"}, "turn_eval"),
        ({"other": 1}, None),
    ],
)
def test_a_record_is_of_the_kind_that_asks_for_most_of_its_names(record, kind):
    assert kind_of_record(record) == kind


@pytest.mark.parametrize(
    ("suite", "record", "kind"),
    [
        ("rag", {**CASE, "generation_params": {"turns": 3}}, "cases"),
        ("rag", {**CASE, "persona": {"turns": [{"marks": 1}]}}, "cases"),
        ("rag", {**CASE, "answer": 'The word "turns" in quotes.'}, "cases"),
        ("clinical", {**EVENT, "metadata": {"turns": [1]}}, "events"),
        ("clinical", {**EVENT, "metadata": {"dialog_id": "d", "valid_dialog": True, "turns": []}}, "events"),
    ],
)
def test_names_further_down_say_nothing_of_the_kind(suite, record, kind, tmp_path):
    """Each was once taken for a trace: score ended with 2 where check said that all was well."""
    path = write_lines(tmp_path / "in.jsonl", record)
    assert kind_of(path) == kind
    assert [checked.problems for checked in check(path)] == [[]]
    found = score(ScoreRequest((path,), tmp_path / "run", suite))
    assert (found.rejected_lines, found.summary.counters["total_turn_pairs"]) == (0, 1)


def test_a_trace_whose_texts_speak_of_other_kinds_stays_one(tmp_path):
    spoken = turn(1, 'See "marks" and "patient_id" and "question".', user_text='{"question": "a", "answer": "b"}')
    path = write_lines(tmp_path / "in.jsonl", dialog("d", [spoken]))
    assert kind_of(path) == "trace"
    for suite in ("finance", "rag", "clinical"):
        assert score(ScoreRequest((path,), tmp_path / suite, suite)).rejected_lines == 0
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(
        (tmp_path / "finance" / "turn_eval.jsonl").read_bytes().replace(b'"run_id":"', b'"run_id":"\\"marks\\"')
    )
    assert [checked.problems for checked in check(rows)] == [[]]


@pytest.mark.parametrize(("record", "name"), [(dialog("d"), "dialogs"), (CASE, "cases"), (SCRIPT, "clinical")])
def test_what_is_played_is_told_by_the_same_names(record, name, tmp_path):
    assert played_kind(write_lines(tmp_path / "in.jsonl", record)).name == name
