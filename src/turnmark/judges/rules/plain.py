"""Whether a source states a claim plainly: in the words of one statement, from which nothing is missing that matters.

What may be left out is listed, everything else may not: other statements that a comma or an "and" parts, the members of
a list, since when a value counts (within 7 days *of delivery*), and when (opens at 9:00 *on weekdays*) where no other
value of the kind stands beside it. A statement may lack its subject, which then is that of the one before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from turnmark.judges.rules.decision import LONG, Read
from turnmark.judges.rules.limits import is_limited
from turnmark.judges.rules.statements import (
    Part,
    Statement,
    Token,
    alike,
    mode,
    numbered,
    pattern,
    read_statement,
    word_list,
)

_CLAUSES = 6
"""Of a sentence with more clauses only single ones, and pairs with the first, are looked at."""
_LONGEST = 60
"""A claim of more tokens is no plain statement."""
_LEAST = 2
"""A claim of fewer telling tokens says too little by itself."""
_COVERED = 0.5
"""Share of a claim's weight that the two closest sentences hold, at least; endings of words may be missing."""
_LIST = 4
"""Telling tokens (Chinese: twice as many) that a member of a list has at most."""


def is_plain(read: Read) -> bool:
    """Whether a claim is one short sentence of which the material holds most words."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) > _LONGEST:
        return False
    return read.measured.values["covered_by_two"] >= _COVERED


class Stated(NamedTuple):
    """The clauses that state a claim, the first one in part where others follow, and the number of their sentence."""

    parts: tuple[Part, ...]
    sentence: int


def stated_plainly(read: Read) -> Stated | None:
    """The statement of the material that says what a claim of one sentence says; None where there is none."""
    if not is_plain(read):
        return None
    claim = read_statement(read.claim, read.claim.sentences[0])
    mine = claim.telling
    if len(mine) < _LEAST:
        return None
    for number in read.measured.closest:
        for parts in candidates(read, number, mine):
            if _states(claim, mine, parts) and not is_limited(read, claim, number, parts):
                return Stated(parts, number)
    return None


def _all_there(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether every word of a claim stands among others, whatever their order: a cheap question before a dear one."""
    keys = {each.key for each in theirs}
    return all(
        each.key in keys or ((each.forms or each.value is not None) and _stands_in(each, theirs)) for each in mine
    )


def _stands_in(one: Token, theirs: Sequence[Token]) -> bool:
    return any(alike(one, other) for other in theirs)


def candidates(read: Read, number: int, mine: Sequence[Token]) -> Iterator[tuple[Part, ...]]:
    """The clauses of a sentence, single and together, and its first one behind the subject of the sentence before.

    None where words of the claim, ``mine``, stand in neither.
    """
    sentence = read.material.sentences[number]
    position = read.material.place(number)
    reading = read.material.readings[position]
    statement = read_statement(reading, sentence)
    parts = statement.parts
    if _all_there(mine, statement.telling):
        touched = [part for part in parts if any(_stands_in(each, part.tokens) for each in mine)]
        sizes = range(1, len(touched) + 1) if len(touched) <= _CLAUSES else range(1, 3)
        for size in sizes:
            yield from combinations(touched, size)
    opening = reading.sentences[0]
    if not parts or sentence.start == opening.start:
        return
    if pattern("back", reading.language).match(sentence.folded):
        opening = read.material.sentences[number - 1]
    elif reading.language != "ko":
        return
    before = read_statement(reading, opening).parts
    yield from [(before[0], parts[0])] if before else []


def _states(claim: Statement, mine: Sequence[Token], parts: tuple[Part, ...]) -> bool:
    theirs = [token for part in parts for token in part.tokens]
    if len(mine) > len(theirs):
        return False
    if not _all_there(mine, theirs) or not _same_mode(claim, parts):
        return False
    first, *others = parts
    if others:
        size = _opening(mine, parts)
        return size > 0 and _goes_on(first, others, size)
    used = match_all(mine, theirs, claim.language)
    return used is not None and all(_harmless(mine, first, gap) for gap in _gaps(used))


def _opening(mine: Sequence[Token], parts: tuple[Part, ...]) -> int:
    """How many tokens that open the first clause stand in a claim before all of the later ones; else 0."""
    first, *others = parts
    rest = [token for part in others for token in part.tokens]
    size = len(mine) - len(rest)
    if not 0 < size <= len(first.tokens):
        return 0
    theirs = [*first.tokens[:size], *rest]
    if first.statement.language == "ko":
        return size if match_all(mine, theirs, "ko") is not None else 0
    return size if all(alike(one, other) for one, other in zip(mine, theirs, strict=True)) else 0


def _same_mode(claim: Statement, parts: tuple[Part, ...]) -> bool:
    """Whether claim and source both say that one may, or that one must; a rule may leave its "must" out."""
    own = mode(claim.folded, claim.language)
    theirs = {mode(part.words, claim.language) for part in parts}
    return own in theirs or (own != "may" and theirs <= {"", "must"})


def match_all(mine: Sequence[Token], theirs: Sequence[Token], language: str) -> list[bool] | None:
    """Which tokens of a source say the tokens of a claim, each one once; None where any of these is not said.

    In the same order, but for phrases that may stand anywhere; Korean particles tell the roles, whatever the order.
    """
    if language == "ko":
        return _match_any_order(mine, theirs)
    one, other = numbered((mine, theirs))
    if Counter(one) - Counter(other):
        return None
    used = {place for _, place in _in_order(one, other)}
    if len(used) < len(one):
        return _with_phrase_moved(mine, one, other, language)
    return [place in used for place in range(len(other))]


def _with_phrase_moved(
    tokens: Sequence[Token], mine: Sequence[int], theirs: Sequence[int], language: str
) -> list[bool] | None:
    """The same where one phrase of place or time stands elsewhere: "the limit in the app is $5"; 在…, 从…."""
    openers = word_list("openers", language)
    for first in [place for place, each in enumerate(tokens) if each.key in openers]:
        for last in range(len(mine), first + 1, -1):
            run, rest = mine[first:last], [*mine[:first], *mine[last:]]
            for start in range(len(theirs) - len(run) + 1):
                if theirs[start : start + len(run)] != run:
                    continue
                outside = [place for place in range(len(theirs)) if not start <= place < start + len(run)]
                pairs = _in_order(rest, [theirs[place] for place in outside])
                if len(pairs) == len(rest):
                    used = {outside[place] for _, place in pairs} | set(range(start, start + len(run)))
                    return [place in used for place in range(len(theirs))]
    return None


def _match_any_order(mine: Sequence[Token], theirs: Sequence[Token]) -> list[bool] | None:
    used = [False] * len(theirs)
    for each in mine:
        place = next((at for at, other in enumerate(theirs) if not used[at] and alike(each, other)), None)
        if place is None:
            return None
        used[place] = True
    return used


def _in_order(mine: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """The longest common subsequence of two lists of numbered tokens, as pairs of places."""
    return [
        (place, other)
        for step in LCSseq.opcodes(mine, theirs)
        if step.tag == "equal"
        for place, other in zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)
    ]


def _gaps(kept: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The stretches of tokens that a claim leaves out, as first place and the one behind the last."""
    for held, group in groupby(range(len(kept)), key=kept.__getitem__):
        if not held:
            places = list(group)
            yield places[0], places[-1] + 1


def _harmless(mine: Sequence[Token], part: Part, gap: tuple[int, int]) -> bool:
    """Whether leaving out some words of a clause leaves what it says."""
    first, behind = gap
    tokens, language = part.tokens, part.statement.language
    text = part.statement.folded[tokens[first].start : tokens[behind - 1].end]
    if pattern("limits", language).search(f"{text} "):
        return False
    next_one = tokens[behind] if behind < len(tokens) else None
    previous = tokens[first - 1] if first else None
    beside = previous if language == "en" else next_one
    if beside is not None and beside.value is not None and pattern("since", language).search(text):
        return True
    if any(each.value is not None for each in mine) and pattern("when", language).search(text) is not None:
        return True
    return _is_member(part, gap)


def _is_member(part: Part, gap: tuple[int, int]) -> bool:
    """Whether words left out are members of a list of which others stay: 微信和支付宝, 카드와 현금."""
    first, behind = gap
    tokens, language, text = part.tokens, part.statement.language, part.statement.folded
    size = _LIST * (2 if language == "zh" else 1)
    if language == "en" or behind - first > size or any(each.value is not None for each in tokens[first:behind]):
        return False
    if pattern("together", language).search(part.words):
        return False
    last = tokens[behind - 1]
    if language == "zh":
        joined_behind = text[last.end : last.end + 1] in _JOINS_ZH or last.key in _JOINS_ZH
        joined_before = first > 0 and (tokens[first].key in _JOINS_ZH or text[tokens[first].start - 1] in _JOINS_ZH)
        return (joined_behind and behind < len(tokens)) or joined_before
    return behind < len(tokens) and any(form.role == "with" for form in last.forms)


_JOINS_ZH = "和与及、"


def _goes_on(first: Part, others: Sequence[Part], size: int) -> bool:
    """Whether later clauses go on with the tokens that open the first one: its subject, or all up to a list."""
    rest = first.tokens[size:]
    if not rest:
        return True
    language = first.statement.language
    if first.statement is not others[0].statement:
        return _ends_subject(first, size)
    tail = first.statement.folded[rest[0].start : rest[-1].end]
    if pattern("limits", language).search(f"{tail} "):
        return False
    listed = all(
        len(tokens) <= _LIST and all(each.value is None for each in tokens)
        for tokens in (rest, *[part.tokens for part in others])
    )
    if listed and language == "en" and not pattern("together", language).search(tail):
        return True
    return rest[0].key == others[0].tokens[0].key or _ends_subject(first, size)


def _ends_subject(part: Part, size: int) -> bool:
    """Whether so many tokens that open a clause are its whole subject, as far as its form tells."""
    last, following = part.tokens[size - 1], part.tokens[size]
    language, text = part.statement.language, part.statement.folded
    if language == "ko":
        return any(form.role in ("topic", "subject") for form in last.forms)
    between = text[last.end : following.start].split()
    if language == "en":
        return bool(between) and between[0] in _VERBS
    return following.value is not None or text[last.end] in _VERBS_ZH


_VERBS_ZH = frozenset("为是有在于由")
_VERBS = frozenset(
    ("is", "are", "was", "were", "has", "have", "had", "can", "may", "must", "will", "should", "does", "do", "did")
)


def cut_short(read: Read) -> bool:
    """Whether a short claim is cut out of the closest sentence, or leaves out a condition of its clause.

    What is cut out and not stated plainly may say something else: "employees have 20 days" where full-time ones have.
    """
    if len(read.claim.sentences) != 1 or len(read.claim.units) >= LONG:
        return False
    number = read.measured.closest[0]
    sentence = read.material.sentences[number]
    conditions = pattern("conditions", read.claim.language)
    own = len(conditions.findall(f"{read.claim.folded.text} "))
    bound = len(conditions.findall(f"{sentence.folded} ")) > own
    if not bound and read.measured.values["covered_by_one"] < _CUT:
        return False
    claim = read_statement(read.claim, read.claim.sentences[0])
    statement = read_statement(read.material.readings[read.material.place(number)], sentence)
    short = len(claim.telling) >= _LEAST and len(read.claim.units) <= _SHORT
    if short and all(_named_in(each, statement.telling) for each in claim.telling):
        return True
    return bound and any(
        len(conditions.findall(f"{part.words} ")) > own and _holds_most(part, claim.telling) for part in statement.parts
    )


def _named_in(one: Token, theirs: Sequence[Token]) -> bool:
    """Whether a word stands among others in whatever role."""
    stems = {form.stem for form in one.forms if form.stem}
    return _stands_in(one, theirs) or any(not stems.isdisjoint(form.stem for form in each.forms) for each in theirs)


_SHORT = 11
"""Units of a claim that may be cut out of a sentence, at most; a longer one says most of it."""
_CUT = 0.7
"""Share of a claim's weight that a sentence must hold for the claim to be cut out of it."""


def _holds_most(part: Part, mine: Sequence[Token]) -> bool:
    held = sum([any(alike(one, other) for other in part.tokens) for one in mine])
    return held > len(mine) / 2
