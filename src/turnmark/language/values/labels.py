"""What names or orders and counts nothing: articles, grades, types, floors, product codes, Greek letters, pluses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from turnmark.language.later import later
from turnmark.language.quantity import numerals
from turnmark.language.quantity.units import match_unit
from turnmark.language.values.openings import DIGITS, LATIN, Opening
from turnmark.language.values.value import Value

_ZH = "零〇一二三四五六七八九十百"
_NUMBER = rf"(?:[0-9]{{1,4}}|[{_ZH}]{{1,5}})"
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_ROMANS = "|".join(sorted(_ROMAN, key=lambda each: (-len(each), each)))
_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"

# Words that order or class, by the scheme that they share in the three languages.
_SCHEMES: dict[str, str] = {
    "article": "条 조 article articles clause clauses section sections sec § rule rules regulation",
    "paragraph": "款 项 항 paragraph para subsection",
    "item": "目 호 item",
    "chapter": "章 장 chapter chapters part",
    "grade": "级 等级 등급 급 grade grades level levels tier tiers",
    "school_year": "年级 학년 year",
    "class": "班 반 类 종 클래스 class classes category categories",
    "type": "型 형 유형 type types",
    "stage": "期 기 단계 阶段 stage stages phase phases",
    "floor": "楼 层 층 floor floors",
    "building": "号楼 栋 座 동 building block",
    "room": "室 호실 room rooms 教室",
    "window": "号窗口 窗口 번 ?창구 창구 window counter desk",
    "gate": "号门 登机口 号口 번 ?출구 출구 게이트 gate gates exit terminal 터미널 航站楼 号航站楼",
    "line": "号线 호선 line",
    "platform": "站台 번 ?홈 platform",
    "page": "页 쪽 페이지 page pages",
    "round": "轮 届 회차 회 차 次 round session",
    "rank": "名 위 순위 位 place",
    "step": "步 步骤 번째 단계 step",
    "zone": "区 구역 zone zones area",
    "plan": "方案 플랜 plan option package",
    "version": "版 버전 version release edition",
    "quarter": "季度 분기 quarter",
    "half": "半年 반기",
    "century": "世纪 세기 century centuries",
    "figure": "图 그림 figure",
    "table": "表 표 table",
    "appendix": "附录 附件 별표 부록 appendix schedule annex form exhibit",
    "lesson": "课 节 교시 课时 lesson unit week period",
    "row": "排 열 row",
    "seat": "座位 석 seat",
    "number": "번 no. number #",
    "bracket": "档 档位 구간 bracket band",
}


def _scheme_of(language: str) -> dict[str, str]:
    results: dict[str, str] = {}
    for scheme, words in _SCHEMES.items():
        for word in words.split():
            first = word.lstrip("번 ?") or word
            if language == (
                "ko" if "가" <= first[0] <= "힣" else "zh" if not first[0].isascii() and first[0] != "§" else "en"
            ):
                results[word.replace(" ?", " ")] = scheme
    return results


def _any(words: dict[str, str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", " ?") for word in sorted(words, key=lambda each: (-len(each), each)))


_ZH_SCHEMES, _KO_SCHEMES, _EN_SCHEMES = (_scheme_of(language) for language in ("zh", "ko", "en"))

_ZH_NTH = later(rf"第 ?(?P<number>{_NUMBER}) ?(?P<word>{_any(_ZH_SCHEMES)}|)(?:之(?P<sub>{_NUMBER}))?")
# Without 第: only what is no counting unit as well.
_ZH_LONE = "级|世纪|等级|年级|班|型|类|号楼|楼|号窗口|窗口|号门|号口|号线|号航站楼|站台|季度|期|条|档|栋|座|层"
_ZH_CLASS = later(
    rf"(?<![0-9.a-z第{_ZH}])(?P<number>[0-9]{{1,3}}(?:\.[0-9]{{1,2}}){{0,2}}|[{_ZH}]{{1,3}}|[a-z]|"
    rf"{_ROMANS}|[{_GREEK}]|\([0-9]\))(?P<plus>\+*) ?(?P<word>{_ZH_LONE})(?![效限待间子似别货])"
)
_KO_NTH = later(
    rf"제 ?(?P<number>[0-9]{{1,4}}) ?(?P<word>{_any(_KO_SCHEMES)})(?:의 ?(?P<sub>[0-9]{{1,3}}))?(?![가-힣]?[0-9])"
)
_KO_LONE = (
    "등급|클래스|급|형|유형|종|단계|기|층|호선|번 ?출구|번 ?창구|학년|반|분기|교시|구역|구간|위|순위|동|호실|회차|열|차"
)
_KO_CLASS = later(
    rf"(?<![0-9.a-z])(?P<number>[0-9]{{1,4}}|[a-z]|{_ROMANS}|[{_GREEK}]) ?(?P<word>{_KO_LONE})"
    r"(?<!차(?=이))(?<!기(?=가))"
    "(?=$|[^가-힣]|[은는이가을를의에로으부까만도과와입예인짜])"
)
_EN_NAMED = later(
    rf"(?<![a-z])(?P<word>{_any(_EN_SCHEMES)})s?[ -]?(?P<number>(?<=[ -#§])[0-9]{{1,4}}(?:\.[0-9]{{1,3}}){{0,3}}[a-z]?|"
    rf"(?<=[ -])(?:{_ROMANS}|[a-h])(?=$|[^a-z'0-9])|(?<=[ -])(?:one|two|three|four|five|six|seven|"
    rf"eight|nine|ten|[{_GREEK}])(?![a-z]))(?P<plus>\+*)(?![0-9%a-z]|[.,][0-9]| ?(?:am|pm|percent))"
)
_EN_ORDINAL = later(
    rf"(?<![a-z0-9.,])(?P<number>[0-9]{{1,3}})(?:st|nd|rd|th)[ -](?P<word>{_any(_EN_SCHEMES)})(?![a-z])"
    rf"|(?<![a-z])(?P<name>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|"
    rf"tenth)[ -](?P<word2>{_any(_EN_SCHEMES)})(?![a-z])"
)
_ORDINALS = dict(
    zip(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
        range(1, 11),
        strict=True,
    )
)
_QUARTER = later(r"(?<![a-z0-9])(?:q(?P<quarter>[1-4])|h(?P<half>[12]))(?![0-9a-z])")
# R4, B12, E-25, VPN-691, 0x7B, BY-500, FA-03, HbA1c; a letter at least and a digit at least.
_PRODUCT = later(
    r"(?<![a-z0-9.,/])(?:0x[0-9a-f]{1,8}|[a-z]{1,8}-?[0-9]{1,6}(?:\.[0-9]{1,2})?[a-z]{0,2}(?:-[a-z0-9]{1,6}){0,2}|[0-9]{1,4}[a-z]{1,2}-?[0-9]{1,5}[a-z]?)(?![a-z0-9]|%)"
)
_NO_PRODUCT = later(
    r"(?:q[1-4]|h[12]|[0-9]+[a-z]{1,3}|(?:am|pm|us|rmb|usd|krw|cny|eur|hkd|gbp|jpy|max|min|to|at|of|"
    r"by|in|age|the|and|or|x|ldl|hdl|tg|bp|hr|bmi|ph|spo|wbc|hb|plt|alt|ast|than|is|was|"
    r"about)-?[0-9].*|[a-z]{1,8}[0-9]+(?:kg|mg|ml|cm|mm|gb|g|km|h)|co2|h2o|m2|m3|19[0-9]{2}|"
    r"20[0-9]{2})"
)
_SECURITY = later(
    r"(?<![0-9a-z.,/$¥₩€£+-])(?<![0-9]:)[0-9]{6,20}(?![0-9%.,]|[0-9]*[ ]?[万亿만억원元円a-z个개명人년年])"
)
_CALLED = later(
    r"(?:(?:拨打?|致电|电话|热线|客服|代码|编号|单号|工号|房号|房间|密码|(?<![a-z])(?:call|dial|phone|text|code|ticket|"
    r"invoice|order|model|extension|ext\.?|pin|id)|전화|번호|코드|내선)(?: ?(?:number|no\.?|"
    r"code))?[ :#]*(?:is |은 |는 |为|是)?)"
    r"(?P<number>[0-9]{1,5}(?:-[0-9]{2,5}){0,3})(?![0-9%.,]|[ ]?[万亿만억원元个개명人年月日])"
)
_PHONE = later(r"(?<![0-9a-z.,])(?:\+?[0-9]{1,3}[- ])?[0-9]{2,4}-[0-9]{3,4}(?:-[0-9]{4})?(?![0-9-])")
_GREEK_LONE = later(rf"(?<![a-z{_GREEK}0-9])(?P<letter>[{_GREEK}])(?![a-z{_GREEK}0-9])")
_PLUS = later(r"(?<![0-9a-z+%])(?P<plus>\+{1,4}|±)(?![+0-9a-z$¥₩€£(])|(?<=[(:=])-(?=\))")
_BLOOD = later(
    r"(?<![a-z])(?P<type>ab|[abo])(?P<rh>[+-])?(?: ?(?P<word>型|형)|(?P<en> (?:positive|negative))?(?= blood))"
)
_CLAUSE_MARK = later(r"(?:(?<=\n)|^)(?P<number>[0-9]{1,2}(?:\.[0-9]{1,2}){1,3})(?=\.? [^0-9])")
_QUICK_ENGLISH = later("[a-z]{3}|[a-z#§] ?[0-9]")
_QUICK_PRODUCT = later("[a-z]-?[0-9]|[0-9][a-z]")
_QUICK_LONG = later("[0-9]{6}")
_QUICK_PHONE = later("[0-9]-[0-9]")
NUMBERED = Opening(((frozenset("第"),),))
LONE = Opening(
    (
        (
            DIGITS | LATIN | frozenset(_ZH + _GREEK),
            frozenset(word[0] for word in (*_ZH_LONE.split("|"), *_KO_LONE.split("|"))),
        ),
        (frozenset("제"), DIGITS),
    )
)
ENGLISH = Opening(((DIGITS,),), tuple(word for word in _EN_SCHEMES if word.isalpha()))
PRODUCTS = Opening(((DIGITS,),))
SIGNS = Opening(
    ((frozenset(_GREEK),), (frozenset("+±型형"),), (frozenset("("), frozenset("-"))),
    ("blood",),
)
_QUICK_GREEK = later(f"[{_GREEK}]")


def _number(written: str) -> str:
    """One writing of a number that names: 十二, xii and 12 are the same."""
    written = written.strip("()")
    if written.isascii():
        stripped = written.lstrip("0") if written.isdigit() else written
        return stripped or "0"
    parsed = numerals.parse_zh(written)
    return written if parsed is None else f"{parsed.low:g}"


_WORDS = {word: str(value) for word, value in numerals.EN_WORDS.items() if 0 < value <= 10}


def _name(written: str, scheme: str) -> str:
    if written in _ROMAN and (len(written) > 1 or scheme in ("type", "stage", "grade", "chapter", "class")):
        return str(_ROMAN[written])
    return _WORDS.get(written) or _number(written)


def _code(text: str, span: tuple[int, int], scheme: str, name: str) -> Value:
    return Value(*span, "code", unit=scheme, name=name, text=text[slice(*span)])


def numbered(text: str) -> Iterator[Value]:
    """Codes of a folded text that 第 opens."""
    for match in _ZH_NTH.finditer(text):
        sub = f".{_number(match['sub'])}" if match["sub"] else ""
        scheme = _ZH_SCHEMES.get(match["word"], "nth")
        if scheme == "nth" and "\u4e00" <= text[match.end() : match.end() + 1] <= "\u9fff":
            # 第二针 and 第一天 count in order; what they name stands behind.
            continue
        yield _code(text, match.span(), scheme, _number(match["number"]) + sub)


_COUNTED = frozenset("条类档")


def lone(text: str) -> Iterator[Value]:
    """Codes of a folded text that a word behind their number tells, in Chinese and Korean: A类, 2등급, 제3조."""
    for match in _ZH_CLASS.finditer(text):
        word, number = match["word"], match["number"]
        # 三条 and 3类 count; only 第三条 and A类 name. Of what is written in words a class of pupils needs its year.
        if word in _COUNTED and (number.isdigit() or number[0] in _ZH):
            continue
        if word in ("班", "期") and number[0] in _ZH and text[match.start() - 1 : match.start()] not in ("级", "第"):
            continue
        scheme = _ZH_SCHEMES[word]
        yield _code(text, match.span(), scheme, _name(match["number"], scheme) + match["plus"])
    if "제" in text:
        for match in _KO_NTH.finditer(text):
            sub = f".{match['sub']}" if match["sub"] else ""
            yield _code(text, match.span(), _ko_scheme(match["word"]), _number(match["number"]) + sub)
    for match in _KO_CLASS.finditer(text):
        scheme = _ko_scheme(match["word"])
        yield _code(text, match.span(), scheme, _name(match["number"], scheme))


def _ko_scheme(word: str) -> str:
    return _KO_SCHEMES.get(word) or _KO_SCHEMES.get(word.replace("번", "번 ").replace("  ", " ")) or word


def english(text: str) -> Iterator[Value]:
    """Codes of a folded text that an English word tells: type 2, 3rd floor, Q1."""
    if _QUICK_ENGLISH.search(text) is None:
        return
    for match in _EN_NAMED.finditer(text):
        scheme = _EN_SCHEMES.get(match["word"]) or _EN_SCHEMES.get(match["word"].rstrip("s")) or "number"
        yield _code(text, match.span(), scheme, _name(match["number"], scheme) + match["plus"])
    for match in _EN_ORDINAL.finditer(text):
        word = match["word"] or match["word2"]
        number = match["number"] or str(_ORDINALS[match["name"]])
        scheme = _EN_SCHEMES[word]
        yield _code(text, match.span(), "school_year" if scheme == "grade" else scheme, number)
    for match in _QUARTER.finditer(text):
        scheme = "quarter" if match["quarter"] else "half"
        yield _code(text, match.span(), scheme, match["quarter"] or match["half"])


def products(text: str, base: str) -> Iterator[Value]:
    """Codes of a folded text that are letters and digits, or a long number: R4, B12, 600519."""
    for match in _PRODUCT.finditer(text) if _QUICK_PRODUCT.search(text) else ():
        written = match.group()
        if _NO_PRODUCT.fullmatch(written) and not ("-" in written and base[match.start()].isupper()):
            continue
        letters = written[:2] if written.startswith("0x") else re.match("[0-9]*[a-z]+", written).group()  # type: ignore[union-attr]
        if len(letters) > 2 and "-" not in written and not base[match.start()].isupper():
            continue
        yield _code(text, match.span(), letters, written[len(letters) :].strip("-") or written)
    yield from _numbers(text, base)


def _numbers(text: str, base: str) -> Iterator[Value]:
    """Numbers that name something: of securities, calls, orders, and of the clauses of a contract."""
    for match in _SECURITY.finditer(text) if _QUICK_LONG.search(text) else ():
        yield _code(text, match.span(), "digits", match.group())
    for match in _CALLED.finditer(text):
        yield _code(text, match.span("number"), "digits", match["number"].replace("-", ""))
    for match in _PHONE.finditer(text) if _QUICK_PHONE.search(text) else ():
        digits = "".join(each for each in match.group() if each.isdigit())
        if len(digits) >= 7:
            yield _code(text, match.span(), "digits", digits)
    for match in _CLAUSE_MARK.finditer(text):
        following = base[match.end() : match.end() + 3].lstrip(". ")[:1]
        # A heading opens with a capital or in another script, an amount goes on with its unit.
        if following.islower() or match_unit(text, match.end() + 1):
            continue
        yield _code(text, match.span(), "article", match["number"])


def signs(text: str, base: str) -> Iterator[Value]:
    """Codes of a folded text that are signs: Greek letters, pluses, blood types."""
    if _QUICK_GREEK.search(text):
        for match in _GREEK_LONE.finditer(text):
            following = base[match.end() : match.end() + 1]
            # A mark upon the letter belongs to it.
            marked = bool(following) and unicodedata.combining(following) != 0
            yield _code(text, match.span(), "greek", match["letter"] + (following if marked else ""))
    if "+" in text or "±" in text or "(-)" in text:
        for match in _PLUS.finditer(text):
            yield _code(text, match.span(), "plus", match.group())
    if "型" in text or "형" in text or " blood" in text:
        for match in _BLOOD.finditer(text):
            rh = match["rh"] or {" positive": "+", " negative": "-"}.get(match["en"] or "", "")
            yield _code(text, match.span(), "blood", match["type"] + rh)
