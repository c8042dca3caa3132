"""Statements: said of the patient, of others, of nobody; absence; what a record denies."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.utterance import extract_facts
from turnmark.packs.clinical_facts import facts_digest, mention_words, statement_cues, words

RECORD = {
    "age": 67,
    "sex": "남성",
    "primary_condition": "제2형 당뇨병",
    "comorbidities": ["만성 신장병 3기", "hypertension"],
    "key_meds": ["metformin 500mg", "rosuvastatin 10mg", "wafarin"],
    "key_vitals": {},
    "key_labs": {},
}


def claims(text, question=""):
    return [
        (fact.quote, fact.patient_claim, fact.hallucinated)
        for fact in extract_facts(text, RECORD, question)
        if fact.type in ("medication", "condition")
    ]


@pytest.mark.parametrize(
    ("text", "claimed", "wrong"),
    [
        ("Do you have gout?", False, False),
        ("You have gout.", True, True),
        ("You do not have gout.", True, False),
        ("You do not have diabetes.", True, True),
        ("당뇨는 없으시니 안심하세요.", True, True),
        ("통풍은 없으시니 안심하세요.", True, False),
        ("통풍이 있으시군요.", True, True),
        ("통풍이 있으신가요?", False, False),
        ("통풍이 생길 수 있습니다.", False, False),
        ("만약 통풍이 있다면 알려 주세요.", False, False),
        ("어머니께서 통풍이 있으셨죠.", False, False),
        ("您父亲有痛风。", False, False),
        ("您有痛风。", True, True),
        ("您没有痛风。", True, False),
        ("饮食不当可能引起痛风。", False, False),
        ("People with gout avoid beer.", False, False),
        ("CKD 4기이시네요.", True, True),
        ("CKD 3기이시네요.", True, False),
        ("너무 걱정 마세요. '통풍인 것 같다'고 하셨지만요.", False, False),
    ],
)
def test_conditions(text, claimed, wrong):
    assert [(claim, hallucinated) for _, claim, hallucinated in claims(text)] == [(claimed, wrong)]


@pytest.mark.parametrize(
    ("text", "claimed", "wrong"),
    [
        ("You take digoxin each morning.", True, True),
        ("You take metformin each morning.", True, False),
        ("Digoxin could be tried next.", False, False),
        ("Drugs such as digoxin slow the heart.", False, False),
        ("Avoid ibuprofen.", False, False),
        ("You are not taking digoxin.", True, False),
        ("You are not taking metformin.", True, True),
        ("You stopped digoxin in May.", True, True),
        ("You stopped metformin in May.", True, True),
        ("If you took digoxin, we would check levels.", False, False),
        ("디곡신을 드시고 계시죠.", True, True),
        ("디곡신을 써 볼 수 있습니다.", False, False),
        ("예전에 드시던 디곡신은 뺐습니다.", True, True),
        ("스타틴을 드시고 계시죠.", True, False),
        ("친구분이 드시는 디곡신은 다른 약입니다.", False, False),
        ("您在吃地高辛。", True, True),
        ("可以考虑加用地高辛。", False, False),
        ("您的二甲双胍照常吃。", True, False),
    ],
)
def test_medications(text, claimed, wrong):
    assert [(claim, hallucinated) for _, claim, hallucinated in claims(text)] == [(claimed, wrong)]


@pytest.mark.parametrize(
    ("text", "claimed", "wrong"),
    [
        ("67세 남성이시네요.", [True, True], [False, False]),
        ("67세 여성이시네요.", [True, True], [False, True]),
        ("여성은 빈혈이 더 흔합니다.", [False], [False]),
        ("Men over 50 should be screened.", [False, False], [False, False]),
        ("절경 후의 이야기는 건너뛰죠.", [], []),
        ("앞서 열려 있던 82세 여성 환자 화면이었네요.", [False, False], [False, False]),
        ("绝经后的女性要补钙。", [False], [False]),
        ("您是67岁女性。", [True, True], [False, True]),
    ],
)
def test_ages_and_sexes(text, claimed, wrong):
    facts = [fact for fact in extract_facts(text, RECORD) if fact.type == "demographic"]
    assert [fact.patient_claim for fact in facts] == claimed
    assert [fact.hallucinated for fact in facts] == wrong


def test_a_relative_is_the_patient_when_the_question_is_asked_for_one():
    answer = "어머님께서 통풍이 있으시네요."
    assert claims(answer)[0][1:] == (False, False)
    assert claims(answer, "엄마 대신 여쭤요. 뭘 드리면 되나요?")[0][1:] == (True, True)


def test_a_relative_who_only_advises_is_not_meant():
    assert claims("따님이 권하신 운동은 당뇨가 있으시니 미뤄 주세요.") == [("당뇨", True, False)]


def test_summaries_and_lists_speak_of_the_patient():
    assert claims("- 진단: 심방세동\n- 복용약: 디곡신") == [("심방세동", True, True), ("디곡신", True, True)]
    assert claims("72세 여성, 심방세동") == [("심방세동", True, True)]
    assert claims("metformin (morning), digoxin (evening)") == [("metformin", True, False), ("digoxin", True, True)]


def test_what_is_no_fact_gives_none():
    assert extract_facts("", RECORD) == []
    assert extract_facts("물을 자주 드시고 푹 쉬세요.", RECORD) == []


def test_offsets_are_of_the_answer_even_when_folding_changes_its_length():
    answer = (
        unicodedata.normalize("NFD", "당뇨가 있으시고 ") + "몸무게는 78㎏, HbA1c 7.2%입니다.\u200b 메트포르민을 드시죠."
    )
    facts = extract_facts(answer, RECORD)
    assert {fact.type for fact in facts} == {"condition", "vital", "lab", "medication"}
    assert all(answer[fact.start : fact.end] == fact.quote for fact in facts)


PIECES = [
    "당뇨가 ",
    "없으시",
    "metformin ",
    "you take ",
    "131/82 ",
    "7.2% ",
    "HbA1c ",
    "67세 ",
    "여성 ",
    "\n",
    "| ",
    "(",
    "，",
    "糖尿病",
    "没有",
    "K 5",
    "．",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=12).map("".join))
def test_any_text_is_read_the_same_way_twice(text):
    facts = extract_facts(text, RECORD)
    assert facts == extract_facts(text, RECORD)
    assert facts == sorted(facts, key=lambda fact: (fact.start, fact.end))
    for fact in facts:
        assert text[fact.start : fact.end] == fact.quote != ""
        assert fact.patient_claim or not fact.hallucinated


def test_the_word_files_are_whole():
    assert len(facts_digest()) == 16
    assert all(words(cue.words) for cue in statement_cues().cues)
    assert "남성" in words(mention_words().male)
    assert words("a, b_ ,a,, c  d") == ["a", "b ", "c d"]
