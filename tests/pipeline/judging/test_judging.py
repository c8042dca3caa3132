"""The judge llm over HTTP, against a server on this machine that breaks in every way that models and networks do."""

import asyncio
import json
import math
import re

import msgspec
import pytest

from building import dialog, turn, write_lines
from servers.chat_server import ANSWER_FAULTS, TRANSPORT_FAULTS, ChatServer
from servers.judge_answers import judge_answer
from turnmark import rag
from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_llm_judge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.protocol import Passage
from turnmark.llm.budget import Prices
from turnmark.pipeline.judging.judge import estimate, judge
from turnmark.suites.judging import JudgeRequest
from turnmark.suites.rag.judging import recorded_cases

CASES = 24
PROMPT_LIMIT = 12_000


def case(number):
    fee, term = 2 + number % 5, 10 + number
    return {
        "id": f"c{number}",
        "question": f"第{number}号产品的费率和期限是多少？",
        "answer": f"第{number}号产品的费率为{fee}%。第{number}号产品的期限为{term}个月。",
        "ground_truth_answer": f"第{number}号产品的费率为{fee}%。第{number}号产品的期限为{term}个月。",
        "retrieved_contexts": [f"第{number}号产品的费率为{fee}%，期限为{term}个月。", f"第{number}号商店在周一休息。"],
        "ground_truth_contexts": [f"第{number}号产品的费率为{fee}%，期限为{term}个月。"],
    }


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case(number)) + "\n" for number in range(CASES)))
    return path


def request_for(server, cases, **settings):
    config = JudgeConfig(
        model="m", base_url=server.base_url, **{"first_wait": 0.01, "timeout": 1.0, "concurrency": 8} | settings
    )
    return JudgeRequest((cases,), config, cases.with_name("judgements.jsonl"))


def lines_of(request):
    return [json.loads(line) for line in request.out.read_text().splitlines()]


def test_two_calls_a_case_and_short_prompts(cases):
    with ChatServer(answer=judge_answer) as server:
        report = judge(request_for(server, cases))
        assert server.calls == 2 * CASES
        assert server.prompt_characters / CASES < PROMPT_LIMIT
        assert server.most_running <= 8
    assert (report.cases, report.failed_verdicts, report.cases_with_failures, report.stopped) == (CASES, 0, 0, None)


def test_judging_again_asks_nothing_and_gives_the_same_bytes(cases):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases)
        judge(request)
        first = request.out.read_bytes()
        request.out.unlink()
        report = judge(request_for(server, cases, concurrency=2))
        assert server.calls == 2 * CASES
    assert request.out.read_bytes() == first
    assert (report.spent.calls, report.spent.cached) == (0, 2 * CASES)


@pytest.mark.parametrize("fault", [*TRANSPORT_FAULTS, *ANSWER_FAULTS])
def test_a_tenth_of_one_fault_loses_nothing(cases, fault):
    with ChatServer(answer=judge_answer, faults={fault: 0.1}, hang=5, slow=5, retry_after="0.05", seed=2) as server:
        report = judge(request_for(server, cases, timeout=2.5))
        assert server.injected[fault]
    assert (report.cases, report.failed_verdicts, report.reasons) == (CASES, 0, {})


def test_all_faults_at_once_end_in_verdicts_or_named_failures_and_a_rerun_asks_the_rest(cases):
    faults = dict.fromkeys((*TRANSPORT_FAULTS, "cut_answer", "prose"), 0.1)
    with ChatServer(answer=judge_answer, faults=faults, hang=3, slow=3, retry_after="0.05") as server:
        request = request_for(server, cases, timeout=0.3, tries=2)
        report = judge(request)
        assert report.cases == CASES
        assert 0 < report.failed_verdicts < report.verdicts
        assert sum(report.reasons.values()) == report.failed_verdicts
        assert all(report.reasons)
        server.faults = {}
        calls = server.calls
        report = judge(request_for(server, cases, timeout=20))
        assert (report.failed_verdicts, report.cases_with_failures) == (0, 0)
        asked = {json.dumps(one["body"]["messages"], sort_keys=True) for one in server.requests[calls:]}
        assert server.calls - calls == len(asked) == report.spent.calls < 2 * CASES


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("server_error", "HTTP 500"),
        ("rate_limit", "HTTP 429"),
        ("bad_request", "HTTP 400"),
        ("reset", "the connection broke"),
        ("invalid_json", "the reply is no chat completion"),
        ("cut_answer", "no valid answer for it in|no answer of 3 could be read; the last: it is no JSON object"),
        ("empty", "no answer of 3 could be read; the last: it is empty"),
    ],
)
def test_cases_that_fail_for_ever_lose_nothing_else(cases, fault, says):
    broken = ("第3号产品", "第17号产品")
    with ChatServer(answer=judge_answer, permanent=dict.fromkeys(broken, fault), retry_after="0.01") as server:
        request = request_for(server, cases, tries=2)
        report = judge(request)
        assert (report.cases, report.cases_with_failures) == (CASES, 2)
        assert all(re.search(says, reason) for reason in report.reasons)
        failed = {line["case"] for line in lines_of(request) if "failed" in json.dumps(line.get("verdicts"))}
        assert failed == {"c3", "c17"}
        server.permanent = {}
        calls = server.calls
        report = judge(request_for(server, cases))
        assert report.failed_verdicts == 0
        assert server.calls - calls <= 4


def test_a_budget_stops_the_calls_and_a_second_run_goes_on(cases):
    with ChatServer(answer=judge_answer) as server:
        report = judge(request_for(server, cases, max_calls=30))
        assert server.calls == report.spent.calls == 30
        assert report.stopped == "max_calls 30"
        assert 10 <= CASES - report.cases_with_failures <= 15
        report = judge(request_for(server, cases))
        assert (report.failed_verdicts, report.spent.calls) == (0, 2 * CASES - 30)


def test_money_and_tokens_are_limits_too(cases):
    with ChatServer(answer=judge_answer) as server:
        prices = Prices(input=1.0, output=2.0)
        report = judge(request_for(server, cases, max_cost=0.01, prices=prices))
        assert report.stopped == "max_cost 0.01"
        assert 0.003 < report.spent.cost <= 0.01
        report = judge(request_for(server, cases, max_tokens_total=20_000))
        assert report.stopped == "max_tokens 20000"
        assert report.spent.input_tokens + report.spent.output_tokens <= 20_000


def test_the_estimate_is_close_and_sends_nothing(cases):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases, prices=Prices(input=1.0, output=2.0))
        found = estimate(request)
        assert server.calls == 0
        report = judge(request)
        assert (found.cases, found.calls, found.cached) == (CASES, report.spent.calls, 0)
        assert found.prompt_characters == pytest.approx(server.prompt_characters, rel=0.05)
        assert found.cost >= report.spent.cost
        again = estimate(request)
    assert (again.calls, again.cached, again.cost) == (0, 2 * CASES, 0.0)


def test_repeats_are_independent_questions(cases):
    with ChatServer(answer=judge_answer) as server:
        report = judge(request_for(server, cases, repeat=3))
        assert server.calls == 4 * CASES
        seeds = {one["body"]["seed"] for one in server.requests}
    assert seeds == {0, 100, 200}
    assert report.failed_verdicts == 0


def test_python_callers_get_results_costs_and_no_nan(cases):
    with ChatServer(answer=judge_answer, permanent={"第5号产品": "bad_request"}) as server:
        made = make_llm_judge(request_for(server, cases).config)
        rag.evaluate([msgspec.convert(case(99), rag.EvalCase)], judge=made)
        found = rag.evaluate((msgspec.convert(case(number), rag.EvalCase) for number in range(CASES)), judge=made)
    assert [one.id for one in found] == [f"c{number}" for number in range(CASES)]
    for one in found:
        for result in one.results.values():
            assert result.score is None or not math.isnan(result.score)
            assert (result.status == "scored") == (result.score is not None)
    assert found[0].results["faithfulness"].cost["calls"] == 2
    assert {found[5].results[name].status for name in ("faithfulness", "context_recall")} == {"failed"}


def test_a_case_that_breaks_the_code_is_one_failed_case(cases, monkeypatch):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases)
        monkeypatch.setattr(LlmJudge, "verdicts", broken_once(LlmJudge.verdicts))
        report = judge(request)
    assert (report.cases, report.cases_with_failures) == (CASES, 1)
    assert report.reasons == {"ZeroDivisionError: three": 1}


def broken_once(verdicts):
    async def replaced(self, queries):
        if "第3号" in queries[0].question:
            raise ZeroDivisionError("three")
        return await verdicts(self, queries)

    return replaced


def test_lines_that_are_no_cases_are_named_and_the_rest_goes_on(cases):
    with cases.open("a") as file:
        file.write('{"question": 5}\nnot json\n')
    with ChatServer(answer=judge_answer) as server:
        report = judge(request_for(server, cases))
    assert (report.cases, len(report.problems)) == (CASES, 2)
    assert "cases.jsonl:25: $.question" in report.problems[0]


def test_settings_that_cannot_be(cases, tmp_path):
    with pytest.raises(UsageError, match="the judge has no model; name it by --model"):
        judge(JudgeRequest((cases,), JudgeConfig(), tmp_path / "out.jsonl"))
    with pytest.raises(UsageError, match="repeat is 0; expected a number above 0"):
        judge(JudgeRequest((cases,), JudgeConfig(model="m", repeat=0), tmp_path / "out.jsonl"))
    with pytest.raises(UsageError, match="is a folder; expected the name of a file"):
        judge(JudgeRequest((cases,), JudgeConfig(model="m"), tmp_path))
    assert not list(tmp_path.glob("*.partial"))


def test_a_judge_may_be_asked_directly():
    async def main(server):
        made = make_llm_judge(JudgeConfig(model="m", base_url=server.base_url))
        try:
            return await made.claims([Passage("The fee is 2%.", "answer")])
        finally:
            await made.aclose()

    with ChatServer(answer=judge_answer) as server:
        [[claim]] = asyncio.run(main(server))
    assert claim.text == "The fee is 2%."


def test_turns_of_a_dialogue_are_cases_and_a_rubric_sees_the_turns_before(tmp_path):
    trace = write_lines(
        tmp_path / "dialog_trace.jsonl", dialog("d1", [turn(1, user_text="one"), turn(2, user_text="two")])
    )
    plain = [*recorded_cases([trace], [])]
    assert [(found.id, found.question, found.earlier_turns) for found in plain] == [
        ("d1:1", "one", []), ("d1:2", "two", []),
    ]  # fmt: skip
    second = [*recorded_cases([trace], [], earlier=True)][1]
    assert second.earlier_turns == ["user: one", f"assistant: {plain[0].answer}"]


def test_no_broken_judgements_are_left_when_stopped(cases, monkeypatch):
    def stop(_report):
        raise KeyboardInterrupt

    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, cases)
        with pytest.raises(KeyboardInterrupt):
            judge(request, stop)
        assert not request.out.exists()
        assert not list(cases.parent.glob("*.partial"))
        report = judge(request)
        assert (report.failed_verdicts, report.spent.calls < 2 * CASES) == (0, True)
