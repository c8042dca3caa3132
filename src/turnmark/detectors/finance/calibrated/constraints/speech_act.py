"""How a passage of a reply is spoken: negated, defined, in earnest; and what a judgement of it looks like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.calibrated.constraints.stance import StanceReader

LOUD, PLAIN, FAINT = 3, 2, 1
"""Said of the passage itself, said in its sentence, gathered from the reply as a whole."""

_VERBS = (
    "再|要|去|能|该|会|得|可|可以|建议|推荐|想|让您|让你|轻易|随便|盲目|参与|做|用|使用|动用|碰|投|投资|买|买入|加|上|追"
    "|炒|考虑|配置|配|接受|喜欢|沾|借|放|开|开通|介入|触碰|选|选择|拿|单独|单押|押|任何|什么|这类|这种|那种|这些|的"
    "|单一|个别|是|去碰|办|玩|搞|借助|依靠|靠|通过|持有|跟风|盯着|频繁|重仓|满仓|必要|有必要|理由|道理|应|应该|再次|急着"
    "|一味|去做|敢|含|含有|包含|带|混"
)
_NEGATOR = (
    r"(?:不(?!妨|如|少|错|仅|光|管|过|断|止|只|但|得不|确定|同)|没|(?<![特级类分区个性辨鉴识])别(?!人|的)|勿|莫(?!非)"
    r"|未(?!来)|无(?!论)|(?<!除)(?<!莫)非|避免|远离|拒绝|回避|规避|禁止|切忌|杜绝|避开|少(?=买|配|碰|加|拿|投|做)|排除"
    r"|剔除|跳过)"
)
_NEGATED = re.compile(rf"(?:{_NEGATOR}(?:{_VERBS})*)*{_NEGATOR}(?:{_VERBS})*[\"*_ ]*$")
_NEGATORS = re.compile(_NEGATOR)
_REACH = 14
_A_NOT_A = re.compile(r"([加买用投做碰配开追炒借要能])不\1")
_FORBIDDEN = re.compile(
    r"(?<![特级类分区个])别(?!人|计较|抠|管|太在意|闲着|盯|纠结|在乎|在意)|不要|不能|不宜|不必(?!留|计较|太|专门|单独|特意|刻意|额外)|不得"
)
_DEFINED = re.compile(
    r"[\"*_ ]*(?:是指|表示(?=[^,。]{0,6}(?:公司|产品|这只|股票|该|连续))|指的是|指(?!数)|的意思|属于|就是指"
    r"|是(?=[^,。]{2,24}(?:的缩写|的操作|的债券|的基金|的产品|的行为|的策略|的一种|的意思)))"
)
_OFFERED = re.compile(
    r"我(?:的|有个|有位|一个)?(?:朋友|同事|亲戚|哥们|老乡)[^,。]{0,4}(?:公司|那边|那儿|在做|做|开|有|手上)"
    r"|(?:朋友|同事|亲戚|邻居|老乡)(?:的|那|推荐的?|介绍的?|手里的?)[^,。]{0,3}(?:[只款支]|产品|基金|私募|票|股)"
)


_SUPPOSED = re.compile(
    r"要是|若是|如果|万一|假如|倘若|一旦|(?<!倘)(?<!假)若(?![干想是])|的话|谁要|越[想急怕]|这时候|真要|哪怕"
)
_HARM = re.compile(
    r"心疼|割肉|割掉|割在|亏|跌[掉去三两四五]|再跌|套[在住牢]|被套|睡不|磨光|来不及|接货|接盘|接棒"
    r"|吃不消|扛不住|后悔|没了|赔|爆仓|强平|超出|碰线|回调|回落"
    r"|两头空|踩踏|够呛|难受|危险|糟|急用|取不|断|腰斩|一夜|折进|缩水|过不去|受不了|麻烦|遭|悬"
)


class Judged(NamedTuple):
    """What the reply makes of a passage: ``sign`` 1 breaks, -1 honours; folded offsets; ``why`` names the rule."""

    sign: int
    strength: int
    start: int
    end: int
    why: str


def negation(text: str, first: int, start: int, end: int) -> tuple[int, int] | None:
    """The parity of the negations right before a passage (1: negated, 0: cancelled) and where they begin.

    ``first`` is where the clause begins. None without any; 加不加杠杆 asks or leaves open and does not negate.
    """
    match = _NEGATED.search(text, max(first, start - _REACH), start)
    if match is None or _A_NOT_A.search(text, max(0, start - 6), min(end, start + 1)):
        return None
    return len(_NEGATORS.findall(match.group())) % 2, match.start()


def is_defined(text: str, end: int) -> bool:
    """Whether a word that ends here is being explained rather than talked about (融资是指 …)."""
    return _DEFINED.match(text, end) is not None


def in_earnest(reader: StanceReader, start: int, end: int) -> bool:
    """Whether the reply itself says a passage, of this user, neither asked nor supposed; folded offsets."""
    clauses, place = reader.place(start)
    if _OFFERED.search(reader.text, clauses[place].start, clauses[place].end):
        return True
    scope = reader.analysis.scope(reader.analysis.folded.to_original(start, end))
    question = scope.question and not reader.says("rhetorical", clauses[0].start, clauses[-1].end)
    return not (
        scope.quoted
        or (scope.reported and reader.text[max(0, start - 2) : start] != "提到")  # raised to, not mentioned
        or question
        or scope.example
        or scope.addressed_to_other
        or (scope.hypothetical and not scope.consequent)
    )


def forewarned(reader: StanceReader, start: int, end: int) -> bool:
    """Whether a passage is supposed only to tell what harm would follow (要是全放进去,赶上大跌就会心疼)."""
    clauses, place = reader.place(start)
    clause = clauses[place]
    if not _SUPPOSED.search(reader.text, max(clauses[0].start, clause.start - 12), clause.end):
        return False
    first = min(end, clause.end)
    urged = any(cue.kind == "endorse" and cue.sign > 0 for cue in reader.within(clause.end, clauses[-1].end))
    return not urged and _HARM.search(reader.text, first, clauses[-1].end) is not None


def meant_sign(reader: StanceReader, start: int, end: int) -> int:
    """The sign of a passage that breaks a constraint: 1 when it is meant, -1 when it is negated, else 0."""
    clauses, place = reader.place(start)
    negated = negation(reader.text, clauses[place].start, start, end)
    if (negated and negated[0]) or _FORBIDDEN.search(reader.text, start, end):
        return -1
    if reader.says("instance", max(clauses[0].start, start - 4), start):
        return 0
    return int(in_earnest(reader, start, end) and not forewarned(reader, start, end))


def decide(judged: Sequence[Judged], *, short: bool) -> Judged | None:
    """The one judgement of a reply: a loud breach, else the louder side; a long reply is broken by loud words only."""
    loud = [one for one in judged if one.sign > 0 and one.strength == LOUD]
    if loud:
        return loud[0]
    against = sorted((one for one in judged if one.sign < 0), key=lambda one: -one.strength if short else 0)
    breaches = sorted((one for one in judged if one.sign > 0), key=lambda one: -one.strength) if short else []
    if against and (not breaches or against[0].strength >= breaches[0].strength):
        return against[0]
    return breaches[0] if breaches else None
