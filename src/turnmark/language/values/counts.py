"""Amounts that no digit and no unit tells (five departments, within a week, 하루), and the unit of a table."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity.numerals import EN_WORDS, parse_zh
from turnmark.language.quantity.units import match_unit
from turnmark.language.values.amounts import comparator_around, when
from turnmark.language.values.openings import Opening
from turnmark.language.values.value import Value

_ARTICLE = later(
    r"(?:(?<![a-z])(?:in|within|for|after|before|of|than|about|least|most|every|over|under|to|lasts?|"
    r"takes?|is|the|next|past|last|once) )?(?<![a-z0-9])(?P<article>(?:half )?an?|one|"
    r"(?:three )?quarters? of an)"
    r" (?P<unit>hour|day|week|fortnight|month|year|decade|minute)(?![a-z])(?P<more> and a (?:half|quarter))?"
)
_ARTICLED_BY = later(
    r"(?:times?|once|twice|thrice|[0-9%$]|dollars|euros|pounds|won|yuan|percent|hours|days|paid|"
    r"sessions|per)(?: [a-z]+)? $"
)
_ZH_NUMBER = "[0-9]{1,4}|[零一二三四五六七八九十百两]{1,5}"
_ZH_DAYS = later(
    r"(?P<before>起(?:满|的)?|满|超过|不超过|提前|逾期|至少|最长|最多|为期|共)?"
    rf"(?<![0-9.月年第周初])(?P<low>{_ZH_NUMBER})(?:日?[至到~-](?P<high>{_ZH_NUMBER}))? ?日"
    r"(?P<behind>[及或]?以内|之内|内(?![容部心外地在涵因衣阁])|无理由|(?:的)?(?:期限|期间|犹豫|宽限|观察|冷静|等待))?"
)
"""日 counts days where a word beside it says so (七日内, 自签收起7日, 60日犹豫期); else it names a day of the month."""
_MOST_DAYS_OF_A_MONTH = 31
_KO_DAY = later("(?<![가-힣])하루(?! ?(?:에|의|종일|당|[0-9]|한|두|세|평균|최대|최소|총))")
_TABLE_UNIT = later(
    r"(?:단위|单位|unit|amounts?|in) ?:? ?(?:(?:us)?[$] ?)?(?P<scale>백만|천만|억|천|만|百万|千万|亿|万|千|thousands?|"
    r"millions?|billions?)"
    r" ?(?P<currency>원|달러|元|美元|人民币|yuan|won|dollars|usd|krw)?(?=[)\n,;.]|$| of)"
)
_TABLE_SCALES = {
    "천": 1e3,
    "만": 1e4,
    "백만": 1e6,
    "천만": 1e7,
    "억": 1e8,
    "千": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "千万": 1e7,
    "亿": 1e8,
}
_TABLE_SCALES |= {"thousand": 1e3, "million": 1e6, "billion": 1e9}


def in_table_unit(text: str, values: list[Value]) -> list[Value]:
    """The values of a text whose numbers are in the unit that its head gives: (단위: 백만 원), in $ millions."""
    head = (
        _TABLE_UNIT.search(text) if any(word in text for word in ("단위", "单位", "unit", "in $", "in us$")) else None
    )
    if head is None:
        return values
    factor = _TABLE_SCALES[head["scale"].rstrip("s")]
    unit = (match_unit(head["currency"], 0) or ("",))[0] if head["currency"] else "usd" if "$" in head.group() else ""
    results = []
    for value in values:
        if head.start() <= value.start < head.end():
            continue
        bare = value.kind == "number" and value.start >= head.end() and abs(value.low) >= 1
        results.append(
            value._replace(
                kind="quantity" if unit else "number", low=value.low * factor, high=value.high * factor, unit=unit
            )
            if bare
            else value
        )
    return results


_EN_COUNT = later(
    r"(?<![a-z-])(?P<word>two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve)(?= (?:or (?:more|fewer|less) )?(?:[a-z-]+ )?[a-z-]{3,}s(?![a-z]))(?! of)"
)

_EN_LONE = later(
    r"\W*(?:(?:at most|at least|up to|only|about|just|no more than|maximum) )?(?P<word>two|three|four|five|six"
    r"|seven|eight"
    r"|nine|ten|eleven|twelve)\W*$"
)


_COUNT_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTED = Opening((), _COUNT_WORDS)
ARTICLED = Opening(
    ((frozenset("日"),), (frozenset("하"), frozenset("루"))),
    ("hour", "day", "week", "fortnight", "month", "year", "decade", "minute"),
)


def counted(text: str) -> Iterator[Value]:
    """English numbers in words before what they count, or by themselves: five departments; at most five."""
    lone = _EN_LONE.match(text)
    for match in (lone,) if lone is not None else _EN_COUNT.finditer(text):
        number, span = float(EN_WORDS[match["word"]]), match.span("word")
        comparator = comparator_around(text, *span, "")
        yield Value(*span, "number", number, number, "", comparator, text=match["word"])


def _zh_number(written: str) -> float | None:
    parsed = None if written.isdigit() else parse_zh(written)
    return float(written) if written.isdigit() else None if parsed is None else parsed.low


def _zh_days(text: str) -> Iterator[Value]:
    """Days counted in formal Chinese."""
    for match in _ZH_DAYS.finditer(text):
        low, high = _zh_number(match["low"]), _zh_number(match["high"] or match["low"])
        if low is None or high is None:
            continue
        if not (match["before"] or match["behind"] or low > _MOST_DAYS_OF_A_MONTH):
            continue
        start, end = match.start("low"), match.end("behind") if match["behind"] else match.end()
        within = (match["behind"] or "").endswith("内")
        comparator = "at_most" if within and low == high else comparator_around(text, start, end, "")
        last = match.start("behind") if match["behind"] else end
        yield Value(start, last, "duration", low, high, "day", comparator, text=text[start:last])


def articled(text: str) -> Iterator[Value]:
    """Durations that no number counts: within a week, half an hour, an hour and a quarter, 하루."""
    for match in (
        _ARTICLE.finditer(text)
        if " hour" in text
        or " day" in text
        or " week" in text
        or " month" in text
        or " year" in text
        or " fortnight" in text
        or " decade" in text
        or " minute" in text
        else ()
    ):
        start = match.start("article")
        if match["article"] in ("a", "an") and _ARTICLED_BY.search(text, max(0, start - 22), start):
            continue
        article = match["article"]
        value = 0.5 if article.startswith("half") else 1.0
        if "quarter" in article:
            value = 0.75 if article.startswith("three") else 0.25
        if match["more"]:
            value += 0.5 if match["more"].endswith("half") else 0.25
        yield Value(
            start,
            match.end(),
            "duration",
            value,
            value,
            match["unit"],
            name=when(text, start, match.end()),
            text=text[start : match.end()],
        )
    yield from _zh_days(text) if "日" in text else ()
    for match in _KO_DAY.finditer(text) if "하루" in text else ():
        yield Value(*match.span(), "duration", 1.0, 1.0, "day", "", text=match.group())
