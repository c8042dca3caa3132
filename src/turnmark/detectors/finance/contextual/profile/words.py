"""Profile values as snapshots and ground truths spell them, brought to one form.

Levels become ``low``, ``medium``, ``high``; horizons ``short``, ``medium``, ``long``. A constraint becomes its
canonical Chinese string with its number (``max_acceptable_loss: 0.1``, 回撤不超过一成 and "max drawdown 10%" are
最大回撤<10%), a preference the name of its asset class (沪深300ETF is 宽基指数基金). What no pack knows
stays itself, without the words that forbid it (不投黄金 and 黄金 are the same among forbidden things).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from turnmark.language.analysis import analyse
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.fold import fold_text
from turnmark.language.values import read_values
from turnmark.packs.profile import LevelField, ProfilePack

RISK_CODES: Mapping[str, str] = {"保守": "low", "稳健": "medium", "进取": "high"}
HORIZON_CODES: Mapping[str, str] = {"<=6月": "short", "6-24月": "medium", "2年以上": "long"}
LIQUIDITY_CODES: Mapping[str, str] = {"低": "low", "中": "medium", "高": "high"}
NO_CONSTRAINT = "none"

_SILENT = frozenset(
    ("", "unknown", "none", "null", "nil", "n/a", "na", "-", "unspecified", "undefined", "notset", "未知", "不明",
     "不详", "未提供", "未明确", "未说明", "待定", "无", "모름", "미상", "없음")
)  # fmt: skip
_MONTHS = {"year": 12.0, "month": 1.0, "week": 12 / 52, "day": 12 / 365}
_AMOUNTS = frozenset(("number", "quantity", "duration"))
_SHORT, _MEDIUM = 6.0, 24.0
_SUFFIX = re.compile(r"(?:类|相关|型)?(?:产品|资产|品种|投资|交易|标的|市场|板块|상품|투자)$")
_MEMBER_TAIL = re.compile(r"(?:etf|指数|基金|联接|增强|lof|fund|펀드|[ \-])*")


class ProfileWords:
    """The vocabularies of all languages together, for values that stand alone.

    Args:
        packs: Profile packs; where two know a spelling, the earlier one decides.

    """

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        self._risk = _spellings((pack.risk for pack in packs), RISK_CODES)
        self._liquidity = _spellings((pack.liquidity for pack in packs), LIQUIDITY_CODES)
        self._horizon = {
            key(word): HORIZON_CODES[value]
            for pack in reversed(packs)
            for value, words in pack.horizon.words.items()
            for word in (value, *words)
        }
        self._kinds = [
            (name, kind.form, words_of(kind.words)) for pack in packs for name, kind in pack.canonical.items()
        ]
        self._against = words_of([word for pack in packs for word in pack.attribution.against])
        names: dict[str, str] = {}
        members: dict[str, str] = {}
        self._topics: dict[str, str] = {}
        for pack in reversed(packs):
            self._topics |= {key(word): topic for topic, words in pack.topics.items() for word in (topic, *words)}
            for family, known in pack.families.items():
                names |= {key(word): family for word in (family, *known.names)}
                members |= {key(word): family for word in known.members}
        self._names = sorted(names.items(), key=lambda item: (-len(item[0]), item[0]))
        self._members = sorted(members.items(), key=lambda item: (-len(item[0]), item[0]))

    def risk(self, text: str | None) -> str | None:
        """``low``, ``medium`` or ``high``; None when the text is silent or not understood."""
        return _level(text, self._risk)

    def liquidity(self, text: str | None) -> str | None:
        """``low``, ``medium`` or ``high`` need for liquidity, or None."""
        return _level(text, self._liquidity)

    def horizon(self, text: str | None) -> str | None:
        """``short`` (up to 6 months), ``medium`` (up to 24) or ``long``; from a name or a stretch of time (1년 반)."""
        if silent(text) or text is None:
            return None
        known = self._horizon.get(key(text))
        if known:
            return known
        for quantity in analyse(text).quantities:
            result = horizon_of(quantity)
            if result:
                return result
        folded = key(text)
        return next((code for word, code in _longest(self._horizon) if len(word) > 1 and word in folded), None)

    def constraint(self, text: str | None) -> str | None:
        """The canonical constraint, also for the bare name of a forbidden thing; None when there is none."""
        if silent(text) or text is None:
            return None
        folded = fold_text(text)
        for name, form, words in self._kinds:
            if words.search(folded):
                if name == NO_CONSTRAINT:
                    return None
                number = _number(text, form)
                if number is not None or "{}" not in form:
                    return with_number(form, number)
        rest = folded.strip()
        while match := self._against.match(rest):
            rest = rest[match.end() :].strip()
        rest = _SUFFIX.sub("", rest) if len(_SUFFIX.sub("", rest)) > 1 else rest
        return key(rest) or key(text)

    def loss_limit(self, value: object) -> str | None:
        """The constraint behind a maximal acceptable loss, written as 0.1, 10, "10%" or 一成."""
        number, unit = _stated(value)
        if not 0 < number <= 100:
            return None
        percent = number * 100 if number < 1 and unit != "percent" else number
        form = next(form for name, form, _ in self._kinds if name == "drawdown")
        return with_number(form, round(percent, 6))

    def preference(self, text: str | None) -> str | None:
        """The asset class that is preferred, or the topic itself when it is none; None when silent."""
        if silent(text) or text is None:
            return None
        folded = key(text)
        if folded in self._topics:
            return self._topics[folded]
        for word, family in self._names:
            if word == folded or (len(word) > 1 and word in folded):
                return family
        for word, family in self._members:
            if folded.startswith(word) and _MEMBER_TAIL.fullmatch(folded, len(word)):
                return family
        return folded


def words_of(words: Iterable[str]) -> re.Pattern[str]:
    """One pattern for any of the words, the longest first; Latin words match whole."""
    parts = []
    for word in sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word)):
        start = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
        end = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
        parts.append(start + re.escape(word) + end)
    return later("|".join(parts) or r"(?!)")


def silent(text: str | None) -> bool:
    """Whether a value says nothing: missing, empty, "unknown"."""
    return text is None or key(text) in _SILENT


def key(text: str) -> str:
    """A spelling without the differences that mean nothing: width, case, variants, spaces."""
    return "".join(fold_text(text).split())


def horizon_of(quantity: Quantity) -> str | None:
    """The horizon that a stretch of time stands for; None for other quantities.

    At 24 months the words decide: 两年以上 is long, 两年 medium (6-24月 includes it).
    """
    factor = _MONTHS.get(quantity.unit)
    if factor is None or quantity.kind != "amount":
        return None
    open_ended = quantity.comparator in ("at_least", "more_than")
    months = (quantity.low if open_ended else (quantity.low + quantity.high) / 2) * factor
    if months > _MEDIUM or (months == _MEDIUM and open_ended):
        return "long"
    if quantity.comparator in ("at_most", "less_than"):
        months = quantity.high * factor
    return "short" if months <= _SHORT else "medium"


def with_number(form: str, number: float | None) -> str:
    """A canonical form with its number: 最大回撤<{}% and 10.0 are 最大回撤<10%."""
    return form.replace("{}", f"{number:g}") if number is not None else form


def _number(text: str, form: str) -> float | None:
    """The last number of a constraint in the unit of its form (percent, or years of duration); 0.1 is 10 %."""
    factors = {"year": 1.0, "month": 1 / 12, "": 1.0} if "年" in form else {"percent": 1.0, "": 1.0}
    fitting = [value for value in read_values(text) if value.kind in _AMOUNTS and value.unit in factors]
    if not fitting:
        return None
    last = fitting[-1]
    share = "percent" in factors and last.unit == "" and 0 < last.high < 1
    return last.high * (100 if share else factors[last.unit])


def _spellings(fields: Iterable[LevelField], codes: Mapping[str, str]) -> dict[str, str]:
    results: dict[str, str] = {}
    for field in fields:
        for value, level in field.values.items():
            for word in (value, *level.marked, *level.says, *level.near):
                results.setdefault(key(word), codes[value])
    return results


def _level(text: str | None, spellings: Mapping[str, str]) -> str | None:
    if text is None or silent(text):
        return None
    folded = key(text)
    if folded in spellings:
        return spellings[folded]
    return next((code for word, code in _longest(spellings) if len(word) > 1 and word in folded), None)


def _longest(spellings: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(spellings.items(), key=lambda item: (-len(item[0]), item[0]))


def _stated(value: object) -> tuple[float, str]:
    """The first number of a value and its unit; 0 where it says none."""
    if isinstance(value, str):
        result = None if silent(value) else next(iter(analyse(value).quantities), None)
        return (result.high, result.unit) if result else (0.0, "")
    return (float(value), "") if isinstance(value, int | float) and not isinstance(value, bool) else (0.0, "")
