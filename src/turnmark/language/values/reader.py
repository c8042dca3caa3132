"""The values of a text in one reading: numbers, quantities, dates, times, codes, ratios, opposites."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity, folded_quantities
from turnmark.language.text.fold import Folded, fold
from turnmark.language.values import calendar, clock, counts, grades, labels, spoken, worded
from turnmark.language.values.amounts import amounts
from turnmark.language.values.openings import DIGITS, Opening, Openings
from turnmark.language.values.opposition.opposites import OppositeReader, shipped_reader
from turnmark.language.values.value import Value

_RATIO = later(
    r"(?<![0-9./:-])(?P<first>[0-9]{1,3}(?:\.[0-9])?)(?: ?[/:] ?| over |比|"
    r"대 ?)(?P<second>[0-9]{1,3}(?:\.[0-9])?)(?![0-9/%:]|\.[0-9])"
)
_QUICK_RATIO = later("[0-9](?: ?[/:대]| over |比)")
_LEAST_PRESSURE = 30
_PRESSURE = later(r"(?:bp|血压|혈압|blood pressure)[^0-9\n]{0,12}$")
_COMES_BY = later(r"(?:比例|比|ratio|비율|比分|score|비)[^0-9\n]{0,8}$")


def read_values(text: str | Folded, opposites: OppositeReader | None = None) -> tuple[Value, ...]:
    """Find the values of a text.

    Args:
        text: Any string, or its folded form when it is at hand.
        opposites: Reader of the pairs of opposites; the shipped ones when none is given.

    Returns:
        Values in order of their start; offsets are code points of the original text. Values do not overlap, but a
        polarity may stand inside the words around another value.

    """
    folded = text if isinstance(text, Folded) else fold(text)
    result = _read(folded, opposites or shipped_reader())
    if folded.same_length:
        return tuple(result)
    return tuple(
        value._replace(start=span[0], end=span[1])
        for value in result
        for span in (folded.to_original(value.start, value.end),)
    )


def read_amounts(folded: Folded) -> list[Value]:
    """Find the numbers, quantities and durations of a folded text, at less than half the cost of all its values.

    Returns: Values in order of their start, in folded offsets; what stands in a date or a time of day is none.

    """
    text, base = folded.text, folded.base
    quantities = folded_quantities(folded)
    opened = OPENINGS.of(text)
    special = _without_overlap([*_special(folded, quantities, opened & _WHEN), *_years(text, quantities)])
    taken = [(value.start, value.end) for value in special]
    result = list(amounts(text, base, quantities, taken))
    if "counted" in opened:
        result = _with_counts(text, result, taken)
    result.sort(key=lambda value: (value.start, -value.end))
    return result


def read_codes(folded: Folded) -> list[Value]:
    """Find the codes of a folded text (grades, classes, articles …), in order and in folded offsets."""
    found = _without_overlap(_special(folded, (), OPENINGS.of(folded.text) & _NAMES))
    return [grades.placed(folded.text, value) for value in found if value.kind == "code"]


def _special(folded: Folded, quantities: Sequence[Quantity], opened: frozenset[str]) -> Iterator[Value]:
    """The values that only their reader knows, of those readers that a text is open to."""
    for name, reader in READERS.items():
        if name in opened:
            yield from reader.read(folded, quantities)


def _read(folded: Folded, opposites: OppositeReader) -> list[Value]:
    text, base = folded.text, folded.base
    quantities = folded_quantities(folded)
    opened = OPENINGS.of(text)
    special = _without_overlap(_special(folded, quantities, opened))
    special = _without_overlap([*special, *_years(text, quantities)])
    special = [grades.placed(text, value) if value.kind == "code" else value for value in special]
    taken = [(value.start, value.end) for value in special]
    result = list(amounts(text, base, quantities, taken))
    if "counted" in opened:
        result = _with_counts(text, result, taken)
    result = counts.in_table_unit(text, [*special, *result])
    result = [value for value in result if not spoken.asks(value) and not _is_period(text, value, result)]
    result += opposites.read(folded)
    result.sort(key=lambda value: (value.start, -value.end))
    return result


def _is_period(text: str, value: Value, found: Sequence[Value]) -> bool:
    """Whether a duration only says what an amount beside it is per: 88元一个月, 한 달에 3만 원."""
    if value.kind != "duration" or not value.low == value.high == 1:
        return False
    return any(
        other.kind == "quantity"
        and other.name == value.unit
        and (other.end == value.start or text[value.end : other.start] in ("", "에 "))
        for other in found
    )


def _with_counts(text: str, found: list[Value], taken: list[tuple[int, int]]) -> list[Value]:
    """Amounts with the counts in words that stand in none of them."""
    known = {(start, end) for start, end in taken} | {(value.start, value.end) for value in found}
    starts = sorted(known)
    extra = []
    for value in counts.counted(text):
        position = bisect_right(starts, (value.start, len(text)))
        if (position == 0 or starts[position - 1][1] <= value.start) and (
            position == len(starts) or starts[position][0] >= value.end
        ):
            extra.append(value)
    return [*found, *extra]


_RANK = {"date": 0, "time": 1, "ratio": 2, "duration": 3, "code": 4, "quantity": 5}


def _without_overlap(values: Iterable[Value]) -> list[Value]:
    """Of overlapping values the longest, then the first of its kind."""
    kept: list[Value] = []
    for value in sorted(values, key=lambda each: (each.start, -each.end, _RANK[each.kind])):
        if not kept or value.start >= kept[-1].end:
            kept.append(value)
        elif value.end - value.start > kept[-1].end - kept[-1].start:
            kept[-1] = value
    return kept


def _years(text: str, quantities: Sequence[Quantity]) -> Iterator[Value]:
    """Bare years, which the reader of quantities knows from amounts."""
    for quantity in quantities:
        if quantity.kind == "date" and 1900 <= quantity.low <= 2100 and quantity.low.is_integer():
            yield Value(
                quantity.start,
                quantity.end,
                "date",
                parts=(int(quantity.low), None, None, None),
                text=text[quantity.start : quantity.end],
            )


def ratios(text: str, quantities: Sequence[Quantity]) -> Iterator[Value]:
    """Two numbers that belong together: a blood pressure, 3:1, 4/10."""
    pairs = [quantity for quantity in quantities if quantity.form == "pair_first"]
    seconds = [quantity for quantity in quantities if quantity.form == "pair_second"]
    for first, second in zip(pairs, seconds, strict=True):
        span = text[first.start : second.end]
        yield Value(
            first.start,
            second.end,
            "ratio",
            first.low,
            second.low,
            "mmhg",
            first.comparator,
            first.approximate,
            text=span,
        )
    for match in _RATIO.finditer(text) if _QUICK_RATIO.search(text) else ():
        result, other = float(match["first"]), float(match["second"])
        before = text[max(0, match.start() - 24) : match.start()]
        written = match.group()
        if "/" in written or " over " in written:
            if min(result, other) > _LEAST_PRESSURE and _PRESSURE.search(before):
                yield Value(*match.span(), "ratio", result, other, "mmhg", text=written)
        elif not (":" in written and len(match["second"]) > 1 and not _COMES_BY.search(before)):
            # 1:05 and 9:30 are times unless a word tells otherwise.
            yield Value(*match.span(), "ratio", result, other, text=written)


class Reader(NamedTuple):
    """What finds values of some kinds in a folded text with its quantities, and what opens it."""

    opening: Opening
    read: Callable[[Folded, Sequence[Quantity]], Iterable[Value]]


READERS: dict[str, Reader] = {
    "date": Reader(calendar.OPENING, lambda folded, _: calendar.dates(folded.text, folded.base)),
    "time": Reader(clock.OPENING, lambda folded, _: clock.times(folded.text)),
    "rating": Reader(grades.OPENING, lambda folded, _: grades.ratings(folded.text, folded.base)),
    "numbered": Reader(labels.NUMBERED, lambda folded, _: labels.numbered(folded.text)),
    "lone": Reader(labels.LONE, lambda folded, _: labels.lone(folded.text)),
    "english": Reader(labels.ENGLISH, lambda folded, _: labels.english(folded.text)),
    "product": Reader(labels.PRODUCTS, lambda folded, _: labels.products(folded.text, folded.base)),
    "sign": Reader(labels.SIGNS, lambda folded, _: labels.signs(folded.text, folded.base)),
    "worded code": Reader(worded.CODES, lambda folded, _: worded.worded_codes(folded.text)),
    "worded amount": Reader(worded.AMOUNTS, lambda folded, _: worded.worded_amounts(folded.text)),
    "ratio": Reader(Opening(((DIGITS,),)), lambda folded, quantities: ratios(folded.text, quantities)),
    "articled": Reader(counts.ARTICLED, lambda folded, _: counts.articled(folded.text)),
    "spoken": Reader(spoken.OPENING, lambda folded, _: spoken.spoken(folded.text)),
}
"""Of values at one place the first reader's is meant, where none is longer."""
_WHEN = frozenset(("date", "time", "counted"))
_NAMES = frozenset(("date", "time", "rating", "numbered", "lone", "english", "product", "sign", "worded code"))
OPENINGS = Openings({**{name: reader.opening for name, reader in READERS.items()}, "counted": counts.COUNTED})
