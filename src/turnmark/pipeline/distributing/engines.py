"""What runs a function over partitions elsewhere and gives what came of each, in order."""

from __future__ import annotations

import collections
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Literal, Protocol, TypeVar

from turnmark.errors import DataError, MissingExtraError

T = TypeVar("T")
R = TypeVar("R")
EngineName = Literal["local", "ray"]


class Engine(Protocol):
    """A place where functions run. It takes arguments as they are needed, a bounded number ahead."""

    def map(self, function: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        """What the function gives for each argument, in order."""


class LocalEngine:
    """Processes of this machine; with one worker, the process that asks."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers

    def map(self, function: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        """Two arguments a process are under way at once. Raises: DataError when a process is killed."""
        if self._workers == 1:
            yield from map(function, arguments)
            return
        with ProcessPoolExecutor(self._workers, mp_context=get_context("spawn")) as pool:
            try:
                yield from _in_order(
                    lambda argument: pool.submit(function, argument), Future.result, arguments, 2 * self._workers
                )
            except BrokenProcessPool as error:
                message = (
                    "a worker process was killed; what was done is kept with --parts: start the same command again"
                )
                raise DataError(message) from error


class RayEngine:
    """A Ray cluster: the one at ``RAY_ADDRESS``, else one of ``workers`` processes on this machine.

    A task whose worker dies is tried again on another, three times. Ray's report of its own use is switched off.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def map(self, function: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        """Two tasks a processor are under way at once. Raises: MissingExtraError without Ray."""
        ray = _ray()
        started = not ray.is_initialized()
        if started:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            if os.environ.get("RAY_ADDRESS"):
                ray.init(address="auto", log_to_driver=False)
            else:
                ray.init(num_cpus=self._workers, include_dashboard=False, log_to_driver=False)
        try:
            task, shared = ray.remote(_call).options(max_retries=3), ray.put(function)
            ahead = 2 * max(1, int(ray.cluster_resources().get("CPU", self._workers)))
            yield from _in_order(lambda argument: task.remote(shared, argument), ray.get, arguments, ahead)
        finally:
            if started:
                ray.shutdown()


def _call(function: Callable[[T], R], argument: T) -> R:
    """A task of Ray, which takes plain functions only."""
    return function(argument)


def engine(name: EngineName, workers: int) -> Engine:
    """An engine by name. Raises: MissingExtraError when its package is not installed."""
    if name == "ray":
        _ray()
        return RayEngine(workers)
    return LocalEngine(workers)


def _in_order(
    submit: Callable[[Any], Any], result: Callable[[Any], Any], arguments: Iterable[Any], ahead: int
) -> Iterator[Any]:
    """What was submitted for each argument, in order; ``ahead`` are under way at once."""
    rest = iter(arguments)
    waiting = collections.deque(map(submit, itertools.islice(rest, ahead)))
    while waiting:
        yield result(waiting.popleft())
        waiting.extend(map(submit, itertools.islice(rest, 1)))


def _ray() -> Any:
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "--engine ray needs Ray: pip install 'turnmark[ray]'"
        raise MissingExtraError(message) from error
    return ray
