"""Written numbers in Chinese, Korean and English: from the folded characters of one numeral to its value."""

import re
from functools import lru_cache
from typing import NamedTuple

from turnmark.language.later import later


class Numeral(NamedTuple):
    """The value of a numeral: ``low`` equals ``high`` unless the words give a range, as "two or three" does."""

    low: float
    high: float
    approximate: bool = False


# What stands behind digits and multiplies them, and fractions of one character.
DIGIT_SCALES = {
    "十亿": 1e9,
    "百万": 1e6,
    "千万": 1e7,
    "万亿": 1e12,
    "万": 1e4,
    "亿": 1e8,
    "千": 1e3,
    "百": 1e2,
    "백만": 1e6,
    "천만": 1e7,
    "만": 1e4,
    "천": 1e3,
    "억": 1e8,
    "조": 1e12,
    "십만": 1e5,
    "백": 1e2,
}
EN_DIGIT_SCALES = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "lakh": 1e5,
    "crore": 1e7,
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "t": 1e12,
    "tn": 1e12,
}
GLYPHS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}

# Longer runs of numerals are no number.
_LONGEST = 24

_ZH_DIGITS = {
    c: v
    for v, cs in enumerate(("零〇", "一壹", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖"))
    for c in cs
}
_ZH_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_ZH_GROUPS = {"万": 10**4, "亿": 10**8}
ZH_NUMERAL_CHARACTERS = "".join((*_ZH_DIGITS, *_ZH_UNITS, *_ZH_GROUPS)) + "几半廿卅"
_ZH_PAIR = later("([一二两三四五六七八九])([二两三四五六七八九])")


def _zh_integer(text: str) -> int | None:
    """Return the value of a Chinese integer without 几 or 半, or None when the characters do not form one."""
    if all(c in _ZH_DIGITS for c in text):
        # A single digit, or digits read one by one as in a year; two alone are "three to five" or a ratio.
        if not 0 < len(text) <= _LONGEST or (len(text) == 2 and text[0] not in "零〇"):
            return None
        return int("".join(str(_ZH_DIGITS[c]) for c in text))
    total = section = digit = 0
    last_unit = 1
    for character in text[:_LONGEST]:
        if character in _ZH_DIGITS:
            if digit:
                return None
            digit = _ZH_DIGITS[character]
            # After a zero the last digit counts ones: 一千零五 is 1005, 一千五 is 1500.
            last_unit = last_unit if digit else 1
        elif character in _ZH_UNITS:
            last_unit = _ZH_UNITS[character]
            section += (digit or 1) * last_unit
            digit = 0
        else:
            last_unit = _ZH_GROUPS.get(character, 0)
            grouped = _zh_group(total, section + digit, last_unit)
            if grouped is None:
                return None
            total, section, digit = grouped, 0, 0
    return total + section + (digit * last_unit // 10 if last_unit >= 100 else digit)


def _zh_group(total: int, section: int, group: int) -> int | None:
    """Multiply by ten thousand or a hundred million; None when nothing stands before the group."""
    if not group or total + section == 0:
        return None
    if section == 0:
        return total * group
    return (total + section) * group if group > total > 0 else total + section * group


def _zh_pair(text: str) -> tuple[str, str] | None:
    """Split two neighbouring digits into two numerals: 三四十 is thirty or forty."""
    match = _ZH_PAIR.search(text)
    if match is None:
        return None
    first, second = match.group(1), match.group(2)
    if _ZH_DIGITS[second] - _ZH_DIGITS[first] != 1 and first + second != "三五":
        return None
    before, after = text[: match.start()], text[match.end() :]
    if any(c in _ZH_DIGITS for c in after[:1]) or any(c in _ZH_DIGITS for c in before[-1:]):
        return None
    return before + first + after, before + second + after


@lru_cache(maxsize=4096)
def parse_zh(text: str) -> Numeral | None:
    """Return the value of a Chinese numeral (folded, simplified), or None when it is none.

    >>> parse_zh("三十五点五")
    Numeral(low=35.5, high=35.5, approximate=False)
    >>> parse_zh("两三")
    Numeral(low=2.0, high=3.0, approximate=True)
    """
    text = text.replace("廿", "二十").replace("卅", "三十")
    whole, point, decimals = text.partition("点")
    if point:
        value = _zh_integer(whole)
        digits = "".join(str(_ZH_DIGITS[c]) for c in decimals if c in _ZH_DIGITS)
        if value is None or not digits or len(digits) != len(decimals):
            return None
        exact = float(f"{value}.{digits}")
        return Numeral(exact, exact)
    if text == "半":
        return Numeral(0.5, 0.5)
    if "几" in text:
        return _zh_some(text)
    pair = _zh_pair(text)
    if pair is not None:
        low, high = _zh_integer(pair[0]), _zh_integer(pair[1])
        return None if low is None or high is None else Numeral(float(low), float(high), True)
    number = _zh_integer(text)
    return None if number is None else Numeral(float(number), float(number))


def _zh_some(text: str) -> Numeral | None:
    if text.count("几") != 1 or text.startswith("几万亿"):
        return None
    smallest = "二" if text.startswith("几") else "一"
    low, high = _zh_integer(text.replace("几", smallest)), _zh_integer(text.replace("几", "九"))
    return None if low is None or high is None else Numeral(float(low), float(high), True)


_KO_DIGITS = {c: v for v, cs in enumerate(("영공", "일", "이", "삼", "사", "오", "육륙", "칠", "팔", "구")) for c in cs}
_KO_UNITS = {"십": 10, "백": 100, "천": 1000}
_KO_GROUPS = {"만": 10**4, "억": 10**8, "조": 10**12}
KO_SINO_CHARACTERS = "".join((*_KO_DIGITS, *_KO_UNITS, *_KO_GROUPS))
_KO_TENS = {
    "열": 10,
    "스물": 20,
    "스무": 20,
    "서른": 30,
    "마흔": 40,
    "쉰": 50,
    "예순": 60,
    "일흔": 70,
    "여든": 80,
    "아흔": 90,
}
_KO_ONES = {
    "하나": 1,
    "한": 1,
    "둘": 2,
    "두": 2,
    "셋": 3,
    "세": 3,
    "석": 3,
    "서": 3,
    "넷": 4,
    "네": 4,
    "넉": 4,
    "너": 4,
    "다섯": 5,
    "여섯": 6,
    "일곱": 7,
    "여덟": 8,
    "아홉": 9,
}
KO_NATIVE = (
    f"(?:(?:{'|'.join(_KO_TENS)})(?:하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)?"
    "|한두|두세|두서너|서너|너댓|대여섯|예닐곱|하나|한|둘|두|셋|세|석|넷|네|넉|다섯|여섯|일곱|여덟|아홉)"
)
KO_NATIVE_FIRST = "".join(sorted({*(ten[0] for ten in _KO_TENS), *"한두서너대예하둘셋세석넷네넉다여일덟아"}))
_KO_PAIRS = {
    "한두": (1, 2),
    "두세": (2, 3),
    "두서너": (2, 4),
    "서너": (3, 4),
    "너댓": (4, 5),
    "대여섯": (5, 6),
    "예닐곱": (6, 7),
}
KO_DAYS = {
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "이레": 7,
    "여드레": 8,
    "아흐레": 9,
    "열흘": 10,
    "보름": 15,
}


@lru_cache(maxsize=1024)
def parse_ko_sino(text: str) -> Numeral | None:
    """Return the value of a Sino-Korean numeral, or None.

    >>> parse_ko_sino("이십오")
    Numeral(low=25.0, high=25.0, approximate=False)
    """
    whole, point, decimals = text[:_LONGEST].partition("점")
    total = section = digit = 0
    seen = False
    for character in whole:
        if character in _KO_DIGITS:
            if seen:
                return None
            digit, seen = _KO_DIGITS[character], True
        elif character in _KO_UNITS:
            section += (digit if seen else 1) * _KO_UNITS[character]
            digit, seen = 0, False
        else:
            total += max(section + digit, 1) * _KO_GROUPS[character]
            section, digit, seen = 0, 0, False
    value = float(total + section + digit)
    if point:
        digits = "".join(str(_KO_DIGITS.get(c, "")) for c in decimals)
        if not digits:
            return None
        value = float(f"{int(value)}.{digits}")
    return Numeral(value, value)


@lru_cache(maxsize=512)
def parse_ko_native(text: str) -> Numeral | None:
    """Return the value of a native Korean numeral such as 예순일곱, or None."""
    if text in _KO_PAIRS:
        low, high = _KO_PAIRS[text]
        return Numeral(float(low), float(high), True)
    for tens, value in _KO_TENS.items():
        if text.startswith(tens):
            rest = text[len(tens) :]
            if not rest:
                return Numeral(float(value), float(value))
            if rest in _KO_ONES:
                return Numeral(float(value + _KO_ONES[rest]), float(value + _KO_ONES[rest]))
            return None
    ones = _KO_ONES.get(text)
    return None if ones is None else Numeral(float(ones), float(ones))


_EN_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_EN_ONES = {
    word: value for value, word in enumerate(f"zero one two three four five six seven eight nine {_EN_TEENS}".split())
}
_EN_TENS = {
    word: value * 10
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)  # noqa: SIM905
}
EN_DECADES = {
    word: value * 10
    for value, word in enumerate(
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"], start=2
    )
}
_EN_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
}
EN_WORDS = {**_EN_ONES, **_EN_TENS}
EN_SCALES = _EN_SCALES
EN_FRACTIONS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourth": 4,
    "fourths": 4,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "sixths": 6,
    "seventh": 7,
    "sevenths": 7,
    "eighth": 8,
    "eighths": 8,
    "ninth": 9,
    "ninths": 9,
    "tenth": 10,
    "tenths": 10,
}


@lru_cache(maxsize=1024)
def parse_en(text: str) -> Numeral | None:
    """Return the value of an English number in words, lower case, such as "one hundred and five"; None if it is none.

    >>> parse_en("sixty-seven")
    Numeral(low=67.0, high=67.0, approximate=False)
    """
    total = current = 0
    seen = False
    previous = -1
    for word in re.split(r"[\s-]+", text.strip()):
        if word in ("and", "a", ""):
            continue
        if word in EN_WORDS:
            value = EN_WORDS[word]
            # "two three" is no number; "twenty two" is.
            if 0 <= previous < 100 and not (previous >= 20 and previous % 10 == 0 and 0 < value < 10):
                return None
            current += value
            previous = value
        elif word in _EN_SCALES:
            scale = _EN_SCALES[word]
            if scale == 100:
                current = max(current, 1) * scale
            else:
                total += max(current, 1) * scale
                current = 0
            previous = scale
        else:
            return None
        seen = True
    return Numeral(float(total + current), float(total + current)) if seen else None
