"""The judges by name."""

from __future__ import annotations

from pathlib import Path

from turnmark.errors import UsageError
from turnmark.judges.protocol import Judge
from turnmark.judges.recorded import RecordedJudge
from turnmark.judges.rules.judge import RulesJudge

JUDGES = ("rules",)
"""Judges that answer whatever they are asked; ``judged`` only says again what was judged."""


def make_judge(name: str, file: Path | None = None) -> Judge:
    """A judge by name.

    ``file`` holds weights that ``turnmark calibrate`` wrote (rules) or judgements of ``turnmark judge`` (judged).

    Raises: UsageError naming the judges that exist, or when the file cannot be read.
    """
    if name == "rules":
        return RulesJudge(file)
    if name != "judged":
        message = f"judge: expected one of {[*JUDGES, 'judged']}, found {name!r}"
        raise UsageError(message)
    if file is None:
        message = (
            "judged: expected a file of judgements, found none; write one with turnmark judge and name it by --pack"
        )
        raise UsageError(message)
    return RecordedJudge(file)
