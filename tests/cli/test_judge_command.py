import json

import pytest

from building import dialog, turn, write_lines
from servers.chat_server import ChatServer
from servers.judge_answers import judge_answer

CASE = {"question": "What is the fee?", "answer": "The fee is 2%.", "retrieved_contexts": ["The fee is 2%.", "Closed."]}
KEY = "sk-not-to-be-seen-anywhere"


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(
        "".join(json.dumps(CASE | {"id": f"c{number}", "question": f"Fee {number}?"}) + "\n" for number in range(4))
    )
    return path


@pytest.fixture
def server():
    with ChatServer(answer=judge_answer) as server:
        yield server


def test_judge_then_score_as_often_as_you_like(cli, cases, server, tmp_path):
    out = tmp_path / "judgements.jsonl"
    found = cli("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", out)
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[0].startswith("4 cases, 16 verdicts, 0 failed in 0 cases; 8 calls")
    for name in ("first", "second"):
        scored = cli(
            "score", cases, "--suite", "rag", "--detect", "judged", "--pack", out, "--out", tmp_path / name,
            "--run-id", "r", "--format", "json",
        )  # fmt: skip
        assert scored.code == 0
        assert scored.json["metrics"]["faithfulness"]["micro"] == {"faithfulness": 1.0}
    assert server.calls == 8
    for name in ("evidence.jsonl", "turn_eval.jsonl", "metrics_summary.json"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    assert json.loads((tmp_path / "first" / "evidence.jsonl").read_text().splitlines()[0])["rule"].startswith("judge.")


def test_metrics_that_were_not_asked_for_are_failed_and_the_others_stand(cli, cases, server, tmp_path):
    out = tmp_path / "judgements.jsonl"
    arguments = ("--model", "m", "--base-url", server.base_url, "--out", out, "--metric", "faithfulness")
    assert cli("judge", cases, *arguments).code == 0
    scored = cli(
        "score", cases, "--suite", "rag", "--detect", "judged", "--pack", out, "--out", tmp_path / "run", "--format",
        "json",
    )  # fmt: skip
    assert scored.code == 3
    assert scored.json["metrics"]["faithfulness"]["micro"] == {"faithfulness": 1.0}
    assert scored.json["metrics"]["context_relevance"]["counts"]["failed_count"] == 4
    row = json.loads((tmp_path / "run" / "turn_eval.jsonl").read_text().splitlines()[0])
    assert row["marks"]["context_relevance"]["failed"] == (
        "the model was not asked for it: run turnmark judge without --metric"
    )


def test_a_configuration_file_and_the_command_line_over_it(cli, cases, server, tmp_path):
    config = tmp_path / "judge.yaml"
    config.write_text(f"base_url: {server.base_url}\nanswer_format: plain\nprices: {{input: 1, output: 2}}\nseed: 5\n")
    found = cli(
        "judge", cases, "--config", config, "--model", "m", "--judge-option", "seed=9", "--repeat", 2,
        "--metric", "faithfulness", "--out", tmp_path / "j.jsonl", "--format", "json",
    )  # fmt: skip
    assert (found.code, found.json["spent"]["calls"], found.json["stopped"]) == (0, 12, None)
    assert found.json["spent"]["cost"] > 0
    assert {one["body"]["seed"] for one in server.requests} == {9, 109}
    assert not any("response_format" in one["body"] for one in server.requests)


def test_the_estimate_sends_nothing(cli, cases, server, tmp_path):
    out = tmp_path / "j.jsonl"
    arguments = ("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", out, "--estimate")
    found = cli(*arguments, "--judge-option", "prices={input: 1, output: 2}")
    assert found.out.startswith("4 cases: 8 calls (0 answered already), about ")
    assert ", cost 0.0" in found.out
    assert cli(*arguments, "--format", "json").json["calls"] == 8
    assert server.calls == 0
    assert not out.exists()


def test_failures_and_limits_are_told(cli, cases, server, tmp_path):
    server.permanent = {"Fee 2?": "bad_request"}
    with cases.open("a") as file:
        file.write('{"question": 7}\n')
    out = tmp_path / "j.jsonl"
    found = cli("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", out)
    assert found.code == 3
    assert "times: HTTP 400 Some Reason: context too long (too_long)" in found.out
    assert "cases.jsonl:5: $.question" in found.out
    found = cli("judge", cases, "--model", "n", "--base-url", server.base_url, "--out", out, "--max-calls", 3)
    assert found.code == 3
    assert "stopped by max_calls 3; run again with a higher limit, it goes on where it was" in found.out


def test_no_key_in_anything_that_is_printed_or_written(process, cases, tmp_path):
    with ChatServer(answer=judge_answer, key="sk-another") as server:
        found = process("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", tmp_path / "j.jsonl",
                        OPENAI_API_KEY=KEY)  # fmt: skip
    assert found.code == 3
    assert "HTTP 401 Some Reason: bad key Bearer ***; check the key and the name of the variable" in found.out
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert KEY not in found.out + found.err
    assert KEY.encode() not in written


def test_grades_by_a_rubric(cli, cases, server, tmp_path):
    rubric, out = tmp_path / "rubric.yaml", tmp_path / "grades.jsonl"
    rubric.write_text("name: clarity\nversion: '1'\ncriteria: Is the answer clear?\n")
    arguments = ("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", out, "--rubric", rubric)
    found = cli(*arguments)
    assert found.out.splitlines()[0] == "clarity: mean 4.000 of 4 grades, 0 of 4 failed"
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[0]["judge"]["rubric"]["name"] == "clarity"
    assert lines[1]["key"]
    assert (lines[1]["case"], lines[1]["grade"]) == ("c0", {"score": 4.0, "reason": "clear"})
    told = cli(*arguments, "--estimate")
    assert (told.code, told.out.split(",")[0]) == (0, "4 cases: 0 calls (4 answered already)")
    again = cli(*arguments, "--format", "json").json
    assert (again["spent"]["calls"], again["spent"]["cached"], again["mean"]) == (0, 4, 4.0)
    server.permanent = {"Fee": "bad_request"}
    told = cli(*arguments[:3], "other", *arguments[4:], "--estimate", "--format", "json").json
    assert (told["cases"], told["calls"], told["cached"]) == (4, 4, 0)
    found = cli(*arguments[:3], "other", *arguments[4:])
    assert (found.code, found.out.splitlines()[0]) == (3, "clarity: mean n/a of 0 grades, 4 of 4 failed")
    found = cli(*arguments, "--metric", "faithfulness")
    assert (found.code, "a rubric gives one grade; leave --metric out" in found.err) == (2, True)
    found = cli("score", cases, "--suite", "rag", "--detect", "judged", "--pack", out, "--out", tmp_path / "run")
    assert (found.code, "expected verdicts, found grades by a rubric" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "the judge has no model; name it by --model or in the configuration"),
        (
            ("--model", "m", "--judge-option", "temprature=1"),
            "unknown settings temprature; expected some of answer_format",
        ),
        (("--model", "m", "--judge-option", "temperature=hot"), "the configuration of the model is wrong: Expected"),
        (("--model", "m", "--config", "/nowhere.yaml"), "/nowhere.yaml: cannot be read"),
        (("--model", "m", "--metric", "beauty"), "metrics: expected some of"),
        (("--model", "m", "--max-cost", "1"), "max_cost needs the prices of the model"),
        (("--model", "m", "--base-url", "x"), "base_url is 'x'; expected one like"),
        (("--model", "m", "--concurrency", "0"), "concurrency is 0; expected a number above 0"),
    ],
)
def test_misuse(cli, cases, tmp_path, arguments, says):
    found = cli("judge", cases, "--out", tmp_path / "j.jsonl", *arguments)
    assert found.code == 2
    assert says in found.err
    assert not list(tmp_path.glob("*.partial"))


def test_a_wrong_configuration_names_line_and_field(cli, cases, tmp_path):
    config = tmp_path / "judge.yaml"
    config.write_text("model: m\nrepeat: often\nsped: 1\n")
    found = cli("judge", cases, "--config", config)
    assert found.code == 2
    assert "judge.yaml:2: $.repeat: expected integer" in found.err
    assert "judge.yaml:3: $.sped" in found.err


def test_scoring_needs_the_file(cli, cases, tmp_path):
    found = cli("score", cases, "--suite", "rag", "--detect", "judged", "--out", tmp_path / "run")
    assert found.code == 2
    assert "expected a file of judgements, found none; write one with turnmark judge" in found.err


EVENT = {"schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p", "turn_id": 1,
         "question": {"text": "?"}, "answer": "!", "timestamp_utc": ""}  # fmt: skip


@pytest.mark.parametrize("more", [(), ("--estimate",)])
@pytest.mark.parametrize(
    ("suite", "text", "wanted", "advice"),
    [
        ("rag", "", "case", ""),
        ("clinical", "\n\n", "answer to a patient", ""),
        ("finance", "", "reply that explains", ""),
        ("rag", "no JSON\n", "case", "cases.jsonl:1: $: expected"),
        ("rag", json.dumps(EVENT), "case", "looks like answers to patients: judge them with --suite clinical"),
        ("finance", json.dumps(CASE), "reply that explains", "looks like RAG cases: judge them with --suite rag"),
    ],
)
def test_files_with_nothing_to_judge_are_said_to_have_none(suite, text, wanted, advice, more, cli, tmp_path):
    cases, out = tmp_path / "cases.jsonl", tmp_path / "j.jsonl"
    cases.write_text(text)
    found = cli(
        "judge", cases, "--suite", suite, "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--out", out, *more
    )
    first, *others = found.err.splitlines()
    assert (found.code, found.out) == (2, "")
    assert first == f"turnmark: {cases}: expected at least one {wanted} to judge, found none"
    assert len(others) == bool(advice)
    assert advice in found.err
    assert not out.exists()


def test_answers_to_patients_about_which_nothing_is_asked_say_what_they_lack(cli, server, tmp_path):
    events, out = tmp_path / "events.jsonl", tmp_path / "j.jsonl"
    arguments = ("judge", events, "--suite", "clinical", "--model", "m", "--base-url", server.base_url, "--out", out)
    record = {"slots_truth": {"age": 60}}
    events.write_text(
        "".join(
            json.dumps(EVENT | {"turn_id": turn} | more) + "\n"
            for turn, more in enumerate(({}, {}, record | {"answer": " "}), 1)
        )
    )
    found = cli(*arguments)
    assert found.code == 2
    first, *lacking = found.err.splitlines()
    assert first == f"turnmark: {events}: expected at least one answer to a patient to judge, found none"
    record_lacks = "there is no record of the patient (slots_truth), against which an answer could be reviewed"
    assert lacking == [
        "turnmark: 1 of 3 turns: there is no answer",
        f"turnmark: 2 of 3 turns: {record_lacks}",
        "turnmark: no answer has retrieved contexts (metadata.retrieved_contexts), about which a model could be asked",
    ]
    events.write_text(json.dumps(EVENT | record) + "\n")
    found = cli(*arguments, "--metric", "CSP")
    assert "1 of 1 turns: no safety rule applies, and facts are not asked for; name your rules by --pack" in found.err
    assert server.calls == 0
    assert not out.exists()


def test_turns_without_anything_to_explain_say_so(cli, server, tmp_path):
    trace = tmp_path / "trace.jsonl"
    write_lines(trace, dialog("d", [turn(1, "Good morning.")]))
    found = cli("judge", trace, "--suite", "finance", "--model", "m", "--base-url", server.base_url, "--out",
                tmp_path / "j.jsonl")  # fmt: skip
    assert found.code == 2
    assert "its ground truth names what an explanation must hold (gt_turn_tags.explainability_rubric_gt)" in found.err


def test_what_is_undecided_is_asked_and_a_contradiction_is_told(cli, cases, server, tmp_path):
    def otherwise(body):
        answer = json.loads(judge_answer(body))
        for entry in answer.get("verdicts", ()):
            entry.update(label="undetermined", reason="I doubt it")
        return json.dumps(answer)

    server.answer = otherwise
    arguments = ("judge", cases, "--model", "m", "--base-url", server.base_url, "--out", tmp_path / "j.jsonl",
                 "--only-undecided", "--audit", 1, "--metric", "faithfulness")  # fmt: skip
    told = cli(*arguments, "--estimate")
    assert told.code == 0
    assert told.out.splitlines()[1].startswith("the model is asked for 4 of 4 verdicts, ")
    assert "this takes 12 % of the calls" in told.out
    assert server.calls == 0
    found = cli(*arguments)
    assert (found.code, found.err) == (0, "")
    assert "decided: 4 by rules, 0 not decided" in found.out
    assert "asked again: 4 decided verdicts, of which the model contradicts 4" in found.out
    both = "supported by rules (says so in the same words); undetermined by the model m (I doubt it)"
    assert f"  c0: support of 'The fee is 2%.': {both}" in found.out
    assert len(cli(*arguments, "--format", "json").json["contradictions"]) == 4
