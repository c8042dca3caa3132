"""Batches of lines handed to workers, in this process or in others; results in order, also when a worker is killed.

Each worker process has a pipe of its own, held by a thread of this process. Those of the standard library share one: a
process that is killed in the middle of an answer leaves a lock taken and half a message, and all others wait for ever.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal, NamedTuple

from turnmark.errors import DataError
from turnmark.pipeline.scoring.worker import Batch, BatchResult, ScoreRequest, Worker
from turnmark.schemas.jsonl import Line
from turnmark.suites.protocol import Suite

_BATCHES_AHEAD = 3
_MOST_DEATHS = 4
"""Workers that may die over the same lines before these are what kills them."""


Results = Callable[[Iterator[Batch]], Iterator[tuple[Batch, BatchResult]]]
"""Batches with what they gave, in order."""


@contextmanager
def workers(request: ScoreRequest, suite: Suite) -> Iterator[Results]:
    """What scores batches: one worker in this process, more in processes of their own, which start at once.

    The number of batches under way is bounded. What a worker gives back does not hold the lines: they are here.
    Taking results raises DataError when workers die over the same lines again and again.
    """
    if request.workers == 1:
        worker = Worker(request, suite, alone=True)
        yield lambda batches: ((batch, worker.score(batch)) for batch in batches)
        return
    pool = _Pool(request, suite)
    try:
        yield pool.results
    finally:
        pool.close()


class _Process(NamedTuple):
    """A worker process and this end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Pool:
    """Worker processes, and new ones when some are killed: by the system for want of memory, by a person, by a fault.

    The lines that a killed process had go to the new one, so that the results are the same.

    The first processes are forked where that is safe: they have the suite that is loaded here. Later there are threads,
    one of which may hold a lock at any moment, which a forked process would never see released.
    """

    def __init__(self, request: ScoreRequest, suite: Suite) -> None:
        self._request = request
        self._closed = False
        self._threads = ThreadPoolExecutor(request.workers, "worker")
        self._idle: queue.SimpleQueue[_Process | None] = queue.SimpleQueue()
        self._started: list[_Process] = []
        for _ in range(request.workers):
            # Those that cannot be forked are started when they are first needed.
            self._idle.put(self._start("fork", suite) if _may_fork() else None)

    def results(self, batches: Iterator[Batch]) -> Iterator[tuple[Batch, BatchResult]]:
        """See `workers`."""
        under_way: deque[tuple[Batch, Future[BatchResult]]] = deque()
        for batch in batches:
            under_way.append((batch, self.submit(batch)))
            if len(under_way) >= self._request.workers * _BATCHES_AHEAD:
                first, result = under_way.popleft()
                yield first, result.result()
        for first, result in under_way:
            yield first, result.result()

    def submit(self, batch: Batch) -> Future[BatchResult]:
        """Hand a batch out; lines travel as the bytes that they are."""
        lines: Batch = [line._replace(record=None) if isinstance(line, Line) else line for line in batch]
        return self._threads.submit(self._scored, lines)

    def close(self) -> None:
        """End processes and threads, whatever they are at."""
        self._closed = True
        for worker in self._started:
            worker.process.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._started:
            worker.end()

    def _scored(self, batch: Batch) -> BatchResult:
        worker = self._idle.get()
        try:
            for _ in range(_MOST_DEATHS):
                if worker is None:
                    worker = self._start("spawn", None)
                result: BatchResult
                try:
                    worker.pipe.send(batch)
                    result, error = worker.pipe.recv()
                except (EOFError, OSError):
                    if self._closed:
                        return []
                    worker.end()
                    self._started.remove(worker)
                    worker = None
                    continue
                if error is not None:
                    raise error
                return result
            raise DataError(_killed(batch, _MOST_DEATHS))
        finally:
            self._idle.put(worker)

    def _start(self, method: Literal["fork", "spawn"], suite: Suite | None) -> _Process:
        context: Any = multiprocessing.get_context(method)
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(self._request, theirs, suite), daemon=True)
        process.start()
        theirs.close()  # held here, it would keep a read from ending when the process does
        worker = _Process(process, ours)
        self._started.append(worker)
        if self._closed:
            process.kill()
        return worker


def _may_fork() -> bool:
    """Whether this process may be forked: where the system's own libraries bear it, and while it has one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def serve(request: ScoreRequest, pipe: Any, suite: Suite | None) -> None:
    """The life of a worker process: score batches until nobody sends any more. Without a suite it loads its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that reads, which ends this one
    worker = Worker(request, request.make_suite() if suite is None else suite)
    while True:
        try:
            batch = pipe.recv()
        except EOFError:
            return
        answer: tuple[BatchResult | None, Exception | None]
        try:
            answer = worker.score(batch), None
        except Exception as error:  # noqa: BLE001 - raised again where the results are taken
            answer = None, error
        pipe.send(answer)


def _killed(batch: Batch, times: int) -> str:
    lines = [line for line in batch if isinstance(line, Line)]
    where = f"{lines[0].file}:{lines[0].number} to {lines[-1].file}:{lines[-1].number}" if lines else "no lines"
    return (
        f"{where}: worker processes were killed {times} times while these lines were scored, most likely for want of "
        "memory; nothing was written; run again with fewer --workers"
    )
