"""What is compared and how: what `compare` and the table of all systems are asked."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from turnmark.schemas.results.summary import IntervalMethod
from turnmark.stats.paired import DEFAULT_DRAWS
from turnmark.stats.resampling import DEFAULT_LEVEL, DEFAULT_SEED


class CompareRequest(NamedTuple):
    """What is compared and how; ``wanted`` is a difference for which the number of dialogues needed is told.

    ``language`` is that in which evidence of changed turns is worded.
    """

    runs: tuple[str | Path, ...]
    draws: int = DEFAULT_DRAWS
    seed: int = DEFAULT_SEED
    level: float = DEFAULT_LEVEL
    by: tuple[str, ...] = ()
    wanted: float | None = None
    intervals: IntervalMethod = "percentile"
    language: str = "en"
