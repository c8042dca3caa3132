"""Values are read with their kind, number, unit and span."""

from __future__ import annotations

import pytest

from turnmark.language.values import read_values

READ = [
    ("5천억", "number", 5e11, ""),
    ("1조 2천억", "number", 1.2e12, ""),
    ("1억2천만원", "quantity", 1.2e8, "krw"),
    ("$1.5B", "quantity", 1.5e9, "usd"),
    ("3 lakh", "number", 3e5, ""),
    ("零下20度", "quantity", -20.0, "degree"),
    ("영하 20도", "quantity", -20.0, "degree"),
    ("minus 5%", "quantity", -5.0, "percent"),
    ("5 degrees below zero", "quantity", -5.0, "degree"),
    ("3-5 business days", "duration", 3.0, "workday"),
    ("46㎡", "quantity", 46.0, "m2"),
    ("HK$65", "quantity", 65.0, "hkd"),
    ("4시간 50분", "duration", 290.0, "minute"),
    ("an hour and a quarter", "duration", 1.25, "hour"),
    ("만 오천 원", "quantity", 15000.0, "krw"),
    ("다섯 권", "quantity", 5.0, "item"),
    ("five to midnight", "time", 1435.0, "minute"),
]


@pytest.mark.parametrize(("text", "kind", "low", "unit"), READ)
def test_a_value_is_read_with_its_unit(text: str, kind: str, low: float, unit: str) -> None:
    values = [value for value in read_values(text) if value.kind != "polarity"]

    assert [(value.kind, value.low, value.unit) for value in values] == [(kind, low, unit)]
    assert (values[0].start, values[0].end) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "kind", "low", "unit"),
    [
        ("up to 5 unused days", "duration", 5.0, "day"),
        ("At most five.", "number", 5.0, ""),
        ("十本书", "quantity", 10.0, "item"),
    ],
)
def test_a_value_amid_other_words(text: str, kind: str, low: float, unit: str) -> None:
    (value,) = [each for each in read_values(text) if each.kind != "polarity"]

    assert (value.kind, value.low, value.unit) == (kind, low, unit)


def test_only_is_no_year_in_korean() -> None:
    assert [each for each in read_values("예약자가 없는 경우에 한해 연장됩니다") if each.kind == "duration"] == []


@pytest.mark.parametrize("text", ["연체이자율은 연 5%입니다", "책임의 범위", "투자율 12%"])
def test_the_end_of_another_word_takes_no_side(text: str) -> None:
    assert [each.text for each in read_values(text) if each.kind == "polarity"] == []


def test_the_last_day_of_a_range_is_no_period_of_a_rate() -> None:
    assert [each.name for each in read_values("31일~60일 5%") if each.unit == "percent"] == [""]
    assert [each.name for each in read_values("1일 5%") if each.unit == "percent"] == ["day"]
