"""What a short claim leaves out of the sentence that it is cut from: a condition, an exception, of whom alone it holds.

"Employees have 20 days" is not what "full-time employees have 20 days" says, though every word of it stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules.decision import LONG, Read
from turnmark.judges.rules.rows import Row
from turnmark.judges.rules.statements import (
    Statement,
    Token,
    alike,
    match_all,
    names,
    pattern,
    read_statement,
    word_list,
)

_SHORT = 11
"""Units of a claim that may be cut out of a sentence, at most; a longer one says most of it."""
_LEAST = 2
"""Telling tokens of a claim that says anything by itself, at least."""
_CUT = 0.7
"""Share of a claim's weight that a sentence must hold for the claim to be cut out of it."""


def is_cut(read: Read) -> bool:
    """Whether what a short claim leaves out of the closest sentence may make it say something else."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) >= LONG:
        return False
    number = read.measured.closest[0]
    sentence = read.material.sentences[number]
    conditions = pattern("conditions", read.claim.language)
    own = len(conditions.findall(f"{read.claim.compact} "))
    bound = len(conditions.findall(f"{sentence.folded} ")) > own
    if not bound and read.measured.values["covered_by_one"] < _CUT:
        return False
    claim = read_statement(read.claim, read.claim.sentences[0])
    statement = read_statement(read.material.readings[read.material.place(number)], sentence)
    if bound and any(
        len(conditions.findall(f"{part.words} ")) > own and _holds_most(part.tokens, claim.telling)
        for part in statement.parts
    ):
        return True
    short = len(claim.telling) >= _LEAST and len(read.claim.units) <= _SHORT
    if not short or not all(names(each, statement.telling) for each in claim.telling):
        return False
    return bound or is_taken_back(read, number) or _is_narrowed(claim, statement)


def is_bound(read: Read, row: Row) -> bool:
    """Whether a row denies or limits what it says, or its sentence binds it to a condition, and the claim does not."""
    language, mine = read.claim.language, f"{read.claim.compact} "
    limits, conditions = pattern("limits", language), pattern("conditions", language)
    if limits.search(f"{row.part.words} ") is not None or limits.search(mine) is not None:
        return True
    return conditions.search(f"{row.part.statement.folded} ") is not None or is_taken_back(read, row.sentence)


def _holds_most(theirs: Sequence[Token], mine: Sequence[Token]) -> bool:
    return sum([any(alike(one, other) for other in theirs) for one in mine]) > len(mine) / 2


def is_taken_back(read: Read, number: int) -> bool:
    """Whether the next sentence takes something out of one: "However, ...", 단, ..."""
    sentences, material = read.material.sentences, read.material
    if number + 1 >= len(sentences) or material.place(number + 1) != material.place(number):
        return False
    following = sentences[number + 1]
    return pattern("exceptions", following.language).search(following.folded) is not None


def _is_narrowed(claim: Statement, statement: Statement) -> bool:
    """Whether the words of a claim stand there in another order, behind a word that narrows them, or without a when."""
    mine, theirs = claim.telling, statement.telling
    used = match_all(mine, theirs, claim.language)
    if used is None:
        return True
    first = used.index(True)
    clause = theirs[first].clause
    if any(each.clause < clause for each in theirs) and only_opens(statement, clause - 1):
        return True
    if not any(each.value is not None for each in mine):
        dropped = [each for each, held in zip(theirs, used, strict=True) if not held and each.clause == clause]
        if any(each.value is not None and each.value.kind in ("date", "time") for each in dropped):
            return True
    if not first or theirs[first - 1].clause != clause or pattern("back", claim.language).match(claim.folded):
        return False
    before, folded = theirs[first - 1], statement.folded
    between = folded[before.end : theirs[first].start]
    if claim.language == "ko":
        return not any(form.role not in ("", "of", "verb") for form in before.forms)
    return between in ("", "的", " ", "-")


def only_opens(statement: Statement, clause: int) -> bool:
    """Whether a clause says but where or for whom the next one holds: in Europe, ...; Premium plan: ..."""
    language, (start, end) = statement.language, statement.clauses[clause]
    if statement.folded[end : end + 1] == ":":
        return True
    tokens = [each for each in statement.tokens if each.clause == clause]
    goes_on = pattern("goes_on", language).search(statement.folded, start, end) is not None
    if language == "ko":
        return not goes_on
    if tokens and tokens[0].key in word_list("openers", language):
        return True
    return language == "zh" and not goes_on and not any(each.value is not None for each in tokens)


def narrows(statement: Statement, clause: int, first: int) -> bool:
    """Whether a clause that a claim leaves out says when, where or of whom alone clause ``first`` holds."""
    language = statement.language
    words = statement.folded[slice(*statement.clauses[clause])]
    if not any(each.clause == clause and not each.light for each in statement.tokens):
        return False
    if clause < first and pattern("exceptions", language).search(f"{words},"):
        return False
    if pattern("conditions", language).search(f"{words} "):
        return True
    return clause < first and only_opens(statement, clause)
