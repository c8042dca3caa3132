"""Numbers as written, before units and context: digits, fractions, and numerals of three languages."""

import math
import re

from turnmark.language.later import later
from turnmark.language.quantity import numerals as nm
from turnmark.language.quantity.atom import Atom
from turnmark.language.quantity.english import AND_A_HALF, EN_SCALE, english_atoms
from turnmark.language.quantity.units import UNIT_FIRST_CHARACTERS

# Half the cost of the constructor, which counts in the innermost loops.
_atom = tuple.__new__

_ENDS_DIGITS = frozenset(("", *"%.,)-~:\n"))
_DIGITS = later(r"[0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)?")
_SCALE_WORDS = "十亿|百万|千万|万亿|万|亿|千(?![克米卡瓦])|百(?![分日])|백만|천만|만|천|억|조(?! ?[정])"
_SCALE = later(
    rf"(?P<more>[多余来几])?(?P<scale>{_SCALE_WORDS})"
    r"(?:(?P<rest>[0-9]+(?:\.[0-9]+)?)(?P<small>千(?![克米卡瓦])|百(?![分日])|천|백|万|만)?(?=$|[^0-9%/.]))?"
)
# One step of a Korean amount: 2천, 억, 5천만; after the first group a number without a scale ends it (1만5000원).
_KO_STEP = later(r"(?P<small>[천백십])?(?P<group>[만억]|조(?! ?[정항]))?")
_KO_MORE = later(
    r" ?(?P<digits>[0-9]{1,4}(?:,[0-9]{3})?)(?=[천백십만억]"
    r"|(?P<last> ?(?:원|달러|명|개|주|위안|엔|유로|$)))(?! ?[가-힣]*%)"
)
_KO_FACTORS = {"": 1.0, "십": 1e1, "백": 1e2, "천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12}
_KO_SCALES = frozenset("천백십만억조")
_MONEY_SCALE = later(r"(bn|mn|tn|[kmbt])(?![a-z])")
_SLASH = later(r"/([0-9]{1,2})(?![0-9/]|\.[0-9])")
_KO_OF = later(r" ?분의 ?([0-9]+|[일이삼사오육칠팔구십])(?![0-9])")

_LONGEST = 30
_ZH_RUN = later(f"[数{nm.ZH_NUMERAL_CHARACTERS}{''.join(nm.GLYPHS)}][{nm.ZH_NUMERAL_CHARACTERS}]*")
_ZH_POINT = later("点([零〇一二三四五六七八九]+)(?![成个点])")
_ZH_OF = later(rf"分之(?:([0-9]+(?:\.[0-9]+)?)|([{nm.ZH_NUMERAL_CHARACTERS}]+(?:点[零〇一二三四五六七八九]+)?))")
_ZH_WHOLE = later("百分百|百分之百")
_ZH_HALF = later("一半|半数|对半")
# What may follow a lone numeral that is a number: a unit, the rest of a range, a date. Most lone numerals are not.
_ZH_GOES_ON = UNIT_FIRST_CHARACTERS | frozenset("个多余来到至和与或~- 月日号点半*")
_ZH_POWERS = frozenset("十百千万亿")
# 下一个交易日, 这一年: an article, not a count.
_ZH_DEMONSTRATIVES = frozenset("下上另同任某这那每首")
_ENDS_IN_NUMBER = frozenset("指系倍总人基参函")
_ZH_OF_BASE = {"百": 100.0, "千": 1000.0, "万": 10000.0}

_KO_SINO = later(
    f"(?<![가-힣])(?:[{nm.KO_SINO_CHARACTERS}]*[만억] (?=[{nm.KO_SINO_CHARACTERS}]+ ?(?:원|명|개"
    f"|달러)))?[{nm.KO_SINO_CHARACTERS}]+(?:점[{''.join('영일이삼사오육칠팔구')}]+)?"
)
_KO_NATIVE = later(f"(?<![가-힣])(?!(?<=에 )한해){nm.KO_NATIVE}(?![가-힣]*점)")
_KO_HALF = later("절반|(?<![가-힣])반(?= ?(?:년|달|잔|컵|병|알|공기|그릇|개|시간|쪽|정|스푼|숟가락|토막|조각))")
_KO_DAY = later("(?<![가-힣])(?:" + "|".join(nm.KO_DAYS) + ")")
# What stands before the first syllable is asked after it, which is faster.
_KO_DAY_FIRST = frozenset(day[0] for day in nm.KO_DAYS)
_KO_FIRST = "".join(sorted({*nm.KO_SINO_CHARACTERS, *nm.KO_NATIVE_FIRST, *_KO_DAY_FIRST}))
_KO_OPENING = later(f"[{_KO_FIRST}](?<![가-힣][{_KO_FIRST}])")
_HANGUL = later("[가-힣]")

# What a number begins with, in any of the languages; a text without it is not read.
_ANY_NUMBER = later(f"[0-9数{nm.ZH_NUMERAL_CHARACTERS}{''.join(nm.GLYPHS)}가-힣]|[a-z]{{2}}")


def _grouped(text: str, base: str, start: int, end: int) -> int:
    """Return where digits with commas really end.

    600519，1480 is two numbers: grouping starts with one to three digits, and its commas are as wide as its digits.
    """
    comma = text.index(",", start, end)
    if comma - start > 3 or (base[comma] == ",") != base[start].isascii():
        return comma
    return end


def _digit_atoms(text: str, base: str) -> list[Atom]:
    atoms: list[Atom] = []
    skip_until = 0
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        # No amount has that many digits, and a float could not hold it.
        if start < skip_until or end - start > _LONGEST:
            continue
        written = match.group()
        if "," in written:
            end = _grouped(text, base, start, end)
            written = text[start:end].replace(",", "")
        value = float(written)
        if text[end : end + 1] in _ENDS_DIGITS:
            atoms.append(_atom(Atom, (start, end, value, value, False, "digits", False)))
            continue
        atom = _continued(text, start, end, value)
        skip_until = atom.end
        atoms.append(atom)
    return atoms


def _continued(text: str, start: int, end: int, value: float) -> Atom:
    """Read what may follow digits: a fraction, a scale, a multiple of a currency."""
    form, approximate = "digits", False
    following = text[end]
    if following == "/":
        slash = _SLASH.match(text, end)
        if (
            slash
            and 0 < value < int(slash[1]) <= 12
            and value.is_integer()
            and text[start - 1 : start] not in ("/", ".")
        ):
            value, end, form = value / int(slash[1]), slash.end(), "fraction"
    elif following in " 분" and value and (part := _KO_OF.match(text, end)):
        top = float(part[1]) if part[1].isdigit() else (nm.parse_ko_sino(part[1]) or nm.Numeral(1.0, 1.0)).low
        value, end, form = top / value, part.end(), "fraction"
    elif not following.isascii() or text[end + 1 : end + 2] in ("万", "亿"):
        # "50 万元": a space before the scale.
        end += following == " "
        end, value, form, approximate = _scaled(text, end, value)
    elif half := AND_A_HALF.match(text, end):
        value, end = value + 0.5, half.end()
        if scale := EN_SCALE.match(text, end):
            value, end = value * nm.EN_DIGIT_SCALES[scale[1]], scale.end()
    elif following in " tmbklc":
        if word := EN_SCALE.match(text, end):
            value, end = value * nm.EN_DIGIT_SCALES[word[1]], word.end()
        elif text[start - 1 : start] in ("$", "¥", "€", "£") and (money := _MONEY_SCALE.match(text, end)):
            value, end = value * nm.EN_DIGIT_SCALES[money[1]], money.end()
    return _atom(Atom, (start, end, value, value, approximate, form, False))


def _scaled(text: str, end: int, value: float) -> tuple[int, float, str, bool]:
    """Read the scale that follows digits: 30万, 3万5千, 3만 5천, 200多万."""
    scale = _SCALE.match(text, end)
    if scale is None:
        return end, value, "digits", False
    if text[end] in _KO_SCALES:
        total, end = _ko_scaled(text, end, value)
        return end, round(total, 6), "digits", False
    factor = nm.DIGIT_SCALES[scale["scale"]]
    total, end = value * factor, scale.end()
    if scale["rest"]:
        small = scale["small"]
        total += float(scale["rest"]) * (nm.DIGIT_SCALES[small] if small else factor / 10)
    return end, round(total, 6), "digits", bool(scale["more"])


def _ko_scaled(text: str, end: int, value: float) -> tuple[float, int]:
    """Value and end of a Korean amount whose first digits are read: 5천억, 1조 2천억, 1억2천만, 364만 8천."""
    total, section, digits, group = 0.0, 0.0, value, math.inf
    while True:
        step = _KO_STEP.match(text, end)
        small, scale = (step["small"], step["group"]) if step else (None, None)
        section += digits * _KO_FACTORS[small or ""]
        end += len(small or "")
        if scale is not None and _KO_FACTORS[scale] < group:
            group = _KO_FACTORS[scale]
            total, section, end = total + section * group, 0.0, end + 1
        more = _KO_MORE.match(text, end) if small or scale else None
        if more is None or float(more["digits"].replace(",", "")) >= group:
            return total + section, end
        digits, end = float(more["digits"].replace(",", "")), more.end("digits")
        if more["last"] is not None:
            return total + section + digits, end


def _zh_atoms(text: str) -> list[Atom]:
    """Read numerals in Chinese characters, and the fractions that are one character."""
    atoms: list[Atom] = []
    skip_until = 0
    for match in _ZH_RUN.finditer(text):
        start, end = match.span()
        if start < skip_until:
            continue
        run = match.group()
        if run[0] in nm.GLYPHS:
            value = nm.GLYPHS[run[0]]
            atoms.append(Atom(start, start + 1, value, value, False, "fraction", False))
            start, run = start + 1, run[1:]
        elif run[0] == "数":
            # Several: only before a power of ten, and not as the end of a word such as 指数.
            several = run[1:2] in _ZH_POWERS and text[start - 1 : start] not in _ENDS_IN_NUMBER
            start, run = (start, "几" + run[1:]) if several else (start + 1, run[1:])
        if not run:
            continue
        atom = _zh_share(text, run, start, end) or _zh_number(text, run, start, end)
        if atom is not None:
            atoms.append(atom)
            skip_until = atom.end
    return atoms


def _zh_share(text: str, run: str, start: int, end: int) -> Atom | None:
    """Read a fraction: 百分之二十, 三分之一, 百分百, 一半."""
    if text[end : end + 1] == "分":
        if run in _ZH_OF_BASE and (whole := _ZH_WHOLE.match(text, start)):
            return Atom(start, whole.end(), 1.0, 1.0, False, "fraction", False)
        part = _ZH_OF.match(text, end)
        return _zh_fraction(run, part, start) if part else None
    half = _ZH_HALF.match(text, end - 2 if run.endswith("一半") else start)
    return Atom(half.start(), half.end(), 0.5, 0.5, False, "fraction", False) if half else None


def _is_no_count(numeral: str, before: str, following: str) -> bool:
    """Tell a lone numeral that counts nothing, as most 一 do."""
    if numeral == "一" and before in _ZH_DEMONSTRATIVES:
        return following not in ("成", "倍", "半")
    return following not in _ZH_GOES_ON and before not in ("到", "至")


def _zh_number(text: str, run: str, start: int, end: int) -> Atom | None:
    following = text[end : end + 1]
    if following == "点" and (point := _ZH_POINT.match(text, end)):
        run, end = text[start : point.end()], point.end()
    elif len(run) == 1 and _is_no_count(run, text[start - 1 : start], following):
        return None
    parsed = nm.parse_zh(run)
    if parsed is None:
        return None
    # A long numeral with a group, as one wan five, stands without a unit.
    stands = len(run) > 1 and run[0] not in "几百万千亿" and ("万" in run or "亿" in run)
    return Atom(start, end, parsed.low, parsed.high, parsed.approximate, "words", not stands)


def _zh_fraction(run: str, part: re.Match[str], start: int) -> Atom | None:
    denominator = _ZH_OF_BASE.get(run)
    if denominator is None:
        parsed = nm.parse_zh(run)
        denominator = parsed.low if parsed and parsed.low > 1 else None
    if denominator is None:
        return None
    end = part.end()
    if part[1]:
        low = high = float(part[1])
    else:
        words = part[2]
        numerator = nm.parse_zh(words)
        if numerator is None:
            return None
        low, high = numerator.low, numerator.high
    return Atom(start, end, low / denominator, high / denominator, low != high, "fraction", False)


def _ko_atoms(text: str) -> list[Atom]:
    atoms: list[Atom] = []
    # All but 절반 open a word, and hold no space: each is looked for where its first syllable opens one.
    for opening in _KO_OPENING.finditer(text):
        start, syllable = opening.start(), opening.group()
        if syllable in nm.KO_SINO_CHARACTERS and (sino := _ko_sino(text, start)):
            atoms.append(sino)
        if syllable in nm.KO_NATIVE_FIRST and (match := _KO_NATIVE.match(text, start)):
            parsed = nm.parse_ko_native(match.group())
            if parsed is not None:
                stands = parsed.low >= 20 and parsed.low % 10 != 0
                atoms.append(Atom(*match.span(), parsed.low, parsed.high, parsed.approximate, "native", not stands))
        if syllable in _KO_DAY_FIRST and (match := _KO_DAY.match(text, start)):
            days = float(nm.KO_DAYS[match.group()])
            atoms.append(Atom(*match.span(), days, days, False, "days", False))
    for match in _KO_HALF.finditer(text) if "반" in text else ():
        whole = match.group() == "절반"
        atoms.append(Atom(*match.span(), 0.5, 0.5, False, "fraction" if whole else "native", not whole))
    return atoms


def _ko_sino(text: str, start: int) -> Atom | None:
    match = _KO_SINO.match(text, start)
    parsed = nm.parse_ko_sino(match.group().replace(" ", "")) if match else None
    if match is None or parsed is None:
        return None
    part = _KO_OF.match(text, match.end())
    if part and parsed.low > 1:
        top = float(part[1]) if part[1].isdigit() else (nm.parse_ko_sino(part[1]) or parsed).low
        value = top / parsed.low
        return Atom(start, part.end(), value, value, False, "fraction", False)
    return Atom(*match.span(), parsed.low, parsed.high, False, "sino", True)


def find_atoms(text: str, base: str) -> list[Atom]:
    """Return the numbers of a folded text in order, without overlap.

    Args:
        text: Folded text.
        base: Unfolded text of the same length; tells full-width commas from thousands separators.

    """
    if _ANY_NUMBER.search(text) is None:
        return []
    atoms = _digit_atoms(text, base)
    digits = len(atoms)
    if not text.isascii():
        atoms += _zh_atoms(text)
        if _HANGUL.search(text):
            atoms += _ko_atoms(text)
    atoms += english_atoms(text)
    if len(atoms) > digits:
        atoms.sort(key=lambda atom: (atom.start, -atom.end))
    kept: list[Atom] = []
    end = 0
    for atom in atoms:
        if atom.start < end:
            continue
        if atom.form == "fraction" and kept and _is_mixed(text, kept[-1], atom):
            # 2 1/2 cups
            value = kept[-1].low + atom.low
            kept[-1] = Atom(kept[-1].start, atom.end, value, value, False, "digits", False)
        else:
            kept.append(atom)
        end = atom.end
    return kept


def _is_mixed(text: str, whole: Atom, part: Atom) -> bool:
    gap = text[whole.end : part.start]
    return whole.form == "digits" and gap in ("", " ") and whole.low.is_integer() and text[part.start] in "123½¼¾⅓⅔"
