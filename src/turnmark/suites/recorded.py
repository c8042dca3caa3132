"""Which of the user's packs are judgements of ``turnmark judge``: the others are rules, words or weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.judges.recorded import Judgement, RecordedJudge
from turnmark.schemas.jsonl import Line, read_lines


def is_judgements(path: Path) -> bool:
    """Whether a file begins as one that ``turnmark judge`` wrote."""
    if not path.is_file():
        return False
    try:
        first = next(iter(read_lines(path)), None)
        return isinstance(first, Line) and msgspec.json.decode(first.raw, type=Judgement).judge is not None
    except (DataError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def refuse_other_support(judge: RecordedJudge, *, earlier_turns: bool) -> None:
    """Raises: UsageError when a model was shown other material than scoring is asked to count."""
    if judge.earlier_turns != earlier_turns:
        how, advice = ("with", "score so too") if judge.earlier_turns else ("without", "leave it out, or judge anew")
        message = f"--earlier-turns: the answers were judged {how} --earlier-turns; {advice}"
        raise UsageError(message)


def recorded(packs: Sequence[Path], suite: str) -> tuple[RecordedJudge, tuple[Path, ...]]:
    """The judgements among the packs of a suite, and the other packs.

    Raises: UsageError when there are none or several, or they are not for this suite.
    """
    files = [path for path in packs if is_judgements(path)]
    if len(files) != 1:
        message = (
            f"--detect judged: expected one file of judgements among --pack, found {len(files)}; write one with "
            f"turnmark judge --suite {suite}"
        )
        raise UsageError(message)
    return RecordedJudge(files[0], suite), tuple(path for path in packs if path != files[0])
