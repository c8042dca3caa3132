"""A job: the partitions of a request scored by an engine, their shards kept, the run folder written of all."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from turnmark.pipeline.distributing.engines import Engine
from turnmark.pipeline.distributing.shards import Shards
from turnmark.pipeline.scoring.partitions import Shard, partitions, score_partition
from turnmark.pipeline.scoring.score import ScoreResult, merge
from turnmark.pipeline.scoring.worker import Batch, ScoreRequest

PARTITION_BYTES = 1 << 22
"""Lines of a partition that travels to another machine: four megabytes, about a thousand turns or a few."""


class _Task(NamedTuple):
    """A partition by its number; without lines where its shard is there already."""

    number: int
    lines: Batch | None


def score_job(
    request: ScoreRequest,
    engine: Engine,
    parts: str | None = None,
    *,
    size: int = PARTITION_BYTES,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreResult:
    """Score traces by an engine and write the run folder: the same bytes as `score` gives.

    ``parts`` is a folder (a path or a URL of fsspec that all workers reach) in which shards are kept as they are done:
    the same job started again scores only what is missing, whatever was killed. ``size`` are the bytes of lines in a
    partition; another size makes other partitions, whose shards are scored anew.

    Raises: as `score`; MissingExtraError without the package of the engine or of the folder.
    """
    shards = Shards(parts, request) if parts is not None else None
    cut = partitions(request, size)
    return merge(request, _shards(request, engine, shards, cut), progress)


def _shards(request: ScoreRequest, engine: Engine, shards: Shards | None, cut: Iterator[Batch]) -> Iterator[Shard]:
    """The shards in order. Lines of partitions under way are held here; those of shards kept elsewhere are not sent."""
    held: dict[int, Batch] = {}

    def tasks() -> Iterator[_Task]:
        for number, lines in enumerate(cut):
            held[number] = lines
            there = shards is not None and shards.has(number, lines)
            yield _Task(number, None if there else lines)

    for number, results in engine.map(functools.partial(_score, request, shards), tasks()):
        lines = held.pop(number)
        if results is not None:
            yield Shard(lines, results.results)
        else:
            # What was damaged since it was written is scored here. No name holds a shard while the next one is made.
            yield (shards and shards.load(number, lines)) or score_partition(request, lines)


def _score(request: ScoreRequest, shards: Shards | None, task: _Task) -> tuple[int, Shard | None]:
    """Score a partition; a shard that is kept does not travel back, what is read of it is what was written."""
    if task.lines is None:
        return task.number, None
    shard = score_partition(request, task.lines)
    if shards is None:
        return task.number, Shard([], shard.results)
    shards.commit(task.number, shard)
    return task.number, None
