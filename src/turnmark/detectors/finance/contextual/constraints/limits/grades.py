"""Grades of products and of debt (R2, 2등급, AA, investment grade, treasuries), and the limits that constraints set."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from turnmark.language.match.phrases import Phrases
from turnmark.language.text.fold import Folded
from turnmark.language.values.grades import LEAST_INVESTMENT_GRADE, RANKS, RATING, bound
from turnmark.language.values.reader import read_codes
from turnmark.language.values.value import Value

_PRODUCT_RISK = "product risk"
_SCALES = {
    **dict.fromkeys(("r", "pr", "c"), _PRODUCT_RISK),
    **dict.fromkeys((RATING, "grade", "class", "type"), ""),
}
"""By scheme of a code: the scale that it shares with others, its own where none stands here.

What a client of class C2 may hold is R2 and below; banks write PR2 for R2.
"""
_RISKIER_UPWARDS = frozenset((_PRODUCT_RISK, RATING))
"""Scales whose places grow with the risk; of the others nobody knows which end is the better one."""
_GOVERNMENT, _CORPORATE = -RANKS["aaa"] - 1, -RANKS["a"]
_INVESTMENT, _JUNK, _UNRATED = -RANKS[LEAST_INVESTMENT_GRADE], -RANKS["bb"], 0.0
GRADE_WORDS = {
    "grade_government": _GOVERNMENT,
    "grade_corporate": _CORPORATE,
    "grade_investment": _INVESTMENT,
    "grade_junk": _JUNK,
    "grade_unrated": _UNRATED,
}
"""Lists of the packs by the place that their words name on the scale of ratings; corporate debt counts as A."""
_SPELLED = re.compile(r"(?P<many>triple|double|single)[ -](?P<letter>[abc])(?P<sign>[+-]| (?:plus|minus))?(?![a-z])")
_MANY = {"triple": 3, "double": 2, "single": 1}
_SIGNS = {"plus": "+", "minus": "-"}
_UPPER, _LOWER = frozenset(("at_most", "less_than")), frozenset(("at_least", "more_than"))
_STRICT = frozenset(("less_than", "more_than"))
_PARTS_CLAUSES = ",;.。\n"
_OPENS_REACH, _CLOSES_REACH = 24, 14


def grade_words(lists: Mapping[str, Iterable[str]]) -> dict[float, Phrases]:
    """The words that name a place, compiled."""
    return {place: Phrases(lists.get(name, ())) for name, place in GRADE_WORDS.items()}


class Grade(NamedTuple):
    """A grade in a folded text.

    Attributes:
        scale: Scheme of the code, or the scale that several share.
        low: Least place on the scale that it takes in, minus infinity for "R3 and below".
        place: Highest place that it takes in. On the scales of products and of ratings the risk grows with it.
        name: Of the code, "" for a word.
        start: First code point.
        end: End.

    """

    scale: str
    low: float
    place: float
    name: str
    start: int
    end: int


class GradeLimit(NamedTuple):
    """Which grades of a scale a constraint allows.

    Attributes:
        scale: As in ``Grade``.
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

    def allows(self, grade: Grade) -> bool:
        """Whether a grade of this scale, with all that it takes in, lies within the limit."""
        if grade.name in self.excluded or (self.names and grade.name not in self.names):
            return False
        return grade.low >= self.low and grade.place <= self.high


def grades(folded: Folded, named: Mapping[float, Phrases]) -> list[Grade]:
    """The grades of a text, in order; ``named`` are the words that name a place on the scale of ratings."""
    results = [_coded(code) for code in read_codes(folded) if code.unit in _SCALES]
    for match in _SPELLED.finditer(folded.text):
        sign = (match["sign"] or "").strip()
        name = match["letter"] * _MANY[match["many"]] + _SIGNS.get(sign, sign)
        if name in RANKS:
            results.append(Grade(RATING, -RANKS[name], -RANKS[name], name, *match.span()))
    if not any(grade.scale == RATING for grade in results):  # corporate bonds rated AA are no A
        results += [
            Grade(RATING, place, place, "", start, end)
            for place, phrases in named.items()
            for start, end in phrases.all(folded.text)
        ]
    return sorted(results, key=lambda grade: (grade.start, -grade.end))


def _coded(code: Value) -> Grade:
    """A code as a grade: of ratings the best has the lowest place."""
    low, high = code.low, code.high
    if code.comparator in _UPPER:
        low, high = -math.inf, high - (code.comparator == "less_than")
    elif code.comparator in _LOWER:
        low, high = low + (code.comparator == "more_than"), math.inf
    if code.unit == RATING:
        low, high = -high, -low
    return Grade(_SCALES[code.unit] or code.unit, low, high, code.name, code.start, code.end)


class GradeLimits:
    """Reads the limits on grades that constraints set."""

    def __init__(self, named: Mapping[float, Phrases], opens: Phrases, closes: Phrases, only: Phrases) -> None:
        """Make ready.

        Args:
            named: The words that name a place.
            opens: What rules out what stands behind it (不买, no).
            closes: What rules out what stands before it (금지, 제외).
            only: What allows nothing but what is named.

        """
        self._named = named
        self._opens, self._closes, self._only = opens, closes, only

    def read(self, folded: Folded) -> GradeLimit | None:
        """The limit that the text of a constraint sets; None when it sets none."""
        told = grades(folded, self._named)
        coded = [grade for grade in told if grade.name]
        if not coded:
            return self._of_words(folded.text, told)
        coded = [grade for grade in coded if grade.scale == coded[0].scale]
        for grade in coded:
            comparator, behind = bound(folded.text, grade.start, grade.end) if grade.low else ("", False)
            denied = self._denied(folded.text, grade)
            if comparator and denied and (behind or comparator in _STRICT):
                return _outside(grade)
            if comparator:
                return GradeLimit(grade.scale, grade.low, grade.place)
            if denied:
                return GradeLimit(grade.scale, excluded=frozenset(each.name for each in coded))
        return _allowed(coded)

    def _of_words(self, text: str, told: Sequence[Grade]) -> GradeLimit | None:
        """The limit that words set: investment grade, and with "only" a kind of debt."""
        only = self._only.within(text)
        places = [grade.place for grade in told if grade.place == _INVESTMENT or (only and grade.place < _JUNK)]
        return GradeLimit(RATING, high=places[-1]) if places else None

    def _denied(self, text: str, grade: Grade) -> bool:
        first = max(0, grade.start - _OPENS_REACH, *(text.rfind(mark, 0, grade.start) + 1 for mark in _PARTS_CLAUSES))
        opened = self._opens.within(text, first, grade.start)
        return opened or self._closes.within(text, grade.end, grade.end + _CLOSES_REACH)


def _outside(grade: Grade) -> GradeLimit:
    """What a denied grade with all that it takes in leaves: nothing below AA is AA and better."""
    if grade.low == -math.inf:
        return GradeLimit(grade.scale, low=grade.place + 1)
    return GradeLimit(grade.scale, high=grade.low - 1)


def _allowed(named: Sequence[Grade]) -> GradeLimit:
    """The limit of grades that are only named: the worst of them where the risk grows along their scale."""
    scale = named[0].scale
    if scale in _RISKIER_UPWARDS:
        return GradeLimit(scale, high=max(grade.place for grade in named))
    return GradeLimit(scale, names=frozenset(grade.name for grade in named))
