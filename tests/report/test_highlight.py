from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from turnmark.report.view.control_characters import visible
from turnmark.report.view.quoted.highlight import highlighted, segments
from turnmark.schemas.evidence import Evidence

TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=60)


class _Marks(HTMLParser):
    """The text of a fragment, and for each mark where it stands in that text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.marks: list[tuple[str, str]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "mark"
        self._open.append(dict(attrs)["class"] or "")

    def handle_endtag(self, tag: str) -> None:
        assert tag == "mark"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open:
            self.marks.append((self._open[-1], data))


def read(markup: str) -> _Marks:
    parser = _Marks()
    parser.feed(str(markup))
    parser.close()
    assert not parser._open
    return parser


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(TEXTS.filter(bool))
    starts = st.integers(0, len(text) - 1)
    spans = [(start, draw(st.integers(start + 1, len(text)))) for start in draw(st.lists(starts, max_size=6))]
    return text, spans


def evidence(text: str, spans: list[tuple[int, int]], metric: str = "m3_risk_coverage") -> list[Evidence]:
    return [
        Evidence(
            metric=metric, rule=f"rule.{place}", label=f"label {place}", quote=text[start:end], start=start, end=end
        )
        for place, (start, end) in enumerate(spans)
    ]


@given(texts_with_spans())
def test_pieces_join_to_the_text_and_know_what_covers_them(case: tuple[str, list[tuple[int, int]]]) -> None:
    text, spans = case
    pieces = segments(text, spans)
    assert "".join(piece.text for piece in pieces) == text
    place = 0
    for piece in pieces:
        assert piece.start == place
        for _ in piece.text:
            assert piece.covering == tuple(n for n, (start, end) in enumerate(spans) if start <= place < end)
            place += 1


@given(texts_with_spans())
def test_the_page_shows_the_text_and_nothing_but_the_text(case: tuple[str, list[tuple[int, int]]]) -> None:
    text, spans = case
    shown = highlighted(text, evidence(text, spans))
    assert read(shown.markup).text == visible(text)
    assert not shown.elsewhere


@given(TEXTS)
def test_visible_leaves_nothing_that_acts_unseen(text: str) -> None:
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]", visible(text))


def test_overlapping_evidence_is_split_and_each_piece_names_all_its_rules() -> None:
    text = "保证收益百分之百"
    found = [
        Evidence(metric="m4_compliance", rule="r.a", polarity="severe", quote="保证收益", start=0, end=4),
        Evidence(metric="m3_risk_coverage", rule="r.b", quote="收益百分", start=2, end=6),
    ]
    shown = highlighted(text, found)
    marks = read(shown.markup)
    assert marks.marks == [
        ("m-m4_compliance m-wrong", "保证"),
        ("m-m3_risk_coverage m-m4_compliance m-many m-wrong", "收益"),
        ("m-m3_risk_coverage", "百分"),
    ]
    assert marks.text == text
    assert shown.markup.count('tabindex="0"') == 2
    assert "r.a" in shown.markup
    assert "r.b" in shown.markup
    assert shown.metrics == ("m4_compliance", "m3_risk_coverage")


def test_evidence_that_does_not_stand_where_it_says_is_not_marked() -> None:
    wrong = [
        Evidence(metric="m4_compliance", rule="r", quote="收益", start=0, end=2),
        Evidence(metric="m4_compliance", rule="r", quote="不", start=-1, end=1),
        Evidence(metric="m4_compliance", rule="r", quote="", start=1, end=1),
        Evidence(metric="m4_compliance", rule="r", quote="不保证收益。", start=0, end=99),
        Evidence(metric="m1_context_continuity", rule="r", quote="不保", start=0, end=2, source="user"),
    ]
    shown = highlighted("不保证收益", wrong)
    assert shown.markup == "不保证收益"
    assert shown.elsewhere == tuple(wrong)


def test_offsets_are_code_points_also_beyond_the_basic_plane() -> None:
    text = "😀𠮷波动风险"
    shown = highlighted(text, [Evidence(metric="m3_risk_coverage", rule="r", quote="波动", start=2, end=4)])
    assert read(shown.markup).marks == [("m-m3_risk_coverage", "波动")]


def test_a_metric_without_a_look_is_marked_as_other() -> None:
    shown = highlighted("abc", [Evidence(metric='new"><i>', rule="<b>", quote="b", start=1, end=2)])
    assert read(shown.markup).marks == [("m-other", "b")]
    assert shown.metrics == ("other",)
