import asyncio
import json
import time

import pytest

from servers.chat_server import TRANSPORT_FAULTS, ChatServer
from turnmark.llm.breaker import CircuitBreaker
from turnmark.llm.budget import Budget, Prices
from turnmark.llm.cache import AnswerCache
from turnmark.llm.client import ChatClient, UnreadableAnswerError
from turnmark.llm.limits import Limiter
from turnmark.llm.openai import ChatSettings, OpenAIEndpoint
from turnmark.llm.protocol import CallFailure, ChatRequest, Completion, Message
from turnmark.llm.retry import RetryPolicy
from turnmark.llm.scripted import ScriptedEndpoint

QUICK = RetryPolicy(first_wait=0.001, longest_wait=0.01)
LATER = CallFailure("HTTP 503", kind="http", retryable=True, status=503)
SLOW_DOWN = CallFailure("HTTP 429", kind="rate_limit", retryable=True, retry_after=0.05, status=429)
NEVER = CallFailure("HTTP 400: too long", kind="http", status=400)


def ask(text="q", **settings):
    return ChatRequest(messages=(Message("user", text),), **settings)


def text_of(completion):
    return completion.text


def number_of(completion):
    try:
        return int(completion.text)
    except ValueError:
        message = f"expected a number, found {completion.text!r}"
        raise UnreadableAnswerError(message) from None


def run(endpoint, *requests, read=text_of, ask_again=None, **parts):
    """The client, and for each request, asked one after the other, the answer or the failure."""

    async def main():
        client = ChatClient(endpoint, **{"retry": QUICK} | parts)
        found = []
        for request in requests:
            try:
                found.append(await client.ask(request, read, ask_again))
            except CallFailure as failure:
                found.append(failure)
        return client, found

    return asyncio.run(main())


def test_failures_that_may_pass_are_tried_again():
    client, [answer] = run(ScriptedEndpoint([LATER, SLOW_DOWN, "yes"]), ask())
    assert answer.value == "yes"
    assert answer.spent.calls == client.spent.calls == 3


def test_retry_after_is_waited_for():
    started = time.monotonic()
    run(ScriptedEndpoint([SLOW_DOWN, "yes"]), ask())
    assert time.monotonic() - started >= 0.05


def test_failures_that_will_not_pass_are_not():
    endpoint = ScriptedEndpoint([NEVER, "never reached"])
    _, [failure] = run(endpoint, ask())
    assert failure is NEVER
    assert len(endpoint.requests) == 1


def test_attempts_have_an_end_that_is_named():
    endpoint = ScriptedEndpoint(lambda _: LATER)
    _, [failure] = run(endpoint, ask(), retry=RetryPolicy(tries=3, first_wait=0.001))
    assert str(failure) == "HTTP 503 (after 3 attempts)"
    assert (failure.kind, failure.status, len(endpoint.requests)) == ("http", 503, 3)


def test_a_wait_that_passes_the_deadline_is_not_begun():
    patient = CallFailure("HTTP 429", kind="rate_limit", retryable=True, retry_after=3600)
    started = time.monotonic()
    _, [failure] = run(ScriptedEndpoint([patient]), ask(), retry=RetryPolicy(deadline=60))
    assert failure is patient
    assert time.monotonic() - started < 300


def test_an_attempt_has_its_time():
    _, [failure] = run(ScriptedEndpoint(["late"], latency=5), ask(), retry=RetryPolicy(tries=1), timeout=0.02)
    assert (failure.kind, str(failure)) == ("timeout", "no whole answer in 0.02 s")


def test_queueing_does_not_use_up_the_deadline():
    async def main():
        endpoint = ScriptedEndpoint(lambda _: "yes", latency=0.05)
        client = ChatClient(endpoint, limiter=Limiter(concurrency=1), retry=RetryPolicy(deadline=0.2))
        return await asyncio.gather(*(client.ask(ask(str(n)), text_of) for n in range(10)))

    assert [answer.value for answer in asyncio.run(main())] == ["yes"] * 10


def test_what_cannot_be_read_is_asked_again_with_another_seed():
    endpoint = ScriptedEndpoint(["none", "7"])
    _, [answer] = run(endpoint, ask(variation=10), read=number_of)
    assert answer.value == 7
    assert [request.variation for request in endpoint.requests] == [10, 11]


def test_or_in_the_words_of_the_caller():
    def ask_again(request, completion, reason):
        said = Message("assistant", completion.text), Message("user", reason)
        return ChatRequest(messages=request.messages + said)

    endpoint = ScriptedEndpoint(["none", "still none", "7"])
    _, [answer] = run(endpoint, ask(), read=number_of, ask_again=ask_again)
    assert answer.value == 7
    assert [message.content for message in endpoint.requests[2].messages] == [
        "q", "none", "expected a number, found 'none'", "still none", "expected a number, found 'still none'",
    ]  # fmt: skip


def test_an_answer_that_never_can_be_read_is_a_failure_with_its_reason():
    _, [failure] = run(ScriptedEndpoint(["a", "b", "c"]), ask(), read=number_of)
    assert (failure.kind, failure.retryable) == ("invalid_reply", False)
    assert str(failure) == "no answer of 3 could be read; the last: expected a number, found 'c'"


def test_good_answers_are_kept_and_bad_ones_never(tmp_path):
    path = tmp_path / "answers.sqlite"
    first = ScriptedEndpoint(["bad", "1", NEVER, "bad", "worse", "worst"])
    with AnswerCache(path) as cache:
        client, found = run(first, ask("a"), ask("b"), ask("c"), ask("a"), read=number_of, cache=cache)
        assert [answer.value for answer in (found[0], found[3])] == [1, 1]
        assert found[3].spent.cached == client.spent.cached == 1
        assert len(cache) == 1
    # A rerun asks only what is missing, although the first answer to "a" was bad.
    second = ScriptedEndpoint(["2", "3"])
    with AnswerCache(path) as cache:
        _, found = run(second, ask("a"), ask("b"), ask("c"), read=number_of, cache=cache)
        assert [answer.value for answer in found] == [1, 2, 3]
        assert [request.messages[0].content for request in second.requests] == ["b", "c"]


def test_a_kept_answer_that_cannot_be_read_any_more_is_asked_again(tmp_path):
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        run(ScriptedEndpoint(["words"]), ask(), cache=cache)
        _, [answer] = run(ScriptedEndpoint(["5"]), ask(), read=number_of, cache=cache)
        assert answer.value == 5
        _, [answer] = run(ScriptedEndpoint([]), ask(), read=number_of, cache=cache)
        assert answer.value == 5


def test_the_budget_stops_calls_but_not_kept_answers(tmp_path):
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        requests = [ask(str(number)) for number in range(5)]
        endpoint = ScriptedEndpoint(lambda _: "yes")
        client, found = run(endpoint, *requests, cache=cache, budget=Budget(max_calls=3))
        assert [getattr(answer, "kind", "ok") for answer in found] == ["ok", "ok", "ok", "budget", "budget"]
        assert len(endpoint.requests) == client.spent.calls == 3
        _, found = run(endpoint, *requests, cache=cache, budget=Budget(max_calls=2))
        assert [answer.value for answer in found] == ["yes"] * 5


def test_cost_is_what_the_endpoint_counted():
    said = Completion(text="yes", input_tokens=1000, output_tokens=10)
    prices = Prices(input=1.0, output=100.0)
    client, [answer] = run(ScriptedEndpoint([LATER, said]), ask(), budget=Budget(prices=prices))
    assert answer.spent.cost == client.spent.cost == pytest.approx(0.002)


def test_an_endpoint_that_is_down_ends_the_run():
    endpoint = ScriptedEndpoint(lambda _: LATER)

    async def main():
        breaker = CircuitBreaker(failures=4, probes=2, first_pause=0.01)
        client = ChatClient(endpoint, breaker=breaker, retry=RetryPolicy(tries=3, first_wait=0.001))
        return await asyncio.gather(*(client.ask(ask(str(n)), text_of) for n in range(300)), return_exceptions=True)

    failures = asyncio.run(main())
    assert {failure.kind for failure in failures} <= {"http", "endpoint_down"}
    assert failures[-1].kind == "endpoint_down"
    assert len(endpoint.requests) < 60


def test_a_cancelled_call_gives_everything_back():
    async def main():
        client = ChatClient(ScriptedEndpoint(["late", "yes"], latency=0.2), limiter=Limiter(concurrency=1))
        task = asyncio.ensure_future(client.ask(ask(), text_of))
        await asyncio.sleep(0.02)
        queued = asyncio.ensure_future(client.ask(ask("queued"), text_of))
        await asyncio.sleep(0.02)
        for cancelled in (queued, task):
            cancelled.cancel()
        await asyncio.gather(task, queued, return_exceptions=True)
        return client.limiter.running, (await client.ask(ask(), text_of)).value

    assert asyncio.run(main()) == (0, "yes")


def test_a_script_that_has_run_out_says_so_and_closing_reaches_the_endpoint(tmp_path):
    endpoint = ScriptedEndpoint([])
    client, [failure] = run(endpoint, ask(), cache=AnswerCache(tmp_path / "answers.sqlite"))
    assert "the script has 0 answers" in str(failure)
    assert client.description == {"model": "scripted"}
    asyncio.run(client.aclose())
    assert endpoint.closed


@pytest.mark.parametrize("stream", [False, True])
def test_with_every_fault_at_once_nothing_is_lost_and_a_second_run_asks_the_rest(tmp_path, stream):
    faults = dict.fromkeys((*TRANSPORT_FAULTS, "cut_answer"), 0.1)
    path = tmp_path / "answers.sqlite"

    def answer(body):
        return json.dumps({"said": body["messages"][-1]["content"]})

    def read(completion):
        try:
            return json.loads(completion.text)["said"]
        except ValueError as error:
            raise UnreadableAnswerError(str(error)) from None

    async def main(server, seconds):
        endpoint = OpenAIEndpoint(ChatSettings(model="m", base_url=server.base_url, stream=stream), {})
        client = ChatClient(
            endpoint, timeout=seconds, cache=AnswerCache(path), limiter=Limiter(concurrency=64),
            retry=RetryPolicy(first_wait=0.01, longest_wait=0.05, tries=3),
        )  # fmt: skip
        found = await asyncio.gather(*(client.ask(ask(f"{n}号"), read) for n in range(60)), return_exceptions=True)
        await client.aclose()
        return client.spent.calls, found

    with ChatServer(answer=answer, faults=faults, retry_after="0.02", hang=2, slow=2) as server:
        calls, found = asyncio.run(main(server, 0.5))
        assert set(server.injected) == set(faults)
        failures = [one for one in found if isinstance(one, BaseException)]
        assert all(isinstance(one, CallFailure) and str(one) for one in failures)
        assert 0 < len(failures) < 60
        assert calls > 60
        server.faults = {}
        calls, again = asyncio.run(main(server, 20))
    assert calls == len(failures)
    assert [one.value for one in again] == [f"{n}号" for n in range(60)]
