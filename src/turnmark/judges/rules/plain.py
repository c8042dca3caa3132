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
from turnmark.judges.rules.features import coverage
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
from turnmark.language.values import Value, compare_values

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
            if _states(claim, mine, parts) and not _limited(read, claim, number, parts):
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
        sizes = range(1, len(parts) + 1) if len(parts) <= _CLAUSES else range(1, 3)
        for size in sizes:
            yield from combinations(parts, size)
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
    used = match_all(mine, theirs, claim.language) if _all_there(mine, theirs) else None
    if used is None or not _same_mode(claim, parts):
        return False
    first, *others = parts
    kept = used[: len(first.tokens)]
    if not any(kept) or not all(used[len(first.tokens) :]):
        return False
    gaps = list(_gaps(kept))
    if others:
        return _goes_on(first, others, kept)
    return all(_harmless(mine, first, gap) for gap in gaps)


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


def _goes_on(first: Part, others: Sequence[Part], kept: Sequence[bool]) -> bool:
    """Whether later clauses go on with what opens the first one: its subject, or all up to a list."""
    size = sum(kept)
    if not all(kept[:size]):
        return False
    if size == len(kept):
        return True
    language = first.statement.language
    tail = first.statement.folded[first.tokens[size].start : first.tokens[-1].end]
    if first.statement is not others[0].statement:
        return _ends_subject(first, size)
    if pattern("limits", language).search(f"{tail} "):
        return False
    listed = (
        all(len(part.tokens) <= _LIST and all(each.value is None for each in part.tokens) for part in others)
        and len(kept) - size <= _LIST
    )
    if listed and language == "en" and not pattern("together", language).search(tail):
        return all(each.value is None for each in first.tokens[size:])
    return _ends_subject(first, size)


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


def _limited(read: Read, claim: Statement, number: int, parts: tuple[Part, ...]) -> bool:
    """Whether what stands around a statement takes something out of it: conditions, exceptions, other values."""
    statement, text = parts[-1].statement, parts[-1].statement.folded
    kept = {part.clause for part in parts if part.statement is statement}
    if any(_binds(statement, clause, min(kept)) for clause in range(len(statement.clauses)) if clause not in kept):
        return True
    if text.rstrip().endswith(_ASKS) != claim.folded.rstrip().endswith(_ASKS):
        return True
    return _turns(statement, kept, claim) or _taken_out(read, number) or _rivalled(read, claim, parts, number)


_ASKS = ("?", "？")


def _binds(statement: Statement, clause: int, first: int) -> bool:
    """Whether a clause that a claim leaves out says when, where or of whom alone the others hold."""
    start, end = statement.clauses[clause]
    words, language = statement.folded[start:end], statement.language
    if not any(each.clause == clause and not each.light for each in statement.tokens):
        return False
    if clause < first and pattern("exceptions", language).search(f"{words},"):
        return False
    if pattern("conditions", language).search(f"{words} "):
        return True
    return clause < first and (statement.folded[end : end + 1] == ":" or _only_opens(words, statement, clause))


def _taken_out(read: Read, number: int) -> bool:
    """Whether the next sentence takes something out of one: "However, ...", 단, ..."""
    sentences, material = read.material.sentences, read.material
    if number + 1 >= len(sentences) or material.place(number + 1) != material.place(number):
        return False
    following = sentences[number + 1]
    return pattern("exceptions", following.language).search(following.folded) is not None


def _turns(statement: Statement, kept: set[int], claim: Statement) -> bool:
    """Whether a kept clause holds a word that limits or denies, and the claim does not hold it too."""
    own = pattern("limits", claim.language)
    mine = [match.group().strip() for match in own.finditer(f"{claim.folded} ")]
    for clause in sorted(kept):
        words = statement.folded[slice(*statement.clauses[clause])]
        for match in own.finditer(f"{words} "):
            word = match.group().strip()
            if word in mine:
                mine.remove(word)
            elif not any(each.value is not None and word in each.value.text for each in statement.tokens):
                return True
    return False


def _only_opens(words: str, statement: Statement, clause: int) -> bool:
    """Whether a clause left out before a statement says but where or for whom it holds: "in Europe, ..."."""
    language = statement.language
    tokens = [each for each in statement.tokens if each.clause == clause]
    if language == "ko":
        return pattern("goes_on", "ko").search(words) is None
    opening = tokens[0].key if tokens else ""
    if opening in word_list("openers", language):
        return True
    return (
        language == "zh"
        and pattern("goes_on", "zh").search(words) is None
        and not any(each.value is not None for each in tokens)
    )


def _rivalled(read: Read, claim: Statement, parts: tuple[Part, ...], number: int) -> bool:
    """Whether another value of a kind stands where the claim's could: what tells the two apart may be left out."""
    mine = claim.telling
    values = [each.value for each in mine if each.value is not None]
    if not values:
        return False
    statement = parts[-1].statement
    dropped = len(mine) < sum([len(part.tokens) for part in parts])
    if dropped and len(parts) == 1:
        for other in statement.tokens:
            if other.value is not None and any(_conflicts(value, other.value) for value in values):
                return True
    return any(
        any(_conflicts(value, each.value) for each in other.telling if each.value is not None for value in values)
        for other in _like(read, claim, number)
    )


def _like(read: Read, claim: Statement, number: int) -> Iterator[Statement]:
    """The other sentences of the same text that hold every word of a claim, its values aside."""
    words = [each for each in claim.telling if each.value is None]
    reading = read.material.readings[read.material.place(number)]
    weights = {unit: weight for unit, weight in read.claim.weights.items() if not unit[0].isdigit()}
    for sentence in reading.sentences if words else ():
        if sentence is read.material.sentences[number] or coverage(weights, sentence.unit_set) < _COVERED:
            continue
        other = read_statement(reading, sentence)
        if all(any(alike(one, each) for each in other.telling) for one in words):
            yield other


def _conflicts(value: Value, other: Value) -> bool:
    return value.kind == other.kind and compare_values(value, other).relation == "conflicting"


def cut_short(read: Read) -> bool:
    """Whether the closest sentence binds what a short claim says to a condition that the claim leaves out."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) >= LONG:
        return False
    number = read.measured.closest[0]
    sentence = read.material.sentences[number]
    conditions = pattern("conditions", read.claim.language)
    if conditions.search(f"{sentence.folded} ") is None:
        return False
    claim = read_statement(read.claim, read.claim.sentences[0])
    own = len(conditions.findall(f"{claim.folded} "))
    return any(
        len(conditions.findall(f"{part.words} ")) > own and _holds_most(part, claim.telling)
        for part in read_statement(read.material.readings[read.material.place(number)], sentence).parts
    )


def _holds_most(part: Part, mine: Sequence[Token]) -> bool:
    held = sum([any(alike(one, other) for other in part.tokens) for one in mine])
    return held > len(mine) / 2
