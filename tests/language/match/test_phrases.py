"""Literals asked for in a stretch of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.phrases import Phrases, latin_ends, whole_word

DENIES = Phrases(["别", "不要", "no"], look_alikes=["特别", "别人"])


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("特别好", None),
        ("别买", (0, 1)),
        ("特别要，别买", (4, 5)),
        ("别人不要", (2, 4)),
        ("nobody", None),
        ("say no", (4, 6)),
        ("", None),
    ],
)
def test_the_first_that_is_no_part_of_a_look_alike(text: str, span: tuple[int, int] | None) -> None:
    assert DENIES.first(text) == span
    assert DENIES.within(text) is (span is not None)


def test_where_they_stand() -> None:
    text = "别买，不要卖"
    assert DENIES.all(text) == [(0, 1), (3, 5)]
    assert DENIES.last(text) == (3, 5)
    assert DENIES.opens(text, 3) == (3, 5)
    assert DENIES.opens(text, 1) is None
    assert DENIES.first(text, 1, 4) is None
    assert DENIES.is_one("不要")
    assert not DENIES.is_one("不")


def test_without_words_nothing_is_found() -> None:
    empty = Phrases([])
    assert empty.first("别买") is None
    assert empty.covers("别买", 1, 1)
    assert not empty.covers("别买", 0, 1)


@pytest.mark.parametrize(
    ("text", "covered"),
    [("these foods", True), ("these fooder", False), ("可以可", True), ("可以以可", False), ("", True)],
)
def test_nothing_but_the_words(text: str, covered: bool) -> None:
    assert Phrases(["these", "foods", " ", "可", "可以"]).covers(text, 0, len(text)) is covered


@given(st.text("ab", max_size=12))
def test_a_cover_is_a_split_into_the_words(text: str) -> None:
    words = ("甲乙", "乙", "乙甲甲")
    chinese = text.replace("a", "甲").replace("b", "乙")
    splits = {0}
    for position in range(len(chinese)):
        if position in splits:
            splits |= {position + len(word) for word in words if chinese.startswith(word, position)}
    phrases = Phrases(words)
    assert phrases.covers(chinese, 0, len(chinese)) is (len(chinese) in splits)
    assert phrases.run_after(chinese, 0, len(chinese)) == max(splits)


def test_words_of_latin_letters_are_whole_words() -> None:
    assert latin_ends("大v")
    assert not latin_ends("大")
    assert whole_word("a no b", 2, 4)
    assert not whole_word("nob", 0, 2)
    assert whole_word("不no好", 1, 3)
