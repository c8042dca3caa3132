"""Score by an engine of your own: a process pool, Dask, Ray or whatever runs functions elsewhere.

`partitions` cuts the input of a `ScoreRequest` into lists of lines, `score_partition` makes a `Shard` of one, anywhere
and in any order, and `merge` writes the run folder of all shards, given in the order of their partitions: the same
bytes as ``turnmark score`` gives. Requests, partitions and shards can be pickled. `score_job` does all
three, keeps shards in a folder or a store, and goes on with a job that was killed. docs/engines.md has examples.

>>> from pathlib import Path
>>> from turnmark.engine import ScoreRequest
>>> ScoreRequest((Path("dialog_trace.jsonl"),), suite="finance").workers
1
"""

from __future__ import annotations

from turnmark.pipeline.distributing.engines import LocalEngine, RayEngine
from turnmark.pipeline.distributing.job import score_job
from turnmark.pipeline.scoring.partitions import Shard, partitions, score_partition
from turnmark.pipeline.scoring.score import ScoreResult, merge
from turnmark.pipeline.scoring.worker import ScoreRequest

__all__ = [
    "LocalEngine", "RayEngine", "ScoreRequest", "ScoreResult", "Shard", "merge", "partitions", "score_job",
    "score_partition",
]  # fmt: skip
