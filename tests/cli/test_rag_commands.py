"""``agree --suite rag`` and ``calibrate`` from the command line."""

import json

import pytest

ROWS = [
    {
        "id": f"r{number}",
        "question": "What is the fee?",
        "contexts": [f"The fee of branch {number} is {number + 10} dollars."],
        "answer": f"The fee of branch {number} is {number + 10 + 5 * (number % 2)} dollars.",
        "label": 1 - number % 2,
        "score": 0.5 if number % 4 == 1 else 1.0 - number % 2,
    }
    for number in range(24)
]


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_agree_as_json(cli, labels):
    ran = cli("agree", labels, "--suite", "rag", "--metric", "faithfulness", "--format", "json")
    assert ran.code == 0
    assert ran.json["n"] == 24
    assert ran.json["auroc"] == 1.0
    assert {"auroc_overlap", "balanced_accuracy", "spearman", "kappa", "disagreements"} <= ran.json.keys()


def test_agree_as_a_table(cli, labels):
    labels.write_text(labels.read_text() + '{"answer": 5}\n')
    ran = cli("agree", labels, "--suite", "rag", "--metric", "faithfulness")
    assert ran.code == 3
    assert "labels.jsonl:25: $.answer: expected string" in ran.out
    assert "auroc" in ran.out
    assert "disagreements" in ran.out


def test_agree_needs_a_metric(cli, labels):
    ran = cli("agree", labels, "--suite", "rag")
    assert ran.code == 2
    assert "expected --metric" in ran.err


def test_calibrate_refuses_too_few_labels(cli, labels, tmp_path):
    ran = cli("calibrate", labels, "--metric", "faithfulness", "--out", tmp_path / "own.json")
    assert ran.code == 2
    assert "expected 40 labelled rows" in ran.err
    assert not (tmp_path / "own.json").exists()


def test_calibrate_wants_a_file(cli, labels, tmp_path):
    ran = cli("calibrate", labels, "--metric", "faithfulness", "--out", tmp_path)
    assert ran.code == 2
    assert "found the folder" in ran.err


def test_calibrate_writes_what_agree_reads(cli, tmp_path):
    labels, own = tmp_path / "labels.jsonl", tmp_path / "own.json"
    rows = [
        {
            "question": f"{number}?",
            "contexts": [f"alpha beta gamma delta {number}."],
            "answer": " ".join(["alpha", "beta", "omega", "sigma", "kappa"][: 2 if number % 2 else 5]) + ".",
            "label": int(number % 2 == 0),
        }
        for number in range(60)
    ]
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = cli("calibrate", labels, "--metric", "faithfulness", "--out", own)
    assert ran.code == 0
    assert "written to" in ran.out
    found = cli(
        "agree", labels, "--suite", "rag", "--metric", "faithfulness", "--weights", own, "--format", "json"
    ).json
    assert found["auroc"] == 1.0
    ran = cli("calibrate", labels, "--metric", "faithfulness", "--out", own, "--weights", own, "--format", "json")
    assert ran.json["metric"] == "faithfulness"


def test_calibrate_says_when_it_does_not_help(cli, tmp_path):
    labels, own = tmp_path / "labels.jsonl", tmp_path / "own.json"
    rows = [
        {
            "contexts": [f"The fee is {number} dollars."],
            "answer": f"The fee is {number} dollars.",
            "label": number // 3 % 2,
        }
        for number in range(60)
    ]
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = cli("calibrate", labels, "--metric", "faithfulness", "--out", own)
    assert ran.code == 1
    assert "nothing was written" in ran.out
    assert not own.exists()
