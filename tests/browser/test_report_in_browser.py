from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import report_small_run as small_run

from turnmark.report.highlight import visible

pytestmark = pytest.mark.browser

OPEN_ALL = "document.querySelectorAll('details').forEach(part => { part.open = true })"


class Opened:
    """A page with all that it said and asked for while it was open."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))
        page.goto(path.as_uri())
        page.evaluate(OPEN_ALL)


@pytest.fixture(params=[(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")], ids=lambda p: f"{p[0]}-{p[1]}")
def opened(request: pytest.FixtureRequest, browser: Any, report_page: Path) -> Iterator[Opened]:
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield Opened(page, report_page)
    page.close()


def test_the_page_is_silent_asks_for_nothing_and_does_not_scroll_sideways(opened: Opened, report_page: Path) -> None:
    width, inner = opened.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert opened.said == []
    assert opened.asked == [report_page.as_uri()]
    assert width <= inner


def test_the_page_follows_the_colour_scheme(browser: Any, report_page: Path) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(report_page.as_uri())
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.close()
    assert grounds == ["rgb(251, 250, 247)", "rgb(21, 22, 25)"]


def test_hostile_texts_stay_text(opened: Opened) -> None:
    page = opened.page
    assert page.title() == "Evaluation report: small-run"
    assert page.locator("script, img, textarea, iframe, object, svg[onload]").count() == 0
    replies = page.locator("blockquote.reply").evaluate_all("found => found.map(one => one.textContent)")
    assert visible(small_run.HOSTILE_REPLY) in replies
    users = page.locator("blockquote.user").evaluate_all("found => found.map(one => one.textContent)")
    assert small_run.HOSTILE_USER in users


def test_the_marked_words_are_the_right_ones(opened: Opened) -> None:
    turn = opened.page.locator("details.turn.k-severe").first
    assert turn.locator("mark.m-compliance").all_text_contents() == [small_run.SEVERE_WORDS]
    assert turn.locator("mark.m-context_continuity").all_text_contents() == ["20%"]
    assert "literal" in turn.locator("mark.m-compliance").get_attribute("title")


def test_the_filter_shows_one_kind_of_fault(opened: Opened) -> None:
    page = opened.page
    every = page.locator("details.turn:visible").count()
    page.locator("#show-severe").check()
    assert page.locator("details.turn:visible").count() == page.locator("details.turn.k-severe").count() == 1
    page.locator("#show-all").check()
    assert page.locator("details.turn:visible").count() == every > 1


def test_marks_are_reached_and_explained_by_keyboard(opened: Opened) -> None:
    page = opened.page
    page.locator("details.turn.k-severe summary").first.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "MARK"
    shown = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert "literal" in shown


def test_the_summary_prints_on_one_page(browser: Any, report_page: Path) -> None:
    page = browser.new_page(viewport={"width": 703, "height": 1031})  # A4 less the margins, at 96 pixels an inch
    page.goto(report_page.as_uri())
    page.emulate_media(media="print")
    end = page.evaluate("document.querySelector('table.figures').getBoundingClientRect().bottom + window.scrollY")
    page.close()
    assert end < 1031
