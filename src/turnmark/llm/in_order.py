"""Many things at work at once, with results in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""Things begun or done for each that may be at work: enough that a slow one at the front keeps nobody waiting."""

SPARE = 2
"""Things at work beside one for each call, to fill the moments in which one has no call under way."""


async def in_order(items: Iterable[T], work: Callable[[T], Awaitable[R]], at_once: int) -> AsyncIterator[R]:
    """What ``work`` makes of every item, in order.

    ``at_once`` are at work at a time, each to its end, so that a budget that runs out leaves few half done. Memory does
    not grow with the number of items.
    """
    pending: deque[asyncio.Task[R]] = deque()
    places = asyncio.Semaphore(at_once)

    async def place(item: T) -> R:
        async with places:
            return await work(item)

    try:
        for item in items:
            pending.append(asyncio.create_task(place(item)))
            if len(pending) >= _AHEAD * at_once:
                yield await pending.popleft()
        while pending:
            yield await pending.popleft()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
