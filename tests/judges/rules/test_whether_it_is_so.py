"""A yes or a no is held against the clause about what is asked: its side, its days and its limits."""

from __future__ import annotations

from functools import cache

import pytest

from turnmark.judges.rules.judge import RulesJudge
from turnmark.language.values.opposition.stances import HOLDS, read_stances
from turnmark.language.values.weekdays import HOLIDAY, read_days
from turnmark.schemas.judging.judgement import Claim, Query

POOL = "Membership costs $45 per month. The pool is closed every Tuesday for cleaning."
BAGS = "Checked bags may weigh up to 23 kg. Tickets are non-refundable, but dates can be changed once for a fee of $75."
LEE = "Dr. Lee sees patients Monday to Thursday, 8:30 am to 4 pm."
GYM = "健身房每天6:00至23:00开放。会员卡不可转让，可以暂停一次，最长三个月。毛巾免费提供，储物柜押金50元。"
MUSEUM = "주차는 2시간까지 무료이며 이후 30분당 1,000원입니다. 매주 월요일은 휴관입니다. 예약은 필요하지 않습니다."

CASES = [
    ("supported", "Can I swim on Tuesday?", "No, the pool is shut for cleaning on Tuesdays.", POOL),
    ("supported", "Is Dr. Lee in on Friday?", "No, she doesn't see patients on Fridays.", LEE),
    ("contradicted", "Is Dr. Lee in on Friday?", "Yes, Dr. Lee sees patients on Friday.", LEE),
    ("supported", "Can I check a 25 kg bag?", "No, the limit is 23 kg.", BAGS),
    ("contradicted", "Can I check a 25 kg bag?", "Yes.", BAGS),
    ("supported", "Are tickets refundable?", "No, they aren't.", BAGS),
    ("supported", "会员卡能转让吗？", "不能转让。", GYM),
    ("contradicted", "会员卡能转让吗？", "可以，转给朋友就行。", GYM),
    ("supported", "储物柜要押金吗？", "要，50元。", GYM),
    ("contradicted", "储物柜要押金吗？", "不用押金。", GYM),
    ("contradicted", "可以暂停半年吗？", "可以。", GYM),
    ("supported", "可以让家人代办护照吗？", "不可以，必须自己去。", "办理护照须本人到场，携带身份证原件。"),
    (
        "contradicted",
        "工具书能借走吗？",
        "能，可以借30天。",
        "每人最多可借10册，借期30天。工具书只限馆内阅览，不外借。",
    ),
    ("supported", "월요일에도 문을 여나요?", "아니요, 월요일은 쉽니다.", MUSEUM),
    ("contradicted", "예약해야 하나요?", "네, 예약은 필수입니다.", MUSEUM),
    ("contradicted", "3시간 주차도 무료인가요?", "네, 무료입니다.", MUSEUM),
    ("not_decided", "Are dogs allowed?", "Yes.", "Small dogs are allowed in the garden."),
    ("not_decided", "Can I return opened items?", "Yes.", "Unopened items can be returned within 30 days."),
    ("not_decided", "Is the gym free?", "Yes.", "The gym is open daily. The sauna is free."),
    ("not_decided", "Is parking free?", "Yes.", "Parking is free for members."),
    ("contradicted", "Is parking free for visitors?", "Yes.", "Parking is free for guests and $12 a day for visitors."),
    ("not_decided", "门票能退吗？", "不能退。", "周末门票需提前预约，平日无需预约。"),
    ("not_decided", "온라인 예매는 할인되나요?", "네, 할인됩니다.", "온라인 예매는 취소할 수 있습니다."),
]


@cache
def _judge() -> RulesJudge:
    return RulesJudge()


@pytest.mark.parametrize(("label", "question", "answer", "source"), CASES)
def test_the_clause_about_what_is_asked_decides(label: str, question: str, answer: str, source: str) -> None:
    claims = (Claim(text=answer, start=0, end=len(answer)),)
    query = Query(relation="support", claims=claims, material=(source,), question=question)

    found = _judge().verdicts([query])[0][0].label

    assert found == label or (label == "not_decided" and found == "undetermined")


@pytest.mark.parametrize(
    ("text", "language", "kind", "side"),
    [
        ("water damage isn't part of the warranty", "en", HOLDS, -1),
        ("the pool is shut", "en", HOLDS, -1),
        ("쉬는 날 없이 매일 엽니다", "ko", HOLDS, 1),
        ("사용하지 않은 연차는 이월되지 않습니다", "ko", HOLDS, -1),
        ("挂失不收费", "zh", "cost", -1),
        ("挂失手续费30元", "zh", "cost", 1),
        ("平日无需预约", "zh", "need", -1),
        ("it is neither open nor not open", "en", HOLDS, 0),
    ],
)
def test_a_statement_takes_a_side_of_a_class(text: str, language: str, kind: str, side: int) -> None:
    assert read_stances(text, language).sign(kind) == side


def test_days_are_read_alone_in_rows_and_in_groups() -> None:
    def days(text: str) -> frozenset[int]:
        return read_days(text).days

    assert days("monday to thursday") == frozenset(range(4))
    assert days("周五至周日") == frozenset((4, 5, 6))
    assert days("daily except mondays") == frozenset(range(1, 7))
    assert days("연중무휴") == frozenset(range(7)) | {HOLIDAY}
    assert days("on weekends and public holidays") == frozenset((5, 6, HOLIDAY))
    assert days("at noon") == frozenset()
