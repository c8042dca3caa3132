"""Masking of personal data on pages: phone, ID, card and account numbers, e-mail addresses, and names after a cue.

What is found is replaced by as many ``█``, so that the offsets of evidence hold. Only pages are masked; the files of
the run keep their texts. A name that a cue shows once is masked wherever the dialogue has it.

The patterns are our own. Libraries that were looked at, as packed on the package index: phonenumbers 9.0 (2.6 MB) knows
phone numbers only and needs a country to be guessed for national forms, which three short patterns do as well for the
three countries; presidio-analyzer 2.2 (0.3 MB) has recognisers of Korean numbers and none of Chinese ones, and reads
names with a spaCy model that is downloaded apart (``en_core_web_lg`` unless told otherwise); scrubadub 2.0 (65 kB) and
datafog 4.9 (83 kB) know numbers of the United States and of Britain or Germany, none of China or Korea.
None serves all of zh, ko and en.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from turnmark.language.later import later
from turnmark.report.view.data import Fault, TurnView
from turnmark.report.view.quoted.highlight import fits
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.marks import Mark
from turnmark.schemas.reasons import Reason
from turnmark.schemas.trace import DialogTrace

MASK = "█"

_WIDE = str.maketrans("０１２３４５６７８９＠－＋Ｘｘ", "0123456789@-+Xx")
_DASH = r"[-‐‑–\u00a0 ]"
_MONTH_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_NO_AMOUNT = r"(?!\d|\s*(?:元|万|亿|块|股|份|원|만|억))"
_NUMBERS = later(
    "|".join(
        f"(?:{pattern})"
        for pattern in (
            # e-mail: a long word is read once, from its beginning; what stands behind another address, by 64 characters
            r"(?:(?<![\w.+%-])[\w.+%-]+|[\w.+%-]{1,64})@[\w-]+(?:\.[\w-]+)+",
            rf"(?<!\d)\d{{6}}(?:18|19|20)\d{{2}}{_MONTH_DAY}\d{{3}}[\dXx](?!\d)",  # mainland ID number
            rf"(?<!\d)\d{{2}}{_MONTH_DAY}{_DASH}?[1-8]\d{{6}}(?!\d)",  # Korean resident registration number
            rf"(?<![\d-])\d{{3}}{_DASH}\d{{2}}{_DASH}\d{{4}}(?![\d-])",  # US social security number
            # cards of 16 to 19 digits, which four years in a row are not
            rf"(?<!\d)(?!(?:(?:19|20)\d\d{_DASH}?){{4}})\d{{4}}(?:{_DASH}?\d{{4}}){{3}}(?:{_DASH}?\d{{1,3}})?(?!\d)",
            rf"(?<!\d)3\d{{3}}{_DASH}?\d{{6}}{_DASH}?\d{{5}}{_NO_AMOUNT}",  # cards of 15 digits
            rf"(?<![\d+])(?:[+]?86{_DASH}?)?1[3-9]\d{_DASH}?\d{{4}}{_DASH}?\d{{4}}{_NO_AMOUNT}",  # mainland mobile
            rf"(?<!\d)0\d{{2,3}}{_DASH}\d{{7,8}}(?!\d)",  # mainland landline
            rf"(?<![\d+])(?:[+]?82{_DASH}?1|01)[016789]{_DASH}?\d{{3,4}}{_DASH}?\d{{4}}(?!\d)",  # Korean mobile
            rf"(?<!\d)0\d{{1,2}}{_DASH}\d{{3,4}}{_DASH}\d{{4}}(?!\d)",  # Korean landline
            rf"(?<![\d+])(?:[+]?1{_DASH})?(?:\(\d{{3}}\) ?|\d{{3}}[-. ])\d{{3}}[-. ]\d{{4}}(?!\d)",  # North America
            rf"[+]\d{{1,3}}{_DASH}\d{{1,5}}(?:{_DASH}?\d{{2,5}}){{1,4}}(?!\d)",  # other countries
        )
    )
)
_NUMBER_AFTER_CUE = later(
    r"(?:账号|帐号|账户|卡号|身份证号?码?|护照号?码?|手机号?码?|电话号?码?|계좌(?: ?번호)?|카드 ?번호|"
    r"주민(?:등록)? ?번호|여권 ?번호|전화(?: ?번호)?|연락처|account(?: (?:no\.?|number))?|acct\.?|card(?: number)?|"
    r"passport(?: (?:no\.?|number))?|ssn|phone)(?:是|为|는|은|이|가| is)?\s*(?:[:：#]\s*)?"
    rf"((?:[A-Za-z]{{1,2}})?\d(?:[-–－ ]?[\dXx]){{5,24}}+)(?![%％]){_NO_AMOUNT}",
    re.IGNORECASE,
)

_CHINESE_SURNAME = (
    "(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|"
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆"
    "汪范金石廖贾夏韦付傅方白邹孟熊秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "張劉陳楊黃趙吳孫馬鄭謝許韓馮鄧蔣葉蘇魏呂盧鍾譚陸範賈韋鄒閆閻龍陶賀顧龔萬錢嚴湯])"
)
_HAN = "[\u4e00-\u9fff]"
_NOT_GIVEN = "(?![是想要的在今年岁也就很有])"
_KOREAN_SURNAME = (
    "[김이박최정강조윤장임한오서신권황안송류전홍유고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설"
    "마길연위표명기반라나모]"
)
_NAMES = (
    later(
        "(?:姓名|户名|戶名|联系人|聯絡人|收件人|持卡人|开户人|客户名称)\\s*(?:是|为|[:：])\\s*"
        f"({_CHINESE_SURNAME}(?:{_NOT_GIVEN}{_HAN}){{1,2}})"
    ),
    later(
        f"(?:我叫|我名叫|我的名字(?:是|叫)|本人叫|我是)\\s*({_CHINESE_SURNAME}(?:{_NOT_GIVEN}{_HAN}){{1,2}})"
        r"(?=$|[\s，。,.！!；;、：:）)]|今年|想|是|的|在|要)"
    ),
    later(f"(?<![基由对])({_CHINESE_SURNAME}{_HAN}{{0,2}}?)(?=先生|女士|小姐|太太)"),
    later(
        rf"(?:이름은|성함은|제 이름이|성명은?|예금주)\s*(?:[:：]\s*)?({_KOREAN_SURNAME}[가-힣]{{1,3}}?)"
        r"(?=이에요|이고|이라|입니다|이며|이야|예요|라고|[\s,.·)]|$)"
    ),
    later(rf"(?<![가-힣])({_KOREAN_SURNAME}[가-힣]{{1,2}})(?= ?씨(?:[\s,.는은이가를와과께의]|$))"),
    later(
        r"(?i:\bmy name(?: is|['’]s)|\bname\s*[:：]|\baccount holder(?:\s*[:：])?)\s*"
        r"([A-Z][\w'’-]+(?:[ \u00a0][A-Z][\w'’-]+){0,2})"
    ),
    later(r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr)\b\.?\s*([A-Z][\w'’-]+(?:[ \u00a0][A-Z][\w'’-]+)?)"),
)
_SHORTEST_NAME = 2


def names_in(texts: Sequence[str]) -> tuple[str, ...]:
    """Names that cues show, longest first; a surname alone is masked only where its honorific stands."""
    results = {match[1] for text in texts for pattern in _NAMES for match in pattern.finditer(text)}
    return tuple(sorted((name for name in results if len(name) >= _SHORTEST_NAME), key=lambda name: (-len(name), name)))


def masked(text: str, names: Collection[str] = ()) -> str:
    """The text with everything that was found masked, of the same length."""
    plain = text.translate(_WIDE)
    spans = [match.span() for match in _NUMBERS.finditer(plain)]
    spans += [match.span(1) for pattern in (_NUMBER_AFTER_CUE, *_NAMES) for match in pattern.finditer(plain)]
    for name in names:
        edge = r"(?<![A-Za-z]){}(?![A-Za-z])" if name.isascii() else "{}"
        spans += [match.span() for match in re.finditer(edge.format(re.escape(name)), text)]
    if not spans:
        return text
    shown = list(text)
    for start, end in spans:
        shown[start:end] = [character if character.isspace() else MASK for character in text[start:end]]
    return "".join(shown)


def masked_views(views: Sequence[TurnView], dialog: DialogTrace | None) -> list[TurnView]:
    """Turns of one dialogue with their texts, evidence and reasons masked."""
    texts = [text for view in views for text in (view.user_text, view.reply)]
    for turn in (dialog.turns if dialog else None) or ():
        texts += [turn.user_text, turn.pred_assistant_text or "", turn.gt_assistant_text or ""]
        texts += [item.content for item in (turn.recall.items if turn.recall else None) or ()]
    names = names_in(texts)
    return [_masked_view(view, names) for view in views]


def _masked_view(view: TurnView, names: Sequence[str]) -> TurnView:
    reply, user = masked(view.reply, names), masked(view.user_text, names)
    return view._replace(
        user_text=user,
        reply=reply,
        error=masked(view.error, names),
        contexts=[masked(text, names) for text in view.contexts],
        reference=masked(view.reference, names),
        row=_masked_row(view.row, names),
        evidence=[_masked_piece(piece, view, (reply, user), names) for piece in view.evidence],
        possible=[_masked_piece(piece, view, (reply, user), names) for piece in view.possible],
        reasons=[_masked_fault(fault, names) for fault in view.reasons],
    )


def masked_reason(reason: Reason, names: Collection[str] = ()) -> Reason:
    """The reason with its parts masked."""
    return Reason(reason.code, {name: masked(part, names) for name, part in reason.parts.items()})


def _masked_fault(fault: Fault, names: Sequence[str]) -> Fault:
    return Fault(
        fault.kind,
        tuple(masked(detail, names) for detail in fault.details),
        tuple((name, masked_reason(why, names)) for name, why in fault.failures),
    )


def _masked_mark(mark: Mark, names: Sequence[str]) -> Mark:
    """Messages of errors may quote what was said."""
    if mark.failed is None:
        return mark
    reason = None if mark.reason is None else masked_reason(mark.reason, names)
    return msgspec.structs.replace(mark, failed=masked(mark.failed, names), reason=reason)


def _masked_row(row: Row, names: Sequence[str]) -> Row:
    result = row.masked(lambda text: masked(text, names))
    for name, mark in result.marks.items():
        result.marks[name] = _masked_mark(mark, names)
    return result


def _masked_piece(piece: Evidence, view: TurnView, shown: tuple[str, str], names: Sequence[str]) -> Evidence:
    """A quote is cut from the masked text, where a cue before it is seen, too."""
    quote = masked(piece.quote, names)
    for source, text, hidden in (("reply", view.reply, shown[0]), ("user", view.user_text, shown[1])):
        if piece.source == source and fits(piece, text):
            quote = hidden[piece.start : piece.end]
    return msgspec.structs.replace(
        piece,
        quote=quote,
        label=masked(piece.label, names),
        source_quote=masked(piece.source_quote, names) if piece.source_quote else piece.source_quote,
        note=masked(piece.note, names) if piece.note else piece.note,
    )
