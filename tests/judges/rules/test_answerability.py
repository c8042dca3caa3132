"""Passages that hold an answer, and passages that only speak of its subject."""

import pytest

from turnmark.judges.rules.answerability import answerability
from turnmark.judges.rules.reading import Reading

PAIRS = [
    (
        "智能门锁的保修期是多久？",
        "智能门锁支持指纹开锁。门锁用电池供电。",
        "智能门锁支持指纹开锁。智能门锁的保修期为24个月。",
    ),
    ("年费是多少？", "信用卡的年费按卡种收取，具体见公告。", "信用卡的年费为300元。"),
    ("谁担任董事长？", "董事长负责召集会议，并检查决议的执行情况。", "公司董事长由王建国担任，任期三年。"),
    ("贷款申请为什么被拒绝？", "贷款申请可以在线提交。", "贷款申请被拒绝是由于征信记录不足。"),
    ("总行在哪里？", "总行设有十二个部门。", "总行位于上海市浦东新区。"),
    ("该分行什么时候开业？", "该分行开业时邀请了许多客户。", "该分行于1999年5月开业。"),
    ("How much is the annual fee?", "The annual fee is due every spring.", "The annual fee is 95 dollars."),
    ("Who founded the company?", "The company was founded in a garage.", "The company was founded by Anna Berg."),
    ("Why was the claim denied?", "The claim was filed online.", "The claim was denied because the policy had lapsed."),
    ("Where is the head office?", "The head office employs many.", "The head office is located in Porto."),
    ("When did the branch open?", "The branch opened with a party.", "The branch opened in 1999."),
    ("연회비는 얼마입니까?", "연회비는 매년 초에 청구됩니다.", "연회비는 3만원입니다."),
    ("대표이사는 누구입니까?", "대표이사는 회의를 소집합니다.", "대표이사는 김민수입니다."),
    ("본점은 어디에 있습니까?", "본점은 매우 큽니다.", "본점은 서울특별시에 있습니다."),
    (
        "대출 신청이 왜 거절되었습니까?",
        "대출 신청은 온라인으로 합니다.",
        "신용 기록 때문에 대출 신청이 거절되었습니다.",
    ),
]


@pytest.mark.parametrize(("question", "without", "within"), PAIRS, ids=[question for question, _, _ in PAIRS])
def test_the_asked_kind_of_thing_decides(question, without, within):
    asked = Reading(question)
    assert answerability(Reading(within), asked).degree == 1.0
    assert answerability(Reading(without), asked).degree < 0.97


def test_another_subject_does_not_answer():
    assert answerability(Reading("Whales live for 80 years."), Reading("How much is the fee?")).degree < 0.5


def test_empty_texts():
    assert answerability(Reading(""), Reading("How much is the fee?")).degree == 0.0
    assert 0.0 <= answerability(Reading("5 dollars"), Reading("")).degree <= 1.0
