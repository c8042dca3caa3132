"""What no rule could decide stands on every face of a run: which claims, of how many, and what figures could be."""

from __future__ import annotations

import re

import pytest

from building import write_lines
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.metrics.rag import faithfulness
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.publishing.report import ReportOptions, gather, write_report
from turnmark.pipeline.publishing.run_turns import run_faults
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.comparison import (
    basis,
    render_comparison_html,
    render_comparison_markdown,
    worded_change,
)
from turnmark.report.view.coverage import coverage
from turnmark.report.view.findings import found_lines
from turnmark.report.view.number_format import decided_of
from turnmark.report.view.tables import main_blocks
from turnmark.report.view.undecided import open_turns
from turnmark.runs.folder import read_summary

MONTHS = "The warranty covers the appliance for 24 months from the date of purchase."
PHONE = "持卡人可通过手机银行或拨打客服热线办理挂失，挂失即时生效。"
DAYS = "商品签收后7天内可无理由退货，定制商品除外。"
CASES = (
    ("right", "en", "What does the card cost?", "The card costs 20 dollars a year.", "It costs 20 dollars a year."),
    ("wrong", "en", "How long is the warranty?", MONTHS, "The warranty lasts 12 months from the date of purchase."),
    ("open-zh", "zh", "如何挂失银行卡？", PHONE, "丢了卡可以在应用里处理，也能打电话，马上就管用。"),
    ("open-days", "zh", "退货期限是几天？", DAYS, "签收后7天内可无理由退货。"),
)
PARAPHRASED = {"wrong": "The appliance is protected for a couple of years after you buy it."}


def scored(folder, name, answers=None, cases=CASES):
    lines = [
        {"id": own, "lang": lang, "question": question, "retrieved_contexts": [context],
         "answer": (answers or {}).get(own, answer)}
        for own, lang, question, context, answer in cases
    ]  # fmt: skip
    write_lines(folder / f"{name}.jsonl", *lines)
    return score(ScoreRequest((folder / f"{name}.jsonl",), folder / name, "rag")).folder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return scored(tmp_path_factory.mktemp("open"), "run")


def page_of(run, language="en"):
    return write_report(run, options=ReportOptions(language=language))[1].read_text("utf-8")


def own_words(page):
    """The words of a page without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_case_that_is_not_decided_is_listed_with_its_claim_why_and_what_to_do(run):
    page = own_words(page_of(run))
    markdown = (run / "report.md").read_text("utf-8")
    for text in (page, markdown):
        assert "something could not be decided" in text
        assert "丢了卡可以在应用里处理" in text
        assert "Faithfulness: worded otherwise: no rule can tell" in text
        assert "turnmark judge --only-undecided" in text
    assert "## Not decided" in markdown


def test_the_filter_leaves_just_the_cases_that_are_not_decided(run):
    page = page_of(run)
    turns = re.findall(r'<details class="turn([^"]*)"(.*?)</details>', page, re.DOTALL)
    still = [body for kinds, body in turns if "k-undecided" in kinds]
    assert len(still) == len(open_turns(gather(run).worst, texts_of("en", "rag")))
    assert any("如何挂失银行卡" in body for body in still)
    assert f'id="show-undecided"><span>Not decided <b>{len(still)}</b>' in page


def test_every_case_that_is_not_decided_has_a_page_of_its_own(run):
    page_of(run)
    pages = " ".join(path.read_text("utf-8") for path in (run / "report").glob("dialog-*.html"))
    assert "open-zh" in pages
    assert "open-days" in pages


def test_one_place_says_how_many_were_decided_and_every_face_shows_it(run):
    summary = read_summary(run)
    texts = texts_of("en", "rag")
    (row,) = next(block for block in main_blocks(summary) if block.name == faithfulness.METRIC.name).rows
    low, high = row.overall.bounds
    beside = f"{decided_of(row.overall, texts)} decided; {low:.3f} to {high:.3f} however the rest is decided"
    assert (row.overall.denominator, row.overall.undecided) == (2.0, 3.0)
    assert beside.startswith("2 of 5 decided; 0.200 to 0.800")
    sheet, first = (
        own_words(re.search(rf'<section class="{name}".*?</section>', page_of(run), re.DOTALL)[0])
        for name in ("signoff", "findings")
    )
    data = gather(run)
    for face in (sheet, first, (run / "report.md").read_text("utf-8"),
                 "\n".join(found_lines(data.turns.faults, data.worst, summary, texts))):  # fmt: skip
        assert beside in face


def test_that_nothing_was_found_is_said_of_what_was_decided_only(tmp_path):
    run = scored(tmp_path, "run", cases=[CASES[0], CASES[3]])
    page = own_words(page_of(run))
    assert "No answer with a fault was found in what was decided." in page
    assert "No answer with a fault was found. " not in page
    assert "In 1 of 2 answers something could not be decided. 1 case with it shows no fault otherwise." in page
    assert run_faults(run) == {"undecided": 1}


def test_where_everything_was_decided_nothing_is_said_of_it(tmp_path):
    run = scored(tmp_path, "run", cases=CASES[:2])
    assert "undecided_turn_pairs" not in read_summary(run).counters
    page = own_words(page_of(run))
    assert "could not be decided" not in page
    assert "Not decided" not in (run / "report.md").read_text("utf-8")


def test_rows_of_which_nothing_was_decided_are_not_called_computed(run):
    data = gather(run)
    own = next(one for one in coverage(data, texts_of("en", "rag")) if one.name == faithfulness.METRIC.name)
    assert (own.eligible, own.undecided) == (4, 2)
    assert own.parts[:2] == [("eligible", 2), ("undecided", 2)]
    assert "2 nothing decided" in own_words(page_of(run))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_is_said_in_the_language_of_the_page(run, language):
    texts = texts_of(language, "rag")
    page = own_words(page_of(run, language))
    for key in ("kind_undecided", "open_help", "coverage_undecided"):
        assert " ".join(texts[key].split()) in page
    if language != "en":
        assert "decided;" not in page
        assert "timeout" not in own_words(page[page.index(texts["replies"]) :])[:200]


def test_a_comparison_says_in_how_many_answers_both_were_decided(run, tmp_path):
    other = scored(tmp_path, "other", PARAPHRASED)
    comparison = compare(CompareRequest((run, other), draws=50))
    texts = texts_of("en", "rag")
    one = next(each for each in comparison.pairs[0].measures if each.measure == "faithfulness")
    assert one.to_decide == 4
    assert one.pairs < one.to_decide
    said = basis(one, texts)
    assert said.startswith(f"{one.pairs} of 4 answers decided in both runs; difference ")
    assert said in own_words(render_comparison_html(comparison))
    assert f"FTH faithfulness: {said}" in render_comparison_markdown(comparison).replace("\\", "")
    assert texts["basis_note"] in own_words(render_comparison_html(comparison))


def test_from_contradicted_to_not_decided_is_a_change_and_so_is_the_other_way(run, tmp_path):
    other = scored(tmp_path, "other", PARAPHRASED)
    for runs, wanted in (((run, other), "0.00 → not decided"), ((other, run), "not decided → 0.00")):
        comparison = compare(CompareRequest(runs, draws=50))
        changed = {turn.dialog_id: turn for turn in comparison.pairs[0].changed}
        assert f"FTH faithfulness {wanted}" in changed["wrong"].changes
        assert (changed["wrong"].first_open, changed["wrong"].second_open) == (wanted.startswith("n"), runs[1] == other)
        assert wanted in own_words(render_comparison_html(comparison))
    assert "open-zh" not in changed, "not decided in both is no change"


def test_changes_are_worded():
    texts = texts_of("zh", "rag")
    assert worded_change("FTH faithfulness 0.00 → not decided", texts) == (
        f"FTH {texts['measure_faithfulness']} 0.00 → {texts['not_decided']}"
    )
    assert "decided" not in worded_change("FTH faithfulness 0.50 (1 of 2 decided) → 1.00", texts)


def test_counts_of_one_are_singular(tmp_path):
    run = scored(tmp_path, "run", cases=CASES[1:2])
    page = own_words(page_of(run))
    assert "Only 1 case:" in page
    assert not re.search(r"\b1 (cases|answers|turns|dialogues|rows|replies|lines)\b", page)
