"""Any string is read: no exception, spans inside the text, and time that grows with its length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growth import SQUARE, processor_growth
from turnmark.judges.claims import split_claims
from turnmark.judges.rules.reading import Reading
from turnmark.language.analysis import analyse
from turnmark.language.quantity.quantity import quantities
from turnmark.language.text.fold import fold
from turnmark.language.text.segment import segment
from turnmark.language.values import compare_texts, read_values

PIECES = [
    "β̂",
    "你̈",
    "3̶",
    "３",
    "٣",
    "๓",
    "�",
    "한",
    "각",
    "년",
    "月",
    "日",
    "点",
    "时",
    "시",
    "분",
    "%",
    "$",
    "¥",
    "-",
    ":",
    "/",
    ".",
    ",",
    "(",
    ")",
    "[43]",
    " ",
    "\n",
    "第",
    "条",
    "제",
    "조",
    "a",
    "B12",
    "+",
    "+++",
    "α",
    "上午",
    "오후",
    "pm",
    "am",
    "三",
    "十",
    "半",
    "万",
    "억",
    "천",
    "영하",
    "负",
    "不",
    "없",
    "not",
    "5",
    "12",
    "2024",
    "31",
    "元",
    "원",
    "mg",
    "/kg",
    "per day",
    "1/2",
    "½",
    "㎏",
    "①",
    "̀",
    "\u200b",
    "ﬁ",
    "至",
    "~",
    "부터",
    "1.",
    "一、",
    "，",
    "。",
    "👍",
    "half",
    "and a half",
    "an hour",
    "five",
    "to",
    "past",
    "Ⅱ",
    "lakh",
    "B",
    "May",
    "周三",
    "(수)",
    "≤",
    "℃",
    "⃝",
    "é",
    "각",
]
texts = st.one_of(st.text(st.characters(), max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))


@settings(deadline=None, max_examples=300)
@given(texts)
def test_every_reader_takes_any_text(text: str) -> None:
    for value in read_values(text):
        assert 0 <= value.start < value.end <= len(text)
    for quantity in quantities(text):
        assert 0 <= quantity.start <= quantity.end <= len(text)
    for claim in split_claims(text):
        assert 0 <= claim.start <= claim.end <= len(text)
    for clause in segment(text).clauses:
        assert 0 <= clause.start <= clause.end <= len(text)
    folded = fold(text)
    assert len(folded.text) == len(folded.base)
    analysed = analyse(text)
    for sentence in analysed.sentences:
        analysed.scope((sentence.start, sentence.end))
    assert Reading(text).latin is not None


@settings(deadline=None, max_examples=150)
@given(texts, texts)
def test_any_two_texts_are_compared(claim: str, material: str) -> None:
    for finding in compare_texts(claim, [material, claim]):
        assert 0 <= finding.value.start < finding.value.end <= len(claim)


@pytest.mark.parametrize("mark", ["β̂ 값입니다", "你̈好，结果是3", "3̶ 이다", "이것은 \u0302 입니다"])
def test_a_mark_without_a_letter_is_no_word(mark: str) -> None:
    assert all(Reading(mark).units)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["12 ", "3年", "제1조 ", "not ", "half an hour ", "9点", "1:", "10 a.m. to ", "(", "2024-"]
)
def test_the_time_of_reading_grows_with_the_text(piece: str) -> None:
    assert processor_growth(lambda size: read_values(piece * (size // len(piece))), 5_000, 40_000) < SQUARE
