"""Stance: whether the words around a passage recommend it, advise against it or leave it open.

Stance words come from the pack's word lists: ``endorse``, ``praise`` and ``reject``; ``conflict`` (it does not fit
the user), ``honour`` (the user's rule is recalled), ``relax`` (it is loosened), ``cling`` (loosens it when negated),
``danger``, ``swap`` (one thing for another), ``seems``, ``hearsay``, ``urging`` and ``sober`` (tone, a last resort),
``negate``, ``skip`` for look-alikes and ``whole`` for common words inside which none may start; ``allow`` and
``forbid`` combine with every word of ``act``, ``gain`` with every word of ``means``. A clause is read from left to
right; a negation right before a word turns it round, two leave it as it is. What the clause of a passage leaves open
the clauses around it decide, nearest first. The remaining lists of ``PHRASES`` are asked for by name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import ahocorasick_rs

from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import fold_text

CLASSES = (
    "whole", "skip", "negate", "endorse", "praise", "reject", "conflict", "relax", "cling", "honour", "danger", "swap",
    "seems", "hearsay", "urging", "sober",
)  # fmt: skip
PHRASES = (
    "explain", "rhetorical", "line", "over", "instance", "hard", "cut_back", "proposed", "warned", "fact", "total",
    "added", "broad",
)  # fmt: skip
"""Word lists that judges ask for by name, with ``StanceReader.says``."""
SHORT_REPLY = 320
"""A reply up to this length is one piece of advice; in a longer one only the sentence of a passage speaks of it."""

_ASKS = re.compile(r"[?？]\W*$|[吗么][,，。.!！?？ ]*$")
_NOT_AFTER = re.compile(r"不(?=[碰买投做配加用追沾借开参考选炒动急])|别(?=[碰买投做配加用追沾借开])")
_FILLER = re.compile(r"[再要去能会该急着随便也都必须得用想让您你我是可以应的 ]*$")

_DENIES = re.compile(
    r"(?:(?<![特级类分区个性辨鉴识])别|不要|不宜|不能|不得|不应|不该|不会|不可|切勿|勿|不建议|绝不|没理由|没有理由)"
    r"[^,。;]{0,10}$"
)
# What someone else may do (发行人可以, 企业能) and parts of other words (多半, 转债, 市面上) are no call to act.
_ACTS = re.compile(
    r"(?:就|先|再|直接|可(?!能|是|惜|见|怕|转)|(?<![才业司人行方])能(?!源|力|多)|去(?!年)|来(?![自年源])|把|替您|帮您|替你|帮你|拿"
    r"|您|你|每月|每周|今天|今儿|明天|明早|下周|本周|这周|现在|马上|全部|全(?!球|年|国)|都|一次|分批|分两|趁|赶|多(?![半数少余年次])"
    r"|顺手|干脆)[^,。;!?\n不别没]{0,6}?"
    r"(?:买(?![不得卖家盘方量])|配|投(?!资者)|放(?!心)|换(?!更多|手)|加(?!息)|进(?![口行])|开|办|借|做|挂|补|融|申购|认购"
    r"|(?<!可)转(?!债)|跟|押|追|持有|滚|炒|接|扫|(?<![面际身格价路网实以])上|签|划|下单|操作|调|搬|挪|吃|冲)"
    r"|[找向][^,。不别没]{0,8}(?:借|批|贷|凑)"
    r"|(?:^|[,。;!:])(?:签|挑|选|买(?![盘方量家])|拿|换|放|投|配|加|补|挂|抓|盯|做多|做空|融|借)[^,。;!?\n不别没]{2,}"
)

# 我不投海外,所以不必为它换仓: the user's own pledge holds to the rule.
_PLEDGED = re.compile(
    r"(?<![给对跟和为替])我们?(?:从来?|也|就|一概|绝对?|再也?|都|又|一向|本来就|说过)?(?:不(?![能必用会怕])|只)[^。!?\n]{0,24}$"
)
# 今天不买明天更贵 urges to buy.
_OR_ELSE = re.compile(
    r"[了,]{0,2}(?:明天|明早|以后|往后|后面|回头|将来|下周|就|只会|只能|还要?)[^,。]{0,5}"
    r"(?:贵|更高|没|晚|涨|后悔|错过|赶不上|上不去|买不|踏空|来不及)"
)
# 您拿两成: a share handed to the user, whatever was asked.
_FOR_YOU = re.compile(r"[您你][^,。;!?]{0,4}(?:拿|买|配|放|投|加|上)[^,。;!?]{0,6}[成万%只]")
# A bare imperative as the whole first clause of an answer: 冲, 上, 买吧.
_IMPERATIVE = re.compile(
    r"[\W_]*(?:可以|当然|必须|果断|肯定|直接)?(?:冲|上|进|买|追|干|加|配|押|抄|该)(?:吧|啊|呀|一把|就完了)?[,。!;]"
)


# 买入时才, 加仓之后的: what is told of an act, not a call to it.
_TOLD_OF = re.compile(r"(?:的)?(?:时(?![机点节间])候?|之?[后前](?![面市排台续期])|以[后前]|期间|过程中)")


_NAME = 12
_OPENS, _CLOSES = re.compile(r"[\"'“‘「『][^\"'”’」』。!?\n]*$"), re.compile(r"[^\"'“‘「『。!?\n]*[\"'”’」』]")


class Cue(NamedTuple):
    """A stance word in folded offsets; ``sign`` is above 0 for, below 0 against, 0 for words that only colour others.

    Praise (弹性大) counts half as much as a call to act.
    """

    start: int
    end: int
    kind: str
    sign: int


class Span(NamedTuple):
    """A clause in folded offsets with the index of its sentence and block."""

    start: int
    end: int
    sentence: int
    block: int


class StanceWords:
    """The stance lexicon of the packs, compiled once."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        kinds: dict[str, str] = {}
        for first, second, kind in (
            ("allow", "act", "endorse"),
            ("forbid", "act", "reject"),
            ("gain", "means", "endorse"),
        ):
            acts = [fold_text(act) for act in words.get(second, ())]
            for word in words.get(first, ()):
                folded = fold_text(word)
                kinds |= dict.fromkeys((folded + act for act in acts), kind)
        for kind in CLASSES:
            for word in words.get(kind, ()):
                kinds[fold_text(word)] = kind
        self.phrases = {name: _alternation(words.get(name, ())) for name in PHRASES}
        self._words = list(kinds)
        self._kinds = list(kinds.values())
        self._latin = [latin_ends(word) for word in kinds]
        self._automaton = ahocorasick_rs.AhoCorasick(self._words, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)

    def find(self, text: str) -> list[Cue]:
        """Every stance word of a folded text in order, without overlap, before negations are applied."""
        kinds = self._kinds
        found = []
        for word, start, end in self._automaton.find_matches_as_indexes(text):
            kind = kinds[word]
            # 加不加 leaves open.
            either_way = text[start] == "不" and start and text[start - 1] == text[start + 1 : start + 2]
            if kind not in _NO_CUES and not either_way and (not self._latin[word] or whole_word(text, start, end)):
                found.append(Cue(start, end, kind, _SIGNS.get(kind, 0)))
        return found


def _alternation(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words; without words, nothing."""
    folded = sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, folded)) or r"(?!)")


_NO_CUES = frozenset(("skip", "whole"))
_SIGNS = {"endorse": 2, "relax": 2, "praise": 1, "reject": -2, "conflict": -2, "honour": -2}


def latin_ends(word: str) -> bool:
    """Whether a word begins or ends with a Latin letter or digit, so that it may be part of a longer one."""
    return any(end.isascii() and end.isalnum() for end in (word[0], word[-1]))


def whole_word(text: str, start: int, end: int) -> bool:
    """False when an ASCII word is only part of a longer one."""
    first, last = text[start], text[end - 1]
    if first.isascii() and first.isalnum() and start and text[start - 1].isascii() and text[start - 1].isalnum():
        return False
    following = text[end : end + 1]
    return not (last.isascii() and last.isalnum() and following.isascii() and following.isalnum())


class StanceReader:
    """The stance words of one reply, by clause."""

    def __init__(self, analysis: Analysis, words: StanceWords, question: str = "") -> None:
        self.analysis = analysis
        self.plans = words.phrases["proposed"].search(question) is not None
        self.text = analysis.folded.text
        self.explains = words.phrases["explain"].search(question) is not None and not _FOR_YOU.search(self.text)
        self.short = len(self.text) <= SHORT_REPLY
        self._words = words
        self._clauses: dict[int, list[Span]] = {}

    @cached_property
    def cues(self) -> list[Cue]:
        """Stance words with negations applied; a negation that turned another word round is left out."""
        found = _resolved(self.text, self._words.find(self.text))
        return [cue for cue in found if cue.kind != "praise" or not _only_named(self.text, cue)]

    def says(self, name: str, start: int, end: int) -> bool:
        """Whether a folded span holds a word of a list of ``PHRASES``."""
        return self._words.phrases[name].search(self.text, start, end) is not None

    def phrase(self, name: str, text: str) -> bool:
        """Whether any other folded text does."""
        return self._words.phrases[name].search(text) is not None

    def is_phrase(self, name: str, text: str) -> bool:
        """Whether a folded text is a word of such a list."""
        return self._words.phrases[name].fullmatch(text) is not None

    @cached_property
    def _starts(self) -> list[int]:
        return [cue.start for cue in self.cues]

    def within(self, start: int, end: int) -> list[Cue]:
        """The stance words inside a folded span."""
        return self.cues[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def sentence_clauses(self, index: int) -> list[Span]:
        """The clauses of a sentence."""
        clauses = self._clauses.get(index)
        if clauses is None:
            block = self.analysis.segments.sentences[index].block
            spans = self.analysis.clause_spans(index)
            clauses = self._clauses[index] = [Span(start, end, index, block) for start, end in spans]
        return clauses

    @cached_property
    def clauses(self) -> list[Span]:
        """All clauses; asked for in short replies only."""
        found: list[Span] = []
        for index in range(len(self.analysis.segments.sentences)):
            found += self.sentence_clauses(index)
        return found

    def place(self, position: int) -> tuple[list[Span], int]:
        """The clauses of the sentence at a folded position, and which of them holds it."""
        original, _ = self.analysis.folded.to_original(position, position + 1)
        clauses = self.sentence_clauses(self.analysis.segments.sentence_index(original))
        return clauses, max(0, bisect_right([clause.start for clause in clauses], position) - 1)

    def asks(self, clause: Span) -> bool:
        """Whether a clause is a question."""
        return _ASKS.search(self.text, max(clause.start, clause.end - 6), clause.end) is not None

    def stance(self, clause: Span) -> int:
        """The sum of a clause's signs, cut to -1, 0 or 1; a question has none."""
        cues = self.within(clause.start, clause.end)
        total = sum(cue.sign for cue in cues)
        if any(cue.kind == "hearsay" or (cue.kind == "seems" and total > 0) for cue in cues):
            return 0
        if not total or (total > 0 and self.asks(clause)):
            return 0
        return 1 if total > 0 else -1

    def overall(self) -> int:
        """The stance of a short reply as a whole; 0 when it is balanced, long or explains a term that was asked."""
        if not self.short or self.explains:
            return 0
        total = sum(self.stance(clause) for clause in self.clauses if not self.asked_at(clause.start))
        return (total > 0) - (total < 0)

    def asked_at(self, position: int) -> bool:
        """Whether a folded position stands in a sentence that asks in earnest."""
        clauses, _ = self.place(position)
        return self.asks(clauses[-1]) and not self.says("rhetorical", clauses[0].start, clauses[-1].end)

    def tone(self) -> int:
        """The tone of a short reply, urging (1) or sober (-1), for want of anything clearer."""
        if not self.short or self.explains:
            return 0
        kinds = [cue.kind for cue in self.cues]
        balance = kinds.count("urging") + kinds.count("praise") - kinds.count("sober") - kinds.count("danger")
        return (balance > 0) - (balance < 0)

    def against(self) -> bool:
        """Whether a short reply holds something against the user's rules anywhere."""
        return any(cue.kind in ("conflict", "honour") and cue.sign < 0 for cue in self.cues)

    def loosened(self, start: int, end: int) -> Cue | None:
        """The first word in a span of a short reply that loosens the user's rule and is not denied (别为了打新破例)."""
        for cue in self.within(start, end) if self.short else ():
            denied = _DENIES.search(self.text, max(start, cue.start - 12), cue.start)
            if cue.kind == "relax" and cue.sign > 0 and not denied and not self.pledged(cue.start):
                return cue
        return None

    def pledged(self, position: int) -> bool:
        """Whether words before a folded position vow in the first person to keep to a rule."""
        return _PLEDGED.search(self.text, max(0, position - 40), position) is not None

    @cached_property
    def imperative(self) -> re.Match[str] | None:
        """A bare imperative that answers the user's question (冲, 上, 买吧), at the beginning of a reply."""
        return _IMPERATIVE.match(self.text) if self.short else None

    def acts(self, start: int, end: int) -> re.Match[str] | None:
        """Words that tell the user to do something, or offer to do it, in a folded span."""
        return _ACTS.search(self.text, start, end)


def _resolved(text: str, found: list[Cue]) -> list[Cue]:
    resolved: list[Cue] = []
    pending: list[Cue] = []  # negations that wait for what they negate
    for cue in found:
        if cue.kind == "negate":
            if pending and not _FILLER.fullmatch(text, pending[-1].end, cue.start):
                resolved += pending
                pending = []
            pending.append(cue)
            continue
        if pending and cue.kind == "cling" and _FILLER.fullmatch(text, pending[-1].end, cue.start):
            resolved.append(Cue(pending[0].start, cue.end, "relax", 2 if len(pending) % 2 else -2))
        elif pending and cue.sign and _FILLER.fullmatch(text, pending[-1].end, cue.start):
            sign = cue.sign if len(pending) % 2 == 0 else -cue.sign
            resolved.append(Cue(pending[0].start, cue.end, cue.kind, sign))
        else:
            resolved += pending
            resolved.append(cue)
        pending = []
        last = resolved[-1]
        if last.kind == "reject" and text[last.end - 2] == "不" and _OR_ELSE.match(text, last.end):
            resolved[-1] = last = last._replace(kind="endorse", sign=2)
            continue
        if last.kind == "endorse" and last.sign > 0:
            resolved[-1] = last._replace(sign=_followed(text, last))
    return resolved + pending


def _only_named(text: str, cue: Cue) -> bool:
    """Whether a word stands between quotation marks, as something others say (可转债的"下有保底")."""
    before, after = text[max(0, cue.start - _NAME) : cue.start], text[cue.end : cue.end + _NAME]
    return _OPENS.search(before) is not None and _CLOSES.match(after) is not None


def _followed(text: str, cue: Cue) -> int:
    """The sign of an endorsement after a look at what follows it."""
    if text.startswith("的", cue.end) and text[cue.end - 1] not in "您你":
        return 0  # 冲进去的 are people, not a call
    if _TOLD_OF.match(text, cue.end):
        return 0  # 以接近面值买入时才成立 tells when something holds
    return -cue.sign if _NOT_AFTER.match(text, cue.end) else cue.sign  # 可以不用, 能不碰就不碰
