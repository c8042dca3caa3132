"""Answers about a case that ranges of days tell: up to 30 days, 31 to 60, more than 60."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.judgement import Claim, Query, Verdict

RATES = ("3%", "5%", "8%")
DAYS = (20, 45, 90)
KOREAN = """\
연체 30일 이하는 연 3%, 31일 이상 60일 이하는 연 5%, 60일 초과는 연 8%의 가산이자율을 적용한다.
연체이자율은 30일 미만 3%, 30일 이상 60일 미만 5%, 60일 이상 8%이다.
연체이자율은 30일까지 3%, 31일부터 60일까지 5%, 61일부터 8%입니다.
연체이자율은 1일~30일 3%, 31일~60일 5%, 61일 이상 8%입니다.
연체이자율은 30일 이하 3%, 31일에서 60일까지 5%, 60일 초과 8%이다."""
CHINESE = """\
逾期30天以内按3%计收，31天至60天按5%计收，超过60天按8%计收罚息。
逾期罚息利率：30天及以下为3%，31天以上60天以下为5%，60天以上为8%。
逾期不满30天的，罚息率为3%；满30天不满60天的，罚息率为5%；满60天的，罚息率为8%。"""
ENGLISH = """\
Up to 30 days late: 3%. From 31 to 60 days late: 5%. More than 60 days late: 8%.
The penalty rate is 3% for 30 days or less, 5% for over 30 days and up to 60 days, and 8% for over 60 days.
The penalty rate is 3% under 30 days, 5% for at least 30 but less than 60 days, and 8% from 60 days."""
ASKED = [
    (KOREAN, "연체 {}일이면 이자율이 얼마인가요?", "연체 {}일이면 연 {}의 이자율이 적용됩니다."),
    (KOREAN, "{}일째 연체 중인데 이자율이 얼마죠?", "{}일 연체 시 연체이자율은 {}입니다."),
    (KOREAN, "", "{}일 연체 시 연체이자율은 {}입니다."),
    (CHINESE, "逾期{}天的罚息是多少？", "逾期{}天的，罚息为{}。"),
    (CHINESE, "第{}天还款罚息多少？", "逾期{}天，罚息率是{}。"),
    (CHINESE, "", "逾期{}天按{}计收罚息。"),
    (ENGLISH, "How much is the penalty rate for a loan {} days late?", "A loan {} days late pays {}."),
    (ENGLISH, "What rate applies on day {}?", "The penalty rate for {} days is {}."),
    (ENGLISH, "", "At {} days late the rate is {}."),
]


@cache
def judge() -> RulesJudge:
    return RulesJudge()


def verdict(answer: str, question: str, source: str) -> Verdict:
    claims = (Claim(text=answer, start=0, end=len(answer)),)
    query = Query(relation="support", claims=claims, material=(source,), question=question or None)
    return judge().verdicts([query])[0][0]


@pytest.mark.parametrize(("sources", "question", "answer"), ASKED)
def test_the_rate_of_a_range_is_never_called_wrong_and_no_other_one_right(
    sources: str, question: str, answer: str
) -> None:
    for source, (case, days), (other, rate) in product(sources.splitlines(), enumerate(DAYS), enumerate(RATES)):
        found = verdict(answer.format(days, rate), question.format(days), source)

        if case == other:
            assert found.label != "contradicted", (source, days)
        else:
            assert found.label != "supported", (source, days)
            assert found.label != "contradicted" or RATES[case] in found.reason, (source, days, rate)


@pytest.mark.parametrize(
    ("answer", "question", "source"),
    [
        (
            "연체 45일이면 연 5%의 가산이자율이 적용됩니다.",
            "연체 45일이면 가산이자율이 얼마인가요?",
            KOREAN.splitlines()[0],
        ),
        ("연체 45일이면 연체이자율은 5%입니다.", "연체 45일이면 이자율이 얼마인가요?", KOREAN.splitlines()[3]),
        (
            "10일째 반품하면 수수료는 5,000원입니다.",
            "10일째 반품하면 수수료가 얼마인가요?",
            "반품 수수료는 구매 후 7일 이내 0원, 8일 이상 14일 이하 5,000원, 15일 이상은 10,000원입니다.",
        ),
        ("逾期45天按5%计收罚息。", "逾期45天的罚息是多少？", CHINESE.splitlines()[0]),
        ("逾期90天的，罚息按8%计收。", "逾期90天的罚息是多少？", CHINESE.splitlines()[0]),
    ],
)
def test_the_value_of_the_range_asked_about_is_supported(answer: str, question: str, source: str) -> None:
    assert verdict(answer, question, source).label == "supported"


@pytest.mark.parametrize(
    ("answer", "question", "source", "right"),
    [
        (
            "연체 45일이면 연 8%의 가산이자율이 적용됩니다.",
            "연체 45일이면 가산이자율이 얼마인가요?",
            KOREAN.splitlines()[0],
            "5%",
        ),
        (
            "20일째 반품하면 수수료는 5,000원입니다.",
            "20일째 반품하면 수수료가 얼마인가요?",
            "반품 수수료는 구매 후 7일 이내 0원, 8일 이상 14일 이하 5,000원, 15일 이상은 10,000원입니다.",
            "10,000원",
        ),
        ("逾期45天的罚息是3%。", "逾期45天的罚息是多少？", CHINESE.splitlines()[0], "5%"),
        ("At 45 days late, 8% applies.", "What rate applies at 45 days?", ENGLISH.splitlines()[0], "5%"),
    ],
)
def test_the_value_of_another_range_is_held_against_the_one_asked_about(
    answer: str, question: str, source: str, right: str
) -> None:
    found = verdict(answer, question, source)

    assert found.label == "contradicted"
    assert found.reason.endswith(f"≠ {right}")


def test_a_right_fee_of_a_range_in_other_words_is_not_contradicted() -> None:
    source = "반품 수수료는 구매 후 7일 이내 0원, 8일 이상 14일 이하 5,000원, 15일 이상은 10,000원입니다."
    question = "{}일째 반품하면 수수료가 얼마인가요?"

    for days, answer in (
        (10, "10일째에 반품하시면 5,000원의 반품 수수료가 부과됩니다."),
        (20, "구매 후 20일째에는 10,000원의 수수료가 부과됩니다."),
    ):
        assert verdict(answer, question.format(days), source).label != "contradicted"
