"""Why a metric has no figure is worded in the language of the page; rows keep it as it is."""

import importlib
import json
import pkgutil
import re

import pytest

import turnmark.metrics
from building import dialog, recall, turn, write_lines
from turnmark.judges.recorded import RecordedJudge
from turnmark.locale.texts import texts_of, worded
from turnmark.metrics.rag import retrieval
from turnmark.report.reasons import REASONS, reason_in
from turnmark.suites.clinical import retrieval as clinical_retrieval
from turnmark.suites.rag import suite as rag_suite

FOREIGN = {"zh": r"[\u3400-\u9fff]", "ko": r"[\uac00-\ud7a3]"}


def constants():
    """Every reason that metrics give by a name, as they give it."""
    found = {clinical_retrieval.NO_CONTEXTS, rag_suite.NOT_ASKED}
    for module in pkgutil.walk_packages(turnmark.metrics.__path__, "turnmark.metrics."):
        own = vars(importlib.import_module(module.name))
        found |= {
            text
            for name, text in own.items()
            if re.fullmatch("REASON|(NO|NOT|NOTHING)_[A-Z]+", name) and isinstance(text, str)
        }
    return sorted(found)


@pytest.mark.parametrize("language", ["zh", "ko"])
def test_every_reason_of_a_metric_has_words(language):
    assert len(constants()) > 15
    for text in constants():
        assert re.search(FOREIGN[language], reason_in(text, texts_of(language))), text


@pytest.mark.parametrize(
    ("text", "zh", "ko"),
    [
        ("the case has no answer", "案例没有 answer", "사례에 없는 필드: answer"),
        ("turn_status is timeout", "本轮状态为 timeout", "턴 상태가 timeout"),
        ("M4: the turn was not judged", "M4: 本轮未被判定", "M4: 이 턴은 판정되지 않음"),
        (
            "2 of 3 rules were not judged: no verdict could be had",
            "3 条规则中有 2 条未被判定：未能得到判定",
            "규칙 3개 중 2개가 판정되지 않음: 판정을 얻지 못함",
        ),
        (
            "2 of 3 rules were not judged: HTTP 500 {x} %s",
            "3 条规则中有 2 条未被判定：HTTP 500 {x} %s",
            "규칙 3개 중 2개가 판정되지 않음: HTTP 500 {x} %s",
        ),
        ("ValueError: {value} \x1b", "ValueError: {value} \x1b", "ValueError: {value} \x1b"),
        ("", "", ""),
    ],
)
def test_parts_stay_and_unknown_reasons_are_left_alone(text, zh, ko):
    assert reason_in(text, texts_of("zh")) == zh
    assert reason_in(text, texts_of("ko")) == ko
    assert reason_in(text, texts_of("en", "rag")) == text


@pytest.mark.parametrize("language", ["zh", "ko"])
def test_wordings_use_the_parts_of_their_reason(language):
    for reason in REASONS:
        parts = {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", reason)}
        said = worded(texts_of(language), reason, parts)
        assert re.search(FOREIGN[language], said), reason
        assert all(part in said for part in parts.values()), reason
        assert worded(texts_of("en"), reason, parts) == reason.format_map(parts)


def test_a_reason_without_wording_is_said_in_english():
    assert worded(texts_of("ko"), "no {thing} is here", {"thing": "cat"}) == "no cat is here"
    with pytest.raises(KeyError, match="value"):
        worded(texts_of("zh"), "the case has no {value}", {})


def test_reasons_of_recorded_judgements_are_those_that_are_listed(tmp_path):
    judge = RecordedJudge(write_lines(tmp_path / "j.jsonl", {"judge": {"judge": "llm", "version": "1"}}))
    failure = judge.grade({}).failure
    assert reason_in(failure, texts_of("zh")).startswith("未被判定")
    assert retrieval.REASON in REASONS


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "案例没有 ground_truth_contexts"), ("ko", "사례에 없는 필드: ground_truth_contexts")]
)
def test_pages_word_them_and_rows_do_not_change(language, said, cli, tmp_path):
    turns = [
        turn(1, "The fee is 2%.", user_text="What is the fee?", **recall(items=[{"rank": 1, "content": "Fee: 2%."}]))
    ]
    path = write_lines(tmp_path / "in.jsonl", dialog("d", turns, language="en"))
    cli("score", path, "--suite", "rag", "--out", tmp_path / "run")
    before = (tmp_path / "run" / "turn_eval.jsonl").read_bytes()
    assert cli("report", tmp_path / "run", "--lang", language).code == 0
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert said in page
    assert "the case has no" not in page
    assert (tmp_path / "run" / "turn_eval.jsonl").read_bytes() == before
    marks = json.loads(before.splitlines()[0])["marks"]
    assert marks["context_precision"] == {"not_applicable": "the case has no ground_truth_contexts"}
