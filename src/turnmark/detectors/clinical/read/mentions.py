"""Mentions of medicines, conditions, ages and sexes in one answer, with their spans and doses."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.doses import alternation, doses_of
from turnmark.detectors.clinical.read.record import stage_in
from turnmark.detectors.clinical.read.terms import Term
from turnmark.detectors.clinical.read.vocabulary import Named
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.values.value import Value
from turnmark.packs.clinical_facts import mention_words, words


class Mention(NamedTuple):
    """One clinical mention; all offsets are folded.

    Attributes:
        kind: "medication", "condition", "lab", "vital", "age", "sex", or the slot that tells it.
        start: First code point.
        end: End of the span, dose, stage or value included.
        terms: What the name may stand for; empty for ages.
        quantities: Dose, age or value: one number, or the two of a blood pressure.
        stage: Stage of a disease, or None.
        decade: "early", "mid", "late" part of a decade of age, or "".
        named_at: Span of the name alone; equals the whole span when nothing else was joined.
        general: True for a sex that is said of people in general (women over 50, 여성은 보통).
        date: What a date says.
        absent: True when the words themselves say that the patient does not have it: your kidneys are healthy.

    """

    kind: str
    start: int
    end: int
    terms: tuple[Term, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    stage: int | None = None
    decade: str = ""
    named_at: tuple[int, int] = (0, 0)
    general: bool = False
    date: Value | None = None
    absent: bool = False


_AGE_UNITS = frozenset(("year_old",))
_AGES = (0, 200)

_ADULT = (18, 110)
_BEFORE_SEX = later("[ ,/(]{0,3}")
_SHORT_BEFORE = later("(?:^|[^a-z가-힣])(남|여|m|f)[/·,] ?$")
_GENERAL_DECADE = later(
    "(?:에도|에는|에선| ?분들|부터|까지|이상|이후|가 되면|라고| ?어르신들| ?노인| ?환자들| ?환자 ?대부분)"
)
_STOP = later("[.;。!?\n]")
_AT_AGE = later(r"(?:^|[\s(])at $")
_AFTER_AT = later(
    r"[.,;)]|$| (?:your?|and (?:fe)?male|is|was|it|the|a|this|that|we|with|bone|muscle|most|many|every|some)\b"
)
# A bare number with an honorific copula is an age: 일흔둘이시면, 58이시니.
_HONORIFIC = later("이(?:시|신|세요|십)|이?라는 나이|이 (?:되[신셨시]|넘[으은])|을 (?:넘[기으]|바라보)")
_LABELLED_SEX = later(
    "(?:성별|性别|sex|gender) ?: ?(?:(?P<male>남|男|m)|(?P<female>여|女|f))(?![a-z가-힣\u4e00-\u9fff])"
)
_MID = later(r"(?P<part>early|mid|middle|late)[- ]*$")
_KO_PART = later(r" ?(?P<part>초반|초|중반|중|후반|후)(?=[^가-힣]|의|이|인|여|남|에|으로|로|$)")
_PARTS = {"초반": "early", "초": "early", "중반": "mid", "중": "mid", "후반": "late", "후": "late", "middle": "mid"}
_WRITTEN_DECADE = later(r"(?P<part>early|mid|late)-(?P<decade>[2-9]0)s\b")
_KO_TENS = {"서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90}
# A whole ten in Korean without its unit, told by what is said of it: 예순이 되신, 일흔을 넘기신.
_TENS_OF_AGE = later(
    rf"(?P<tens>{'|'.join(_KO_TENS)})"
    "(?:(?P<over>이? ?넘|을 넘|을 훌쩍)|(?:이|에) ?(?:되|된|이르|접어|가까)|이(?:시|신|세|십))"
)
_ZH_TENS = {"二": 20, "三": 30, "四": 40, "五": 50, "六": 60, "七": 70, "八": 80, "九": 90}
# 四十出头, 六十开外: a decade, or its beginning, without 岁.
_ZH_PART_OF_DECADE = later("(?P<tens>[二三四五六七八九])十(?:(?P<early>出头|岁出头)|开外|好几|来岁)")
_OF_AGE = later(r" ?(?:year-old|years? old|y/?o\b|years? of age)")
_BEHIND_NAME = 20


@cache
def _of_people() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^a-z])(?:{alternation(mention_words().general_age_before)}) $")


@cache
def _people_behind() -> re.Pattern[str]:
    return re.compile(alternation(mention_words().general_age_behind))


@cache
def _of_patient() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^a-z])(?:{alternation(mention_words().age_before)}) ?$")


@cache
def _dosage_form() -> re.Pattern[str]:
    return re.compile(rf"[ -]?(?:{alternation(mention_words().dosage_forms)})(?![a-z가-힣])")


@cache
def _short_sexes() -> re.Pattern[str]:
    mentions = mention_words()
    male, female = alternation(mentions.short_male), alternation(mentions.short_female)
    return re.compile(rf"[ /(,]{{0,2}}(?:(?P<male>{male})|(?P<female>{female}))(?![a-z가-힣])")


@cache
def _aged_sexes() -> re.Pattern[str]:
    """Return the words for a person that tell the sex right behind an age."""
    mentions = mention_words()
    male, female = alternation(mentions.aged_male), alternation(mentions.aged_female)
    return re.compile(rf"(?:이?신|의|인|的|-old)?[ ,]{{0,2}}(?:(?P<male>{male})|(?P<female>{female}))(?![a-z])")


def medication_mentions(text: str, names: list[Named], found: list[Quantity]) -> list[Mention]:
    """Return the medicines named, each with its dose where one is written beside it.

    Args:
        text: Folded text.
        names: Names of medicines, in order.
        found: Amounts of the text, in order.

    """
    mentions: list[Mention] = []
    doses = doses_of(text, names, found)
    starts = [named.start for named in names]
    for named in names:
        if _is_lab(text, named):
            continue
        start, end = named.start, named.end
        form = _dosage_form().match(text, end)
        if form:
            end = form.end()
        dose = doses.get(named.start)
        behind = bisect_left(starts, named.end)
        # Over another name the span would say more than is meant: lisinopril and metformin, 10 mg and 500 mg.
        if dose and not (behind < len(starts) and starts[behind] < dose.start):
            start, end = min(start, dose.start), max(end, dose.end)
        mentions.append(
            Mention(
                "medication",
                start,
                end,
                named.terms,
                (dose,) if dose else (),
                named_at=(named.start, named.end),
            )
        )
    return mentions


@cache
def _measured() -> tuple[tuple[str, ...], re.Pattern[str]]:
    mentions = mention_words()
    return tuple(words(mentions.also_measured)), re.compile(f" ?(?:{alternation(mentions.measured_behind)})")


def _is_lab(text: str, named: Named) -> bool:
    """Tell a vitamin or mineral that is measured (비타민 D 수치) from one that is taken."""
    prefixes, behind = _measured()
    return min(named.terms[0].ids).startswith(prefixes) and behind.match(text, named.end) is not None


_STOPS = re.compile(r"[.。;\n!?]")


def condition_mentions(text: str, names: list[Named]) -> list[Mention]:
    """Return the conditions named, each with its stage where one is written beside it."""
    mentions: list[Mention] = []
    for start, end, terms in names:
        # A name that tells its stage (CKD stage 3) has no other behind it, nor does one of the next sentence.
        stage = stage_in(text, start, end)
        if stage is None and text[end : end + 1]:
            stopped = _STOPS.search(text, end, end + 12)
            stage = stage_in(text, end, stopped.start() if stopped else end + 12)
        if stage is None:
            stage = stage_in(text, max(0, start - 10), start)
        mentions.append(Mention("condition", start, end, terms, (), stage, named_at=(start, end)))
    return mentions


def age_mentions(
    text: str, sexes: list[Named], measures: list[Named], found: list[Quantity], *, asked: bool = False
) -> list[Mention]:
    """Return the ages: with a unit, as decades, in "at 77, your …", or as a bare number before a sex.

    Args:
        text: Folded text.
        sexes: Names of sexes, in order.
        measures: Names of labs and vitals, in order.
        found: Amounts of the text, in order.
        asked: True when the question asks for the age; then a number that opens the answer is one.

    """
    sex_starts = {named.start for named in sexes}
    mentions: list[Mention] = []
    for quantity in found:
        start, end = quantity.start, quantity.end
        decade, general = "", False
        if quantity.form == "decade":
            if not (
                quantity.unit == "year_old" or _is_age_decade(text, quantity, sex_starts, _follows(measures, start))
            ):
                continue
            general = _GENERAL_DECADE.match(text, end) is not None
            part = _KO_PART.match(text, end) or _MID.search(text, max(0, start - 8), start)
            if part:
                decade = _PARTS.get(part["part"], part["part"])
                start, end = min(start, part.start()), max(end, part.end())
        elif quantity.unit not in _AGE_UNITS and not (
            _is_adult(quantity) and (_is_bare_age(text, quantity, sex_starts, measures) or (asked and start <= 1))
        ):
            continue
        if _AGES[0] <= quantity.low <= _AGES[1]:
            general = (
                general
                or _of_people().search(text, max(0, start - 24), start) is not None
                or _people_behind().match(text, end) is not None
            )
            mentions.append(
                Mention("age", start, end, (), (quantity,), decade=decade, named_at=(start, end), general=general)
            )
    return _ages_without_units(text, mentions)


def _ages_without_units(text: str, mentions: list[Mention]) -> list[Mention]:
    """Return the ages found, and those that are told by their words alone: 예순이 되신, 四十出头, mid-60s."""
    for match in _TENS_OF_AGE.finditer(text):
        if "가" <= text[match.start() - 1 : match.start()] <= "힣":
            continue
        low = float(_KO_TENS[match["tens"]])
        high, form = (low + 9, "decade") if match["over"] else (low, "words")
        quantity = Quantity(*match.span("tens"), low, high, "year_old", "", False, "amount", form)
        mentions.append(Mention("age", *match.span("tens"), (), (quantity,), named_at=match.span("tens")))
    for match in _ZH_PART_OF_DECADE.finditer(text) if "十" in text else ():
        low = float(_ZH_TENS[match["tens"]])
        quantity = Quantity(*match.span(), low, low + 9, "year_old", "", True, "amount", "decade")
        mentions = [mention for mention in mentions if mention.end <= match.start() or match.end() <= mention.start]
        early = "early" if match["early"] else ""
        mentions.append(Mention("age", *match.span(), (), (quantity,), decade=early, named_at=match.span()))
    for match in _WRITTEN_DECADE.finditer(text) if "0s" in text else ():
        low = float(match["decade"])
        quantity = Quantity(*match.span(), low, low + 9, "year_old", "", True, "amount", "decade")
        mentions.append(Mention("age", *match.span(), (), (quantity,), decade=match["part"], named_at=match.span()))
    return mentions


def _follows(measures: list[Named], start: int) -> bool:
    """Tell whether the name of a lab or vital stands close before an offset."""
    return any(0 <= start - named.end <= _BEHIND_NAME for named in measures)


def _is_age_decade(text: str, quantity: Quantity, sexes: set[int], measured: bool) -> bool:
    """Tell 60대 as an age from 120대 as a value: it stands before a sex, or ends in a word of age."""
    if not 10 <= quantity.low <= 90:
        return False
    part = _KO_PART.match(text, quantity.end)
    end = part.end() if part else quantity.end
    following = text[end : end + 4].lstrip()
    beside_sex = any(position in sexes for position in (end, end + 1, end + 2))
    general = quantity.low >= 20 and _GENERAL_DECADE.match(text, quantity.end) is not None
    # 50대 후반으로: of a value only with its name before it.
    parted = part is not None and quantity.low >= 20 and not measured and text.startswith(("으로", "이라"), end)
    return (
        beside_sex
        or general
        or parted
        or following.startswith(("이시", "이신", "환자", "어르", "인 ", "이고", "이며", "이세", "분"))
    )


def _is_adult(quantity: Quantity) -> bool:
    """Tell a whole number without a unit that may be the age of a grown-up."""
    return not quantity.unit and _ADULT[0] <= quantity.low <= _ADULT[1] and quantity.low.is_integer()


def _is_bare_age(text: str, quantity: Quantity, sexes: set[int], measures: list[Named]) -> bool:
    """Tell a number that may be an age from others; close behind a lab or vital, "at 66" is a value."""
    start, end = quantity.start, quantity.end
    gap = _BEFORE_SEX.match(text, end)
    before = max(0, start - 24)
    if (
        (gap and gap.end() in sexes)
        or _of_people().search(text, before, start)
        or _of_patient().search(text, before, start)
        or _SHORT_BEFORE.search(text, before, start)
    ):
        return True
    if any(0 <= start - named.end <= 30 and not _STOP.search(text, named.end, start) for named in measures):
        return False
    if any(pattern.match(text, end) for pattern in (_HONORIFIC, _OF_AGE, _short_sexes())):
        return True
    return _AT_AGE.search(text, max(0, start - 4), start) is not None and _AFTER_AT.match(text, end) is not None


@cache
def _general_sex() -> tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]:
    """Return plural words, and what stands before and behind a sex that is said of people in general."""
    mentions = mention_words()
    return (
        frozenset(words(mentions.general_sex)),
        re.compile(rf"(?:^|[^a-z])(?:{alternation(mentions.general_sex_before)}) ?$"),
        re.compile(rf" ?(?:{alternation(mentions.general_sex_behind)})(?![a-z])"),
    )


def _is_general(text: str, start: int, end: int, ages: list[Mention]) -> bool:
    """Tell whether a sex is said of people in general; beside an age it is somebody's."""
    plural, before, behind = _general_sex()
    if text[start:end] in plural or text[start : end + 1] in plural:
        return True
    if any(0 <= start - age.end <= 3 or 0 <= age.start - end <= 3 for age in ages):
        return False
    return before.search(text, max(0, start - 16), start) is not None or behind.match(text, end) is not None


def _sex_mention(sex: str, match: re.Match[str], group: int | str = "") -> Mention:
    """Return the sex that a group of a match states; by default the group of its name."""
    span = match.span(group or sex)
    return Mention("sex", *span, (Term("sex", frozenset((sex,)), frozenset(), sex),), named_at=span)


def sex_mentions(text: str, names: list[Named], ages: list[Mention]) -> list[Mention]:
    """Return the sexes named; single letters and characters count only beside an age."""
    mentions: list[Mention] = []
    for named in names:
        alone = named.end - named.start == 1
        if alone and not any(0 <= named.start - age.end <= 2 or 0 <= age.start - named.end <= 2 for age in ages):
            continue
        span = (named.start, named.end)
        general = _is_general(text, *span, ages)
        mentions.append(Mention("sex", *span, named.terms, named_at=span, general=general))
    labelled = _LABELLED_SEX.finditer(text) if ":" in text else ()
    mentions += [_sex_mention("male" if match["male"] else "female", match) for match in labelled]
    for age in ages:
        short = _short_sexes().match(text, age.end) or _aged_sexes().match(text, age.end)
        ahead = _SHORT_BEFORE.search(text, max(0, age.start - 4), age.start)
        if ahead:
            sex = "male" if ahead[1] in words(mention_words().short_male) else "female"
            mentions.append(_sex_mention(sex, ahead, 1))
        elif short:
            mentions.append(_sex_mention("male" if short["male"] else "female", short))
    return mentions
