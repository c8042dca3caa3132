import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.analysis import analyse


def test_everything_about_one_text() -> None:
    text = "建议现金留20%。不要加杠杆，但可以看看债券。"
    analysis = analyse(text)
    assert analysis.language == "zh"
    assert [text[q.start : q.end] for q in analysis.quantities] == ["20%"]
    assert analysis.measures({"cash": ("现金",)}) == ["cash"]
    assert text[slice(*analysis.sentence_at(0)[:2])] == "建议现金留20%。"
    start = text.index("加杠杆")
    assert text[slice(*analysis.clause_at(start)[:2])] == "不要加杠杆，"
    assert analysis.scope((start, start + 3)).warned_against
    assert len(analysis.sentences) == 2


def test_language_can_be_given() -> None:
    assert analyse("OK", "ko").language == "ko"


@pytest.mark.parametrize(
    "piece",
    [
        "1/",
        "不",
        "(",
        "twenty ",
        "股票10%、",
        "|a",
        ". ",
        "1,111",
        "一二三",
        "万",
        "이 일 ",
        "**",
        "no not ",
        "…",
        "9",
        "百分之",
        "a\n",
        '"a\n',
    ],
)
def test_cost_grows_with_length_only(piece: str) -> None:
    # A square or cube of this length would take minutes.
    text = piece * (20_000 // len(piece))
    analysis = analyse(text)
    assert analysis.scope((len(text) // 2, len(text) // 2 + 2)) is not None
    assert len(analysis.measures({"equity": ("股票",)})) == len(analysis.quantities)


@given(st.text(max_size=60), st.data())
def test_any_span_of_any_text_has_a_scope(text: str, data: st.DataObject) -> None:
    analysis = analyse(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    scope = analysis.scope((start, end))
    assert scope.negation in ("", "near", "far", "double")
    assert not (scope.negated and scope.asserted)
    assert analysis.segments.clauses is not None
