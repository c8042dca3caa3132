"""Doses in natural wordings: a changed dose is never borne out, and a dose that nobody takes is not looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.utterance import extract_facts

RECORD = {"key_meds": ["lisinopril 10mg", "metformin 500mg", "furosemide 40mg"]}
TAKEN = [
    "You take {} of lisinopril.",
    "You take {} lisinopril once a day.",
    "Your lisinopril is {}.",
    "Your lisinopril dose is {}.",
    "Your dose of lisinopril is {}.",
    "Lisinopril, {} once daily, protects your kidneys.",
    "You are on lisinopril ({}).",
    "You are prescribed lisinopril at a dose of {}.",
    "Lisinopril: {}",
    "The {} lisinopril tablet you take can cause a cough.",
    "You take lisinopril once a day, {} each time.",
    "Your lisinopril has a strength of {}.",
    "You take metformin and lisinopril, 500 mg and {} respectively.",
    "리시노프릴 용량은 {}입니다.",
    "리시노프릴을 {} 드시고 계십니다.",
    "{} 리시노프릴을 드시고 계십니다.",
    "리시노프릴은 하루 {}씩 드십니다.",
    "리시노프릴의 용량이 {}입니다.",
    "리시노프릴을 하루 한 번 {} 복용하고 계십니다.",
    "리시노프릴을 1일 1회 {} 드십니다.",
    "메트포르민과 리시노프릴을 각각 500mg, {} 드십니다.",
    "복용 중인 {}짜리 리시노프릴은 기침을 일으킬 수 있습니다.",
    "리시노프릴 복용량은 {}이에요.",
    "您每天吃{}赖诺普利。",
    "赖诺普利的剂量是{}。",
    "您在服用{}的赖诺普利。",
    "赖诺普利，每日一次，每次{}。",
    "您的赖诺普利是{}的。",
    "赖诺普利用量为{}。",
    "您吃的赖诺普利每片{}。",
    "赖诺普利每天早上吃{}。",
    "二甲双胍和赖诺普利分别是500mg和{}。",
]
NOT_TAKEN = [
    "The maximum dose of lisinopril is 40 mg a day.",
    "Keep salt under 2000 mg a day while you are on lisinopril.",
    "Doctors usually start lisinopril at 5 mg.",
    "We could raise lisinopril to 20 mg.",
    "Your doctor may increase your lisinopril from 10 mg to 20 mg.",
    "Lisinopril is fine, and 500 mg of paracetamol too.",
    "That makes 1000 mg of metformin a day in total.",
    "Lisinopril comes in 5 mg, 10 mg and 20 mg tablets.",
    "리시노프릴의 최대 용량은 하루 40mg입니다.",
    "리시노프릴 복용 중에는 소금을 하루 2000mg 이하로 드세요.",
    "리시노프릴은 보통 5mg부터 시작합니다.",
    "리시노프릴을 20mg으로 올릴 수 있습니다.",
    "리시노프릴과 함께 아세트아미노펜 500mg은 드셔도 됩니다.",
    "赖诺普利的最大剂量是每天40毫克。",
    "服用赖诺普利期间，盐每天不超过2000毫克。",
    "赖诺普利一般从5毫克开始。",
    "可以把赖诺普利加到20毫克。",
    "二甲双胍每天总共1000毫克。",
]


def wrong(text):
    return [fact.quote for fact in extract_facts(text, RECORD) if fact.hallucinated]


@pytest.mark.parametrize("text", TAKEN)
def test_another_dose_is_not_borne_out_and_the_recorded_one_is(text):
    assert len(wrong(text.format("20mg"))) == 1, wrong(text.format("20mg"))
    assert "20mg" in wrong(text.format("20mg"))[0]
    assert wrong(text.format("10mg")) == []
    assert wrong(text.format("0.01 g")) == []


@pytest.mark.parametrize("text", NOT_TAKEN)
def test_a_dose_that_is_not_taken_is_not_compared(text):
    assert wrong(text) == []
    assert extract_facts(text, RECORD)


def test_each_dose_of_a_list_goes_with_its_own_name():
    assert wrong("You take 10 mg lisinopril, 500 mg metformin, and 40 mg furosemide.") == []
    assert wrong("You take 500 mg lisinopril, 10 mg metformin, and 40 mg furosemide.") == [
        "500 mg lisinopril",
        "10 mg metformin",
    ]
    assert wrong("赖诺普利10毫克、二甲双胍850毫克、呋塞米40毫克。") == ["二甲双胍850毫克"]


@given(
    st.lists(
        st.sampled_from(["lisinopril", "20 mg", "of", "metformin", ",", "each", "respectively", "。", "10mg"]),
        max_size=14,
    )
)
def test_any_order_of_names_and_doses_is_read_inside_the_text(parts):
    text = " ".join(parts)
    for fact in extract_facts(text, RECORD):
        assert 0 <= fact.start < fact.end <= len(text)
        assert text[fact.start : fact.end] == fact.quote


@pytest.mark.parametrize(
    "text",
    ["Normal potassium lies between 3.5 and 5.0.", "정상 칼륨은 3.5~5.0입니다.", "正常血钾是3.5到5.0。"],
)
def test_a_normal_value_is_no_value_of_the_patient(text):
    facts = extract_facts(text, {"key_labs": {"potassium": "5.4mmol/L"}})
    assert [(fact.patient_claim, fact.hallucinated) for fact in facts] == [(False, False)]


def test_a_value_that_is_the_patients_own_normal_is_the_patients():
    (fact,) = extract_facts("Your normal potassium is 4.4.", {"key_labs": {"potassium": "5.4mmol/L"}})
    assert (fact.patient_claim, fact.hallucinated) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "Your blood pressure is above target and potassium is {}.",
        "혈압이 목표보다 높고, 칼륨은 {}입니다.",
        "혈압이 목표를 넘고 칼륨은 {}입니다.",
        "血压高于目标，血钾{}也偏高。",
        "血压未达目标，血钾{}。",
    ],
)
def test_a_value_beside_a_missed_target_is_the_patients(text):
    record = {"key_labs": {"potassium": "5.4mmol/L"}}
    (right,) = [fact for fact in extract_facts(text.format("5.4"), record) if fact.type == "lab"]
    (other,) = [fact for fact in extract_facts(text.format("4.4"), record) if fact.type == "lab"]
    assert right.patient_claim
    assert not right.hallucinated
    assert other.hallucinated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your A1c went from 8.1% to 7.4%.", [False, False]),
        ("당화혈색소가 8.1%에서 7.4%로 내려왔습니다.", [False, False]),
        ("糖化血红蛋白从8.1%降到了7.4%。", [False, False]),
        ("Your A1c went from 8.1% to 6.4%.", [True, True]),
        ("당화혈색소가 8.1%에서 6.4%로 내려왔습니다.", [True, True]),
        ("糖化血红蛋白从8.1%降到了6.4%。", [True, True]),
    ],
)
def test_the_value_that_a_change_began_with_is_no_claim_when_it_ended_at_the_recorded_one(text, expected):
    facts = extract_facts(text, {"key_labs": {"hba1c": "7.4%"}})
    assert [fact.hallucinated for fact in facts if fact.type == "lab"] == expected
