"""Which days of the week a text speaks of: Saturdays, Monday to Thursday, 周末, 평일; and which it leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnmark.language.later import later

_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EN_NAMES = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_EN_DAY = rf"(?:{_EN_NAMES}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_ZH_DAY, _KO_DAY = "(?:星期|礼拜|周)[一二三四五六日天末]", "[월화수목금토일]요일"
_TO = r"(?: ?(?:-|~|–|—|至|到|부터|에서|to|through|thru|until|till) ?)"
_DAYS = later(
    rf"(?<![a-z])(?P<en>{_EN_DAY}){_TO}(?P<en2>{_EN_DAY})(?![a-z])|(?<![a-z])(?P<name>{_EN_NAMES})(?![a-z])"
    rf"|(?P<zh>{_ZH_DAY})(?![年个岁期])(?:{_TO}(?P<zh2>(?:星期|礼拜|周)?[一二三四五六日天](?![个岁年])))?"
    rf"|(?P<ko>{_KO_DAY})(?:{_TO}(?P<ko2>{_KO_DAY}))?"
    r"|(?<![가-힣])(?P<short>[월화수목금토일])[~-](?P<short2>[월화수목금토일])(?![가-힣])"
    r"|(?P<work>(?<![a-z])weekdays?(?![a-z])|工作日(?!内)|平日|(?<![가-힣])평일|(?<![가-힣])주중)"
    r"|(?P<rest>(?<![a-z])weekends?(?![a-z])|双休日|(?<![가-힣])주말)"
    r"|(?P<all>(?<![a-z])(?:every ?day|daily)(?![a-z])|每天|每日|天天|(?<![가-힣])매일|연중무휴)"
)
_NUMBERS = {**{day: number for number, day in enumerate("一二三四五六日")}, "天": 6}
_NUMBERS |= {day: number for number, day in enumerate("월화수목금토일")} | {day: at for at, day in enumerate(_EN)}
WORKING, RESTING, ALL = frozenset(range(5)), frozenset((5, 6)), frozenset(range(7))
HOLIDAY = 7
"""A public holiday, beside the days of the week, Monday being 0."""
_OTHERS = (
    (
        ALL | {HOLIDAY},
        later(
            r"\b(?:every day of the year|all year round|year-round|365 days)\b"
            r"|全年无休|年中无休|365天|연중 ?무휴|쉬는 날 없이"
        ),
    ),
    (ALL, later(r"\b(?:each day|seven days|7 days a week|all week)\b|날마다")),
    (WORKING, later(r"\b(?:working|business) days?\b")),
    (
        frozenset((HOLIDAY,)),
        later(r"\b(?:public|bank|national) holidays?\b|节假日|法定假日|法定节日|공휴일|휴일(?! 없이)"),
    ),
)
_EXCEPT_BEFORE = later(r"(?:\b(?:except|excluding|other than|apart from)(?: for| on)?|除了?)\s*$")
_EXCEPT_BEHIND = later(r"\s*(?:을|를|은|는)?\s*(?:제외|빼고|以外|之外|外(?!出)|除外)")
_QUICK = later(
    r"周|星期|礼拜|요일|평일|주말|주중|매일|연중|[월화수목금토일][~-]|day|mon|tue|wed|thu|fri|sat|sun|daily|week|[日天]"
)


class Weekdays(NamedTuple):
    """Days of the week (0 is Monday) and the place of the words that name them."""

    start: int
    end: int
    days: frozenset[int]


def weekdays(text: str) -> Iterator[Weekdays]:
    """Find what names days of the week in a folded text, in order."""
    for match in _DAYS.finditer(text) if _QUICK.search(text) else ():
        yield Weekdays(*match.span(), _days(match.groupdict()))


class Days(NamedTuple):
    """Days, and the spans of the words that name them."""

    days: frozenset[int]
    spans: tuple[tuple[int, int], ...]


def read_days(text: str) -> Days:
    """The days that a folded text names and does not leave out, holidays among them; none where it names none."""
    found = [(each.days, (each.start, each.end)) for each in weekdays(text)]
    found += [(days, match.span()) for days, pattern in _OTHERS for match in pattern.finditer(text)]
    named, excepted = set[int](), set[int]()
    for days, span in found:
        (excepted if _is_excepted(text, *span) else named).update(days)
    if excepted and not named:
        named = set(ALL)
    return Days(frozenset(named - excepted), tuple(span for _, span in found))


def _is_excepted(text: str, start: int, end: int) -> bool:
    return _EXCEPT_BEFORE.search(text, 0, start) is not None or _EXCEPT_BEHIND.match(text, end) is not None


def _days(found: dict[str, str | None]) -> frozenset[int]:
    if found["work"]:
        return WORKING
    if found["rest"]:
        return RESTING
    if found["all"]:
        return ALL
    first = found["en"] or found["name"] or found["zh"] or found["ko"] or found["short"] or ""
    last = found["en2"] or found["zh2"] or found["ko2"] or found["short2"]
    if first.endswith("末"):
        return RESTING
    low = _number(first)
    high = _number(last) if last else low
    return frozenset(range(low, high + 1)) if low <= high else frozenset((*range(low, 7), *range(high + 1)))


def _number(word: str) -> int:
    if word[0].isascii():
        return _NUMBERS[word[:3]]
    return _NUMBERS[word[0] if word.endswith("요일") else word[-1]]
