"""What judges said, a line a claim: verdict, words, the deciding sentence and the ground; in the reader's language."""

from __future__ import annotations

import re

import pytest

from building import write_lines
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import ReportOptions, gather
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.run import render_html
from turnmark.report.view.claims import claim_tables, contradictions, materials
from turnmark.report.view.findings import counts
from turnmark.report.view.grounds import worded_ground
from turnmark.report.view.quoted.quotes import worst_quotes
from turnmark.report.view.turn import turn_page

CASES = [
    {
        "id": "wrong", "question": "How many days do I have to return a lamp?",
        "answer": "You have 5 days to return a lamp. The lamp must be clean.",
        "retrieved_contexts": ["Our shop sells lamps.", "You have 3 days to return a lamp. The lamp must be clean."],
        "ground_truth_answer": "You have 3 days to return a lamp.",
    },
    {
        "id": "declined", "question": "How many days do I have to return a lamp?",
        "answer": "I'm sorry, I cannot answer that from the documents.",
        "retrieved_contexts": ["You have 3 days to return a lamp."],
        "ground_truth_answer": "You have 3 days to return a lamp.",
    },
]  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("claims")
    write_lines(folder / "cases.jsonl", *CASES)
    return score(ScoreRequest((folder / "cases.jsonl",), folder / "run", "rag")).folder


@pytest.fixture(scope="module")
def views(run):
    return {view.dialog_id: view for view in gather(run).worst}


def test_a_contradicted_claim_stands_beside_the_sentence_that_decided_and_why(views):
    table = claim_tables(views["wrong"], texts_of("en", "rag"))[0]
    assert table.metric == "faithfulness"
    assert not table.best
    wrong, right = table.lines
    assert (wrong.verdict, wrong.claim) == ("contradicted", "You have 5 days to return a lamp.")
    assert wrong.sentence == "You have 3 days to return a lamp."
    assert wrong.where == "context 2"
    assert re.fullmatch(r"number 5 days ≠ 3 days", wrong.ground)
    assert right.verdict == "supported"
    assert table.said == "contradicted 1 · supported 1"


def test_the_deciding_sentences_are_marked_in_contexts_and_reference(views):
    shop, returns, reference = materials(views["wrong"], texts_of("en", "rag"))
    assert "<mark" not in shop.markup
    assert shop.verdict == "irrelevant"
    assert returns.markup.count('class="v-contradicted"') == 1
    assert re.search(r'<mark class="v-contradicted"[^>]*>You have 3 days to return a lamp\.</mark>', returns.markup)
    assert re.search(r'<mark class="v-supported"[^>]*>The lamp must be clean\.</mark>', returns.markup)
    assert 'class="v-contradicted"' in reference.markup


def test_contradictions_and_wrong_refusals_are_findings(run):
    data = gather(run, options=ReportOptions(pages=True))
    assert counts(data) == [("contradiction", 1), ("declined", 1)]
    pages = [turn_page(view, texts_of("en", "rag"), {}) for view in data.worst]
    first = worst_quotes(data.worst, texts_of("en", "rag"))[0]
    assert first.kind == "contradiction"
    assert first.quote == "You have 5 days to return a lamp."
    assert first.about == "You have 3 days to return a lamp. · number 5 days ≠ 3 days"
    assert "irrelevant" in pages[0].kinds


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_page_speaks_of_verdicts_in_the_language_of_the_reader(run, language):
    texts = texts_of(language, "rag")
    page = render_html(gather(run, options=ReportOptions(language=language)), texts)
    for key in ("verdict_contradicted", "verdict_supported", "kind_declined", "kind_irrelevant"):
        assert texts[key] in page
    assert ("number 5 days" in page) == (language == "en")
    assert ("judge.rules" in page) is False


def test_grounds_of_every_form_are_worded_and_unknown_ones_stay():
    texts = texts_of("ko", "rag")
    assert worded_ground("number at least 300만 원 ≠ at least 100만 원", texts) == "수치 300만 원 이상 ≠ 100만 원 이상"
    assert worded_ground("the model's own words", texts) == "the model's own words"
    assert worded_ground("3 days is not stated; paraphrase: no rule can tell", texts).startswith("3 days 이(가)")
    assert worded_ground("", texts) == ""
    for ground in ("value stated: 3.5% within at least 3.5%", "brings what is asked for: quantity", "yes ≠ no"):
        assert worded_ground(ground, texts) != ground


def test_of_a_claim_that_two_texts_contradict_one_is_told(views):
    assert len(contradictions(views["wrong"].evidence, texts_of("en", "rag"))) == 1


def test_masked_pages_mask_contexts_and_reference_too(tmp_path):
    case = {**CASES[0], "retrieved_contexts": ["Call 010-1234-5678 to return a lamp within 3 days."],
            "ground_truth_answer": "Call 010-1234-5678 within 3 days."}  # fmt: skip
    write_lines(tmp_path / "cases.jsonl", case)
    folder = score(ScoreRequest((tmp_path / "cases.jsonl",), tmp_path / "run", "rag")).folder
    page = render_html(gather(folder, options=ReportOptions(mask=True)), texts_of("en", "rag"))
    assert "1234" not in page
    assert "█" in page
