"""How a passage of a reply is spoken: negated, defined, in earnest; and what a judgement of it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader

STRONG, MODERATE, WEAK = 3, 2, 1
"""Said of the passage itself, said in its sentence, gathered from the reply as a whole."""

_REACH = 14
_EITHER_WAY_REACH = 6


class ActVerdict(NamedTuple):
    """What the reply makes of a passage: ``sign`` 1 breaks, -1 honours; folded offsets; ``why`` names the rule."""

    sign: int
    strength: int
    start: int
    end: int
    why: str


def negation(reader: ConstraintStanceReader, first: int, start: int, end: int) -> tuple[int, int] | None:
    """The parity of the negations right before a passage (1: negated, 0: cancelled) and where they begin.

    ``first`` is where the clause begins. None without any; 加不加杠杆 asks or leaves open and does not negate.
    """
    result = reader.negation(max(first, start - _REACH), start)
    return None if result is None or _either_way(reader.text, start, end) else result


def _either_way(text: str, start: int, end: int) -> bool:
    """Whether 不 stands between two of the same character right before a passage or at its beginning."""
    return any(
        text[position] == "不" and text[position - 1] == text[position + 1]
        for position in range(max(1, start - _EITHER_WAY_REACH + 1), min(end, start + 1) - 1)
    )


def in_earnest(reader: ConstraintStanceReader, start: int, end: int) -> bool:
    """Whether the reply itself says a passage, of this user, neither asked nor supposed; folded offsets."""
    clauses, position = reader.place(start)
    if reader.sign("offered", clauses[position].start, clauses[position].end):
        return True
    scope = reader.analysis.scope(reader.analysis.folded.to_original(start, end))
    question = scope.question and not reader.says("rhetorical", clauses[0].start, clauses[-1].end)
    return not (
        scope.quoted
        or (scope.reported and reader.text[max(0, start - 2) : start] != "提到")  # raised to, not mentioned
        or question
        or scope.example
        or scope.addressed_to_other
        or (scope.hypothetical and not scope.consequent)
    )


def forewarned(reader: ConstraintStanceReader, start: int, end: int) -> bool:
    """Whether a passage is supposed only to tell what harm would follow (要是全放进去,赶上大跌就会心疼)."""
    clauses, position = reader.place(start)
    clause = clauses[position]
    if not reader.says("supposed", max(clauses[0].start, clause.start - 12), clause.end):
        return False
    first = min(end, clause.end)
    urged = any(cue.kind == "endorse" and cue.sign > 0 for cue in reader.within(clause.end, clauses[-1].end))
    return not urged and reader.says("harm", first, clauses[-1].end)


def meant_sign(reader: ConstraintStanceReader, start: int, end: int) -> int:
    """The sign of a passage that breaks a constraint: 1 when it is meant, -1 when it is negated, else 0."""
    clauses, position = reader.place(start)
    negated = negation(reader, clauses[position].start, start, end)
    if (negated and negated[0]) or reader.says("forbids", start, end):
        return -1
    if reader.says("instance", max(clauses[0].start, start - 4), start):
        return 0
    return int(in_earnest(reader, start, end) and not forewarned(reader, start, end))


def decide(judged: Sequence[ActVerdict], *, short: bool) -> ActVerdict | None:
    """The one judgement of a reply: a loud breach, else the louder side; a long reply is broken by loud words only."""
    loud = [one for one in judged if one.sign > 0 and one.strength == STRONG]
    if loud:
        return loud[0]
    against = sorted((one for one in judged if one.sign < 0), key=lambda one: -one.strength if short else 0)
    breaches = sorted((one for one in judged if one.sign > 0), key=lambda one: -one.strength) if short else []
    if against and (not breaches or against[0].strength >= breaches[0].strength):
        return against[0]
    return breaches[0] if breaches else None
