"""Whether one clause of a source states a short claim: in the same words, from which nothing is missing that matters.

What may be left out is listed, everything else may not: other clauses, since when a value counts (within 7 days *of
delivery*), and when (opens at 9:00 *on weekdays*) where the claim gives a value. A clause may lack its subject, or all
up to a list, which then opens the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.learned.features import coverage
from turnmark.judges.rules.plain.limits import is_limited, is_taken_back
from turnmark.judges.rules.plain.matching import match_all, same_value
from turnmark.judges.rules.plain.statements import Part, Statement, mode, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token

_LEAST = 2
"""A claim of fewer telling tokens says too little by itself."""
_COVERED = 0.6
"""Share of a claim's weight that the sentence holds, at least; endings of words may be missing."""
_MOST = 6
"""A sentence with more clauses is a list or a record."""
_MEMBER = 4
"""Telling tokens that a member of a list has at most."""


def stating_sentence(read: Read, giving: Sequence[int]) -> int | None:
    """The number of the sentence, of those ``giving`` its values, that states a claim; None where there is none."""
    claim: Statement | None = None
    for number in giving:
        sentence = read.material.sentences[number]
        if coverage(read.claim.weights, sentence.unit_set) < _COVERED:
            continue
        claim = claim or read_statement(read.claim, read.claim.sentences[0])
        statement = read_statement(read.material.readings[read.material.place(number)], sentence)
        if len(claim.telling) < _LEAST or not 0 < len(statement.parts) <= _MOST or not _same_kind(claim, statement):
            continue
        for parts in _candidates(statement):
            if _states(claim, parts) and not is_limited(statement, {part.clause for part in parts}):
                return None if is_taken_back(read, number) else number
    return None


def giving_all(read: Read) -> list[int]:
    """The numbers of the closest sentences that give every value of a claim."""
    mine = [each for each in read.claim.passage.values if each.kind not in ("polarity", "truth")]
    if not mine:
        return read.measured.closest
    results = []
    for number in read.measured.closest:
        sentence = read.material.sentences[number]
        values = read.material.readings[read.material.place(number)].passage.values
        theirs = [each for each in values if sentence.start <= each.start < sentence.end]
        if all(any(same_value(one, other) for other in theirs) for one in mine):
            results.append(number)
    return results


def _candidates(statement: Statement) -> Iterator[tuple[Part, ...]]:
    """Each clause of a sentence by itself, and behind the one that opens it."""
    first, *others = statement.parts
    yield (first,)
    for each in others:
        yield (each,)
        yield first, each


def _states(claim: Statement, parts: tuple[Part, ...]) -> bool:
    mine, first = claim.telling, parts[0]
    if len(mine) > sum([len(part.tokens) for part in parts]) or not _same_mode(claim, parts):
        return False
    if len(parts) > 1:
        size = len(mine) - len(parts[1].tokens)
        if not 0 < size <= len(first.tokens):
            return False
        theirs = [*first.tokens[:size], *parts[1].tokens]
        used = match_all(mine, theirs, claim.language)
        return used is not None and all(used) and _goes_on(first, parts[1], size)
    used = match_all(mine, first.tokens, claim.language)
    return used is not None and all(_harmless(mine, first, gap) for gap in _gaps(used))


def _same_mode(claim: Statement, parts: tuple[Part, ...]) -> bool:
    """Whether claim and source both say that one may, or that one must; a rule may leave its "must" out."""
    own = mode(claim.folded, claim.language)
    theirs = {mode(part.words, claim.language) for part in parts}
    return own in theirs or (own != "may" and theirs <= {"", "must"})


def _gaps(kept: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The stretches of tokens that a claim leaves out, as first place and the one behind the last."""
    for held, group in groupby(range(len(kept)), key=kept.__getitem__):
        if not held:
            places = list(group)
            yield places[0], places[-1] + 1


def _harmless(mine: Sequence[Token], part: Part, gap: tuple[int, int]) -> bool:
    """Whether leaving out some words of a clause leaves what it says."""
    first, behind = gap
    tokens, language = part.tokens, part.sentence.language
    text = part.sentence.folded[tokens[first].start : tokens[behind - 1].end]
    if pattern("limits", language).search(f"{text} "):
        return False
    following = tokens[behind] if behind < len(tokens) else None
    beside = (tokens[first - 1] if first else None) if language == "en" else following
    if beside is not None and beside.value is not None and pattern("since", language).search(text):
        return True
    return any(each.value is not None for each in mine) and pattern("when", language).search(text) is not None


def _goes_on(first: Part, other: Part, size: int) -> bool:
    """Whether a later clause goes on with the tokens that open the first one: its subject, or all up to a list."""
    rest = first.tokens[size:]
    if not rest:
        return True
    language = first.sentence.language
    tail = first.sentence.folded[rest[0].start : rest[-1].end]
    if pattern("limits", language).search(f"{tail} "):
        return False
    listed = all(
        len(tokens) <= _MEMBER and all(each.value is None for each in tokens) for tokens in (rest, other.tokens)
    )
    if listed and language == "en" and not pattern("together", language).search(tail):
        return True
    return rest[0].key == other.tokens[0].key or _ends_subject(first, size)


def _ends_subject(part: Part, size: int) -> bool:
    """Whether so many tokens that open a clause are its whole subject, as far as its form tells."""
    last, following = part.tokens[size - 1], part.tokens[size]
    language, text = part.sentence.language, part.sentence.folded
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


def _same_kind(claim: Statement, statement: Statement) -> bool:
    """Whether both ask, or neither does."""
    return claim.folded.rstrip().endswith(_ASKS) == statement.folded.rstrip().endswith(_ASKS)


_ASKS = ("?", "？")
