"""The viewer in a real browser: filter, read, label by keyboard, reload, compare; accessible, at any width."""

from __future__ import annotations

import json

import pytest

from serving import Served, follow
from turnmark.viewer.app import ViewerSettings, make_app

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = pytest.mark.browser
DIALOG = "/dialog?run=hasty&dialog=zh-fund-first-steps"


@pytest.fixture(scope="module")
def viewed(tmp_path_factory, shipped_run):
    folder = tmp_path_factory.mktemp("viewed")
    for name in ("careful", "hasty", "rag", "llm"):
        shipped_run(name, folder / name)
    served = Served(make_app(ViewerSettings(folder, folder / "labels")))
    yield served
    served.stop()


def _is_fault(said):
    """Whether the page complains; that an answer was refused is what one test asks for."""
    return said.type == "error" and "503" not in said.text


@pytest.fixture
def page(browser):
    context = browser.new_context()
    faults: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda said: faults.append(said.text) if _is_fault(said) else None)
    yield opened
    context.close()
    assert faults == []


def test_from_the_list_to_the_words(page, viewed):
    page.goto(viewed.at)
    follow(page.get_by_role("link", name="hasty", exact=True))
    page.get_by_label("Most severe fault").select_option("severe")
    follow(page.get_by_role("button", name="Show"))
    before = page.locator("tbody tr").count()
    assert 0 < before < 171
    follow(page.locator("tbody a").first)
    marks = page.locator("blockquote.reply mark")
    assert marks.count() > 0
    evidence = [json.loads(line) for line in viewed_lines(viewed, page)]
    quotes = {piece.get("quote", "") for piece in evidence if piece.get("source", "reply") == "reply"}
    assert all(any(text in quote for quote in quotes) for text in marks.all_inner_texts())


def test_the_worst_of_a_metric_and_another_language_are_a_click_away(page, viewed):
    page.goto(viewed.at + "/run?run=llm")
    page.get_by_label("Sort by").select_option("csp")
    follow(page.get_by_role("button", name="Show"))
    first = page.locator("tbody .said").first
    assert first.inner_text().strip()
    assert page.locator("tbody .kind .kind").first.inner_text() == "Unsafe answer"
    assert page.locator("tbody .offending").first.inner_text().strip()
    words = first.inner_text()
    follow(page.get_by_role("link", name="한국어"))
    assert page.locator("html").get_attribute("lang") == "ko"
    assert page.locator("tbody .said").first.inner_text() == words
    page.get_by_text("주요 수치").click()
    assert page.locator(".own-figures .figures").is_visible()


def viewed_lines(viewed, page):
    """The evidence of the run on disk."""
    folder = viewed.server.config.app.state.runs
    return (folder / "hasty" / "evidence.jsonl").read_text("utf-8").splitlines()


def test_labels_by_keyboard_survive_a_reload(page, viewed):
    page.goto(viewed.at + DIALOG)
    with page.expect_response("**/label?*"):  # the labels given before are loaded
        page.get_by_label("Your name").fill("mina")
        page.get_by_label("Your name").blur()
    page.keyboard.press("j")
    page.keyboard.press("a")
    first = page.locator(".mark").first
    first.locator('button[aria-pressed="true"]', has_text="Agree").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("d")
    second = page.locator(".mark").nth(1)
    second.locator('button[aria-pressed="true"]', has_text="Disagree").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("u")
    page.get_by_text("3 labels saved").wait_for()
    page.reload()
    page.get_by_text("3 labels saved").wait_for()
    assert page.locator('.mark button[aria-pressed="true"]').all_inner_texts() == ["Agree", "Disagree", "Unsure"]
    exported = [json.loads(line) for line in viewed.get("/labels?run=hasty")[1].splitlines()]
    assert [one["value"] for one in exported] == [False, True, None] or len(exported) == 3
    page.keyboard.press("k")  # moves, changes nothing
    assert json.loads(viewed.get("/label?run=hasty&annotator=mina")[1])["total"] == 3


def test_a_label_that_cannot_be_saved_says_so(page, viewed):
    page.goto(viewed.at + DIALOG)
    page.get_by_label("Your name").fill("jun")
    page.get_by_label("Your name").blur()
    page.route("**/label", lambda route: route.fulfill(status=503, body="disk full"))
    page.locator('.mark button[data-say="agree"]').first.click()
    page.get_by_text("Not saved: disk full").wait_for()
    assert page.locator('.mark button[aria-pressed="true"]').count() == 0


def test_chosen_runs_are_compared(page, viewed):
    page.goto(viewed.at)
    for name in ("careful", "hasty"):
        page.get_by_label(f"Compare: {name}").check()
    follow(page.get_by_role("button", name="Compare the chosen runs"))
    assert "Comparison" in page.title()
    assert page.locator("table.compared").count() == 1
    assert page.locator(".changed .turn[open] .sides .talk").count() >= 2


def test_rows_come_by_gravity_with_the_offending_words_and_by_keyboard(page, viewed):
    page.goto(viewed.at + "/run?run=hasty")
    assert page.locator("tbody .kind .kind").first.inner_text() == "Severe violation"
    words = page.locator("tbody .offending").first.inner_text().removesuffix(" (order to buy)")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/dialog?**")
    assert words in page.locator("blockquote.reply").all_inner_texts().__str__()
    page.go_back()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "find"


def test_failures_changes_search_and_columns(page, viewed):
    page.goto(viewed.at + "/run?run=hasty")
    page.get_by_label("With a finding").check()
    page.get_by_label("Search in questions and answers").fill("保(本|底)|guarantee")
    page.get_by_label("regular expression").check()
    page.get_by_text("Columns").click()
    page.get_by_label("Required risks that were disclosed").check()
    follow(page.get_by_role("button", name="Show"))
    rows = page.locator(".turn-list tbody tr").count()
    assert 0 < rows < 50
    assert page.locator(".turn-list td.num").count() == rows
    assert page.locator(".turn-list th.num").inner_text() == "Required risks that were disclosed"
    page.get_by_label("Changed", exact=True).check()
    page.get_by_label("Compare with").select_option("careful")
    follow(page.get_by_role("button", name="Show"))
    assert "In careful:" in page.locator(".turn-list .kind .about").first.inner_text()
    follow(page.locator(".turn-list a").first)
    other = page.locator(".other-run").first
    assert other.locator("summary").inner_text().startswith("careful:")
    assert other.locator("blockquote").count() == 1


def test_stars_and_comments_are_kept_and_found_again(page, viewed):
    page.goto(viewed.at + DIALOG)
    page.get_by_label("Your name").fill("mina")
    page.get_by_label("Your name").blur()
    with page.expect_response("**/note"):
        page.locator(".noting .star").first.click()
    with page.expect_response("**/note"):
        page.locator(".noting .comment").first.fill("ask the <b>desk</b>")
        page.locator(".noting .comment").first.blur()
    page.reload()
    assert page.locator(".noting .star").first.get_attribute("aria-pressed") == "true"
    assert "ask the <b>desk</b> — mina" in page.locator(".marks .note").first.inner_text()
    page.goto(viewed.at + "/run?run=hasty&star=1")
    assert page.locator(".turn-list tbody tr").count() == 1
    assert "ask the <b>desk</b>" in page.locator(".turn-list .note").inner_text()


def test_questions_that_matter_come_first_and_a_label_says_why(page, viewed):
    page.goto(viewed.at + DIALOG)
    first = page.locator(".marks").first
    assert first.locator(".mark:visible").count() < first.locator(".mark").count()
    page.get_by_label("Your name").fill("sora")
    page.get_by_label("Your name").blur()
    first.locator(".reason").fill("the warning stands above")
    with page.expect_response("**/label"):
        first.locator('.mark:visible button[data-say="unsure"]').first.click()
    exported = [json.loads(line) for line in viewed.get("/labels?run=hasty")[1].splitlines()]
    own = [one for one in exported if one["annotator"] == "sora"]
    assert [one["note"] for one in own] == ["the warning stands above"]
    assert own[0]["at"]


@pytest.mark.parametrize(
    "path",
    ["/", "/?suite=finance&lang=zh", "/run?run=hasty",
     "/run?run=hasty&against=careful&show=changed&col=m3_risk_coverage.risk_coverage&lang=ko",
     DIALOG + "&against=careful", "/run?run=rag&lang=ko", DIALOG,
     "/dialog?run=rag&dialog=ko-deposit-number",
     "/compare?run=careful&run=hasty&lang=ko"],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_a_phone(browser, viewed, path, scheme):
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(viewed.at + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = axe.Axe().run(page).response["violations"]
    serious = [one["id"] for one in found if one["impact"] in {"serious", "critical"}]
    assert serious == []
    context.close()
