"""Classes of wording around facts: spoken decimals, kidney numbers, ages and sexes in words, blanks, procedures."""

from __future__ import annotations

import pytest

from turnmark.detectors.clinical.read.procedures import distinctive_words, naming_span
from turnmark.detectors.clinical.utterance import extract_facts

RECORD = {
    "age": 64,
    "sex": "male",
    "primary_condition": "type 2 diabetes",
    "key_meds": ["insulin glargine 20 units", "lithium 900mg"],
    "key_labs": {"hba1c": "6.9%", "egfr": "42mL/min/1.73m2", "creatinine": "1.7mg/dL", "lithium": "0.8mmol/L"},
}


def read(text, question=""):
    return [
        (fact.type, fact.value, fact.patient_claim, fact.hallucinated) for fact in extract_facts(text, RECORD, question)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your A1c is six point nine percent.", ("lab", "hemoglobin A1c 6.9 percent", True, False)),
        ("Your A1c is six point one percent.", ("lab", "hemoglobin A1c 6.1 percent", True, True)),
        ("콩팥 수치가 42로 나왔습니다.", ("lab", "estimated glomerular filtration rate 42", True, False)),
        ("신장 수치 1.7은 그대로네요.", ("lab", "estimated glomerular filtration rate 1.7", True, False)),
        ("리튬 농도는 0.8로 적정해요.", ("lab", "lithium level 0.8", True, False)),
        ("六十出头的年纪，慢慢走就好。", ("demographic", "age 60-69", True, False)),
        ("四十出头的年纪，慢慢走就好。", ("demographic", "age 40-49", True, True)),
        ("예순을 넘기신 만큼 천천히 하세요.", ("demographic", "age 60-69", True, False)),
        ("Sex: F", ("demographic", "sex female", True, True)),
        ("性别：男", ("demographic", "sex male", True, False)),
        ("Gout: none", ("condition", "no gout", True, False)),
        ("통풍이 없지는 않으시니 맥주는 줄이세요.", ("condition", "gout", True, True)),
    ],
)
def test_one_fact_in_unusual_words(text, expected):
    assert read(text) == [expected]


def test_a_word_of_age_tells_the_sex_only_behind_an_age():
    assert ("demographic", "sex female", True, True) in read("예순네 살 할머님이시군요.")
    assert not read("할머님께 안부 전해 주세요.")


def test_a_relative_who_asks_makes_the_relative_the_patient():
    answer = "남편분은 당뇨로 관리 중이십니다."
    assert read(answer)[0][2] is False
    assert read(answer, "남편 대신 제가 여쭤봐도 되나요?")[0][2] is True


def test_what_is_absent_may_be_another_thing():
    assert read("인슐린 용량을 줄일 이유가 없습니다.")[0][2:] == (True, False)
    assert read("There is no need to change insulin.")[0][2:] == (True, False)


@pytest.mark.parametrize(
    ("procedure", "text", "named"),
    [
        ("retinal laser therapy", "after the retinal laser, rest", True),
        ("고관절 골절 수술", "고관절 수술 부위는 잘 아물었습니다", True),
        ("total knee replacement", "your knee hurts", False),
        ("total knee replacement", "since the knee was replaced", True),
        ("白内障手术", "白内障会让视力变差", False),
    ],
)
def test_procedures_are_named_by_what_tells_them(procedure, text, named):
    assert (naming_span(procedure, text) is not None) == named


def test_shared_words_tell_no_procedure():
    assert distinctive_words("left open repair surgery") == []
    assert distinctive_words("관상동맥 스텐트 삽입술") == ["관상동맥", "스텐트"]
