"""Agents that do what agents in the wild do: forget, hang, crash, block, tell nonsense."""

# ruff: noqa: ARG002, RUF012 - agents ignore what they are told, and say what they were

import asyncio
import sys
import time

from turnmark.replay.protocol import AgentFailure, Reply, Usage


class Counting:
    """Deterministic, with state: how many turns it has seen and what was said before."""

    def __init__(self, dialog_id, observer):
        self.dialog_id = dialog_id
        self.observer = observer
        self.seen = []

    def handle_turn(self, user_text):
        before = len(self.seen)
        self.seen.append(user_text)
        self.observer.recall_done(query=user_text, items=[{"content": text} for text in self.seen[-3:-1]])
        return f"{self.dialog_id}: {before + 1} turns, {sum(map(len, self.seen))} characters so far"


class AsyncCounting(Counting):
    async def handle_turn(self, user_text):
        await asyncio.sleep(0)
        return Counting.handle_turn(self, user_text)


async def made_async(dialog_id, observer):
    await asyncio.sleep(0)
    return AsyncCounting(dialog_id, observer)


class Slow(Counting):
    """Takes a while, so that a kill finds it at work."""

    def handle_turn(self, user_text):
        time.sleep(0.01)
        return super().handle_turn(user_text)


class SlowAsync(AsyncCounting):
    async def handle_turn(self, user_text):
        await asyncio.sleep(0.05)
        return Counting.handle_turn(self, user_text)


def factory_that_fails():
    message = "no key for sk-abcdefghijklmnop1234"
    raise ConnectionError(message)


class NoAgent:
    """Has no handle_turn."""


class Failing:
    """Fails by what the user says."""

    def __init__(self):
        self.calls = 0

    def handle_turn(self, user_text):
        self.calls += 1
        if "raise" in user_text:
            message = "the model said no"
            raise ValueError(message)
        if "exit" in user_text:
            sys.exit(3)
        if "none" in user_text:
            return None
        if "wrong" in user_text:
            return Reply(text=3)
        if "for good" in user_text:
            message = "quota used up"
            raise AgentFailure(message, kind="http", status=403)
        if "once" in user_text and self.calls == 1:
            message = "too many"
            raise AgentFailure(message, kind="rate_limit", status=429, retryable=True, retry_after=0.01)
        if "always" in user_text:
            message = "still down"
            raise AgentFailure(message, kind="connection", retryable=True)
        if "patience" in user_text:
            message = "come back tomorrow"
            raise AgentFailure(message, kind="rate_limit", retryable=True, retry_after=86_400.0)
        return Reply(text=f"call {self.calls}", usage=Usage(input_tokens=7, output_tokens=5), cost=0.25, model="m-1")


class HangingOnce:
    """The first call takes longer than its time, the others do not."""

    seconds = 2.5

    def __init__(self):
        self.calls = 0

    def handle_turn(self, user_text):
        self.calls += 1
        if self.calls == 1:
            time.sleep(self.seconds)
        return f"call {self.calls}"


class HangingForGood(HangingOnce):
    seconds = 3600


class AsyncHanging:
    """Hangs in a way that can be cancelled."""

    def __init__(self):
        self.calls = 0

    async def handle_turn(self, user_text):
        self.calls += 1
        if self.calls == 1:
            await asyncio.sleep(3600)
        return f"call {self.calls}"


class RepeatableHanging(AsyncHanging):
    repeatable = True


class Blocking:
    """Async in name only: one dialogue blocks the loop that all share, for good."""

    def __init__(self, dialog_id):
        self.dialog_id = dialog_id

    async def handle_turn(self, user_text):
        if self.dialog_id == "d1":
            time.sleep(3600)  # noqa: ASYNC251 - that is the point
        return "fine"


class Closing:
    """Notes what it was given and that it was closed."""

    made = []

    def __init__(self, **given):
        self.given = given
        self.closed = False
        assert list(given["memory_dir"].iterdir()) == []
        (given["memory_dir"] / "notes").write_text(given["dialog_id"])
        Closing.made.append(self)

    def handle_turn(self, user_text):
        return (self.given["memory_dir"] / "notes").read_text()

    def close(self):
        self.closed = True
        message = "cannot even close"
        raise OSError(message)


class Chatty(Counting):
    def handle_turn(self, user_text):
        print("a log line on standard output")  # noqa: T201 - what agents in the wild do
        return super().handle_turn(user_text)
