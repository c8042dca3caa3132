"""An answer that is worked out: two tickets, a student at 80 % of the fee, a deposit of two months of rent."""

from __future__ import annotations

import math

from turnmark.judges.rules.decision import Read
from turnmark.language.later import later
from turnmark.language.values import Value
from turnmark.language.values.measures import dimension
from turnmark.language.values.value import AMOUNTS

_HALF = later(r"半价|半額|半额|减半|반값|반액|half")
_COUNTED = later(r"둘|셋|넷|다섯|two|three|four|five|both|[两二三四五]")
_FEW = range(2, 6)
_MOST_TIMES = 100
"""Nobody is charged more often in one answer."""


def may_be_worked_out(read: Read) -> bool:
    """Whether all that a claim gives is a sum of money that is one of the material times a number or a share there."""
    sums = [each for each in read.claim.passage.values if each.kind in AMOUNTS]
    if len(sums) != 1 or not _is_money(sums[0]) or not sums[0].low:
        return False
    passages = [reading.passage for reading in read.material.readings]
    passages += [read.question.passage] if read.question is not None else []
    values = [each for passage in passages for each in passage.values if each.low == each.high]
    shares = {0.5} if any(_HALF.search(passage.folded.text) for passage in passages) else set[float]()
    if read.question is not None and _COUNTED.search(read.question.text):
        shares.update(_FEW)
    for each in values:
        if each.unit == "percent":
            shares.update((each.low / 100, 1 - each.low / 100))
        elif each.kind in AMOUNTS and not _is_money(each) and 1 < each.low <= _MOST_TIMES:
            shares.add(each.low)
    return any(
        math.isclose(each.low * share, sums[0].low, rel_tol=1e-6)
        for each in values
        if _is_money(each) and each.unit == sums[0].unit
        for share in shares
        if share != 1
    )


def _is_money(value: Value) -> bool:
    return value.kind in AMOUNTS and dimension(value.unit) == "currency"
