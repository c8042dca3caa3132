"""Whether a benchmark measured what it says: the share of the lines of its input that were scored."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def scored_share(run: Path) -> float:
    """The share of a run's input lines that were scored, as its summary says; ends the benchmark unless it is all.

    A line that is refused costs next to nothing, so that figures over refused lines flatter.
    """
    found = json.loads((run / "metrics_summary.json").read_bytes())["input"]
    share = 1 - found["rejected_lines"] / found["lines"]
    print(f"{run.name}: {found['lines'] - found['rejected_lines']} of {found['lines']} lines scored ({share:.0%})")
    if found["rejected_lines"]:
        sys.exit(f"{run}: {found['rejected_lines']} lines were refused; see problems.jsonl there")
    return share
