from __future__ import annotations

import json
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
import report_small_run as small_run

from turnmark.errors import UsageError
from turnmark.pipeline.publishing import report as reports
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.report.pages import run as html
from turnmark.report.view.control_characters import visible
from turnmark.runs.folder import EVIDENCE, REPORT_PAGES, TRACE, TURN_EVAL

PAGES = ReportOptions(pages=True)


@pytest.fixture
def run(scored, tmp_path):
    return Path(shutil.copytree(scored, tmp_path / "run"))


class Links(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.hrefs, self.ids, self.classes = [], [], []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 - the library's signature
        found = dict(attrs)
        self.hrefs += [found["href"]] if "href" in found else []
        self.ids += [found["id"]] if "id" in found else []
        self.classes += (found.get("class") or "").split()


def pages(run):
    return sorted(path.name for path in (run / REPORT_PAGES).iterdir())


def test_a_page_for_each_dialogue_with_something_to_see_and_every_link_leads_somewhere(run):
    _, main = write_report(run, options=PAGES)
    assert pages(run) == ["dialog-0001.html", "dialog-0002.html", "dialog-0003.html"]
    for page in (main, *(run / REPORT_PAGES).iterdir()):
        for href in Links(page).hrefs:
            path, _, fragment = href.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_relative_to(run)
            assert target.is_file()
            assert not fragment or fragment in Links(target).ids
    assert "../report.html" in Links(run / REPORT_PAGES / "dialog-0001.html").hrefs


def test_a_page_holds_all_turns_in_order_with_marks_and_the_source_of_the_rule(run):
    write_report(run, options=PAGES)
    page = run / REPORT_PAGES / "dialog-0001.html"
    assert [name for name in Links(page).ids if name.startswith("turn-")] == ["turn-1", "turn-2", "turn-3"]
    text = page.read_text("utf-8")
    assert f">{small_run.SEVERE_WORDS}</mark>" in text
    assert "vocabulary of the first published runs" in text
    hostile = (run / REPORT_PAGES / "dialog-0003.html").read_text("utf-8")
    assert "<img" not in hostile
    assert str(visible("&lt;script&gt;document.title")) in hostile


def test_pages_are_the_same_bytes_whoever_asks_and_go_when_they_are_not_asked_for(run):
    write_report(run)
    first = {path: path.read_bytes() for path in run.rglob("*.html")}
    write_report(run, options=PAGES)
    assert {path: path.read_bytes() for path in run.rglob("*.html")} == first
    (run / REPORT_PAGES / "dialog-9999.html").write_text("stale")
    (run / REPORT_PAGES / "notes.txt").write_text("somebody's own")
    write_report(run, options=PAGES)
    assert pages(run) == ["dialog-0001.html", "dialog-0002.html", "dialog-0003.html", "notes.txt"]
    write_report(run, options=ReportOptions(pages=False))
    assert pages(run) == ["notes.txt"]
    (run / REPORT_PAGES / "notes.txt").unlink()
    write_report(run, options=ReportOptions(pages=False))
    assert not (run / REPORT_PAGES).exists()


def test_big_runs_get_no_pages_unasked(run, monkeypatch):
    monkeypatch.setattr(reports, "PAGES_UP_TO", 5)
    _, main = write_report(run)
    assert not (run / REPORT_PAGES).exists()
    assert "report RUN --pages" in main.read_text("utf-8")


def test_files_in_another_order_give_the_same_pages(run):
    write_report(run, options=PAGES)
    first = {path.name: path.read_bytes() for path in (run / REPORT_PAGES).iterdir()}
    for name in (TRACE, EVIDENCE):
        lines = (run / name).read_bytes().splitlines(keepends=True)
        if name == EVIDENCE:
            kept = [line for line in lines if b'"d-korean"' in line]
            lines = [*(line for line in lines if line not in kept), *kept]
        else:
            lines.reverse()
        (run / name).write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    write_report(run, options=PAGES)
    assert {path.name: path.read_bytes() for path in (run / REPORT_PAGES).iterdir()} == first


def test_a_line_that_begins_with_another_id_is_found_and_a_missing_trace_is_said(run):
    path = run / TRACE
    lines = path.read_text("utf-8").splitlines()
    moved = [json.dumps({"origin": {"dialog_id": "d-korean"}, **json.loads(line)}) for line in lines]
    path.write_text("\n".join(moved), encoding="utf-8")
    write_report(run, options=PAGES)
    assert small_run.SEVERE_WORDS in (run / REPORT_PAGES / "dialog-0001.html").read_text("utf-8")
    path.unlink()
    (run / EVIDENCE).unlink()
    write_report(run, options=PAGES)
    assert "does not hold this turn" in (run / REPORT_PAGES / "dialog-0001.html").read_text("utf-8")


def test_damaged_rows_are_passed_over(run):
    rows = run / TURN_EVAL
    rows.write_bytes(b"\xff\n{\n" + rows.read_bytes() + b"\n[]\n")
    write_report(run, options=PAGES)
    assert len(pages(run)) == 3


def test_more_dialogues_than_the_main_page_lists_stand_in_an_index(run, monkeypatch):
    monkeypatch.setattr(html, "MOST_LINKS", 2)
    monkeypatch.setattr(reports, "MOST_LINKS", 2)
    _, main = write_report(run, options=PAGES)
    assert "report/index.html" in Links(main).hrefs
    index = Links(run / REPORT_PAGES / "index.html")
    assert {"dialog-0001.html", "dialog-0002.html", "dialog-0003.html", "../report.html"} == set(index.hrefs)


def test_a_language_that_there_is_not_is_refused(run):
    with pytest.raises(UsageError, match=r"--lang: expected one of \['en', 'ko', 'zh'\], found 'xx'"):
        write_report(run, options=ReportOptions(language="xx"))
