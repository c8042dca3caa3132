"""Patterns of a rule pack, compiled: literals and bounded gaps become one regular expression over folded text."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnmark.errors import PackError
from turnmark.language.computed import computed
from turnmark.language.text.fold import fold_texts

_GAP = re.compile(r"~([0-9]{1,3})(,?)(!?)")
_START = r"^[\s*_>#|\-0-9.)、✅❌□☐→├└─]*"
_END = r"[\s*_|。.!…~]*$"
_LIST = re.compile(r"<([a-z0-9_]+)>")
_NUMBER = r"(?<![a-z0-9.])(?:[0-9][0-9.,]*|[一二两三四五六七八九十半几][一二两三四五六七八九十百千万半几点零]*)"
_NUMBERS = {
    "#": _NUMBER,
    "#code": r"(?<![0-9.])[0-9]{6}(?!\.?[0-9]|[%元块股份万])",
    "#%": rf"(?:{_NUMBER}(?:[%％]|个?百分点|成[一二三四五六七八九半]?|个(?:多?点|来点))|百分之{_NUMBER})",
}
# Literals of which one stands in every number of the kind.
_DIGITS = tuple("0123456789")
_NUMBER_ANCHORS = {
    "#": (*_DIGITS, *"一二两三四五六七八九十半几"),
    "#code": _DIGITS,
    "#%": ("%", "百分", "成", "个点", "个多点", "个来点"),
}
# A sign of the rarer kinds of number; a sentence without it has no such number.
_NUMBER_SIGNS = {
    "#code": re.compile("[0-9]{6}"),
    "#%": re.compile("[%成]|百分|个[多来]?点"),
}

_BREAK, _CLAUSE_BREAK = r"\n", r"\n,。;!?"
# One-character literals, and the characters before and after which make them part of another word (机会, 会计, 将来).
_PART_OF_A_WORD = {
    "会": ("机社协开大议委监学商", "计议员展见谈面"),
    "要": ("重主需必摘纪首简概", "求素约闻点害领"),
    "将": ("", "来军"),
    "恐": ("", "慌惧"),
    "能": ("可功性智只才潜节产动势技效", "力源量耗"),
    "有": ("没国私持拥所", "限关"),
    "受": ("承接享感", "益"),
    "过": ("超通经不透越", "去往程度高于期户"),
    "依": ("", "赖靠然旧"),
    "若": ("", "干"),
}
# Chinese negations, and the common words that only look like one.
_NEGATION = "不没无未非别勿莫"
_UNNEGATED = (
    rf"(?:[^{{breaks}}{_NEGATION}]|不得不|不可避免|不可忽视|不[少小同仅但断低利止足等定乏论管]|无论|无疑|未来|非常|没准"
    r"|(?<=[特分个级类区])别|别的)"
)
_NO_NEGATION = (f"[{_NEGATION}]", "(?:没有|不会|不能|不是|不太|不曾|不必|不用|不再)", "(?:不可能|不至于|不存在)")

# How often a literal of 1, 2, 3, 4 characters stands in a reply of an adviser, and the words that are far commoner:
# a pattern is looked for where its rarest step stands. Measured on recorded replies; only speed depends on them.
_BY_LENGTH = (0.8, 0.05, 0.008, 0.006)
_COMMON = {
    word: frequency
    for frequency, words in (
        (4.0, "风险 投资 市场 资产 可能 基金 波动 配置 建议"),
        (1.4, "收益 政策 如果 您的 资金 需要 具体 是否 影响 回撤 流动 流动性 股票 债券 可以 以下 为了"),
        (0.8, "行业 利率 逻辑 策略 银行 交易 短期 持有 提示 产品 能力 组合 还是 参考 公司 历史 管理 基于"),
        (0.8, "成本 理财 为您 情况"),
        (0.6, "现金 作为 决策 以上 比例 的风险 估值 部分 预期 承受 亏损 未来 投资者 一个 调整 了解 目标 存在"),
        (0.6, "你的 导致 关注"),
        (0.5, "确定 构成 信用 企业 表现 稳健 价格 无法 不构成 适合 仓位 板块 期限 方案 承受能力 控制 风险承受 变化"),
        (0.5, "本金"),
        (0.4, "业绩 接受 进行 持仓 周期 出现 货币 买卖 降低 结合 通过 不同 风险承受能力 实际 不确定 赎回"),
        (0.4, "投资建议 最大回撤 我们 谨慎 评估 监管 指数 个人 权益 费率 操作 单一 不能 不代表 下跌"),
    )
    for word in words.split()
}


class Compiled:
    """A pattern ready to search; its expression is made for the first text that holds all its steps, which is rare.

    ``at_an_end`` tells whether it matches only at the start or the end of a window.
    ``search`` and ``finditer`` find the pattern in a folded text or a part of one, as those of ``re.Pattern`` do.
    """

    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]

    def __init__(self, pattern: str, words: Mapping[str, Sequence[str]], look_alikes: Sequence[str] = ()) -> None:
        self._given = pattern, words, look_alikes
        self.search, self.finditer = self._search, self._finditer
        parts = pattern.split()
        self.at_an_end = parts[:1] == ["^"] or parts[-1:] == ["$"]

    @computed
    def steps(self) -> tuple[tuple[str, ...], ...]:
        """The literals of each step that must be there. Raises: PackError for a pattern that is wrong."""
        pattern, words, _ = self._given
        steps: list[tuple[str, ...]] = []
        for part in pattern.split():
            if part in {"^", "$", "!"} or _GAP.fullmatch(part):
                continue
            if part.removesuffix("?") in _NUMBERS:
                if not part.endswith("?"):
                    steps.append(_NUMBER_ANCHORS[part])
                continue
            step = _step(part[1:] if _is_core(part) else part, pattern, words)
            if not step.optional:
                of_numbers = [anchor for number in step.numbers for anchor in _NUMBER_ANCHORS[number]]
                steps.append((*step.literals, *of_numbers) if of_numbers else step.literals)
        if not steps:
            message = f"pattern {pattern!r}: expected at least one step that must be there"
            raise PackError(message)
        return tuple(steps)

    @computed
    def anchors(self) -> tuple[str, ...]:
        """Literals of which one must stand in the text where the pattern matches."""
        return tuple(literal.rstrip("*") for literal in min(self.steps, key=_expected_hits))

    @computed
    def numbers(self) -> list[re.Pattern[str]]:
        """Expressions of which each is found where the pattern matches."""
        return [_NUMBER_SIGNS[number] for number in sorted({*self._given[0].split()} & _NUMBER_SIGNS.keys())]

    @computed
    def source(self) -> str:
        """The pattern as the text of a regular expression over folded text."""
        return _source(*self._given)

    @computed
    def expression(self) -> re.Pattern[str]:
        """The same, compiled."""
        result = re.compile(self.source)
        self.search, self.finditer = result.search, result.finditer
        return result

    # Until there is an expression: to make one takes longer than to look at a thousand sentences.

    def _search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.expression.search(text, start, end) if self.may_stand_in(text[start:end]) else None

    def _finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.expression.finditer(text, start, end) if self.may_stand_in(text[start:end]) else iter(())

    @computed
    def _signs(self) -> list[tuple[str, ...]]:
        """What stands in every text that holds a step, rare steps first; that of the anchors is seldom missing."""
        anchored, *others = sorted(self.steps, key=_expected_hits)
        return [_signs(step) for step in (*others, anchored)]

    def may_stand_in(self, text: str) -> bool:
        """Whether a folded text holds a word of every step that must be there, one after the other."""
        for signs in self._signs:
            for sign in signs:
                if sign in text:
                    break
            else:
                return False
        after = 0
        for step in self.steps:
            places = [place for place in (text.find(sign, after) for sign in _signs(step)) if place >= 0]
            if not places:
                return False
            after = min(places) + 1
        return True


class AnyOf:
    """Any of several patterns, in one expression that is made for the first text that holds all steps of one."""

    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]

    def __init__(self, patterns: Sequence[Compiled]) -> None:
        self._patterns = patterns
        self.search, self.finditer = self._search, self._finditer

    @computed
    def expression(self) -> re.Pattern[str]:
        """The patterns as one expression, which asks scope of no step; without patterns, it is found nowhere."""
        sources = (pattern.source.replace("(?P<core>", "(?:") for pattern in self._patterns)
        result = re.compile("|".join(sources) or r"(?!)")
        self.search, self.finditer = result.search, result.finditer
        return result

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The pattern that stands at a place."""
        return self.expression.match(text, start, end)

    def _search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.expression.search(text, start, end) if self._may_stand_in(text[start:end]) else None

    def _finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.expression.finditer(text, start, end) if self._may_stand_in(text[start:end]) else iter(())

    def _may_stand_in(self, text: str) -> bool:
        return any(pattern.may_stand_in(text) for pattern in self._patterns)


class _Step(NamedTuple):
    literals: tuple[str, ...]
    numbers: tuple[str, ...]
    optional: bool


def compile_pattern(pattern: str, words: Mapping[str, Sequence[str]], look_alikes: Sequence[str] = ()) -> Compiled:
    """Compile one pattern.

    Args:
        pattern: Its steps and gaps, as ``packs/rules.py`` describes them.
        words: The word lists that it may name.
        look_alikes: Longer words that hide the literals inside them: 买 is not found in 买家.

    Raises:
        PackError: A pattern is wrong; the message says what was expected.

    """
    result = Compiled(pattern, words, look_alikes)
    result.steps  # noqa: B018 - a pattern that is wrong says so here
    return result


def steps_of(pattern: str) -> list[str]:
    """The steps of a pattern that must be there, each as a pattern of its own; gaps and scope are left out."""
    parts = [part for part in pattern.split() if part not in {"^", "$", "!"} and not _GAP.fullmatch(part)]
    return [part[1:] if _is_core(part) else part for part in parts if part == "?" or not part.endswith("?")]


def _source(pattern: str, words: Mapping[str, Sequence[str]], look_alikes: Sequence[str]) -> str:
    parts: list[str] = []
    gap: str | None = None
    unnegated = False
    for part in pattern.split():
        if part in "^$":
            parts.append(_START if part == "^" else (gap or "") + _END)
            gap = None
            continue
        if match := _GAP.fullmatch(part):
            gap = _gap(*match.groups())
            continue
        if part == "!":
            unnegated = True
            continue
        if part.removesuffix("?") in _NUMBERS:
            number = _between(gap, first=not parts) + _NUMBERS[part.removesuffix("?")]
            parts.append(f"(?:{number})?" if part.endswith("?") else number)
            gap = None
            continue
        core = _is_core(part)
        step = _step(part[1:] if core else part, pattern, words)
        expressions = [_expression(literal, _longer(literal, look_alikes)) for literal in step.literals]
        if unnegated:
            expressions = _unnegated(step.literals, expressions)
        alternatives = "|".join([*expressions, *(_NUMBERS[number] for number in step.numbers)])
        choice = f"(?P<core>{alternatives})" if core else f"(?:{alternatives})"
        between = _between(gap, first=not parts)
        parts.append(f"(?:{between}{choice})?" if step.optional else between + choice)
        gap, unnegated = None, False
    parts.append(_trailing(gap))
    return "".join(parts)


def _is_core(part: str) -> bool:
    """Whether scope is asked of this step."""
    return part.startswith("@") and len(part) > 1


def compile_any(patterns: Iterable[str], words: Mapping[str, Sequence[str]], look_alikes: Sequence[str] = ()) -> AnyOf:
    """Any of several patterns; without patterns, it is found nowhere.

    Raises: PackError for a pattern that is wrong.
    """
    return AnyOf([compile_pattern(pattern, words, look_alikes) for pattern in patterns])


def _gap(most: str, within_clause: str, unnegated: str) -> str:
    breaks = _CLAUSE_BREAK if within_clause else _BREAK
    return f"{_UNNEGATED.format(breaks=breaks) if unnegated else f'[^{breaks}]'}{{0,{most}}}?"


def _trailing(gap: str | None) -> str:
    """A gap within a clause that ends a pattern, with as many characters as there are."""
    return gap.removesuffix("?") if gap and _CLAUSE_BREAK in gap else ""


def _between(gap: str | None, *, first: bool) -> str:
    if first:
        return ""
    return r"[\s*_]*" if gap is None else gap


def _step(token: str, pattern: str, words: Mapping[str, Sequence[str]]) -> _Step:
    optional = token.endswith("?") and len(token) > 1
    literals: list[str] = []
    for alternative in token.removesuffix("?").split("|") if optional else token.split("|"):
        if match := _LIST.fullmatch(alternative):
            if match[1] not in words:
                message = f"pattern {pattern!r}: expected one of the word lists {sorted(words)}, found {match[1]!r}"
                raise PackError(message)
            literals.extend(words[match[1]])
        else:
            literals.append(alternative)
    folded, numbers, wrong = _alternatives(tuple(literals))
    if wrong is None:
        return _Step(folded, numbers, optional)
    if "#" in wrong:
        message = (
            f"pattern {pattern!r}: expected a number ({', '.join(_NUMBERS)}) as a step or an alternative of its "
            f"own, found it in {wrong!r}"
        )
    else:
        message = f"pattern {pattern!r}: expected text in every alternative of {token!r}"
    raise PackError(message)


@functools.lru_cache(maxsize=8192)
def _alternatives(literals: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], str | None]:
    """Literals folded, the numbers among them, and the first that is wrong. Lists are named by many patterns."""
    numbers = tuple(dict.fromkeys(literal for literal in literals if literal in _NUMBERS))
    folded = dict.fromkeys(fold_texts(literal.replace("_", " ") for literal in literals if literal not in _NUMBERS))
    # Longer first: the longest literal that fits is the one that is meant.
    ordered = tuple(sorted(folded, key=lambda literal: (-len(literal), literal)))
    return ordered, numbers, next((word for word in ordered if "#" in word or not word.strip(" *")), None)


@functools.lru_cache(maxsize=65536)
def _expression(literal: str, longer: tuple[tuple[str, str], ...] = ()) -> str:
    """A literal as an expression; what must not stand before it is asked after its first character, which is faster."""
    body, star = literal.removesuffix("*"), literal.endswith("*")
    before, after = _PART_OF_A_WORD.get(literal, ("", ""))
    first = re.escape(body[0])
    expression = first + _not_behind(first, [f"[{before}]"] * bool(before) + ["[a-z0-9]"] * _is_word(body[0]))
    expression += re.escape(body[1:]).replace(r"\ ", r"\s+")
    expression += "".join(_not_between(body, *sides) for sides in longer)
    if star:
        return expression + "[a-z]*"
    if _is_word(body[-1]):
        after = "a-z0-9"
    return f"{expression}(?![{after}])" if after else expression


def _not_behind(first: str, forbidden: Iterable[str]) -> str:
    """An expression, behind the first character of literals, that none of these stands before it."""
    return "".join(f"(?<!{words}{first})" for words in forbidden)


def _unnegated(literals: Sequence[str], expressions: Sequence[str]) -> list[str]:
    """Expressions of literals before which no negation stands, which is asked once for all that begin alike."""
    of_first: dict[str, list[str]] = {}
    for literal, expression in zip(literals, expressions, strict=True):
        first = re.escape(literal[0])
        of_first.setdefault(first, []).append(expression.removeprefix(first))
    return [f"{first}{_not_behind(first, _NO_NEGATION)}(?:{'|'.join(rests)})" for first, rests in of_first.items()]


def _longer(literal: str, look_alikes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What stands before and behind a literal in each of the longer words that hold it."""
    return tuple(
        (word[:position], word[position + len(literal) :])
        for word in look_alikes
        for position in range(len(word))
        if word != literal and word.startswith(literal, position)
    )


def _not_between(literal: str, before: str, behind: str) -> str:
    """An expression, behind a literal, that it does not stand between these words."""
    read, ahead = re.escape(before + literal), re.escape(behind)
    if not before:
        return f"(?!{ahead})"
    return f"(?!(?<={read}){ahead})" if behind else f"(?<!{read})"


@functools.lru_cache(maxsize=8192)
def _signs(literals: tuple[str, ...]) -> tuple[str, ...]:
    """For each literal of a step what stands in every text that holds it: its longest word, for spaces may be many."""
    return tuple(max(literal.rstrip("*").split(), key=len) for literal in literals)


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


@functools.lru_cache(maxsize=8192)
def _expected_hits(literals: tuple[str, ...]) -> float:
    """A rough guess of how often any of these stands in a text: short ones are common, and so are some words."""
    return sum(_COMMON.get(literal) or _by_length(literal) for literal in literals)


def _by_length(literal: str) -> float:
    if literal.isascii():
        return float(10.0 ** -(len(literal) / 2))
    return _BY_LENGTH[min(len(literal), len(_BY_LENGTH)) - 1]
