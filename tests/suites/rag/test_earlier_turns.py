"""Facts of earlier turns as support for an answer: only when asked, and never by an answer's own repetition."""

import json

import pytest

from building import dialog, recall, turn, write_lines
from servers.chat_server import ChatServer
from servers.judge_answers import judge_answer

FEE = "The Harbour fund has a yearly fee of 0.4%."
ADVISED = "Mr Adams manages the Harbour fund."
TURNS = [
    turn(1, f"{FEE} {ADVISED}", user_text="What does Harbour cost? Mina is twelve years old.",
         **recall(items=[{"rank": 1, "content": FEE}])),
    turn(2, f"{FEE} Mina is twelve years old. {ADVISED}", user_text="And is it good for Mina?",
         **recall(items=[{"rank": 1, "content": "The Lagoon fund is closed."}])),
]  # fmt: skip


@pytest.fixture
def trace(tmp_path):
    return write_lines(tmp_path / "in.jsonl", dialog("d", TURNS, language="en"))


def faithfulness(folder):
    rows = [json.loads(line) for line in (folder / "turn_eval.jsonl").read_text().splitlines()]
    return [row["marks"]["faithfulness"]["measures"]["faithfulness"] for row in rows]


def test_only_when_asked_what_earlier_turns_were_told_supports_an_answer(trace, cli, tmp_path):
    alone = cli("score", trace, "--suite", "rag", "--out", tmp_path / "alone", "--format", "json")
    asked = cli("score", trace, "--suite", "rag", "--out", tmp_path / "a", "--format", "json", "--earlier-turns")
    assert (alone.code, asked.code) == (0, 0)
    assert faithfulness(tmp_path / "alone") == [[1.0, 1.0], [0.0, 0.0]]
    # The fee was retrieved, Mina's age was stated; who manages it was only ever said by the assistant.
    assert faithfulness(tmp_path / "a") == [[1.0, 1.0], [2.0, 2.0]]
    cases = [json.loads(line) for line in (tmp_path / "a" / "cases.jsonl").read_text().splitlines()]
    assert [case.get("earlier_turns", []) for case in cases] == [[], ["Mina is twelve years old.", FEE]]
    pieces = [json.loads(line) for line in (tmp_path / "a" / "evidence.jsonl").read_text().splitlines()]
    found = {
        piece["label"]: piece for piece in pieces if piece["metric"] == "faithfulness" and piece["turn_pair_id"] == 2
    }
    told = found["earlier_turns[1]"]
    assert told["source_quote"] == FEE[told["source_start"] : told["source_end"]]
    assert asked.json["signature"]["settings"]["earlier_turns"] == "true"
    assert "earlier_turns" not in alone.json["signature"]["settings"]
    assert asked.json["config_fingerprint"] != alone.json["config_fingerprint"]


@pytest.mark.parametrize(
    ("language", "said"), [("en", "What users stated"), ("zh", "用户此前陈述的内容"), ("ko", "앞서 사용자가 말한")]
)
def test_the_page_says_so(language, said, trace, cli, tmp_path):
    cli("score", trace, "--suite", "rag", "--out", tmp_path / "a", "--earlier-turns")
    cli("report", tmp_path / "a", "--lang", language)
    assert said in (tmp_path / "a" / "report.md").read_text()
    cli("score", trace, "--suite", "rag", "--out", tmp_path / "b")
    cli("report", tmp_path / "b", "--lang", language)
    assert said not in (tmp_path / "b" / "report.md").read_text()


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Is the yearly fee 0.4%?", "The yearly fee is 0.4%."),
        ("年费是0.4%吗？", "年费是0.4%。"),
        ("연회비가 0.4%인가요?", "연회비는 0.4%입니다."),
    ],
)
def test_what_was_only_asked_supports_nothing(question, reply, cli, tmp_path):
    second = turn(2, reply, user_text="?", **recall(items=[{"rank": 1, "content": "…"}]))
    path = write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1, "…", user_text=question), second]))
    assert cli("score", path, "--suite", "rag", "--out", tmp_path / "a", "--earlier-turns").code == 0
    rows = [json.loads(line) for line in (tmp_path / "a" / "turn_eval.jsonl").read_text().splitlines()]
    assert rows[1]["marks"]["faithfulness"]["measures"]["faithfulness"] == [0.0, 1.0]


def test_workers_give_the_same_bytes(trace, cli, tmp_path):
    for name, count in (("one", 1), ("two", 2)):
        assert (
            cli("score", trace, "--suite", "rag", "--earlier-turns", "--workers", count, "--out", tmp_path / name).code
            == 0
        )
    for name in ("evidence.jsonl", "turn_eval.jsonl", "metrics_summary.json", "cases.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_model_is_shown_them_and_its_judgements_count(trace, cli, tmp_path):
    out = tmp_path / "judgements.jsonl"
    with ChatServer(answer=judge_answer) as server:
        judged = cli("judge", trace, "--model", "m", "--base-url", server.base_url, "--out", out, "--earlier-turns")
        assert judged.code == 0
        assert any(
            "twelve years old.\\n" in json.dumps(one["body"]) or FEE in json.dumps(one["body"])
            for one in server.requests
        )
    assert json.loads(out.read_text().splitlines()[0])["judge"]["earlier_turns"] is True
    arguments = ("score", trace, "--suite", "rag", "--detect", "judged", "--pack", out)
    assert cli(*arguments, "--earlier-turns", "--out", tmp_path / "a").code == 0
    assert faithfulness(tmp_path / "a")[1] == [2.0, 3.0]
    refused = cli(*arguments, "--out", tmp_path / "b")
    assert refused.code == 2
    assert "judged with --earlier-turns" in refused.err


def test_clinical_answers_that_have_retrieved_contexts(cli, tmp_path):
    event = {"schema_version": "events_record.v1", "run_id": "r", "mode": "agent", "patient_id": "p1",
             "timestamp_utc": "", "slots_truth": {"age": 60}}  # fmt: skip
    walk, swim = "Walk for 30 minutes on five days a week.", "Swim every Monday morning."
    events = [
        event | {"turn_id": 1, "question": {"text": "How long should I walk?"}, "answer": walk,
                 "metadata": {"retrieved_contexts": [walk]}},
        event | {"turn_id": 2, "question": {"text": "And swim?"}, "answer": f"{walk} {swim}",
                 "metadata": {"retrieved_contexts": [swim]}},
    ]  # fmt: skip
    path = write_lines(tmp_path / "events.jsonl", *events)
    for name, more in (("alone", ()), ("asked", ("--earlier-turns",))):
        assert cli("score", path, "--suite", "clinical", "--out", tmp_path / name, *more).code == 0
    assert faithfulness(tmp_path / "alone") == [[1.0, 1.0], [1.0, 2.0]]
    assert faithfulness(tmp_path / "asked") == [[1.0, 1.0], [2.0, 2.0]]


def test_suites_without_support_refuse_it(trace, cli, tmp_path):
    ran = cli("score", trace, "--earlier-turns", "--out", tmp_path / "a")
    assert ran.code == 2
    assert ran.err == (
        "turnmark: --earlier-turns: says nothing about suite finance, only about clinical, rag; leave it out\n"
    )
    graded = cli("judge", trace, "--suite", "finance", "--earlier-turns", "--model", "m", "--out", tmp_path / "j")
    assert graded.code == 2
    assert "--earlier-turns: not used when judging suite finance" in graded.err
