import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.script import count_scripts, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("退款", "zh"),
        ("大韓民國", "zh"),
        ("看看BB级的coupon，拿两成做satellite", "zh"),
        ("510300，buy the dip，尾盘有多少吃多少，一分别留，全打出去", "zh"),
        ("혈압은 130/80입니다", "ko"),
        ("eGFR와 HbA1c, LDL cholesterol을 확인하세요", "ko"),
        ("신장(腎臟) 기능", "ko"),
        ("You take metformin.", "en"),
        ("OK", "en"),
        ("The fund 基金 is fine for long term holders.", "en"),
        ("今日はとても良い天気です", "und"),
        ("Это не совет", "und"),
        ("12345 !!!", "und"),
        ("", "und"),
        ("`print('hello world, this is code')` 请运行这段代码", "zh"),
        ("参见 https://example.org/a/very/long/english/path/that/should/not/count", "zh"),
        ("```\nfor item in items: print(item)\n```\n以上是代码", "zh"),
        ("`code only`", "en"),
    ],
)
def test_detect_language(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_long_texts_are_sampled_from_all_over() -> None:
    assert detect_language("Hello there. " * 5 + "市场有风险，投资需谨慎。" * 400) == "zh"


def test_counts() -> None:
    assert count_scripts("a保b본かЖ1。") == {"han": 1, "hangul": 1, "kana": 1, "latin": 2, "other": 1}


@given(st.text())
def test_any_text_has_a_language(text: str) -> None:
    assert detect_language(text) in ("zh", "ko", "en", "und")
    assert detect_language(text + "\ud800") in ("zh", "ko", "en", "und")
