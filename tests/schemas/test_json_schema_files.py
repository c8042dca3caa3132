"""The shipped JSON Schemas are those of the types, and say the same about a record as the reader does."""

import json

import jsonschema_rs
import msgspec
import pytest

import turnmark.schemas
from building import dataset_dialog, dialog, read_lines, turn
from turnmark.schemas.clinical.events import EventRecord, SlotsTruth
from turnmark.schemas.dataset import DatasetDialog
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.json_schema import faults, json_path, schema_of
from turnmark.schemas.labels.finance import FinanceLabels, MemoryLabels
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.manifest import RunManifest
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow

TYPES = {
    "dataset_dialog": DatasetDialog,
    "dialog_trace": DialogTrace,
    "events_record": EventRecord,
    "evidence": Evidence,
    "finance_labels": FinanceLabels,
    "memory_labels": MemoryLabels,
    "metrics_summary": EvalSummary,
    "problem": Problem,
    "run_manifest": RunManifest,
    "slots_truth": SlotsTruth,
    "turn_eval": TurnEvalRow,
}


@pytest.fixture(scope="module")
def shipped():
    (folder,) = turnmark.schemas.__path__
    return folder + "/json/"


@pytest.mark.parametrize("name", TYPES)
def test_schema_on_disk_is_the_one_of_the_type(name, shipped):
    with open(f"{shipped}{name}.v1.schema.json", encoding="utf-8") as file:  # noqa: PTH123 - a resource path
        on_disk = json.load(file)
    generated = schema_of(TYPES[name])
    for field in ("$defs", "$schema"):
        assert on_disk.get(field) == json.loads(msgspec.json.encode(generated)).get(field)
    assert on_disk.items() >= json.loads(msgspec.json.encode(generated)).items()


@pytest.mark.parametrize("name", TYPES)
def test_schema_on_disk_is_valid_itself(name, shipped):
    with open(f"{shipped}{name}.v1.schema.json", encoding="utf-8") as file:  # noqa: PTH123
        assert jsonschema_rs.meta.is_valid(json.load(file))


def test_shipped_examples_and_what_is_written_for_them_fit_the_schemas(examples, shipped, tmp_path, cli):
    assert cli("score", examples / "hasty", "--detect", "literal", "--out", tmp_path / "run").code == 0
    files = {
        "dataset_dialog": examples / "dataset.jsonl",
        "dialog_trace": tmp_path / "run" / "dialog_trace.jsonl",
        "turn_eval": tmp_path / "run" / "turn_eval.jsonl",
        "evidence": tmp_path / "run" / "evidence.jsonl",
    }
    for name, path in files.items():
        with open(f"{shipped}{name}.v1.schema.json", encoding="utf-8") as file:  # noqa: PTH123
            validator = jsonschema_rs.validator_for(json.load(file))
        records = read_lines(path)
        assert len(records) >= 20
        for record in records:
            validator.validate(record)
    for name in ("run_manifest", "metrics_summary"):
        with open(f"{shipped}{name}.v1.schema.json", encoding="utf-8") as file:  # noqa: PTH123
            schema = json.load(file)
        jsonschema_rs.validate(schema, json.loads((tmp_path / "run" / f"{name}.json").read_bytes()))


@pytest.mark.parametrize(
    ("record_type", "value"),
    [
        (DialogTrace, dialog(valid_dialog="yes")),
        (DialogTrace, dialog(turns=[turn(turn_status="x")])),
        (DialogTrace, {}),
        (DatasetDialog, dataset_dialog(turns=5)),
        (TurnEvalRow, {"trace_version": "v3"}),
        (Evidence, {"metric": 1}),
    ],
)
def test_reader_and_schema_refuse_the_same(record_type, value):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(value, record_type)
    assert list(faults(value, record_type))


def test_values_that_no_json_can_hold_have_no_faults_to_list():
    assert list(faults({"a": {1: 2}, "b": object()}, DialogTrace)) == []


def test_json_path_of_keys_and_places():
    assert json_path(["turns", 3, "user_text"]) == "$.turns[3].user_text"
    assert json_path([]) == "$"
