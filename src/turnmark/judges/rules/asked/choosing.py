"""Which value of the material is asked for: by the days, limits and words of the question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.asked.cells import Cell
from turnmark.judges.rules.asked.wanted import Wanted, base_measure
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.values import Value, compare_values

_OWN, _CARRIED, _RIVAL, _AROUND = 1.0, 0.7, 0.5, 0.3
_FOLLOWS = {"ko": 0.5}
"""What a word of the question counts for in the clause of a value, before it in the sentence, in the one before;
and behind it in the sentence, where the predicate of several Korean clauses stands."""
MARGIN = 0.15
"""By so much of them a value stands before all others, or it is not chosen."""


class Chosen(NamedTuple):
    """The value that is asked for.

    ``degree`` is how far its words are those of the question, from 0 to 1; ``alone`` says that no other one may be
    meant, ``clear`` that it stands before all others.
    """

    cell: Cell
    degree: float
    alone: bool
    clear: bool


def in_role(cell: Cell, wanted: Wanted) -> bool:
    """Whether a value is of the side of a change, and the end of opening hours, that is asked for."""
    if cell.former != wanted.old and (cell.former or wanted.old):
        return False
    when = cell.value.kind in ("time", "date") and cell.value.low == cell.value.high
    return not when or not wanted.end or not cell.end or cell.end == wanted.end


def choose(wanted: Wanted, found: Sequence[Cell]) -> Chosen | None:
    """The value that is asked for; None where none may be meant."""
    fitting = [each for each in found if holds(each, wanted)]
    if wanted.days:
        # What holds on Sundays alone stands before what holds every day.
        closest = min([len(each.days) for each in fitting if each.days], default=0)
        fitting = [each for each in fitting if len(each.days) == closest]
    elif any(each.days for each in fitting):
        fitting = [each for each in fitting if not each.days] or fitting
    placed = [each for each in fitting if is_placed(each, wanted)]
    fitting = placed or fitting
    if not fitting:
        return None
    ranked = sorted(((degree(each, wanted), -at, each) for at, each in enumerate(fitting)), key=lambda each: each[:2])
    top = ranked[-1][0]
    close = [(share, each) for share, _, each in reversed(ranked) if share > top - MARGIN]
    share, best = next((each for each in close if _is_named(each[1], close, wanted)), close[0])
    others = [each for each in fitting if not _equal(each.value, best.value)]
    clear = all(_equal(each.value, best.value) for _, each in close) or _is_named(best, close, wanted)
    return Chosen(best, share, alone=not others, clear=clear)


def _is_named(cell: Cell, close: Sequence[tuple[float, Cell]], wanted: Wanted) -> bool:
    """Whether the question names what a value is of: in words of its clause where each other one stands without any."""
    others = [each for _, each in close if not _equal(each.value, cell.value)]
    return all(names_case(cell, each, wanted) for each in others)


def names_case(cell: Cell, other: Cell, wanted: Wanted) -> bool:
    """Whether words of the question tell one value from another one, and none the other way round."""
    return _apart(cell, other, wanted) and not _apart(other, cell, wanted)


def _apart(one: Cell, other: Cell, wanted: Wanted) -> bool:
    """Whether a word of the question stands with one value and neither with the other one nor before it."""
    there = Words((*other.own, *other.carried, *other.rivals))
    return any(stands(each, one.own) and not stands(each, there) for each in wanted.topic)


def holds(cell: Cell, wanted: Wanted) -> bool:
    """Whether the days and the limits of a value hold for what the question gives."""
    if wanted.days and cell.days and not wanted.days <= cell.days:
        return False
    return all(
        cell.limits[base_measure(each)].hold(each) for each in _exact(wanted) if base_measure(each) in cell.limits
    )


def is_placed(cell: Cell, wanted: Wanted) -> bool:
    """Whether the question gives a value for the limits of a cell; what it asks the price of a day of is none."""
    given = [each for each in _exact(wanted) if not (each.low == 1 and each.unit == wanted.per)]
    return any(base_measure(each) in cell.limits for each in given)


def _exact(wanted: Wanted) -> list[Value]:
    return [each for each in wanted.given if each.kind in _LIMITED and each.low == each.high]


_LIMITED = ("duration", "quantity", "number")


def degree(cell: Cell, wanted: Wanted) -> float:
    """Share of the weight of a question's words that stand at a value, by how near they stand."""
    weights = {each: _weight(each) * (_COUNTED if each.key in cell.value.text else 1.0) for each in wanted.topic}
    weights |= {each: _weight(each) * _COUNTED for each in wanted.naming if stands(each, cell.own)}
    whole = sum(weights.values())
    if (wanted.days and wanted.days <= cell.days) or is_placed(cell, wanted):
        whole = whole or 1.0
        return (whole + sum(map(_held, weights.items(), repeat(cell)))) / (2 * whole)
    return sum(map(_held, weights.items(), repeat(cell))) / whole if whole else 1.0


def _held(weighed: tuple[Token, float], cell: Cell) -> float:
    word, weight = weighed
    if word.key in cell.value.text or stands(word, cell.own):
        return weight * _OWN
    places = (
        (_CARRIED, cell.carried),
        (_RIVAL, cell.rivals),
        (_FOLLOWS.get(cell.part.sentence.language, 0.2), cell.follows),
        (_AROUND, cell.around),
    )
    return weight * next((near for near, theirs in places if stands(word, theirs)), 0.0)


_COUNTED = 0.5
"""What a word of a question weighs that only names what is counted: 몇 권."""


def _weight(token: Token) -> float:
    return float(words.weight(token.key)) if token.key.isascii() else 1.0


def stands(token: Token, theirs: Words) -> bool:
    """Whether a word stands among others; a Korean one also within a compound: 주차 in 주차장."""
    return theirs.hold(token) or (bool(token.forms) and theirs.hold_part(token))


def _equal(one: Value, other: Value) -> bool:
    return compare_values(one, other).relation == "equal"
