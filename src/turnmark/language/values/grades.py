"""Grades on a scale: credit ratings (AAA … D), and the places of codes that stand in an order.

A code of an ordered scheme has its place on the scale as ``low`` and ``high``, and a comparator where one is written:
R3及以下, 2등급 이상, BBB- or better. Numbers go by what is written: R1 is the calmest product class of Chinese funds,
and 1등급 the riskiest one of Korean funds, so that which end is the better is for who asks. Ratings go from D to AAA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity.not_amounts import VAGUE, comparator_after, comparator_before
from turnmark.language.values.amounts import comparator_around
from turnmark.language.values.openings import Opening
from turnmark.language.values.value import Value

RATING = "rating"
_LETTERS = ("d", "c", "cc", "ccc", "b", "bb", "bbb", "a", "aa", "aaa")
_WITH_SIGNS = frozenset(("ccc", "b", "bb", "bbb", "a", "aa"))
_MOODYS = {"caa": "ccc", "ba": "bb", "baa": "bbb"}
_MOODYS_SIGNS = {"1": "+", "2": "", "3": "-"}
RANKS = {
    name + sign: float(rank)
    for rank, (name, sign) in enumerate(
        ((name, sign) for name in _LETTERS for sign in (("-", "", "+") if name in _WITH_SIGNS else ("",))), start=1
    )
}
"""Places of the ratings of debt on their scale, D being the first."""
LEAST_INVESTMENT_GRADE = "bbb-"

_RATED = later(
    r"(?<![a-z0-9+.&'-])(?:(?P<moodys>(?:caa|baa|ba|aa|a|b)[123])(?![0-9a-z])"
    r"|(?P<name>aaa|aa|a|bbb|bb|b|ccc|cc|c|d)(?P<sign>[+-](?![a-z0-9])|)(?![a-z0-9&'+])"
    r"(?P<unit>级别?| ?등급|급|)(?! (?:fund|share|class|종|클래스)))"
)
_CAPITAL = later("[A-DＡ-Ｄ]")
OPENING = Opening(((frozenset("abcd"),),))
_CREDIT = later(
    r"rated|rating|investment.grade|junk|bond|issuer|debt|notes|credit|评级|信用|债|主体|신용|회사채|채권|등급|사채"
)
_MARKS_LETTER = later(r"(?:[- ]rated|[- ]rating| or (?:better|higher|above)|[及或]?以上| ?이상)")
_ENDS_RATED = later(
    r"(?:rated|ratings?|rating (?:of|is|was)|rated at|graded?|at least|below|above|under|minimum"
    r"|评级[为是:]?|等级[为是:]?|低于|高于|至少|등급[은이:]?|최소) ?$"
)
_UNIT_BEHIND = later("(?:级别?|等级| ?등급|급|类|档)?(?:债券?|채권?|产品)?(?:[(][^()\n]{1,12}[)])?")
_BEHIND = later(
    r",? (?:or|and) (?:(?P<at_least>better|higher|above|up)|(?P<at_most>worse|lower|below|under|safer|down))(?![a-z])"
)
_BEFORE = later(
    r"(?:(?P<at_least>at least|no(?:t|thing)? (?:rated )?(?:lower|worse|below) than|no(?:t|thing)? (?:rated )?below"
    r"|never below|minimum(?: of)?)"
    r"|(?P<at_most>at most|no (?:higher|riskier) than|up to)|(?P<less_than>below|under|lower than|worse than)"
    r"|(?P<more_than>above|higher than|better than|riskier than))(?: an?)?(?: (?:risk|rating|grade|class|level))* $"
)
_ORDERED = frozenset((RATING, "r", "pr", "c", "grade", "school_year", "star"))
_SPAN = later(r"(?P<low>[0-9]{1,2})-[a-z]{0,2}(?P<high>[0-9]{1,2})")


def ratings(text: str, base: str) -> Iterator[Value]:
    """The ratings of debt in a folded text: in capitals, and with a word beside them that tells what is rated."""
    if _CAPITAL.search(base) is None:
        return
    credit = _CREDIT.search(text) is not None
    for match in _RATED.finditer(text):
        start, end = match.span()
        name = _name(match)
        if name not in RANKS or _CAPITAL.match(base, start) is None:
            continue
        if match["name"] and not base[start : match.end("name")].isupper():
            continue
        if match["name"] and not (_is_long(text, match) or (credit and _is_marked(text, match))):
            continue
        yield Value(start, end, "code", unit=RATING, name=name, text=text[start:end])


def _is_long(text: str, match: re.Match[str]) -> bool:
    """Whether a rating can be nothing else: BBB, AA+, AA or better."""
    told = match["sign"] or match["unit"] or _MARKS_LETTER.match(text, match.end())
    return len(match["name"]) > 2 or (len(match["name"]) > 1 and bool(told))


def _is_marked(text: str, match: re.Match[str]) -> bool:
    """Whether a letter, which may be any, is told to be a rating by what stands beside it: A级, rated B."""
    if len(match["name"]) > 1 or match["sign"]:
        return True
    start, end = match.span()
    return bool(match["unit"] or _MARKS_LETTER.match(text, end) or _ENDS_RATED.search(text, max(0, start - 16), start))


def _name(match: re.Match[str]) -> str:
    written = match["moodys"]
    if not written:
        return str(match["name"] + match["sign"])
    return _MOODYS.get(written[:-1], written[:-1]) + _MOODYS_SIGNS[written[-1]]


def placed(text: str, code: Value) -> Value:
    """A code with its place on the scale of its scheme and its comparator; as it is where it has no order."""
    if code.unit not in _ORDERED:
        return code
    span = (RANKS[code.name], RANKS[code.name]) if code.unit == RATING else _numbers(code.name)
    if span is None:
        return code
    comparator, _ = bound(text, code.start, code.end)
    return code._replace(low=span[0], high=span[1], comparator=comparator)


def _numbers(name: str) -> tuple[float, float] | None:
    if name.isdigit() and name.isascii():
        return float(name), float(name)
    joined = _SPAN.fullmatch(name)
    return (float(joined["low"]), float(joined["high"])) if joined else None


def bound(text: str, start: int, end: int) -> tuple[str, bool]:
    """The comparator of a grade, and whether it stands behind it."""
    unit = _UNIT_BEHIND.match(text, end)
    last = unit.end() if unit else end
    for at in (last, end):
        behind = _BEHIND.match(text, at)
        comparator = behind.lastgroup if behind else comparator_after(text, at)[0]
        if comparator and comparator not in VAGUE:
            return comparator, True
    before = _BEFORE.search(text, max(0, start - 40), start)
    comparator = before.lastgroup if before else comparator_before(text, start)
    if comparator and comparator not in VAGUE:
        return comparator, False
    return comparator_around(text, start, end, ""), False
