"""Runs as files of other tools: what is written is what the run holds, and nothing of it acts."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import DataError, UsageError
from turnmark.pipeline.publishing.cells import inert
from turnmark.pipeline.publishing.writers import registry
from turnmark.pipeline.publishing.writers.protocol import Run, scores_of
from turnmark.pipeline.publishing.writers.registry import SHIPPED, write_run, writer
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import EVIDENCE, TURN_EVAL
from turnmark.schemas.marks import Mark

CASES = [
    {
        "id": "decided", "question": "起存金额是多少？", "answer": "起存金额是20万元。",
        "retrieved_contexts": ["大额存单20万元起存。"],
    },
    {
        "id": "=1+1", "question": "利率是多少？", "answer": "年利率是百分之二点六。",
        "retrieved_contexts": ["网点周末营业。"],
    },
]  # fmt: skip


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored")
    cases = folder / "cases.jsonl"
    cases.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in CASES), encoding="utf-8")
    score(ScoreRequest((cases,), out=folder / "run", suite="rag"))
    return folder / "run"


def written(scored, tmp_path, name):
    write_run(scored, name, tmp_path / name)
    return tmp_path / name


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_of_every_state_there_is_a_score_in_the_run(scored):
    assert {found.state for found in Run(scored).scores()} == {"scored", "not decided", "not applicable"}


def test_what_is_not_decided_is_no_zero():
    row = SimpleNamespace(
        suite="rag", system="", dialog_id="d", turn_pair_id=1, turn_status="ok", reply_state="normal"
    )  # fmt: skip
    (open_,) = scores_of(row, "m", Mark(measures={"a": (0.0, 0.0)}, undecided={"a": 2.0}))
    assert (open_.state, open_.value, open_.undecided) == ("not decided", None, 2.0)
    (missed,) = scores_of(row, "m", Mark(measures={"a": (0.0, 4.0)}, undecided={"a": 2.0}))
    assert (missed.state, missed.value) == ("scored", 0.0)
    (failed,) = scores_of(row, "m", Mark(failed="ValueError"))
    assert (failed.state, failed.value, failed.reason) == ("failed", None, "ValueError")


@pytest.mark.parametrize("name", ["csv", "xlsx"])
def test_tables_hold_every_score(scored, tmp_path, name):
    folder = written(scored, tmp_path, name)
    if name == "csv":
        with (folder / "rows.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        head, *body = openpyxl.load_workbook(folder / "run.xlsx")["rows"].values
        rows = [dict(zip(head, ["" if value is None else value for value in row], strict=True)) for row in body]
    wanted = list(Run(scored).scores())
    assert [row["state"] for row in rows] == [found.state for found in wanted]
    for row, found in zip(rows, wanted, strict=True):
        assert (float(row["value"]) if row["value"] != "" else None) == found.value
    assert {row["dialog_id"] for row in rows} == {"decided", "'=1+1"}


@given(st.text(max_size=12))
def test_no_text_is_a_formula_or_acts_unseen(text):
    found = inert(text)
    assert not found.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝"))
    assert not set(found) & {*map(chr, range(9)), "\r", "\x0b", "\x1b", "\u202e"}


@pytest.mark.parametrize("text", ["=1+1", "  =1", "@SUM(A1)", "-2+3", "+1", "\t=1", "＝1"])
def test_a_formula_stays_a_text(text):
    assert inert(text).startswith("'")


def test_numbers_and_plain_texts_are_left_alone():
    assert [inert(-1.5), inert(None), inert("a=1"), inert("年利率")] == [-1.5, None, "a=1", "年利率"]


@pytest.mark.parametrize("name", ["parquet", "datasets"])
def test_parquet_is_typed_and_whole(scored, tmp_path, name):
    folder = written(scored, tmp_path, name)
    rows = pq.read_table(folder / "rows.parquet").to_pylist()
    assert [row["dialog_id"] for row in rows] == ["decided", "=1+1"]
    wanted = [row["marks"] for row in lines(scored / TURN_EVAL)]
    for row, marks in zip(rows, wanted, strict=True):
        assert [mark["metric"] for mark in row["marks"]] == list(marks)
        for mark in row["marks"]:
            counted = {m["measure"]: [m["hits"], m["total"]] for m in mark["measures"] if m["state"] == "scored"}
            given_ = marks[mark["metric"]].get("measures", {})
            assert counted == {measure: pair for measure, pair in given_.items() if pair[1]}
    evidence = pq.read_table(folder / "evidence.parquet").to_pylist()
    assert [piece["quote"] for piece in evidence] == [piece.get("quote", "") for piece in lines(scored / EVIDENCE)]


def test_the_card_names_files_that_are_there_and_every_figure(scored, tmp_path):
    folder = written(scored, tmp_path, "datasets")
    card = (folder / "README.md").read_text(encoding="utf-8")
    named = [line.split(": ")[1] for line in card.splitlines() if line.startswith("  data_files: ")]
    assert sorted(named) == sorted(path.name for path in folder.glob("*.parquet"))
    assert card.count("| faithfulness | faithfulness |") == 1


def test_events_are_those_of_the_conventions(scored, tmp_path):
    requests = lines(written(scored, tmp_path, "otlp-json") / "evaluations.jsonl")
    events = [e for r in requests for e in r["resourceLogs"][0]["scopeLogs"][0]["logRecords"]]
    assert {event["eventName"] for event in events} == {"gen_ai.evaluation.result"}
    read = [{a["key"]: next(iter(a["value"].values())) for a in event["attributes"]} for event in events]
    assert all("gen_ai.evaluation.name" in event for event in read)
    for event in read:
        open_ = event.get("gen_ai.evaluation.score.label") == "not_decided"
        assert open_ == ("gen_ai.evaluation.score.value" not in event)
    assert any(event.get("gen_ai.evaluation.score.label") == "not_decided" for event in read)
    of_run = [event for event in read if "gen_ai.conversation.id" not in event]
    figures = {f"{f.metric}.{f.measure}": f for f in Run(scored).figures() if f.low is not None}
    intervals = {event["gen_ai.evaluation.name"]: event.get("turnmark.interval.low") for event in of_run}
    assert {name: intervals[name] for name in figures} == {name: f.low for name, f in figures.items()}


@pytest.mark.parametrize(("name", "file"), [("langfuse", "scores.jsonl"), ("langsmith", "feedback.jsonl")])
def test_scores_of_trackers_have_no_number_where_nothing_was_decided(scored, tmp_path, name, file):
    bodies = lines(written(scored, tmp_path, name) / file)
    wanted = [found for found in Run(scored).scores() if found.state != "not applicable"]
    assert len({body["id"] for body in bodies}) == len(bodies) == len(wanted)
    for body, found in zip(bodies, wanted, strict=True):
        if name == "langfuse":
            assert body["value"] == (found.value if found.value is not None else "not decided")
            assert (body["dataType"] == "NUMERIC") == (found.value is not None)
        else:
            assert (body["score"], body["run_id"]) == (found.value, None)


@pytest.mark.parametrize("name", ["csv", "otlp-json", "langfuse", "langsmith"])
def test_the_same_run_gives_the_same_bytes(scored, tmp_path, name):
    first, second = (write_run(scored, name, tmp_path / each) for each in ("first", "second"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_a_wrong_row_is_named_and_nothing_is_left(scored, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("metrics_summary.json", TURN_EVAL):
        (broken / name).write_bytes((scored / name).read_bytes())
    with (broken / TURN_EVAL).open("a", encoding="utf-8") as file:
        file.write('{"suite": "rag"}\n')
    with pytest.raises(DataError, match=r"turn_eval\.jsonl:3: \$\.trace_version: expected a value"):
        write_run(broken, "csv", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


def test_a_folder_that_is_there_is_not_written_over(scored, tmp_path):
    with pytest.raises(UsageError, match="not there yet"):
        write_run(scored, "csv", tmp_path)


def test_the_command_writes_beside_the_run_and_names_formats(scored):
    command = [sys.executable, "-m", "turnmark", "export", str(scored), "--to"]
    done = subprocess.run([*command, "langsmith"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(scored.with_name("run.langsmith") / "feedback.jsonl")
    refused = subprocess.run([*command, "nothing"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert all(name in refused.stderr for name in SHIPPED)


def test_other_packages_add_formats(scored, tmp_path, monkeypatch):
    class Own:
        version = "1"

        def write(self, run, folder):
            (folder / "own.txt").write_text(run.summary.run_id, encoding="utf-8")

    point = SimpleNamespace(name="own", value="own:OWN", load=Own)
    monkeypatch.setattr(registry, "_of_packages", lambda: {"own": point})
    assert [path.name for path in write_run(scored, "own", tmp_path / "own")] == ["own.txt"]


def test_a_writer_that_cannot_be_loaded_says_so(monkeypatch):
    def missing():
        message = "No module named 'own'"
        raise ImportError(message)

    point = SimpleNamespace(name="own", value="own:OWN", load=missing)
    monkeypatch.setattr(registry, "_of_packages", lambda: {"own": point})
    with pytest.raises(UsageError, match="own:OWN cannot be loaded"):
        writer("own")


def test_results_of_peers_stand_beside_their_texts(scored, tmp_path):
    wanted = list(Run(scored).scores())
    rows = lines(written(scored, tmp_path, "ragas") / "results.jsonl")
    assert [(row["user_input"], row["response"]) for row in rows] == [(c["question"], c["answer"]) for c in CASES]
    assert [row["retrieved_contexts"] for row in rows] == [case["retrieved_contexts"] for case in CASES]
    numbers = {(found.dialog_id, found.name): found.value for found in wanted}
    for case, row in zip(CASES, rows, strict=True):
        assert row["faithfulness.faithfulness"] == numbers[case["id"], "faithfulness.faithfulness"]
    results = lines(written(scored, tmp_path, "deepeval") / "test_results.jsonl")
    assert [result["name"] for result in results] == [f"{case['id']}:1" for case in CASES]
    told = [(data["name"], data["score"], data["error"]) for result in results for data in result["metrics_data"]]
    assert told == [
        (found.name, found.value, None if found.value is not None else found.state)
        for found in wanted
        if found.state != "not applicable"
    ]


def test_results_are_those_of_the_packages_themselves(scored, tmp_path):
    """ragas 0.4.3 and deepeval 4.3.1 take the lines for their own."""
    types = pytest.importorskip("deepeval.tracing.api", reason="needs deepeval, which is no part of the extra dev")
    schema = pytest.importorskip("ragas.dataset_schema", reason="needs ragas, which is no part of the extra dev")
    from deepeval.evaluate.types import TestResult as Result  # noqa: PLC0415 - where it is installed

    for line in lines(written(scored, tmp_path, "deepeval") / "test_results.jsonl"):
        data = [types.MetricData(**each) for each in line.pop("metrics_data")]
        assert Result(**line, metrics_data=data).name == line["name"]
    samples = lines(written(scored, tmp_path, "ragas") / "results.jsonl")
    fields = schema.SingleTurnSample.model_fields
    texts = [{name: value for name, value in row.items() if name in fields} for row in samples]
    dataset = schema.EvaluationDataset.from_list(texts)
    assert [sample.to_dict() for sample in dataset.samples] == [
        {name: value for name, value in text.items() if value is not None} for text in texts
    ]


def test_the_field_of_a_wrong_line_is_named(scored, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("metrics_summary.json", TURN_EVAL, EVIDENCE, "dialog_trace.jsonl"):
        (broken / name).write_bytes((scored / name).read_bytes())
    row = lines(scored / TURN_EVAL)[0]
    (broken / TURN_EVAL).write_text(json.dumps(row | {"turn_pair_id": "one"}) + "\n", "utf-8")
    with pytest.raises(DataError, match=r"turn_eval\.jsonl:1: \$\.turn_pair_id: expected .*integer"):
        write_run(broken, "csv", tmp_path / "out")
    (broken / TURN_EVAL).write_text(json.dumps(row | {"turn_pair_id": 7}) + "\n", "utf-8")
    with pytest.raises(DataError, match=r"dialog_trace\.jsonl: \$\.dialog_id: expected turn 7 of 'decided'"):
        write_run(broken, "ragas", tmp_path / "out")
    piece = lines(scored / EVIDENCE)[0]
    (broken / EVIDENCE).write_text(json.dumps(piece | {"start": "x"}) + "\n", "utf-8")
    with pytest.raises(DataError, match=r"evidence\.jsonl:1: \$\.start"):
        write_run(broken, "datasets", tmp_path / "out")


def test_every_format_is_named_with_what_it_lacks(monkeypatch):
    known = registry.importlib.util.find_spec
    monkeypatch.setattr(
        registry.importlib.util, "find_spec", lambda name: None if name in {"mlflow", "pyarrow"} else known(name)
    )
    with pytest.raises(UsageError) as refused:
        writer("nonsense")
    told = str(refused.value)
    assert all(name in told for name in SHIPPED)
    assert "mlflow (needs mlflow: pip install 'turnmark[mlflow]')" in told
    assert "parquet (needs pyarrow: pip install 'turnmark[parquet]')" in told
    assert "xlsx (" not in told


GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["csv", "deepeval", "langfuse", "langsmith", "otlp-json", "ragas"])
def test_files_are_those_of_before(scored, tmp_path, name):
    """Times and versions apart. To write them anew: TURNMARK_WRITE_GOLDEN=1, which fails by design."""
    run = tmp_path / "run"
    shutil.copytree(scored, run)
    manifest = json.loads((run / "run_manifest.json").read_text("utf-8"))
    fixed = manifest | {"started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:01Z"}
    (run / "run_manifest.json").write_text(json.dumps(fixed), "utf-8")
    for path in write_run(run, name, tmp_path / name):
        text = re.sub(
            r'("version":"|turnmark )\d+\.\d+\.\d+', r"\1N", path.read_text("utf-8-sig").replace("\r\n", "\n")
        )
        golden = GOLDEN / name / path.name
        if os.environ.get("TURNMARK_WRITE_GOLDEN"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, "utf-8")
            continue
        assert text == golden.read_text("utf-8")
    assert not os.environ.get("TURNMARK_WRITE_GOLDEN"), "written"
