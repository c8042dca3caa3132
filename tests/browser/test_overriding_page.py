"""A reviewer overrides a mark in a real browser."""

import datetime as dt
import json

import pytest

from serving import Served
from turnmark.viewer.app import ViewerSettings, make_app

pytestmark = pytest.mark.browser
DIALOG = "zh-fund-first-steps"


@pytest.fixture
def folder(tmp_path, shipped_run):
    shipped_run("hasty", tmp_path / "runs" / "hasty")
    return tmp_path / "runs" / "hasty"


@pytest.fixture
def served(folder, tmp_path):
    served = Served(make_app(ViewerSettings(folder.parent, tmp_path / "labels")))
    yield served
    served.stop()


def written(folder):
    return [json.loads(line) for line in (folder / "overrides.jsonl").read_text("utf-8").splitlines()]


def test_a_reviewer_writes_one_in_a_browser(browser, served, folder):
    context = browser.new_context(timezone_id="Asia/Seoul")
    page = context.new_page()
    page.goto(f"{served.at}/dialog?run=hasty&dialog={DIALOG}&lang=ko")
    form = page.locator(".marks").first
    form.locator(".overriding summary").click()
    save = form.get_by_role("button", name="바로잡음 쓰기")
    save.click()
    assert page.evaluate("document.activeElement.id") == "annotator"
    page.locator("#annotator").fill("이준")
    save.click()
    assert not (folder / "overrides.jsonl").exists()
    form.locator(".override-reason").fill('그 말은 "경고"가 아닙니다.')
    chosen = form.locator(".override-mark option").first
    form.locator(".override-mark").select_option(index=0)
    save.click()
    form.get_by_text("overrides.jsonl에 썼습니다").wait_for()
    (one,) = written(folder)
    assert one["reason"] == '그 말은 "경고"가 아닙니다.'
    assert (one["reviewer"], one["metric"]) == ("이준", chosen.get_attribute("data-metric"))
    seoul = dt.datetime.now(dt.timezone(dt.timedelta(hours=9))).date()
    assert abs((dt.date.fromisoformat(one["date"]) - seoul).days) <= 1
    page.reload()
    page.get_by_text('그 말은 "경고"가 아닙니다.').first.wait_for()
    context.close()
