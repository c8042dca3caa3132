"""Faults of input in the reader's language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.locale.texts import texts_of
from turnmark.report.view.problems import worded_problem
from turnmark.schemas.problems import Problem

TEXTS = st.text(min_size=1, max_size=30)


@given(TEXTS, TEXTS, TEXTS, st.integers(0, 9))
def test_in_english_a_fault_is_said_as_it_was_written(expected, found, advice, line):
    problem = Problem(file="a.jsonl", line=line, field="$.x", expected=expected, found=found, advice=advice)
    assert worded_problem(problem, texts_of("en")) == str(problem)


@pytest.mark.parametrize(
    ("problem", "ko", "zh"),
    [
        (Problem(file="a", line=2, field="$.question", expected="string or null", found="array of 1",
                 advice="write it as question or input"),
         "a:2: $.question: 필요한 것: 문자열 또는 null, 실제: 1개짜리 배열; question 또는 input(으)로 쓰세요",
         "a:2：$.question：应为文本或空值，实际为1 项的数组；可写作 question 或 input"),
        (Problem(file="a", expected="a value (the field is required)", found="no such field"),
         "a: $: 필요한 것: 값 (필수 필드), 실제: 그런 필드 없음", "a：$：应为一个值（该字段必填），实际为没有该字段"),
        (Problem(file="a", line=3, expected="3 cells, as in the header", found="4",
                 advice="quote cells that hold the delimiter"),
         "a:3: $: 필요한 것: 머리글과 같은 3칸, 실제: 4; 구분 기호가 든 칸은 따옴표로 묶으세요",
         "a:3：$：应为与表头相同的 3 个单元格，实际为4；含分隔符的单元格请加引号"),
        (Problem(file="a", line=1, field="$.제약", expected="read as limits of the user", severity="notice",
                 advice="replies are held to them"),
         "a:1: $.제약: 사용자의 한도로 읽음; 이에 따라 답변을 점검함", "a:1：$.제약：读作用户的限制；据此检查回复"),
    ],
)  # fmt: skip
def test_what_readers_say_is_worded(problem, ko, zh):
    assert worded_problem(problem, texts_of("ko")) == ko
    assert worded_problem(problem, texts_of("zh")) == zh


@pytest.mark.parametrize(
    "problem",
    [
        Problem(file="a", expected="the moon", found="string 'cheese'"),
        Problem(file="a", expected="each dialogue once", found="the dialogue that nobody words"),
        Problem(file="a", expected="each dialogue once", advice="left out; look at the moon"),
    ],
)
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_a_line_with_a_phrase_that_nobody_worded_is_english_as_a_whole(problem, language):
    assert worded_problem(problem, texts_of(language)) == str(problem)


def test_data_in_a_line_is_of_no_language():
    problem = Problem(file="a", expected="each dialogue once", found="string 'said in so many words'")
    assert worded_problem(problem, texts_of("zh")) != str(problem)
