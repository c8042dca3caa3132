"""What stands around a statement and takes something out of it: conditions, exceptions, other values in its place."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.features import coverage
from turnmark.judges.rules.statements import Part, Statement, alike, pattern, read_statement, word_list
from turnmark.language.values import Value, compare_values

_COVERED = 0.5
"""Share of a claim's weight that another sentence holds, at least, to be like the one that states it."""


def is_limited(read: Read, claim: Statement, number: int, parts: tuple[Part, ...]) -> bool:
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
