"""Judges in turn over HTTP: rules first, a model of the user's next, a language model for what is left."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from building import write_lines
from servers.chat_server import ChatServer
from servers.judge_answers import data_of, judge_answer
from tiny_models import inference
from turnmark.errors import DataError, UsageError
from turnmark.judges.llm.config import JudgeConfig
from turnmark.pipeline.judging.judge import estimate, judge
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.suites.judging import JudgeRequest

ASKED = {
    "en": ("When does office {n} open?", "Office {n} opens at 9:00.", "The office welcomes people early."),
    "zh": ("第{n}号店几点开门？", "第{n}号店9点开门。", "这家店很早就迎客。"),
    "ko": ("{n}호점은 몇 시에 여나요?", "{n}호점은 9시에 엽니다.", "일찍 들르면 편하다고들 합니다."),
}
"""By language: a question, a context that the first half of the answers repeats, and something no rule can tell."""


def case(number, language):
    question, context, other = (text.format(n=number) for text in ASKED[language])
    return {
        "id": f"{language}{number}",
        "lang": language,
        "question": question,
        "answer": context if number % 2 else f"{context} {other}",
        "retrieved_contexts": [context],
    }


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case(n, language)) + "\n" for n in range(20) for language in ASKED))
    return path


def request_for(server, cases, name="judgements.jsonl", *, settings=None, **more):
    config = JudgeConfig(model="m", base_url=server.base_url, **{"first_wait": 0.01, "timeout": 5.0} | (settings or {}))
    more = {"only_undecided": True, "metrics": ("faithfulness",)} | more
    return JudgeRequest((cases,), config, cases.with_name(name), **more)


def lines_of(request):
    return [json.loads(line) for line in request.out.read_text().splitlines()]


def verdicts_of(request):
    return [each for line in lines_of(request) for item in line.get("verdicts") or () for each in item]


def test_a_model_is_asked_what_is_open_and_nothing_else_several_cases_in_one_request(cases):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases)
        report = judge(request)
        sent = [data_of(each["body"]) for each in server.requests]
    verdicts = verdicts_of(request)
    assert report.by == {"llm:m": 30, "rules": 60}
    assert sum(len(check["items"]) for data in sent for check in data["checks"]) == 30
    assert len(sent) == 3  # one a language: all that is open of it fits into one request
    assert {text for data in sent for text in data["statements"].values()} == {ASKED[lang][2] for lang in ASKED}
    assert all(each["reason"] for each in verdicts if each["by"] == "rules")
    assert {each["label"] for each in verdicts if each["by"] == "rules"} == {"supported"}
    assert (report.cases, report.failed_verdicts, report.cases_with_failures) == (60, 0, 0)


def test_each_check_of_a_shared_request_names_its_own_question(cases):
    with ChatServer(answer=judge_answer) as server:
        judge(request_for(server, cases))
        for each in server.requests:
            data = data_of(each["body"])
            for check in data["checks"]:
                (context,) = (data["texts"][name] for name in check["texts"])
                asked = data["questions"][check["question"]]
                assert [n for n in range(20) if any(q[0].format(n=n) == asked for q in ASKED.values())] == [
                    n for n in range(20) if any(q[1].format(n=n) == context for q in ASKED.values())
                ]


def test_requests_are_as_long_as_the_settings_allow(cases):
    with ChatServer(answer=judge_answer) as server:
        judge(request_for(server, cases, settings={"items_per_request": 4}))
        sizes = [sum(len(check["items"]) for check in data_of(each["body"])["checks"]) for each in server.requests]
        assert (max(sizes), sum(sizes), len(sizes)) == (4, 30, 9)
        server.requests.clear()
        judge(request_for(server, cases, "short.jsonl", settings={"characters_per_request": 1}))
        assert len(server.requests) == 30


def test_the_same_bytes_whatever_runs_at_once_and_nothing_is_asked_twice(cases):
    with ChatServer(answer=judge_answer) as server:
        small = {"items_per_request": 3}
        first = request_for(server, cases, settings=small | {"concurrency": 1})
        judge(first)
        raw = first.out.read_bytes()
        calls = server.calls
        assert judge(request_for(server, cases, settings=small | {"concurrency": 9})).spent.calls == 0
        assert (server.calls, first.out.read_bytes()) == (calls, raw)
        other = request_for(server, cases, "other.jsonl", settings=small | {"concurrency": 9})
        judge(other)
    assert other.out.read_bytes() == raw


def test_the_estimate_says_what_is_saved_and_is_what_is_asked(cases):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases)
        told = estimate(request)
        assert server.calls == 0
        judge(request)
        assert (told.calls, told.prompt_characters) == (server.calls, server.prompt_characters)
        assert (told.asked, told.verdicts) == (30, 90)
        before = server.prompt_characters
        whole = request_for(server, cases, "whole.jsonl", only_undecided=False)
        judge(whole)
        assert told.everything.calls == 120
        assert abs(server.prompt_characters - before - told.everything.prompt_characters) < 0.05 * before * 10
        again = estimate(request)
        assert (again.calls, again.cached, again.whole.calls, again.everything.calls) == (0, 3, 3, 120)


def test_an_audit_asks_a_seeded_sample_of_what_was_decided_and_reports_where_the_model_says_otherwise(cases):
    def never(body):
        answer = json.loads(judge_answer(body))
        for entry in answer["verdicts"]:
            entry.update(label="undetermined", reason="I doubt it")
        return json.dumps(answer)

    with ChatServer(answer=never) as server:
        request = request_for(server, cases, audit=0.3)
        report = judge(request)
        verdicts = verdicts_of(request)
        audited = [each for each in verdicts if "audit" in each]
        assert 5 <= report.audited == len(audited) <= 35
        assert report.contradicted == len(report.contradictions) == len(audited)
        assert {(each["label"], each["by"]) for each in audited} == {("supported", "rules")}
        assert {tuple(each["audit"][name] for name in ("label", "by", "reason")) for each in audited} == {
            ("undetermined", "llm:m", "I doubt it")
        }
        one = report.contradictions[0]
        assert (one.label, one.by, one.other_label, one.other_by) == ("supported", "rules", "undetermined", "llm:m")
        assert one.claim in json.dumps(case(int(one.case[2:]), one.case[:2]), ensure_ascii=False)
        raw = request.out.read_bytes()
        judge(request_for(server, cases, "again.jsonl", audit=0.3))
        assert request.out.with_name("again.jsonl").read_bytes() == raw
        other = request_for(server, cases, "seed.jsonl", audit=0.3, settings={"seed": 7})
        judge(other)
        assert [each for each in verdicts_of(other) if "audit" in each] != audited
        report = judge(request_for(server, cases, "all.jsonl", audit=1.0))
        assert report.audited == report.by["rules"] == 60


def scored(request, cases, folder, **more):
    return score(ScoreRequest((cases,), folder, "rag", "judged", packs=(request.out,), run_id="r", **more))


def test_scores_say_who_decided_in_rows_evidence_summary_and_page(cases, tmp_path):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases, audit=1.0)
        judge(request)
    folder = scored(request, cases, tmp_path / "run").folder
    summary = json.loads((folder / "metrics_summary.json").read_text())
    assert summary["deciders"] == {
        "faithfulness": {"decided": {"llm:m": 30, "rules": 60}, "audited": 60}
    }  # fmt: skip
    evidence = [json.loads(line) for line in (folder / "evidence.jsonl").read_text().splitlines()]
    mine = [each for each in evidence if each["metric"] == "faithfulness"]
    assert sorted({each["rule"] for each in mine}) == ["judge.llm:m", "judge.rules"]
    assert all("judge.llm:m: supported" in each["note"] for each in mine if each["rule"] == "judge.rules")
    kept = json.loads((folder / "cases.jsonl").read_text().splitlines()[0])
    assert {each["verdict"]["by"] for each in kept["results"]["faithfulness"]["claims"]} <= {"rules", "llm:m"}
    two = scored(request, cases, tmp_path / "two", workers=2).folder
    assert (two / "metrics_summary.json").read_bytes() == (folder / "metrics_summary.json").read_bytes()


def test_what_gets_no_answer_stays_not_decided_and_a_second_run_asks_for_it(cases, tmp_path):
    with ChatServer(answer=judge_answer) as server:
        settings = {"items_per_request": 2, "concurrency": 1}
        request = request_for(server, cases, settings=settings | {"max_calls": 5})
        report = judge(request)
        assert report.stopped == "max_calls 5"
        left = report.by[""]
        assert 0 < left == sum(report.reasons.values())
        assert report.cases_with_failures == left
        open_now = [each for each in verdicts_of(request) if not each.get("by")]
        assert {each["label"] for each in open_now} == {"not_decided"}
        assert all("; llm:m: the budget is used up" in each["reason"] for each in open_now)
        result = scored(request, cases, tmp_path / "run").summary.metrics["faithfulness"]
        assert result.bounds["faithfulness"][0] < result.bounds["faithfulness"][1]
        calls = server.calls
        report = judge(request_for(server, cases, settings=settings))
    assert (report.by, report.reasons) == ({"llm:m": 30, "rules": 60}, {})
    assert report.spent.calls == server.calls - calls == 15 - 5


def test_a_killed_run_goes_on_where_it_was_and_gives_the_same_bytes(cases, tmp_path):
    arguments = (
        *("--model", "m", "--only-undecided", "--metric", "faithfulness"),
        *("--judge-option", "items_per_request=1", "--concurrency", "2"),
    )

    def command(server, out):
        return [sys.executable, "-m", "turnmark", "judge", str(cases), "--base-url", server.base_url, "--out", str(out),
                *arguments]  # fmt: skip

    with ChatServer(answer=judge_answer, latency=0.1) as server:
        out = tmp_path / "killed.jsonl"
        running = subprocess.Popen(command(server, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while server.calls < 8 and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        assert not out.exists()
        done = server.calls
        assert 8 <= done < 30
        server.latency = 0
        subprocess.run(command(server, out), check=True, capture_output=True)
        assert 30 <= server.calls <= 30 + 2 + 2  # what was under way when it was killed is asked again
        whole = tmp_path / "whole.jsonl"
        subprocess.run(command(server, whole), check=True, capture_output=True)
    assert out.read_bytes() == whole.read_bytes()


CASE_NLI = [
    ("refunds take three days", "Refunds, the desk says, usually take days. Three of the days."),
    ("no refunds", "Refunds take three days. A five."),
]


def nli_cases(tmp_path):
    path = tmp_path / "nli.jsonl"
    write_lines(
        path,
        [
            {"id": f"n{n}", "question": "?", "answer": claim, "retrieved_contexts": [text]}
            for n, (claim, text) in enumerate(CASE_NLI)
        ],
    )
    return path


def test_an_inference_model_stands_between_rules_and_model(tmp_path):
    folder = inference(tmp_path / "tiny-nli")
    cases = nli_cases(tmp_path)
    alone = JudgeRequest(
        (cases,), JudgeConfig(), tmp_path / "alone.jsonl", ("faithfulness",), only_undecided=True, entailment=folder
    )
    report = judge(alone)
    by = {each["label"]: each.get("by", "") for each in verdicts_of(alone)}
    assert by["supported"] == "nli:tiny-nli"
    assert report.by["nli:tiny-nli"] >= 1
    with ChatServer(answer=judge_answer) as server:
        without = judge(request_for(server, cases, "without.jsonl"))
        within = judge(request_for(server, cases, "within.jsonl", entailment=folder))
    assert within.by["nli:tiny-nli"] == report.by["nli:tiny-nli"]
    assert within.by.get("llm:m", 0) < without.by["llm:m"]


def test_an_estimate_needs_a_model_and_the_options_of_judging_in_turn_go_together(cases, tmp_path):
    with ChatServer(answer=judge_answer) as server:
        for more, said in (
            ({"only_undecided": False, "audit": 0.1}, "--audit: expected together with --only-undecided"),
            ({"audit": 1.5}, "--audit: expected a share from 0 to 1, found 1.5"),
            ({"limits": cases}, "--limits: expected together with --entailment"),
            ({"only_undecided": False, "entailment": tmp_path}, "--entailment: expected together"),
            ({"settings": {"items_per_request": 0}}, "items_per_request is 0; expected a number above 0"),
        ):
            with pytest.raises(UsageError, match=said):
                judge(request_for(server, cases, **more))
    bare = JudgeRequest((cases,), JudgeConfig(), tmp_path / "x.jsonl", only_undecided=True)
    with pytest.raises(UsageError, match=r"expected a model .* or --entailment FOLDER"):
        judge(bare)
    folder = inference(tmp_path / "tiny-nli")
    with pytest.raises(UsageError, match="--audit: expected a model"):
        judge(bare._replace(entailment=folder, audit=0.1))
    with pytest.raises(UsageError, match="--estimate: expected a model"):
        estimate(bare._replace(entailment=folder))


def test_suites_whose_rules_decide_everything_say_so(tmp_path):
    event = {"schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p", "turn_id": 1,
             "question": {"text": "?"}, "answer": "Drink water.", "timestamp_utc": "", "slots_truth": {}}  # fmt: skip
    events = tmp_path / "events.jsonl"
    write_lines(events, event)
    with ChatServer(answer=judge_answer) as server:
        finance = request_for(server, events, suite="finance", metrics=None)
        with pytest.raises(UsageError, match="the rules of suite finance decide every turn"):
            judge(finance)
        clinical = request_for(server, events, suite="clinical", metrics=None)
        with pytest.raises(DataError, match=r"rules of suite clinical decide every fact.*\n.*no answer has retrieved"):
            judge(clinical)
        with pytest.raises(UsageError, match="rules of suite clinical decide every fact"):
            judge(clinical._replace(metrics=("CSP",)))
        assert server.calls == 0


def test_of_clinical_answers_a_model_is_asked_what_rules_leave_open_of_their_contexts(tmp_path):
    def event(number, answer):
        return {"schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": f"p{number}",
                "turn_id": 1, "question": {"text": "When is the clinic open?"}, "answer": answer, "timestamp_utc": "",
                "slots_truth": {"age": 60},
                "metadata": {"retrieved_contexts": ["The clinic opens at 9:00."]}}  # fmt: skip

    events = tmp_path / "events.jsonl"
    write_lines(events, event(1, "The clinic opens at 9:00."), event(2, "The clinic welcomes people early."))
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, events, suite="clinical", metrics=None)
        report = judge(request)
        assert server.calls == 1
    assert report.by["rules"] >= 2
    assert report.by["llm:m"] >= 1
    found = score(ScoreRequest((events,), tmp_path / "run", "clinical", "judged", packs=(request.out,)))
    assert found.summary.deciders["faithfulness"].decided == {"llm:m": 1, "rules": 1}
    plain = score(ScoreRequest((events,), tmp_path / "plain", "clinical"))
    for name in ("slot_factuality", "clinical_safety_penalty"):
        if name in plain.summary.metrics:
            assert found.summary.metrics[name].micro == plain.summary.metrics[name].micro
    assert found.failed_rows == 0


def test_an_audit_of_answers_to_patients_asks_about_their_safety_rules(examples, tmp_path):
    events = examples.parent / "clinical" / "llm" / "events.jsonl"

    def kept(body):
        data = data_of(body)
        if "record" not in data:
            return judge_answer(body)
        entries = [
            {"id": name, "facts": [], "reason": "I see none", "quote": "", "label": "kept"}
            for name in data["answer_only"]
        ]
        return json.dumps({"entries": entries})

    plain = score(ScoreRequest((events,), tmp_path / "plain", "clinical"))
    broken = [
        json.loads(line)
        for line in (tmp_path / "plain" / "evidence.jsonl").read_text().splitlines()
        if '"metric":"csp"' in line and '"polarity":"violates"' in line
    ]
    assert broken
    with ChatServer(answer=kept) as server:
        request = request_for(server, tmp_path / "cases.jsonl", suite="clinical", metrics=None, audit=1.0)
        request = request._replace(cases=(events,))
        told = estimate(request)
        report = judge(request)
        assert told.calls == server.calls > 0
        some = judge(request._replace(audit=0.4, out=tmp_path / "some.jsonl"))
    safety = [item for item in report.contradictions if item.relation == "safety rule"]
    assert {(item.label, item.by, item.other_label, item.other_reason) for item in safety} == {
        ("violated", "rules", "kept", "I see none")
    }
    assert {(item.case, item.claim.partition(":")[0]) for item in safety} >= {
        (f"{piece['dialog_id']}:{piece['turn_pair_id']}", piece["label"]) for piece in broken
    }
    assert 0 < some.audited < report.audited
    assert report.failed_verdicts == 0
    found = score(ScoreRequest((events,), tmp_path / "run", "clinical", "judged", packs=(request.out,)))
    assert found.summary.metrics["csp"].micro == plain.summary.metrics["csp"].micro


def test_another_model_temperature_or_prompt_is_another_configuration(cases, tmp_path, monkeypatch):
    settings = [{}, {"model": "other"}, {"temperature": 0.7}, {"extra_body": {"top_p": 0.5}}, {}, {}]
    found = []
    with ChatServer(answer=judge_answer) as server:
        for number, each in enumerate(settings):
            if number == len(settings) - 1:
                monkeypatch.setattr("turnmark.judges.llm.judge.digest", lambda: "0" * 16)
            config = JudgeConfig(**{"model": "m", "base_url": server.base_url, "first_wait": 0.01, **each})
            request = JudgeRequest((cases,), config, tmp_path / f"{number}.jsonl", metrics=("faithfulness",))
            judge(request)
            asked = ScoreRequest((cases,), tmp_path / str(number), "rag", "judged", packs=(request.out,))
            found.append(score(asked).summary.config_fingerprint)
    assert found[0] == found[4]
    assert len(set(found)) == len(settings) - 1
