"""What a question asks for: the measure of its answer, what it is about, and the values and days that it gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from turnmark.judges.rules.directness import asks_for, told
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import asked_words, word_list
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Reading
from turnmark.language.later import later
from turnmark.language.values import Value
from turnmark.language.values.measures import COUNTERS, dimension, in_base
from turnmark.language.values.weekdays import weekdays

_AMOUNT = r"how much|how many|多少|几(?!乎)|얼마|몇|how often|how far|how (?:tall|high|big|large|heavy|wide|deep)"
_WHEN = r"\bwhen\b|什么时候|何时|언제|多会儿"
_MEASURES = {
    "money": later(
        r"how much|\b(?:cost|price|fee|charge|pay|paid|fare|rent|deposit)|多少|费|价|钱|金额|얼마|요금(?!제)|비용"
        r"|가격|값|금액"
        r"|비(?:는|가|용)|몇 원"
    ),
    "percent": later(
        rf"{_AMOUNT}|percent|\brate\b|discount|share|百分之|比例|率|折|优惠|利息|퍼센트|(?<=몇 )프로|(?<=몇)프로"
        r"|비율|[율률](?:은|이)|할인|이자"
    ),
    "duration": later(
        rf"{_WHEN}|how often|how much (?:time|leave|notice|warning|longer|earlier|holiday|vacation)|多少时间"
        r"|얼마나 자주|how (?:long|soon|early|late|fast|quickly|old)|how many (?P<kept>[a-z-]+ )?(?:minute|hour"
        r"|day|week|month|year|night)s"
        r"|多久|多长|多快|几(?:个?(?:工作日|小时|月|星期|礼拜|钟头)|[天年周日分])|多少(?:天|年|个?月|小时|分钟"
        r"|个工作日)|期限|时长|提前"
        r"|며칠|얼마(?:나|동안| 동안)|몇 ?(?:일|주|개월|달|년|시간|분)|기간"
    ),
    "time": later(rf"{_WHEN}|what time|how (?:late|early)|\bhours\b|几点|什么时间|时间|몇 ?시(?!간)|시간"),
    "date": later(
        rf"{_WHEN}|(?:what|which) (?:date|day|month|year)|几[月号]|哪[一]?[天年月日]|星期几|周几|日期|며칠"
        r"|몇 ?[월년]|날짜|무슨 요일|어느 요일"
    ),
    "count": later(rf"{_AMOUNT}|\bnumber of\b|人数|数量|次数|명수|개수|횟수"),
    "year_old": later(r"how old|what age|\bage\b|几岁|多大|年龄|몇 ?[살세]|나이|연령"),
}
"""What the words of a question ask for, by the measure of the value that answers it."""
_OLD = later(
    r"\b(?:before|previous|previously|used to|formerly|originally|leaving)\b|(?<!how )(?<!-)\bold (?=[a-z])|离开"
    r"|떠나|之前|以前|原来|原先|此前|이전에|예전|원래|기존"
)
_NOW = later(r"\b(?:now|current(?:ly)?|today|at the moment|nowadays)\b|现在|目前|如今|现任|지금|현재|이제|요즘")
_BEGINS = later(
    r"\b(?:open(?:s|ing)?\b|start|begin|from when)|开门|开始|几点开(?!到)|起|여[나는는]|열[어려]|시작|부터|문을 여"
)
_STARTS = later(r"\b(?:start|begin|from when)|开始|시작|부터")
_ENDS = later(r"\b(?:clos|until|till|end|how late)|关门|开到|到几点|截止|结束|打烊|为止|까지|닫|마감|끝")


WEEKDAYS, FREE = "weekdays", "free"
"""Units of what only a set of days and a word for nothing tell."""


def of_days(start: int, end: int, days: frozenset[int], text: str) -> Value:
    """Weekdays as one value."""
    return Value(start, end, "quantity", unit=WEEKDAYS, name="".join(map(str, sorted(days))), text=text)


def free_of_charge(text: str) -> Value | None:
    """The word of a folded text that says that nothing is paid, as an amount."""
    found = _FREE.search(text)
    return None if found is None else Value(*found.span(), "quantity", unit=FREE, text=found.group())


_FREE = later(
    r"(?<![a-z-])free(?: of charge)?(?![a-z-])|at no (?:charge|cost)|免费|不要钱|不收费|不收(?:任何)?费用"
    r"|(?<![가-힣])(?:무료|공짜)"
)


def share_in_words(text: str) -> Value | None:
    """The words of a folded text that say that all or nothing of an amount is given, as a share of it."""
    for share, pattern in ((100.0, _ALL), (0.0, _NOTHING)):
        found = pattern.search(text)
        if found is not None:
            return Value(*found.span(), "quantity", share, share, "percent", text=found.group())
    return None


_ALL = later(
    r"\bin full\b|(?<!not )\b(?:fully|(?<!no )full) (?:refund|reimburs|cover|compensat|amount|fare|price|payment)[a-z]*"
    r"|(?:全[额款数]|全(?=[退返免赔])|全部(?=[退返]|票款|金额|费用))(?:退[款还]|退|返还|赔付|报销)?"
    r"|전액(?: ?환불| ?환급)?"
)
_NOTHING = later(
    r"\bno (?:refund|reimbursement|compensation)s?\b|\b(?:not|nothing is|n't) (?:be )?(?:refund|reimburs|compensat)\w*"
    r"|\bnon-?refundable\b|不(?:予|可|能|得)?(?:退[款还票]?|报销|赔付?|返还?)(?!货)"
    r"|(?:환불|환급|보상|반환)(?:은|이|을)? ?(?:되지 않|하지 않|불가|안 ?[되돼됩]|없)"
)


class Wanted(NamedTuple):
    """What a question asks for.

    ``measures`` may answer it, none where it does not say; ``topic`` are its telling words, ``naming`` those that name
    what is measured (price, 기간), ``given`` its values, ``days`` the weekdays that it names. ``old`` asks for what was
    before a change, ``now`` for what is; ``end`` is -1 for when something begins, 1 for when it ends, 0 for neither;
    ``per`` is the period that it gives; ``free`` says that it speaks of what costs nothing itself.
    """

    kind: str
    measures: frozenset[str]
    topic: Words
    naming: Words
    given: tuple[Value, ...]
    days: frozenset[int]
    old: bool
    now: bool
    end: int
    per: str
    free: bool

    def admits(self, value: Value) -> bool:
        """Whether a value may answer; what a yes goes on with may be of any measure: a fee, 1 %."""
        return not self.measures or self.kind == "yes_no" or measure(value) in self.measures


def measure(value: Value) -> str:
    """What a value measures: money, percent, count …; two of one measure may stand for each other."""
    if value.kind in ("duration", "time", "date", "polarity", "truth", "ratio"):
        return value.kind
    if value.kind == "code":
        return f"code {value.unit}"
    if value.unit in COUNTERS and value.unit != "point":
        return "count"
    kind = dimension(value.unit)
    if value.unit == WEEKDAYS:
        return "date"
    if value.unit == FREE:
        return "money"
    return "money" if kind == "currency" else value.unit if value.unit in ("percent", "year_old") else kind


@lru_cache(maxsize=64)
def read_wanted(question: Reading) -> Wanted:
    """What a question asks for."""
    text = question.compact
    openers = word_list("openers", question.language)
    topic, whole = (
        Words([each for each in asked_words(one_sentence(words)) if _is_telling(each, openers)])
        for words in map(_without_counted_days, (without_measures(text), without_days(text)))
    )
    naming = Words([each for each in whole if each.key not in topic.keys])
    measures = frozenset([name for name, pattern in _MEASURES.items() if pattern.search(text)])
    named = told(text) & {"person", "place", "reason"}
    begins, ends = _BEGINS.search(text) is not None, _ENDS.search(text) is not None
    starts = _STARTS.search(text) is not None
    given = tuple([each for each in question.passage.values if each.kind not in ("polarity", "truth")])
    given += tuple(_counted_days(text, given))
    # Three days before departure are no former days.
    old = _OLD.search(text) is not None and not any(each.name == "before" for each in given)
    return Wanted(
        next(iter(sorted(named)), asks_for(question)),
        measures,
        topic,
        naming,
        given,
        frozenset().union(*[each.days for each in weekdays(question.folded.text)]),
        old,
        _NOW.search(text) is not None,
        int(ends) - int(starts or (begins and not ends)),
        period_in(text),
        free_of_charge(text) is not None,
    )


def _counted_days(text: str, known: Sequence[Value]) -> Iterator[Value]:
    """The days of a folded text that are counted from something, as so many days: 10일째, 第10天, on day 10."""
    if not any(each.kind == "duration" for each in known):
        for match in _COUNTED_DAY.finditer(text):
            count = float(match["ko"] or match["zh"] or match["en"])
            yield Value(*match.span(), "duration", count, count, "day", text=match.group())


def _without_counted_days(text: str) -> str:
    return _COUNTED_DAY.sub(lambda match: " " * len(match.group()), text)


_COUNTED_DAY = later(
    r"(?P<ko>[0-9]{1,3}) ?일 ?(?:째|차)|第 ?(?P<zh>[0-9]{1,3}) ?天|\bday (?P<en>[0-9]{1,3})\b(?! (?:pass|ticket))"
)


def period_in(text: str) -> str:
    """The period that a folded text gives something per: month, year …; "" where it gives none."""
    found = _PER.search(text)
    if found is None:
        return ""
    return next(name for name, written in _PERIODS.items() if re.search(written, found.group()))


_PERIODS = {
    "year": "year|annual|年|연|[년해]",
    "month": "month|月|월|달",
    "week": "week|周|星期|주",
    "day": r"\bday|daily|nightly|[天日]|일|하루",
    "hour": "hour|小时|시간",
}
_PER = later(
    r"\b(?:an?|per|each|every) (?:year|month|week|day|hour)\b|\b(?:monthly|annual(?:ly)?|yearly|weekly|daily|hourly)\b"
    r"|[每一]个?(?:[年月周天日]|星期|小时)(?!起|前|后|内)|按[年月周天日]|(?:한 ?달|하루|일 ?년|일주일|한 ?시간|월"
    r"|연|매[일월주년]|1년|1개월)(?:에|마다| )"
    r"|(?:시간|일|주|월|연)당|(?<![가-힣])[월연](?= ?[0-9])"
)


def in_period(value: Value, per: str, wanted: str) -> Value:
    """An amount per one period as that per another one: 45 a month are 540 a year."""
    if not per or not wanted or per == wanted:
        return value
    factor = in_base(1.0, wanted) / in_base(1.0, per)
    low, high = round(value.low * factor, 6), round(value.high * factor, 6)
    return value._replace(low=low, high=high, name=wanted if value.name else "")


def _is_telling(token: Token, openers: frozenset[str]) -> bool:
    return token.value is None and token.key not in openers and token.key not in _PARTICLES


_PARTICLES = frozenset("에 에는 로 으로 은 는 이 가 을 를 요 죠 도 만".split())  # noqa: SIM905


def one_sentence(text: str) -> str:
    """A folded text whose sentences are clauses of one."""
    return re.sub(r"[.!?。](?=.)", ",", text)


def without_days(text: str) -> str:
    """A folded text without the words that name weekdays."""
    for each in weekdays(text):
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def without_measures(text: str) -> str:
    """A folded text without weekdays and the words that only name what is measured: price, 开到, 요금."""
    text = without_days(text)
    letters = list(text)
    for pattern in (*_MEASURES.values(), _OLD, _NOW, _BEGINS, _ENDS, _NAMING):
        for match in pattern.finditer(text):
            kept = match.span("kept") if "kept" in pattern.groupindex else (match.end(), match.end())
            for at in (
                *range(match.start(), max(kept[0], match.start())),
                *range(max(kept[1], match.start()), match.end()),
            ):
                letters[at] = " "
    return "".join(letters)


_NAMING = later(
    r"\b(?:long|tak(?:es?|en)|lasts?|costs?|pays?|gets?|should|old|exactly|total)\b"
    r"|一共|总共|需要|要(?=多|几)|算|收(?=费| |$)|총|정도|까지|부터|걸[리려]\S*|드[나는]\S*"
    r"|[하되해돼되한]\S{0,2}요|인가요|입니까|이에요|예요|은요|는요"
)
"""Words of a question or an answer that say nothing but that something lasts, costs or is so."""


def base_measure(value: Value) -> str:
    """The measure by which a value is placed within limits; a bare number may be an age, the fifth year is a time."""
    if value.unit == _YEARS:
        return "duration"
    return "count" if value.kind == "number" or value.unit == "year_old" else measure(value)


def placed(number: float, value: Value) -> float:
    """Where one end of a value lies among others of its base measure."""
    if value.unit == _YEARS:
        return in_base(number, "year")
    return number if base_measure(value) == "count" else in_base(number, value.unit)


_YEARS = "school_year"


_CHANGES_EN = r"rais|increas|rose|risen|fell|fall|cut|reduc|lower|mov|chang|grew|grow|dropp|went|extend|shorten|relocat"
_CHANGED = re.compile(
    rf"\b(?:{_CHANGES_EN})|[增升降减调改迁涨跌缩扩变搬]|변경|감소|증가|인상|인하|[올오]르|올랐|내렸|바뀌|늘|줄"
    r"|이전|옮|상향|하향|확대|축소"
)
_FROM_ZH = re.compile("(?:由|从|自)(?:原(?:来|先)?的?)?$")
_TO_ZH = re.compile("^[^,，。;；]{0,6}?(?:至|到|为|成)")
_FROM_EN = re.compile(r"\bfrom (?:the |about )?$")
_TO_EN = re.compile(r"^(?: [a-z]+){0,3} to\b")
_TO_KO = re.compile("^에서 ")


def tells_change(text: str) -> bool:
    """Whether a folded sentence speaks of a change."""
    return _CHANGED.search(text) is not None


def is_former(text: str, start: int, end: int) -> bool:
    """Whether what stands at a place of a folded sentence is what something was before it changed."""
    if not tells_change(text):
        return False
    before, behind = text[max(0, start - 12) : start], text[end : end + 40]
    if _TO_KO.match(behind) is not None:
        return True
    zh = _FROM_ZH.search(before) is not None and _TO_ZH.match(behind) is not None
    return zh or (_FROM_EN.search(before) is not None and _TO_EN.match(behind) is not None)
