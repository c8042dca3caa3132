import asyncio

import pytest

from turnmark.llm.breaker import CircuitBreaker
from turnmark.llm.protocol import CallFailure

GONE = CallFailure("connection refused", kind="connection", retryable=True)
WRONG_KEY = CallFailure("HTTP 401", kind="http", status=401)


def test_a_few_calls_that_fail_for_ever_do_not_open_it():
    async def run():
        breaker = CircuitBreaker(failures=3)
        for _ in range(50):
            for call in ("a", "b"):
                breaker.failed(call, GONE, probe=await breaker.enter())
        return await breaker.enter()

    assert asyncio.run(run()) is False


def test_it_probes_one_at_a_time_and_gives_up_when_probes_fail():
    async def run():
        breaker = CircuitBreaker(failures=3, probes=2, first_pause=0.01)
        running = most = probes = 0
        refused = []

        async def call(number):
            nonlocal running, most, probes
            try:
                probe = await breaker.enter()
            except CallFailure as failure:
                refused.append(failure)
                return
            probes += probe
            running += 1
            most = max(most, running) if probe else most
            await asyncio.sleep(0)
            running -= 1
            breaker.failed(str(number), GONE, probe=probe)

        await asyncio.gather(*(call(number) for number in range(3)))
        await asyncio.gather(*(call(number) for number in range(3, 20)))
        return probes, most, refused, breaker.down

    probes, most, refused, down = asyncio.run(run())
    assert (probes, most, down, len(refused)) == (2, 1, True, 15)
    assert refused[0].kind == "endpoint_down"
    assert not refused[0].retryable
    assert "5 calls failed with no answer between, the last with: connection refused" in str(refused[0])


def test_an_answer_closes_it():
    async def run():
        breaker = CircuitBreaker(failures=2, first_pause=0.01)
        for call in "ab":
            breaker.failed(call, GONE, probe=await breaker.enter())
        waiting = [asyncio.ensure_future(breaker.enter()) for _ in range(4)]
        await asyncio.sleep(0.05)
        assert [task.done() for task in waiting] == [True, False, False, False]
        breaker.answered(probe=waiting[0].result())
        return [await task for task in waiting]

    assert asyncio.run(run()) == [True, False, False, False]


def test_what_no_wait_will_mend_needs_no_probes():
    async def run():
        breaker = CircuitBreaker(failures=2, first_pause=60)
        for call in "ab":
            breaker.failed(call, WRONG_KEY, probe=await breaker.enter())
        with pytest.raises(CallFailure, match="HTTP 401"):
            await breaker.enter()

    asyncio.run(run())


def test_a_cancelled_probe_lets_the_next_one_go():
    async def run():
        breaker = CircuitBreaker(failures=1, first_pause=0.05)
        breaker.failed("a", GONE, probe=await breaker.enter())
        first = asyncio.ensure_future(breaker.enter())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        probe = await breaker.enter()
        breaker.left(probe=probe)
        return probe, await breaker.enter()

    assert asyncio.run(run()) == (True, True)
