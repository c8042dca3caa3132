"""What an analysis reads a line at a time is what a reading of the whole text finds there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.analysis import analyse
from turnmark.language.quantity.quantity import quantities
from turnmark.language.scope.cues import CuesOfText, scope_lexicon
from turnmark.language.text.fold import fold

LINES = st.lists(
    st.sampled_from(
        [
            "回撤控制在10%以内", "- 股票三成,债券七成", "## 2. 期限", "", "| 现金 | 20%-30% |",
            "不建议追高,可能亏损15%", "If you can wait 3 years, keep 40% in bonds.", "약 5% 손실은 피하세요",
            "１年半以后再看", "没有数字的一行",
        ]
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip


@given(LINES)
def test_quantities_around_every_position_are_all_quantities(lines: list[str]) -> None:
    text = "\n".join(lines)
    analysis = analyse(text)
    assert list(analysis.quantities_around(((at, at) for at in range(len(text))), 0)) == quantities(text)


def test_quantities_are_those_of_the_line_and_of_the_lines_within_reach() -> None:
    text = "第一行 10%\n第二行 20%\n第三行 30%\n第四行 40%"
    at = text.index("30")
    for reach, found in ((1, [30.0]), (3, [30.0, 40.0]), (5, [20.0, 30.0, 40.0])):
        assert [quantity.low for quantity in analyse(text).quantities_around([(at, at + 2)], reach)] == found
    assert list(analyse(text).quantities_around([], 5)) == []


def test_offsets_are_those_of_the_original_text() -> None:
    text = "回\u200b撤\n不超过\u200b 10%"
    (quantity,) = analyse(text).quantities_around([(4, 5)], 9)
    assert text[quantity.start : quantity.end] == "10%"


@given(LINES)
def test_cues_of_lines_are_those_of_the_text(lines: list[str]) -> None:
    folded = fold("\n".join(lines))
    found = CuesOfText(scope_lexicon(), folded).within(0, len(folded.text))
    assert found == scope_lexicon().find(folded.text)


@pytest.mark.parametrize(("sign", "bits"), [("[0-9]", 0b101), ("风险", 0b010), ("没有", 0)])
def test_sentences_with_a_sign(sign: str, bits: int) -> None:
    analysis = analyse("先买3只。注意风险。再看5天。")
    assert analysis.sentences_with(re.compile(sign)) == bits
