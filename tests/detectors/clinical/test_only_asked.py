"""What a patient only asks about is not told: no words that an answer agrees with, and no new information."""

import pytest

from turnmark.detectors.clinical.conversation import consistency, updates
from turnmark.detectors.clinical.conversation.history import History
from turnmark.detectors.clinical.utterance import read_utterance

RECORD = {
    "age": 70,
    "major_procedures": ["left knee replacement"],
    "comorbidities": ["hypertension"],
    "key_meds": ["metformin 500mg"],
}


def checked(question, answer, record=RECORD):
    """What an answer is held against: whether it agrees, and with what."""
    history = History()
    history.hear(read_utterance(question, record), ())
    found = consistency.contradictions(read_utterance(answer, record, question), history)
    return [(one.agrees, one.other) for one in found]


@pytest.mark.parametrize(
    "question",
    [
        "Which knee did I have replaced?", "Which knee replacement did I have?", "Did I have a right knee replacement?",
        "I had my knee replaced.", "무릎 수술을 어느 쪽에 받았죠?", "我做的是哪边膝关节置换?",
    ],
)  # fmt: skip
def test_no_question_vouches_for_another_side_than_the_record(question):
    found = checked(question, "You had your right knee replaced.")
    assert found == [(False, "the record holds 'left knee replacement'")]


def test_the_side_that_the_patient_told_vouches_for_it():
    found = checked("I had my right knee replaced.", "You had your right knee replaced.")
    assert found == [(True, "the patient's own words")]


def test_a_side_that_the_record_leaves_open_neither_agrees_nor_contradicts():
    record = {**RECORD, "major_procedures": ["knee replacement"]}
    assert checked("Which knee did I have replaced?", "You had your right knee replaced.", record) == []


@pytest.mark.parametrize(("question", "told"), [
    ("Can I take an antibiotic like penicillin?", []),
    ("Is it safe to take ibuprofen?", []), ("What about aspirin?", []),
    ("Can I take ibuprofen or naproxen for my back?", []),
    ("Can I take ibuprofen with my gout?", ["gout"]), ("I take warfarin. Can I take ibuprofen?", ["warfarin"]),
    ("Can I take the ibuprofen my doctor prescribed?", ["ibuprofen"]),
    ("I started ibuprofen yesterday, is that ok?", ["ibuprofen"]),
    ("이부프로펜 먹어도 되나요?", []), ("페니실린 같은 항생제를 먹어도 되나요?", []),
    ("통풍이 있는데 이부프로펜 먹어도 되나요?", ["통풍"]),
    ("어제부터 이부프로펜을 먹고 있는데 괜찮을까요?", ["이부프로펜"]),
    ("我可以吃布洛芬吗？", []), ("我可以吃像青霉素这样的抗生素吗？", []), ("布洛芬能吃吗？", []),
    ("我有痛风，能吃布洛芬吗？", ["痛风"]), ("我在吃布洛芬，可以吗？", ["布洛芬"]),
])  # fmt: skip
def test_a_medicine_that_is_only_asked_for_is_not_told(question, told):
    assert [one.quote for one in updates.told(read_utterance(question, RECORD))] == told
