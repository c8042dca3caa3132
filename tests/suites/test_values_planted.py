"""The self-test plants another value of the same kind, in three languages, and nothing else."""

from __future__ import annotations

import random

import pytest

from turnmark.language.values import compare_texts, compare_values, read_values
from turnmark.suites.planting.rewording import in_months, reword_value
from turnmark.suites.planting.values import AMOUNT, KINDS, change_value

TEXTS = {
    "date": ("会议在2024年3月15日举行", "회의는 2024년 3월 15일에 열립니다", "The meeting is on 15 March 2024"),
    "time": ("门店9:00开门", "매장은 오전 9시에 엽니다", "The shop opens at 9:30"),
    "duration": ("投资期限为3年", "투자 기간은 3년입니다", "The term is 3 years"),
    "sign": ("收益率为5%", "수익률은 5%입니다", "The return was 5%"),
    "unit": ("剂量为5毫升", "보증 기간은 2년입니다", "Delivery takes 3 days"),
    "currency": ("费用500美元", "요금은 500달러입니다", "The fee is 500 dollars"),
    "scale": ("存货8万元", "매출은 5억 원입니다", "Revenue was 3 million dollars"),
    "grade": ("护理等级为2级", "위험 등급은 2등급입니다", "The fund is rated R4"),
    "comparator": ("65岁以上可以申请", "65세 이상만 됩니다", "You need at least 300 dollars"),
    "polarity": ("检测结果为阳性", "검사 결과는 양성입니다", "The test was positive"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", range(3))
def test_a_planted_value_contradicts_the_text_it_came_from(kind: str, language: int) -> None:
    text = TEXTS[kind][language]
    changed = change_value(text, random.Random(5), kind)

    assert changed is not None
    assert changed != text
    assert "conflicting" in [finding.state for finding in compare_texts(changed, [text])]


def test_a_text_without_a_value_of_the_kind_is_left_alone() -> None:
    assert change_value("The shop is open.", random.Random(1), "date") is None
    assert change_value("Pay $5.", random.Random(1), "currency", ["Pay €9."]) is None


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("血钾是5.4mmol/L", "血钾是10.8mmol/L"),
        ("메트포르민 500mg", "메트포르민 1000mg"),
        ("eGFR 48mL/min/1.73m2", "eGFR 96"),
    ],
)
def test_an_amount_becomes_a_multiple_of_as_many_decimals(text: str, changed: str) -> None:
    found = {change_value(text, random.Random(seed), AMOUNT) for seed in range(9)}
    assert any(each and each.startswith(changed) for each in found)
    assert text not in found


@pytest.mark.parametrize("text", ["2型糖尿病", "제2형 당뇨병", "type 2 diabetes"])
def test_a_planted_type_is_one_that_there_is(text: str) -> None:
    assert {change_value(text, random.Random(seed), "grade") for seed in range(9)} == {text.replace("2", "1")}


@pytest.mark.parametrize("text", ["만성 신장병 3기", "chronic kidney disease stage 3a", "慢性肾脏病4期"])
def test_a_planted_stage_stays_within_its_scale(text: str) -> None:
    changed = {change_value(text, random.Random(seed), "grade") for seed in range(20)} - {None}
    assert changed
    for each in changed:
        assert 0 < int(next(letter for letter in each if letter.isdigit())) <= 4
        assert each != text


def test_half_of_a_compound_unit_is_left_alone() -> None:
    assert change_value("eGFR 48mL/min/1.73m2", random.Random(1), "unit") is None
    assert change_value("血糖168mg/dL", random.Random(1), "unit") == "血糖168mmol/L"


@pytest.mark.parametrize(
    ("text", "reworded"),
    [
        ("最大回撤<10%", "最大回撤<百分之10"),
        ("최대 낙폭 10% 이내", "최대 낙폭 10퍼센트 이내"),
        ("maximum drawdown under 15%", "maximum drawdown under 15 percent"),
        ("久期控制在3年以内", "久期控制在36个月以内"),
        ("만기 24개월 이내", "만기 2년 이내"),
        ("portfolio duration under 3 years", "portfolio duration under 36 months"),
        ("메트포르민 500mg", "메트포르민 500밀리그램"),
        ("二甲双胍 500mg", "二甲双胍 500毫克"),
        ("ramipril 5mg", "ramipril 5 milligrams"),
        ("会议在2024年3月15日举行", "会议在2024-03-15举行"),
        ("매장은 오전 9시에 엽니다", "매장은 09:00에 엽니다"),
        ("保留20万元应急", "保留200000元应急"),
    ],
)
def test_a_control_says_the_same_value_in_other_words(text: str, reworded: str) -> None:
    assert reword_value(text, random.Random(1)) == reworded


@pytest.mark.parametrize("text", ["", "没有数字", "3̶ β̂", "The shop is open.", "\ud800 5"])
def test_a_text_that_cannot_be_said_otherwise_is_left_alone(text: str) -> None:
    assert reword_value(text, random.Random(1)) is None


def test_only_whole_years_are_said_in_years() -> None:
    (months,) = read_values("18个月")
    assert in_months(months, "zh") is None
    (years,) = read_values("24个月")
    assert in_months(years, "zh") == "2年"
    assert compare_values(years, read_values("2年")[0]).relation == "equal"
