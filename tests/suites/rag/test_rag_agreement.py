"""A judge against labels, and weights fitted on them."""

import json
import random

import pytest

from turnmark.errors import DataError
from turnmark.judges.protocol import Verdict
from turnmark.judges.rules.judge import RulesJudge
from turnmark.pipeline.labelling.calibrate import calibrate, calibrated_metrics, encoded
from turnmark.schemas.labels.rag import RagLabel
from turnmark.suites.labelling.agreement import as_json
from turnmark.suites.rag.claim_only_baseline import claim_only_scores
from turnmark.suites.rag.label_rows import as_row, overlap, overlap_words, read_rows
from turnmark.suites.rag.labels import agree_judge

WORDS = ["fee", "card", "limit", "branch", "loan", "account", "transfer", "deposit", "rate", "term", "bank", "cheque"]


def written(tmp_path, rows, name="labels.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def faithful_rows(count, seed=1):
    """Answers that repeat their context or change its number."""
    source = random.Random(seed)
    rows = []
    for number in range(count):
        one, two = source.sample(WORDS, 2)
        value = source.randint(10, 99)
        good = number % 2
        filler = source.choice(["", " as of now", " according to every clerk"])
        rows.append(
            {
                "id": f"r{number}",
                "lang": "en",
                "question": f"What is the {one}?",
                "contexts": [f"The {one} of the {two} is {value} dollars in branch {number}."],
                "answer": f"The {one} of the {two} is {value if good else value + 7} dollars{filler}.",
                "label": good,
                "score": 1.0 if good else source.choice([0.0, 0.5]),
            }
        )
    return rows


def test_a_judge_that_reads_beats_overlap(tmp_path):
    found = agree_judge(written(tmp_path, faithful_rows(60)), "faithfulness", RulesJudge())
    figures = found.figures
    assert figures["n"] == 60
    assert figures["positives"] == 30
    assert figures["documents"] == 60
    assert figures["auroc"] == 1.0
    assert figures["auroc"] > figures["auroc_overlap"] > 0.5
    assert figures["balanced_accuracy"] > 0.9
    assert 0.5 < figures["spearman"] <= 1.0
    assert (
        figures["intervals"]["auroc_overlap"][0] < figures["auroc_overlap"] < figures["intervals"]["auroc_overlap"][1]
    )
    assert "auroc_claim_only" not in figures


def test_rows_without_label_count_for_the_grade_only(tmp_path):
    rows = [*faithful_rows(40), {**faithful_rows(1)[0], "label": None}]
    figures = agree_judge(written(tmp_path, rows), "faithfulness", RulesJudge()).figures
    assert (figures["n"], figures["without_label"], figures["graded"]) == (40, 1, 41)


def test_disagreements_are_listed_the_surest_first(tmp_path):
    rows = faithful_rows(20)
    rows[0]["label"], rows[3]["label"] = 1, 0
    listed = as_json(agree_judge(written(tmp_path, rows), "faithfulness", RulesJudge()))["disagreements"]
    assert {row["id"] for row in listed} >= {"r0", "r3"}
    distances = [abs(row["score"] - 0.5) for row in listed]
    assert distances == sorted(distances, reverse=True)


def test_contradiction_comes_with_the_control(tmp_path):
    rows = [
        {
            "premise": f"He likes {word} number {number}.",
            "hypothesis": f"He {'does not like' if number % 2 else 'likes'} {word} number {number}.",
            "contradiction": number % 2,
            "label": 1 - number % 2,
        }
        for number, word in enumerate(WORDS * 4)
    ]
    figures = agree_judge(written(tmp_path, rows), "contradiction", RulesJudge()).figures
    assert figures["auroc"] == 1.0
    # The hypothesis alone gives the label away here: the control says so.
    assert figures["auroc_claim_only"] == 1.0
    assert agree_judge(written(tmp_path, rows), "nli", RulesJudge()).figures["auroc"] == 1.0


def test_alternatives_of_a_reference(tmp_path):
    rows = [
        {"question": "Where?", "reference": "Paris/City of Paris", "answer": "It is in Paris.", "label": 1},
        {"question": "Where?", "reference": "Paris/City of Paris", "answer": "It is in Rome.", "label": 0},
    ]
    figures = agree_judge(written(tmp_path, rows), "correctness", RulesJudge()).figures
    assert figures["auroc"] == 1.0
    assert len(as_row(RagLabel(reference="a/b", answer="a"), "correctness").queries) == 3
    assert len(as_row(RagLabel(reference="a//b", answer="a"), "correctness").queries) == 1


def test_relevance_and_relevancy(tmp_path):
    question = "What is the fee of the card?"
    rows = [
        {
            "question": question,
            "contexts": ["The fee of the card is 12 dollars."],
            "answer": "It is 12 dollars.",
            "label": 1,
        },
        {"question": question, "contexts": ["Whales feed on krill."], "answer": "Whales feed on krill.", "label": 0},
    ]
    for metric in ("relevance", "relevancy"):
        assert agree_judge(written(tmp_path, rows), metric, RulesJudge()).figures["auroc"] == 1.0


class Failing(RulesJudge):
    def verdicts(self, queries):
        return [[Verdict(label="failed", reason="time-out") for _ in query.claims] for query in queries]


def test_a_judge_that_fails_is_counted(tmp_path):
    rows = faithful_rows(4)
    with pytest.raises(DataError, match="found none"):
        agree_judge(written(tmp_path, rows), "faithfulness", Failing())


class Labelling(RulesJudge):
    def verdicts(self, queries):
        return [[Verdict(label="supported") for _ in query.claims] for query in queries]


def test_a_judge_without_probabilities(tmp_path):
    figures = agree_judge(written(tmp_path, faithful_rows(10)), "faithfulness", Labelling()).figures
    assert figures["auroc"] == 0.5
    assert figures["balanced_accuracy"] == 0.5


def test_rows_that_lack_a_field(tmp_path):
    problems = []
    path = written(
        tmp_path, [{"answer": "A.", "label": 1}, *faithful_rows(1), {"label": 3, "answer": "", "contexts": ["C"]}]
    )
    assert len(read_rows(path, "faithfulness", problems)) == 1
    assert [(problem.line, problem.field) for problem in problems] == [(1, "$.contexts"), (3, "$.label")]
    with pytest.raises(DataError, match="expected labelled rows for --metric nli"):
        read_rows(path, "nli", [])


def test_overlap_by_hand():
    row = as_row(RagLabel(answer="the fee is 12", contexts=["a fee of 12"]), "faithfulness")
    assert overlap(row) == 0.5
    assert list(overlap_words("手续费 fee 수수료")) == ["手续", "续费", "fee", "수수료", "수수", "수료"]
    assert overlap(as_row(RagLabel(answer="", contexts=["a"]), "faithfulness")) == 0.0


def test_the_control_does_not_see_its_own_document():
    texts = [f"word{number}" for number in range(40)]
    labels = [number % 2 for number in range(40)]
    clusters = [str(number // 2) for number in range(40)]
    scores = claim_only_scores(texts, labels, clusters)
    assert len(scores) == 40
    backwards = claim_only_scores(texts[::-1], labels[::-1], clusters[::-1])
    assert backwards == scores[::-1]


def graded_rows(count):
    """Answers whose label follows from their length, which the shipped weights do not go by."""
    source = random.Random(5)
    rows = []
    for number in range(count):
        words = source.choices(WORDS, k=4 if number % 2 else 16)
        rows.append(
            {
                "answer": " ".join(words) + ".",
                "contexts": [" ".join(WORDS)],
                "question": f"{number}?",
                "label": number % 2,
            }
        )
        rows[-1]["contexts"] = [f"{' '.join(WORDS)} {number}."]
    return rows


def test_own_weights_that_help(tmp_path):
    found = calibrate(written(tmp_path, graded_rows(100)), "faithfulness")
    assert found.figures["helps"]
    assert found.figures["own"]["auroc"] > 0.95 > found.figures["shipped"]["auroc"]
    path = tmp_path / "own.json"
    path.write_bytes(encoded(found.weights))
    held_out = written(tmp_path, graded_rows(140)[100:], "rest.jsonl")
    assert agree_judge(held_out, "faithfulness", RulesJudge(path)).figures["auroc"] > 0.95
    again = calibrate(tmp_path / "labels.jsonl", "faithfulness")
    assert encoded(again.weights) == path.read_bytes()


def test_own_weights_that_do_not_help(tmp_path):
    rows = faithful_rows(60)
    random.Random(3).shuffle(labels := [row["label"] for row in rows])
    for row, label in zip(rows, labels, strict=True):
        row["label"] = label
    found = calibrate(written(tmp_path, rows), "faithfulness")
    assert not found.figures["helps"]
    assert found.weights is None


@pytest.mark.parametrize("count", [20, 39])
def test_too_few_labels(tmp_path, count):
    with pytest.raises(DataError, match="expected 40 labelled rows from 10 documents"):
        calibrate(written(tmp_path, faithful_rows(count)), "faithfulness")


def test_a_metric_without_weights(tmp_path):
    rows = [{"question": "Q?", "answer": "A.", "label": 1}]
    with pytest.raises(DataError, match="is judged without weights"):
        calibrate(written(tmp_path, rows), "relevancy")
    assert set(calibrated_metrics()) == {"faithfulness", "correctness", "relevance", "contradiction", "nli"}
