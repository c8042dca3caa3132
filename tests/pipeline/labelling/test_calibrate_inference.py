"""Limits of an inference model, chosen on labels, by a tiny real model in ONNX."""

import json
import random

import msgspec
import pytest

from tiny_models import inference
from turnmark.errors import DataError
from turnmark.judges.nli.judge import NliJudge
from turnmark.judges.nli.limits import Limits, LimitsFile
from turnmark.pipeline.labelling.calibrate_inference import calibrate_inference
from turnmark.schemas.judging.judgement import Claim, Query

MATERIAL = "Refunds take three days"
SAID = {"refunds take three days": 1, "refunds take days": 1, "refunds do not take three days": 0, "five": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return inference(tmp_path_factory.mktemp("models") / "tiny-nli")


def rows(labelled):
    """Forty documents with a row for each claim."""
    return [
        {"id": f"{document}-{number}", "question": "?", "answer": claim,
         "contexts": [f"{MATERIAL} (version {document})"], "label": label}
        for document in range(40)
        for number, (claim, label) in enumerate(labelled.items())
    ]  # fmt: skip


def written(tmp_path, records):
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def labels_of(judge, *claims):
    query = Query(
        relation="support", claims=tuple(Claim(text=claim, start=0, end=len(claim)) for claim in claims),
        material=(f"{MATERIAL} (version 0)",), sources=("retrieved_contexts[0]",),
    )  # fmt: skip
    return [verdict.label for verdict in judge.verdicts([query])[0]]


def test_limits_are_chosen_on_labels_and_leave_the_rest_open(folder, tmp_path):
    labelled = rows(SAID)
    draw = random.Random(5)
    labelled += [
        {**labelled[4 * number], "id": f"x{number}", "answer": "refunds five", "label": number % 2}
        for number in range(40)
    ]
    draw.shuffle(labelled)
    found = calibrate_inference(written(tmp_path, labelled), "faithfulness", folder)
    assert (found.figures["n"], found.figures["documents"], found.figures["helps"]) == (200, 40, True)
    assert found.figures["right"] >= 0.95
    assert found.figures["right_interval"][0] > 0.9
    assert found.figures["decided_share"] == pytest.approx(0.8, abs=0.02)
    file = tmp_path / "limits.json"
    file.write_bytes(msgspec.json.encode(found.limits))
    judge = NliJudge(folder, file, leaves_open=True)
    assert labels_of(judge, *SAID, "refunds five") == [
        "supported", "supported", "contradicted", "undetermined", "not_decided"
    ]  # fmt: skip
    assert judge.signature()["limits"].keys() == {"support"}
    assert judge.signature() != NliJudge(folder, leaves_open=True).signature()
    kept = calibrate_inference(written(tmp_path, labelled), "faithfulness", folder, file)
    assert kept.limits == found.limits


def test_without_labels_a_model_is_cautious_and_alone_it_decides_everything(folder):
    claims = ("refunds take three days", "refunds do not take three days", "refunds five")
    assert labels_of(NliJudge(folder, leaves_open=True), *claims)[2] == "not_decided"
    assert "not_decided" not in labels_of(NliJudge(folder), *claims)


def test_labels_that_follow_from_nothing_give_no_limits(folder, tmp_path):
    draw = random.Random(3)
    labelled = [record | {"label": draw.randint(0, 1)} for record in rows(SAID)]
    found = calibrate_inference(written(tmp_path, labelled), "faithfulness", folder)
    assert found.limits is None
    assert not found.figures["helps"]


def test_limits_of_another_model_and_other_files_are_refused(folder, tmp_path):
    file = tmp_path / "limits.json"
    file.write_bytes(msgspec.json.encode(LimitsFile(model="other", limits={"support": Limits(supported=0.7)})))
    with pytest.raises(DataError, match="calibrated on the model other, found the model"):
        NliJudge(folder, file)
    file.write_text("[]")
    with pytest.raises(DataError, match="expected limits that turnmark calibrate"):
        NliJudge(folder, file)
    with pytest.raises(DataError, match="an inference model says nothing of relevance"):
        calibrate_inference(written(tmp_path, rows(SAID)), "relevance", folder)
    with pytest.raises(DataError, match="label more rows"):
        calibrate_inference(written(tmp_path, rows(SAID)[:20]), "faithfulness", folder)


def test_the_command_writes_what_judge_takes(cli, folder, tmp_path):
    labels, out = written(tmp_path, rows(SAID)), tmp_path / "limits.json"
    arguments = ("calibrate", labels, "--metric", "faithfulness", "--judge", f"nli:{folder}", "--out", out)
    found = cli(*arguments)
    assert (found.code, found.err) == (0, "")
    assert "limits decide 100% of the rows, 1.00 of these right" in found.out
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        json.dumps({"id": "a", "question": "?", "answer": "refunds five", "retrieved_contexts": [MATERIAL]})
    )
    judged = cli(
        "judge", cases, "--only-undecided", "--entailment", f"nli:{folder}", "--limits", out, "--metric",
        "faithfulness", "--out", tmp_path / "j.jsonl",
    )  # fmt: skip
    assert (judged.code, judged.err) == (0, "")
    assert "decided: " in judged.out
    assert cli(*arguments, "--weights", out).code == 2
    assert cli(*arguments, "--format", "json").json["helps"]
