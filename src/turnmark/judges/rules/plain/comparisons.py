"""Comparisons the other way round: "A is heavier than B" says that B is lighter, and denies that B is heavier."""

from __future__ import annotations

import re
from typing import NamedTuple

from turnmark.judges.rules.decision import Decision
from turnmark.judges.rules.plain.statements import Statement
from turnmark.judges.rules.signals import find_signals, opposite


class _Comparison(NamedTuple):
    """Who is compared, with whom, and what is said of the first, in folded words."""

    one: str
    other: str
    said: str


COMPARES = re.compile(r"\bthan\b|比|보다")
_COMPARED = {
    "en": re.compile(r"^(?P<one>.+?) (?:is|are|was|were|costs?|weighs?) (?P<said>.+?) than (?P<other>[^,.;]+)$"),
    "zh": re.compile(r"^(?P<one>[^,.;。比]+)比(?P<rest>[^,.;。比]+)$"),
    "ko": re.compile(r"^(?P<one>\S+?)(?:은|는|이|가) (?P<other>\S+)보다 (?P<said>[^,.;]+)$"),
}
_COMPARED_KO = re.compile(r"^(?P<other>\S+)보다 (?P<one>\S+?)(?:은|는|이|가) (?P<said>[^,.;]+)$")


def exchanged(claim: Statement, statement: Statement) -> Decision | None:
    """What a sentence that compares the same two the other way round says of a claim; None where none does."""
    mine = _comparison(claim.folded, claim.language)
    if mine is None:
        return None
    for start, end in statement.clauses:
        found = _comparison(statement.folded[start:end], claim.language)
        if found is None:
            continue
        own, theirs = _ended(mine, found) if claim.language == "zh" else (mine, found)
        if theirs is None or own is None or (own.one, own.other) != (theirs.other, theirs.one):
            continue
        if _stem(own.said, claim.language) == _stem(theirs.said, claim.language):
            return Decision("contradicted", "who is compared with whom is exchanged")
        if _opposite(own.said, theirs.said, claim.language):
            return Decision("supported", "the same comparison the other way round")
    return None


def _opposite(mine: str, theirs: str, language: str) -> bool:
    """Whether two things that are said differ by a word and its opposite alone: 贵300元 and 便宜300元."""
    one, other = find_signals(mine, language), find_signals(theirs, language)
    found = opposite(one, other, language)
    if found is None:
        return False
    start, end = one.oriented[found.mine]
    rest, left = mine[:start] + mine[end:], theirs[: found.start] + theirs[found.end :]
    return language == "ko" or rest.split() == left.split()


def _comparison(text: str, language: str) -> _Comparison | None:
    text = text.strip().rstrip(".。!").strip()
    match = _COMPARED[language].match(text) if language in _COMPARED else None
    if match is None and language == "ko":
        match = _COMPARED_KO.match(text)
    if match is None:
        return None
    found = match.groupdict()
    if language == "zh":
        return _Comparison(found["one"], found["rest"], "")
    one, other = (re.sub(r"^(?:the|a|an|our) ", "", found[name].strip()) for name in ("one", "other"))
    return _Comparison(one, other, found["said"].strip())


def _ended(mine: _Comparison, theirs: _Comparison) -> tuple[_Comparison | None, _Comparison | None]:
    """Two Chinese comparisons, whose second part no word ends: each ends where the first part of the other one does."""
    return _with_end(mine, theirs), _with_end(theirs, mine)


def _with_end(one: _Comparison, other: _Comparison) -> _Comparison | None:
    if not one.other.startswith(other.one):
        return None
    return _Comparison(one.one, other.one, one.other[len(other.one) :])


def _stem(said: str, language: str) -> str:
    return re.sub(r"(?:습니다|ㅂ니다|어요|아요|다|고|며)$", "", said) if language == "ko" else said
