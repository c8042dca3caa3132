"""Which unit a number counts: the unit behind it, if a number of its form may count that."""

from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.quantity.atom import Atom
from turnmark.language.quantity.english import AND_A_HALF
from turnmark.language.quantity.units import match_unit


class Unit(NamedTuple):
    """A unit in a folded text: normalised name, end, spelling, and a word for more (多, 半) before it."""

    name: str
    end: int
    spelling: str
    more: str = ""


# Half the cost of the constructor, which counts here.
_unit = tuple.__new__
NO_UNIT = Unit("", -1, "")
PERIODS = frozenset(("year", "month", "week", "day", "hour", "year_old"))
# Units behind which a half may stand: 两年半, 두 배 반, a point and a half.
HALVED = PERIODS | {
    "fold",
    "percent",
    "point",
    "minute",
    "jin",
    "kg",
    "ton",
    "tablet",
    "cup",
    "bottle",
    "bowl",
    "spoon",
    "mile",
}
AND_HALF = "半"

_MORE = later(r"(个?[多余来])(?=[个年月天日周小分公千毫元块岁倍成点万斤克升米度次只家页场百])")
_LONG = later(r"个(?P<more>[多几半])(?P<unit>点|百分点|月|星期|礼拜|小时|钟头)")
_LONG_UNITS = {"点": "percent", "百分点": "percent", "月": "month", "星期": "week", "礼拜": "week"}
_PART_GAP = later(r"(?: of)?(?: an?| the)? |-")

# A lone "one" before these is an article, not a count.
_ARTICLE_UNITS = frozenset(
    ("item", "person", "piece", "lot", "step", "set", "degree", "point", "share", "repetition", "iu")
)
_NATIVE_UNITS = frozenset(
    (
        *("month", "hour", "year_old", "occurrence", "tablet", "cup", "bottle", "bowl", "spoon", "piece", "person"),
        *("item", "set", "fold", "week", "year", "step", "repetition", "minute"),
    )
)
_SINO_LONE = frozenset(
    (
        "퍼센트",
        "프로",
        "%",
        "년",
        "년간",
        "개년",
        "개월",
        "킬로",
        "킬로그램",
        "그램",
        "밀리그램",
        "리터",
        "밀리리터",
        "주일",
        "일간",
    )
)
_SINO_SHORT = frozenset(("일", "주", "분", "회", "세", "초", "주간"))
_SINO_ROUND = frozenset(("원", "명", "번", "회", "분", "도"))
_SINO_NEVER = frozenset(("달", "살", "알", "잔", "시간", "가지", "마리", "해", "정", "보", "쪽", "배", "컵", "공기"))
_NOT_PARTS = frozenset(("percent", "tenth", "point", "degree"))


def unit_after(text: str, atom: Atom) -> Unit:
    """Return the unit that follows an atom of a folded text, or NO_UNIT."""
    if atom.form == "fraction":
        return _part_unit(text, atom)
    if atom.form == "days":
        return Unit("day", atom.end, "日")
    return _whole_unit(text, atom)


def _whole_unit(text: str, atom: Atom) -> Unit:
    position, more = atom.end, ""
    character = text[position : position + 1]
    if character == " ":
        position += 1
    elif character == "个" and (long := _LONG.match(text, position)):
        return Unit(_LONG_UNITS.get(long["unit"], "hour"), long.end(), long["unit"], long["more"])
    elif character == "*" and text.startswith(("**%", "** %"), position):
        position = text.index("%", position)
    elif character == "-":
        # "20-minute": a hyphen joins only Latin units.
        position += 1
        if not text[position : position + 1].isascii():
            return NO_UNIT
    elif character and character in "多余来个" and (some := _MORE.match(text, position)):
        position, more = some.end(), some[1]
    result = match_unit(text, position)
    if result is None or not _may_count(text, atom, result):
        return NO_UNIT
    name, end, spelling = result
    if atom.form == "digits":
        return _unit(Unit, (name, end, spelling, more))
    # 두 분 is two persons, 십 분 ten minutes.
    if name == "minute" and atom.form == "native":
        name = "person"
    return Unit(name, end, spelling, more)


def _part_unit(text: str, atom: Atom) -> Unit:
    """Return the unit of a fraction: half an hour, 3분의 2 공기; half a banana is half an item."""
    gap = _PART_GAP.match(text, atom.end)
    result = match_unit(text, gap.end() if gap else atom.end)
    if result is not None and result[0] not in _NOT_PARTS:
        return Unit(*result)
    if (
        result is not None
        and result[0] == "percent"
        and gap
        and gap.group() != "-"
        and not gap.group().endswith("the ")
    ):
        # Half a percent, a quarter of a percentage point.
        return Unit(*result)
    return Unit("item", gap.end() - 1, "") if gap and gap.group() in (" a ", " an ") else NO_UNIT


def _may_count(text: str, atom: Atom, unit: tuple[str, int, str]) -> bool:
    """Tell whether a number of this form may count this unit."""
    name, end, spelling = unit
    form = atom.form
    if spelling == "成" and text.startswith("不变", end):
        return False
    if form == "digits":
        return True
    article = name in _ARTICLE_UNITS and atom.low == atom.high == 1 and not AND_A_HALF.match(text, end)
    if form == "words":
        # 三块 is three parts more often than three yuan, 两点 two remarks.
        return not article and spelling != "点" and (spelling != "块" or atom.high >= 10)
    if form == "native":
        # Degrees take digits: 도 is also the particle "even". 한번 is "just once", 한 번 a count.
        return name in _NATIVE_UNITS and not article and not (atom.low == 1 and text[atom.end] == "번")
    if spelling == "도":
        return False
    return spelling not in _SINO_NEVER and (atom.end - atom.start > 1 or _lone_sino(text[atom.start], spelling))


def _lone_sino(numeral: str, spelling: str) -> bool:
    """Tell whether a one-syllable Sino-Korean numeral may count a unit: 이 is also "this", 일 "work"."""
    if spelling in _SINO_LONE:
        return numeral not in "영공조억"
    if numeral in "삼육칠팔":
        return spelling in _SINO_SHORT
    if numeral in "십백천":
        return spelling in _SINO_SHORT or spelling in _SINO_ROUND
    return numeral in "만억" and spelling == "원"
