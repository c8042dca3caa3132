"""Whether a benchmark measured what it says: the share of the lines of its input that were scored."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def scored_share(run: Path) -> float:
    """The share of a run's input lines that were scored, as its summary says; ends the benchmark unless it is all."""
    found = json.loads((run / "metrics_summary.json").read_bytes())["input"]
    return all_scored(f"lines of {run}", found["lines"] - found["rejected_lines"], found["lines"])


def all_scored(what: str, scored: int, given: int) -> float:
    """Print which share of something was scored; ends the benchmark unless it is all.

    What is refused or fails costs next to nothing, so that figures over it flatter.
    """
    share = scored / given if given else 0.0
    print(f"{what}: {scored} of {given} scored ({share:.0%})")
    if scored != given or not given:
        sys.exit(f"{what}: expected all to be scored, found {given - scored} refused or failed of {given}")
    return share
