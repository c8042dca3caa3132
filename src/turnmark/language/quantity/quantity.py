"""Quantities in Chinese, Korean and English text: value or range, unit, comparator, kind."""

import math
import re
from functools import lru_cache
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.quantity import not_amounts as context
from turnmark.language.quantity.atom import Atom
from turnmark.language.quantity.counters import AND_HALF, HALVED, PERIODS, Unit, unit_after
from turnmark.language.quantity.english import AND_A_HALF
from turnmark.language.quantity.numerals import EN_DECADES
from turnmark.language.quantity.tokens import find_atoms
from turnmark.language.quantity.units import match_unit
from turnmark.language.text.fold import Folded, fold


class Quantity(NamedTuple):
    """A number with what it counts.

    Attributes:
        start: First code point of number and unit in the text; comparators are outside.
        end: End of the span.
        low: Value, or lower end of a range, in ``unit``.
        high: Upper end of a range; equals ``low`` for a single value.
        unit: Normalised unit ("percent", "year", "mg/dl", …; see ``units.SPELLINGS``), "" when none is written.
            Shares (三成, a third, 절반) are in percent, places in a ranking (八成分位) in "percentile"; ages ("67세")
            in "year_old".
        comparator: "", "at_most", "at_least", "less_than" or "more_than".
        approximate: True after about, 左右, 정도 and the like.
        kind: "amount"; or "date", "time" (of day), "ordinal", "code", which are no amounts.
        form: "digits", "words", "fraction", "decade" (60대, in her sixties), "pair_first" or "pair_second" (131/82).

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


_KO_NTH = later(" ?번째")
_RANGE = later(r" ?(?:-{1,2}|~|至|到|에서|부터|내지| to )[ *]*(?:约|大约|이?약 )?")
_BETWEEN = later(r" ?(?:和|与|跟|과|와|and) ?")
_OR = later(r" ?(?:或者?|or) ")
# What those begin with, behind a space or without.
_LINKS = frozenset(" -~至到에부내t和与跟과와a或o")
_TENTH_TAIL = later("[一二三四五六七八九半](?![成个导年月天周千百万倍十次只])")
_ZH_PLUS_HALF = later("半(?![年天月个日周径数导])")
_KO_PLUS_HALF = later(
    " ?반(?=$|[^가-힣]|이[나 ]|이(?:면|라|고|죠|에요|니까|지만|상|하|내)|입니|은 |을 |의 |도 |만 |만에|동안|정도|쯤"
    "|간 |짜리|째|부터|까지|보다|가량|넘)"
)
_KO_DECADE = later("대(?=$|[^가-힣]|로|의|에|이|가|는|인|여성|남성|초|중|후)")
_EN_DECADE = later("(?<![a-z])(?:" + "|".join(EN_DECADES) + ")(?![a-z])")
_PAIR = later(r"([0-9]{2,3})(?: ?/ ?| over )([0-9]{2,3})(?![0-9/%]|\.[0-9])")
# A dash after these joins two numbers or the parts of a name; else it is a minus.
_JOINS = later(r"[0-9%)\]年月天日周成点时岁元万亿-] ?-$|[a-z]-$|[0-9] ?[a-z/]{1,7} -$")
# Words for a minus, before the number or behind its degrees.
_MINUS = later(r"(?:[负△]|零下|영하|마이너스|(?<![a-z])(?:minus|negative)) ?$")
_ENDS_MINUS = frozenset("负△下하스se ")
_BELOW_ZERO = later(r" below (?:zero|freezing)(?![a-z])")
_SCALED = later("[0-9一二三四五六七八九十](万|亿|만|억)$")
_UNSCALED = later("[0-9.一二三四五六七八九十两]+$")
_PERCENTILE = ("分位", "百分位", "percentile", " percentile")
_CURRENCY = {"$": "usd", "¥": "yuan", "₩": "krw", "€": "eur", "£": "gbp"}
_PAIRS = frozenset("/ ")
_DATE_HINT = frozenset("年月日号:/-.ap 시년월点o")


_IN_WORDS = frozenset(("native", "sino", "days"))
# Half the cost of the constructor, which counts in the innermost loop.
_quantity = tuple.__new__
# Units that ordinals and list marks can stand before.
_ORDERED = frozenset(("", *PERIODS, "item", "occurrence", "point", "step", "set"))


class _Scanner:
    """Reads the quantities of one folded text from left to right."""

    def __init__(self, text: str, base: str) -> None:
        self.text = text
        self.atoms = find_atoms(text, base)
        self.units: list[Unit | None] = [None] * len(self.atoms)
        self.found: list[Quantity] = []

    def scan(self) -> list[Quantity]:
        position = 0
        for index, atom in enumerate(self.atoms):
            if atom.start >= position:
                position = self.read(index, atom)
        # Most texts have no decade in words, and a plain search costs nothing.
        for match in _EN_DECADE.finditer(self.text) if "ties" in self.text else ():
            low = float(EN_DECADES[match.group()])
            self.found.append(Quantity(*match.span(), low, low + 9, "year_old", "", True, "amount", "decade"))
            self.found.sort()
        return self.found

    def unit(self, index: int) -> Unit:
        """Return the unit behind an atom; a range asks for that of the next one too."""
        unit = self.units[index]
        if unit is None:
            unit = self.units[index] = unit_after(self.text, self.atoms[index])
        return unit

    def read(self, index: int, atom: Atom) -> int:
        """Add the quantity at an atom, if it is one; return where to go on."""
        text, (start, end, _, _, _, form, needs_unit) = self.text, atom
        digits, words = form == "digits", False
        following = text[end : end + 1]
        if digits:
            if following in _PAIRS and (pair := _PAIR.match(text, start)) and self.pair(pair):
                return self.found[-1].end
        else:
            words = form in ("words", "native") and not text[start].isascii()
        if following in _DATE_HINT or not digits:
            marked = self.by_shape(atom, digits, words)
            if marked is not None:
                return marked
        unit = self.unit(index)
        if digits and (marked := self.name(index, atom, unit)) is not None:
            return marked
        second = self.range_end(index, atom, unit)
        if needs_unit and not unit.name and second is None and not self.hangs(atom):
            return end if form != "sino" else start + 1
        return self.amount(atom, unit, second)

    def by_shape(self, atom: Atom, digits: bool, words: bool) -> int | None:
        """Add a date, a time of day or a written ordinal; None when the number is none."""
        text, start, end = self.text, atom.start, atom.end
        if (digits or words) and text[end : end + 1] in _DATE_HINT:
            dated = context.clock_or_date(text, start, words)
            if dated:
                return self.mark(start, dated[1], atom, dated[0])
        if atom.form == "native" and (nth := _KO_NTH.match(text, end)):
            return self.mark(start, nth.end(), atom, "ordinal")
        if words and text[start - 1 : start] == "第":
            return self.mark(start, max(end, unit_after(text, atom).end), atom, "ordinal")
        return None

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
        if comparator in context.VAGUE:
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

    def name(self, index: int, atom: Atom, unit: Unit) -> int | None:
        """Add digits that name or order something; None when they are an amount."""
        text, start, end, unit_name = self.text, atom.start, atom.end, unit.name
        marked = self.ordinal(index, atom, unit) if unit_name in _ORDERED else None
        if marked is not None:
            return marked
        if context.is_code(text, start, end, bool(unit_name)):
            return self.mark(start, end, atom, "code")
        if unit_name and unit_name != "year":
            return None
        year = 1900 <= atom.low <= 2100 and end - start == 4 and text[start:end].isdigit()
        if year and (unit_name == "year" or 1950 <= atom.low < 2050):
            return self.mark(start, max(end, unit.end), atom, "date")
        dated = None if unit_name else context.english_date(text, start, end)
        return None if dated is None else self.mark(start, dated, atom, "date")

    def ordinal(self, index: int, atom: Atom, unit: Unit) -> int | None:
        """Add digits that order something: a list mark, week 3, 제2형, "2주:" heading a plan."""
        text, start, end = self.text, atom.start, atom.end
        if unit.name in PERIODS and text[unit.end : unit.end + 1] == ":":
            return self.mark(start, unit.end, atom, "ordinal")
        ordinal = context.ordinal_end(text, start, end)
        if ordinal is None or (unit.name and end < ordinal <= unit.end):
            return None
        ordinal = max(ordinal, unit.end)
        if ordinal == end and (second := self.range_end(index, atom, unit)):
            ordinal = max(second[0].end, second[1].end)
            atom = atom._replace(high=second[0].high)
        return self.mark(start, ordinal, atom, "ordinal")

    def hangs(self, atom: Atom) -> bool:
        """Tell whether a currency sign stands before the number."""
        return self.text[atom.start - 1 : atom.start] in _CURRENCY

    def range_end(self, index: int, atom: Atom, unit: Unit) -> tuple[Atom, Unit] | None:
        """Return the second number of a range that starts at an atom, with its unit."""
        here = max(atom.end, unit.end)
        following = self.atoms[index + 1] if index + 1 < len(self.atoms) else None
        # A connective is short: the next number starts within a few characters or there is no range.
        if following is None or following.start - here > 8:
            return None
        link = self.text[here : here + 2]
        if (link[1:] if link[:1] == " " else link[:1]) not in _LINKS or not self.connected(here, atom, following):
            return None
        other = self.unit(index + 1)
        hundredths = atom.form == "fraction" and self.text.startswith("百分之", atom.start)
        mixed = following.form != atom.form and "fraction" in (following.form, atom.form)
        if (following.low < atom.high or mixed) and not hundredths:
            return None
        if unit.name and other.name and unit.name != other.name:
            return None
        return following, other

    def connected(self, here: int, atom: Atom, following: Atom) -> bool:
        """Tell whether the words between two numbers make them a range."""
        text = self.text
        match = _RANGE.match(text, here)
        if match and match.end() == following.start:
            return True
        match = _BETWEEN.match(text, here)
        if match and match.end() == following.start:
            return self.is_between(atom, following)
        # "Two or three" is a range, "two or twenty" a choice.
        match = _OR.match(text, here)
        follows = match is not None and match.end() == following.start
        return follows and 0 < following.low - atom.high <= 2 and not self.is_between(atom, following)

    def is_between(self, atom: Atom, following: Atom) -> bool:
        text = self.text
        if text[max(0, atom.start - 8) : atom.start].rstrip(" *").endswith(("between", "介于", "在")):
            return True
        return text.startswith((" 사이", "之间"), max(following.end, unit_after(self.text, following).end))

    def amount(self, atom: Atom, unit: Unit, second: tuple[Atom, Unit] | None) -> int:
        """Add an amount: number, unit, range, sign, comparators."""
        text, (start, end, low, high, approximate, form, _) = self.text, atom
        end = max(end, unit.end)
        if second is not None:
            low, high, end = self.both_values(atom, second)
            unit = second[1] if second[1].name else unit
        name = unit.name
        start, low, high, name = self.signed(atom, start, (low, high), name, second is not None)
        if name in ("degree", "celsius", "fahrenheit") and (below := _BELOW_ZERO.match(text, end)):
            low, high, end = -high, -low, below.end()
        low, high, name, end, form = self.finish(low, high, name, end, form)
        if not name and text[max(0, start - 5) : start].endswith(("age ", "aged ")):
            name = "year_old"
        comparator, about = self.comparator(atom, unit, start, end, name)
        approximate = approximate or about or form == "decade"
        if unit.more == AND_HALF:
            low, high = low + 0.5, high + 0.5
        if form in _IN_WORDS:
            form = "words"
        quantity = (start, end, low, high, name, comparator, approximate, "amount", form)
        self.found.append(_quantity(Quantity, quantity))
        return end

    def signed(
        self, atom: Atom, start: int, bounds: tuple[float, float], name: str, ranged: bool
    ) -> tuple[int, float, float, str]:
        """Return start, low, high and unit with the sign or the currency that stands before the number."""
        text, (low, high) = self.text, bounds
        before = text[start - 1 : start]
        if before in _CURRENCY:
            name, start = _CURRENCY[before], start - 1
            before = text[start - 1 : start]
        size = 0
        if before == "-" and atom.form == "digits" and _JOINS.search(text, max(0, start - 11), start) is None:
            size = 1
        elif before in _ENDS_MINUS and (minus := _MINUS.search(text, max(0, start - 9), start)):
            size = len(minus.group())
        if size:
            # The sign belongs to the first number: -20℃ ~ 65℃ ends above zero.
            start, low, high = start - size, -low, high if ranged else -high
        return start, min(low, high), max(low, high), name

    def comparator(self, atom: Atom, unit: Unit, start: int, end: int, name: str) -> tuple[str, bool]:
        """Return the comparator of an amount and whether it is approximate, from the words on both sides."""
        text = self.text
        before = context.comparator_before(text, start)
        after, last = context.comparator_after(text, end)
        more = unit.more
        if not (before or after or more or atom.approximate):
            return "", False
        # The last ten years are ten; nearly ten percent are not.
        about = context.ABOUT in (before, after) or (before == context.RECENT and name not in PERIODS)
        comparator = next((item for item in (before, after) if item not in ("", *context.VAGUE)), "")
        if after == context.MORE_THAN and text[last - 1] in "多余头짓":
            about = True
        if (more and more != AND_HALF) or (atom.approximate and atom.form == "digits"):
            about = True
            comparator = comparator or ("" if more.endswith(("来", "几")) else context.MORE_THAN)
        return comparator, about

    def both_values(self, atom: Atom, second: tuple[Atom, Unit]) -> tuple[float, float, int]:
        """Return low, high and end of a range, where the numbers share a denominator or a scale."""
        following, other = second
        low, high, end = atom.low, following.high, max(following.end, other.end)
        if atom.form == "fraction" and following.form != "fraction":
            # 百分之五到八
            high /= 100
        scale = _SCALED.search(self.text, following.start, following.end)
        if scale and _UNSCALED.match(self.text, atom.start, atom.end):
            # 5-10万 is fifty to a hundred thousand.
            low *= 1e8 if scale[1] in "亿억" else 1e4
        return low, high, end

    def finish(self, low: float, high: float, name: str, end: int, form: str) -> tuple[float, float, str, int, str]:
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
        elif name in HALVED and (half := _plus_half(text, end)):
            low, high, end = low + 0.5, high + 0.5, half.end()
        elif not name and form == "digits" and low == high and low % 10 == 0 and 10 <= low < 1000:
            decade = _KO_DECADE.match(text, end)
            if decade or (text.startswith("s", end) and not text[end + 1 : end + 2].isalpha() and low < 100):
                high, end, form, name = low + 9, end + 1, "decade", name if decade else "year_old"
        digits = 9
        if name == "percent":
            digits = 4
            if text.startswith(_PERCENTILE, end):
                name = "percentile"
        return round(low, digits), round(high, digits), name, end, form


def _plus_half(text: str, end: int) -> re.Match[str] | None:
    """Return the half that follows a unit: 两年半, 1년 반, a year and a half."""
    following = text[end : end + 1]
    if following == "半":
        return _ZH_PLUS_HALF.match(text, end)
    if following.isascii() and (half := AND_A_HALF.match(text, end)):
        return half
    return _KO_PLUS_HALF.match(text, end)


def folded_quantities(folded: Folded) -> list[Quantity]:
    """Find the quantities of a folded text; offsets are those of the folded text."""
    return list(_scanned(folded.text, folded.base))


@lru_cache(maxsize=256)
def _scanned(text: str, base: str) -> tuple[Quantity, ...]:
    """The scan of a text, kept for the readers that ask about the same one in turn: of values, claims, sentences."""
    return tuple(_Scanner(text, base).scan())


def quantities(text: str | Folded) -> list[Quantity]:
    """Find the quantities of a text.

    Args:
        text: The text, or its folded form when it is at hand.

    Returns:
        Quantities in order, without overlap; offsets are code points of the original text. Dates, times of day,
        ordinals (list numbers too) and codes are among them, told by ``kind``.

    """
    folded = text if isinstance(text, Folded) else fold(text)
    result = folded_quantities(folded)
    if folded.same_length:
        return result
    return [
        quantity._replace(start=span[0], end=span[1])
        for quantity in result
        for span in (folded.to_original(quantity.start, quantity.end),)
    ]
