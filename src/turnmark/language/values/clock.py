"""Times of day, single and as ranges, in Chinese, Korean and English; minutes after midnight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.quantity import numerals
from turnmark.language.values.openings import DIGITS, Opening
from turnmark.language.values.value import Value

_ZH = "零〇一二两三四五六七八九十"
_ZH_HALF = "凌晨|清晨|早晨|早上|上午|中午|下午|傍晚|晚上|晚间|夜里|夜间|半夜|深夜|午后|今晚|今早|明早|每晚|晚|早"
_KO_HALF = "오전|오후|아침|저녁|새벽|낮|밤|한밤"
_EN_LATE = r"(?: in the (?P<part>morning|afternoon|evening)| (?P<night>at night))?"
_EN_HOUR = {
    word: numerals.EN_WORDS[word]
    for word in ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
}
_EN_HOURS = "|".join(sorted(_EN_HOUR, key=lambda word: (-len(word), word)))
_EN_MINUTES = "five|ten|twenty|twenty-five|quarter|half|a quarter"
_MINUTES = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "quarter": 15, "a quarter": 15, "half": 30}
_KO_NATIVE = "열한|열두|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열"

_COLON = later(
    rf"(?:(?P<half>{_ZH_HALF}|{_KO_HALF}|am|pm) ?)?(?<![0-9.])(?<![0-9]:)(?P<hour>[01]?[0-9]|"
    rf"2[0-4]):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])"
    rf"(?: ?(?P<after>[ap]\.m\.?|[ap]m)(?![a-z]))?{_EN_LATE}"
)
_ENGLISH = later(
    rf"(?<![0-9a-z:.,$/])(?:(?P<hour>[0-9]{{1,2}})(?:\.(?P<minute>[0-5][0-9]))? "
    rf"?(?:(?P<after>[ap]\.m\.?|[ap]m)(?![a-z])|(?P<clock>o'clock))"
    rf"|(?P<word>{_EN_HOURS})(?: (?P<wordhalf>thirty|fifteen|forty-five))?(?:(?P<wordclock> o'clock)|"
    rf" (?P<wordafter>[ap]\.?m\.?)(?![a-z])|(?= in the (?:morning|afternoon|evening)| at night))"
    rf"|(?P<digits>[0-9]{{1,2}})(?= in the (?:morning|afternoon|evening)| at night)){_EN_LATE}"
)
_EN_PAST = later(
    rf"(?<![a-z-])(?P<minutes>{_EN_MINUTES})(?: minutes)? (?P<way>past|to|after) "
    rf"(?P<hour>{_EN_HOURS}|noon|midnight|[0-9]{{1,2}})(?![a-z0-9])"
    rf"(?: ?(?P<after>[ap]\.m\.?|[ap]m)(?![a-z]))?{_EN_LATE}"
)
_EN_NAMED = later(r"(?<![a-z])(?P<name>noon|midday|midnight)(?![a-z])")
_ZH_TIME = later(
    rf"(?:(?P<half>{_ZH_HALF}) ?)?(?<![0-9.{_ZH}])(?P<hour>[0-9]{{1,2}}|[{_ZH}]{{1,3}})(?:点(?P<mark>钟|"
    rf"整|半|一刻|三刻|(?P<minute>[0-9]{{1,2}}|[{_ZH}]{{1,3}})分?"
    r"(?![0-9个万亿%]))?|时(?P<minute2>[0-9]{1,2})?(?![间期代候段装长尚常效])分?)"
)
_ZH_AFTER = later(
    "[ ]?(?:前|后|之前|之后|以前|以后|开始|开门|开|起|到|至|-|~|止|左右|关门|下班|上班|结束|截止|截|、"
    "|发车|出发|到达|起飞|停止|打烊|入场|入住|退房|举行|集合|熄灯|召开)"
)
_ZH_BEFORE = later(r"(?:到|至|从|于|在|-|~|过了|每天|平日|周[一二三四五六日末])$")
_ZH_NAMED = later("(?P<name>中午|正午|午夜|零点|半夜)(?![ 0-9一二两十零])")
_KO_TIME = later(
    rf"(?:(?P<half>{_KO_HALF})(?:에)? ?)?(?<![0-9가-힣.:])(?:(?P<hour>[0-9]{{1,2}})|(?P<native>{_KO_NATIVE})) ?시"
    r"(?!간|장|대|험|작|행|판|도|스|력|절|점|기|설|군|민|청|내|세|리|즌|트|켜|면)"
    r"(?: ?(?P<minute>[0-9]{1,2})분|(?P<thirty> ?반))?"
)
_KO_NAMED = later("(?P<name>정오|자정)")
_LINK = later(r" ?(?:-|~|to|至|到|until|till|부터|에서|and|through) ?(?:次日|翌日|익일|the next day )?$")
_FROM = later(r"(?:从|自|from|between|after|since|starting at|starts? at|opens? at|begins? at) ?$")
_UNTIL = later(r"(?:截至|截止到?|until|till|by|before|no later than|closes? at|ends? at|to) ?$")
_FROM_AFTER = later(r" ?(?:부터|起|开始|开门|이후|以后|之后|onwards?|에 (?:시작|열|개장|오픈))")
_UNTIL_AFTER = later(r" ?(?:까지|止|以前|之前|前|이전|전까지|截止|关门|에 (?:끝|닫|마감|종료))")
_LATE = frozenset(
    (
        "下午",
        "傍晚",
        "晚上",
        "晚间",
        "夜里",
        "夜间",
        "今晚",
        "每晚",
        "晚",
        "午后",
        "深夜",
        "오후",
        "저녁",
        "밤",
        "pm",
        "p",
        "afternoon",
        "evening",
        "night",
    )
)
_EARLY = frozenset(
    ("凌晨", "清晨", "早晨", "早上", "上午", "半夜", "今早", "明早", "早", "오전", "아침", "새벽", "am", "a", "morning")
)
_NOON = frozenset(("中午", "낮"))
_NAMES = {
    "noon": 720,
    "midday": 720,
    "midnight": 1440,
    "中午": 720,
    "正午": 720,
    "午夜": 1440,
    "零点": 0,
    "半夜": 0,
    "정오": 720,
    "자정": 1440,
}
_QUICK = later(
    r"[0-9]:[0-9]|[点시时]|[0-9] ?[ap]\.?m|o'clock|noon|midday|midnight|午|자정|정오"
    r"| (?:past|to|after|in the|at night|am|pm)"
)
OPENING = Opening(((DIGITS,), (frozenset("点时시午정"),)), ("noon", "midday", "midnight", *_EN_HOUR))
_QUICK_COLON = later("[0-9]:[0-9]")
_DAY = 1440
_HALF_DAY = 12
_OPENS = frozenset(("", " ", "\n", ",", ":", ";", "。", "(", "、"))
_TWO = 2


class _Clock(NamedTuple):
    start: int
    end: int
    hour: int
    minute: int
    half: str


def _number(written: str) -> int | None:
    if written.isdigit():
        return int(written)
    if written in ("零", "〇"):
        return 0
    if len(written) == 2 and written[0] in "零〇":
        written = written[1:]
    parsed = numerals.parse_zh(written)
    return None if parsed is None else int(parsed.low)


def _clocks(text: str) -> Iterator[_Clock]:
    if _QUICK_COLON.search(text):
        for match in _COLON.finditer(text):
            half = match["half"] or (match["after"] or "")[:1] or match["part"] or (match["night"] and "night") or ""
            if not half and match["hour"][0] == "0":
                half = "am"
            yield _Clock(*match.span(), int(match["hour"]), int(match["minute"]), half)
    if "点" in text or "时" in text:
        yield from _chinese(text)
    if "시" in text or "정오" in text or "자정" in text:
        yield from _korean(text)
    yield from _english(text)


def _chinese(text: str) -> Iterator[_Clock]:
    for match in _ZH_TIME.finditer(text):
        hour = _number(match["hour"])
        start, end = match.span()
        marked = match["half"] or match["mark"]
        told = marked or _ZH_AFTER.match(text, end) or _ZH_BEFORE.search(text, max(0, start - 3), start)
        # 22点 by itself is no score.
        told = told or (hour is not None and hour > _HALF_DAY and text[start - 1 : start] in _OPENS)
        told = told or (start == 0 and not text[end:].strip("。.!！吧呢 "))  # all that an answer says
        if hour is None or hour > 24 or not told or text[start - 1 : start] == "第":
            continue
        mark = match["mark"] or ""
        if not match["half"] and match["minute"] and not mark.endswith("分") and len(match["minute"]) < _TWO:
            # 三点五 is three and a half; 八点四十五 and 9点30 are times.
            continue
        minute = {"半": 30, "一刻": 15, "三刻": 45}.get(mark)
        if minute is None:
            written = match["minute"] or match["minute2"]
            minute = (_number(written) if written else 0) or 0
        yield _Clock(start, end, hour, minute, match["half"] or "")


def _korean(text: str) -> Iterator[_Clock]:
    hours = {
        word: number
        for number, word in enumerate(
            ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"], start=1
        )
    }
    for match in _KO_TIME.finditer(text):
        hour = int(match["hour"]) if match["hour"] else hours[match["native"]]
        minute = 30 if match["thirty"] else int(match["minute"] or 0)
        yield _Clock(*match.span(), hour, minute, match["half"] or "")
    for match in _KO_NAMED.finditer(text):
        yield _Clock(*match.span(), *divmod(_NAMES[match["name"]], 60), "named")


def _english(text: str) -> Iterator[_Clock]:
    for match in _ENGLISH.finditer(text):
        hour = _EN_HOUR[match["word"]] if match["word"] else int(match["hour"] or match["digits"])
        after = (match["after"] or match["wordafter"] or "")[:1]
        half = after or match["part"] or (match["night"] and "night") or ""
        minute = {"thirty": 30, "fifteen": 15, "forty-five": 45}.get(match["wordhalf"] or "", int(match["minute"] or 0))
        yield _Clock(*match.span(), hour, minute, half)
    for match in _EN_PAST.finditer(text) if " past " in text or " to " in text or " after " in text else ():
        named = _NAMES.get(match["hour"], 0) // 60
        hour = named or _EN_HOUR.get(match["hour"]) or int(match["hour"])
        half = (match["after"] or "")[:1] or match["part"] or (match["night"] and "night") or ""
        half = half or ("named" if named else "")
        if match["way"] != "past" and not half and match["minutes"] not in ("quarter", "a quarter"):
            # "five to ten" is a range unless something tells a time of day.
            continue
        minutes = _MINUTES[match["minutes"]]
        late = hour * 60 + (-minutes if match["way"] == "to" else minutes)
        yield _Clock(*match.span(), *divmod(late % _DAY, 60), half)
    for match in _EN_NAMED.finditer(text) if "noon" in text or "mid" in text else ():
        yield _Clock(*match.span(), *divmod(_NAMES[match["name"]], 60), "named")
    for match in _ZH_NAMED.finditer(text) if "午" in text or "零点" in text else ():
        yield _Clock(*match.span(), *divmod(_NAMES[match["name"]], 60), "named")


def _minutes(clock: _Clock, half: str) -> tuple[int, bool]:
    """Minutes after midnight, and whether morning or evening is told."""
    hour = clock.hour
    if half == "named":
        return hour * 60 + clock.minute, True
    if half in _LATE and hour < 12:
        hour += 12
    elif half in _EARLY and hour == 12:
        hour = 0
    elif half in _NOON and hour < 6:
        hour += 12
    return hour * 60 + clock.minute, bool(half) or hour > 12 or hour == 0


def times(text: str) -> list[Value]:
    """The times of day of a folded text in order; a range is one value."""
    if _QUICK.search(text) is None:
        return []
    clocks: list[_Clock] = []
    for clock in sorted(_clocks(text), key=lambda each: (each.start, -each.end)):
        if clock.hour <= 24 and clock.minute < 60 and (not clocks or clock.start >= clocks[-1].end):
            clocks.append(clock)
    values: list[Value] = []
    position = 0
    while position < len(clocks):
        first = clocks[position]
        second = clocks[position + 1] if position + 1 < len(clocks) else None
        if second is not None and second.start - first.end < 14 and _LINK.fullmatch(text, first.end, second.start):
            values.append(_range(text, first, second))
            position += 2
        else:
            values.append(_single(text, first))
            position += 1
    return values


def _single(text: str, clock: _Clock) -> Value:
    minutes, told = _minutes(clock, clock.half)
    comparator = ""
    before, after = text[max(0, clock.start - 14) : clock.start], clock.end
    if _FROM_AFTER.match(text, after) or (_FROM.search(before) and not _UNTIL_AFTER.match(text, after)):
        comparator = "from"
    elif _UNTIL_AFTER.match(text, after) or _UNTIL.search(before):
        comparator = "until"
    parts = () if told else (0,)
    return Value(
        clock.start,
        clock.end,
        "time",
        minutes,
        minutes,
        "minute",
        comparator,
        False,
        parts,
        "",
        text[clock.start : clock.end],
    )


def _range(text: str, first: _Clock, second: _Clock) -> Value:
    """One value of two times: the half of the day that one of them tells holds for the other too."""
    high, told = _minutes(second, second.half)
    half = first.half
    if not half and second.half in _LATE | _EARLY and _minutes(first, second.half)[0] <= high:
        half = second.half
    low, low_told = _minutes(first, half)
    if not told and low_told and half in _LATE | _EARLY | _NOON:
        # 上午九点到十一点: the second is the next such hour.
        later = high + 720 if half in _LATE and high < 720 else high
        high, told = (later, True) if later >= low else (high + 720 if high < 720 else high, True)
    parts = () if told and low_told else (0,)
    span = text[first.start : second.end]
    return Value(first.start, second.end, "time", low, high, "minute", "", False, parts, "", span)
