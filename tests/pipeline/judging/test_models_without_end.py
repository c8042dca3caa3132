"""Models and endpoints that would keep a judge busy for ever: it ends, says why, and goes on when run again."""

import json
import time

import pytest

from building import write_lines
from servers.chat_server import ChatServer
from servers.judge_answers import judge_answer
from turnmark.judges.llm.config import JudgeConfig
from turnmark.llm.openai import most_tokens
from turnmark.pipeline.judging.judge import estimate, judge
from turnmark.suites.judging import JudgeRequest


def case(number):
    return {
        "id": f"c{number}", "question": f"What does fund {number} cost?",
        "answer": f"Fund {number} costs {number}% a year.",
        "retrieved_contexts": [f"Fund {number} costs {number}% a year."],
    }  # fmt: skip


@pytest.fixture
def request_for(tmp_path):
    def make(server, count=30, **settings):
        cases = tmp_path / "cases.jsonl"
        write_lines(cases, *[case(number) for number in range(count)])
        config = JudgeConfig(
            model="m", base_url=server.base_url, **{"first_wait": 0.01, "timeout": 1.0, "concurrency": 2} | settings
        )
        return JudgeRequest((cases,), config, tmp_path / "out" / "judgements.jsonl", ("faithfulness",))

    return make


def test_answers_have_an_end_by_default_and_keep_their_place_in_the_cache(request_for):
    with ChatServer(answer=judge_answer) as server:
        judge(request_for(server, 1))
        limits = [one["body"]["max_tokens"] for one in server.requests]
        assert min(limits) >= most_tokens(60)
        judge(request_for(server, 1, max_tokens=5000))
        assert server.requests[-1]["body"]["max_tokens"] == 5000


def test_a_model_that_knows_the_limit_by_its_newer_name(request_for):
    class Newer(ChatServer):
        async def _completion(self, writer, body, fault):
            if "max_tokens" in body:
                said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
                return await self._send(writer, 400, {"error": {"message": said}})
            return await super()._completion(writer, body, fault)

    with Newer(answer=judge_answer) as server:
        report = judge(request_for(server, 3))
    assert (report.failed_verdicts, report.reasons) == (0, {})
    assert server.requests[-1]["body"]["max_completion_tokens"] >= most_tokens(60)


def test_a_call_that_timed_out_is_made_once_more_and_not_five_times(request_for):
    with ChatServer(answer=judge_answer, faults={"hang": 1.0}, hang=600) as server:
        started = time.monotonic()
        report = judge(request_for(server, 1, timeout=0.3))
    assert server.calls == 2
    assert time.monotonic() - started < 300
    assert any("no whole answer in 0.3 s (after 2 attempts)" in reason for reason in report.reasons)


def test_an_answer_that_was_cut_off_says_what_to_raise(request_for):
    def cut(_body):
        return "x" * 90

    with ChatServer(answer=cut, faults={"length": 1.0}) as server:
        report = judge(request_for(server, 1))
    assert any("it was cut off after" in reason and "raise max_tokens" in reason for reason in report.reasons)


def test_a_model_that_returns_prose_ends_the_run_and_the_next_run_goes_on(request_for):
    with ChatServer(answer=lambda _body: "I would say that this is fine.") as server:
        expected = estimate(request_for(server)).calls
        report = judge(request_for(server))
        assert server.calls <= 15 < expected
    assert report.gave_up.startswith("3 questions one after the other got no answer that can be read")
    with ChatServer(answer=judge_answer) as server:
        again = judge(request_for(server))
    assert (again.gave_up, again.failed_verdicts) == (None, 0)


@pytest.mark.parametrize("retry_after", ["inf", "86400", "1e300", "-1", "ten"])
def test_waits_without_end_are_not_waited(request_for, retry_after):
    with ChatServer(answer=judge_answer, faults={"rate_limit": 1.0}, retry_after=retry_after) as server:
        started = time.monotonic()
        report = judge(request_for(server, tries=2))
        assert time.monotonic() - started < 300
        assert server.calls <= 2 * 12
    assert report.gave_up.startswith("the endpoint is down: 10 calls failed")
    assert "slow down" in report.gave_up


def test_an_estimate_leaves_nothing_behind(request_for):
    with ChatServer(answer=judge_answer) as server:
        request = request_for(server, 3)
        assert estimate(request).calls > 0
        assert not request.out.parent.exists()
        judge(request)
        before = sorted(path.name for path in request.out.parent.iterdir())
        assert estimate(request).calls == 0
    assert sorted(path.name for path in request.out.parent.iterdir()) == before
    assert json.loads(request.out.read_text().splitlines()[0])
