"""Notes of clinical evidence in the reader's language, and why an answer that lacks something is unsafe."""

import pytest

from turnmark.locale.texts import texts_of
from turnmark.report.view.notes import worded_breach, worded_note
from turnmark.schemas.evidence import Evidence


def missing(label="CSP_REQ_001", note="nothing in the answer: exercise answer without stop criteria"):
    return Evidence(metric="csp", rule="clinical.safety.x", label=label, polarity="missing", note=note)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "no word on when to stop exercising and when to seek care: rule CSP_REQ_001 asks this of every answer"),
        ("zh", "没有说明何时停止运动、何时就医：规则 CSP_REQ_001 要求第 3 轮的每个回答都说明，无论问的是什么"),
        ("ko", "언제 운동을 멈추고 언제 진료받을지 말하지 않음: 규칙 CSP_REQ_001은(는) 무엇을 물었든 3번째 턴"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_the_rule_that_asks_for_it_whatever_was_asked(language, told):
    assert worded_breach(missing(), 3, texts_of(language, "clinical")).startswith(told)


def test_a_rule_of_the_users_own_is_said_by_its_name():
    said = worded_breach(missing("MINE", "nothing in the answer: 대피 경로"), 2, texts_of("ko", "clinical"))
    assert said.startswith("대피 경로: 규칙 MINE")
    own = Evidence(metric="csp", rule="x", label="MINE", polarity="violates", quote="run hard")
    assert worded_breach(own, 2, texts_of("en", "clinical")) == "run hard"
    shipped = Evidence(metric="csp", rule="x", label="CSP_K_001", polarity="violates", quote="바나나")
    assert worded_breach(shipped, 2, texts_of("ko", "clinical")).startswith("바나나 (고칼륨혈증이나 신장병에")


@pytest.mark.parametrize(
    ("note", "zh"),
    [
        ("value: the record holds hemoglobin 9.6g/dL", "病历记载 hemoglobin 9.6g/dL"),
        ("absence: the record holds 'asthma'", "回答否认：病历记载 'asthma'"),
        ("the patient said 7", "患者说过 7"),
        ("not in the record", "病历中没有"),
        ("other person: not in the record", "病历中没有"),
        ("a note of one's own: with a colon", "a note of one's own: with a colon"),
    ],
)
def test_notes_speak_the_readers_language_and_others_stay_as_they_are(note, zh):
    assert worded_note(note, texts_of("zh", "clinical")) == zh
