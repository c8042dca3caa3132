"""Why a metric has no figure is worded in the language of the page; rows keep code, parts and the English."""

import json
import re

import pytest

from building import dialog, recall, turn, write_lines
from turnmark.judges.recorded import RecordedJudge
from turnmark.locale.texts import texts_of, worded, worded_reason
from turnmark.report.view.data import TurnView
from turnmark.report.view.masking import masked_reason, masked_views
from turnmark.report.view.triage import faults
from turnmark.report.view.turn import turn_page
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.marks import Mark
from turnmark.schemas.reasons import ERROR, TEMPLATES, Reason

FOREIGN = {"zh": r"[\u3400-\u9fff]", "ko": r"[\uac00-\ud7a3]"}
CODES = sorted(TEMPLATES.keys() - {ERROR})


def filled(code):
    return Reason(code, {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", TEMPLATES[code])})


@pytest.mark.parametrize("language", ["zh", "ko"])
@pytest.mark.parametrize("code", CODES)
def test_every_code_has_words_that_use_its_parts(code, language):
    reason = filled(code)
    said = worded_reason(texts_of(language), reason)
    assert re.search(FOREIGN[language], said)
    assert all(part in said for part in reason.parts.values())
    assert worded_reason(texts_of("en", "rag"), reason) == str(reason)


@pytest.mark.parametrize(
    ("reason", "zh", "ko"),
    [
        (Reason("field_missing", {"field": "answer"}), "案例没有 answer", "사례에 없는 필드: answer"),
        (Reason("turn_status", {"status": "timeout"}), "本轮状态为 超时", "턴 상태가 시간 초과"),
        (
            Reason("rules_not_judged", {"failed": "2", "total": "3", "reason": "no verdict was returned"}),
            "3 条规则中有 2 条未被判定：没有返回判定",
            "규칙 3개 중 2개가 판정되지 않음: 판정이 반환되지 않음",
        ),
        (
            Reason("rules_not_judged", {"failed": "2", "total": "3", "reason": "HTTP 500 {x} %s"}),
            "3 条规则中有 2 条未被判定：HTTP 500 {x} %s",
            "규칙 3개 중 2개가 판정되지 않음: HTTP 500 {x} %s",
        ),
        (Reason.text("ValueError: {value} \x1b"), "ValueError: {value} \x1b", "ValueError: {value} \x1b"),
        (Reason.text(""), "", ""),
    ],
)
def test_parts_stay_and_messages_are_left_alone(reason, zh, ko):
    assert worded_reason(texts_of("zh"), reason) == zh
    assert worded_reason(texts_of("ko"), reason) == ko


def test_a_reason_without_wording_is_said_in_english():
    assert worded(texts_of("ko"), "no {thing} is here", {"thing": "cat"}) == "no cat is here"
    with pytest.raises(KeyError, match="field"):
        worded(texts_of("zh"), "the case has no {field}", {})


def row_of(**marks):
    return MarkedTurn(trace_version="v1", suite="rag", run_id="r", dialog_id="d", turn_pair_id=1, marks=marks)


def page_of(row, language):
    view = TurnView("d", 1, "q", "a", row, [], faults(row))
    return turn_page(view, texts_of(language, "rag"), {})


def test_a_turn_words_what_its_marks_say():
    row = row_of(
        faithfulness=Mark(failed="no verdict was returned", reason=Reason("no_verdict")),
        context_recall=Mark(not_applicable="the case has no question", reason=Reason("field_missing", {"field": "q"})),
    )
    page = page_of(row, "zh")
    assert page.reasons[0].details == ("FTH：没有返回判定",)
    assert [item.note for _, items in page.asked for item in items] == ["没有返回判定", "案例没有 q"]


def test_rows_of_other_versions_are_shown_by_their_text():
    old = row_of(
        faithfulness=Mark(not_applicable="the case has no question"), context_recall=Mark(failed="HTTP 500"),
    )  # fmt: skip
    later = row_of(faithfulness=Mark(failed="the moon is dark", reason=Reason("eclipse", {"body": "moon"})))
    assert [item.note for _, items in page_of(old, "zh").asked for item in items] == [
        "the case has no question", "HTTP 500",
    ]  # fmt: skip
    assert page_of(later, "zh").reasons[0].details == ("FTH：the moon is dark",)


def test_reasons_are_masked_in_their_parts():
    told = "wrote to a.b@example.com"
    row = row_of(faithfulness=Mark(failed=told))
    view = TurnView("d", 1, "q", "a", row, [], faults(row))
    (hidden,) = masked_views([view], None)
    assert "example" not in repr(hidden)
    assert row.marks["faithfulness"].failed == told
    assert masked_reason(filled("field_missing")) == filled("field_missing")
    assert len(str(masked_reason(Reason.text(told)))) == len(told)


def test_reasons_of_recorded_judgements_are_those_that_are_listed(tmp_path):
    judge = RecordedJudge(write_lines(tmp_path / "j.jsonl", {"judge": {"judge": "llm", "version": "1"}}))
    assert Reason.text(judge.grade({}).failure) == Reason("not_judged")


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
    assert marks["context_precision"] == {
        "not_applicable": "the case has no ground_truth_contexts",
        "reason": {"code": "field_missing", "parts": {"field": "ground_truth_contexts"}},
    }
