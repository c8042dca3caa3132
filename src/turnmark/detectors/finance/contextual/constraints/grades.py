"""Grades of bonds and of products as places on a scale, the safest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from turnmark.language.match.phrases import Phrases
from turnmark.language.text.fold import Folded
from turnmark.language.values.grades import RATING
from turnmark.language.values.reader import read_codes

_LETTERS = ("aaa", "aa", "a", "bbb", "bb", "b", "ccc", "cc", "c", "d")
_SPELLED = re.compile(r"(?P<many>triple|double|single)[ -](?P<letter>[abc])(?P<sign>[+-]| (?:plus|minus))?(?![a-z])")
_CAPITALS = str.maketrans("abcd", "ABCD")
"""Capitals tell a rating, and are folded away here."""
_STEP = {"+": -0.34, "-": 0.34}
GOVERNMENT, CORPORATE, INVESTMENT, JUNK, UNRATED = -1.0, 2.0, 3.34, 4.0, 9.0
"""Places that words name: public debt, corporate debt without a grade, BBB-, BB and what has no grade."""

GRADE_WORDS = {
    "grade_government": GOVERNMENT,
    "grade_corporate": CORPORATE,
    "grade_investment": INVESTMENT,
    "grade_junk": JUNK,
    "grade_unrated": UNRATED,
}
"""Lists of the packs by the place that their words name."""


def grade_words(lists: Mapping[str, Iterable[str]]) -> dict[float, Phrases]:
    """The words that name a place, compiled."""
    return {place: Phrases(lists.get(name, ())) for name, place in GRADE_WORDS.items()}


class Grade(NamedTuple):
    """A grade in a folded text: ``scale`` credit or product, ``place`` greater where the risk is."""

    scale: str
    place: float
    start: int
    end: int


def grades(text: str, named: dict[float, Phrases]) -> list[Grade]:
    """The grades of a folded text, in order; ``named`` are the words that name a place of the scale of credit."""
    codes = read_codes(Folded(text, text.translate(_CAPITALS), text, None, None))
    found = [Grade("product", code.high, code.start, code.end) for code in codes if code.unit == "r"]
    found += [
        Grade("credit", _place(code.name.rstrip("+-"), code.name.lstrip("abcd")), code.start, code.end)
        for code in codes
        if code.unit == RATING
    ]
    for match in _SPELLED.finditer(text):
        count = {"triple": 3, "double": 2, "single": 1}[match["many"]]
        found.append(Grade("credit", _place(match["letter"] * count, (match["sign"] or "").strip()[:1]), *match.span()))
    spans = [(grade.start, grade.end) for grade in found]
    for place, phrases in named.items():
        found += [
            Grade("credit", place, start, end)
            for start, end in phrases.all(text)
            if not any(first < end and start < last for first, last in spans)
        ]
    return sorted(found, key=lambda grade: (grade.start, -grade.end))


def _place(letters: str, sign: str) -> float:
    return _LETTERS.index(letters) + _STEP.get({"p": "+", "m": "-"}.get(sign, sign), 0.0)
