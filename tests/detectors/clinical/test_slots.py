"""Use of slots on hand-worked cases, empty slots, own names, and what must hold for any text."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.context_use.detector import slot_uses
from turnmark.detectors.clinical.read.chart import is_empty
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.packs.clinical_slots import shipped_slots

RECORD = {
    "age": 67,
    "sex": "남성",
    "primary_condition": "제2형 당뇨병",
    "comorbidities": ["고혈압"],
    "key_meds": ["메트포르민 500mg", "암로디핀 5mg"],
    "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg", "weight": "78kg"},
    "key_labs": {"hba1c": "7.2%", "glucose": "154mg/dL"},
    "major_procedures": ["관상동맥 스텐트 삽입술"],
    "chief_symptom": "피로",
}
with (Path(__file__).parent / "data" / "slot_use.tsv").open(encoding="utf-8") as file:
    CASES = list(csv.DictReader(file, delimiter="\t"))


def use(answer, slot, record=RECORD):
    return slot_uses(read_utterance(answer, record), [slot])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['slot']} {case['answer'][:16]}")
def test_by_hand(case):
    (found,) = use(case["answer"], case["slot"])
    assert found.score == float(case["score"])
    assert found.evidence is not None
    assert case["answer"][found.evidence.start : found.evidence.end] == found.evidence.quote
    assert (found.evidence.quote == "") == (found.score == 0.0)
    assert found.evidence.polarity == {1.0: "explicit", 0.5: "indirect", 0.0: "unused"}[found.score]


@pytest.mark.parametrize("value", [None, "", " ", [], {}, [None], {"hba1c": ""}])
def test_empty_slots_are_left_out(value):
    assert is_empty(value)
    assert use("HbA1c 7.2%", "key_labs", {"key_labs": value}) == []


@pytest.mark.parametrize("value", [0, "x", ["x"], {"a": 1}])
def test_what_says_something_is_not_empty(value):
    assert not is_empty(value)


def test_names_that_the_terminology_lacks_are_found_by_their_own_words():
    record = {
        "key_meds": ["zorvexin 5mg"],
        "primary_condition": "Quibble syndrome",
        "major_procedures": ["flumbectomy"],
    }
    assert use("Keep taking zorvexin.", "key_meds", record)[0].score == 1.0
    assert use("You have quibble syndrome, so rest.", "primary_condition", record)[0].score == 1.0
    assert use("After your flumbectomy, rest.", "major_procedures", record)[0].score == 1.0
    assert use("Rest.", "key_meds", record)[0].score == 0.0


def test_labs_may_come_as_a_list():
    record = {"key_labs": ["hba1c: 7.2%"]}
    assert use("Your HbA1c of 7.2% is fine.", "key_labs", record)[0].score == 1.0
    record = {"key_labs": [{"name": "hba1c", "value": 7.2, "unit": "%"}]}
    assert use("Your HbA1c of 7.2% is fine.", "key_labs", record)[0].score == 1.0


@given(st.text(max_size=60))
def test_any_text_gives_one_of_three_scores(text):
    for found in slot_uses(read_utterance(text, RECORD), shipped_slots().slots):
        assert found.score in (0.0, 0.5, 1.0)
        if found.evidence is not None:
            assert text[found.evidence.start : found.evidence.end] == found.evidence.quote
