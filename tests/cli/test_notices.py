"""What a first user would else not be told: limits that only the chat holds, figures that nothing fed, empty tables."""

import json

import pytest

LIMITED = [
    "我的底线是最大回撤不能超过10%。",
    "제 원칙은 최대 손실 10% 이내입니다.",
    "No single stock above 10% for me.",
]


def chats(path, *said):
    lines = [
        {"session_id": f"s{number}", "messages": [{"role": "user", "content": text},
                                                  {"role": "assistant", "content": "OK."}]}
        for number, text in enumerate(said)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("limit", LIMITED)
def test_a_limit_that_only_the_chat_holds_is_told(cli, tmp_path, limit):
    ran = cli("score", chats(tmp_path / "c.jsonl", limit, "Hello."), "--out", tmp_path / "run", "--lang", "en")
    assert "notice: in 1 dialogue the user states a limit in the chat" in ran.out
    (problem,) = map(json.loads, (tmp_path / "run" / "problems.jsonl").read_text("utf-8").splitlines())
    assert (problem["severity"], problem["line"], problem["field"]) == ("warning", 1, "$.turns[0].user_text")
    assert limit.rstrip("。.") in problem["found"]
    assert "constraints_gt" in problem["expected"]


@pytest.mark.parametrize(
    "said", ["这只基金最大回撤是多少？", "최대 손실이 10% 이내인가요?", "Is the drawdown below 10%?", "Hello."]
)
def test_a_question_about_a_number_is_no_limit(cli, tmp_path, said):
    ran = cli("score", chats(tmp_path / "c.jsonl", said), "--out", tmp_path / "run", "--lang", "en")
    assert "notice:" not in ran.out


def test_a_table_of_a_header_alone_is_a_fault(cli, tmp_path):
    path = tmp_path / "head.csv"
    path.write_text("질문,답변\n", "utf-8")
    ran = cli("check", path, "--lang", "en")
    assert ran.code == 1
    assert "expected rows under the names of the columns, found none" in ran.out


def test_that_nothing_was_counted_is_said_beside_json_too(cli, tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "Hello?"}]}) + "\n", "utf-8")
    ran = cli("score", path, "--suite", "rag", "--out", tmp_path / "run", "--format", "json", "--lang", "en")
    assert "counters" in ran.json
    assert "warning: " in ran.err
    assert "expected turns" in ran.err


def test_run_takes_the_names_of_columns_and_leaves_nothing_beside_the_run(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("고객의 말,문서\n배송비는?,배송비는 3000원이다.\n", "utf-8")
    refused = cli("run", "t.csv", "--agent", "demo", "--out", "runs/no")
    assert refused.code == 2
    assert "--columns question=고객의 말" in refused.err
    ran = cli("run", "t.csv", "--agent", "demo", "--columns", "question=고객의 말,contexts=문서", "--out", "runs/x")
    assert ran.code == 0, ran.err
    (case,) = map(json.loads, (tmp_path / "runs/x/cases.jsonl").read_text("utf-8").splitlines())
    assert case["question"] == "배송비는?"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs", "t.csv"]


def test_columns_of_dialogues_are_refused(cli, tmp_path, examples):
    ran = cli("run", examples / "dataset.jsonl", "--agent", "demo", "--columns", "question=q", "--out", tmp_path / "x")
    assert ran.code == 2
    assert "--columns: expected a file of questions" in ran.err
