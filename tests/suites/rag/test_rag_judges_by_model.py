"""The judges embedding and nli through every door: Python, score, agree, calibrate."""

import json

import msgspec
import pytest

from tiny_models import encoder, inference
from turnmark.errors import DataError
from turnmark.judges.catalog import judge_of_packs
from turnmark.rag import EvalCase, evaluate

CASES = [
    {
        "id": "en",
        "question": "How many days do refunds take?",
        "answer": "Refunds take three days. Refunds do not take three days.",
        "retrieved_contexts": ["Refunds take three days.", "Whales feed on krill."],
        "ground_truth_answer": "Refunds take three days.",
    },
    {
        "id": "zh",
        "question": "退款几天？",
        "answer": "退款是三天。",
        "retrieved_contexts": ["退款是三天。"],
        "ground_truth_answer": "退款是三天。",
    },
    {"id": "ko", "question": "환불은?", "answer": "환불 사흘 걸립니다.", "retrieved_contexts": ["환불 사흘 걸립니다."]},
]
FILES = ("evidence.jsonl", "turn_eval.jsonl", "metrics_summary.json", "cases.jsonl", "report.md", "report.html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return inference(tmp_path_factory.mktemp("models") / "tiny-nli")


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in CASES))
    return path


@pytest.fixture
def labels(tmp_path):
    """Paraphrases with label 1, other statements with label 0, each a document of its own."""
    pairs = [
        ("The company repurchased its shares", "The firm bought back its own stock"),
        ("鲸鱼吃磷虾", "鲸以磷虾为食"),
    ]
    rows = [
        {
            "premise": f"{premise} {number}.",
            "hypothesis": f"{pairs[(place + number) % 2][1]} {number}.",
            "label": int(number % 2 == 0),
        }
        for number in range(30)
        for place, (premise, _) in enumerate(pairs)
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def test_evaluate_by_an_inference_model(folder):
    case = msgspec.convert(CASES[0], EvalCase)
    evaluate([case], ["faithfulness", "answer_correctness", "context_relevance"], f"nli:{folder}")
    found = case.results["faithfulness"]
    assert found.judge == "nli"
    assert (found.hits, found.total) == (1, 2)
    assert [judged.verdict.label for judged in found.claims] == ["supported", "contradicted"]
    assert [judged.verdict.quote for judged in found.claims] == ["Refunds take three days."] * 2
    assert {judged.material for judged in found.claims} == {"retrieved_contexts[0]"}
    assert case.results["context_relevance"].score == 0.5


def test_evaluate_by_vectors():
    case = EvalCase(
        question="What did the company do with its shares?",
        answer="The firm bought back its own stock.",
        retrieved_contexts=["The company repurchased its shares.", "Whales feed on krill."],
    )
    plain = msgspec.structs.replace(case, results={})
    evaluate([case], judge="embedding")
    evaluate([plain])
    relevance = [each.verdict.probability for each in case.results["context_relevance"].claims]
    assert relevance[0] > relevance[1] + 0.3
    assert case.results["answer_relevancy"].score > 0.5
    assert plain.results["answer_relevancy"].status == "not_decided"
    assert case.results["faithfulness"].signature != plain.results["faithfulness"].signature


@pytest.mark.parametrize("judge", ["embedding", "nli"])
def test_score_gives_the_same_bytes_with_any_number_of_workers(cli, cases, folder, tmp_path, judge):
    packs = ("--pack", folder) if judge == "nli" else ()
    for name, workers in (("one", 1), ("two", 2)):
        ran = cli(
            "score", cases, "--suite", "rag", "--detect", judge, *packs, "--out", tmp_path / name, "--workers", workers
        )
        assert ran.code == 0, ran.err
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    summary = json.loads((tmp_path / "one" / "metrics_summary.json").read_text())
    signature = summary["signature"]
    assert signature["detect"] == judge
    assert f"rag.{judge}" in signature["detectors"]
    weights = {"embedding": "rag.encoder_weights", "nli": "rag.nli_weights"}[judge]
    assert len(signature["packs"][weights]) == 16
    assert str(tmp_path) not in json.dumps(signature)
    evidence = [json.loads(line) for line in (tmp_path / "one" / "evidence.jsonl").read_text().splitlines()]
    assert {piece["rule"] for piece in evidence if piece["metric"] == "faithfulness"} == {f"judge.{judge}"}


def test_agree_by_both(cli, labels, folder):
    for judge in ("embedding", f"nli:{folder}"):
        ran = cli("agree", labels, "--suite", "rag", "--metric", "nli", "--judge", judge, "--format", "json")
        assert ran.code == 0, ran.err
        assert (ran.json["judge"], ran.json["n"], ran.json["failed"]) == (judge.partition(":")[0], 60, 0)
    ran = cli("agree", labels, "--suite", "rag", "--metric", "nli", "--judge", "embedding", "--format", "json")
    plain = cli("agree", labels, "--suite", "rag", "--metric", "nli", "--format", "json")
    assert ran.json["auroc"] >= plain.json["auroc"]
    assert ran.json["auroc"] > 0.9


@pytest.mark.parametrize("own", [False, True])
def test_calibrate_writes_weights_that_only_the_same_encoder_reads(cli, labels, tmp_path, own):
    judge = f"embedding:{encoder(tmp_path / 'own-encoder')}" if own else "embedding"
    out = tmp_path / "own.json"
    ran = cli("calibrate", labels, "--metric", "nli", "--judge", judge, "--out", out)
    assert ran.code == 0, ran.out + ran.err
    assert set(json.loads(out.read_text())["models"]["entailment"]["any"]["measures"]) >= {"meaning", "worded"}
    arguments = ("agree", labels, "--suite", "rag", "--metric", "nli", "--weights", out, "--format", "json")
    assert cli(*arguments, "--judge", judge).json["auroc"] > 0.9
    refused = cli(*arguments, "--judge", "rules")
    assert refused.code == 2
    assert "found some fitted with the encoder" in refused.err


def test_score_takes_weights_and_an_encoder_as_packs(cli, cases, labels, tmp_path):
    folder, out = encoder(tmp_path / "own-encoder"), tmp_path / "own.json"
    assert cli("calibrate", labels, "--metric", "nli", "--judge", f"embedding:{folder}", "--out", out).code == 0
    arguments = ("score", cases, "--suite", "rag", "--detect", "embedding", "--out", tmp_path / "run")
    assert cli(*arguments, "--pack", out, "--pack", folder).code == 0
    alone = cli(*arguments, "--pack", folder)
    assert alone.code == 2
    assert "no weights ship for an encoder of your own" in alone.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--detect", "nli"), "nli: expected the folder of its model"),
        (("--detect", "nli", "--pack", "nowhere"), "nli: expected the folder of its model"),
        (("--detect", "rules", "--pack", "{folder}"), "at most one file of weights or judgements"),
        (("--detect", "nli", "--pack", "{folder}", "--pack", "{folder}"), "one folder with its model"),
        (("--detect", "embedding", "--pack", "nowhere.json"), "cannot be read"),
        (("--detect", "oracle"), "expected one of"),
    ],
)
def test_misuse_is_named(cli, cases, folder, arguments, said):
    ran = cli("score", cases, "--suite", "rag", *(each.format(folder=folder) for each in arguments))
    assert ran.code == 2
    assert said in ran.err


def test_a_model_that_is_none_is_a_data_error_with_its_file(cli, cases, tmp_path):
    broken = inference(tmp_path / "broken")
    (broken / "model.onnx").write_bytes(b"")
    ran = cli("score", cases, "--suite", "rag", "--detect", "nli", "--pack", broken)
    assert ran.code == 2
    assert "model.onnx: expected a model in ONNX format" in ran.err


def test_packs_are_told_apart_by_what_they_are(folder):
    assert judge_of_packs("nli", (folder,)).name == "nli"
    with pytest.raises(DataError, match="expected limits that turnmark calibrate --judge nli:FOLDER wrote"):
        judge_of_packs("nli", (folder, folder / "config.json"))
