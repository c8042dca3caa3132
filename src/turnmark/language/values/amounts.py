"""From the quantities of a text to values: further units and currencies, what they are per, compound durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.values.measures import COUNTERS, DURATIONS, dimension, in_base, match_measure
from turnmark.language.values.value import Kind, Value

_SUFFIX_SCALE = later(r"(?P<scale>[KkMBT])(?![A-Za-z0-9/])")
_SCALES = {"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SIGNS = {
    "hk$": "hkd",
    "us$": "usd",
    "nt$": "twd",
    "au$": "aud",
    "a$": "aud",
    "ca$": "cad",
    "c$": "cad",
    "s$": "sgd",
    "₹": "inr",
    "฿": "thb",
    "₫": "vnd",
}
_CODES = {
    "usd": "usd",
    "eur": "eur",
    "gbp": "gbp",
    "krw": "krw",
    "cny": "yuan",
    "rmb": "yuan",
    "hkd": "hkd",
    "jpy": "jpy",
    "rs": "inr",
    "rs.": "inr",
    "inr": "inr",
    "sgd": "sgd",
    "aud": "aud",
    "cad": "cad",
    "chf": "chf",
    "twd": "twd",
    "미화": "usd",
    "美元": "usd",
    "美金": "usd",
    "人民币": "yuan",
    "港币": "hkd",
    "港元": "hkd",
    "日元": "jpy",
    "欧元": "eur",
    "英镑": "gbp",
    "원화": "krw",
    "엔화": "jpy",
}
_MONEY_WORDS = "|".join(re.escape(word) for word in (*_SIGNS, *_CODES))
_MONEY_BEFORE = later(rf"(?<![a-z])(?:{_MONEY_WORDS}) ?$")
_MONEY_ENDS = frozenset("$₹฿₫dryfns.f화元金币镑 p")
_WORKDAY = later(r" ?(?:(?:business|working|banking|trading)[ -]days?|영업일|근무일|거래일)")
_PER_UNITS = {
    **dict.fromkeys(("公斤", "千克", "kg", "kilogram", "킬로그램"), "kg"),
    **dict.fromkeys(("天", "日", "day", "일", "하루"), "day"),
    **dict.fromkeys(("周", "week", "주"), "week"),
    **dict.fromkeys(("月", "个月", "month", "월", "달", "개월"), "month"),
    **dict.fromkeys(("年", "year", "년", "annum", "연"), "year"),
    **dict.fromkeys(("小时", "hour", "시간", "h"), "hour"),
    **dict.fromkeys(
        ("人", "person", "people", "인", "명", "head", "adult", "guest", "traveller", "traveler"), "person"
    ),
    **dict.fromkeys(("次", "dose", "회", "time", "visit"), "occurrence"),
    **dict.fromkeys(("share", "股", "주당"), "share"),
    **dict.fromkeys(("晚", "night", "박"), "night"),
    **dict.fromkeys(("平方米", "平米", "m2", "㎡", "제곱미터"), "m2"),
}
_PER_WORD = "|".join(sorted(map(re.escape, _PER_UNITS), key=lambda word: (-len(word), word)))
_A_PERIOD = "一(?=个?[月年天周晚](?![^。，,;；！!的吧呢]))"
_PER_AFTER = later(
    rf"(?: ?/ ?|,? per |每|{_A_PERIOD}| an? | each | every )(?P<unit>{_PER_WORD})(?![a-z가-힣])|(?P<adverb> (?:daily|"
    rf"weekly|monthly|annually|a head))(?![a-z])"
)
_PER_BEFORE = later(
    r"(?:(?:每个?|(?<![0-9一二三四五六七八九十])(?:一个?|1个?)(?=小时|天|月|年|周))(?P<zh>公斤|千克|天|日|周|月"
    r"|年|小时|人|次|股|晚|平方米|平米)|(?P<ko>월|연|년|주|1?인|1?회|시간"
    r"|(?<![0-9])1?일|1?박|kg|㎡)(?:당|간)? |(?P<within>한 ?달|1개월|1년|일 년|하루|일주일|한 시간|1시간)에 "
    r"|(?<![가-힣])(?P<lone>월|연|매월|매년|매주|매일) ?"
    r"|(?P<monthly>月租|月费|年费|年化|monthly |annual |daily |weekly |yearly ))(?:约|收取?|为|是|fee of )? ?$"
)
_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "annually": "year", "a head": "person"}
_LEADS = {
    "한 달": "month",
    "한달": "month",
    "1개월": "month",
    "1년": "year",
    "일 년": "year",
    "하루": "day",
    "일주일": "week",
    "한 시간": "hour",
    "1시간": "hour",
    "월": "month",
    "매월": "month",
    "연": "year",
    "년": "year",
    "매년": "year",
    "주": "week",
    "매주": "week",
    "매일": "day",
    "일": "day",
    "1일": "day",
    "인": "person",
    "1인": "person",
    "회": "occurrence",
    "1회": "occurrence",
    "시간": "hour",
    "박": "night",
    "1박": "night",
    "kg": "kg",
    "㎡": "m2",
    "月租": "month",
    "月费": "month",
    "年费": "year",
    "年化": "",
    "monthly": "month",
    "annual": "",
    "daily": "day",
    "weekly": "week",
    "yearly": "year",
}
_WHEN_AFTER = later(
    r"(?:[及或]?以|之)?(?:(?P<before>[ ]?(?:前(?![后景提面途进])|전(?![체국화용]))|(?:,)? (?:before|prior to"
    r"|ahead of|in advance|earlier|ago)(?![a-z]))"
    r"|(?P<after>[ ]?(?:后(?![台续面果])|뒤(?![지집쪽])|후(?![보]))"
    r"|(?:,)? (?:after|later|following|afterwards|from)(?![a-z])))"
)
_WHEN_BEFORE = later(
    r"(?:(?P<before>(?<![以提])前|之前|以前|(?<=[가-힣 ])전(?:에|의|까지)?(?= )|이전)"
    r"|(?P<after>(?<![然最])后|之后|以后|(?<=[가-힣 ])(?:후|뒤)(?:에|의)?(?= )|이후))[^0-9,.;、。!?\n()]{0,8}$"
)
_FIGURE_BEFORE = later(r"[0-9.,]+[^0-9(]{1,4}$")
_NOT_OVER = later(r" ?(?:을|를)? ?(?:초과하지|초과할 수|넘지|넘을 수|넘기지) ?(?:않|못|없|말|아니)")
_BEHIND = (
    "(?:(?P<at_most>[及或]?以[下内]|이하|이내|or less|or fewer|or below)"
    "|(?P<at_least>[及或]?以上|이상|or more|or above)"
    "|(?P<less_than>미만)|(?P<more_than>초과))"
)
_BEHIND_BRACKET = later(rf"(?: ?\(含\)| ?\(포함\)|[^()\n.。]{{0,30}}\)|(?: [a-z-]+){{1,2}}(?= or )) ?{_BEHIND}")
_FAR_BEFORE = later(
    r"(?:(?P<at_most>不(?:得|能|应|可|会)?(?:超过|高于|大于|多于|超出)|最多|至多|最高|上限|최대|최고|at most"
    r"|no more than|up to|not exceed"
    r"|maximum(?: of)?|capped at|no later than|limited to)"
    r"|(?P<at_least>不(?:得|能|应|可|会)?(?:低于|少于|小于)|至少|最少|最低|起码|최소|적어도"
    r"|at least|no less than|minimum(?: of)?)"
    r"|(?P<less_than>(?<!不)(?<!不得)(?:低于|少于|小于)|less than|under|below)"
    r"|(?P<more_than>(?<!不)(?<!不得)(?:超过(?![以之]?后)|高于|大于)|more than|over|above|"
    r"exceeds?))(?:[^0-9,.;、。!?\n()a-z]{0,10}| [a-z ]{0,20})$"
)
_ANY_BOUND = later(
    r"不(?:得|能|应|可|会)?[超高大多低少小]|[最至][多少高低]|上限|起码|低于|少于|小于|超过|高于|大于|최[대고소]|적어도"
    r"|at (?:most|least)|no (?:more|less|later) than|up to|not exceed|m(?:ax|in)imum|capped|limited|less than|under"
    r"|below|more than|over|above|exceed"
)
_ANY_ORDER = later("[前后전후뒤]|이[전후]")
_BETWEEN_PARTS = later(r"(?: |, | and |零|又)?")
_PARTS = {"year": 0, "month": 1, "week": 2, "day": 3, "hour": 4, "minute": 5, "second": 6}
_RANGE_LINK = later(r" ?(?:-|~|至|到|에서|to|and|和) ?")


_DESCRIBED = later(
    r" (?!of |and |or |to |in |on |at |per |the |more |other |out )[a-z-]{3,} (?P<unit>minute|hour|day|night|week"
    r"|month|year)s(?![a-z])"
)
"""A unit behind a word that describes it: 5 unused days. The word stays a word of the text."""


def amounts(text: str, base: str, found: list[Quantity], taken: list[tuple[int, int]]) -> Iterator[Value]:
    """The amounts of a folded text that no other value covers, as values, in order.

    Args:
        text: Folded text.
        base: Unfolded text of the same length.
        found: Its quantities, with offsets of the folded text.
        taken: Spans of other values, in order.

    """
    position = 0
    waiting: Value | None = None
    for quantity in found:
        while position < len(taken) and taken[position][1] <= quantity.start:
            position += 1
        if not _is_amount(text, quantity) or (position < len(taken) and taken[position][0] < quantity.end):
            continue
        value = _value(text, base, quantity)
        joined = None if waiting is None else _joined(text, waiting, value)
        if joined is None and waiting is not None:
            yield waiting
        waiting = joined or value
    if waiting is not None:
        yield waiting


def _is_amount(text: str, quantity: Quantity) -> bool:
    """Whether a quantity counts; so does a number behind a word that mostly orders, if it opens no line (turns 26)."""
    if quantity.kind == "ordinal" and quantity.form == "digits" and text[quantity.end - 1].isdigit():
        return bool(text[text.rfind("\n", 0, quantity.start) + 1 : quantity.start].strip(" *#>(-|"))
    return quantity.kind == "amount"


def _value(text: str, base: str, quantity: Quantity) -> Value:
    start, end, low, high, unit, comparator, approximate, _, form = quantity
    if (
        unit in ("", "m", "metre", "ton", "g", "l", "cup", "h")
        and form == "digits"
        and (scale := _SUFFIX_SCALE.match(base, _digits_end(text, start, end)))
    ):
        factor = _SCALES[scale["scale"]]
        low, high, unit, end = low * factor, high * factor, "", max(end, scale.end())
    position = end + (text[end : end + 1] in (" ", "-"))
    if workday := _WORKDAY.match(text, end):
        unit, end = "workday", workday.end()
    elif unit == "day" and text[max(start, end - 3) : end] in ("工作日", "交易日"):
        unit = "workday"
    elif ((more := match_measure(text, position if not unit else end)) and _fits(more[0], unit)) or (
        unit == "item" and text[end - 1] == "个" and (more := match_measure(text, end)) and more[0] in COUNTERS
    ):
        unit, end = more
    elif (
        unit in ("m", "cm", "mm", "km", "year")
        and (
            longer := match_measure(
                text,
                _digits_end(text, start, end)
                + (text[_digits_end(text, start, end) : _digits_end(text, start, end) + 1] == " "),
            )
        )
        and longer[1] > end
    ):
        unit, end = longer
    if not unit and (described := _DESCRIBED.match(text, end)):
        unit = described["unit"]
    if not unit and text[end : end + 1] == "도" and low < 0:
        # 영하 3도로: 도로 is no road.
        unit, end = "degree", end + 1
    start, unit = _money(text, start, unit)
    per = _per(text, start, end, unit)
    comparator = comparator_around(text, start, end, comparator)
    if unit in DURATIONS:
        per = when(text, start, end)
    kind: Kind = "number" if not unit else ("duration" if unit in DURATIONS else "quantity")
    return Value(start, end, kind, low, high, unit, comparator, approximate, (), per, text[start:end])


def _digits_end(text: str, start: int, end: int) -> int:
    while end > start and not text[end - 1].isdigit():
        end -= 1
    return end


def _fits(more: str, unit: str) -> bool:
    """Whether a further unit may follow what is read as a unit already: 元 before 港币."""
    return not unit or dimension(more) == "currency" == dimension(unit)


def _money(text: str, start: int, unit: str) -> tuple[int, str]:
    """Start and unit with the currency sign or code in front: HK$65, USD 500, 미화 300달러."""
    after_sign = start + 1 if text[start : start + 1] == "$" else start
    if text[after_sign - 1 : after_sign] not in _MONEY_ENDS and text[start - 1 : start] not in _MONEY_ENDS:
        return start, unit
    if dimension(unit) not in ("currency", ""):
        return start, unit
    match = _MONEY_BEFORE.search(text, max(0, after_sign - 6), after_sign)
    if match is None:
        return start, unit
    written = match.group().strip()
    result = _SIGNS.get(written) or _CODES[written]
    return match.start(), result if not unit or after_sign > start else unit


def _per(text: str, start: int, end: int, unit: str) -> str:
    if not unit or unit in DURATIONS:
        return ""
    after = _PER_AFTER.match(text, end)
    if after:
        return _PER_UNITS[after["unit"]] if after["unit"] else _ADVERBS[after["adverb"].strip()]
    before = _PER_BEFORE.search(text, max(0, start - 12), start)
    if before is None:
        return ""
    word = before["zh"] or before["ko"] or before["lone"] or before["within"] or before["monthly"].strip()
    return _PER_UNITS.get(word) or _LEADS.get(word, "")


def _joined(text: str, first: Value, second: Value) -> Value | None:
    """One value of two that stand together: 4시간 50분, -26℃至-12℃; None when they are two."""
    gap = second.start - first.end
    if gap > 5 or first.low != first.high or second.low != second.high:
        return None
    between = text[first.end : second.start]
    if first.kind == second.kind == "duration" and _PARTS.get(first.unit, 9) < _PARTS.get(second.unit, 0):
        # 1일 2시간 is two hours a day.
        daily = first.unit == "day" and first.low == 1
        if daily or not _BETWEEN_PARTS.fullmatch(between) or first.comparator or not first.low.is_integer():
            return None
        factor = in_base(1.0, first.unit) / in_base(1.0, second.unit)
        if first.unit == "year" and second.unit == "month":
            factor = 12.0
        total = first.low * factor + second.low
        return second._replace(start=first.start, low=total, high=total, text=text[first.start : second.end])
    negative = first.low < 0 or second.low < 0
    if negative and first.unit == second.unit and first.low < second.low and _RANGE_LINK.fullmatch(between):
        return second._replace(start=first.start, low=first.low, text=text[first.start : second.end])
    return None


def when(text: str, start: int, end: int) -> str:
    """Whether a duration lies before or after something: 30분 전, 退房前30分钟, 60 days after."""
    after = _WHEN_AFTER.match(text, end)
    if after and after.lastgroup:
        return after.lastgroup
    before = _WHEN_BEFORE.search(text, max(0, start - 16), start) if _orders_something(text) else None
    return before.lastgroup or "" if before else ""


@lru_cache(maxsize=16)
def _bounds_something(text: str) -> bool:
    """Whether a text holds a word of those that bound an amount from afar: asked once, not of every amount."""
    return _ANY_BOUND.search(text) is not None


@lru_cache(maxsize=16)
def _orders_something(text: str) -> bool:
    """Whether a text holds a word for before or after in Chinese or Korean."""
    return _ANY_ORDER.search(text) is not None


def comparator_around(text: str, start: int, end: int, found: str) -> str:
    """The comparator of an amount, also where a word or a bracket stands between the two."""
    denied = _NOT_OVER.match(text, end)
    if denied:
        return "at_most"
    if found:
        return found
    behind = _BEHIND_BRACKET.match(text, end)
    if behind and behind.lastgroup:
        return behind.lastgroup
    if text.startswith(("(即", "(즉"), start - 2):
        # What is put in other words stands under the same comparator.
        first = _FIGURE_BEFORE.search(text, max(0, start - 24), start - 2)
        start = first.start() if first else start
    before = _FAR_BEFORE.search(text, max(0, start - 40), start) if _bounds_something(text) else None
    if before:
        return before.lastgroup or ""
    return "at_least" if text.startswith("from ", start - 5) and _is_lowest(text, start, end) else ""


_MOVES = later(
    r"(?:rose|rises?|risen|fell|falls?|fallen|up|down|increas\w+|decreas\w+|rais\w+|drop\w*|cut|reduc\w+|grew|grow\w*"
    r"|chang\w+|rang\w+|moved?|switch\w*|away|far|deduct\w*|subtract\w*|remov\w+|tak\w+|minus|different) $"
)
_GOES_ON = later(r" ?(?:-|to |until |till |and |down |up |over )")


def _is_lowest(text: str, start: int, end: int) -> bool:
    """Whether "from 5 people" gives the least of something, and is neither a range nor where something moved from."""
    return _GOES_ON.match(text, end) is None and _MOVES.search(text, max(0, start - 20), start - 5) is None
