"""A reviewer overrides a mark in a real browser."""

import datetime as dt

import pytest

from serving import overrides_in

pytestmark = pytest.mark.browser
DIALOG = "zh-fund-first-steps"


def test_a_reviewer_writes_one_in_a_browser(browser, served_hasty, hasty_run):
    context = browser.new_context(timezone_id="Asia/Seoul")
    page = context.new_page()
    page.goto(f"{served_hasty.at}/dialog?run=hasty&dialog={DIALOG}&lang=ko")
    form = page.locator(".marks").first
    form.locator(".overriding summary").click()
    save = form.get_by_role("button", name="바로잡음 쓰기")
    save.click()
    assert page.evaluate("document.activeElement.id") == "annotator"
    page.locator("#annotator").fill("이준")
    save.click()
    assert not (hasty_run / "overrides.jsonl").exists()
    form.locator(".override-reason").fill('그 말은 "경고"가 아닙니다.')
    chosen = form.locator(".override-mark option").first
    form.locator(".override-mark").select_option(index=0)
    save.click()
    form.get_by_text("overrides.jsonl에 썼습니다").wait_for()
    (one,) = overrides_in(hasty_run)
    assert one["reason"] == '그 말은 "경고"가 아닙니다.'
    assert (one["reviewer"], one["metric"]) == ("이준", chosen.get_attribute("data-metric"))
    seoul = dt.datetime.now(dt.timezone(dt.timedelta(hours=9))).date()
    assert abs((dt.date.fromisoformat(one["date"]) - seoul).days) <= 1
    page.reload()
    page.get_by_text('그 말은 "경고"가 아닙니다.').first.wait_for()
    context.close()
