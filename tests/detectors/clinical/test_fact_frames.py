"""One thing said in many ways: a disease, a medicine or a value in the frames of three languages."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from turnmark.detectors.clinical.utterance import extract_facts

DATA = Path(__file__).parent / "data"
# Holds neither gout nor rosuvastatin: to claim them is wrong, to deny them is right.
WITHOUT = {
    "age": 67,
    "sex": "male",
    "primary_condition": "hypertension",
    "comorbidities": ["osteoarthritis"],
    "key_meds": ["amlodipine 5mg"],
    "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg"},
    "key_labs": {"ldl": "96mg/dL"},
}
MEASURED = {
    "age": 67,
    "sex": "male",
    "primary_condition": "type 2 diabetes",
    "comorbidities": ["hypertension"],
    "key_meds": ["metformin 500mg"],
    "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg", "heart_rate": "72/min", "weight": "78kg"},
    "key_labs": {
        "hba1c": "7.2%",
        "glucose": "154mg/dL",
        "egfr": "48mL/min/1.73m2",
        "potassium": "5.4mmol/L",
        "ldl": "96mg/dL",
    },
}


def rows(name):
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def said(fact, right, wrong):
    return "no claim" if not fact.patient_claim else wrong if fact.hallucinated else right


@pytest.mark.parametrize("row", rows("statement_frames.tsv"), ids=lambda row: row["text"])
def test_frames_of_having_and_taking(row):
    facts = extract_facts(row["text"], WITHOUT)
    found = [fact for fact in facts if row["mention"].lower() in fact.quote.lower()]
    assert [said(fact, "denied", "claimed") for fact in found[:1]] == [row["expected"]]


@pytest.mark.parametrize("row", rows("value_frames.tsv"), ids=lambda row: row["text"])
def test_frames_of_values_aims_and_limits(row):
    facts = extract_facts(row["text"], MEASURED)
    found = [fact for fact in facts if fact.type in ("lab", "vital") and row["mention"] in fact.quote]
    assert [said(fact, "right", "wrong") for fact in found[:1]] == [row["expected"]]
