"""日 counts days in formal Chinese where a word beside it says so, and names a day of the month elsewhere."""

import pytest

from turnmark.language.values import compare_texts, read_values


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("7日内", (7, 7)), ("七日以内", (7, 7)), ("自签收之日起30日", (30, 30)), ("7日无理由退货", (7, 7)),
        ("5至7日内", (5, 7)), ("三日到五日内", (3, 5)), ("等待期为90日", (90, 90)), ("十五日犹豫期", (15, 15)),
    ],
)  # fmt: skip
def test_counted(text, days):
    assert [(value.low, value.high, value.unit) for value in read_values(text) if value.kind == "duration"] == [
        (*days, "day")
    ]


@pytest.mark.parametrize("text", ["5月7日内部会议", "每月15日", "10月31日", "2024年3月7日", "7日内容更新", "第7日内"])
def test_a_day_of_the_month(text):
    assert [value for value in read_values(text) if value.kind == "duration"] == []


@pytest.mark.parametrize(
    ("claim", "material", "state"),
    [
        ("7天内都能退。", "自签收之日起七日内可无理由退货。", "stated"),
        ("等待期是90天。", "等待期为90日。", "stated"),
        ("等待期是60天。", "等待期为90日。", "conflicting"),
    ],
)
def test_compared(claim, material, state):
    assert [finding.state for finding in compare_texts(claim, material)] == [state]
