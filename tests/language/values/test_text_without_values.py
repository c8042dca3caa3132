"""What is left of a text where its values are taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from test_any_text_is_read import texts

from turnmark.language.text.fold import fold_text
from turnmark.language.values.removal import replaced_values


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("最大回撤<10%", "最大回撤<#"),
        ("保留二十万元现金", "保留#现金"),
        ("비상금 5천만원 유지", "비상금 # 유지"),
        ("Keep $1.5 million until 15 March 2024", "keep # until #"),
        ("只买R2及以下", "只买#及以下"),
        ("no single stocks", "no single stocks"),
    ],
)
def test_values_are_replaced_and_words_stay(text, left):
    assert replaced_values(text, "#") == left


@given(texts)
def test_what_is_left_stands_in_the_text_in_its_order(text):
    characters = iter(fold_text(text))
    assert all(each in characters for each in replaced_values(text, ""))
