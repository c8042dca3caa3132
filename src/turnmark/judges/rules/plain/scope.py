"""Of whom, where and when a statement holds: what opened goods are denied, not all goods are.

"환불되지 않습니다" is not what "개봉한 상품은 환불되지 않습니다" says, but for a question about opened goods.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from turnmark.judges.rules import words
from turnmark.judges.rules.decision import LONG, Read
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.plain.matching import Words, alike
from turnmark.judges.rules.plain.statements import Part, Statement, asked_words, denies, mode, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.support import numeric_pairs

_MOST = 60
"""Sentences of material among which an exception is looked for, at most."""


def says_nothing(claim: Statement, statement: Statement) -> bool:
    """Whether no word of a claim tells of what it is: You can use it; Two, where a statement gives several numbers."""
    if not all(_is_bare(each) for each in claim.telling):
        return False
    numbers = [each for each in statement.telling if each.value is not None or each.key.isdigit()]
    return not claim.telling or len(numbers) > 1


def says_of_all(read: Read, claim: Statement, statement: Statement) -> bool:
    """Whether a claim answers whether something is so, and its source says so of some or for some time only."""
    asked = asked_words(read.question.compact) if read.question is not None else ()
    return _is_rule(read, claim) and _holds_for_some(statement, claim.telling, asked)


def _is_bare(token: Token) -> bool:
    """Whether a token is a number that counts nothing."""
    if token.value is None:
        return token.key.isdigit()
    return token.value.kind == "number" and not token.value.unit


def _is_rule(read: Read, claim: Statement) -> bool:
    """Whether a claim answers whether something is so, or (asked or not) denies it or says that one may or must.

    What happened to a red car happened to a car; what no red car may do, another one may.
    """
    if bool(mode(claim.folded, claim.language)) or any(denies(each, claim.language) for each in claim.tokens):
        return True
    if read.question is None or asks_for(read.question) != "yes_no":
        return False
    asked = asked_words(read.question.compact)
    if all(asked.hold(each) for each in claim.telling):
        return True
    return 2 * sum([claim.telling.hold(each) for each in asked]) >= len(asked)


def leaves_out(part: Part, said: Sequence[Token]) -> bool:
    """Whether a statement without values says less than a clause does: of whom, where or when it holds."""
    language = part.sentence.language
    if any(each.value is not None and each.value.kind in _AMOUNTS for each in said):
        return False
    free = [match.span() for match in pattern("widens", language).finditer(part.sentence.folded)]
    known = Words(said)
    lost = [
        at
        for at, each in enumerate(part.tokens)
        if not (
            denies(each, language)
            or known.hold(each)
            or any(start <= each.start < end for start, end in free)
            or _is_listed(part, at)
        )
    ]
    return len(lost) >= _LOST_ZH or (bool(lost) and (language != "zh" or lost[0] == 0))


def _is_listed(part: Part, at: int) -> bool:
    """Whether a word stands in a list, whose members hold one by one: 카드와 현금으로, cards and cash."""
    tokens, folded = part.tokens, part.sentence.folded
    if any(form.role == "with" for form in tokens[at].forms):
        return True
    before = folded[tokens[at - 1].end : tokens[at].start] if at else ""
    behind = folded[tokens[at].end : tokens[at + 1].start] if at + 1 < len(tokens) else ""
    return any(LISTED.match(text) is not None for text in (before, behind))


LISTED = re.compile(r"^\s*(?:,|、|和|与|及|或|and|or|및|또는)\s*$")
"""What stands between two members of a list."""


_LOST_ZH = 2
"""An ideograph by itself amid others is part of a word: 退 says what 退货 does."""
_AMOUNTS = ("quantity", "duration", "date", "time", "number", "ratio")


def is_partly_asked(question: Reading, material: Material, number: int) -> bool:
    """Whether a sentence answers a question for some case only, of which that does not speak."""
    statement = read_statement(material.readings[material.place(number)], material.sentences[number])
    return _holds_for_some(statement, asked_words(question.compact), ())


def _holds_for_some(statement: Statement, mine: Sequence[Token], asked: Sequence[Token]) -> bool:
    """Whether each clause that holds most of some words holds for less than they say, with those of the question."""
    parts = [part for part in statement.parts if mine and holds_most(part.tokens, mine)]
    return bool(parts) and all(leaves_out(part, (*mine, *asked)) for part in parts)


def holds_most(theirs: Sequence[Token], mine: Sequence[Token]) -> bool:
    """Whether most of some words stand among others."""
    return sum([any(alike(one, other) for other in theirs) for one in mine]) > len(mine) / 2


def is_gathered(read: Read) -> bool:
    """Whether a side that a claim takes (free, open) is not told by the sentence that it is held against."""
    mine = {(each.unit, each.low) for each in read.claim.passage.values if each.kind == "polarity"}
    if not mine or len(read.claim.sentences) != 1:
        return False
    sentence = read.material.sentences[read.measured.closest[0]]
    there = {(each.unit, each.low) for each in sentence.values}
    return any(each not in there and each[0] not in numeric_pairs() for each in mine)


def is_exempt(read: Read) -> bool:
    """Whether a sentence calls what a short claim speaks of an exception: 안내견은 예외입니다."""
    if len(read.claim.units) >= LONG or len(read.material.sentences) > _MOST:
        return False
    if _EXEMPT.search(read.claim.compact) is not None:
        return False
    for sentence in read.material.sentences:
        match = _EXEMPT.search(sentence.folded)
        # What stands right before the word is what it is said of.
        if match is not None and not read.claim.content.isdisjoint(words.units(match["what"])):
            return True
    return False


_EXEMPT = re.compile(r"(?P<what>[^,.;，。；]{0,24})(?:예외|例外|除外|\bexceptions?\b)")


def is_of_another_rate(read: Read, sentence: Sentence) -> bool:
    """Whether a short claim and a sentence give two rates: 우대 금리 and 대출 금리.

    The word right before the rate stands nowhere in the material, and that of the sentence in neither the claim nor
    its question.
    """
    claim, size = read.claim, 2 if read.claim.language == "zh" else 1
    if len(claim.units) >= LONG or len(claim.sentences) != 1:
        return False
    reading = read.material.readings[read.material.place(read.material.sentences.index(sentence))]
    statement = read_statement(reading, sentence)
    mine, theirs = read_statement(claim, claim.sentences[0]).telling, statement.telling
    asked = asked_words(read.question.compact) if read.question is not None else ()
    known = Words([*mine, *asked])
    for own, head in _pairs(mine, size):
        if any(_stands(each, read.material) for each in own):
            continue
        for other, same in _pairs(theirs, size):
            shared = all(Words([each]).hold(one) for one, each in zip(head, same, strict=True))
            shared = shared and _RATE.match("".join(each.key for each in head)) is not None
            if shared and not any(known.hold(each) for each in other):
                return True
    return False


_RATE = re.compile("rate$|利率|费率|금리|이율|이자율|요율")


def _pairs(tokens: Sequence[Token], size: int) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Each word with the one behind it; a Chinese word is two ideographs. A particle parts two words."""
    for at in range(len(tokens) - 2 * size + 1):
        first, second = tokens[at : at + size], tokens[at + size : at + 2 * size]
        parted = any(form.role not in ("", "of", "verb") for form in first[-1].forms)
        values = any(each.value is not None for each in (*first, *second))
        if not values and not parted and first[0].clause == second[-1].clause:
            yield first, second


def _stands(token: Token, material: Material) -> bool:
    units = words.units(token.key)
    return any(unit in reading.unit_set for reading in material.readings for unit in units)
