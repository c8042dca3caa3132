"""What commands print and write is in the language of the data, or in the one that is asked for."""

import json

import pytest

from building import write_lines
from turnmark.pipeline.publishing.run_language import run_language

CASES = {
    "ko": {
        "question": "배송비는 얼마인가요?",
        "answer": "배송비는 2,500원입니다.",
        "contexts": ["배송비는 3,000원이다."],
    },
    "zh": {"question": "邮费是多少？", "answer": "邮费是25元。", "contexts": ["邮费是30元。"]},
    "en": {
        "question": "What does shipping cost?",
        "answer": "Shipping costs $25.",
        "contexts": ["Shipping costs $30."],
    },
}
SAID = {"ko": "근거와 모순되는 주장", "zh": "说法与依据相矛盾", "en": "Contradicted claim"}


@pytest.mark.parametrize("language", sorted(CASES))
def test_findings_and_pages_speak_the_language_of_the_data(tmp_path, cli, language):
    write_lines(tmp_path / "cases.jsonl", CASES[language])
    ran = cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run")
    assert ran.code == 0
    assert f"{SAID[language]} 1" in ran.out
    assert f'<html lang="{language}">' in (tmp_path / "run" / "report.html").read_text("utf-8")
    again = cli("report", tmp_path / "run")
    assert SAID[language] in again.out
    assert run_language(tmp_path / "run") == language


def test_the_language_that_is_asked_for_wins(tmp_path, cli):
    write_lines(tmp_path / "cases.jsonl", CASES["ko"])
    ran = cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run", "--lang", "zh")
    assert SAID["zh"] in ran.out
    assert '<html lang="zh">' in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "other", "--lang", "xx").code == 2


def test_several_languages_or_none_are_told_in_english(tmp_path):
    assert run_language(tmp_path) == "en"
    turns = [{"user_text": case["question"]} for case in CASES.values()]
    lines = [json.dumps({"turns": turns}, ensure_ascii=False), "{broken", json.dumps({"turns": None})]
    (tmp_path / "dialog_trace.jsonl").write_text("\n".join(lines), "utf-8")
    assert run_language(tmp_path) == "en"
    (tmp_path / "dialog_trace.jsonl").write_text(json.dumps({"turns": [{"user_text": "123"}]}), "utf-8")
    assert run_language(tmp_path) == "en"


def test_json_on_standard_output_holds_no_findings(tmp_path, cli):
    write_lines(tmp_path / "cases.jsonl", CASES["en"])
    ran = cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run", "--format", "json")
    assert json.loads(ran.out)["suite"] == "rag"
