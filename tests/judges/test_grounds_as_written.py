"""Grounds of verdicts are told in the words of the text, never in the stems that rules compare."""

import pytest

from turnmark.judges.rules.conflicts import as_written


@pytest.mark.parametrize(
    ("unit", "text", "word"),
    [
        ("carri", "The ship Carries freight.", "Carries"),
        ("polici", "Our policies don't cover it.", "policies"),
        ("refund", "No refund is given.", "refund"),
        ("배송", "배송비는 무료입니다.", "배송"),
        ("保本", "不承诺保本。", "保本"),
        ("nowher", "Nothing like it.", "nowher"),
    ],
)
def test_a_unit_is_told_as_the_text_writes_it(unit, text, word):
    assert as_written(unit, text) == word


def test_the_first_text_that_holds_it_gives_the_word():
    assert as_written("carri", "nothing", "It carried on", "carries") == "carried"
