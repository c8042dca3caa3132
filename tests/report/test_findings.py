from __future__ import annotations

import re

import pytest
import report_small_run as small_run

from turnmark.locale.texts import ENGLISH, LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.pages.run import render_html
from turnmark.report.view.findings import LONGEST_QUOTE, MOST_QUOTES, counts, worst_quotes
from turnmark.report.view.turn import turn_page


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
    pages = [turn_page(view, ENGLISH, {}) for view in data.worst]
    quotes = worst_quotes(pages)
    assert len(quotes) <= MOST_QUOTES
    first = quotes[0]
    assert (first.kind, first.quote, first.dialog_id, first.turn_pair_id) == (
        "severe",
        small_run.SEVERE_WORDS,
        "d-chinese",
        2,
    )
    assert pages[first.place - 1].view.dialog_id == "d-chinese"


def test_nothing_found_has_neither_counts_nor_quotes(data):
    assert counts(data._replace(worst=(), turns=None)) == []
    assert worst_quotes([]) == []


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


def test_a_long_quote_is_cut(data):
    page = turn_page(data.worst[0], ENGLISH, {})
    reason = page.reasons[0]._replace(kind="severe", details=("保" * (LONGEST_QUOTE + 1),))
    quote = worst_quotes([page._replace(reasons=(reason,))])[0].quote
    assert quote == "保" * (LONGEST_QUOTE - 1) + "…"


def test_the_same_words_again_come_after_others_of_their_kind(data):
    page = turn_page(data.worst[0], ENGLISH, {})
    reason = page.reasons[0]._replace(kind="severe")
    pages = [page._replace(reasons=(reason._replace(details=(words,)),)) for words in ("保本", "保本", "稳赚")]
    assert [one.quote for one in worst_quotes(pages)] == ["保本", "稳赚", "保本"]
    assert [one.place for one in worst_quotes(pages)] == [1, 3, 2]
