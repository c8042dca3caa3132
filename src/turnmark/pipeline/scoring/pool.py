"""Batches of lines handed to workers, in this process or in others; results in order, also when a worker is killed."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from turnmark.errors import DataError
from turnmark.pipeline.scoring.worker import Batch, BatchResult, ScoreRequest, Worker, score_batch, start_worker
from turnmark.schemas.jsonl import Line
from turnmark.suites.protocol import Suite

_BATCHES_AHEAD = 3
_MOST_DEATHS = 4
"""Workers that may die over the same lines before these are what kills them."""


class _UnderWay(NamedTuple):
    batch: Batch
    result: Future[BatchResult]


def results(request: ScoreRequest, suite: Suite, batches: Iterator[Batch]) -> Iterator[tuple[Batch, BatchResult]]:
    """Batches with what they gave, in order; one worker works in this process, more in a pool of processes.

    The number of batches under way is bounded. What a worker gives back does not hold the lines: they are here.

    Raises: DataError when workers die over the same lines again and again.
    """
    if request.workers == 1:
        worker = Worker(request, suite, alone=True)
        for batch in batches:
            yield batch, worker.score(batch)
        return
    pool = _Pool(request)
    try:
        for batch in batches:
            pool.submit(batch)
            if len(pool.under_way) >= request.workers * _BATCHES_AHEAD:
                yield pool.first()
        while pool.under_way:
            yield pool.first()
    finally:
        pool.close()


class _Pool:
    """Worker processes, and new ones when some are killed: by the system for want of memory, by a person, by a fault.

    A process that ends ends its pool; the batches under way go to the next one, so that the results are the same.
    """

    def __init__(self, request: ScoreRequest) -> None:
        self._request = request
        self._deaths = 0
        self._executor = self._started()
        self.under_way: deque[_UnderWay] = deque()

    def submit(self, batch: Batch) -> None:
        """Hand a batch out."""
        try:
            self.under_way.append(_UnderWay(batch, self._executor.submit(score_batch, batch)))
        except BrokenProcessPool:
            self._begin_anew(batch)
            self.under_way.append(_UnderWay(batch, self._executor.submit(score_batch, batch)))

    def first(self) -> tuple[Batch, BatchResult]:
        """The batch that has waited longest, with its result."""
        while True:
            batch, result = self.under_way[0]
            try:
                found = result.result()
            except BrokenProcessPool:
                self._begin_anew(batch)
                continue
            self.under_way.popleft()
            self._deaths = 0
            return batch, found

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._request.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=start_worker,
            initargs=(self._request,),
        )

    def _begin_anew(self, batch: Batch) -> None:
        """Give what is not done to fresh processes. Raises: DataError when that was tried often enough."""
        self._deaths += 1
        if self._deaths >= _MOST_DEATHS:
            raise DataError(_killed(batch, self._deaths))
        self.close()
        self._executor = self._started()
        self.under_way = deque(
            one if _done(one.result) else _UnderWay(one.batch, self._executor.submit(score_batch, one.batch))
            for one in self.under_way
        )


def _done(result: Future[BatchResult]) -> bool:
    return result.done() and not result.cancelled() and result.exception() is None


def _killed(batch: Batch, times: int) -> str:
    lines = [line for line in batch if isinstance(line, Line)]
    where = f"{lines[0].file}:{lines[0].number} to {lines[-1].file}:{lines[-1].number}" if lines else "no lines"
    return (
        f"{where}: worker processes were killed {times} times while these lines were scored, most likely for want of "
        "memory; nothing was written; run again with fewer --workers"
    )
