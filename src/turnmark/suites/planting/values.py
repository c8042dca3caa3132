"""Another value of the same kind in place of one: what the self-test does to dates, times, signs, units and grades.

The values are found by the reader that judges and detectors use; what is put in their place is read back by it, and is
kept only where the two conflict.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping

from turnmark.language.values import Value, compare_values, read_values

KINDS = ("date", "time", "duration", "sign", "unit", "currency", "scale", "grade", "comparator", "polarity")
"""Kinds of value that can be another one, beside `AMOUNT`."""
AMOUNT = "amount"
"""The number of a quantity: what it counts and which way it points stay."""

_NUMBER = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_SWAPS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "unit": (
        ("mg/dL", "mmol/L"),
        ("mmol/L", "mg/dL"),
        ("g/dL", "g/L"),
        ("mcg", "mg"),
        ("mg", "mcg"),
        ("mL", "mg"),
        ("kg", "lb"),
        ("公斤", "磅"),
        ("毫克", "毫升"),
        ("毫升", "毫克"),
        ("天", "个月"),
        ("days", "weeks"),
        ("hours", "days"),
        ("小时", "天"),
        ("시간", "일"),
        ("개월", "주"),
        ("months", "years"),
        ("个月", "年"),
        ("일", "주"),
        ("년", "개월"),
    ),
    "currency": (
        ("美元", "欧元"),
        ("달러", "유로"),
        ("dollars", "euros"),
        ("$", "£"),
        ("£", "€"),
        ("€", "$"),
        ("港币", "美元"),
        ("원", "달러"),
        ("元", "美元"),
    ),
    "scale": (
        ("万", "亿"),
        ("亿", "万"),
        ("만", "억"),
        ("억", "만"),
        ("million", "billion"),
        ("billion", "million"),
        ("thousand", "million"),
    ),
    "comparator": (
        ("以上", "以下"),
        ("以下", "以上"),
        ("至少", "最多"),
        ("最多", "至少"),
        ("不超过", "不低于"),
        ("不低于", "不超过"),
        ("이상", "이하"),
        ("이하", "이상"),
        ("최소", "최대"),
        ("최대", "최소"),
        ("at least", "at most"),
        ("at most", "at least"),
        ("no more than", "no less than"),
        ("or more", "or less"),
        ("以内", "以上"),
        ("이내", "이상"),
        ("under", "over"),
        ("above", "below"),
        ("<", ">"),
    ),
    "polarity": (
        ("阳性", "阴性"),
        ("阴性", "阳性"),
        ("良性", "恶性"),
        ("免费", "收费"),
        ("收费", "免费"),
        ("上升", "下降"),
        ("下降", "上升"),
        ("增长", "下降"),
        ("양성", "음성"),
        ("음성", "양성"),
        ("무료", "유료"),
        ("유료", "무료"),
        ("증가", "감소"),
        ("감소", "증가"),
        ("positive", "negative"),
        ("negative", "positive"),
        ("included", "excluded"),
        ("increased", "decreased"),
        ("rose", "fell"),
    ),
}
_READ_AS: Mapping[str, tuple[str, ...]] = {
    "amount": ("quantity",),
    "duration": ("duration",),
    "date": ("date",),
    "time": ("time",),
    "sign": ("number", "quantity"),
    "unit": ("quantity", "duration"),
    "currency": ("quantity",),
    "scale": ("quantity", "number"),
    "grade": ("code",),
    "comparator": ("number", "quantity", "duration"),
    "polarity": ("polarity",),
}
_LAST_CODE = 5
"""The last grade or stage that is put in the place of one up to it: scales of five are common, of four rare."""
_LAST = {"type": 2, "stage": 4}
_REACH = 14
"""Characters around a value in which its comparator stands."""


def change_value(text: str, chance: random.Random, kind: str, among: Iterable[str] | None = None) -> str | None:
    """Another value of the same kind for one of a text, None where it holds none.

    Args:
        text: What is changed.
        chance: Which of several values, and what takes its place.
        kind: One of `KINDS`, or `AMOUNT`.
        among: Texts one of which must state the value; any value when None.

    """
    known = None if among is None else [value for each in among for value in read_values(each)]
    values = [
        value
        for value in read_values(text)
        if value.kind in _READ_AS[kind]
        and (known is None or any(compare_values(value, other).relation == "equal" for other in known))
    ]
    chance.shuffle(values)
    for value in values:
        for changed in (_CHANGES.get(kind) or _swapped(kind))(text, value, chance):
            if _conflicts(value, changed):
                return changed
    return None


def _conflicts(value: Value, changed: str) -> bool:
    """Whether a changed text says another value where the first one stood."""
    return any(
        compare_values(value, other).relation == "conflicting"
        for other in read_values(changed)
        if other.start <= value.end and value.start <= other.end
    )


def _other_number(text: str, value: Value, chance: random.Random) -> Iterable[str]:
    """Another number in place of one of a date, a time or a code."""
    finditer = list(_NUMBER.finditer(text, value.start, value.end))
    chance.shuffle(finditer)
    for match in finditer:
        number = int(match.group())
        # A day, an hour and a grade stay ones that there are.
        for step in chance.sample((-3, -2, -1, 1, 2, 3), 6):
            if 0 < number + step <= (_last(value, number) or number + step):
                yield text[: match.start()] + f"{number + step:0{len(match.group())}d}" + text[match.end() :]


def _last(value: Value, number: int) -> int | None:
    """The last number of a scale; None where it has no known end."""
    return _LAST.get(value.unit, _LAST_CODE) if value.kind == "code" and number <= _LAST_CODE else None


def _other_amount(text: str, value: Value, chance: random.Random) -> Iterable[str]:
    """A number two or three times as large in place of the first one of a value, with as many decimals."""
    found = _DECIMAL.search(text, value.start, value.end)
    if found is None or not float(found.group()):
        return
    for factor in chance.sample((2, 3), 2):
        yield text[: found.start()] + scaled(found.group(), factor) + text[found.end() :]


def scaled(number: str, factor: float) -> str:
    """A number in digits times a factor, with as many decimals as it has."""
    return f"{float(number) * factor:.{len(number.partition('.')[2])}f}"


def _other_sign(text: str, value: Value, _: random.Random) -> Iterable[str]:
    written = text[value.start : value.end]
    if value.low < 0 and written[0] in "-−":
        yield text[: value.start] + written[1:] + text[value.end :]
    elif value.low > 0 and written[0].isdigit() and value.low == value.high:
        yield text[: value.start] + "-" + text[value.start :]


def _swapped(kind: str) -> Callable[[str, Value, random.Random], Iterable[str]]:
    def change(text: str, value: Value, _: random.Random) -> Iterable[str]:
        around = _REACH if kind == "comparator" else 0
        start, end = max(0, value.start - around), value.end + around
        for old, new in _SWAPS[kind]:
            position = text.find(old, start, end)
            # Half of a compound unit (the mL of mL/min) makes no unit that there is.
            if position >= 0 and not text.startswith("/", position + len(old)):
                yield text[:position] + new + text[position + len(old) :]

    return change


_CHANGES: Mapping[str, Callable[[str, Value, random.Random], Iterable[str]]] = {
    "date": _other_number,
    "time": _other_number,
    "grade": _other_number,
    "amount": _other_amount,
    "duration": _other_amount,
    "sign": _other_sign,
}
