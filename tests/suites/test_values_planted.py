"""The self-test plants another value of the same kind, in three languages, and nothing else."""

from __future__ import annotations

import random

import pytest

from turnmark.language.values import compare_texts
from turnmark.suites.planting.values import KINDS, change_value

TEXTS = {
    "date": ("会议在2024年3月15日举行", "회의는 2024년 3월 15일에 열립니다", "The meeting is on 15 March 2024"),
    "time": ("门店9:00开门", "매장은 오전 9시에 엽니다", "The shop opens at 9:30"),
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
