"""Score by an engine of your own: a process pool, Dask, Ray or whatever runs functions elsewhere.

`partitions` cuts the input of a `ScoreRequest` into lists of lines, `score_partition` makes a `Shard` of one, anywhere
and in any order, and `merge` writes the run folder of all shards, given in the order of their partitions: the same
bytes as ``turnmark score`` gives. Requests, partitions and shards can be pickled. docs/python.md has an example each.

>>> from pathlib import Path
>>> from turnmark.engine import ScoreRequest
>>> ScoreRequest((Path("dialog_trace.jsonl"),), suite="finance").workers
1
"""

from __future__ import annotations

from turnmark.pipeline.scoring.partitions import Shard, partitions, score_partition
from turnmark.pipeline.scoring.score import ScoreResult, merge
from turnmark.pipeline.scoring.worker import ScoreRequest

__all__ = ["ScoreRequest", "ScoreResult", "Shard", "merge", "partitions", "score_partition"]
