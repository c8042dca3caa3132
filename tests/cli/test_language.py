"""What commands print and write is in the language of the data, or in the one that is asked for."""

import json

import pytest

from building import write_lines
from turnmark.pipeline.publishing.run_language import data_language, run_language

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


PLAYED = {
    "zh": {"dialog_id": "d1", "question": "邮费是多少？"},
    "ko": {"dialog_id": "d1", "question": "배송비는 얼마인가요?"},
    "en": {"dialog_id": "d1", "question": "What does shipping cost?"},
}
WORDS = {
    "check": {"zh": "条记录", "ko": "레코드", "en": "record"},
    "convert": {"zh": "条记录", "ko": "레코드", "en": "record"},
    "replay": {"zh": "已播放", "ko": "재생", "en": "dialogues played"},
    "gate": {"zh": "数据不足", "ko": "데이터 부족", "en": "not enough data"},
    "agree": {"zh": "处不一致", "ko": "불일치", "en": "disagreements"},
    "correct": {"zh": "个标注", "ko": "라벨", "en": "label"},
    "selftest": {"zh": "灵敏度", "ko": "민감도", "en": "sensitivity"},
    "judge": {"zh": "次调用", "ko": "호출", "en": "calls"},
    "score": {"zh": "报告：", "ko": "보고서:", "en": "report:"},
}


def _prepared(tmp_path, cli, language):
    """What each command is called with, over data of the language."""
    case = CASES[language]
    write_lines(tmp_path / "cases.jsonl", *({**case, "id": f"c{n}"} for n in range(3)))
    write_lines(tmp_path / "questions.jsonl", PLAYED[language])
    (tmp_path / "table.csv").write_text(f'question,answer\n{case["question"]},"{case["answer"]}"\n', "utf-8")
    assert cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run").code == 0
    (tmp_path / "gate.yaml").write_text("rules:\n- metric: FTH.faithfulness\n  at_least: 0.5\n", "utf-8")
    label = {"dialog_id": "c0", "turn_pair_id": 1, "measure": "faithfulness.faithfulness", "value": 1,
             "annotator": "a", "at": "2026-01-01T00:00:00Z"}  # fmt: skip
    write_lines(tmp_path / "labels.jsonl", label)
    claim = {"id": "r1", "metric": "faithfulness", "document": "d1", "label": 1,
             "answer": case["contexts"][0], "contexts": case["contexts"], "question": case["question"]}  # fmt: skip
    write_lines(tmp_path / "readers.jsonl", claim, {**claim, "id": "r2", "answer": case["answer"], "label": 0})
    return {
        "check": (tmp_path / "cases.jsonl",),
        "convert": (tmp_path / "table.csv", "--out", tmp_path / "converted.jsonl"),
        "replay": (tmp_path / "questions.jsonl", "--agent", "demo", "--out", tmp_path / "played"),
        "gate": (tmp_path / "run", "--rules", tmp_path / "gate.yaml"),
        "agree": (tmp_path / "readers.jsonl", "--suite", "rag", "--metric", "faithfulness"),
        "correct": (tmp_path / "run", "--labels", tmp_path / "labels.jsonl"),
        "selftest": (tmp_path / "run",),
        "judge": (tmp_path / "cases.jsonl", "--model", "m", "--estimate"),
        "score": (tmp_path / "cases.jsonl", "--out", tmp_path / "again"),
    }


@pytest.mark.parametrize("language", sorted(CASES))
def test_every_command_that_prints_speaks_the_language_of_the_data(tmp_path, cli, language):
    calls = _prepared(tmp_path, cli, language)
    for command, arguments in calls.items():
        ran = cli(command, *arguments)
        assert WORDS[command][language] in ran.out, (command, ran.out, ran.err)


@pytest.mark.parametrize("command", sorted(WORDS))
def test_every_command_that_prints_speaks_the_language_that_is_asked_for(tmp_path, cli, command):
    calls = _prepared(tmp_path, cli, "ko")
    for language in ("zh", "en"):
        more = ("--overwrite",) if command == "replay" else ()
        ran = cli(command, *calls[command], *more, "--lang", language)
        assert WORDS[command][language] in ran.out, (ran.out, ran.err)


@pytest.mark.parametrize("language", sorted(CASES))
def test_all_files_of_a_run_are_told_of_in_one_language(tmp_path, cli, language):
    write_lines(tmp_path / "cases.jsonl", CASES[language])
    assert cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run").code == 0
    told = cli("check", tmp_path / "run").out.splitlines()
    assert len(told) > 4
    assert all(WORDS["check"][language] in line for line in told[1:])


def test_a_table_of_advice_scored_as_cases_is_told_where_it_belongs(tmp_path, cli):
    (tmp_path / "advice.csv").write_text("question,answer\nIs it safe?,You cannot lose.\n", "utf-8")
    ran = cli("score", tmp_path / "advice.csv", "--suite", "finance", "--out", tmp_path / "run")
    assert ran.code == 2
    assert "--suite finance --from advice" in ran.err


def test_the_mark_of_less_is_better_is_explained_where_it_stands(tmp_path, cli):
    write_lines(tmp_path / "cases.jsonl", CASES["en"])
    assert "↓" not in cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run").out
    (tmp_path / "advice.csv").write_text("question,answer\nIs it safe?,You cannot lose.\n", "utf-8")
    told = cli("score", tmp_path / "advice.csv", "--from", "advice", "--out", tmp_path / "advised").out
    assert "rate ↓" in told
    assert "↓ marks measures of which less is better." in told


@pytest.mark.parametrize("language", sorted(CASES))
def test_the_language_of_a_file_is_told_by_what_people_wrote(tmp_path, language):
    case = CASES[language]
    write_lines(tmp_path / "cases.jsonl", {"id": "ab-1", **case})
    (tmp_path / "t.csv").write_text(f'question,answer\n{case["question"]},"{case["answer"]}"\n', "utf-8")
    (tmp_path / "t.txt").write_text(f"{case['question']}\n", "utf-8")
    for name in ("cases.jsonl", "t.csv", "t.txt"):
        assert data_language(tmp_path / name) == language
    assert data_language(tmp_path / "none.jsonl") == "en"
