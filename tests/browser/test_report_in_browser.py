from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import report_small_run as small_run

from serving import follow
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.pages.run import render_html
from turnmark.report.view.control_characters import visible
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.turn_eval import REPLY_STATES

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
    assert page.locator("img, textarea, iframe, object, svg[onload]").count() == 0
    assert page.locator("script").count() == 1
    replies = page.locator("blockquote.reply").evaluate_all("found => found.map(one => one.textContent)")
    assert visible(small_run.HOSTILE_REPLY) in replies
    users = page.locator("blockquote.user").evaluate_all("found => found.map(one => one.textContent)")
    assert small_run.HOSTILE_USER in users


def test_the_marked_words_are_the_right_ones(opened: Opened) -> None:
    turn = opened.page.locator("details.turn.k-severe").first
    assert turn.locator("mark.m-m4_compliance").all_text_contents() == [small_run.SEVERE_WORDS]
    assert turn.locator("mark.m-m1_context_continuity").all_text_contents() == ["20%"]
    assert "literal" in turn.locator("mark.m-m4_compliance").get_attribute("title")


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


def test_search_finds_words_in_the_turns_and_works_with_the_filter(opened: Opened) -> None:
    page = opened.page
    every = page.locator("details.turn").count()
    field = page.get_by_label("Search these turns")
    field.fill("稳赚不赔")
    assert page.locator("details.turn:visible").count() == 1
    assert page.locator(".search output").inner_text() == f"1 of {every} turns"
    page.locator("#show-reply_state").check()
    assert page.locator("details.turn:visible").count() == 0
    page.locator("#show-all").check()
    field.fill("ＶＯＬＡＴＩＬＩＴＹ_risk")
    assert page.locator("details.turn:visible").count() >= 1
    field.fill("<script>document.title")
    assert page.locator("details.turn:visible").count() == 1
    field.fill("")
    assert page.locator("details.turn:visible").count() == every
    assert opened.said == []


def test_without_script_only_the_search_is_gone(browser: Any, report_page: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report_page.as_uri())
    assert not page.locator("#search").is_visible()
    page.locator("#show-severe").check(force=True)
    assert page.locator("details.turn:visible").count() == 1
    context.close()


def test_a_dialogue_is_opened_at_its_turn_and_left_again(opened: Opened, report_page: Path) -> None:
    page = opened.page
    follow(page.locator("details.turn.k-severe").first.get_by_role("link", name="Read the whole dialogue"))
    assert page.url.endswith("report/dialog-0001.html#turn-2")
    assert page.locator("details.turn").count() == 3
    turn = page.locator("#turn-2")
    assert turn.evaluate("one => one.getBoundingClientRect().top") < page.viewport_size["height"]
    assert turn.locator("mark.m-m4_compliance").all_text_contents() == [small_run.SEVERE_WORDS]
    assert "first published runs" in turn.locator(".rules").inner_text()
    assert "it warns" in turn.locator(".overrides").inner_text()
    width, inner = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= inner
    page.get_by_label("Search these turns").fill("再想想")
    assert page.locator("details.turn:visible").count() == 1
    page.get_by_role("link", name="Next dialogue").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/dialog-0002.html")
    follow(page.get_by_role("link", name="Back to the report").first)
    assert page.url == report_page.as_uri()
    assert opened.said == []
    assert all(url.startswith("file:") for url in opened.asked)


def test_overrides_stand_beside_the_raw_mark(opened: Opened) -> None:
    shown = opened.page.locator("section:has(> #overrides) .overrides li").first.inner_text()
    assert "severe_violation" in shown
    assert "minor_violation" in shown
    assert "<img src=x onerror=alert(1)>" in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("much", [False, True], ids=["plain", "much"])
def test_printing_gives_the_sign_off_sheet_on_one_page(
    browser: Any, report_page: Path, tmp_path: Path, language: str, much: bool
) -> None:
    data = gather(report_page.parent)
    if much:
        data = data._replace(summary=overflowing(data.summary))
    path = tmp_path / "report.html"
    path.write_text(render_html(data, texts_of(language)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 695, "height": 1031})  # A4 less the margins, at 96 pixels an inch
    page.goto(path.as_uri())
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1
    page.emulate_media(media="print")
    whole, seen = page.locator(".sheet").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert whole <= seen, "nothing is cut off"
    assert page.locator("main").is_hidden()
    assert page.locator(".signoff").get_by_text(texts_of(language)["sign_signature"], exact=True).is_visible()
    page.emulate_media(media="screen")
    assert page.locator(".signoff").is_hidden()
    page.locator("#show-signoff").check()
    assert page.locator(".signoff").is_visible()
    page.locator("#print-all").check()
    assert pages_of(page.pdf(prefer_css_page_size=True)) > 2
    page.close()


def overflowing(summary: EvalSummary) -> EvalSummary:
    """The summary with as much of everything as the sheet may have to show."""
    packs = {f"finance.something-{place}.zh@1.0.0": "ab" * 8 for place in range(40)}
    assert summary.signature is not None
    return msgspec.structs.replace(
        summary,
        model_name="model " * 40,
        dataset_path="folder/" * 40,
        signature=msgspec.structs.replace(summary.signature, packs=packs),
        reply_states=dict.fromkeys(REPLY_STATES, 123_456),
        flags=["abnormal_replies", *("flag " * 200 for _ in range(9))],
    )


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


def test_a_metric_leads_to_its_worst_turn_and_opens_it(browser: Any, report_page: Path) -> None:
    page = browser.new_page()
    page.goto(report_page.as_uri())
    page.click('a[href="#worst-m4_compliance"]')
    assert page.evaluate("document.querySelector(':target').id") == "worst-m4_compliance"
    page.click("#worst-m3_risk_coverage a")
    target = page.evaluate("document.querySelector(':target').id")
    assert page.locator(f"#{target}").is_visible()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_fault_on_the_report(browser: Any, report_page: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    # The page forbids scripts of others; the checker is one.
    page = browser.new_context(bypass_csp=True, color_scheme=scheme).new_page()
    page.goto(report_page.as_uri())
    page.evaluate(OPEN_ALL)
    found = axe.Axe().run(page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    page.close()
    assert serious == []
