"""Codes and amounts that words tell: halves of a year, cellars, stars, decades; twice a day, 八折, doubled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity.numerals import EN_WORDS, parse_zh
from turnmark.language.values.openings import DIGITS, Opening
from turnmark.language.values.value import Value

_ZH_DIGIT = "一二两三四五六七八九"
_HALF = later(
    r"(?P<zh>[上下])半年(?!度?[前后内])|(?P<ko>[상하])반기"
    r"|(?<![a-z])(?P<en>first|second|1st|2nd|latter) half(?![a-z])(?: of (?:the year|(?=(?:19|20)[0-9]{2})))?"
)
_FIRST_HALVES = frozenset(("上", "상", "first", "1st"))
_BELOW_GROUND = later(
    rf"(?:地下|负) ?(?P<zh>[{_ZH_DIGIT}1-9]) ?[层楼]|지하 ?(?P<ko>[1-9]) ?층"
    r"|(?<![a-z])basement (?:level |floor )?(?P<en>[1-9])(?![0-9])|(?<![a-z0-9])b(?P<b>[1-9]) ?(?:层|楼|층|floor|level)"
)
_STARS = later(
    rf"(?<![0-9.{_ZH_DIGIT}第])(?:(?P<zh>[1-7{_ZH_DIGIT}])星级|(?P<digit>[1-7])星(?![期座球])|(?P<ko>[1-7])(?:성급|성(?=[^가-힣]|$)))"
    r"|(?<![a-z0-9.-])(?P<en>one|two|three|four|five|six|seven|[1-7])[- ]stars?(?![a-z])"
)
_DECADE = later(rf"(?:(?P<century>1[0-9]|20|二十|十九)世纪|(?P<last>上个?世纪))(?P<decade>[1-9]0|[{_ZH_DIGIT}]?十)年代")
_OFTEN = later(
    r"(?<![a-z])(?P<count>once|twice|thrice|(?:two|three|four|five|six|[2-9]) times) ?"
    r"(?:(?:an?|per|each|every|/) ?(?P<unit>day|week|month|year|hour)|(?P<adverb>daily|weekly|monthly|yearly|annually))"
    r"(?![a-z])"
)
CODES = Opening(
    (
        (frozenset("半"), frozenset("年")),
        (frozenset("반"), frozenset("기")),
        (frozenset("地负"),),
        (frozenset("지"), frozenset("하")),
        (frozenset("星성代"),),
        (frozenset("b"), DIGITS),
    ),
    ("half", "basement", "star"),
)
AMOUNTS = Opening(((frozenset("折番"),),), ("once", "twice", "thrice", "times", "doubl", "tripl", "quadrupl", "fold"))
_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year"}
_COUNTS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_OFF = later(
    rf"(?<![0-9.{_ZH_DIGIT}])(?P<tenths>[1-9](?:\.[0-9])?|[{_ZH_DIGIT}]{{1,2}})折(?![叠页旧合算现射线断损服腾磨扇耗中])"
)
_TIMES = later(
    r"(?<![a-z])(?:(?P<verb>doubl|tripl|quadrupl)(?:ed|ing|es)|(?P<fold>two|three|four|five|six|seven|eight|nine|ten|[2-9]|"
    rf"1[0-9])[- ]?fold)(?![a-z])|翻了?(?P<zh>[{_ZH_DIGIT}])番"
)
_VERBS = {"doubl": 2.0, "tripl": 3.0, "quadrupl": 4.0}


def _digit(written: str) -> float:
    if written.replace(".", "").isdigit():
        return float(written)
    if written in EN_WORDS:
        return float(EN_WORDS[written])
    parsed = parse_zh(written)
    return parsed.low if parsed else 0.0


def _code(match: re.Match[str], scheme: str, number: float) -> Value:
    return Value(*match.span(), "code", unit=scheme, name=f"{number:g}", text=match.group())


def worded_codes(text: str) -> Iterator[Value]:
    """Codes of a folded text, by their words: 上半年, 지하 2층, five-star, 上世纪九十年代."""
    for match in _HALF.finditer(text) if "半年" in text or "반기" in text or " half" in text else ():
        written = match["zh"] or match["ko"] or match["en"]
        yield _code(match, "half", 1 if written in _FIRST_HALVES else 2)
    floors = "地下" in text or "负" in text or "지하" in text or "basement" in text or "b" in text
    for match in _BELOW_GROUND.finditer(text) if floors else ():
        yield _code(match, "floor", -_digit(match["zh"] or match["ko"] or match["en"] or match["b"]))
    for match in _STARS.finditer(text) if "星" in text or "성" in text or "star" in text else ():
        yield _code(match, "star", _digit(match["zh"] or match["digit"] or match["ko"] or match["en"]))
    for match in _DECADE.finditer(text) if "年代" in text else ():
        century = 20.0 if match["last"] else _digit(match["century"])
        yield _code(match, "decade", (century - 1) * 100 + _digit(match["decade"]))


def worded_amounts(text: str) -> Iterator[Value]:
    """Amounts of a folded text, by their words: twice a day, 八折 (20 percent off), doubled."""
    for match in _OFTEN.finditer(text) if "ce " in text or "times" in text else ():
        count = _COUNTS.get(match["count"]) or _digit(match["count"].split()[0])
        per = match["unit"] or _ADVERBS[match["adverb"]]
        yield Value(*match.span(), "quantity", count, count, "occurrence", name=per, text=match.group())
    for match in _OFF.finditer(text) if "折" in text else ():
        tenths = match["tenths"]
        paid = _digit(tenths) if len(tenths) == 1 or "." in tenths else _digit(tenths[0]) + _digit(tenths[1]) / 10
        off = round(100 - 10 * paid, 6)
        yield Value(*match.span(), "quantity", off, off, "percent", text=match.group())
    for match in _TIMES.finditer(text) if "番" in text or "fold" in text or "pl" in text or "bl" in text else ():
        fold = _VERBS.get(match["verb"] or "") or (2.0 ** _digit(match["zh"]) if match["zh"] else _digit(match["fold"]))
        yield Value(*match.span(), "quantity", fold, fold, "fold", name="growth", text=match.group())
