import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnmark.errors import UsageError
from turnmark.llm.limits import Limiter


class Clock:
    """Time that a test moves."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


async def blocked(coroutine):
    """Whether a coroutine is still waiting after everything else had its turn; it is cancelled then."""
    task = asyncio.ensure_future(coroutine)
    for _ in range(5):
        await asyncio.sleep(0)
    if task.done():
        await task
        return False
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return True


def test_no_more_calls_at_once_than_allowed_and_first_come_first_served():
    async def run():
        limiter = Limiter(concurrency=3)
        order, most = [], 0

        async def call(number):
            nonlocal most
            await limiter.acquire()
            order.append(number)
            most = max(most, limiter.running)
            await asyncio.sleep(0)
            limiter.release()

        await asyncio.gather(*(call(number) for number in range(20)))
        return order, most, limiter.running

    assert asyncio.run(run()) == (list(range(20)), 3, 0)


def test_a_429_halves_once_for_all_calls_under_way_and_successes_bring_it_back():
    async def run():
        limiter = Limiter(concurrency=8)
        for _ in range(8):
            await limiter.acquire()
        for _ in range(8):
            limiter.release(throttled=True)
        after_burst = limiter.allowed
        assert await limiter.acquire() is None
        limiter.release(throttled=True)
        after_second = limiter.allowed
        for _ in range(30):
            await limiter.acquire()
            limiter.release()
        return after_burst, after_second, limiter.allowed

    assert asyncio.run(run()) == (4, 2, 8)


@settings(max_examples=40)
@given(st.lists(st.booleans(), max_size=60))
def test_the_number_of_calls_stays_between_one_and_the_limit(outcomes):
    async def run():
        limiter = Limiter(concurrency=6)
        for throttled in outcomes:
            await limiter.acquire()
            limiter.release(throttled=throttled)
            assert 1 <= limiter.allowed <= 6

    asyncio.run(run())


def test_retry_after_holds_every_new_call():
    async def run():
        clock = Clock()
        limiter = Limiter(concurrency=8, clock=clock)
        await limiter.acquire()
        limiter.release(throttled=True, retry_after=5)
        clock.now += 4.9
        early = await blocked(limiter.acquire())
        clock.now += 0.2
        return early, await blocked(limiter.acquire())

    assert asyncio.run(run()) == (True, False)


def test_requests_a_minute_are_spread_evenly():
    async def run():
        clock = Clock()
        limiter = Limiter(concurrency=1000, requests_per_minute=120, clock=clock)
        started = 0
        for _ in range(300):
            while not await blocked(limiter.acquire()):
                started += 1
            clock.now += 0.2
        return started

    # 120 in the minute, and two that the full bucket held at its start.
    assert 118 <= asyncio.run(run()) <= 122


def test_tokens_a_minute_hold_on_average_and_what_is_bigger_than_the_bucket_passes():
    async def run():
        clock = Clock()
        limiter = Limiter(concurrency=1000, tokens_per_minute=6000, clock=clock)
        used = 0
        for _ in range(300):
            while not await blocked(limiter.acquire(500)):
                used += 500
            clock.now += 0.2
        return used

    assert 5500 <= asyncio.run(run()) <= 6600


def test_tokens_are_put_right_when_a_call_ends():
    async def run():
        clock = Clock()
        limiter = Limiter(tokens_per_minute=6000, clock=clock)
        await limiter.acquire(100)
        assert await blocked(limiter.acquire(100))
        limiter.release(tokens=0, estimated=100)
        return await blocked(limiter.acquire(100))

    assert asyncio.run(run()) is False


def test_waiting_ends_by_the_clock():
    async def run():
        limiter = Limiter(concurrency=2, requests_per_minute=1200)
        loop = asyncio.get_running_loop()
        started = loop.time()
        for _ in range(24):
            await limiter.acquire()
            limiter.release()
        return loop.time() - started

    # A full bucket holds 20, the other four come 50 ms apart.
    assert 0.15 < asyncio.run(run()) < 1.0


def test_a_cancelled_wait_leaves_the_queue_intact():
    async def run():
        limiter = Limiter(concurrency=1)
        await limiter.acquire()
        assert await blocked(limiter.acquire())
        limiter.release()
        return await blocked(limiter.acquire())

    assert asyncio.run(run()) is False


def test_mean_concurrency_is_the_area_over_the_time():
    async def run():
        clock = Clock()
        limiter = Limiter(concurrency=4, clock=clock)
        assert limiter.mean_concurrency == 0.0
        await limiter.acquire()
        clock.now += 1
        await limiter.acquire()
        clock.now += 1
        limiter.release()
        limiter.release()
        return limiter.mean_concurrency

    assert asyncio.run(run()) == 1.5


@pytest.mark.parametrize("setting", ["concurrency", "requests_per_minute", "tokens_per_minute"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_limits_must_be_positive(setting, value):
    with pytest.raises(UsageError, match=f"{setting} is .*; expected a number above 0"):
        Limiter(**{setting: value})
