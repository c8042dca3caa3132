"""The judges by name."""

from __future__ import annotations

from pathlib import Path

from turnmark.errors import UsageError
from turnmark.judges.protocol import Judge
from turnmark.judges.rules.judge import RulesJudge

JUDGES = ("rules",)


def make_judge(name: str, weights: Path | None = None) -> Judge:
    """A judge by name; ``weights`` is a file that ``turnmark calibrate`` wrote.

    Raises: UsageError naming the judges that exist, or when the weights cannot be read.
    """
    if name != "rules":
        message = f"judge: expected one of {list(JUDGES)}, found {name!r}"
        raise UsageError(message)
    return RulesJudge(weights)
