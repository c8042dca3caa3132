"""Files as users have them: scored as they are, and converted."""

import json

TABLE = "질문,답변,문맥\n수수료는 얼마인가요?,수수료는 3%입니다.,수수료는 3%이다.\n"


def test_a_table_is_scored_without_naming_anything(cli, tmp_path):
    (tmp_path / "c.csv").write_bytes(TABLE.encode("cp949"))
    ran = cli("score", tmp_path / "c.csv", "--out", tmp_path / "run", "--format", "json")
    assert (ran.code, ran.json["suite"]) == (0, "rag")
    assert ran.json["metrics"]["faithfulness"]["micro"]["faithfulness"] == 1.0
    again = cli("score", tmp_path / "run", "--out", tmp_path / "again", "--format", "json")
    assert (again.json["suite"], again.json["metrics"]["faithfulness"]["micro"]) == (
        "rag", ran.json["metrics"]["faithfulness"]["micro"],
    )  # fmt: skip


def test_a_run_that_counts_nothing_says_why(cli, tmp_path):
    (tmp_path / "c.csv").write_text("question\nWhat is the fee?\n")
    ran = cli("score", tmp_path / "c.csv", "--out", tmp_path / "run")
    assert ran.code == 0
    assert "warning: " in ran.out
    assert "faithfulness: answer, retrieved_contexts" in ran.out
    assert "found none among 1, so that there is no figure" in ran.out


def test_wrong_columns(cli, tmp_path):
    (tmp_path / "c.csv").write_text("x,y\n1,2\n")
    ran = cli("score", tmp_path / "c.csv", "--columns", "question")
    assert (ran.code, "expected FIELD=COLUMN (question=질문), found 'question'" in ran.err) == (2, True)
    ran = cli("score", tmp_path / "c.csv", "--columns", "question=z")
    assert (ran.code, "expected one of the columns 'x', 'y', found 'z'" in ran.err) == (2, True)


def test_a_table_becomes_cases_and_a_chat_log_dialogues(cli, tmp_path):
    (tmp_path / "c.csv").write_text(TABLE, "utf-8")
    ran = cli("convert", tmp_path / "c.csv", "--out", tmp_path / "cases.jsonl")
    assert ran.code == 0
    assert json.loads((tmp_path / "cases.jsonl").read_text("utf-8")) == {
        "question": "수수료는 얼마인가요?", "answer": "수수료는 3%입니다.", "retrieved_contexts": ["수수료는 3%이다."],
    }  # fmt: skip
    (tmp_path / "chat.txt").write_text("User: Is it safe?\nAssistant: No.\nUser: Bye\n", "utf-8")
    ran = cli("convert", tmp_path / "chat.txt", "--out", tmp_path / "trace.jsonl")
    assert (ran.code, "1 messages without a counterpart" in ran.out) == (0, True)
    assert cli("check", tmp_path / "trace.jsonl").code == 0


def test_what_cannot_be_converted(cli, tmp_path):
    (tmp_path / "a.txt").write_text("Just a note.\n")
    assert cli("convert", tmp_path / "a.txt", "--out", tmp_path / "b").code == 2
    assert cli("convert", tmp_path / "none", "--out", tmp_path / "b").code == 2
    ran = cli("convert", tmp_path / "a.txt", "--suite", "finance", "--out", tmp_path / "b")
    assert (ran.code, "expected at least one record of suite finance" in ran.err) == (2, True)


def test_the_questions_of_a_table_are_played(cli, tmp_path):
    (tmp_path / "q.csv").write_text("질문,정답\n수수료는?,3%\n", "utf-8")
    ran = cli("run", tmp_path / "q.csv", "--agent", "demo", "--out", tmp_path / "run", "--format", "json")
    assert (ran.code, ran.json["suite"], ran.json["counters"]["total_turn_pairs"]) == (0, "rag", 1)
