"""``turnmark check`` on files of the clinical suite."""

import json
from pathlib import Path

import pytest

import turnmark.packs
from turnmark.pipeline.scoring.validate import check

SCRIPT = {"patient_id": "p1", "slots": {"age": 67}, "turns": [{"turn_id": 1, "question": "?"}]}
EVENT = {
    "schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p1", "turn_id": 1,
    "question": {"text": "?"}, "answer": "!", "timestamp_utc": "2026-01-01T00:00:00Z",
}  # fmt: skip


def checked(tmp_path, name, *records):
    path = tmp_path / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    (found,) = check(path)
    return found.kind, found.records, [str(problem).removeprefix(str(tmp_path) + "/") for problem in found.problems]


def test_scripts_are_told_by_their_fields_and_checked(tmp_path):
    assert checked(tmp_path, "a.jsonl", SCRIPT, {**SCRIPT, "patient_id": "p2"}) == ("scripts", 2, [])
    twice = [SCRIPT["turns"][0], SCRIPT["turns"][0]]
    kind, records, problems = checked(
        tmp_path, "a.jsonl", SCRIPT, SCRIPT, {**SCRIPT, "patient_id": "p3", "turns": twice}, {**SCRIPT, "turns": []}
    )
    assert (kind, records) == ("scripts", 3)
    assert problems[0] == "a.jsonl:2: $: expected each one once, found p1 again, first in line 1"
    assert problems[1] == "a.jsonl:3: $: expected each one once, found 1 again"
    assert problems[2].startswith("a.jsonl:4: $.turns: expected")


def test_events_are_told_by_their_fields_and_checked(tmp_path):
    other_mode = {**EVENT, "mode": "agent"}
    assert checked(tmp_path, "e.jsonl", EVENT, other_mode, {**EVENT, "turn_id": 2}) == ("events", 3, [])
    _, _, problems = checked(tmp_path, "e.jsonl", EVENT, EVENT, {**EVENT, "mode": "human"})
    assert "found r, llm, p1, 1 again, first in line 1" in problems[0]
    assert "e.jsonl:3: $.mode: expected" in problems[1]


def test_a_cut_line_is_a_warning_or_an_error_but_the_rest_is_read(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(SCRIPT) + "\n" + json.dumps(SCRIPT)[:30], "utf-8")
    (found,) = check(path)
    assert found.records == 1
    assert len(found.problems) == 1


def test_lone_surrogates_are_a_warning(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_bytes(json.dumps(SCRIPT).replace('"?"', '"\\ud83d"').encode())
    (found,) = check(path)
    assert (found.records, [problem.severity for problem in found.problems]) == (1, ["warning"])


@pytest.mark.parametrize("name", ["safety_rules.yaml", "required_slots_by_turn.yaml", "fact_weights.yaml"])
def test_shipped_files_are_right(name):
    (found,) = check(Path(turnmark.packs.__file__).parent / "clinical" / name)
    assert (found.kind, found.problems) == ("pack", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("answer_patterns: {}\nrules:\n  - {id: A, when: {any: [{patient_flag: none, is: true}]}}\n", "rules.yaml:"),
        ("turns:\n  '1': {required_slots: [{slot: 3}]}\n", "rules.yaml:"),
        ("medication: heavy\n", "$.medication: expected"),
        ("answer_patterns: [\n", "rules.yaml"),
    ],
)
def test_faults_of_users_files_name_the_line(tmp_path, text, expected):
    path = tmp_path / "rules.yaml"
    path.write_text(text, "utf-8")
    (found,) = check(path)
    assert found.problems
    assert any(expected in str(problem) for problem in found.problems)
    assert not any("$.pack" in str(problem) for problem in found.problems if "answer_patterns: [" not in text)
