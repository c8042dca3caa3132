from __future__ import annotations

import re

import msgspec
import pytest
import report_small_run as small_run
from hypothesis import given
from hypothesis import strategies as st

from turnmark.locale.texts import ENGLISH, LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.pages.run import render_html
from turnmark.report.view.counted import counting, nothing_line
from turnmark.report.view.data import Fault
from turnmark.report.view.findings import counts, found_lines
from turnmark.report.view.notices import small_line
from turnmark.report.view.quoted.quotes import MOST_QUOTES, worst_quotes
from turnmark.report.view.quoted.sentences import LONGEST, sentence_span, shown
from turnmark.schemas.evidence import Evidence


@pytest.fixture
def data(scored):
    return gather(scored)


def test_counts_are_of_all_dialogues_and_of_the_turns_shown_without_rows(data):
    assert sum(count for _, count in counts(data)) == len({view.dialog_id for view in data.worst if view.reasons})
    assert counts(data) == counts(data._replace(pages=None, worst=()))
    shown = counts(data._replace(turns=None))
    assert shown[0] == ("severe", 1)
    assert sum(count for _, count in shown) == sum(bool(view.reasons) for view in data.worst)


def test_the_gravest_quote_leads_to_its_turn(data):
    quotes = worst_quotes(data.worst, ENGLISH)
    assert len(quotes) <= MOST_QUOTES
    first = quotes[0]
    marked = [piece.text for piece in first.pieces if piece.marked]
    assert (first.kind, marked, first.dialog_id, first.turn_pair_id) == (
        "severe",
        [small_run.SEVERE_WORDS],
        "d-chinese",
        2,
    )
    assert first.quote in data.worst[first.place - 1].reply


def test_nothing_found_has_neither_counts_nor_quotes(data):
    assert counts(data._replace(worst=(), turns=None)) == []
    assert worst_quotes([], ENGLISH) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_findings_then_doubts_then_turns_then_figures(data, language):
    page = render_html(data, texts_of(language, data.summary.suite))
    main = page[page.index("<main>") :]
    places = [main.index(f'id="{name}"') for name in ("found", "warning", "worst", "figures")]
    assert places == sorted(places)
    found = main[places[0] : places[1]]
    assert small_run.SEVERE_WORDS in found
    assert "d-chinese" in found


def test_the_sheet_says_the_finding_before_doubts_and_never_none(data):
    page = render_html(data, ENGLISH)
    sheet = page[page.index('class="signoff"') : page.index("<main>")]
    assert sheet.index(small_run.SEVERE_WORDS) < sheet.index("Doubts about the figures")
    assert not re.search(r"\bNone\b", sheet)


@pytest.fixture
def severe(data):
    """Makes a turn with severe breaches: of each the label, and the words of the reply."""
    view = data.worst[0]

    def made(dialog_id, turn, reply, *breaches):
        found = [
            Evidence(
                metric="m4_compliance", rule=f"finance.compliance.{label}.wording", label=label, polarity="severe",
                quote=words, start=reply.index(words), end=reply.index(words) + len(words),
            )
            for label, words in breaches
        ]  # fmt: skip
        return view._replace(
            dialog_id=dialog_id, turn_pair_id=turn, reply=reply, evidence=found, reasons=[Fault("severe")]
        )

    return made


def places(views):
    return [(one.dialog_id, one.turn_pair_id) for one in worst_quotes(views, ENGLISH)]


def test_other_dialogues_come_before_a_second_finding_of_the_same_rule(severe):
    views = [
        severe("zh", 1, "收益稳赚不赔。", ("zh.guarantee", "稳赚不赔")),
        severe("zh", 2, "也可以，保本。", ("zh.guarantee", "保本")),
        severe("ko", 1, "원금이 보장됩니다.", ("ko.guarantee", "원금이 보장")),
        severe("en", 1, "You cannot lose.", ("en.guarantee", "cannot lose")),
    ]
    assert places(views) == [("zh", 1), ("ko", 1), ("en", 1)]
    assert places(views[:2]) == [("zh", 1), ("zh", 2)]


def test_another_rule_comes_before_another_dialogue_and_the_dialogue_of_the_first_gives_way(severe):
    views = [
        severe("zh", 1, "收益稳赚不赔。", ("zh.guarantee", "稳赚不赔")),
        severe("zh", 2, "现在就买。", ("zh.order", "现在就买")),
        severe("ko", 1, "원금이 보장됩니다.", ("ko.guarantee", "원금이 보장")),
        severe("en", 1, "You cannot lose.", ("en.guarantee", "cannot lose")),
    ]
    assert places(views) == [("zh", 2), ("ko", 1), ("en", 1)]


def test_two_breaches_of_one_sentence_are_one_finding(severe):
    reply = "Fine. It is guaranteed, so buy now, and you cannot lose. Good luck."
    view = severe("en", 1, reply, ("guarantee", "guaranteed"), ("order", "buy now"), ("guarantee", "cannot lose"))
    (one,) = worst_quotes([view], ENGLISH)
    assert one.quote == "It is guaranteed, so buy now, and you cannot lose."
    assert [piece.text for piece in one.pieces if piece.marked] == ["guaranteed", "buy now", "cannot lose"]


def test_a_turn_without_words_for_its_fault_shows_names(severe):
    (one,) = worst_quotes([severe("en", 1, "x")._replace(reasons=[Fault("forbidden", ("guarantee",))])], ENGLISH)
    assert one.quote == ENGLISH["name_guarantee"]


@given(
    before=st.text(alphabet="ab ,，가나", max_size=400),
    words=st.text(alphabet="xy보本", min_size=1, max_size=40),
    after=st.text(alphabet="cd ,，다라", max_size=400),
)
def test_a_sentence_keeps_its_words_and_is_never_longer_than_it_may_be(before, words, after):
    text = before + words + after
    span = (len(before), len(before) + len(words))
    pieces = shown(text, (0, len(text)), [span])
    whole = "".join(piece.text for piece in pieces)
    assert [piece.text for piece in pieces if piece.marked] == [words]
    assert len(whole) <= max(LONGEST, 0)
    assert whole.strip("…") in text
    assert (whole == text) == (len(text) <= LONGEST)


def test_a_long_sentence_is_cut_between_words():
    text = "word " * 100 + "cannot lose " + "after " * 100
    start = text.index("cannot")
    whole = "".join(piece.text for piece in shown(text, (0, len(text)), [(start, start + 11)]))
    assert whole.startswith("…word")
    assert whole.endswith("after…")


def test_words_across_sentences_show_both():
    text = "One. Two is bad. So is three. Four."
    start, end = sentence_span(text, text.index("bad"), text.index("three"))
    assert text[start:end] == "Two is bad. So is three."


def test_the_figure_that_counts_a_finding_stands_beside_it(data):
    summary = data.summary
    (severe_one, *_) = counting(summary, ["severe"])
    assert (severe_one.code, severe_one.row.name) == ("M4", "severe_violation_rate")
    codes = {(one.code, one.row.name) for one in counting(summary, ["contradiction"])}
    assert codes <= {("M1", "contradiction_rate"), ("M1c", "constraint_breach_rate")}
    assert all(one.row.overall.value is not None for one in counting(summary, ["contradiction", "minor"]))
    lines = found_lines(dict(counts(data)), data.worst, summary, ENGLISH)
    assert any("M4 Turns with a severe violation" in line for line in lines)


def test_metrics_without_anything_to_count_are_told_in_one_line(data):
    nothing = {
        name: msgspec.structs.replace(result, denominators=dict.fromkeys(result.micro, 0.0))
        for name, result in data.summary.metrics.items()
    }
    empty = msgspec.structs.replace(data.summary, metrics=nothing)
    assert "M3 Risk coverage" in nothing_line(empty, ENGLISH)
    assert 'class="group"' not in render_html(data._replace(summary=empty, worst=()), ENGLISH)


def test_too_few_dialogues_for_an_interval_are_a_doubt(data):
    line = small_line(data.summary, ENGLISH)
    assert line.startswith("Only ")
    page = render_html(data, ENGLISH)
    assert line in page[page.index('class="signoff"') : page.index("<main>")]
    assert line in page[page.index("<main>") :]
    many = {**data.summary.counters, "valid_dialogs": 10}
    told = small_line(msgspec.structs.replace(data.summary, counters=many), ENGLISH)
    assert "fewer than 20 counted items" in told
