"""What a reply says besides the limits of the user that it keeps.

Who only says that a limit is kept ("20 % stay in cash", "no leverage, then") advises nothing of his own. What stands
beside it ("…and the rest goes into an equity fund") is advice like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.detectors.finance.protocol import Reading
from turnmark.schemas.evidence import Evidence

BLANK = "□"
"""Stands for each character of a limit that is kept."""

_SAID = frozenset((
    "line_recalled", "rule_recalled", "pattern", "refused", "negated", "advised_against", "conflict", "turned_away",
    "option_left",
))  # fmt: skip
"""Why a limit counts as kept where the words are about the limit itself, or turn away what it rules out."""
_MEASURED = frozenset(("max_drawdown.within", "cash_floor.within"))
"""Numbers within a limit that name no product either; a share of one is a recommendation of it."""


def beside_limits(reading: Reading, limits: Sequence[Evidence]) -> Reading | None:
    """The reply with the words blanked by which it keeps limits; None where it says so of none, or breaks one."""
    if any(piece.polarity == "violates" for piece in limits):
        return None
    kept = [piece for piece in limits if _is_said(piece.rule)]
    if not kept:
        return None
    reply = reading.reply
    for piece in kept:
        reply = reply[: piece.start] + BLANK * (piece.end - piece.start) + reply[piece.end :]
    return Reading(reply, reading.user_text, reading.profile)


def _is_said(rule: str) -> bool:
    kind, _, why = rule.removeprefix("finance.constraints.").rpartition(".")
    return why in _SAID or f"{kind}.{why}" in _MEASURED
