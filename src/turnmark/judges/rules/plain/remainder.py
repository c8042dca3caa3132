"""Of whom a clause holds where another one speaks of the rest: under six free; everyone else pays $8.

A short claim cut out of the first clause answers only for the case that this names, and one cut out of the second only
for the rest; where neither the claim nor its question names the case, no word tells which of the two is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnmark.judges.rules.decision import LONG, Read
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import asked_words, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token

_MOST = 60
"""Sentences of material among which one that speaks of the rest is looked for, at most."""
_SHARE = 0.4
"""Share of the words by which a case is told that must be said for it to be named."""


def is_of_unnamed_case(read: Read) -> bool:
    """Whether a short claim says what holds for one of two cases, and nothing tells that this one is meant."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) >= LONG or len(read.material.sentences) > _MOST:
        return False
    mine = read_statement(read.claim, read.claim.sentences[0]).telling
    asked = asked_words(read.question.compact) if read.question is not None else Words()
    for case, rest in _pairs(read):
        there = Words(rest)
        in_case, in_rest = _all_stand(mine, Words(case)), _all_stand(mine, there)
        if in_case == in_rest:
            continue
        said = Words([*mine, *asked])
        told = [each for each in case if not each.light and not there.hold(each)]
        told = [each for each in told if in_rest or not _is_answer(each, mine, asked)]
        named = sum([said.hold(each) for each in told])
        is_named = bool(told) and named >= _SHARE * len(told)
        if in_case != is_named:
            return True
    return False


def _is_answer(token: Token, mine: Words, asked: Words) -> bool:
    """Whether a word is what the claim gives, and not what the question asks about."""
    return mine.hold(token) and not asked.hold(token)


def _all_stand(mine: Words, theirs: Words) -> bool:
    return bool(mine) and all(theirs.hold(each) for each in mine)


def _pairs(read: Read) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """The words of a case, and those that speak of the rest: in one sentence, or the second of two opens so."""
    for number, sentence in enumerate(read.material.sentences):
        found = pattern("rest", sentence.language).search(sentence.folded)
        if found is not None:
            tokens = _tokens(read, number)
            rest = [each for each in tokens if each.start >= found.start()]
            case = [each for each in tokens if each.start < found.start()]
            yield (case if any(not each.light for each in case) else _before(read, number)), rest


def _before(read: Read, number: int) -> Sequence[Token]:
    """The words of the sentence before another one; none where that opens its passage."""
    place = read.material.place
    return _tokens(read, number - 1) if number and place(number - 1) == place(number) else ()


def _tokens(read: Read, number: int) -> Sequence[Token]:
    material = read.material
    return read_statement(material.readings[material.place(number)], material.sentences[number]).tokens
