"""Amounts in a clause, and what kind of thing they measure."""

from __future__ import annotations

import re
from typing import NamedTuple

from turnmark.language.quantity.quantity import Quantity, quantities
from turnmark.language.quantity.units import convert

_NUMBER = re.compile(
    r"[^0-9]?[0-9][0-9,.]*(?:\s*[-~–—～至到]\s*[0-9][0-9,.]*)?\s*(?:万亿|[百千万亿萬億만억천백]+(?![0-9克米瓦卡]))?\s*"
    r"|[一二三四五六七八九十百千万亿两零半]+|[a-z]+(?:-[a-z]+)?\s+|[가-힣]+?\s+",
    re.IGNORECASE,
)

_COUNTED = re.compile(
    r"\s*(?:平方米|平方公里|立方米|公顷|英亩|亩|千瓦时|千瓦|瓦|伏|赫兹|毫安时|分贝|像素|人次|册|件|台|张|本|位|名|所|间|层|座|篇|部|辆|株|棵|只|头|户|处|门|套|期|章|级|袋|盒|瓶|包|勺|杯|碗|格|排|项|课时|学分|积分|里程|站|粒|滴|支"
    r"|영업일|거래일|인분|인|개소|제곱미터|세제곱미터|헥타르|와트|볼트|데시벨|권|점|석|층|곳|채|대|쪽|과목|가지|마리|그루|킬로와트"
    r"|(?:m²|m2|㎡|km²|m³|mAh|kWh|Wh|kW|W|V|Hz|kHz|MHz|GB|MB|TB|dB|rpm|ppm|cc)(?![A-Za-z]))"
)
"""What numbers count that the language tools know no unit for."""

MONEY = frozenset(("usd", "yuan", "krw", "eur", "gbp", "jpy", "hkd"))
TIME = frozenset(("year", "month", "week", "day", "hour", "minute", "second"))
WEIGHT = frozenset(("kg", "g", "mg", "ug", "ton", "lb", "oz", "jin"))
LENGTH = frozenset(("m", "cm", "mm", "km", "mile", "ft", "inch"))
VOLUME = frozenset(("l", "ml", "dl"))
TEMPERATURE = frozenset(("celsius", "fahrenheit"))


class Amount(NamedTuple):
    """A quantity in a text, with the words of its number and its unit as written."""

    quantity: Quantity
    number: str
    unit: str

    @property
    def words(self) -> str:
        """Number and unit."""
        return self.number + self.unit


def amounts(text: str, name: str = "") -> list[Amount]:
    """The quantities of a text that are amounts, dates or times, in order; numbers within a ``name`` are none."""
    results = []
    for quantity in quantities(text.replace(name, "x" * len(name)) if re.search("[0-9]", name) else text):
        if quantity.kind in ("amount", "date", "time"):
            words = text[quantity.start : quantity.end]
            number = _NUMBER.match(words)
            cut = number.end() if number and quantity.kind == "amount" else len(words)
            unit = words[cut:]
            counted = _COUNTED.match(text, quantity.end) if not unit and quantity.kind == "amount" else None
            if counted:
                unit = counted.group()
                quantity = quantity._replace(end=counted.end(), unit=f"of {unit.strip()}")  # noqa: PLW2901
            results.append(Amount(quantity, words[:cut], unit))
    return results


def measure(quantity: Quantity) -> str:
    """percent, money, time, weight, length, volume, temperature, count (things or nothing named) or other."""
    unit = quantity.unit
    for name, units in (
        ("percent", ("percent",)),
        ("money", MONEY),
        ("time", TIME),
        ("weight", WEIGHT),
        ("length", LENGTH),
        ("volume", VOLUME),
        ("temperature", TEMPERATURE),
    ):
        if unit in units:
            return name
    return "count" if unit in ("", "item", "person", "occurrence") or unit.startswith("of ") else "other"


def greater(one: Quantity, other: Quantity) -> bool | None:
    """Whether one amount is greater than another; None when they cannot be compared or are equal."""
    if one.kind != "amount" or other.kind != "amount" or one.comparator != other.comparator:
        return None
    if one.low != one.high or other.low != other.high:
        return None
    try:
        low = one.low if one.unit == other.unit else convert(one.low, one.unit, other.unit)
    except ValueError:
        return None
    return None if low == other.low else bool(low > other.low)
