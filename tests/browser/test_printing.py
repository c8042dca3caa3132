"""Whole reports on paper: no table and no teaser is cut, in any suite and language."""

import pytest

pytestmark = pytest.mark.browser
A4_WIDE = 688
"""Pixels between the margins of an A4 sheet."""


@pytest.mark.parametrize("language", ["en", "zh", "ko"])
@pytest.mark.parametrize("name", ["hasty", "rag"])
def test_a_whole_report_fits_the_sheet(browser, shipped_run, cli, tmp_path, name, language):
    shipped_run(name, tmp_path / "run")
    assert cli("report", tmp_path / "run", "--lang", language, "--no-pages").code == 0
    page = browser.new_page(viewport={"width": A4_WIDE, "height": 1000})
    page.goto((tmp_path / "run" / "report.html").as_uri())
    page.check("#print-all")
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= A4_WIDE
    cut = """() => [...document.querySelectorAll(".teaser, td, th")].filter((one) => one.getClientRects().length
        && getComputedStyle(one).overflow !== "visible" && one.scrollWidth > one.clientWidth + 1).length"""
    assert page.evaluate(cut) == 0
    assert page.evaluate("document.querySelectorAll('.turn').length") > 0
    page.close()
