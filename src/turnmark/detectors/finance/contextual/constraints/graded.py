"""Limits on the grade of what is bought: R2 and below, 2등급 이하, AA or better, investment grade, class A only."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.match.phrases import Phrases
from turnmark.language.text.fold import Folded, fold
from turnmark.language.values.grades import LEAST_INVESTMENT_GRADE, RANKS, RATING, bound
from turnmark.language.values.reader import read_codes
from turnmark.language.values.value import Value

_SCALES = {
    **dict.fromkeys(("r", "pr", "c"), "product risk"),
    **dict.fromkeys((RATING, "grade", "class", "type"), ""),
}
"""By scheme of a code: the scale that it shares with others, its own where none stands here.

What a client of class C2 may hold is R2 and below; banks write PR2 for R2.
"""
_INVESTMENT_GRADE = re.compile("投资级|투자 ?적격|투자 ?등급|investment[- ]grade")
_LOWER_IS_CALMER, _HIGHER_IS_CALMER = frozenset(("product risk",)), frozenset((RATING,))
_UPPER, _LOWER = frozenset(("at_most", "less_than")), frozenset(("at_least", "more_than"))
_PARTS_CLAUSES = ",;.。\n"
_OPENS_REACH, _CLOSES_REACH = 24, 14
_TURNED = {"at_most": "more_than", "less_than": "at_least", "at_least": "less_than", "more_than": "at_most"}


class GradeLimit(NamedTuple):
    """Which grades of a scale a constraint allows.

    Attributes:
        scale: Scheme of the codes, or the scale that several share.
        low: Least place on the scale that is allowed, minus infinity without an end.
        high: Highest place that is allowed.
        names: The only ones that are allowed; any within the bounds where there are none.
        excluded: Names that are not allowed.

    """

    scale: str
    low: float = -math.inf
    high: float = math.inf
    names: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    def allows(self, grade: Value) -> bool:
        """Whether a grade of this scale, with all that its own comparator takes in, lies within the limit."""
        if grade.name in self.excluded or (self.names and grade.name not in self.names):
            return False
        low, high = grade.low, grade.high
        if grade.comparator in _UPPER:
            low = -math.inf
        elif grade.comparator in _LOWER:
            high = math.inf
        return low >= self.low and high <= self.high


def grade_limit(constraint: str, denials: tuple[Phrases, Phrases]) -> GradeLimit | None:
    """The limit on grades that a constraint sets, None when it names no grade.

    Args:
        constraint: The text of the constraint.
        denials: What rules out what stands behind it (不买, no), and what stands before it (금지, 제외).

    """
    folded = fold(constraint)
    grades = [code for code in read_codes(folded) if code.unit in _SCALES]
    if not grades:
        if _INVESTMENT_GRADE.search(folded.text):
            return GradeLimit(RATING, low=RANKS[LEAST_INVESTMENT_GRADE])
        return None
    scale = _scale(grades[0])
    grades = [grade for grade in grades if _scale(grade) == scale]
    for grade in grades:
        comparator, behind = bound(folded.text, grade.start, grade.end) if grade.low else ("", False)
        denied = _denied(folded.text, grade, denials)
        if comparator and denied and (behind or comparator in ("less_than", "more_than")):
            comparator = _TURNED[comparator]
        if comparator:
            return _bounded(scale, grade, comparator)
        if denied:
            return GradeLimit(scale, excluded=frozenset(each.name for each in grades))
    return _allowed(scale, grades)


def _allowed(scale: str, grades: Sequence[Value]) -> GradeLimit:
    """The limit of grades that are only named: the worst of them where one end of their scale is the better one."""
    if scale in _LOWER_IS_CALMER:
        return GradeLimit(scale, high=max(grade.high for grade in grades))
    if scale in _HIGHER_IS_CALMER:
        return GradeLimit(scale, low=min(grade.low for grade in grades))
    return GradeLimit(scale, names=frozenset(grade.name for grade in grades))


def _bounded(scale: str, grade: Value, comparator: str) -> GradeLimit:
    if comparator in _UPPER:
        return GradeLimit(scale, high=grade.high - (comparator == "less_than"))
    return GradeLimit(scale, low=grade.low + (comparator == "more_than"))


def _denied(text: str, grade: Value, denials: tuple[Phrases, Phrases]) -> bool:
    opens, closes = denials
    first = max(0, grade.start - _OPENS_REACH, *(text.rfind(mark, 0, grade.start) + 1 for mark in _PARTS_CLAUSES))
    return opens.within(text, first, grade.start) or closes.within(text, grade.end, grade.end + _CLOSES_REACH)


def _scale(grade: Value) -> str:
    return _SCALES[grade.unit] or grade.unit


def graded(folded: Folded, limit: GradeLimit) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where a text names grades beyond a limit, and where it names some within it, in folded offsets."""
    beyond: list[tuple[int, int]] = []
    within: list[tuple[int, int]] = []
    for code in read_codes(folded):
        if code.unit in _SCALES and _scale(code) == limit.scale:
            (within if limit.allows(code) else beyond).append((code.start, code.end))
    return beyond, within
