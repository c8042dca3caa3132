"""Which days of the week a text speaks of: Saturdays, Monday to Thursday, 周末, 평일."""

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
