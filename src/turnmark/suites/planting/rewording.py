"""The same value in other words: what a control of the self-test does where a planted error changes the value.

What is put in a value's place is read back by the reader of values and is kept only where the two are equal.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from turnmark.language.script import detect_language
from turnmark.language.values import Value, compare_values, read_values

_MONTHS = 12
_MINUTES = 60
_WRITTEN = {
    ("zh", "percent"): "百分之{n}",
    ("ko", "percent"): "{n}퍼센트",
    ("en", "percent"): "{n} percent",
    ("zh", "mg"): "{n}毫克",
    ("ko", "mg"): "{n}밀리그램",
    ("en", "mg"): "{n} milligrams",
    ("zh", "kg"): "{n}公斤",
    ("ko", "kg"): "{n}킬로그램",
    ("en", "kg"): "{n} kilograms",
    ("zh", "yuan"): "{n}元",
    ("ko", "krw"): "{n}원",
    ("en", "usd"): "{n} dollars",
    ("zh", "month"): "{n}个月",
    ("ko", "month"): "{n}개월",
    ("en", "month"): "{n} months",
    ("zh", "year"): "{n}年",
    ("ko", "year"): "{n}년",
    ("en", "year"): "{n} years",
}
"""How an amount is written out, by language and unit."""


def reword_value(text: str, chance: random.Random) -> str | None:
    """One value of a text in other words that say the same, None where there is none that can be said otherwise."""
    values = list(read_values(text))
    chance.shuffle(values)
    language = detect_language(text)
    for value in values:
        for written in _otherwise(value, language):
            changed = text[: value.start] + written + text[value.end :]
            if changed != text and _same(value, changed):
                return changed
    return None


def in_months(value: Value, language: str) -> str | None:
    """A duration of years in months, or one of months in years where these are whole; None for any other value."""
    if value.kind != "duration" or value.low != value.high:
        return None
    if value.unit == "year":
        return _written(value.low * _MONTHS, "month", language)
    if value.unit == "month" and value.low % _MONTHS == 0:
        return _written(value.low / _MONTHS, "year", language)
    return None


def _otherwise(value: Value, language: str) -> Iterable[str]:
    if value.kind == "date" and value.parts and None not in value.parts[:3]:
        year, month, day = value.parts[:3]
        yield f"{year}-{month:02}-{day:02}"
    elif value.kind == "time" and not value.parts and value.low == value.high:
        yield f"{int(value.low) // _MINUTES:02}:{int(value.low) % _MINUTES:02}"
    elif value.kind in {"quantity", "duration"} and value.low == value.high:
        yield from filter(None, (in_months(value, language), _written(value.low, value.unit, language)))


def _written(number: float, unit: str, language: str) -> str | None:
    template = _WRITTEN.get((language, unit))
    return template.format(n=f"{number:.12g}") if template else None


def _same(value: Value, changed: str) -> bool:
    """Whether the value that now stands there is equal, bounds included."""
    return any(
        other.kind == value.kind
        and other.start <= value.start < other.end
        and other.comparator == value.comparator
        and compare_values(value, other).relation == "equal"
        for other in read_values(changed)
    )
