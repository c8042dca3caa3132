"""Anchors: which patterns have a literal in which sentence, against a plain search."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.anchors import Anchors, places

LITERALS = st.lists(st.text("风险甲乙", min_size=1, max_size=3), min_size=1, max_size=4)


def test_patterns_are_numbered_in_the_order_in_which_they_are_added() -> None:
    anchors = Anchors()
    assert anchors.add([["风险"], ["收益", "回报"]]) == range(2)
    assert anchors.find("收益和风险", [0]) == [(0, 1), (1, 1)]
    assert anchors.add([["回报"]]) == range(2, 3)
    assert anchors.find("没有回报。风险自担", [0, 5]) == [(0, 0b10), (1, 0b01), (2, 0b01)]


def test_no_patterns_and_no_sentences() -> None:
    anchors = Anchors()
    assert anchors.find("风险", [0]) == []
    anchors.add([["风险"]])
    assert anchors.find("风险", []) == [(0, 1)]


def test_what_stands_before_the_first_sentence_belongs_to_it() -> None:
    anchors = Anchors()
    anchors.add([["风险"]])
    assert anchors.find("风险,风险", [3]) == [(0, 1)]


@given(st.lists(LITERALS, min_size=1, max_size=5), st.lists(st.text("风险甲乙丙", max_size=8), min_size=1, max_size=90))
def test_agrees_with_a_plain_search(patterns: list[list[str]], sentences: list[str]) -> None:
    anchors = Anchors()
    anchors.add(patterns)
    starts, position = [], 0
    for sentence in sentences:
        starts.append(position)
        position += len(sentence) + 1
    found = {
        pattern: [number for number, sentence in enumerate(sentences) if any(word in sentence for word in literals)]
        for pattern, literals in enumerate(patterns)
    }
    expected = [(pattern, numbers) for pattern, numbers in found.items() if numbers]
    assert [(pattern, list(places(bits))) for pattern, bits in anchors.find("。".join(sentences), starts)] == expected
