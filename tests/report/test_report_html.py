from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
import report_golden as golden
import report_small_run as small_run

from turnmark.locale.texts import ENGLISH, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.charts.svg import whisker
from turnmark.report.pages.run import render_html
from turnmark.report.view.control_characters import visible
from turnmark.report.view.data import ReportData
from turnmark.report.view.quoted.highlight import METRICS
from turnmark.report.view.tables import Figure, MeasureRow
from turnmark.schemas.marks import FAULT_KINDS
from turnmark.schemas.results.summary import EvalSummary, MetricResult
from turnmark.schemas.turn_eval import REPLY_STATES

VOID = {"meta", "input", "br", "wbr"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "main", "nav", "section", "footer", "aside",
    "h1", "h2", "h3", "h4", "p", "dl", "div", "dt", "dd", "bdi", "ul", "li", "span", "b", "table", "thead", "tbody",
    "tr", "th", "td", "caption", "code", "details", "summary", "fieldset", "legend", "label", "input", "blockquote",
    "mark", "q", "br", "wbr", "svg", "line", "circle", "path", "rect", "text", "desc", "script", "output", "time",
}  # fmt: skip


class Page(HTMLParser):
    """Tags, attributes, headings and the texts of the replies of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.replies: list[str] = []
        self.users: list[str] = []
        self._stack: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self._stack == [], "a tag was left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        name = dict(attrs).get("class") or ""
        if tag not in VOID:
            self._stack.append((tag, name))
        if (tag, name) == ("blockquote", "reply"):
            self.replies.append("")
        if (tag, name) == ("blockquote", "user"):
            self.users.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if ("blockquote", "reply") in self._stack:
            self.replies[-1] += data
        if ("blockquote", "user") in self._stack:
            self.users[-1] += data


@pytest.fixture(scope="module")
def data(scored: Path) -> ReportData:
    found = gather(scored)
    return found._replace(summary=golden.timeless(found.summary))


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return render_html(data)


def test_the_small_run_is_rendered_as_it_was(data: ReportData, page: str) -> None:
    golden.check(
        "report.html", re.sub("(<style>.*</style>|<script>.*</script>|sha256-[^&]*)", "", page, flags=re.DOTALL)
    )
    assert page == render_html(data)


def test_hostile_texts_stay_text(page: str) -> None:
    parsed = Page(page)
    assert set(parsed.tags) <= ALLOWED
    assert not [name for name, _ in parsed.attributes if name.startswith("on") or name in ("style", "src", "srcdoc")]
    hrefs = {str(value) for name, value in parsed.attributes if name == "href"}
    assert "#figures" in hrefs
    assert hrefs <= {f"#{value}" for name, value in parsed.attributes if name == "id"}
    assert parsed.tags.count("script") == 1
    assert visible(small_run.HOSTILE_REPLY) in parsed.replies
    assert visible(small_run.HOSTILE_USER) in parsed.users
    assert "{{7*7}}" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)


def test_replies_are_whole(data: ReportData, page: str) -> None:
    replies = [visible(view.reply) for view in data.worst if view.reply]
    assert Page(page).replies == replies


def test_the_page_asks_for_nothing_and_allows_only_its_own_style(page: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy_text = policy[1].replace("&#39;", "'")
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    code = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert policy_text == (
        f"default-src 'none'; style-src 'sha256-{digest}'; script-src 'sha256-{code}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"eval|innerHTML|Function|fetch|XMLHttp|import", script[1])
    assert not re.search(r"url\(|@import|https?://", page)


def test_headings_skip_no_level(page: str) -> None:
    levels = Page(page).headings
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_texts_say_their_language(page: str) -> None:
    assert '<html lang="en">' in page
    assert re.search(r'<blockquote class="reply" lang="zh"[^>]*>.*保本保收益', page)
    assert re.search(r'<blockquote class="user" lang="ko"[^>]*>그 상품', page)


def test_the_reply_shows_its_evidence_and_the_rule(page: str) -> None:
    assert re.search(
        r'<mark class="m-m4_compliance m-wrong" title="Compliance: [^"]+literal[^"]*"[^>]*>保本保收益</mark>', page
    )


def test_what_was_required_is_set_against_what_was_found(page: str) -> None:
    assert "not in memory" in page
    assert "found in short-term window" in page
    assert re.search(
        r'<li class="miss"><span class="sign">missed</span> <span lang="en">returns are not guaranteed', page
    )
    assert re.search(r'<li class="hit"><span class="sign">found</span> <span lang="en">risk of price swings', page)


def test_every_kind_state_and_metric_has_its_word_and_its_look(page: str) -> None:
    for kind in FAULT_KINDS:
        assert f"kind_{kind}" in ENGLISH
        assert f".turns:has(#show-{kind}:checked) .turn:not(.k-{kind})" in page
    for state in REPLY_STATES:
        assert f"state_{state}" in ENGLISH
        assert f".state-{state}" in page
    for metric in METRICS:
        assert f"legend_{metric}" in ENGLISH or f"metric_{metric}" in texts_of("en")
        assert re.search(rf"\.m-{metric}\.m-{metric}[ ,]", page)


def test_a_failed_turn_says_so_and_misses_nothing(page: str) -> None:
    failed = page.partition('<details class="turn k-failed')[2].partition("</details>")[0]
    assert "not counted" in failed
    assert 'class="miss"' not in failed
    assert "No reply was recorded." in page
    assert "no answer within 360 s" in page


def test_problems_of_the_input_are_listed(data: ReportData, page: str) -> None:
    assert data.problem_count >= 1
    assert "trace.jsonl:5" in page


def test_a_page_can_be_made_from_the_contract_alone() -> None:
    metrics = {
        "own": MetricResult(metric_name="own", micro={"a<b": 0.5, "big": 40.0}, macro={}, counts={}, by_dialog={})
    }
    summary = EvalSummary(run_id="r", trace_version="v1", dataset_path="d", metrics=metrics, counters={})
    page = render_html(ReportData(summary))
    assert "a&lt;b" in page
    assert "40.00" in page
    assert ENGLISH["no_worst"] in page
    assert set(Page(page).tags) <= ALLOWED


def test_a_turn_that_the_trace_lacks_is_shown_without_texts(data: ReportData) -> None:
    view = data.worst[0]._replace(user_text="", reply="", in_trace=False, evidence=())
    assert ENGLISH["not_in_trace"] in render_html(data._replace(worst=[view]))


def test_long_texts_are_cut_and_the_page_says_so(data: ReportData) -> None:
    view = data.worst[0]._replace(reply="长" * 20_007, evidence=())
    assert "7 more characters" in render_html(data._replace(worst=[view]))


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_contrast_is_enough_for_everybody(page: str, mode: str) -> None:
    """WCAG 2.2, 1.4.3 (AA): 4.5 for text, and 3 for drawings (1.4.11)."""
    light, dark = re.findall(r":root \{(.*?)\}", page, re.DOTALL)[:2]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light if mode == "light" else light + dark))
    marks = ("risk", "explain", "comply", "context", "profile", "state", "other")
    texts = [(ink, ground) for ink in ("ink", "quiet", "accent", "bad", "good") for ground in ("paper", "sheet")]
    texts += [("ink", mark) for mark in marks] + [("ink", "bad-sheet"), ("bad", "bad-sheet"), ("paper", "ink")]
    for ink, ground in texts:
        assert _contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for mark in marks:
        assert _contrast(colours[f"{mark}-line"], colours["sheet"]) >= 3, mark


def test_an_interval_is_drawn_on_its_own_scale() -> None:
    row = MeasureRow("x", 1.0, 5.0, True, Figure(2.0, (1.0, 5.0)), Figure(None), Figure(5.0))
    drawn = str(whisker(row))
    assert '<line class="range" x1="18" y1="11" x2="182" y2="11"/>' in drawn
    assert '<circle class="dot" cx="59"' in drawn
    assert '<path class="diamond" d="M182 ' in drawn
    same = row._replace(normal=Figure(2.0))
    assert "diamond" not in whisker(same)
    assert "dot" not in whisker(row._replace(overall=Figure(None)))
