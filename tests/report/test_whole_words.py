"""Words that are quoted by themselves begin and end where words do."""

from __future__ import annotations

import pytest

from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.words import quoted, whole_words
from turnmark.schemas.evidence import Evidence

CASES = [
    ("나머지를 단기채권에 넣으세요.", "단기채", "단기채권에"),
    ("공모펀드만 보겠습니다.", "펀드", "공모펀드만"),
    ("수익은 보장되지 않습니다.", "보장되지 않", "보장되지 않습니다"),
    ("손실이 8%를 넘지 않게", "8", "8%를"),
    ("Use leveraged products.", "leverage", "leveraged"),
    ("It isn't a sub-index fund.", "isn", "isn't"),
    ("It isn't a sub-index fund.", "index", "sub-index"),
    ("Potassium is 5.6 today.", "5", "5.6"),
    ("Stay within 8% a year.", "8", "8%"),
    ("Bananas, daily.", "Bananas", "Bananas"),
    ("建议买R2的债券基金。", "债券", "债券"),
    ("最大回撤控制在8%以内", "8", "8%"),
    ("买ETF基金", "ET", "ETF"),
]


@pytest.mark.parametrize(("text", "words", "whole"), CASES)
def test_a_quote_is_widened_to_whole_words(text: str, words: str, whole: str) -> None:
    start = text.index(words)
    assert whole_words(text, start, start + len(words)) == whole


def test_words_that_do_not_stand_there_are_left_as_they_are() -> None:
    assert quoted(Evidence(metric="sfs", rule="r", quote="메트포", start=0, end=3), "당뇨약은 드세요") == "메트포"


def test_a_text_that_is_cut_ends_with_a_whole_word() -> None:
    assert clipped("나머지는 모두 단기채권에 넣으세요", 13) == "나머지는 모두…"
    assert clipped("keep everything in short bonds", 20) == "keep everything in…"
    assert clipped("把其余的钱全部放进短期债券里面", 8) == "把其余的钱全部…"
    assert clipped("x" * 50, 10) == "x" * 9 + "…"
