"""What a reply says of this user: 您属于稳健型, 鉴于您两年以上的投资期限, your risk tolerance is moderate.

A careful reading of the fallback of the metrics specification (3.2). A value counts when the clause names the user
before it (in Korean anywhere), and not when it belongs to a product (稳健型基金), when it is advice (您不要用杠杆),
asked, supposed, denied, or said of somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import ahocorasick_rs

from turnmark.detectors.finance.contextual.profile.words import (
    HORIZON_CODES,
    LIQUIDITY_CODES,
    RISK_CODES,
    horizon_of,
    with_number,
    words_of,
)
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.later import later
from turnmark.language.text.fold import fold, fold_text
from turnmark.packs.profile import LevelField, ProfilePack

_NO_BREAK = {
    "zh": re.compile(r"[^\n,。;:.、 ]{0,4}[ \-]?"),
    "ko": re.compile(r" ?"),
    "en": re.compile(r"[ \-]?"),
}
_REACH = {"zh": 30, "ko": 60, "en": 70}
_NEAR = {"zh": 14, "ko": 18, "en": 30}
_MEMBER_TAIL = re.compile(r" ?(?:etf|指数|基金|联接|fund)")
_STRETCH = re.compile(r"[0-9一二两三四五六七八九十半][^\n]{0,5}(?:年|月|天|周|년|달|개월)|year|month|반년")
_SHARE = re.compile(r"[0-9] ?[%％]|成|百分|个点|percent|年|year|[0-9] ?년")
_CROSSES = re.compile(r"以及|和|与|[、,;\"]| and ")
# 您需要高流动性 tells what the user needs; 您需要配置 is advice.
_NEEDED = re.compile(r"需要|needs?|require|need to keep")
_TIME = re.compile(r"[0-9一二两三四五六七八九十半]|year|month|长|短|中期|장기|단기|중기")
_IS_ALTERNATIVE = re.compile(r"[、/]|还是| or ")
_BESIDE_VALUE = re.compile(r"[/、或|]|还是| or | 또는 ")


class Statement(NamedTuple):
    """A value that a reply attributes to the user; offsets are those of the reply."""

    field: str
    value: str
    start: int
    end: int


class _Hit(NamedTuple):
    role: str
    value: str
    start: int
    end: int


class ProfileText:
    """Reads replies in one language.

    Args:
        pack: The profile pack of the language.

    """

    def __init__(self, pack: ProfilePack) -> None:
        words: dict[str, set[tuple[str, str]]] = {}

        def add(literals: Sequence[str], role: str, value: str = "") -> None:
            for literal in literals:
                words.setdefault(fold_text(literal), set()).add((role, value))

        cue = pack.attribution
        for role, field, codes in (("risk", pack.risk, RISK_CODES), ("liquidity", pack.liquidity, LIQUIDITY_CODES)):
            add(field.markers, f"{role}_marker")
            for value, level in field.values.items():
                add([*level.says, *level.near], role, codes[value])
        add(pack.horizon.markers, "horizon_marker")
        add(cue.plans, "plan_marker")
        for name, kind in pack.canonical.items():
            add(kind.words, "constraint", name)
        for topic, names in pack.topics.items():
            add(names, "preference", topic)
        for family, known in pack.families.items():
            add([family, *known.names], "preference", family)
            add(known.members, "member", family)
        self._language = pack.language
        self._literals = list(words)
        self._roles = [sorted(roles) for roles in words.values()]
        self._automaton = ahocorasick_rs.AhoCorasick(self._literals, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)
        self._forms = {name: kind.form for name, kind in pack.canonical.items()}
        self._user_words = frozenset(map(fold_text, cue.user))
        self._user = words_of([*cue.user, *cue.aside])
        self._product, self._advice = words_of(cue.product), words_of(cue.advice)
        self._against, self._rule = words_of(cue.against), words_of(cue.rule)
        self._wanting, self._limit = words_of(cue.wanting), words_of(cue.limit)
        self._unrelated = words_of(pack.horizon.unrelated)
        self._beside = {
            "risk": _beside(pack.risk, RISK_CODES),
            "liquidity": _beside(pack.liquidity, LIQUIDITY_CODES),
        }
        self._says = [(RISK_CODES[value], words_of(level.says)) for value, level in pack.risk.values.items()]
        self._coarse = [
            (HORIZON_CODES[value], words_of([word for word in words if len(word) > 1]))
            for value, words in pack.horizon.words.items()
        ]

    def statements(self, reply: str) -> list[Statement]:
        """Everything that a reply attributes to the user, in the order of the text."""
        whole = fold(reply)
        if not any(word in whole.text for word in self._user_words):
            return []
        lines: dict[int, Analysis] = {}
        results: dict[Statement, None] = {}
        for hit in self._hits(whole.text):
            if not self._may_count(whole.text, hit):
                continue
            # Only the line is analysed: what a reply says of its user stands in one sentence.
            start, end = whole.to_original(hit.start, hit.end)
            first, stop = reply.rfind("\n", 0, start) + 1, reply.find("\n", end)
            line = lines.get(first)
            if line is None:
                line = lines[first] = analyse(reply[first : stop if stop >= 0 else len(reply)], self._language)
            start, end = line.folded.from_original(start - first, end - first)
            for field, value, *span in self._judge(line, hit._replace(start=start, end=end)):
                inside = line.folded.to_original(*span)
                results[Statement(field, value, first + inside[0], first + inside[1])] = None
        return sorted(results, key=lambda statement: (statement.start, statement.field))

    def _hits(self, text: str) -> Iterator[_Hit]:
        for word, start, end in self._automaton.find_matches_as_indexes(text):
            literal = self._literals[word]
            if literal[0].isascii() and start and text[start - 1].isascii() and text[start - 1].isalnum():
                continue
            if literal[-1].isascii() and end < len(text) and text[end].isascii() and text[end].isalnum():
                continue
            for role, value in self._roles[word]:
                yield _Hit(role, value, start, end)

    def _may_count(self, text: str, hit: _Hit) -> bool:
        """A cheap look for the user, and for what makes a value the user's, before anything is analysed."""
        reach, near = _REACH[self._language], _NEAR[self._language]
        first, last = max(0, hit.start - reach), hit.start
        first = max(text.rfind("\n", first, last), text.rfind("。", first, last), first)
        if self._language != "zh":
            first, last = max(0, hit.start - 2 * reach), min(len(text), hit.end + reach)
        around = text[first:last]
        if not any(word in around for word in self._user_words):
            return False
        if hit.role == "constraint":
            window = text[first : hit.end + 24]
            counts = "{}" not in self._forms[hit.value] or _SHARE.search(window) is not None
            return counts and any(words.search(window) for words in (self._against, self._rule, self._limit))
        if hit.role in ("preference", "member"):
            counts = self._wanting.search(text[first : hit.end + reach]) is not None
        elif hit.role in ("risk_marker", "liquidity_marker"):
            counts = next(self._marked(text, hit, len(text)), None) is not None
        elif hit.role in ("horizon_marker", "plan_marker"):
            time = _TIME if hit.role == "horizon_marker" else _STRETCH
            counts = time.search(text[max(0, hit.start - near) : hit.end + near]) is not None
        else:
            counts = self._alone(text, hit) and not self._is_product(text, hit, "")
        return counts

    def _judge(self, analysis: Analysis, hit: _Hit) -> Iterator[tuple[str, str, int, int]]:
        text = analysis.folded.text
        first, last = self._clause(analysis, hit)
        wide = hit.role.endswith("_marker")
        user = self._user_before(analysis, hit, first, last, wide=wide)
        if user is None or not self._is_said(analysis, hit):
            return
        between = text[user : hit.start] if user <= hit.start else text[hit.end : user]
        if self._advice.search(_NEEDED.sub("", between) if hit.role.startswith("liquidity") else between):
            return
        if hit.role in ("risk", "liquidity"):
            if not self._product.search(between):
                yield hit.role, hit.value, hit.start, hit.end
        elif hit.role in ("risk_marker", "liquidity_marker"):
            yield from self._marked(text, hit, last)
        elif hit.role in ("horizon_marker", "plan_marker"):
            yield from self._horizon(analysis, hit, first if self._language == "ko" else max(first, user), last)
        elif hit.role == "constraint":
            yield from self._constraint(analysis, hit, (first, last), between)
        elif hit.role == "member" and not _MEMBER_TAIL.match(text, hit.end):
            return
        elif self._wants(text, (first, last), between):
            yield "preferences", hit.value, hit.start, hit.end

    # Where a value stands

    def _clause(self, analysis: Analysis, hit: _Hit) -> tuple[int, int]:
        position, _ = analysis.folded.to_original(hit.start, hit.end)
        clause = analysis.clause_at(position)
        return analysis.folded.from_original(clause.start, clause.end)

    def _user_before(self, analysis: Analysis, hit: _Hit, first: int, last: int, *, wide: bool) -> int | None:
        """The end of the nearest mention of the user (its start when it follows), or None when there is none."""
        text = analysis.folded.text
        if wide or self._language == "ko":
            sentence = analysis.sentence_at(analysis.folded.to_original(hit.start, hit.end)[0])
            first, end = analysis.folded.from_original(sentence.start, sentence.end)
            last = end if self._language == "ko" else last
        reach = _REACH[self._language]
        for match in reversed(list(self._user.finditer(text, max(first, hit.start - reach), hit.start))):
            return match.end() if match.group() in self._user_words else None
        if self._language != "en":
            behind = self._user.search(text, hit.end, min(last, hit.end + (reach if self._language == "ko" else 0)))
            if behind and behind.group() in self._user_words:
                return behind.start()
        return None

    def _is_said(self, analysis: Analysis, hit: _Hit) -> bool:
        """Whether the text itself says it: no question, no supposition, nobody else."""
        scope = analysis.scope(analysis.folded.to_original(hit.start, hit.end))
        if scope.question or scope.hypothetical or scope.conditional or scope.example:
            return False
        if scope.quoted and hit.role != "constraint":
            return False
        if scope.addressed_to_other or scope.consequent:
            return False
        if hit.role in ("constraint", "horizon_marker", "plan_marker"):
            return True
        return not (scope.negated or scope.refused)

    def _is_product(self, text: str, hit: _Hit, between: str) -> bool:
        if self._product.search(between):
            return True
        rest = text[hit.end : hit.end + _NEAR[self._language]]
        match = self._product.search(rest)
        return match is not None and _NO_BREAK[self._language].fullmatch(rest, 0, match.start()) is not None

    def _alone(self, text: str, hit: _Hit) -> bool:
        """Whether a level is not one of an enumeration (保守型/稳健型/进取型); 平衡型或稳健型 are the same level."""
        before, after = text[max(0, hit.start - 4) : hit.start], text[hit.end : hit.end + 4]
        if not (_BESIDE_VALUE.search(before) or _BESIDE_VALUE.search(after)):
            return True
        around = text[max(0, hit.start - 12) : hit.start] + " " + text[hit.end : hit.end + 12]
        return hit.role == "risk" and not any(words.search(around) for value, words in self._says if value != hit.value)

    # What it says

    def _marked(self, text: str, hit: _Hit, last: int) -> Iterator[tuple[str, str, int, int]]:
        field = hit.role.removesuffix("_marker")
        for value, after, before in self._beside[field]:
            match = after.match(text, hit.end, min(len(text), hit.end + 24))
            if match and match.end() <= max(last, hit.end):
                if self._alone(text, _Hit(hit.role, value, match.start(1), match.end())):
                    yield field, value, hit.start, match.end()
                return
            match = before.search(text, max(0, hit.start - 12), hit.start)
            if match:
                yield field, value, match.start(), hit.end
                return

    def _horizon(self, analysis: Analysis, hit: _Hit, first: int, last: int) -> Iterator[tuple[str, str, int, int]]:
        text, near = analysis.folded.text, _NEAR[self._language]
        for code, words in self._coarse if hit.role == "horizon_marker" else ():
            match = words.search(text, hit.end, min(last, hit.end + 8))
            if match and self._alone(text, _Hit(hit.role, code, *match.span())):
                yield "horizon", code, hit.start, match.end()
                return
        for quantity in analysis.quantities:
            start, end = analysis.folded.from_original(quantity.start, quantity.end)
            if start < max(first, hit.start - near) or end > min(last, hit.end + near):
                continue
            value = horizon_of(quantity)
            if value is None or self._unrelated.search(text, max(first, start - 6), start):
                continue
            if self._advice.search(text, min(hit.end, end), max(hit.start, start)) or _IS_ALTERNATIVE.match(text, end):
                continue
            yield "horizon", value, min(start, hit.start), max(end, hit.end)
            return

    def _constraint(
        self, analysis: Analysis, hit: _Hit, clause: tuple[int, int], between: str
    ) -> Iterator[tuple[str, str, int, int]]:
        text, form = analysis.folded.text, self._forms[hit.value]
        if "{}" not in form:
            if self._language == "ko":
                said, ruled = text[hit.end : clause[1]], text[hit.end : clause[1]]
            else:
                said, ruled = between, text[hit.end : min(clause[1], hit.end + 16)]
            if self._against.search(said) or self._rule.search(ruled):
                yield "constraints", form, hit.start, hit.end
            return
        if not self._limit.search(text, *clause):
            return
        unit, near = "year" if "年" in form else "percent", _NEAR[self._language]
        for quantity in analysis.quantities:
            start, end = analysis.folded.from_original(quantity.start, quantity.end)
            inside = start >= max(clause[0], hit.start - near) and end <= min(clause[1], hit.end + near)
            if quantity.kind == "amount" and quantity.unit == unit and inside and quantity.high > 0:
                apart = text[min(hit.end, end) : max(hit.start, start)]
                if self._advice.search(apart) or _CROSSES.search(apart):
                    continue
                span = min(start, hit.start), max(end, hit.end)
                yield "constraints", with_number(form, quantity.high), *span
                return

    def _wants(self, text: str, clause: tuple[int, int], between: str) -> bool:
        if self._language == "ko":
            return self._wanting.search(text, *clause) is not None
        return self._wanting.search(between) is not None


def _beside(field: LevelField, codes: Mapping[str, str]) -> list[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    """For each level the patterns that follow a marker (… is moderate) and that come before it (moderate …)."""
    results = []
    for value, level in field.values.items():
        words = words_of([*level.marked, *level.says]).pattern
        code = codes[value]
        results.append(
            (
                code,
                later(rf"(?:(?!和|与|及|进行|更|或|and )[^\n。;,.?？!]){{0,8}}?({words})"),
                later(rf"(?:{words})(?:的|型)?[ ]?$"),
            )
        )
    return results
