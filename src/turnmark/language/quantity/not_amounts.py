"""What stands around a number: comparators, and the marks of dates, clock times, ordinals and codes."""

from turnmark.language.later import later

AT_MOST, AT_LEAST, LESS_THAN, MORE_THAN, ABOUT = "at_most", "at_least", "less_than", "more_than", "about"
# 近: the last, before a period; nearly, before another amount.
RECENT = "recent"
VAGUE = (ABOUT, RECENT)

_FILLER = r"(?:[了为在是到达约于出过您你 :*_的]|大约|大概|不止|of|the|an?|:)*$"
_NOT = "(?:[不未没别勿莫][要能会可得应宜准许有]?|并未|从未|避免|切勿|请勿|无需)[再让要能会可得应]?"
_MUST_NOT = "(?:不|别|不能|不得|不应)"
_BEFORE = later(
    r"(?:"
    rf"(?P<at_most>{_NOT}(?:超过|超出|超|高于|大于|多于|越过|突破|高过|过|破)|不上|最多|至多|顶多|最高|上限|封顶|<="
    r"|[≤≦]|up to|at most|no more than|not more than|no higher than|no greater than|not exceed(?:ing)?|not above"
    r"|not over|never (?:above|over|more than)|max(?:imum)?|within|capped at|cap(?: it)? at|limited? to|as much as"
    r"|no older than|최대|최고|많아야|길어야)"
    rf"|(?P<at_least>至少|最少|起码|最低|下限|{_MUST_NOT}(?:低于|少于|小于|短于|下于)|不下|>=|[≥≧]"
    r"|at least|no less than|not less than|no fewer than|not below|not under|min(?:imum)?|as little as"
    r"|최소|적어도|최저)"
    r"|(?P<less_than>低于|少于|小于|短于|不到|不足|不满|未满|未到|没到|没有到|达不到|<|less than|fewer than"
    r"|lower than|smaller than|under|below|shy of|short of)"
    r"|(?P<more_than>超过|超出|高于|大于|多于|长于|越过|突破|高达|逾|超|>|more than|greater than|higher than"
    r"|larger than|over|above|exceed(?:s|ed|ing)?|beyond|north of)"
    r"|(?P<about>接近|将近|大致|差不多|近似|约|大约|大概|大体|[~≈]|about|around|roughly|approximately|approx\.?"
    r"|nearly|almost|close to|near|some|circa|약|대략|거의|한)"
    r"|(?P<recent>近)"
    r")" + _FILLER
)
# What ends just before a number when a comparator may stand there; spares the search for most numbers.
_ENDS_BEFORE = frozenset(
    "过出于到为在是约近似满足少多高低致概达超逾破上限≤≥<>=~≈了止不顶地:대고야소도저약략의한abcdefghijklmnopqrstuvwxyz"
)
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_LATIN_BEFORE = (
    *(
        "to",
        "most",
        "least",
        "than",
        "exceed",
        "exceeding",
        "exceeds",
        "exceeded",
        "above",
        "over",
        "max",
        "maximum",
        "within",
    ),
    *("at", "as", "below", "under", "min", "minimum", "of", "beyond", "about", "around", "roughly", "approximately"),
    *("approx", "nearly", "almost", "near", "some", "circa", "the", "a", "an"),
)

_AFTER = later(
    r"[ *_]*(?:"
    r"(?P<at_most>[及或]?以内|之内|[及或]?以下|(?<=[%年月周天日时岁元个])内(?![容部心外地在涵因])|封顶|为限|为上限"
    r"|이하|이내|안쪽|(?:을|를|은|는)? ?넘지 ?(?:않|마|말|아니)|까지(?:만|는)|or less|or lower|or below|or under"
    r"|or fewer|or younger|at (?:the )?most|max(?:imum)?\b|tops\b)"
    r"|(?P<at_least>[及或]?以上|之上|起(?![来伏落步初码点因到])|起步|为下限|이상|부터(?! ?[0-9])|or more|or higher"
    r"|or above|or greater|or over|or older|and (?:above|over|up|older)|at (?:the )?least|minimum\b|\+(?![0-9]))"
    r"|(?P<less_than>미만|(?:을|를|에|도)? ?(?:못 ?미|밑도|안 ?[되돼됩])"
    r"|(?:아래|밑)(?=[로으에의가는를을면라이일인여 ,.])"
    r"|보다 ?[낮적작짧덜]|不到)"
    r"|(?P<more_than>초과|(?:을|를|이|가)? ?(?:넘|웃도|초과)|보다 ?[높많크길더]|남짓|[多余](?![数久元万亿])|出头|开外"
    r"|不止)"
    r"|(?P<about>左右|上下|前后|附近|内外|정도|쯤|가량|안팎|내외|전후|or so|ish\b|or thereabouts)"
    r")"
)


# What a comparator behind a number begins with; most numbers are followed by something else.
_OPENS_AFTER = frozenset(" *_及或以之内封为起不多余出开左上前附이안을를은는에도넘까부미못밑아보초가웃남정쯤내전oamti+")


def comparator_before(text: str, start: int) -> str:
    """Return the comparator that ends right before a number, "about", "recent" (近: the last, or nearly), or ""."""
    window = text[max(0, start - 18) : start].rstrip(" *_")
    last = window[-1:]
    if last not in _ENDS_BEFORE or (last in _LATIN and not window.endswith(_LATIN_BEFORE)):
        return ""
    window = window[window.rfind("\n") + 1 :]
    match = _BEFORE.search(window)
    if match is None:
        return ""
    result = match.lastgroup or ""
    position = match.start()
    if position and window[position].isascii() and window[position].isalpha() and window[position - 1].isalpha():
        return "" if window[position - 1].isascii() else result
    if result == ABOUT and window[position] == "한" and window[position - 1 : position] not in ("", " "):
        return ""
    return result


def comparator_after(text: str, end: int) -> tuple[str, int]:
    """Return (comparator, end) of the words right after a quantity; ("", end) when there are none."""
    following = text[end : end + 2]
    opens = following[1:] if following[:1] == " " else following[:1]
    if opens not in _OPENS_AFTER:
        return "", end
    match = _AFTER.match(text, end)
    return (match.lastgroup or "", match.end()) if match else ("", end)


_YEAR = r"(?:19|20)[0-9]{2}"
_DATE = later(
    rf"{_YEAR} ?[年년](?:度|初|末|底|중|초|말)?(?: ?[0-9]{{1,2}} ?[月월](?:份)?(?: ?[0-9]{{1,2}} ?[日号일])?)?"
    rf"|{_YEAR}(?P<mark>[-/.])[0-9]{{1,2}}(?:(?P=mark)[0-9]{{1,2}})?(?![0-9%])"
    r"|[0-9]{2}年(?:[0-9]{1,2}月|[底初末]|年)"
    r"|[0-9]{1,2} ?(?:月(?!龄)|월)(?:份|底|初|末)?(?: ?[0-9]{1,2} ?[日号일])?"
    r"|[0-9]{1,2}(?:[日号](?!间|年化|均线|内|后|移动|文|楼|线))"
    r"|[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?![0-9/%])"
)
_ZH_DATE = later(
    "[一二][〇零一二三四五六七八九]{3}年(?:[一二三四五六七八九十]{1,3}月(?:[一二三四五六七八九十]{1,3}[日号])?)?"
    "|[一二三四五六七八九十]{1,2}月(?!龄)(?:份|底|初)?(?:[一二三四五六七八九十]{1,3}[日号])?|[一二三四五六七八九十]{1,3}[日号](?!文|楼|线|间|召)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_BEFORE = later(rf"(?<![a-z]){_MONTH}\.? (?:[0-9]{{1,2}},? )?$")
_YEAR_AFTER = later(r"(?:st|nd|rd|th)?,? (?:19|20)[0-9]{2}(?![0-9])")
_MONTH_AFTER = later(rf" ?(?:st|nd|rd|th)? (?:of )?{_MONTH}\b(?! (?:be|help|need))(?:,? (?:19|20)[0-9]{{2}})?")
_TIME = later(
    r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?![0-9:])"
    r"|[0-9]{1,2}(?::[0-9]{2})? ?(?:[ap]\.m\.?|[ap]m(?![a-z])|o'clock)"
    r"|[0-9]{1,2}시(?!간|장|대|험|작|행|판|도|스|력|절|점|기)(?: ?[0-9]{1,2}분| ?반)?"
    r"|[0-9]{1,2}点(?:半|钟|整|[0-9]{1,2}分?|[前后]|之[前后])"
)
_CLOCK_WORDS = later(
    r"(?:上午|下午|晚上|早上|早晨|凌晨|中午|傍晚|夜里|今晚|明早|每晚|오전|오후|아침|저녁|밤|새벽|at)[ ]?$"
)
_WORD_TIME = later(r"[^ ]{1,3}(?:点(?:半|钟|整|[前后]|之[前后])| ?시(?=$|[ ,.]|에|까지|부터|경|쯤|정각)(?: ?반)?)")
_ORDINAL_BEFORE = later(
    r"(?:第|제 ?|周(?=$)|步骤|方案|情况|类型|选项|阶段|图表?|表|附录|问题|原则)$"
    r"|(?<![a-z])(?:weeks?|days?|phase|step|stage|type|grade|level|part|section|chapter|no\.?|number|table|figure|class"
    r"|category|option|plan|tier|round|turn|months?|q|rule|question|group|version|page|line|priority|top)[ #]*$"
)
# What ends the words of _ORDINAL_BEFORE, or stands between them and the number.
_ORDINAL_HINT = frozenset(" #제周骤案况型项段图表录题则ksyepgnlrtbfd.hmq")
_ORDINAL_AFTER = later(
    r"(?:st|nd|rd|th)(?![a-z])| ?(?:번째|번 ?문항|순위|단계|주차|회차|일차|년차|개월차|[주일] ?째|차(?!례|량|도|이|감)"
    r"|기(?!간|준|본|록|억|분|압|초)|형(?= |당|이|은|으|을|$)|급|층|호|등급|교시)"
    r"|型|级|号|楼|类(?!似)|等奖"
)
_CALL_BEFORE = later(r"(?:拨打?|打|致电|电话|热线|客服|叫|呼叫|(?<![a-z])(?:call|dial|phone|text))[ :]*$")
_CALL_AFTER = later(r"(?:에|로|를|을|번으로|번에)? ?(?:전화|신고|연락|구급|부르|부릅|불러)|热线|急救|客服")
_NAME_BEFORE = later(
    r"(?:沪深|中证|上证|深证|科创|创业板|北证|标普|纳斯达克|纳指|道琼斯|恒生|罗素|日经|富时|红利|"
    r"코스피|코스닥|나스닥|다우|s&p|nasdaq|russell|dow|ftse|nikkei|stoxx|msci|csi|(?<![a-z])r|t\+|covid-|omega-)[ ]?$"
)


def clock_or_date(text: str, start: int, words: bool) -> tuple[str, int] | None:
    """Return ("date" or "time", end) when a date or a clock time starts at a number, or None."""
    if words:
        match = _ZH_DATE.match(text, start)
        if match and text[start - 1 : start] not in ("个", "第"):
            return "date", match.end()
        match = _WORD_TIME.match(text, start)
        if match and ("点" not in match.group()[-1] or _CLOCK_WORDS.search(text, max(0, start - 6), start)):
            return "time", match.end()
        return None
    match = _TIME.match(text, start)
    if match:
        return "time", match.end()
    match = _DATE.match(text, start)
    if match and _plausible_date(match.group(), day_first=_DATED.search(text, max(0, start - 8), start) is not None):
        return "date", match.end()
    return None


_DATED = later(r"(?<![a-z])(?:on|by|until|till|since|dated|before|after) $")
"""Words behind which a day may stand before its month: on 31/12."""


def _plausible_date(written: str, *, day_first: bool) -> bool:
    if "/" not in written or len(written) > 7:
        return True
    month, _, day = written.partition("/")
    day = day.partition("/")[0]
    if day_first and int(month) > 12:
        month, day = day, month
    # 1/2 is a half; a pair with a day beyond twelve can only be a date.
    return int(month) <= 12 and 12 < int(day) <= 31


def english_date(text: str, start: int, end: int) -> int | None:
    """Return the end of a date such as "June 5, 2024" or "5 June" around a number, or None."""
    after = _MONTH_AFTER.match(text, end)
    if after:
        return after.end()
    if _MONTH_BEFORE.search(text, max(0, start - 16), start) is None:
        return None
    year = _YEAR_AFTER.match(text, end)
    return year.end() if year else end


def ordinal_end(text: str, start: int, end: int) -> int | None:
    """Return the end of an ordinal or a list mark at a number, or None."""
    mark = text[end : end + 1]
    if mark in (".", ")", "、") and end - start <= 2 and not text[end + 1 : end + 2].isdigit():
        line = text[max(text.rfind("\n", 0, start) + 1, start - 12) : start]
        opens = start - len(line) == 0 or text[start - len(line) - 1] == "\n"
        if opens and not line.strip(" *#>(-|"):
            return end
        if mark == ")" and line[-1:] == " " and "(" not in line and text[end + 1 : end + 2] == " ":
            return end
    following = mark if mark != " " else text[end + 1 : end + 2]
    # Ordinal endings are letters; most numbers are followed by something else.
    if following.isalpha():
        after = _ORDINAL_AFTER.match(text, end)
        if after:
            return after.end()
    before = text[start - 1 : start]
    if before == "第":
        return end
    if before in _ORDINAL_HINT and _ORDINAL_BEFORE.search(text, max(0, start - 12), start):
        return end
    return None


def is_code(text: str, start: int, end: int, has_unit: bool) -> bool:
    """Tell a number that only names something: a security code, a telephone number, an index, a product."""
    size = end - start
    if size >= 6 and not has_unit and text[start:end].isdigit():
        return True
    before = text[max(0, start - 8) : start]
    dialled = not has_unit and 3 <= size <= 8 and text[start:end].isdigit()
    if dialled and (_CALL_BEFORE.search(before) or _CALL_AFTER.match(text, end)):
        return True
    last = before[-1:]
    if (
        (last in _ENDS_NAME or (last == " " and before[-2:-1] in _ENDS_NAME))
        and _NAME_BEFORE.search(before)
        and text[end : end + 1] not in ("%", "倍", "배")
    ):
        return True
    return last in _ENDS_LETTERS and _glued(text, start, end, before, has_unit)


# What ends the names of _NAME_BEFORE, and letters that a number is glued to.
_ENDS_NAME = frozenset("深证创板普克指斯生素经时利피닥우pqlweixri+-\n")
_ENDS_LETTERS = _LATIN | {"-", "\n"}
_LETTERS = later(r"[a-z]+-?$")


def _glued(text: str, start: int, end: int, before: str, has_unit: bool) -> bool:
    """Tell a number that is part of a name, being glued to Latin letters (hba1c, b12, r3); ldl116 is a value."""
    match = _LETTERS.search(before)
    if match is None:
        return False
    letters = match.group().rstrip("-")
    following = text[end : end + 1]
    if following.isascii() and following.isalpha() and not has_unit:
        return True
    if has_unit or text.startswith("/", end):
        return False
    return len(letters) <= 2 or match.group().endswith("-") or end - start == 1
