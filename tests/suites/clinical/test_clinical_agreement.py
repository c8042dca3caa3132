"""Agreement of the clinical detectors with labels: counts by hand, halves, languages, bad lines, the command."""

import json

import pytest

from turnmark.detectors.clinical.utterance import extract_facts
from turnmark.errors import DataError
from turnmark.schemas.labels.clinical import LabelledFact, read_clinical_labels
from turnmark.suites.clinical.answer import load_config
from turnmark.suites.clinical.cells import judge, matches
from turnmark.suites.clinical.labels import FIGURES, agree, halves
from turnmark.suites.labelling.agreement import AgreeRequest

SLOTS = {
    "age": 61,
    "sex": "male",
    "primary_condition": "gout",
    "key_meds": ["allopurinol 100mg"],
    "key_labs": {"uric_acid": "7.9mg/dL"},
}
ANSWER = "Your uric acid is 7.9 mg/dL, so stay on allopurinol, and your asthma is quiet."


def item(number, **changes):
    def fact(quote, kind, *, hallucinated):
        return {"quote": quote, "type": kind, "value": quote, "patient_claim": True, "hallucinated": hallucinated}

    base = {
        "id": f"x-{number}",
        "lang": "en",
        "turn_id": 4,
        "question": "What now?",
        "slots_truth": SLOTS,
        "answer": ANSWER,
        "facts": [
            fact("uric acid is 7.9 mg/dL", "lab", hallucinated=False),
            fact("allopurinol", "medication", hallucinated=False),
            fact("asthma", "condition", hallucinated=True),
        ],
        "csp": {"applicable": [], "violated": []},
        "slots_used": {"primary_condition": 0.5, "key_labs": 1.0, "key_meds": 1.0},
    }
    return base | changes


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def at(figures, path):
    for name in path.split("."):
        figures = figures[name]
    return figures


def test_right_detectors_reach_one(tmp_path):
    agreement = agree(write(tmp_path / "l.jsonl", [item(number) for number in range(1, 9)]), AgreeRequest())
    figures = agreement.figures
    for path in ("facts.f1", "facts.patient_claim.accuracy", "facts.hallucinated.f1", "items.hallucinated.f1"):
        assert at(figures, path) == 1.0
    assert (figures["sfs"]["mae"], figures["cus"]["mae"], figures["csp"]["applicable"]["exact"]) == (0.0, 0.0, 1.0)
    assert figures["labels"] == 8
    assert set(figures["languages"]) == {"en"}
    assert figures["halves"]["first"]["n"] == figures["halves"]["second"]["n"] == 4
    assert set(figures["intervals"]) == set(FIGURES)
    assert at(figures["baselines"]["literal"], "items.hallucinated.recall") == 1.0
    assert agreement.problems == []
    assert agreement.disagreements == []


def test_every_kind_of_disagreement_is_counted_and_listed(tmp_path):
    wrong = item(
        1,
        facts=[
            {"quote": "allopurinol", "type": "medication", "value": "", "patient_claim": True, "hallucinated": True},
            {"quote": "quiet", "type": "condition", "value": "", "patient_claim": True, "hallucinated": False},
        ],
        csp={"applicable": ["X"], "violated": ["X"]},
        slots_used={"primary_condition": 1.0, "key_labs": 1.0, "key_meds": 0.0},
    )
    figures = agree(write(tmp_path / "l.jsonl", [wrong]), AgreeRequest()).figures
    # Found: lab, medication, asthma; of the two gold facts one matches, and it is called right.
    assert figures["facts"]["precision"] == pytest.approx(1 / 3)
    assert figures["facts"]["recall"] == pytest.approx(1 / 2)
    assert figures["facts"]["hallucinated"]["recall"] == 0.0
    assert figures["facts"]["hallucinated"]["f1_with_spurious"] == 0.0
    assert figures["items"]["hallucinated"]["f1"] == 1.0
    # Readers: 2 of 3 wrong weight; detectors: asthma 1 of 5.
    assert figures["sfs"]["mae"] == pytest.approx(abs((1 - 2 / 3) - (1 - 1 / 5)))
    assert figures["csp"]["applicable"]["exact"] == 0.0
    assert figures["csp"]["violated"]["recall"] == 0.0
    # Weights 2, 2, 1: readers 4 / 5, detectors (1 + 2 + 1) / 5.
    assert figures["cus"]["mae"] == pytest.approx(0.0)
    assert figures["cus"]["slot_accuracy"] == pytest.approx(1 / 3)
    fields = [cell.field for cell in agree(tmp_path / "l.jsonl", AgreeRequest()).disagreements]
    assert set(fields) == {"facts", "csp.applicable", "csp.violated", "cus"}


def test_parts_that_were_not_judged_count_for_nothing(tmp_path):
    rows = [item(1, facts=None, csp=None, slots_used=None), item(2)]
    figures = agree(write(tmp_path / "l.jsonl", rows), AgreeRequest()).figures
    assert figures["facts"]["f1"] == 1.0
    assert figures["halves"] == {}


def test_matching_is_one_to_one_and_as_large_as_can_be():
    config, _ = load_config()
    labels = read_clinical_labels(item(1), "f", 1)
    found = judge(labels, config)
    assert found.counts["facts_tp"] == 3
    twice = [LabelledFact(quote="asthma", type="condition", patient_claim=True, hallucinated=True)] * 2
    facts = extract_facts(ANSWER, SLOTS)
    assert len(matches(twice, facts, ANSWER)) == 1


def test_halves_keep_neighbours_together():
    config, _ = load_config()
    items = [judge(read_clinical_labels(item(number), "f", 1), config) for number in (1, 2, 3, 4, 5)]
    split = halves(items)
    assert [one.labels.id for one in split["first"]] == ["x-1", "x-2", "x-5"]
    assert [one.labels.id for one in split["second"]] == ["x-3", "x-4"]


def test_bad_lines_are_reported_and_the_rest_counts(tmp_path, cli):
    path = write(
        tmp_path / "l.jsonl", [item(1), {"id": "y"}, [], item(2, facts=[{**item(2)["facts"][0], "quote": "zz"}])]
    )
    ran = cli("agree", "--suite", "clinical", path, "--format", "json")
    assert ran.code == 3
    found = ran.json
    assert found["labels"] == 1
    assert [problem["line"] for problem in found["problems"]] == [2, 3, 4]
    assert found["problems"][2]["field"] == "$.facts[0].quote"


def test_a_file_without_labels_is_refused(tmp_path):
    with pytest.raises(DataError, match="expected clinical labels, found none"):
        agree(write(tmp_path / "l.jsonl", [{"id": "y"}]), AgreeRequest())


def test_the_table_shows_figures_and_disagreements(tmp_path, cli):
    rows = [item(number, slots_used={"key_meds": 0.0}) for number in range(1, 50)]
    ran = cli("agree", "--suite", "clinical", write(tmp_path / "l.jsonl", rows))
    assert ran.code == 0
    assert "csp.violated.f1" in ran.out
    assert "49 disagreements" in ran.out
    assert "--format json lists all" in ran.out


def test_the_challenge_set_reaches_its_bars(shared):
    path = shared / "gold" / "clinical" / "challenge.jsonl"
    if not path.is_file():
        pytest.skip("../shared/gold/clinical/challenge.jsonl, the labelled answers, is missing")
    figures = agree(path, AgreeRequest()).figures
    assert figures["facts"]["f1"] >= 0.90
    assert figures["facts"]["patient_claim"]["accuracy"] >= 0.93
    assert figures["facts"]["hallucinated"]["f1"] >= 0.88
    assert figures["items"]["hallucinated"]["f1"] >= 0.90
    assert figures["sfs"]["mae"] <= 0.04
    assert figures["csp"]["applicable"]["exact"] == 1.0
    assert figures["csp"]["violated"]["f1"] >= 0.90
    assert figures["cus"]["mae"] <= 0.08
    first, second = (figures["halves"][name] for name in ("first", "second"))
    for name in ("facts.f1", "facts.hallucinated.f1", "csp.violated.f1"):
        assert abs(at(first, name) - at(second, name)) <= 0.05
