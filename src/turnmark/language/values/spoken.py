"""Values of everyday speech: two or three days in one Korean word, the end of a month; and words that only ask."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity.units import match_unit
from turnmark.language.values.measures import DURATIONS, match_measure
from turnmark.language.values.openings import Opening
from turnmark.language.values.value import Kind, Value

_DIGITS = {digit: float(number) for number, digit in enumerate("일이삼사오육칠팔구", start=1)} | {"륙": 6.0}
_KO_PAIR = later(
    "(?<![가-힣0-9])(?P<low>[일이삼사오육칠팔])(?P<high>[이삼사오육륙칠팔구])(?P<scale>[십백천만]?) ?(?=[가-힣])"
)
_KO_SCALES = {"": 1.0, "십": 10.0, "백": 100.0, "천": 1000.0, "만": 10000.0}
_KO_DAYS = {"하루이틀": (1.0, 2.0), "이틀사흘": (2.0, 3.0), "사나흘": (3.0, 4.0), "대엿새": (5.0, 6.0)}
_KO_DAY = later("(?<![가-힣])(?:" + "|".join(_KO_DAYS) + ")")
_PART = later(
    r"(?<![0-9一二三四五六七八九十])(?:(?P<zh>月)(?P<zhpart>[底末初中](?!心|国|期|央))"
    r"|(?<![가-힣0-9])(?P<ko>매월|월|매년|연) ?(?P<kopart>[말초])(?=$|[^가-힣]|[에까부의은는이가])"
    r"|(?<![a-z])(?P<enpart>end|beginning|start|middle) of (?:the|each|every|this|next) (?P<en>month|year)(?![a-z])"
    r"|(?<![a-z])(?P<unit>month|year)[- ]end(?![a-z]))"
)
_PARTS = {"底": "end", "末": "end", "初": "start", "中": "middle", "말": "end", "초": "start", "beginning": "start"}
_PERIODS = {"月": "month", "월": "month", "매월": "month", "연": "year", "매년": "year"}
_QUICK_PAIR = later("[일이삼사오육칠팔][이삼사오육륙칠팔구]")
OPENING = Opening(
    (
        (frozenset("일이삼사오육칠팔"), frozenset("이삼사오육륙칠팔구")),
        (frozenset("흘틀새말초"),),
        (frozenset("月"), frozenset("底末初中")),
    ),
    ("month", "year"),
)
_ASKING = later("(?:几|몇)(?![十百千万亿십백천만억])")


def asks(value: Value) -> bool:
    """Whether a value is the word that asks for one, 几个, 몇 개, and gives none."""
    return _ASKING.match(value.text) is not None


def spoken(text: str) -> Iterator[Value]:
    """Amounts and parts of months of a folded text that no digit tells."""
    for match in _KO_PAIR.finditer(text) if _QUICK_PAIR.search(text) else ():
        low, high = _DIGITS[match["low"]], _DIGITS[match["high"]]
        if high != low + 1:
            continue
        unit = match_measure(text, match.end()) or match_unit(text, match.end())
        if unit is None or unit[0] in _NO_COUNT:
            continue
        kind: Kind = "duration" if unit[0] in DURATIONS else "quantity"
        scale = _KO_SCALES[match["scale"]]
        span = match.start(), unit[1]
        yield Value(*span, kind, low * scale, high * scale, unit[0], "", True, text=text[slice(*span)])
    for match in _KO_DAY.finditer(text) if "흘" in text or "틀" in text or "새" in text else ():
        yield Value(*match.span(), "duration", *_KO_DAYS[match.group()], "day", text=match.group())
    for match in _PART.finditer(text):
        part = match["zhpart"] or match["kopart"] or match["enpart"] or "end"
        period = match["zh"] or match["ko"] or match["en"] or match["unit"]
        name = _PARTS.get(part, part)
        yield Value(
            *match.span(), "code", unit=f"part of {_PERIODS.get(period, period)}", name=name, text=match.group()
        )


_NO_COUNT = frozenset(("fold", "point", "degree"))
