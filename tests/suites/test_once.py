"""A suite is built once a run, and its input is read once."""

import json
from pathlib import Path

import msgspec
import pytest

import turnmark
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.pipeline.playing.run import run
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.clinical import suite as clinical
from turnmark.suites.finance.suite import FinanceSuite
from turnmark.suites.protocol import SuiteSettings
from turnmark.suites.rag import read_cases
from turnmark.suites.rag import suite as rag
from turnmark.suites.registry import suite_definition

EXAMPLES = Path(turnmark.__file__).parent / "examples"


@pytest.fixture
def counted(monkeypatch):
    """How often things were done, by name."""
    calls: dict[str, int] = {}

    def count(owner, name):
        made = getattr(owner, name)

        def counting(*arguments, **settings):
            calls[name] = calls.get(name, 0) + 1
            return made(*arguments, **settings)

        monkeypatch.setattr(owner, name, counting)

    count(clinical, "read_event")
    count(read_cases, "case_of_record")
    for suite in (FinanceSuite, clinical.ClinicalSuite, rag.RagSuite):
        count(suite, "__init__")
    return calls


@pytest.mark.parametrize(
    ("suite", "file", "read"),
    [("clinical", "clinical/agent/events.jsonl", "read_event"), ("rag", "rag/cases.jsonl", "case_of_record")],
)
def test_scoring_reads_every_line_once(suite, file, read, counted, tmp_path):
    lines = (EXAMPLES / file).read_bytes().splitlines()
    score(ScoreRequest((EXAMPLES / file,), tmp_path / "run", suite))
    assert counted == {read: len(lines), "__init__": 1}


def test_a_run_under_another_name_reads_its_input_once_too(counted, tmp_path):
    path = EXAMPLES / "clinical/agent/events.jsonl"
    score(ScoreRequest((path,), tmp_path / "run", "clinical", run_id="other"))
    assert counted == {"read_event": len(path.read_bytes().splitlines()), "__init__": 1}
    rows = [json.loads(line) for line in (tmp_path / "run" / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    assert {row["run_id"] for row in rows} == {"other"}
    evidence = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text("utf-8").splitlines()]
    assert {piece["run_id"] for piece in evidence} == {"other"}


def test_playing_and_scoring_build_one_suite(counted, tmp_path):
    dataset = tmp_path / "questions.jsonl"
    dataset.write_text('{"id": "q1", "question": "What is a bond?"}\n', "utf-8")
    run(ReplayRequest(dataset, "demo", tmp_path / "run"), ScoreRequest((), suite="rag"))
    assert counted["__init__"] == 1


def test_many_traces_of_one_run_are_read_in_order(tmp_path):
    """More files than stay open between naming the run and scoring it."""
    lines = (EXAMPLES / "rag/cases.jsonl").read_bytes().splitlines()
    paths = []
    for place in range(70):
        case = json.loads(lines[place % len(lines)]) | {"id": f"c{place:02}"}
        paths.append(tmp_path / f"{place:02}" / "cases.jsonl")
        paths[-1].parent.mkdir()
        paths[-1].write_text(json.dumps(case) + "\n", "utf-8")
    found = score(ScoreRequest(tuple(paths), tmp_path / "run", "rag"))
    assert found.rejected_lines == 0
    rows = [json.loads(line) for line in (tmp_path / "run" / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    assert [row["dialog_id"] for row in rows] == [f"c{place:02}" for place in range(70)]


@pytest.mark.parametrize("file", ["clinical/agent/events.jsonl", "rag/cases.jsonl"])
def test_a_record_of_another_form_is_not_decoded_from_its_own_trace(file):
    """In one process what was read stays what it is; the bytes are for the file and for other processes."""
    path = EXAMPLES / file
    suite = file.partition("/")[0]
    lines = list(suite_definition(suite).make(SuiteSettings("rules" if suite == "rag" else "contextual")).lines(path))
    reader = Reader(DialogTrace)
    for line in lines:
        assert reader.decode(line).value is line.record
        decoded = reader.decode(line._replace(record=None)).value
        assert msgspec.to_builtins(decoded) == msgspec.to_builtins(line.record)


def test_unknown_fields_of_an_event_come_back(tmp_path):
    event = json.loads((EXAMPLES / "clinical/agent/events.jsonl").read_bytes().splitlines()[0])
    odd = event | {"shift": {"ward": [1, None, 2.5]}, "question": event["question"] | {"asked_by": "nurse"}}
    path = tmp_path / "events.jsonl"
    path.write_text(json.dumps(odd) + "\n", "utf-8")
    for workers in (1, 2):
        score(ScoreRequest((path,), tmp_path / f"run{workers}", "clinical", workers=workers))
        (back,) = map(json.loads, (tmp_path / f"run{workers}" / "events.jsonl").read_bytes().splitlines())
        assert {name: back[name] for name in odd if name != "metrics"} == {
            name: value for name, value in odd.items() if name != "metrics"
        }
