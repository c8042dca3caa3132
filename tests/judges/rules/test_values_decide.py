"""One changed value through the shipped judge: faithfulness and correctness, in both directions, in three languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from changed_values import CHANGED
from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.cases import EvalCase, EvalResult
from turnmark.suites.rag.case import evaluate_case

DIFFERENT = (
    CHANGED
    + """\
5 degrees below zero | 5 degrees
>60 | 45
1조 2천억 | 2천억
1억2천만원 | 1억원
3 lakh | 3 crore
5岁以上 | 5岁以下
5세 이상 | 5세 이하
最少5人 | 最多5人
최소 5명 | 최대 5명
before 5 May | after 5 May
5月之前 | 5月之后
up to 5 people | from 5 people
It works on weekends. | It doesn't work on weekends.
The deposit is insured. | The deposit isn't insured.
회사는 비용을 부담합니다. | 회사는 비용을 부담하지 아니한다.
押金可以退还。 | 押金不可以退还。
"""
)
EQUAL = """\
二百元 | 200元
2만원 | 20,000원
$1,200 | 1200 dollars
two years | 24 months
일주일 | 7일
half a year | 6个月
9:00-17:00 | 上午九点到下午五点
3至5个工作日 | 3到5个工作日
1,500 million | 1.5B
"""
STATEMENTS = """\
Opens at 9:00. | The shop opens at 9:30.
尿蛋白为+。 | 尿蛋白为+++。
최대 7일 이내에 환불됩니다. | 최소 7일 이후에 환불됩니다.
The fund's rating is R4. | The fund's rating is R2.
该基金的风险等级是R4。 | 该基金的风险等级是R2。
이 펀드의 위험등급은 2등급입니다. | 이 펀드의 위험등급은 5등급입니다.
"""
YES_OR_NO = """\
= Yes. | The deposit is insured. | Is the deposit insured?
! No. | The deposit is insured. | Is the deposit insured?
! Yes. | The deposit isn't insured. | Is the deposit insured?
= No. | The deposit isn't insured. | Is the deposit insured?
= 是的。 | 押金可以退还。 | 押金可以退还吗？
! 不是。 | 押金可以退还。 | 押金可以退还吗？
! 可以。 | 押金不予退还。 | 押金可以退还吗？
= 不可以。 | 押金不予退还。 | 押金可以退还吗？
= 네. | 예금은 보호됩니다. | 예금은 보호되나요?
! 아니요. | 예금은 보호됩니다. | 예금은 보호되나요?
! 네. | 예금은 보호되지 않습니다. | 예금은 보호되나요?
= 아니요. | 예금은 보호되지 아니합니다. | 예금은 보호되나요?
"""


@cache
def judge() -> RulesJudge:
    return RulesJudge()


def asked(claim: str, material: str, question: str = "") -> dict[str, EvalResult]:
    case = EvalCase(question=question, answer=claim, retrieved_contexts=[material], ground_truth_answer=material)
    return evaluate_case(case, judge(), ("faithfulness", "answer_correctness")).results


def labels(result: EvalResult) -> set[str]:
    return {each.verdict.label for each in result.claims}


def both_ways(table: str) -> list[tuple[str, str]]:
    pairs = [line.split(" | ") for line in table.splitlines()]
    return [pair for one, other in pairs for pair in ((one, other), (other, one))]


@pytest.mark.parametrize(("claim", "material"), both_ways(DIFFERENT) + both_ways(STATEMENTS))
def test_another_value_is_contradicted(claim: str, material: str) -> None:
    results = asked(claim, material)

    assert labels(results["faithfulness"]) == {"contradicted"}
    assert "contradicted" in labels(results["answer_correctness"])


@pytest.mark.parametrize(("claim", "material"), both_ways(EQUAL))
def test_the_same_value_in_other_words_is_supported(claim: str, material: str) -> None:
    results = asked(claim, material)

    assert labels(results["faithfulness"]) == {"supported"}
    assert labels(results["answer_correctness"]) == {"supported"}


@pytest.mark.parametrize("row", YES_OR_NO.splitlines())
def test_a_bare_yes_or_no_says_what_is_asked(row: str) -> None:
    expected = {"!": "contradicted", "=": "supported"}[row[0]]
    claim, material, question = row[2:].split(" | ")
    results = asked(claim, material, question)

    assert labels(results["answer_correctness"]) == {expected}
    assert labels(results["faithfulness"]) == {expected}


@pytest.mark.parametrize("answer", ["[43]", "👍", "。", "ㅋㅋㅋ", "…"])
def test_an_answer_without_a_meaning_states_nothing(answer: str) -> None:
    assert asked(answer, "The deposit is 43 dollars.")["faithfulness"].status == "not_applicable"


@pytest.mark.parametrize("answer", ["β̂ 값입니다", "你̈好，结果是3", "3̶ 이다"])
def test_a_combining_mark_fails_nothing(answer: str) -> None:
    results = asked(answer, "결과는 3입니다. 结果是3。")

    assert {result.status for result in results.values()} <= {"scored", "not_applicable", "not_decided"}


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("The warranty lasts 3 years.", "Delivery takes 2 days."),
        ("保修期为三年。", "送货需要两天。"),
        ("보증 기간은 3년입니다.", "배송은 2일 걸립니다."),
        ("五级对应60%", "一级100%、二级90%、三级80%。"),
    ],
)
def test_values_of_other_things_contradict_nothing(claim: str, material: str) -> None:
    assert "contradicted" not in labels(asked(claim, material)["faithfulness"])


_KINDS = """
above_below at_least_most before_after below_zero_words include_exclude minus_sign positive_negative
wrong_article wrong_class wrong_clock wrong_code wrong_currency wrong_day wrong_grade wrong_month
wrong_scale wrong_type wrong_unit yesno_reversed
"""
WRONG = frozenset(_KINDS.split())
EVERYDAY = Path(__file__).parents[4] / "shared/gold/rag/everyday.jsonl"


@pytest.mark.skipif(not EVERYDAY.exists(), reason="the shared labelled cases are not there")
def test_wrong_values_of_everyday_cases() -> None:
    results: dict[str, list[set[str]]] = {"wrong": [], "faithful": []}
    for line in EVERYDAY.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["faithful"] is None or (row["faithful"] == 0 and row["kind"] not in WRONG):
            continue
        case = EvalCase(question=row["question"], answer=row["answer"], retrieved_contexts=row["contexts"])
        found = evaluate_case(case, judge(), ("faithfulness",)).results["faithfulness"]
        results["faithful" if row["faithful"] else "wrong"].append(labels(found))

    wrong, faithful = results["wrong"], results["faithful"]
    assert sum(each == {"supported"} for each in wrong) <= 0.05 * len(wrong)
    assert sum("contradicted" in each for each in wrong) >= 0.75 * len(wrong)
    assert sum("contradicted" in each for each in faithful) <= 0.02 * len(faithful)
