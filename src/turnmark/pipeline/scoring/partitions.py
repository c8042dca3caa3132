"""Scoring by an engine of one's own: partitions of the input in, shards out, merged in order by `merge`.

A partition is a list of lines, a shard what these gave: rows, evidence and sums of each dialogue. Both can be pickled.
`score` itself works in this way, with its own worker processes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from turnmark.pipeline.scoring.checked import checked_suite
from turnmark.pipeline.scoring.run_naming import Source
from turnmark.pipeline.scoring.worker import Batch, BatchResult, ScoreRequest, Worker
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem
from turnmark.suites.protocol import Suite

PARTITION_BYTES = 1 << 18
"""About a quarter megabyte of lines: a tenth of a second to a second of work."""


class Shard(NamedTuple):
    """The lines of a partition and what they gave; shards are merged in the order of their partitions."""

    lines: Batch
    results: BatchResult


def partitions(request: ScoreRequest, size: int = PARTITION_BYTES) -> Iterator[Batch]:
    """The input of a request in parts of about ``size`` bytes, read as they are asked for.

    The request is checked, and its suite loaded, at the call: pools read the parts in a thread of their own, and two
    threads must not load rules at once.

    Raises: UsageError for a request that cannot be; DataError when a file cannot be opened, as it is read.
    """
    suite = checked_suite(request, None)
    batches = grouped([Source(path, suite) for path in request.traces], size)
    # What this process decoded already does not travel.
    return ([line._replace(record=None) if isinstance(line, Line) else line for line in batch] for batch in batches)


def grouped(sources: list[Source], size: int = PARTITION_BYTES) -> Iterator[Batch]:
    """The lines of all sources by about ``size`` bytes; problems travel with them, so that they keep their order."""
    batch: Batch = []
    held = 0
    for source in sources:
        for line in source:
            batch.append(line)
            held += 0 if isinstance(line, Problem) else len(line.raw)
            if held >= size:
                yield batch
                batch, held = [], 0
    if batch:
        yield batch


def score_partition(request: ScoreRequest, lines: Batch) -> Shard:
    """Score the lines of one partition, in any process and any order; the same lines give the same shard.

    Rules and words are loaded at the first call in a process and kept for the request. Raises: UsageError and PackError
    for a request that cannot be.
    """
    return Shard(lines, _worker(request, _files(request)).score(lines))


@functools.lru_cache(maxsize=1)
def _worker(request: ScoreRequest, files: tuple[tuple[int, int], ...]) -> Worker:  # noqa: ARG001 - tells when to load anew
    suite: Suite = request.make_suite()
    return Worker(request, suite)


def _files(request: ScoreRequest) -> tuple[tuple[int, int], ...]:
    """Time and size of what a worker reads once: processes of a cluster live longer than one run."""
    paths: tuple[Path, ...] = (*request.packs, *([request.dataset] if request.dataset else []))
    return tuple((status.st_mtime_ns, status.st_size) for status in map(Path.stat, paths))
