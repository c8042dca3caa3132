"""The page of RAG cases in a real browser: verdicts by word and colour, filters, contents in view; accessible."""

from __future__ import annotations

import pytest

from turnmark.pipeline.publishing.report import ReportOptions, write_report

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory, shipped_run):
    folder = tmp_path_factory.mktemp("rag")
    shipped_run("rag", folder / "run")
    results = {}
    for language in ("en", "ko", "zh"):
        page = write_report(folder / "run", options=ReportOptions(language=language))[1]
        results[language] = folder / f"{language}.html"
        results[language].write_bytes(page.read_bytes())
    return results


def test_a_contradicted_claim_is_read_with_its_sentence_and_reason(browser, pages):
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.goto(pages["en"].as_uri())
    assert page.locator("#found").bounding_box()["y"] < 600
    quote = page.locator("main .worst-quotes li").first
    assert "↔" in quote.inner_text()
    assert quote.bounding_box()["y"] < 900, "the first offending sentence stands on the first screen"
    line = page.locator(".turn").first.locator(".claims li.v-contradicted").first
    assert line.locator(".verdict-of").inner_text() == "contradicted"
    assert "≠" in line.locator(".because").inner_text()
    assert line.locator(".deciding q").inner_text().strip()
    colours = {
        verdict: page.locator(f".verdict-of.v-{verdict}").first.evaluate("one => getComputedStyle(one).backgroundColor")
        for verdict in ("contradicted", "supported")
    }
    assert colours["contradicted"] != colours["supported"]
    reply, material = page.locator(".turn .talk").first.bounding_box(), page.locator(".materials").first.bounding_box()
    assert material["x"] >= reply["x"] + reply["width"], "contexts stand beside the answer"
    assert page.locator(".material mark.v-contradicted").count() >= 1
    page.close()


@pytest.mark.parametrize("kind", ["contradiction", "declined", "undecided", "irrelevant"])
def test_each_filter_leaves_its_own(browser, pages, kind):
    page = browser.new_page()
    page.goto(pages["en"].as_uri())
    everything = page.locator(".turn:visible").count()
    page.locator(f"#show-{kind}").check()
    left = page.locator(".turn:visible")
    assert 0 < left.count() < everything
    assert left.count() == page.locator(f".turn.k-{kind}").count()
    page.close()


def test_contents_stay_in_view(browser, pages):
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.goto(pages["en"].as_uri())
    page.locator('.contents a[href="#coverage"]').click()
    assert page.locator(".contents").bounding_box()["y"] == 0
    heading = page.locator("#coverage").bounding_box()
    assert heading["y"] >= page.locator(".contents").bounding_box()["height"]
    page.close()


@pytest.mark.parametrize("width", [390, 768, 1100, 1440])
@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ko", "dark"), ("zh", "light")])
def test_it_fits_and_is_accessible(browser, pages, width, language, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(pages[language].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []
    context.close()
