"""What stands against a plain claim: why, and which sentences it is held against; comparisons the other way round.

"A is heavier than B" says the same as "B is lighter than A", and the contrary of "B is heavier than A".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.plain import is_plain
from turnmark.judges.rules.signals import excludes
from turnmark.judges.rules.statements import Statement, read_statement
from turnmark.schemas.judging.judgement import Label

_LONGEST = 40
"""A claim of more tokens is no plain statement."""


class Against(NamedTuple):
    """Why a claim is contradicted, supported or not stated, and by which sentence of the material."""

    reason: str
    sentence: int
    label: Label = "contradicted"


def turned(read: Read) -> Against | None:
    """How a comparison of the material bears on a claim that compares the same two the other way round."""
    if _COMPARES.search(read.claim.compact) is None:
        return None
    for claim, number, statement in pairs_of(read):
        found = _compared(claim, statement)
        if found is not None:
            return Against(found[0], number, "supported" if found[1] else "contradicted")
    return None


def pairs_of(read: Read) -> Iterator[tuple[Statement, int, Statement]]:
    """A plain claim with each of the closest sentences and its number; none for any other claim."""
    if not is_plain(read):
        return
    claim = read_statement(read.claim, read.claim.sentences[0])
    if len(claim.tokens) > _LONGEST:
        return
    for number in read.measured.closest:
        reading = read.material.readings[read.material.place(number)]
        yield claim, number, read_statement(reading, read.material.sentences[number])


class _Comparison(NamedTuple):
    """Who is compared, with whom, and what is said of the first, in folded words."""

    one: str
    other: str
    said: str


_COMPARES = re.compile(r"\bthan\b|比|보다")
_COMPARED = {
    "en": re.compile(r"^(?P<one>.+?) (?:is|are|was|were|costs?|weighs?) (?P<said>.+?) than (?P<other>[^,.;]+)$"),
    "zh": re.compile(r"^(?P<one>[^,.;。比]+)比(?P<rest>[^,.;。比]+)$"),
    "ko": re.compile(r"^(?P<one>\S+?)(?:은|는|이|가) (?P<other>\S+)보다 (?P<said>[^,.;]+)$"),
}
_COMPARED_KO = re.compile(r"^(?P<other>\S+)보다 (?P<one>\S+?)(?:은|는|이|가) (?P<said>[^,.;]+)$")


def _compared(claim: Statement, statement: Statement) -> tuple[str, bool] | None:
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
            return "who is compared with whom is exchanged", False
        if excludes(own.said, theirs.said, claim.language):
            return "the same comparison the other way round", True
    return None


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
