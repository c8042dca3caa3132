"""Quantities in Chinese, Korean and English text: value or range, unit, comparator, kind."""

import math
import re
from typing import NamedTuple

from turnmark.language import context
from turnmark.language.atoms import Atom, find_atoms
from turnmark.language.fold import Folded, fold
from turnmark.language.numerals import EN_DECADES
from turnmark.language.units import convert, match_unit, normalise_unit

__all__ = ["Quantity", "convert", "normalise_unit", "quantities"]


class Quantity(NamedTuple):
    """A number with what it counts.

    Attributes:
        start: First code point of number and unit in the text; comparators are outside.
        end: End of the span.
        low: Value, or lower end of a range, in ``unit``.
        high: Upper end of a range; equals ``low`` for a single value.
        unit: Normalised unit ("percent", "year", "mg/dl", …; see ``units.SPELLINGS``), "" when none is written.
            Shares (三成, a third, 절반) are in percent; ages ("67세") in "year_old".
        comparator: "", "at_most", "at_least", "less_than" or "more_than".
        approximate: True after about, 左右, 정도 and the like.
        kind: "amount"; or "date", "time" (of day), "ordinal", "code", which are no amounts.
        form: How it is written: "digits", "words", "fraction", "decade" (60대, in her sixties), "pair_first" and
            "pair_second" (the two numbers of 131/82).

    """

    start: int
    end: int
    low: float
    high: float
    unit: str = ""
    comparator: str = ""
    approximate: bool = False
    kind: str = "amount"
    form: str = "digits"

    @property
    def bounds(self) -> tuple[float, float]:
        """The values that the comparator allows: (lowest, highest), infinite where it sets no end."""
        if self.comparator in ("at_most", "less_than"):
            return -math.inf, self.high
        if self.comparator in ("at_least", "more_than"):
            return self.low, math.inf
        return self.low, self.high


class _Unit(NamedTuple):
    name: str
    end: int
    spelling: str
    more: str = ""


_NO_UNIT = _Unit("", -1, "")
_MORE = re.compile(r"(个?[多余来])(?=[个年月天日周小分公千毫元块岁倍成点万斤克升米度次只家页场百])")
_OF_MORE = re.compile(r"个[多几](点|百分点|月|星期|礼拜|小时|钟头)")
_OF_MORE_UNITS = {"点": "percent", "百分点": "percent", "月": "month", "星期": "week", "礼拜": "week"}
_RANGE = re.compile(r" ?(?:-{1,2}|~|至|到|에서|부터|내지| to )[ *]*(?:约|大约|이?약 )?")
_BETWEEN = re.compile(r" ?(?:和|与|跟|과|와|and) ?")
_OR = re.compile(r" ?(?:或者?|or) ")
_TENTH_TAIL = re.compile("[一二三四五六七八九半](?![成个年月天周千百万倍十次只])")
_KO_PLUS_HALF = re.compile(" ?반(?=$|[ ,.)]|이[나 ]|은 |을 |동안|정도|쯤|간 )")
_KO_DECADE = re.compile("대(?=$|[^가-힣]|로|의|에|이|가|는|인|여성|남성|초|중|후)")
_EN_DECADE = re.compile("(?<![a-z])(?:" + "|".join(EN_DECADES) + ")(?![a-z])")
_PAIR = re.compile(r"([0-9]{2,3})(?: ?/ ?| over )([0-9]{2,3})(?![0-9/.%])")
# A dash after these joins two numbers or the parts of a name; else it is a minus.
_NOT_SIGN = re.compile("[0-9a-z%)\\]年月天日周成点时岁元万亿-]-")
_CURRENCY = {"$": "usd", "¥": "yuan", "₩": "krw", "€": "eur", "£": "gbp"}
_PART_UNIT = re.compile(r"(?: of)?(?: an?| the)? |-")
_DATE_HINT = frozenset("年月日号:/-.ap 시년월点o")

# A lone "one" before these is an article, not a count.
_ARTICLE_UNITS = frozenset(("item", "person", "piece", "lot", "step", "set", "degree", "point", "share", "repetition"))
_NATIVE_UNITS = frozenset(
    (
        *(
            "month",
            "hour",
            "year_old",
            "occurrence",
            "tablet",
            "cup",
            "bottle",
            "bowl",
            "spoon",
            "piece",
            "person",
            "item",
        ),
        *("set", "fold", "week", "year", "step", "repetition", "minute"),
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
_SINO_NEVER = frozenset(("달", "살", "알", "잔", "시간", "가지", "마리", "해", "정", "보", "쪽", "배", "컵", "공기"))
_PERIOD_UNITS = frozenset(("year", "month", "week", "day", "hour", "year_old"))


def _lone_sino(text: str, atom: Atom, spelling: str) -> bool:
    """Tell whether a one-syllable Sino-Korean numeral before this unit can be one: 이 is also "this", 일 "work"."""
    numeral = text[atom.start]
    if spelling in _SINO_LONE:
        return numeral not in "영공조억"
    if numeral in "삼육칠팔십백천":
        return spelling in _SINO_SHORT or (numeral in "백천십" and spelling in ("원", "명", "번", "회", "분", "도"))
    return numeral in "만억" and spelling == "원"


class _Scanner:
    """Reads the quantities of one folded text from left to right."""

    def __init__(self, text: str, base: str) -> None:
        self.text = text
        self.atoms = find_atoms(text, base)
        self.found: list[Quantity] = []

    def scan(self) -> list[Quantity]:
        position = 0
        for index, atom in enumerate(self.atoms):
            if atom.start >= position:
                position = self.read(index, atom)
        for match in _EN_DECADE.finditer(self.text):
            low = float(EN_DECADES[match.group()])
            self.found.append(Quantity(*match.span(), low, low + 9, "year_old", "", True, "amount", "decade"))
            self.found.sort()
        return self.found

    def read(self, index: int, atom: Atom) -> int:
        """Add the quantity at an atom, if it is one; return where to go on."""
        text, start, end = self.text, atom.start, atom.end
        digits = atom.form == "digits"
        if digits and text[end : end + 1] in ("/", " ") and (pair := _PAIR.match(text, start)) and self.pair(pair):
            return self.found[-1].end
        words = atom.form in ("words", "native", "sino") and not text[start].isascii()
        if (digits or words) and atom.form != "sino" and text[end : end + 1] in _DATE_HINT:
            dated = context.clock_or_date(text, start, words)
            if dated:
                return self.mark(start, dated[1], atom, dated[0])
        unit = self.unit(atom)
        if digits and (marked := self.name(index, atom, unit)) is not None:
            return marked
        if words and text[start - 1 : start] == "第":
            return self.mark(start, max(end, unit.end), atom, "ordinal")
        second = self.range_end(index, atom, unit)
        if not unit.name and second is None and (atom.needs_unit and not self.hangs(atom)):
            return atom.end if atom.form != "sino" else atom.start + 1
        return self.amount(atom, unit, second)

    def pair(self, match: re.Match[str]) -> bool:
        """Add the two numbers of a pressure such as 131/82; False when they can not be one."""
        first, second = float(match[1]), float(match[2])
        if not (70 <= first <= 260 and 40 <= second <= 160 and first - second >= 10):
            return False
        if self.text[match.start() - 1 : match.start()] in ("/", "-", "."):
            return False
        end = match.end()
        position = end + 1 if self.text[end : end + 1] == " " else end
        unit = match_unit(self.text, position)
        if unit and unit[0] != "mmhg":
            return False
        last = unit[1] if unit else end
        after, _ = context.comparator_after(self.text, last)
        comparator = after or context.comparator_before(self.text, match.start())
        approximate = comparator == context.ABOUT
        if comparator in (context.ABOUT, "recent"):
            comparator = ""
        for span, value, form in (
            (match.span(1), first, "pair_first"),
            ((match.start(2), last), second, "pair_second"),
        ):
            self.found.append(Quantity(*span, value, value, "mmhg", comparator, approximate, "amount", form))
        return True

    def mark(self, start: int, end: int, atom: Atom, kind: str) -> int:
        """Add a number that is no amount."""
        if kind == "ordinal" and self.text[start - 1 : start] in ("第", "제"):
            start -= 1
        self.found.append(Quantity(start, end, atom.low, atom.high, "", "", False, kind, atom.form))
        return end

    def name(self, index: int, atom: Atom, unit: _Unit) -> int | None:
        """Add digits that name or order something; None when they are an amount."""
        text, start, end = self.text, atom.start, atom.end
        if unit.name in ("", *_PERIOD_UNITS, "item", "occurrence", "point", "step", "set"):
            ordinal = context.ordinal_end(text, start, end)
            if ordinal is not None and not (unit.name and ordinal > end and ordinal <= unit.end):
                ordinal = max(ordinal, unit.end)
                if ordinal == end and (second := self.range_end(index, atom, unit)):
                    ordinal, high = max(second[0].end, second[1].end), second[0].high
                    return self.mark(start, ordinal, atom._replace(high=high), "ordinal")
                return self.mark(start, ordinal, atom, "ordinal")
        if unit.name in _PERIOD_UNITS and unit.spelling != "" and text[unit.end : unit.end + 1] == ":":
            # "2주: …" heads the plan of week two.
            return self.mark(start, unit.end, atom, "ordinal")
        if context.is_code(text, start, end, bool(unit.name)):
            return self.mark(start, end, atom, "code")
        year = 1900 <= atom.low <= 2100 and end - start == 4 and text[start : start + 4].isdigit()
        if year and (unit.name == "year" or (not unit.name and 1950 <= atom.low < 2050)):
            return self.mark(start, max(end, unit.end), atom, "date")
        if not unit.name:
            dated = context.english_date(text, start, end)
            if dated is not None:
                return self.mark(start, dated, atom, "date")
        return None

    def hangs(self, atom: Atom) -> bool:
        """Tell whether a currency sign stands before the number."""
        return self.text[atom.start - 1 : atom.start] in _CURRENCY

    def unit(self, atom: Atom) -> _Unit:
        """Return the unit that follows an atom, if it may follow a number of its form."""
        if atom.form == "fraction":
            return self.part_unit(atom)
        if atom.form == "days":
            return _Unit("day", atom.end, "日")
        return self.whole_unit(atom)

    def whole_unit(self, atom: Atom) -> _Unit:
        """Return the unit behind a whole number, past a space, a hyphen or a word for "and some"."""
        text, position, more = self.text, atom.end, ""
        character = text[position : position + 1]
        if character == "*" and text.startswith(("**%", "** %"), position):
            position = text.index("%", position)
        elif character == " ":
            position += 1
        elif character == "-" and text[position + 1 : position + 2].isalpha():
            position += 1
            if not text[position].isascii():
                return _NO_UNIT
        elif character == "个" and (some := _OF_MORE.match(text, position)):
            return _Unit(_OF_MORE_UNITS.get(some[1], "hour"), some.end(), some[1], "多")
        elif character in "多余来个" and character and (some := _MORE.match(text, position)):
            position, more = some.end(), some[1]
        found = match_unit(text, position)
        if found and found[2] == "成" and text.startswith("成不变", found[1] - 1):
            return _NO_UNIT
        if found is None or not self.may_count(atom, found[0], found[2]):
            return _NO_UNIT
        name, end, spelling = found
        if name == "minute" and atom.form == "native":
            name = "person"
        return _Unit(name, end, spelling, more)

    def part_unit(self, atom: Atom) -> _Unit:
        """Return the unit of a fraction: half an hour, 3분의 2 공기."""
        gap = _PART_UNIT.match(self.text, atom.end)
        found = match_unit(self.text, gap.end() if gap else atom.end)
        if found is None or found[0] in ("percent", "tenth", "times_earnings", "point", "degree"):
            article = gap is not None and gap.group() in (" a ", " an ")
            return _Unit("item", gap.end() - 1, "") if article and gap else _NO_UNIT
        return _Unit(*found)

    def may_count(self, atom: Atom, name: str, spelling: str) -> bool:
        """Tell whether a number of this form may count this unit."""
        form = atom.form
        if form == "digits":
            return True
        if atom.low == atom.high == 1 and (name in _ARTICLE_UNITS or spelling in ("块", "股")):
            return False
        # Degrees take digits: 도 is also the particle "even". 三块 is three parts more often than three yuan.
        if spelling == "도" or (spelling == "块" and atom.high < 10):
            return False
        if spelling == "번" and atom.low == 1 and self.text[atom.end] == "번":
            return False
        if form == "words":
            return spelling != "点"
        if form == "native":
            return name in _NATIVE_UNITS
        if form != "sino":
            return True
        return spelling not in _SINO_NEVER and (atom.end - atom.start > 1 or _lone_sino(self.text, atom, spelling))

    def range_end(self, index: int, atom: Atom, unit: _Unit) -> tuple[Atom, _Unit] | None:
        """Return the second number of a range that starts at an atom, with its unit."""
        if index + 1 >= len(self.atoms):
            return None
        following = self.atoms[index + 1]
        here = max(atom.end, unit.end)
        # A connective is short: the next number starts within a few characters or there is no range.
        if following.start - here > 8:
            return None
        text = self.text
        match = _RANGE.match(text, here)
        if match is None or match.end() != following.start:
            match = _BETWEEN.match(text, here) if self.is_between(atom, following) else _OR.match(text, here)
            if match is None or match.end() != following.start:
                return None
            if (
                text[match.start() : match.end()].strip() in ("或", "或者", "or")
                and not 0 < following.low - atom.high <= 2
            ):
                return None
        other = self.unit(following)
        hundredths = atom.form == "fraction" and text.startswith("百分之", atom.start)
        mixed = following.form != atom.form and "fraction" in (following.form, atom.form)
        if (following.low < atom.high or mixed) and not hundredths:
            return None
        if unit.name and other.name and unit.name != other.name:
            return None
        return following, other

    def is_between(self, atom: Atom, following: Atom) -> bool:
        text = self.text
        if text[max(0, atom.start - 8) : atom.start].rstrip(" *").endswith(("between", "介于", "在")):
            return True
        return text.startswith((" 사이", "之间"), max(following.end, self.unit(following).end))

    def amount(self, atom: Atom, unit: _Unit, second: tuple[Atom, _Unit] | None) -> int:
        """Add an amount: number, unit, range, sign, comparators."""
        text, start = self.text, atom.start
        low, high, end = atom.low, atom.high, max(atom.end, unit.end)
        approximate, comparator, form = atom.approximate, "", atom.form
        if second is not None:
            high, end = self.second_value(atom, second)
            unit = second[1] if second[1].name else unit
        name = unit.name
        before = text[start - 1 : start]
        if before in _CURRENCY and before:
            name, start = _CURRENCY[before], start - 1
        elif before == "-" and form == "digits" and _NOT_SIGN.match(text, max(0, start - 2)) is None:
            low, high, start = -high, -low, start - 1
        low, high, name, end, form = self.finish(low, high, name, end, form, unit)
        if name == "" and text[max(0, start - 5) : start].endswith(("age ", "aged ")):
            name = "year_old"
        found_before = context.comparator_before(text, start)
        found_after, after = context.comparator_after(text, end) if text[end : end + 1] not in ("", "\n") else ("", end)
        for found in (found_after, found_before):
            if found == context.ABOUT or found == "recent":
                # The last ten years are ten; nearly ten percent are not.
                approximate = approximate or found == context.ABOUT or name not in _PERIOD_UNITS
            elif found:
                comparator = found
        if unit.more:
            approximate, comparator = True, comparator or ("" if unit.more.endswith("来") else context.MORE_THAN)
        if form == "decade" or (found_after == context.MORE_THAN and text[after - 1] in "多余头짓"):
            approximate = True
        form = "words" if form in ("native", "sino", "days") else form
        self.found.append(Quantity(start, end, low, high, name, comparator, approximate, "amount", form))
        return end

    def second_value(self, atom: Atom, second: tuple[Atom, _Unit]) -> tuple[float, int]:
        following, other = second
        high = following.high
        if atom.form == "fraction" and following.form != "fraction":
            # "百分之五到八": the second number shares the denominator.
            high /= 100
        return high, max(following.end, other.end)

    def finish(
        self, low: float, high: float, name: str, end: int, form: str, unit: _Unit
    ) -> tuple[float, float, str, int, str]:
        """Apply what changes the value: tenths, fractions, a half behind the unit, decades."""
        text = self.text
        if name == "tenth":
            low, high, name = low * 10, high * 10, "percent"
            tail = _TENTH_TAIL.match(text, end)
            if tail:
                extra = 5 if tail.group() == "半" else "零一二三四五六七八九".index(tail.group())
                low, high, end = low + extra, high + extra, end + 1
        elif form == "fraction" and not name:
            low, high, name = low * 100, high * 100, "percent"
        elif name == "per_mille":
            low, high, name = low / 10, high / 10, "percent"
        elif name in _PERIOD_UNITS and text[end : end + 1] == "半":
            low, high, end = low + 0.5, high + 0.5, end + 1
        elif name in _PERIOD_UNITS and (half := _KO_PLUS_HALF.match(text, end)):
            low, high, end = low + 0.5, high + 0.5, half.end()
        elif not name and form == "digits" and low == high and low % 10 == 0 and 10 <= low < 1000:
            decade = _KO_DECADE.match(text, end)
            if decade or (text.startswith("s", end) and not text[end + 1 : end + 2].isalpha() and low < 100):
                high, end, form, name = low + 9, end + 1, "decade", name if decade else "year_old"
        if name == "percent" and unit.spelling == "" and form == "fraction":
            low, high = round(low, 4), round(high, 4)
        return round(low, 9), round(high, 9), name, end, form


def quantities(text: str | Folded) -> list[Quantity]:
    """Find the quantities of a text.

    Args:
        text: The text, or its folded form when it is at hand.

    Returns:
        Quantities in order, without overlap; offsets are code points of the original text. Dates, times of day,
        ordinals (list numbers too) and codes are among them, told by ``kind``.

    """
    folded = text if isinstance(text, Folded) else fold(text)
    found = _Scanner(folded.text, folded.base).scan()
    if folded.same_length:
        return found
    return [
        quantity._replace(start=span[0], end=span[1])
        for quantity in found
        for span in (folded.to_original(quantity.start, quantity.end),)
    ]
