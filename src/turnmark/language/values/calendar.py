"""Dates, also partial ones, and weekdays, in Chinese, Korean and English."""

from __future__ import annotations

import calendar
from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity import numerals
from turnmark.language.values.openings import DIGITS, Opening
from turnmark.language.values.value import Parts, Value

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name))) + ")"
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
]
_DAY_WORDS = {word: day for day, word in enumerate(_ORDINALS, start=1)}
_DAY_WORDS |= {word.replace("-", " "): day for word, day in _DAY_WORDS.items()}
_DAY_WORD = "|".join(sorted(_DAY_WORDS, key=lambda word: (-len(word), word)))
_YEAR = r"(?:1[89]|20)[0-9]{2}"
_ZH = "一二三四五六七八九十廿"
_TAIL = r"(?!间|年化|均线|内|后|移动|文|楼|线|前)"

# 2024年3月15日, 2024년 3월 15일; 3月15日; the year or the day may be missing.
_MARKED = later(
    rf"(?<![0-9])(?:(?P<year>{_YEAR}|[0-9]{{2}}(?=年[0-9]{{1,2}}月)) ?[年년](?!级|间|制|이상|이내|间)(?:度|도)?)?"
    rf"(?(year) ?(?:(?P<m1>[0-9]{{1,2}}) ?[月월](?:份)?(?: ?(?P<d1>[0-9]{{1,2}}) ?(?:[日号일]))?)?"
    rf"|(?P<m2>[0-9]{{1,2}}) ?(?:月(?!龄|期)|월)(?:份)?(?: ?(?P<d2>[0-9]{{1,2}}) ?(?:[日号일]|(?=[-~至到부])))?)"
)
_ZH_WORDS = later(
    rf"(?:(?P<year>[一二][〇零一二三四五六七八九]{{3}})年)?"
    rf"(?(year)(?:(?P<m1>[{_ZH}]{{1,2}})月(?:份)?(?:(?P<d1>[{_ZH}]{{1,3}})[日号])?)?"
    rf"|(?P<m2>[{_ZH}]{{1,2}})月(?!龄|期)(?:份|(?P<d2>[{_ZH}]{{1,3}})[日号]{_TAIL}|(?=[底初末中上下]))?)"
)
_NUMERIC = later(
    rf"(?<![0-9./-])(?P<year>{_YEAR})(?P<mark>[-/.]) ?(?P<m>[0-9]{{1,2}})(?:(?P=mark) ?(?P<d>[0-9]{{1,2}})\.?)?"
    r"(?![0-9%/]|[-.][0-9])"
)
_SLASHED = later(
    rf"(?<![0-9./-])(?P<a>[0-9]{{1,2}})(?P<mark>[-/.])(?P<b>[0-9]{{1,2}})(?P=mark)(?P<year>{_YEAR})(?![0-9%/])"
)
_SHORT = later(
    r"(?<![0-9./-])(?P<m>[0-9]{1,2})(?:/|\. )(?P<d>[0-9]{1,2})\.?(?= ?\([月火水木金土日一二三四五六월화수목금토일]\))"
)
_DAY_ONLY = later(
    rf"(?:(?:每月|当月|次月|本月|上月|下月|每个月) ?(?P<zh>[0-9]{{1,2}}|[{_ZH}]{{1,3}}) ?[日号]"
    r"|(?:매월|매달|당월|익월|다음 ?달|이번 ?달|지난 ?달|전월) ?(?P<ko>[0-9]{1,2}) ?일(?!간|차|째)"
    r"|(?<![0-9.,월])(?P<day>[0-9]{1,2})일(?= ?(?:밤|새벽|오전|오후|아침|저녁|낮|현지|\\([월화수목금토일]\\)))"
    rf"|(?<![0-9年第月])(?P<hao>[0-9]{{1,2}})号(?!楼|线|文|窗|店|店|码|机|馆|门|桌|公|线|房|厅|院|车|航|柜|会))"
)
_ENGLISH = later(
    rf"(?<![a-z])(?P<month>{_MONTH})(?![a-z])\.?"
    rf"(?:,? (?:the )?(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9:%]|[.,][0-9]| ?(?:am|pm|a\.m|"
    rf"p\.m|days|percent|hours))"
    rf"|(?P<word>{_DAY_WORD})(?![a-z-])))?(?:,? (?:of )?(?P<year>{_YEAR})(?![0-9]))?"
)
_DAY_BEFORE = later(
    rf"(?:(?<![0-9.,:/-])(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?|(?<![a-z-])(?P<word>{_DAY_WORD}))(?: day)?(?: of)? $"
)
# A year of four digits by itself, which no counted thing follows: in 1903, but not in 2000 cases.
_BARE_YEAR = later(
    rf"(?<![a-z])(?:in|since|until|till|during|circa|year) (?P<year>{_YEAR})"
    r"(?= ?(?:$|[.,;:!?)](?![0-9])|(?:and|or|but|in|at|as|by|to|for|with|on|when|while|after|before|the|he|she|it|they"
    r"|we|was|is|were|had|has) ))"
)
# Month names that are words of their own, and abbreviations that begin others.
_DOUBTFUL = frozenset(("may", "march", "mar", "sep", "dec", "jun", "jan"))
_BEFORE_MONTH = later(
    r"(?:in|of|by|since|until|till|from|to|through|between|and|early|late|mid|during|before|after|"
    r"this|last|next|every|each|per)[ -]$"
)
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_WEEKDAY = later(
    r"(?:星期|礼拜|周|每周)(?P<zh>[一二三四五六日天])(?![年个岁期])"
    r"|(?:(?P<ko>[월화수목금토일])요일|(?<=[0-9일 ]\()(?P<short>[월화수목금토일])(?=\)))"
    r"|(?<![a-z])(?P<en>monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?![a-z])"
)
_ZH_DAYS = {**{day: number for number, day in enumerate("一二三四五六日")}, "天": 6}
_KO_DAYS = {day: number for number, day in enumerate("월화수목금토일")}
_QUICK = later(r"[年년月월号]|[0-9][-/.] ?[0-9]")
_QUICK_MARKED = later("[0-9] ?[年년月월]")
_QUICK_WORDS = later(f"[{_ZH}][年月]")
_QUICK_JOINED = later("[0-9][-/.] ?[0-9]")
_QUICK_YEAR = later(rf"[a-z] {_YEAR}")
_QUICK_ENGLISH = later(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec")
_QUICK_WEEKDAY = later(r"星期|礼拜|周|요일|day|\([월화수목금토일]\)")


OPENING = Opening(
    ((DIGITS,), (frozenset("年月日号期拜周요"),), (frozenset("("), frozenset("월화수목금토일"))),
    ("day", *(name for name in _MONTHS if len(name) == len("jan"))),
)


def _zh_number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    if len(text) == 4:
        digits = ["〇一二三四五六七八九".find("〇" if each == "零" else each) for each in text]
        return int("".join(map(str, digits))) if min(digits) >= 0 else None
    parsed = numerals.parse_zh(text)
    return None if parsed is None else int(parsed.low)


def _valid(year: int | None, month: int | None, day: int | None) -> bool:
    if month is not None and not 1 <= month <= 12:
        return False
    if day is None:
        return True
    # A year that is not said may be a leap year.
    return 1 <= day <= (31 if month is None else calendar.monthrange(year or 2000, month)[1])


_BOUND_BEHIND = later(
    " ?(?:(?P<before>之前|以前|前(?![后景提面途进往来])|이전|전(?=에|까지|$|[ ,.])|까지|为?止|截止)"
    "|(?P<after>之后|以后|后(?![续来面果])|起(?!来)|开始|이후|후(?=에|$|[ ,.])|부터)"
    "|(?P<later>onwards?(?![a-z])))"
)
_BOUND_BEFORE = later(
    "(?:(?P<before>截[至止](?:日期)?[为:到]? ?|不晚于|早于"
    "|(?<![a-z])(?:before|prior to|until|till|by|no later than|up to|ends? on|through) (?:the )?)"
    "|(?P<after>[自从]|晚于|(?<![a-z])(?:after|since|from|starting(?: on)?|starts? on|beginning(?: on)?|as of"
    "|effective) (?:the )?))$"
)
_ENDS_BOUND = frozenset(" 至止为到:于自从")


def _bound(text: str, start: int, end: int) -> str:
    """Whether something lies before or after a date, by the words on both sides: 까지, since, 5月之前."""
    behind = _BOUND_BEHIND.match(text, end)
    if behind:
        return "before" if behind["before"] else "after"
    if text[start - 1 : start] not in _ENDS_BOUND:
        return ""
    before = _BOUND_BEFORE.search(text, max(0, start - 18), start)
    return before.lastgroup or "" if before else ""


def _date(text: str, span: tuple[int, int], parts: Parts) -> Iterator[Value]:
    year, month, day, _ = parts
    if _valid(year, month, day):
        yield Value(*span, "date", comparator=_bound(text, *span), parts=parts, text=text[slice(*span)])


def _int(written: str | None) -> int | None:
    return None if written is None else _zh_number(written)


def dates(text: str, base: str) -> Iterator[Value]:
    """The dates of a folded text, in no order and perhaps overlapping; the longer of two is meant.

    Args:
        text: Folded text.
        base: Unfolded text of the same length; capitals tell May from may.

    """
    if _QUICK.search(text):
        yield from _written_in_digits(text)
    if _QUICK_ENGLISH.search(text):
        yield from _english(text, base)
    if _QUICK_YEAR.search(text):
        for match in _BARE_YEAR.finditer(text):
            yield from _date(text, match.span("year"), (int(match["year"]), None, None, None))
    if _QUICK_WEEKDAY.search(text):
        yield from _weekdays(text)


def _written_in_digits(text: str) -> Iterator[Value]:
    if "年" in text or "년" in text or "月" in text or "월" in text:
        for match in _MARKED.finditer(text) if _QUICK_MARKED.search(text) else ():
            month, day = match["m1"] or match["m2"], match["d1"] or match["d2"]
            yield from _date(text, match.span(), (_century(match["year"]), _int(month), _int(day), None))
        for match in _ZH_WORDS.finditer(text) if _QUICK_WORDS.search(text) else ():
            month, day = match["m1"] or match["m2"], match["d1"] or match["d2"]
            if match.start() and text[match.start() - 1] in "个第几数":
                continue
            yield from _date(text, match.span(), (_int(match["year"]), _int(month), _int(day), None))
    if _QUICK_JOINED.search(text):
        yield from _joined(text)
    for match in _DAY_ONLY.finditer(text) if "号" in text or "日" in text or "일" in text else ():
        yield from _date(
            text, match.span(), (None, None, _int(match["zh"] or match["ko"] or match["day"] or match["hao"]), None)
        )


def _joined(text: str) -> Iterator[Value]:
    """Dates whose parts are joined by a mark: 2024-03-15, 3/15/2024, 2/11(수)."""
    for match in _NUMERIC.finditer(text):
        if match["d"] is None and match["mark"] == "." and not text.startswith((" ", "."), match.end()):
            continue
        yield from _date(text, match.span(), (int(match["year"]), int(match["m"]), _int(match["d"]), None))
    for match in _SLASHED.finditer(text):
        first, second = int(match["a"]), int(match["b"])
        # Month first, as most who write slashes do, unless it can be none; dots put the day first.
        month, day = (second, first) if first > 12 or match["mark"] == "." else (first, second)
        yield from _date(text, match.span(), (int(match["year"]), month, day, None))
    for match in _SHORT.finditer(text) if "(" in text else ():
        yield from _date(text, match.span(), (None, int(match["m"]), int(match["d"]), None))


def _century(year: str | None) -> int | None:
    return None if year is None else int(year) + (2000 if len(year) == 2 else 0)


def _english(text: str, base: str) -> Iterator[Value]:
    for match in _ENGLISH.finditer(text):
        start, end = match.span()
        name = match["month"]
        before = _DAY_BEFORE.search(text, max(0, start - 20), start) if match["day"] is None else None
        day = match["day"] or (before["day"] if before else None)
        word = match["word"] or (before["word"] if before else None)
        alone = day is None and word is None and match["year"] is None
        if alone and not base[start].isupper():
            continue
        if alone and name in _DOUBTFUL and _BEFORE_MONTH.search(text, max(0, start - 9), start) is None:
            continue
        number = int(day) if day else (_DAY_WORDS[word] if word else None)
        first = before.start() if before else start
        yield from _date(text, (first, end), (_int(match["year"]), _MONTHS[name], number, None))


def _weekdays(text: str) -> Iterator[Value]:
    for match in _WEEKDAY.finditer(text):
        if match["zh"]:
            number = _ZH_DAYS[match["zh"]]
        else:
            korean = match["ko"] or match["short"]
            number = _KO_DAYS[korean] if korean else _WEEKDAYS[match["en"]]
        yield Value(*match.span(), "date", parts=(None, None, None, number), text=match.group())
