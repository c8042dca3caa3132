import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.matcher import Matcher, Pattern
from turnmark.language.text.fold import fold, fold_text


def found(matcher: Matcher[str], text: str) -> list[tuple[str, str]]:
    return [(text[hit.start : hit.end], hit.payload) for hit in matcher.find(text)]


def test_overlapping_literals_are_all_found() -> None:
    matcher = Matcher({"回撤": "a", "最大回撤": "b"})
    assert found(matcher, "最大回撤约8%") == [("最大回撤", "b"), ("回撤", "a")]


def test_offsets_are_code_points() -> None:
    assert [(hit.start, hit.end) for hit in Matcher({"保本": "x"}).find("😀😀保本")] == [(2, 4)]


def test_latin_literals_are_whole_words() -> None:
    matcher = Matcher({"ST": "st", "male": "m", "*ST": "star"})
    assert found(matcher, "first female") == []
    assert found(matcher, "买ST股票, a male.") == [("ST", "st"), ("male", "m")]
    assert found(matcher, "*st海创") == [("*st", "star"), ("st", "st")]


def test_literals_fold() -> None:
    matcher = Matcher({"软体ETF": "x"})
    assert found(matcher, "買軟體ＥＴＦ吧") == [("軟體ＥＴＦ", "x")]


def test_offsets_survive_removed_characters() -> None:
    assert found(Matcher({"保本": "x"}), "这款保\u200b本吗") == [("保\u200b本", "x")]


def test_several_payloads_of_one_literal() -> None:
    matcher = Matcher([("两融", "leverage"), ("两融", "margin")])
    assert {payload for _, payload in found(matcher, "做两融")} == {"leverage", "margin"}


def test_patterns_have_bounded_gaps() -> None:
    matcher = Matcher({}, [Pattern((("帮您", "替您"), ("下单", "操作")), (4,), "proxy")])
    assert found(matcher, "我替您在后台下单") == [("替您在后台下单", "proxy")]
    assert found(matcher, "我替您在后台慢慢地下单") == []
    assert found(matcher, "下单替您") == []
    assert found(matcher, "替您\n下单") == []


def test_pattern_of_three_steps() -> None:
    matcher = Matcher({"亏": "loss"}, [Pattern((("亏",), ("算",), ("我",)), (2, 1), "promise")])
    assert found(matcher, "亏了算我的") == [("亏", "loss"), ("亏了算我", "promise")]


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="is empty"):
        Matcher({" ": 1})
    with pytest.raises(ValueError, match="needs 1 gaps"):
        Matcher({}, [Pattern((("a",), ("b",)), (), 1)])
    assert Matcher[str]({}).find("任何") == []


@given(st.text(alphabet="aB保本不 st.", max_size=40))
def test_agrees_with_a_regular_expression(text: str) -> None:
    matcher = Matcher({"保本": "x", "不": "y", "st": "z"})
    expected = []
    for literal, payload in (("保本", "x"), ("不", "y"), ("(?<![a-z0-9])st(?![a-z0-9])", "z")):
        expected += [(match.start(), match.end(), payload) for match in re.finditer(literal, fold_text(text))]
    assert [tuple(hit) for hit in matcher.find(text)] == sorted(expected)


@given(st.text())
def test_any_text_is_searched(text: str) -> None:
    whole = text + "\udfff"
    for hit in Matcher({"a": 1, "保": 2}).find(whole):
        assert fold_text(whole[hit.start : hit.end]).strip() in ("a", "保")
        assert 0 <= hit.start < hit.end <= len(whole)


@pytest.mark.parametrize("text", ["피하세요. 바나나는 피하세요.", "ﬁne: 바나나는 피하세요."])
def test_a_span_of_a_text_is_searched_with_offsets_of_the_whole(text: str) -> None:
    matcher = Matcher({"바나나": 1, "피하": 2})
    folded = fold(text)
    start = text.index("바나나")
    spans = matcher.find_between(folded, start, len(text))
    assert [(text[hit.start : hit.end], hit.payload) for hit in spans] == [("바나나", 1), ("피하", 2)]
    assert matcher.find_between(folded, start + 1, start + 3) == []
